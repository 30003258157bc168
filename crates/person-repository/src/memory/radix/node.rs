//! The levels of the tree: nodes of 512 places over nodes, and values at the bottom.
//!
//! A node keeps its children in cells. *Dense*, it has a cell for each of its places, and a child
//! is found by its number; *packed*, it has cells for some places only, in their order, and a
//! bitmap says which. A node starts packed, and turns dense once three in four of the places up to
//! its last child are taken. A removal leaves an empty cell, and once more than half of the cells
//! are empty, the node is packed anew without them. So every change of form is paid for by as many
//! inserts or removals as it moves children, but for a constant, and a node that no insert will
//! come to has at most twice the cells that its children need.

use std::array;
use std::mem;
use std::ops::ControlFlow;

use super::bitmap::Bitmap;

/// Bits of a key that one node decides.
const NODE_BITS: u32 = 9;

/// Places in a node.
pub(super) const PLACES: usize = 1 << NODE_BITS;

/// With fewer children than this a node stays packed.
const MIN_DENSE: u16 = 8;

/// One level of the tree; a key's bits above it were decided by the levels above.
pub(super) trait Level: Sized {
    /// What the tree keeps.
    type Value;

    /// How many of a key's low bits this level and those below it decide.
    const KEY_BITS: u32;

    /// A subtree of one value.
    fn of(key: u64, value: Self::Value) -> Self;

    /// The value of `key`.
    fn get(&self, key: u64) -> Option<&Self::Value>;

    /// The value of `key`, to change.
    fn get_mut(&mut self, key: u64) -> Option<&mut Self::Value>;

    /// Puts `value` under `key` and gives back the value it displaced.
    fn insert(&mut self, key: u64, value: Self::Value) -> Option<Self::Value>;

    /// Takes the value of `key` out of the subtree in `cell`, and empties the cell with the last.
    fn remove_from(cell: &mut Option<Self>, key: u64) -> Option<Self::Value>;

    /// Visits the values in order from the low bits of `from` on; `prefix` is their keys' bits
    /// above this level.
    fn visit<F>(&self, prefix: u64, from: u64, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(u64, &Self::Value) -> ControlFlow<()>;
}

/// The lowest level: one value.
pub(super) struct Slot<V>(V);

impl<V> Level for Slot<V> {
    type Value = V;

    const KEY_BITS: u32 = 0;

    fn of(_key: u64, value: V) -> Self {
        Self(value)
    }

    fn get(&self, _key: u64) -> Option<&V> {
        Some(&self.0)
    }

    fn get_mut(&mut self, _key: u64) -> Option<&mut V> {
        Some(&mut self.0)
    }

    fn insert(&mut self, _key: u64, value: V) -> Option<V> {
        Some(mem::replace(&mut self.0, value))
    }

    fn remove_from(cell: &mut Option<Self>, _key: u64) -> Option<V> {
        cell.take().map(|slot| slot.0)
    }

    fn visit<F>(&self, prefix: u64, _from: u64, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(u64, &V) -> ControlFlow<()>,
    {
        visit(prefix, &self.0)
    }
}

/// A node of 512 places, in one of its two forms; 16 bytes, for they lie in their parent.
pub(super) enum Node<T> {
    Dense {
        /// How many cells have a child.
        taken: u16,
        /// All cells from this one on are empty.
        span: u16,
        cells: Box<DenseCells<T>>,
    },
    Packed(Box<Packed<T>>),
}

/// A cell for each place, aligned so that no person lies across two lines of a cache.
#[repr(align(64))]
pub(super) struct DenseCells<T>([Option<T>; PLACES]);

/// Cells for some places.
pub(super) struct Packed<T> {
    /// Which places have a cell.
    places: Bitmap,
    /// The cells of those places, in order.
    cells: Vec<Option<T>>,
    /// How many cells have a child.
    taken: u16,
}

impl<T: Level> Node<T> {
    /// Whether no place is taken.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Dense { taken, .. } => *taken == 0,
            Self::Packed(packed) => packed.taken == 0,
        }
    }

    /// Takes the value of `key` out, and the nodes below that are empty then.
    pub(super) fn remove(&mut self, key: u64) -> Option<T::Value> {
        let place = place::<T>(key);
        let (taken, cell) = match self {
            Self::Dense { taken, cells, .. } => (taken, &mut cells.0[usize::from(place)]),
            Self::Packed(packed) => {
                let index = packed.index(place)?;
                (&mut packed.taken, &mut packed.cells[index])
            }
        };
        let removed = T::remove_from(cell, key)?;
        if cell.is_none() {
            *taken -= 1;
            self.give_back();
        }
        Some(removed)
    }

    /// Packs the node anew if more than half of its cells are empty.
    fn give_back(&mut self) {
        match self {
            Self::Dense { taken, span, cells } => {
                if *taken < *span / 2 {
                    let packed = Packed::with(*taken, (0..).zip(&mut cells.0));
                    *self = Self::Packed(Box::new(packed));
                }
            }
            Self::Packed(packed) => {
                if usize::from(packed.taken) < packed.cells.len() / 2 {
                    let places = packed.places.iter_from(0);
                    **packed = Packed::with(packed.taken, places.zip(&mut packed.cells));
                }
            }
        }
    }
}

impl<T: Level> Level for Node<T> {
    type Value = T::Value;

    const KEY_BITS: u32 = T::KEY_BITS + NODE_BITS;

    fn of(key: u64, value: T::Value) -> Self {
        let child = &mut Some(T::of(key, value));
        Self::Packed(Box::new(Packed::with(1, [(place::<T>(key), child)])))
    }

    fn get(&self, key: u64) -> Option<&T::Value> {
        let place = place::<T>(key);
        let cell = match self {
            Self::Dense { cells, .. } => &cells.0[usize::from(place)],
            Self::Packed(packed) => &packed.cells[packed.index(place)?],
        };
        cell.as_ref()?.get(key)
    }

    fn get_mut(&mut self, key: u64) -> Option<&mut T::Value> {
        let place = place::<T>(key);
        let cell = match self {
            Self::Dense { cells, .. } => &mut cells.0[usize::from(place)],
            Self::Packed(packed) => {
                let index = packed.index(place)?;
                &mut packed.cells[index]
            }
        };
        cell.as_mut()?.get_mut(key)
    }

    fn insert(&mut self, key: u64, value: T::Value) -> Option<T::Value> {
        let place = place::<T>(key);
        let (taken, cell) = match self {
            Self::Dense { taken, span, cells } => {
                *span = (*span).max(place + 1);
                (taken, &mut cells.0[usize::from(place)])
            }
            Self::Packed(packed) => {
                let index = packed.index_or_new(place);
                (&mut packed.taken, &mut packed.cells[index])
            }
        };
        if let Some(child) = cell {
            return child.insert(key, value);
        }
        *cell = Some(T::of(key, value));
        *taken += 1;
        if let Self::Packed(packed) = self
            && let Some(dense) = packed.make_dense()
        {
            *self = dense;
        }
        None
    }

    fn remove_from(cell: &mut Option<Self>, key: u64) -> Option<T::Value> {
        let node = cell.as_mut()?;
        let removed = node.remove(key)?;
        if node.is_empty() {
            *cell = None;
        }
        Some(removed)
    }

    fn visit<F>(&self, prefix: u64, from: u64, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(u64, &T::Value) -> ControlFlow<()>,
    {
        let first = place::<T>(from);
        let mut visit_cell = |(place, cell): (u16, &Option<T>)| match cell {
            Some(child) => {
                let from = if place == first { from } else { 0 };
                child.visit(prefix << NODE_BITS | u64::from(place), from, visit)
            }
            None => ControlFlow::Continue(()),
        };
        match self {
            Self::Dense { span, cells, .. } => (first..*span)
                .zip(&cells.0[usize::from(first)..])
                .try_for_each(&mut visit_cell),
            Self::Packed(packed) => {
                let cells = &packed.cells[packed.places.rank(first)..];
                packed
                    .places
                    .iter_from(first)
                    .zip(cells)
                    .try_for_each(&mut visit_cell)
            }
        }
    }
}

impl<T> Packed<T> {
    /// Takes the children out of `cells`, whose places ascend; `taken` of them have one.
    fn with<'a>(taken: u16, cells: impl IntoIterator<Item = (u16, &'a mut Option<T>)>) -> Self
    where
        T: 'a,
    {
        let mut packed = Self {
            places: Bitmap::default(),
            cells: Vec::with_capacity(usize::from(taken)),
            taken,
        };
        for (place, cell) in cells {
            if let Some(child) = cell.take() {
                packed.places.insert(place);
                packed.cells.push(Some(child));
            }
        }
        packed
    }

    /// The cell of `place`, if it has one.
    fn index(&self, place: u16) -> Option<usize> {
        self.places.contains(place).then(|| self.places.rank(place))
    }

    /// The cell of `place`, made empty if it had none.
    fn index_or_new(&mut self, place: u16) -> usize {
        let index = self.places.rank(place);
        if self.places.insert(place) {
            self.cells.insert(index, None);
        }
        index
    }

    /// Moves the children to a dense node, if they are close enough together.
    fn make_dense(&mut self) -> Option<Node<T>> {
        if self.taken < MIN_DENSE {
            return None;
        }
        let span = self.places.span();
        if self.taken < span - span / 4 {
            return None;
        }
        let mut cells = Box::new(DenseCells(array::from_fn(|_| None)));
        for (place, cell) in self.places.iter_from(0).zip(&mut self.cells) {
            cells.0[usize::from(place)] = cell.take();
        }
        Some(Node::Dense {
            taken: self.taken,
            span,
            cells,
        })
    }
}

/// The place of `key` in a node over the level `T`.
#[expect(clippy::cast_possible_truncation, reason = "nine bits fit")]
fn place<T: Level>(key: u64) -> u16 {
    (key >> T::KEY_BITS) as u16 % PLACES as u16
}

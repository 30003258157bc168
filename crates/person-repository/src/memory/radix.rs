//! An ordered map from numbers to values as a compressed radix tree.
//!
//! Six bits of a key choose one of 64 places in a node; a node keeps a bitmap of the places that
//! are taken and, packed in one vector, only what is in those. Four levels of nodes make a chunk of
//! 2^24 keys, and an ordered map, of one entry up to 16 million keys, holds the chunks. So
//!
//! - a look-up takes the same five steps at any size, and the bitmap of a node lies in its parent's
//!   vector, beside the pointer, so that only the last step touches memory of the value's own;
//! - an insert moves at most one node's vector: nothing is ever rehashed or copied whole;
//! - a removal takes empty nodes with it and gives memory back: what was removed costs neither
//!   memory nor time later.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Bits of a key that one node decides.
const NODE_BITS: u32 = 6;

/// Places in a node.
const NODE_PLACES: usize = 1 << NODE_BITS;

/// Four levels of nodes over the values.
type Chunk<V> = Node<Node<Node<Node<Slot<V>>>>>;

/// A map from `u64` to `V`, in the order of the keys.
#[derive(Debug)]
pub(super) struct RadixTree<V> {
    chunks: BTreeMap<u64, Chunk<V>>,
    len: u64,
}

impl<V> Default for RadixTree<V> {
    fn default() -> Self {
        Self {
            chunks: BTreeMap::new(),
            len: 0,
        }
    }
}

impl<V> RadixTree<V> {
    /// The number of values.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The value of `key`.
    pub(super) fn get(&self, key: u64) -> Option<&V> {
        self.chunks.get(&chunk_of::<V>(key))?.get(key)
    }

    /// The value of `key`, to change.
    pub(super) fn get_mut(&mut self, key: u64) -> Option<&mut V> {
        self.chunks.get_mut(&chunk_of::<V>(key))?.get_mut(key)
    }

    /// Puts `value` under `key` and gives back the value it displaced.
    pub(super) fn insert(&mut self, key: u64, value: V) -> Option<V> {
        let displaced = self
            .chunks
            .entry(chunk_of::<V>(key))
            .or_default()
            .insert(key, value);
        self.len += u64::from(displaced.is_none());
        displaced
    }

    /// Takes the value of `key` out.
    pub(super) fn remove(&mut self, key: u64) -> Option<V> {
        let chunk = self.chunks.get_mut(&chunk_of::<V>(key))?;
        let removed = chunk.remove(key)?;
        if chunk.is_empty() {
            self.chunks.remove(&chunk_of::<V>(key));
        }
        self.len -= 1;
        Some(removed)
    }

    /// Visits the values of the keys after `key` in order, until `visit` breaks.
    pub(super) fn visit_after(&self, key: u64, mut visit: impl FnMut(u64, &V) -> ControlFlow<()>) {
        let Some(from) = key.checked_add(1) else {
            return;
        };
        let first = chunk_of::<V>(from);
        for (&number, chunk) in self.chunks.range(first..) {
            let from = if number == first { from } else { 0 };
            if chunk.visit(number, from, &mut visit).is_break() {
                return;
            }
        }
    }
}

/// The number of the chunk that `key` is in.
fn chunk_of<V>(key: u64) -> u64 {
    key >> Chunk::<V>::KEY_BITS
}

/// One level of the tree; a key's bits above the level were decided by its parents.
trait Level: Sized {
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

    /// Takes the value of `key` out of `siblings[index]`, and that out of `siblings` if it is empty
    /// then.
    fn remove_in(siblings: &mut Vec<Self>, index: usize, key: u64) -> Option<Self::Value>;

    /// Visits the values in order from the low bits of `from` on; `prefix` is their keys' bits
    /// above this level.
    fn visit<F>(&self, prefix: u64, from: u64, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(u64, &Self::Value) -> ControlFlow<()>;
}

/// The lowest level: one value.
#[derive(Debug)]
struct Slot<V>(V);

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
        Some(std::mem::replace(&mut self.0, value))
    }

    fn remove_in(siblings: &mut Vec<Self>, index: usize, _key: u64) -> Option<V> {
        Some(siblings.remove(index).0)
    }

    fn visit<F>(&self, prefix: u64, _from: u64, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(u64, &V) -> ControlFlow<()>,
    {
        visit(prefix, &self.0)
    }
}

/// 64 places, of which only those that are taken use memory.
#[derive(Debug)]
struct Node<T> {
    /// Bit `p` is set when place `p` is taken.
    taken: u64,
    /// What is in the places that are taken, in their order.
    children: Vec<T>,
}

impl<T> Default for Node<T> {
    fn default() -> Self {
        Self {
            taken: 0,
            children: Vec::new(),
        }
    }
}

impl<T: Level> Node<T> {
    fn is_empty(&self) -> bool {
        self.taken == 0
    }

    /// Takes the value of `key` out, and the nodes below that are empty then.
    fn remove(&mut self, key: u64) -> Option<T::Value> {
        let place = Self::place(key);
        let index = self.index(place)?;
        let before = self.children.len();
        let removed = T::remove_in(&mut self.children, index, key)?;
        if self.children.len() < before {
            self.taken &= !(1 << place);
            give_back(&mut self.children);
        }
        Some(removed)
    }

    /// The place of `key` in this node.
    fn place(key: u64) -> u64 {
        (key >> T::KEY_BITS) % NODE_PLACES as u64
    }

    /// Where the child of `place` is among the children, if the place is taken.
    fn index(&self, place: u64) -> Option<usize> {
        (self.taken >> place & 1 == 1).then(|| self.rank(place))
    }

    /// How many places before `place` are taken.
    fn rank(&self, place: u64) -> usize {
        (self.taken & ((1 << place) - 1)).count_ones() as usize
    }
}

impl<T: Level> Level for Node<T> {
    type Value = T::Value;

    const KEY_BITS: u32 = T::KEY_BITS + NODE_BITS;

    fn of(key: u64, value: T::Value) -> Self {
        // Keys come in ascending order, so a new node will be full: it takes its room at once.
        let mut children = Vec::with_capacity(NODE_PLACES);
        children.push(T::of(key, value));
        Self {
            taken: 1 << Self::place(key),
            children,
        }
    }

    fn get(&self, key: u64) -> Option<&T::Value> {
        let index = self.index(Self::place(key))?;
        self.children.get(index)?.get(key)
    }

    fn get_mut(&mut self, key: u64) -> Option<&mut T::Value> {
        let index = self.index(Self::place(key))?;
        self.children.get_mut(index)?.get_mut(key)
    }

    fn insert(&mut self, key: u64, value: T::Value) -> Option<T::Value> {
        let place = Self::place(key);
        let rank = self.rank(place);
        if self.taken >> place & 1 == 1 {
            return self.children[rank].insert(key, value);
        }
        self.children.insert(rank, T::of(key, value));
        self.taken |= 1 << place;
        None
    }

    fn remove_in(siblings: &mut Vec<Self>, index: usize, key: u64) -> Option<T::Value> {
        let removed = siblings[index].remove(key)?;
        if siblings[index].is_empty() {
            siblings.remove(index);
        }
        Some(removed)
    }

    fn visit<F>(&self, prefix: u64, from: u64, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(u64, &T::Value) -> ControlFlow<()>,
    {
        let first = Self::place(from);
        let mut left = self.taken & (u64::MAX << first);
        for child in &self.children[self.rank(first)..] {
            let place = u64::from(left.trailing_zeros());
            left &= left - 1;
            let from = if place == first { from } else { 0 };
            child.visit(prefix << NODE_BITS | place, from, visit)?;
        }
        ControlFlow::Continue(())
    }
}

/// Gives memory back once less than half of it is in use, and keeps some slack, so that neither a
/// next removal nor a next insert moves everything again.
fn give_back<T>(children: &mut Vec<T>) {
    if children.len() < children.capacity() / 2 {
        children.shrink_to(children.len() + children.len() / 2);
    }
}

//! An ordered map from numbers to values as a radix tree, made for keys that come in ascending
//! order and go in any.
//!
//! Nine bits of a key choose one of 512 places in a node. Three levels of nodes make a chunk of
//! 2^27 keys, and an ordered map, of one entry up to 134 million keys, holds the chunks.
//!
//! - A look-up takes the same steps at any size. At ten million values all that lies above them is
//!   some 300 KB, which a processor's cache holds, so that a look-up waits once for memory.
//! - An insert touches one node a level: nothing is ever rehashed or copied as a whole.
//! - A removal takes nodes that are empty with it and packs those that are less than half full
//!   (see [`node`]): what was removed costs neither memory nor time later.

mod bitmap;
mod node;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use self::node::{Level, Node, Slot};

/// Three levels of nodes over the values.
type Chunk<V> = Node<Node<Node<Slot<V>>>>;

/// A map from `u64` to `V`, in the order of the keys.
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
        let displaced = match self.chunks.get_mut(&chunk_of::<V>(key)) {
            Some(chunk) => chunk.insert(key, value),
            None => {
                self.chunks
                    .insert(chunk_of::<V>(key), Chunk::of(key, value));
                None
            }
        };
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

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Keys that crowd around the edges of nodes and chunks, in any order.
    fn key() -> impl Strategy<Value = u64> {
        let edge = proptest::sample::select(vec![0, 1 << 9, 1 << 18, 1 << 27, 1 << 62, u64::MAX]);
        (edge, -600..600_i64).prop_map(|(edge, step)| edge.wrapping_add_signed(step))
    }

    fn after(tree: &RadixTree<u64>, key: u64, limit: usize) -> Vec<(u64, u64)> {
        let mut visited = Vec::new();
        tree.visit_after(key, |key, value| {
            visited.push((key, *value));
            if visited.len() == limit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        visited
    }

    proptest! {
        #[test]
        fn it_maps_any_keys_in_any_order(
            steps in vec((key(), 1..300_u64, any::<bool>()), 1..30),
            asked in vec(key(), 10),
        ) {
            let mut tree = RadixTree::default();
            let mut model = BTreeMap::new();
            for (value, (from, many, insert)) in (0..).zip(steps) {
                for key in (0..many).map(|step| from.wrapping_add(step)) {
                    if insert {
                        assert_eq!(tree.insert(key, value), model.insert(key, value));
                    } else {
                        assert_eq!(tree.remove(key), model.remove(&key));
                    }
                }
                assert_eq!(tree.len(), model.len() as u64);
                for &key in &asked {
                    assert_eq!(tree.get(key), model.get(&key));
                    assert_eq!(tree.get_mut(key), model.get_mut(&key));
                    let follow = model.range(key..).map(|(key, value)| (*key, *value));
                    let follow: Vec<_> = follow.filter(|(found, _)| *found > key).take(500).collect();
                    assert_eq!(after(&tree, key, 500), follow);
                }
            }
            for key in model.into_keys() {
                assert!(tree.remove(key).is_some());
            }
            assert_eq!(tree.len(), 0);
            assert!(tree.chunks.is_empty());
        }
    }

    #[test]
    fn a_person_takes_32_bytes_and_a_node_16_in_its_parent() {
        assert_eq!(size_of::<Option<Slot<crate::NewPerson>>>(), 32);
        assert_eq!(size_of::<Option<Node<Slot<crate::NewPerson>>>>(), 16);
    }
}

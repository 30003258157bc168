//! A set of the places of a node.

use super::node::PLACES;

/// Places that one word tells of.
const WORD_PLACES: usize = u64::BITS as usize;

/// Words in a set.
const WORDS: usize = PLACES / WORD_PLACES;

/// A set of places.
#[derive(Clone, Copy, Default)]
pub(super) struct Bitmap {
    /// A bit for each place, 64 to a word, the lowest first.
    words: [u64; WORDS],
    /// How many places are in the words before each word.
    ranks: [u16; WORDS],
}

impl Bitmap {
    /// Whether `place` is in the set.
    pub(super) fn contains(&self, place: u16) -> bool {
        let (word, bit) = word_and_bit(place);
        self.words[word] & bit != 0
    }

    /// How many places of the set are before `place`.
    pub(super) fn rank(&self, place: u16) -> usize {
        let (word, bit) = word_and_bit(place);
        let in_word = (self.words[word] & (bit - 1)).count_ones();
        usize::from(self.ranks[word]) + in_word as usize
    }

    /// Puts `place` into the set; whether it is new there.
    pub(super) fn insert(&mut self, place: u16) -> bool {
        let (word, bit) = word_and_bit(place);
        let new = self.words[word] & bit == 0;
        if new {
            self.words[word] |= bit;
            for rank in &mut self.ranks[word + 1..] {
                *rank += 1;
            }
        }
        new
    }

    /// The place after the last of the set, 0 for none.
    pub(super) fn span(&self) -> u16 {
        let last = self.words.iter().rposition(|word| *word != 0);
        last.map_or(0, |word| {
            as_place((word + 1) * WORD_PLACES) - leading_zeros(self.words[word])
        })
    }

    /// The places of the set from `first` on, ascending.
    pub(super) fn iter_from(self, first: u16) -> impl Iterator<Item = u16> {
        let (mut word, bit) = word_and_bit(first);
        let mut words = self.words;
        words[word] &= !(bit - 1);
        std::iter::from_fn(move || {
            while words[word] == 0 {
                if word + 1 == words.len() {
                    return None;
                }
                word += 1;
            }
            let place = word * WORD_PLACES + words[word].trailing_zeros() as usize;
            words[word] &= words[word] - 1;
            Some(as_place(place))
        })
    }
}

/// Where a bitmap tells of `place`: the word, and the bit in it.
fn word_and_bit(place: u16) -> (usize, u64) {
    (
        usize::from(place) / WORD_PLACES,
        1 << (usize::from(place) % WORD_PLACES),
    )
}

#[expect(clippy::cast_possible_truncation, reason = "at most 64")]
fn leading_zeros(word: u64) -> u16 {
    word.leading_zeros() as u16
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "no place is beyond PLACES, which fits"
)]
fn as_place(number: usize) -> u16 {
    number as u16
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    const LAST: u16 = 511;

    proptest! {
        #[test]
        fn it_is_a_set(places in btree_set(0..=LAST, 0..80), asked in 0..=LAST) {
            let mut bitmap = Bitmap::default();
            for &place in places.iter().rev() {
                prop_assert!(bitmap.insert(place));
                prop_assert!(!bitmap.insert(place));
            }
            prop_assert_eq!(bitmap.contains(asked), places.contains(&asked));
            prop_assert_eq!(bitmap.rank(asked), places.range(..asked).count());
            prop_assert_eq!(bitmap.span(), places.last().map_or(0, |last| last + 1));
            let follow: BTreeSet<u16> = places.range(asked..).copied().collect();
            prop_assert!(bitmap.iter_from(asked).eq(follow));
        }
    }
}

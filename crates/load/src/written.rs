//! What a run was answered: which request each id was given for.

use std::ops::RangeInclusive;

/// The ids that answers gave, each with the index of its request; 4 bytes an id of the range.
#[derive(Debug, Clone)]
pub struct Written {
    first: u64,
    index_by_id: Vec<u32>,
    count: u64,
}

/// Why an id is not the one to be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IdFault {
    /// It is outside the range that the answers may give.
    #[error("id {0} is out of range")]
    OutOfRange(u64),
    /// An earlier answer gave it.
    #[error("id {0} was given before")]
    Repeated(u64),
}

impl Written {
    const NONE: u32 = u32::MAX;

    /// A table for the ids of `range`, all of them not given yet.
    #[must_use]
    pub fn new(range: RangeInclusive<u64>) -> Self {
        let first = *range.start();
        let length = range.end().checked_sub(first).map_or(0, |last| last + 1);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        Self {
            first,
            index_by_id: vec![Self::NONE; length],
            count: 0,
        }
    }

    /// A table for answers that give no ids.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            first: 0,
            index_by_id: Vec::new(),
            count: 0,
        }
    }

    /// Notes that `id` was given for the request of `index`.
    ///
    /// # Errors
    /// The id is out of range or was given before; the table stays as it was.
    pub fn insert(&mut self, id: u64, index: u32) -> Result<(), IdFault> {
        let cell = id
            .checked_sub(self.first)
            .and_then(|offset| usize::try_from(offset).ok())
            .and_then(|offset| self.index_by_id.get_mut(offset))
            .ok_or(IdFault::OutOfRange(id))?;
        if *cell != Self::NONE {
            return Err(IdFault::Repeated(id));
        }
        *cell = index;
        self.count += 1;
        Ok(())
    }

    /// The index of the request that `id` was given for.
    #[must_use]
    pub fn index_of(&self, id: u64) -> Option<u32> {
        let offset = usize::try_from(id.checked_sub(self.first)?).ok()?;
        self.index_by_id
            .get(offset)
            .copied()
            .filter(|index| *index != Self::NONE)
    }

    /// The number of ids given.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_taken_once_and_only_within_the_range() {
        let mut written = Written::new(1..=3);
        assert_eq!(written.insert(3, 0), Ok(()));
        assert_eq!(written.insert(1, 9), Ok(()));
        assert_eq!(written.insert(3, 1), Err(IdFault::Repeated(3)));
        assert_eq!(written.insert(0, 1), Err(IdFault::OutOfRange(0)));
        assert_eq!(written.insert(4, 1), Err(IdFault::OutOfRange(4)));
        assert_eq!(
            (
                written.index_of(1),
                written.index_of(2),
                written.index_of(3)
            ),
            (Some(9), None, Some(0))
        );
        assert_eq!(written.count(), 2);
    }

    #[test]
    fn a_table_without_ids_knows_none() {
        assert_eq!(Written::none().index_of(1), None);
        assert_eq!(Written::none().insert(1, 0), Err(IdFault::OutOfRange(1)));
    }
}

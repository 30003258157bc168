//! Persons in id order: one page, or all of them in bounded pieces.

use crate::{Person, PersonId, PersonRepository, StoreError};

/// The most persons that one piece of a [`PersonList`] has.
pub const PIECE_PERSONS: usize = 256;

/// Persons next to each other in id order, all three fields taken at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonPage {
    /// The persons, in id order.
    pub persons: Vec<Person>,
    /// Whether the store has a person after the last of these.
    pub has_more: bool,
    /// The number of persons in the store.
    pub total: u64,
}

/// All persons in id order, read in pieces of at most [`PIECE_PERSONS`].
///
/// Every person present from the first piece to the last is in it, none twice; one that was added
/// or deleted meanwhile may be in it or not. It ends at the highest id given when it began, however
/// many are added meanwhile. Between two pieces it holds nothing of the store.
#[derive(Debug)]
pub struct PersonList {
    repository: PersonRepository,
    after: PersonId,
    last: PersonId,
    total: u64,
    #[cfg(feature = "fault-injection")]
    pieces: usize,
}

impl PersonList {
    /// A list of the persons of `repository` up to the id `last`.
    pub(crate) fn new(repository: PersonRepository, last: PersonId, total: u64) -> Self {
        Self {
            repository,
            after: PersonId::ZERO,
            last,
            total,
            #[cfg(feature = "fault-injection")]
            pieces: 0,
        }
    }

    /// The number of persons when the list began.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The next persons, never an empty piece; `None` at the end, however often it is asked.
    ///
    /// After an error the same piece can be asked for again.
    pub async fn next_piece(&mut self) -> Result<Option<Vec<Person>>, StoreError> {
        if self.after >= self.last {
            return Ok(None);
        }
        let piece = self.repository.piece(self).await?;
        #[cfg(feature = "fault-injection")]
        {
            self.pieces += 1;
        }
        // A short piece is the last: what is added from now on has a higher id than `last`.
        self.after = match piece.last() {
            Some(person) if piece.len() == PIECE_PERSONS => person.id,
            _ => self.last,
        };
        Ok(if piece.is_empty() { None } else { Some(piece) })
    }

    /// The persons still to come have higher ids than this.
    pub(crate) fn after(&self) -> PersonId {
        self.after
    }

    /// The highest id that the list may have.
    pub(crate) fn last(&self) -> PersonId {
        self.last
    }

    /// How many pieces were read.
    #[cfg(feature = "fault-injection")]
    pub(crate) fn pieces(&self) -> usize {
        self.pieces
    }
}

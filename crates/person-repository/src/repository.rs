//! The handle through which all stores are used.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "fault-injection")]
use crate::faults::{FaultSwitch, FaultyStore};
use crate::memory::MemoryStore;
use crate::{
    NewPerson, PIECE_PERSONS, Person, PersonId, PersonList, PersonPage, PersonPatch, StoreError,
};

/// How long a store other than memory may take over one call.
pub const STORE_TIMEOUT: Duration = Duration::from_secs(2);

/// Which store a repository stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreKind {
    /// The memory of this process.
    Memory,
}

impl StoreKind {
    /// The store's name, in small letters.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
        }
    }
}

/// A handle on the store of persons: cheap to clone, and all clones share one store.
///
/// On the memory store every method is complete at its first poll and needs no runtime. Every other
/// store answers within [`STORE_TIMEOUT`], or the call ends with [`StoreError::TimedOut`].
#[derive(Clone)]
pub struct PersonRepository {
    store: Store,
}

/// The stores there are.
#[derive(Clone)]
enum Store {
    Memory(Arc<MemoryStore>),
    #[cfg(feature = "fault-injection")]
    Faulty(Arc<FaultyStore>),
}

impl PersonRepository {
    /// An empty store in memory, gone with its last handle.
    pub fn in_memory() -> Self {
        Self {
            store: Store::Memory(Arc::default()),
        }
    }

    /// An empty memory store that fails on command, and the switch that commands it.
    #[cfg(feature = "fault-injection")]
    pub fn with_faults() -> (Self, FaultSwitch) {
        let (store, switch) = FaultyStore::new();
        (
            Self {
                store: Store::Faulty(Arc::new(store)),
            },
            switch,
        )
    }

    /// Which store this is.
    pub fn kind(&self) -> StoreKind {
        match &self.store {
            Store::Memory(_) => StoreKind::Memory,
            #[cfg(feature = "fault-injection")]
            Store::Faulty(_) => StoreKind::Memory,
        }
    }

    /// Asks the store for a sign of life; an error where it gives none.
    pub async fn ping(&self) -> Result<(), StoreError> {
        match &self.store {
            Store::Memory(_) => Ok(()),
            #[cfg(feature = "fault-injection")]
            Store::Faulty(store) => store.memory().await.map(|_| ()),
        }
    }

    /// The number of persons, kept by the store: no scan.
    pub async fn count(&self) -> Result<u64, StoreError> {
        match &self.store {
            Store::Memory(memory) => Ok(memory.count()),
            #[cfg(feature = "fault-injection")]
            Store::Faulty(store) => Ok(store.memory().await?.count()),
        }
    }

    /// Keeps a person under the next id; [`StoreError::Full`] when no id is left.
    pub async fn add(&self, new: NewPerson) -> Result<Person, StoreError> {
        match &self.store {
            Store::Memory(memory) => memory.add(new),
            #[cfg(feature = "fault-injection")]
            Store::Faulty(store) => store.memory().await?.add(new),
        }
    }

    /// The person of this id, if there is one.
    pub async fn get(&self, id: PersonId) -> Result<Option<Person>, StoreError> {
        match &self.store {
            Store::Memory(memory) => Ok(memory.get(id)),
            #[cfg(feature = "fault-injection")]
            Store::Faulty(store) => Ok(store.memory().await?.get(id)),
        }
    }

    /// At most `limit` persons with ids after `after`, in id order, read at one moment.
    ///
    /// The memory store lets nobody write meanwhile: ask for no more than a page.
    pub async fn page(&self, after: PersonId, limit: usize) -> Result<PersonPage, StoreError> {
        match &self.store {
            Store::Memory(memory) => Ok(memory.page(after, limit)),
            #[cfg(feature = "fault-injection")]
            Store::Faulty(store) => Ok(store.memory().await?.page(after, limit)),
        }
    }

    /// All persons in id order, in bounded pieces; the list keeps a handle of its own.
    pub async fn list(&self) -> Result<PersonList, StoreError> {
        let (last, total) = match &self.store {
            Store::Memory(memory) => memory.extent(),
            #[cfg(feature = "fault-injection")]
            Store::Faulty(store) => store.memory().await?.extent(),
        };
        Ok(PersonList::new(self.clone(), last, total))
    }

    /// The next persons of `list`, at most [`PIECE_PERSONS`](crate::PIECE_PERSONS).
    pub(crate) async fn piece(&self, list: &PersonList) -> Result<Vec<Person>, StoreError> {
        match &self.store {
            Store::Memory(memory) => Ok(memory.piece(list.after(), list.last(), PIECE_PERSONS)),
            #[cfg(feature = "fault-injection")]
            Store::Faulty(store) => {
                let memory = store.memory_for_piece(list.pieces()).await?;
                Ok(memory.piece(list.after(), list.last(), PIECE_PERSONS))
            }
        }
    }

    /// Puts `new` in the person's place, at once; `None` and no change where there is none.
    pub async fn replace(
        &self,
        id: PersonId,
        new: NewPerson,
    ) -> Result<Option<Person>, StoreError> {
        match &self.store {
            Store::Memory(memory) => Ok(memory.replace(id, new)),
            #[cfg(feature = "fault-injection")]
            Store::Faulty(store) => Ok(store.memory().await?.replace(id, new)),
        }
    }

    /// Makes all changes of `patch` at once and gives the changed person; `None` where there is none.
    pub async fn patch(
        &self,
        id: PersonId,
        patch: PersonPatch,
    ) -> Result<Option<Person>, StoreError> {
        match &self.store {
            Store::Memory(memory) => Ok(memory.patch(id, patch)),
            #[cfg(feature = "fault-injection")]
            Store::Faulty(store) => Ok(store.memory().await?.patch(id, patch)),
        }
    }

    /// Deletes the person for good: its id is never given again; whether there was one.
    pub async fn delete(&self, id: PersonId) -> Result<bool, StoreError> {
        match &self.store {
            Store::Memory(memory) => Ok(memory.delete(id)),
            #[cfg(feature = "fault-injection")]
            Store::Faulty(store) => Ok(store.memory().await?.delete(id)),
        }
    }
}

/// Tells which store it is and shows nobody who is in it.
impl fmt::Debug for PersonRepository {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PersonRepository")
            .field("kind", &self.kind())
            .finish_non_exhaustive()
    }
}

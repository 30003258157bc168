//! The store in memory: one lock over a radix tree keyed by id.

mod radix;

use std::ops::ControlFlow;

use parking_lot::RwLock;

use self::radix::RadixTree;
use crate::{NewPerson, Person, PersonId, PersonPage, PersonPatch, StoreError};

/// Persons in memory, shared by threads.
///
/// No method waits for anything but the lock, and none holds it longer than its own few persons
/// take: no operation has a step that grows with the store.
#[derive(Default)]
pub(crate) struct MemoryStore {
    shelf: RwLock<Shelf>,
}

/// What the lock guards: persons, and the last id that was given.
#[derive(Default)]
struct Shelf {
    persons: RadixTree<NewPerson>,
    last_id: u64,
}

impl MemoryStore {
    /// The number of persons.
    pub(crate) fn count(&self) -> u64 {
        self.shelf.read().persons.len()
    }

    /// The last id that was given, and the number of persons at that moment.
    pub(crate) fn extent(&self) -> (PersonId, u64) {
        let shelf = self.shelf.read();
        (PersonId::new(shelf.last_id), shelf.persons.len())
    }

    /// Keeps a person under the next id.
    pub(crate) fn add(&self, new: NewPerson) -> Result<Person, StoreError> {
        let kept = new.clone();
        let mut shelf = self.shelf.write();
        if shelf.last_id == PersonId::MAX_GIVEN.get() {
            return Err(StoreError::Full);
        }
        shelf.last_id += 1;
        let id = shelf.last_id;
        shelf.persons.insert(id, kept);
        drop(shelf);
        Ok(new.with_id(PersonId::new(id)))
    }

    /// The person of this id.
    pub(crate) fn get(&self, id: PersonId) -> Option<Person> {
        let found = self.shelf.read().persons.get(id.get()).cloned();
        found.map(|person| person.with_id(id))
    }

    /// At most `limit` persons after `after`, whether more follow, and the number of all.
    pub(crate) fn page(&self, after: PersonId, limit: usize) -> PersonPage {
        let shelf = self.shelf.read();
        let total = shelf.persons.len();
        let mut page = PersonPage {
            persons: Vec::with_capacity(at_most(limit, total)),
            has_more: false,
            total,
        };
        shelf.persons.visit_after(after.get(), |id, person| {
            if page.persons.len() == limit {
                page.has_more = true;
                return ControlFlow::Break(());
            }
            page.persons.push(person.clone().with_id(PersonId::new(id)));
            ControlFlow::Continue(())
        });
        page
    }

    /// At most `limit` persons after `after` and not after `last`.
    pub(crate) fn piece(&self, after: PersonId, last: PersonId, limit: usize) -> Vec<Person> {
        let shelf = self.shelf.read();
        let mut persons = Vec::with_capacity(at_most(limit, shelf.persons.len()));
        shelf.persons.visit_after(after.get(), |id, person| {
            if persons.len() == limit || id > last.get() {
                return ControlFlow::Break(());
            }
            persons.push(person.clone().with_id(PersonId::new(id)));
            ControlFlow::Continue(())
        });
        persons
    }

    /// Puts `new` in the place of the person of this id.
    pub(crate) fn replace(&self, id: PersonId, new: NewPerson) -> Option<Person> {
        let kept = new.clone();
        let mut shelf = self.shelf.write();
        let old = std::mem::replace(shelf.persons.get_mut(id.get())?, kept);
        drop(shelf);
        drop(old);
        Some(new.with_id(id))
    }

    /// Changes fields of the person of this id.
    pub(crate) fn patch(&self, id: PersonId, patch: PersonPatch) -> Option<Person> {
        let mut shelf = self.shelf.write();
        let person = shelf.persons.get_mut(id.get())?;
        patch.apply(person);
        Some(person.clone().with_id(id))
    }

    /// Deletes the person of this id.
    pub(crate) fn delete(&self, id: PersonId) -> bool {
        let removed = self.shelf.write().persons.remove(id.get());
        removed.is_some()
    }
}

/// The room to make for `limit` out of `total` persons.
fn at_most(limit: usize, total: u64) -> usize {
    usize::try_from(total).map_or(limit, |total| limit.min(total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Age, Gender, PersonName};

    #[test]
    fn the_store_is_full_once_the_highest_id_was_given() {
        let shelf = Shelf {
            last_id: PersonId::MAX_GIVEN.get() - 1,
            ..Shelf::default()
        };
        let store = MemoryStore {
            shelf: RwLock::new(shelf),
        };
        let ada = NewPerson {
            name: PersonName::parse("Ada").unwrap(),
            gender: Gender::Female,
            age: Age::new(36).unwrap(),
        };
        assert_eq!(store.add(ada.clone()).unwrap().id, PersonId::MAX_GIVEN);
        assert!(matches!(store.add(ada), Err(StoreError::Full)));
        assert_eq!(store.count(), 1);
        assert!(store.get(PersonId::MAX_GIVEN).is_some());
        assert_eq!(store.page(PersonId::ZERO, 10).persons.len(), 1);
        assert!(store.delete(PersonId::MAX_GIVEN));
    }
}

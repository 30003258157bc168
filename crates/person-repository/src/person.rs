//! A person, and the requests that make and change one.

use std::fmt;

use crate::{Age, Gender, PersonName};

/// The number of a person.
///
/// A store gives 1, 2, 3 and so on up to `i64::MAX`; any other number may be asked for and is not
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonId(u64);

impl PersonId {
    /// The number before the first person's: a page after it begins at the beginning.
    pub const ZERO: Self = Self(0);

    /// The highest number that a store gives.
    pub const MAX_GIVEN: Self = Self(i64::MAX.cast_unsigned());

    /// Takes any number.
    pub const fn new(id: u64) -> Self {
        Self(id)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for PersonId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

/// A person without an id: one to add, or what takes a person's place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NewPerson {
    /// The name.
    pub name: PersonName,
    /// The gender.
    pub gender: Gender,
    /// The age in years.
    pub age: Age,
}

impl NewPerson {
    /// The person under the id that a store gave.
    pub fn with_id(self, id: PersonId) -> Person {
        let Self { name, gender, age } = self;
        Person {
            id,
            name,
            gender,
            age,
        }
    }
}

/// A person of a store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Person {
    /// The number that the store gave.
    pub id: PersonId,
    /// The name.
    pub name: PersonName,
    /// The gender.
    pub gender: Gender,
    /// The age in years.
    pub age: Age,
}

/// What to change of a person; a field that is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PersonPatch {
    /// The new name.
    pub name: Option<PersonName>,
    /// The new gender.
    pub gender: Option<Gender>,
    /// The new age in years.
    pub age: Option<Age>,
}

impl PersonPatch {
    /// Makes the changes on what a person is, without its id.
    pub fn apply(self, person: &mut NewPerson) {
        let Self { name, gender, age } = self;
        if let Some(name) = name {
            person.name = name;
        }
        if let Some(gender) = gender {
            person.gender = gender;
        }
        if let Some(age) = age {
            person.age = age;
        }
    }
}

//! Persons, their parsed fields, and the stores that keep them.
//!
//! A field is parsed once, at the edge, into a type that cannot hold a wrong value ([`PersonName`],
//! [`Gender`], [`Age`]); a [`PersonRepository`] then keeps persons under ids that it gives itself.
//! The repository is a handle: cloning it is cheap, all clones see the same store, and which store
//! that is shows nowhere but in [`PersonRepository::kind`]. This crate knows no HTTP.
//!
//! ```
//! use person_repository::{Age, Gender, NewPerson, PersonId, PersonName, PersonRepository};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let repository = PersonRepository::in_memory();
//! let ada = NewPerson {
//!     name: PersonName::parse("Ada").expect("a valid name"),
//!     gender: Gender::Female,
//!     age: Age::new(36).expect("a valid age"),
//! };
//! let person = repository.add(ada).await.expect("room in the store");
//! assert_eq!(person.id, PersonId::new(1));
//! assert_eq!(repository.get(person.id).await.expect("an answer"), Some(person));
//! # });
//! ```

mod age;
mod gender;
mod name;
mod person;

mod error;
mod list;
mod repository;

#[cfg(feature = "fault-injection")]
mod faults;
mod memory;

pub use age::{Age, AgeError};
pub use gender::{Gender, GenderError};
pub use name::{NameError, PersonName};
pub use person::{NewPerson, Person, PersonId, PersonPatch};

pub use error::StoreError;
pub use list::{PIECE_PERSONS, PersonList, PersonPage};
pub use repository::{PersonRepository, STORE_TIMEOUT, StoreKind};

#[cfg(feature = "fault-injection")]
pub use faults::{Fault, FaultSwitch};

//! What all tests use.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use person_repository::{Age, Gender, NewPerson, PersonName, PersonRepository};

/// The output of a future that is complete at its first poll, as all of the memory store's are.
#[track_caller]
pub(crate) fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the memory store made its caller wait"),
    }
}

/// A person of this name.
#[track_caller]
pub(crate) fn named(name: &str) -> NewPerson {
    NewPerson {
        name: PersonName::parse(name).expect("a valid name"),
        gender: Gender::Other,
        age: Age::new(100).expect("a valid age"),
    }
}

/// A store of the persons 1 to `persons`, all alike, whose name is kept in place.
pub(crate) fn filled(persons: u64) -> PersonRepository {
    let repository = PersonRepository::in_memory();
    let person = named("Test1");
    for _ in 0..persons {
        now(repository.add(person.clone())).expect("room in the store");
    }
    repository
}

/// A seeded source of numbers (SplitMix64).
#[derive(Default)]
pub(crate) struct Dice(u64);

impl Dice {
    /// A number from 0 to `bound` less 1 that cannot be known before `stir` is.
    pub(crate) fn below(&mut self, bound: u64, stir: u64) -> u64 {
        self.0 = (self.0 ^ stir).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * u128::from(bound)) >> 64) as u64
    }
}

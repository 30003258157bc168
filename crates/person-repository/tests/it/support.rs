//! What all tests use.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use person_repository::{Age, Gender, NewPerson, PersonName};

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

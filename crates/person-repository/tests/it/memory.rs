//! Memory follows the persons who are there, not those who were.

use person_repository::{NewPerson, PersonId, PersonName, PersonRepository};

use crate::counting_allocator::{bytes_in_use, largest_request, reset_largest_request};
use crate::support::{Dice, filled, named, now};

/// What an empty store may hold on to, in bytes.
const EMPTY: isize = 1024;

#[test]
fn a_person_takes_64_bytes_or_less_beside_the_name() {
    for persons in [1000, 1001, 1025, 100_000] {
        let before = bytes_in_use();
        let repository = filled(persons);
        let each = (bytes_in_use() - before) as f64 / persons as f64;
        let beside_name = each - "Test1".len() as f64;
        assert!(
            beside_name <= 64.0,
            "{beside_name} bytes at {persons} persons"
        );
        drop(repository);
        assert_eq!(bytes_in_use(), before);
    }
}

#[test]
fn an_add_makes_room_for_one_node_and_never_moves_the_store() {
    reset_largest_request();
    let repository = filled(600_000);
    // 512 persons of 32 bytes.
    assert!(
        largest_request() <= 16 * 1024,
        "{} bytes at once",
        largest_request()
    );
    drop(repository);
}

#[test]
fn deleting_everybody_returns_the_memory() {
    let before = bytes_in_use();
    let repository = PersonRepository::in_memory();
    let long = "a name that does not fit into its place and has an allocation of its own";
    let person = NewPerson {
        name: PersonName::parse(long).unwrap(),
        ..named("Test")
    };
    for _ in 0..100_000 {
        now(repository.add(person.clone())).expect("room in the store");
    }
    assert!(bytes_in_use() - before > 10_000_000);

    let mut dice = Dice::default();
    let mut ids: Vec<u64> = (1..=100_000).collect();
    while !ids.is_empty() {
        let index = usize::try_from(dice.below(ids.len() as u64, 0)).unwrap();
        let id = PersonId::new(ids.swap_remove(index));
        assert!(now(repository.delete(id)).expect("an answer"));
    }
    drop((ids, person));
    let left = bytes_in_use() - before;
    assert!(left <= EMPTY, "{left} bytes left");
}

#[test]
fn one_of_every_thousand_keeps_no_more_than_its_own() {
    let before = bytes_in_use();
    let repository = filled(300_000);
    for id in (1..=300_000).filter(|id| id % 1000 != 0) {
        assert!(now(repository.delete(PersonId::new(id))).expect("an answer"));
    }
    let each = (bytes_in_use() - before) / 300;
    assert!(each <= 256, "{each} bytes a person who is left");

    let page = now(repository.page(PersonId::ZERO, 400)).expect("an answer");
    let ids = page.persons.iter().map(|person| person.id.get());
    assert!(ids.eq((1000..=300_000).step_by(1000)));
}

#[test]
fn a_window_over_many_adds_and_deletes_does_not_grow() {
    let before = bytes_in_use();
    let repository = filled(100);
    let mut most = 0;
    for id in 1..=200_000 {
        assert!(now(repository.delete(PersonId::new(id))).expect("an answer"));
        now(repository.add(named("Test1"))).expect("room in the store");
        most = most.max(bytes_in_use() - before);
    }
    // Two nodes of persons, two of nodes, and what is above them.
    assert!(most <= 64 * 1024, "{most} bytes for 100 persons");
}

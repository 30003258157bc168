//! Pages, and lists in pieces, while others write.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use person_repository::{PIECE_PERSONS, PersonId, PersonList, PersonRepository};

use crate::support::{filled, named, now};

/// The ids of a list, which must ascend, from pieces that must be bounded.
fn ids_of(mut list: PersonList) -> Vec<u64> {
    let mut ids: Vec<u64> = Vec::new();
    while let Some(piece) = now(list.next_piece()).expect("an answer") {
        assert!((1..=PIECE_PERSONS).contains(&piece.len()));
        ids.extend(piece.iter().map(|person| person.id.get()));
    }
    assert!(ids.is_sorted_by(|one, next| one < next));
    assert_eq!(now(list.next_piece()).expect("an answer"), None);
    ids
}

#[test]
fn a_page_says_whether_more_follow() {
    let repository = filled(10);
    for (after, limit, found, has_more) in [
        (0, 10, 10, false),
        (0, 9, 9, true),
        (0, 11, 10, false),
        (1, 9, 9, false),
        (9, 1, 1, false),
        (10, 1, 0, false),
        (9, 0, 0, true),
        (10, 0, 0, false),
        (u64::MAX, 1, 0, false),
        (0, usize::MAX, 10, false),
    ] {
        let page = now(repository.page(PersonId::new(after), limit)).expect("an answer");
        assert_eq!(
            (page.persons.len(), page.has_more),
            (found, has_more),
            "after {after}"
        );
        assert_eq!(page.total, 10);
    }
}

#[test]
fn a_list_has_every_person_at_any_size_around_a_piece() {
    let piece = PIECE_PERSONS as u64;
    for persons in [0, 1, piece - 1, piece, piece + 1, 3 * piece, 3 * piece + 7] {
        let list = now(filled(persons).list()).expect("an answer");
        assert_eq!(list.total(), persons);
        assert!(ids_of(list).into_iter().eq(1..=persons));
    }
}

#[test]
fn a_list_outlives_the_handle_it_came_from() {
    let repository = filled(1000);
    let list = now(repository.list()).expect("an answer");
    drop(repository);
    assert_eq!(ids_of(list).len(), 1000);
}

#[test]
fn a_list_ends_at_the_last_id_of_its_beginning() {
    let repository = filled(600);
    let mut list = now(repository.list()).expect("an answer");
    let mut ids = Vec::new();
    while let Some(piece) = now(list.next_piece()).expect("an answer") {
        ids.extend(piece.iter().map(|person| person.id.get()));
        for _ in 0..1000 {
            now(repository.add(named("late"))).expect("room in the store");
        }
    }
    assert!(ids.into_iter().eq(1..=600));
    assert_eq!(list.total(), 600);
}

#[test]
fn a_list_goes_on_behind_persons_that_were_deleted() {
    let repository = filled(2000);
    let mut list = now(repository.list()).expect("an answer");
    let first = now(list.next_piece()).expect("an answer").expect("a piece");
    for id in 1..=1990 {
        assert!(now(repository.delete(PersonId::new(id))).expect("an answer"));
    }
    assert_eq!(first.len(), PIECE_PERSONS);
    assert!(ids_of(list).into_iter().eq(1991..=2000));
}

#[test]
fn a_list_among_adds_and_deletes_has_all_who_stay_and_none_twice() {
    const PERSONS: u64 = 20_000;
    let repository = filled(PERSONS);
    let listing = AtomicBool::new(true);
    let (ids, added) = thread::scope(|scope| {
        let adder = scope.spawn(|| {
            let mut added = 0;
            while listing.load(Ordering::Relaxed) {
                now(repository.add(named("late"))).expect("room in the store");
                added += 1;
            }
            added
        });
        scope.spawn(|| delete_odd(&repository, PERSONS));
        let ids: Vec<_> = (0..5)
            .map(|_| ids_of(now(repository.list()).unwrap()))
            .collect();
        listing.store(false, Ordering::Relaxed);
        (ids, adder.join().expect("no panic"))
    });
    for ids in ids {
        let ids = BTreeSet::from_iter(ids);
        assert!((2..=PERSONS).step_by(2).all(|stays| ids.contains(&stays)));
        assert!(ids.iter().all(|id| (1..=PERSONS + added).contains(id)));
    }
    let left = now(repository.count()).expect("an answer");
    assert_eq!(left, PERSONS / 2 + added);
}

fn delete_odd(repository: &PersonRepository, persons: u64) {
    for id in (1..=persons).step_by(2) {
        assert!(now(repository.delete(PersonId::new(id))).expect("an answer"));
    }
}

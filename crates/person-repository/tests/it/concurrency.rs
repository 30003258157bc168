//! What holds while many threads use one store.

use std::sync::Barrier;
use std::thread;

use person_repository::{Age, Gender, PersonId, PersonName, PersonPatch, PersonRepository};

use crate::support::{filled, named, now};

#[test]
fn twenty_threads_of_2000_adds_give_the_ids_1_to_40000() {
    // A race is a matter of luck: ten stores give it ten chances to show.
    for _ in 0..10 {
        let repository = PersonRepository::in_memory();
        let ids = add_from_twenty_threads(&repository);
        let mut all = ids.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(1..=40_000));
        assert!(
            ids.iter().all(|ids| ids.is_sorted()),
            "ids ascend for every caller"
        );

        let page = now(repository.page(PersonId::ZERO, 50_000)).expect("an answer");
        assert_eq!((page.total, page.has_more), (40_000, false));
        assert!(
            page.persons
                .iter()
                .map(|person| person.id.get())
                .eq(1..=40_000)
        );
    }
}

/// The ids that each of 20 threads was given for 2000 persons.
fn add_from_twenty_threads(repository: &PersonRepository) -> [Vec<u64>; 20] {
    let start = Barrier::new(20);
    let add_2000 = || -> Vec<u64> {
        let news = vec![named("Test"); 2000];
        start.wait();
        news.into_iter()
            .map(|new| {
                now(repository.add(new))
                    .expect("room in the store")
                    .id
                    .get()
            })
            .collect()
    };
    thread::scope(|scope| {
        let threads = [(); 20].map(|()| scope.spawn(add_2000));
        threads.map(|thread| thread.join().expect("no panic"))
    })
}

#[test]
fn patches_of_different_fields_at_once_all_hold() {
    const PERSONS: u64 = 2000;
    let repository = filled(PERSONS);
    let start = Barrier::new(3);
    let patch_all = |patch: PersonPatch| {
        start.wait();
        for id in 1..=PERSONS {
            let patched = now(repository.patch(PersonId::new(id), patch.clone()));
            patched.expect("an answer").expect("a person");
        }
    };
    for round in 0..10 {
        let name = PersonName::parse(&format!("a name that is longer in round {round}")).unwrap();
        let gender = Gender::ALL[round % 3];
        let age = Age::new(round as u64).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                patch_all(PersonPatch {
                    name: Some(name.clone()),
                    ..Default::default()
                });
            });
            scope.spawn(|| {
                patch_all(PersonPatch {
                    gender: Some(gender),
                    ..Default::default()
                });
            });
            scope.spawn(|| {
                patch_all(PersonPatch {
                    age: Some(age),
                    ..Default::default()
                });
            });
        });
        for id in 1..=PERSONS {
            let person = now(repository.get(PersonId::new(id))).unwrap().unwrap();
            assert_eq!(
                (&person.name, person.gender, person.age),
                (&name, gender, age)
            );
        }
    }
}

#[test]
fn a_page_is_one_moment_of_the_store() {
    let repository = filled(1000);
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for id in 1..=20_000 {
                // The store has 1000 persons, or one more, and their ids have no gaps.
                now(repository.add(named("Test"))).expect("room in the store");
                assert!(now(repository.delete(PersonId::new(id))).expect("an answer"));
            }
        });
        while !writer.is_finished() {
            let page = now(repository.page(PersonId::ZERO, 600)).expect("an answer");
            assert!(matches!(page.total, 1000 | 1001) && page.has_more);
            let first = page.persons[0].id.get();
            let ids = page.persons.iter().map(|person| person.id.get());
            assert!(ids.eq(first..first + 600));
        }
        writer.join().expect("no panic");
    });
}

#[test]
fn a_person_is_deleted_by_one_caller_only() {
    let repository = filled(10_000);
    let delete_all = || {
        (1..=10_000)
            .filter(|&id| now(repository.delete(PersonId::new(id))).unwrap())
            .count()
    };
    let deleted = thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(delete_all));
        threads.map(|thread| thread.join().expect("no panic"))
    });
    assert_eq!(deleted.iter().sum::<usize>(), 10_000);
    assert_eq!(now(repository.count()).unwrap(), 0);
}

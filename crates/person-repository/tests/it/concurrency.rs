//! What holds while many threads use one store.

use std::thread;

use person_repository::{PersonId, PersonRepository};

use crate::support::{named, now};

#[test]
fn twenty_threads_of_2000_adds_give_the_ids_1_to_40000() {
    let repository = PersonRepository::in_memory();
    let mut ids: Vec<u64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..20)
            .map(|thread| {
                let repository = repository.clone();
                scope.spawn(move || -> Vec<u64> {
                    (0..2000)
                        .map(|n| {
                            let added = now(repository.add(named(&format!("Test{thread}-{n}"))));
                            added.expect("room in the store").id.get()
                        })
                        .collect()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    ids.sort_unstable();
    assert!(ids.iter().copied().eq(1..=40_000));

    let page = now(repository.page(PersonId::ZERO, 50_000)).expect("an answer");
    assert_eq!((page.total, page.has_more), (40_000, false));
    assert!(
        page.persons
            .iter()
            .map(|person| person.id.get())
            .eq(1..=40_000)
    );
}

//! Add, get, page and delete at a thousand, a hundred thousand and ten million persons.
//!
//! Each operation finds the store at its size: adds are undone by deletes and deletes by adds,
//! outside the time measured. Ids are random, each dependent on the last answer.

#[path = "../tests/it/support.rs"]
mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use person_repository::{NewPerson, PersonId, PersonRepository};

use support::{Dice, filled, named, now};

const PAGE: usize = 100;

criterion_group!(benches, store);
criterion_main!(benches);

fn store(criterion: &mut Criterion) {
    for persons in [1_000, 100_000, 10_000_000] {
        let repository = filled(persons);
        let mut group = criterion.benchmark_group("store");
        group
            .sample_size(20)
            .warm_up_time(Duration::from_millis(500))
            .measurement_time(Duration::from_secs(2));
        get(&mut group, &repository, persons);
        page(&mut group, &repository, persons);
        // These two come last: they change which ids there are.
        let mut ids: Vec<u64> = (1..=persons).collect();
        add(&mut group, &repository, persons);
        delete(&mut group, &repository, &mut ids);
        page_behind_deletes(&mut group, &repository, persons);
        group.finish();
    }
}

fn get(group: &mut BenchmarkGroup<'_, WallTime>, repository: &PersonRepository, persons: u64) {
    let mut dice = Dice::default();
    let mut seen = 0;
    group.bench_function(BenchmarkId::new("get", persons), |bencher| {
        bencher.iter(|| {
            let id = PersonId::new(1 + dice.below(persons, seen));
            let person = now(repository.get(id))
                .expect("an answer")
                .expect("a person");
            seen = u64::from(person.age.get());
        });
    });
}

fn page(group: &mut BenchmarkGroup<'_, WallTime>, repository: &PersonRepository, persons: u64) {
    let mut dice = Dice::default();
    let mut seen = 0;
    group.throughput(Throughput::Elements(PAGE as u64));
    group.bench_function(BenchmarkId::new("page_of_100", persons), |bencher| {
        bencher.iter(|| {
            let after = PersonId::new(dice.below(persons - PAGE as u64, seen));
            let page = now(repository.page(after, PAGE)).expect("an answer");
            assert_eq!(page.persons.len(), PAGE);
            seen = page.total;
        });
    });
    group.throughput(Throughput::Elements(1));
}

fn add(group: &mut BenchmarkGroup<'_, WallTime>, repository: &PersonRepository, persons: u64) {
    group.bench_function(BenchmarkId::new("add", persons), |bencher| {
        bencher.iter_custom(|iterations| {
            in_batches(iterations, persons, |batch| {
                let news = vec![named("Test1"); batch];
                let (elapsed, added) = timed(|| add_all(repository, news));
                for id in added {
                    assert!(now(repository.delete(id)).expect("an answer"));
                }
                elapsed
            })
        });
    });
}

fn delete(
    group: &mut BenchmarkGroup<'_, WallTime>,
    repository: &PersonRepository,
    ids: &mut Vec<u64>,
) {
    let persons = ids.len() as u64;
    let mut dice = Dice::default();
    group.bench_function(BenchmarkId::new("delete", persons), |bencher| {
        bencher.iter_custom(|iterations| {
            in_batches(iterations, persons, |batch| {
                let chosen: Vec<PersonId> = (0..batch)
                    .map(|_| {
                        let index = dice.below(ids.len() as u64, 0);
                        PersonId::new(ids.swap_remove(usize::try_from(index).expect("an index")))
                    })
                    .collect();
                let (elapsed, ()) = timed(|| {
                    for id in chosen {
                        assert!(now(repository.delete(id)).expect("an answer"));
                    }
                });
                let added = add_all(repository, vec![named("Test1"); batch]);
                ids.extend(added.into_iter().map(PersonId::get));
                elapsed
            })
        });
    });
}

/// A page whose persons come after a range, as long as the store was, of which nobody is left.
fn page_behind_deletes(
    group: &mut BenchmarkGroup<'_, WallTime>,
    repository: &PersonRepository,
    persons: u64,
) {
    let added = add_all(repository, vec![named("Test1"); 1 + PAGE]);
    let last_deleted = added[0];
    for id in 1..=last_deleted.get() {
        now(repository.delete(PersonId::new(id))).expect("an answer");
    }
    group.throughput(Throughput::Elements(PAGE as u64));
    group.bench_function(
        BenchmarkId::new("page_of_100_behind_deletes", persons),
        |bencher| {
            bencher.iter(|| {
                let page = now(repository.page(PersonId::ZERO, PAGE)).expect("an answer");
                assert_eq!(page.persons.len(), PAGE);
                page
            });
        },
    );
}

/// The time that `iterations` take in batches that change the size of the store by a tenth at most.
fn in_batches(iterations: u64, persons: u64, mut batch: impl FnMut(usize) -> Duration) -> Duration {
    let most = (persons / 10).min(10_000);
    let mut left = iterations;
    let mut elapsed = Duration::ZERO;
    while left > 0 {
        let size = left.min(most);
        elapsed += batch(usize::try_from(size).expect("a batch"));
        left -= size;
    }
    elapsed
}

fn add_all(repository: &PersonRepository, news: Vec<NewPerson>) -> Vec<PersonId> {
    news.into_iter()
        .map(|new| now(repository.add(new)).expect("room in the store").id)
        .collect()
}

fn timed<T>(operation: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let output = black_box(operation());
    (start.elapsed(), output)
}

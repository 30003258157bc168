//! The limits that the store keeps: bytes a person, and the time of a get among ten million.
//!
//! *Bytes* are those that the store asked the allocator for, less the name's own (5, kept in
//! place); how the process grew shows what the allocator adds. The largest request of all shows
//! that no add copies the store. After that persons are deleted in random order.
//!
//! A *get* is compared with one random read in a bare array of the same footprint. Both sides do
//! the same but for the read itself: the next index depends on what was read, so that reads follow
//! each other instead of overlapping. Short rounds of the two alternate, so that what else the
//! machine does meets both; the figure is the median of their ratios.
//!
//! The program fails when a limit is not kept.

#[path = "../tests/it/counting_allocator.rs"]
mod counting_allocator;
#[path = "../tests/it/support.rs"]
mod support;

use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use person_repository::{PersonId, PersonRepository};

use counting_allocator::{CountingAllocator, bytes_in_use, largest_request, reset_largest_request};
use support::{Dice, filled, named, now};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const BYTES_LIMIT: f64 = 64.0;
const TIME_LIMIT: f64 = 1.5;

/// Where a get is timed: a store that no cache holds.
const TIMED_PERSONS: u64 = 10_000_000;
const ROUNDS: usize = 151;
const READS: u32 = 20_000;

fn main() -> ExitCode {
    println!(
        "bytes a person (limit {BYTES_LIMIT}), time of a get in bare reads (limit {TIME_LIMIT})"
    );
    let mut kept = true;
    for persons in [1_000, 100_000, TIMED_PERSONS] {
        let (before, resident_before) = (bytes_in_use(), resident_bytes());
        reset_largest_request();
        let repository = filled(persons);
        let largest = largest_request();
        let footprint = bytes_in_use() - before;
        let resident = resident_bytes() - resident_before;

        let name = named("Test1").name.as_str().len() as f64;
        let each = footprint as f64 / persons as f64 - name;
        kept &= each <= BYTES_LIMIT;
        println!(
            "{persons} persons: {each:.1} bytes each beside the name, process grew by {:.1} each, \
             largest request {largest} bytes",
            resident / persons as f64,
        );
        if persons == TIMED_PERSONS {
            kept &= get_in_bare_reads(&repository, footprint.unsigned_abs()) <= TIME_LIMIT;
        }
        delete_at_random(&repository, persons, before);
    }
    if kept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// How many times a random read in an array of `footprint` bytes a get takes.
fn get_in_bare_reads(repository: &PersonRepository, footprint: usize) -> f64 {
    let array: Vec<u64> = (0..150)
        .cycle()
        .take(footprint / size_of::<u64>())
        .collect();
    let mut dice = Dice::default();
    let (mut gets, mut reads): (Vec<f64>, Vec<f64>) = (0..ROUNDS)
        .map(|_| (get_ns(repository, &mut dice), read_ns(&array, &mut dice)))
        .unzip();
    let mut ratios: Vec<f64> = gets
        .iter()
        .zip(&reads)
        .map(|(get, read)| get / read)
        .collect();
    let ratio = median(&mut ratios);
    println!(
        "    get {:.1} ns, bare read {:.1} ns, ratio {ratio:.2}; {} MB each",
        median(&mut gets),
        median(&mut reads),
        footprint / 1_000_000,
    );
    ratio
}

/// Nanoseconds a get by random id.
#[inline(never)]
fn get_ns(repository: &PersonRepository, dice: &mut Dice) -> f64 {
    let mut seen = 0;
    let start = Instant::now();
    for _ in 0..READS {
        let id = PersonId::new(1 + dice.below(TIMED_PERSONS, seen));
        let person = now(repository.get(id))
            .expect("an answer")
            .expect("a person");
        seen = u64::from(person.age.get());
    }
    start.elapsed().as_nanos() as f64 / f64::from(READS)
}

/// Nanoseconds a read of a random word.
#[inline(never)]
fn read_ns(array: &[u64], dice: &mut Dice) -> f64 {
    let mut seen = 0;
    let start = Instant::now();
    for _ in 0..READS {
        let index = dice.below(array.len() as u64, seen);
        seen = array[usize::try_from(index).expect("an index")];
    }
    start.elapsed().as_nanos() as f64 / f64::from(READS)
}

/// Deletes everybody in random order and tells of the bytes in use over `before` on the way.
fn delete_at_random(repository: &PersonRepository, persons: u64, before: isize) {
    let outside = bytes_in_use();
    let mut ids: Vec<u64> = (1..=persons).collect();
    // What the order itself takes is not the store's.
    let before = before + bytes_in_use() - outside;
    let mut dice = Dice::default();
    for left in [persons / 2, persons / 10, persons / 1000, 0] {
        while ids.len() as u64 > left {
            let index = usize::try_from(dice.below(ids.len() as u64, 0)).expect("an index");
            let id = PersonId::new(ids.swap_remove(index));
            assert!(now(repository.delete(id)).expect("an answer"));
        }
        let used = bytes_in_use() - before;
        println!("    {left} left after deletes in random order: {used} bytes in use");
    }
}

/// The memory that this process holds, in bytes; 0 where the system does not tell.
fn resident_bytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| {
        line.strip_prefix("VmRSS:")?
            .trim()
            .strip_suffix(" kB")?
            .parse::<f64>()
            .ok()
    });
    kilobytes.unwrap_or_default() * 1024.0
}

fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

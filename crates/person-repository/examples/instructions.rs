//! Counts the instructions of a get and of an add, at a thousand persons and at ten million.
//!
//! The program runs itself under callgrind, which counts inside `measured` only and writes one
//! count a call. Each operation is measured at two lengths: the difference, divided by the
//! difference in length, is free of what does not repeat. It fails when the larger store takes more
//! than the limit allows. Run it with symbols and optimised:
//! `cargo run --profile profiling -p person-repository --example instructions`.

#[path = "../tests/it/support.rs"]
mod support;

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs, process};

use person_repository::{NewPerson, PersonId, PersonRepository};

use support::{Dice, filled, named, now};

const SMALL: u64 = 1_000;
const LARGE: u64 = 10_000_000;
const OPERATIONS: u64 = 100_000;
const LIMIT: f64 = 1.1;

fn main() -> ExitCode {
    if let Some(persons) = env::args().nth(1) {
        measure(persons.parse().expect("a number of persons"));
        return ExitCode::SUCCESS;
    }
    let (small, large) = (count(SMALL), count(LARGE));
    let mut within = true;
    for (operation, small, large) in [("get", small.0, large.0), ("add", small.1, large.1)] {
        let ratio = large / small;
        within &= ratio <= LIMIT;
        println!(
            "{operation}: {small:.1} instructions at {SMALL} persons, {large:.1} at {LARGE}, \
             ratio {ratio:.2} (limit {LIMIT})"
        );
    }
    if within {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Gets and adds at two lengths each, in the order in which [`count`] reads them.
fn measure(persons: u64) {
    let repository = filled(persons);
    let mut dice = Dice::default();
    for length in [OPERATIONS, 2 * OPERATIONS] {
        let ids: Vec<_> = (0..length)
            .map(|_| PersonId::new(1 + dice.below(persons, length)))
            .collect();
        measured(|| gets(&repository, &ids));
    }
    for length in [OPERATIONS, 2 * OPERATIONS] {
        let news: Vec<_> = (0..length).map(|_| named("Test1")).collect();
        measured(|| adds(&repository, news));
    }
}

/// The function inside which callgrind counts; its name stands in [`count`] too.
#[inline(never)]
fn measured(operation: impl FnOnce()) {
    operation();
}

fn gets(repository: &PersonRepository, ids: &[PersonId]) {
    for id in ids {
        black_box(now(repository.get(*id)))
            .expect("an answer")
            .expect("a person");
    }
}

fn adds(repository: &PersonRepository, news: Vec<NewPerson>) {
    for new in news {
        black_box(now(repository.add(new))).expect("room in the store");
    }
}

/// The instructions of a get and of an add at this many persons.
fn count(persons: u64) -> (f64, f64) {
    let output = env::temp_dir().join(format!("instructions-{}-{persons}", process::id()));
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .args([
            "--toggle-collect=instructions::measured",
            "--dump-after=instructions::measured",
        ])
        .arg(format!("--callgrind-out-file={}", output.display()))
        .arg(env::current_exe().expect("the path of this program"))
        .arg(persons.to_string())
        .status()
        .expect("valgrind is installed");
    assert!(status.success(), "valgrind failed: {status}");

    let [short_gets, long_gets, short_adds, long_adds] =
        [1, 2, 3, 4].map(|dump| total(&output.with_extension(dump.to_string())));
    // What is left after the last dump.
    fs::remove_file(&output).expect("the last file of callgrind");
    let operations = OPERATIONS as f64;
    (
        (long_gets - short_gets) / operations,
        (long_adds - short_adds) / operations,
    )
}

/// The count in a file of callgrind's, which is removed.
fn total(dump: &Path) -> f64 {
    let text = fs::read_to_string(dump).expect("a dump a measured call");
    fs::remove_file(dump).expect("a dump to remove");
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    total
        .and_then(|total| total.trim().parse().ok())
        .expect("a total in the dump")
}

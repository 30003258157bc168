//! What must be known to read a table: where it ran, what one run does not allow, and what is not ours.

use crate::articles::Source;
use crate::result::{Record, Target};

/// The columns that are not ours say so in their heads.
pub(super) const NOT_OURS: &str = "as published, not measured here";

/// The share of its processor from which the generator may have held the servers back.
const HARNESS_BOUND: f64 = 0.8;

/// The share of the machine that others may use before a load is said to be disturbed; ticks are coarse.
const DISTURBED: f64 = 0.1;

/// What must be known to read the figures, a line each.
pub(super) fn notes(record: &Record) -> Vec<String> {
    let mut notes = Vec::new();
    for target in &record.targets {
        notes.extend(
            target
                .void
                .iter()
                .map(|reason| format!("{}: VOID: {reason}", target.flavor.name())),
        );
    }
    if !record.complete {
        notes.push("The comparison did not run to its end: \"-\" was not measured.".into());
    }
    notes.push(format!(
        "Claim level {}: one run, no intervals, so a difference between two columns may be noise; nothing is ranked.",
        record.claim_level
    ));
    notes.push(where_it_ran(record));
    notes.push(
        "Loads: closed loop, 20 users with one kept connection each, 2000 requests a user, no warm-up, every body checked. \
         Rates and service times (from a request's sending to its last byte) are indications: a closed loop asks less \
         while a server stalls, which hides the stall (coordinated omission)."
            .into(),
    );
    notes.extend(record.targets.iter().flat_map(harness_bound));
    notes.extend(record.targets.iter().flat_map(disturbed));
    notes.extend(record.targets.iter().filter_map(unstripped));
    notes.push(
        "Start: GET /hello-world asked every 75 us from just before the process is made. Memory: MB are 10^6 bytes; \
         idle is 1 s after the start, after is 2 s after the last answer. Log level warn."
            .into(),
    );
    let sources = Source::ALL
        .into_iter()
        .map(|source| format!("({}) {}.", source.letter(), source.words()));
    notes.push(format!(
        "Other columns, {NOT_OURS}, on other machines and under other loads than ours:"
    ));
    notes.extend(sources);
    notes
}

fn where_it_ran(record: &Record) -> String {
    let environment = &record.environment;
    let placement = &environment.placement;
    let model = environment
        .processor
        .as_deref()
        .unwrap_or("unknown processor");
    let shared = if placement.pinned {
        format!(
            "servers on {}, generator on {}",
            list(&placement.server),
            list(&placement.generator)
        )
    } else {
        "servers and generator not kept apart".into()
    };
    format!(
        "Generator and servers share {} processors of one machine ({model}): {shared}; workers a server: {}.",
        environment.processors,
        placement.workers()
    )
}

fn list(processors: &[usize]) -> String {
    let numbers: Vec<String> = processors.iter().map(usize::to_string).collect();
    format!("processor {}", numbers.join("\n"))
}

fn harness_bound(target: &Target) -> impl Iterator<Item = String> {
    let name = target.flavor.name();
    target.loads.iter().filter_map(move |load| {
        let busy = load.generator_busy.filter(|busy| *busy > HARNESS_BOUND)?;
        Some(format!(
            "{name}, {}: the generator used {:.0} % of its processor: harness-bound, the rate may be the generator's.",
            load.report.scenario,
            busy * 100.0
        ))
    })
}

fn disturbed(target: &Target) -> impl Iterator<Item = String> {
    let name = target.flavor.name();
    target.loads.iter().filter_map(move |load| {
        let busy = load.foreign_busy.filter(|busy| *busy > DISTURBED)?;
        Some(format!(
            "{name}, {}: disturbed: other processes used {:.0} % of the machine meanwhile.",
            load.report.scenario,
            busy * 100.0
        ))
    })
}

/// A binary with a symbol table is larger than the one that is shipped.
fn unstripped(target: &Target) -> Option<String> {
    let artifact = target
        .artifact
        .as_ref()
        .filter(|artifact| artifact.stripped == Some(false))?;
    let name = target.flavor.name();
    Some(format!(
        "{name}: {} has a symbol table: its size is not that of a stripped file.",
        artifact.binary.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::render;
    use crate::result::tests::sample;

    #[test]
    fn the_notes_say_what_is_void_and_what_one_run_does_not_allow() {
        let notes = notes(&sample()).join("\n");
        for needed in [
            "hyper: VOID: refused",
            "Claim level L0: one run, no intervals",
            "nothing is ranked",
            "share 2 processors of one machine (Processor): servers on processor 0, generator on processor 1; workers a server: 1",
            "closed loop",
            "coordinated omission",
            "axum, persons-post: the generator used 90 % of its processor: harness-bound",
            "axum, persons-get: disturbed: other processes used 25 % of the machine",
            "as published, not measured here",
        ] {
            assert!(notes.contains(needed), "{needed:?} is missing in\n{notes}");
        }
        for claim in ["faster", "slower", "better", "winner", "beats"] {
            assert!(
                !render(&sample(), None).contains(claim),
                "{claim:?} is a claim"
            );
        }
    }

    #[test]
    fn a_comparison_that_was_cut_short_says_so() {
        let mut record = sample();
        record.complete = false;
        assert!(
            notes(&record)
                .iter()
                .any(|note| note.contains("did not run to its end"))
        );
    }
}

//! `compare lists`: what it costs in memory to read lists of all persons side by side.
//!
//! A list is streamed: while many readers take it, memory must not grow with its length. Each answer is read to its
//! end and compared, byte for byte, with the persons that were added.

mod growth;
mod reader;

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::build::Workspace;
use crate::cli::ListsArguments;
use crate::context::Context;
use crate::environment::Environment;
use crate::interrupt::Interrupted;
use crate::plan::{Plan, seed};
use crate::report::progress::Step;
use crate::result::write_json;
use crate::target::{self, Launch};
use growth::{Growth, measure};

/// The most that memory may grow over the store while the lists are read, in bytes.
const BOUND: u64 = 32_000_000;
/// The users that add the persons at once.
const SEED_USERS: u32 = 50;
/// A whole measurement of lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Record {
    /// The version of this file's shape.
    schema_version: u32,
    /// Whether every flavor was measured.
    complete: bool,
    /// The machine, the tools and the settings.
    environment: Environment,
    /// Persons in the store.
    persons: u64,
    /// Lists read at once.
    readers: u32,
    /// What was found, one entry a flavor.
    flavors: Vec<Growth>,
}

/// Measures every flavor, prints a line each, and gives whether all keep the bound where that is asked.
///
/// # Errors
/// A build, a server or a list fails, or the measurement is told to end; what was measured until then is in the file.
pub(crate) fn main(arguments: &ListsArguments) -> anyhow::Result<bool> {
    let workspace = Workspace::find()?;
    let plan = plan(arguments);
    let output = arguments
        .output
        .clone()
        .unwrap_or_else(|| workspace.target.join("compare").join("lists.json"));
    let mut context = Context::new(workspace, steps(&plan, arguments), &output)?;
    let server_arguments = target::arguments(&context.placement);
    let mut record = Record {
        schema_version: 1,
        complete: false,
        environment: Environment::read(
            &context.workspace.root,
            &context.placement,
            server_arguments.clone(),
        ),
        persons: plan.scenarios[0].mode.planned(),
        readers: arguments.readers,
        flavors: Vec::new(),
    };
    let outcome = measure_all(&mut context, &plan, &mut record, &output, &server_arguments);
    context.progress.close();
    if outcome
        .as_ref()
        .err()
        .is_none_or(anyhow::Error::is::<Interrupted>)
    {
        print(&record, &output);
    }
    outcome?;
    Ok(!arguments.check || keep_bound(&record))
}

fn measure_all(
    context: &mut Context,
    plan: &Plan,
    record: &mut Record,
    output: &Path,
    server_arguments: &[String],
) -> anyhow::Result<()> {
    let mut launches = Vec::new();
    for flavor in &plan.flavors {
        context.progress.begin();
        let artifact = context.build(plan, *flavor)?;
        context.progress.end("built");
        let log = context.log(*flavor, "lists");
        launches.push(Launch {
            binary: artifact.binary,
            log,
            arguments: server_arguments.to_vec(),
        });
    }
    context.placement.enter_generator();
    for (flavor, launch) in plan.flavors.iter().zip(&launches) {
        context.progress.begin();
        let growth = measure(context, *flavor, launch, &plan.scenarios[0], record.readers)
            .with_context(|| flavor.name())?;
        context.progress.end(&describe(&growth));
        record.flavors.push(growth);
        record.complete = record.flavors.len() == plan.flavors.len();
        write_json(record, output)?;
    }
    Ok(())
}

/// Prints each flavor's growth against the bound; gives whether all keep it.
fn keep_bound(record: &Record) -> bool {
    let mut kept = true;
    for growth in &record.flavors {
        let reached = growth.growth() <= BOUND;
        println!(
            "{}: RSS grows by at most {} MB over the store: {}",
            growth.flavor.name(),
            BOUND / 1_000_000,
            if reached { "reached" } else { "not reached" }
        );
        kept &= reached;
    }
    kept
}

/// The lines at the end: a figure a flavor, and what they are.
fn print(record: &Record, output: &Path) {
    println!(
        "{} lists of {} persons read at once, each compared byte for byte; flavors measured: {}.",
        record.readers,
        record.persons,
        record.flavors.len()
    );
    for growth in &record.flavors {
        println!("{}: {}", growth.flavor.name(), describe(growth));
    }
    println!(
        "MB are 10^6 bytes. One run, no intervals; the readers compare every byte, so they may set the time.\n\nRaw data: {}",
        output.display()
    );
}

#[expect(
    clippy::cast_precision_loss,
    reason = "sizes and times stay far below 2^52 here"
)]
fn describe(growth: &Growth) -> String {
    let mega = |bytes: u64| bytes as f64 / 1e6;
    format!(
        "RSS {:.1} MB with the store, at most {:.1} MB while lists were read: grew by {:.1} MB; {:.1} MB after; \
         {:.0} MB read in {:.1} s",
        mega(growth.before.rss),
        mega(growth.highest_rss),
        mega(growth.growth()),
        mega(growth.after.rss),
        mega(growth.body_bytes),
        growth.elapsed_ns as f64 / 1e9
    )
}

fn plan(arguments: &ListsArguments) -> Plan {
    Plan {
        flavors: arguments.common.flavors(),
        starts: 0,
        binaries: arguments.common.binaries.clone(),
        scenarios: vec![seed(arguments.persons, SEED_USERS)],
    }
}

fn steps(plan: &Plan, arguments: &ListsArguments) -> Vec<Step> {
    let seconds = u64::from(arguments.persons) / 15_000 + u64::from(arguments.readers) / 2 + 5;
    let builds = plan
        .flavors
        .iter()
        .map(|flavor| (format!("{}: build", flavor.name()), 10));
    let lists = plan
        .flavors
        .iter()
        .map(|flavor| (format!("{}: lists", flavor.name()), seconds));
    builds
        .chain(lists)
        .map(|(label, seconds)| Step {
            label,
            expected: Duration::from_secs(seconds),
        })
        .collect()
}

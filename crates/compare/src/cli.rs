//! The command line, and what a comparison prints.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::build::Workspace;
use crate::check::checks;
use crate::context::Context;
use crate::guard::Guard;
use crate::interrupt::Interrupted;
use crate::plan::{Flavor, Plan, article_load};
use crate::report::table;
use crate::run::{Comparison, steps};

/// Compares the flavors of the service on real servers under real load.
#[derive(Debug, Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    /// Another measurement than the comparison.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// The comparison's own arguments.
    #[command(flatten)]
    pub(crate) arguments: Arguments,
}

/// What can be measured beside the comparison.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measures how much memory lists of all persons cost while they are read side by side.
    Lists(ListsArguments),
    /// Ends the processes of a comparison that was killed; started by the comparison itself.
    #[command(name = Guard::COMMAND, hide = true)]
    Guard {
        /// The mark of the comparison's processes.
        mark: String,
    },
}

/// The arguments of the comparison.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Which servers, what with and where to.
    #[command(flatten)]
    pub(crate) common: Common,
    /// Starts of each flavor.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) starts: u32,
    /// The result file, which each run replaces [default: compare/latest.json in the target folder].
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Exits with code 1 where a figure is over its bound, and prints each: start 5 ms, idle RSS 6 MB, RSS
    /// after the loads 16 MB, artifact 8 MB.
    #[arg(long)]
    pub(crate) check: bool,
}

/// The arguments of `lists`.
#[derive(Debug, Args)]
pub(crate) struct ListsArguments {
    /// Which servers, what with and where to.
    #[command(flatten)]
    pub(crate) common: Common,
    /// Persons in the store.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1000..=20_000_000))]
    pub(crate) persons: u32,
    /// Lists read at once.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) readers: u32,
    /// The result file [default: compare/lists.json in the target folder].
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Exits with code 1 where memory grows by more than 32 MB.
    #[arg(long)]
    pub(crate) check: bool,
}

/// The arguments of every measurement.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// The flavors, separated by commas, in the order of the table [default: axum,actix,hyper].
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', default_values_t = Flavor::ALL, hide_default_value = true)]
    pub(crate) flavors: Vec<Flavor>,
    /// A folder with servers that are built already; they are not built then.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) binaries: Option<PathBuf>,
}

impl Common {
    /// The flavors, each once.
    pub(crate) fn flavors(&self) -> Vec<Flavor> {
        let mut flavors = Vec::new();
        for flavor in &self.flavors {
            if !flavors.contains(flavor) {
                flavors.push(*flavor);
            }
        }
        flavors
    }
}

/// Compares, prints the table, and gives whether all figures count and, with `--check`, keep their bounds.
///
/// # Errors
/// As [`Comparison::run`]; what was measured until then is printed too.
pub(crate) fn compare(arguments: &Arguments) -> anyhow::Result<bool> {
    let workspace = Workspace::find()?;
    let plan = Plan {
        flavors: arguments.common.flavors(),
        starts: arguments.starts,
        binaries: arguments.common.binaries.clone(),
        scenarios: article_load(),
    };
    let output = arguments
        .output
        .clone()
        .unwrap_or_else(|| workspace.target.join("compare").join("latest.json"));
    let steps = steps(&plan, &workspace);
    if !cfg!(target_os = "linux") {
        eprintln!(
            "On this system memory, CPU time and the owner of a socket cannot be read, and processors not be set apart: Linux only."
        );
    }
    let mut comparison = Comparison::new(
        Context::new(workspace, steps, &output)?,
        plan,
        output.clone(),
    );
    let outcome = comparison.run();
    comparison.close();
    let record = comparison.record();
    if outcome
        .as_ref()
        .err()
        .is_none_or(anyhow::Error::is::<Interrupted>)
    {
        println!(
            "{}\n\nRaw data: {}",
            table::render(record, terminal_columns()),
            output.display()
        );
    }
    outcome?;
    let mut kept = record.is_valid();
    if arguments.check {
        for check in checks(record) {
            println!("{check}");
            kept &= check.reached;
        }
    }
    Ok(kept)
}

/// How wide the terminal is, where there is one.
fn terminal_columns() -> Option<usize> {
    let (_, columns) = console::Term::stdout().size_checked()?;
    Some(columns.into())
}

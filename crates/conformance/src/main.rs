//! The command line of the suite: all cases over a URL, or the mutants of the flavors.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand, ValueEnum};
use conformance::{
    case::Run,
    cases, mutants,
    run::{Report, Selection, run},
};

/// Checks a running server against the contract.
#[derive(Debug, Parser)]
#[command(
    name = "conformance",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
struct Arguments {
    /// The server, as http://host:port
    #[arg(long, required_unless_present_any = ["list"])]
    url: Option<String>,
    /// Only the cases with this tag
    #[arg(long)]
    tag: Option<Tag>,
    /// Only the cases whose name has this text in it
    #[arg(long)]
    filter: Option<String>,
    /// Print the outcomes as one JSON object
    #[arg(long)]
    json: bool,
    /// List the cases and the contract entries that they show, and run none
    #[arg(long)]
    list: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Tag {
    /// The short subset that goes before a load
    Load,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Plants each known fault in a copy of the workspace and checks that its case catches it
    Mutants {
        /// Only the mutants whose patch has this text in its name
        #[arg(long)]
        filter: Option<String>,
    },
}

/// Exit code 0 where all passed, 1 where something failed, 2 where nothing could be run.
fn main() -> ExitCode {
    match execute(Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn execute(arguments: Arguments) -> Result<bool> {
    if let Some(Command::Mutants { filter }) = arguments.command {
        return mutants::judge_all(filter.as_deref());
    }
    if arguments.list {
        list();
        return Ok(true);
    }
    let url = arguments.url.context("--url says which server to check")?;
    let selection = Selection {
        load_only: matches!(arguments.tag, Some(Tag::Load)),
        filter: arguments.filter,
    };
    let report = run(&url, &selection)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report);
    }
    Ok(report.failures().next().is_none())
}

fn list() {
    for case in cases::all() {
        let needs = match case.run {
            Run::Url(_) if case.load => "url, load",
            Run::Url(_) => "url",
            Run::Process(_) => "process",
            Run::Faults(_) => "faults",
            Run::Flavors(_) => "flavors",
        };
        println!("{} [{needs}] {}", case.name, case.covers.join(" "));
    }
}

fn print(report: &Report) {
    for outcome in &report.outcomes {
        match &outcome.failure {
            None => println!("ok      {} ({} ms)", outcome.name, outcome.elapsed_ms),
            Some(reason) => {
                println!("FAILED  {}", outcome.name);
                for line in reason.lines() {
                    println!("        {line}");
                }
            }
        }
    }
    let failed = report.failures().count();
    println!(
        "{} passed, {failed} failed; {} more cases need a process, a faulty store or all flavors \
         and are run by cargo test",
        report.outcomes.len() - failed,
        report.not_run
    );
}

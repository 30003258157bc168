//! `cargo compare`: builds the flavors of the service, starts each in a process of its own, puts the articles' load
//! on it, and shows what it measured beside what the articles published.
//!
//! The plan of a comparison, for each flavor: build it by itself; refuse it where it fails the conformance cases;
//! start it again and again, the flavors in turn, and time its first correct answers; read its memory when
//! idle; put the loads `persons-post` and `persons-get` on it, each answer checked to the last byte; read
//! CPU time and memory; stop it. Everything measured is kept raw in a JSON file ([`result`]) that is written after
//! every step; figures ([`summary`]) and the table ([`report`]) are derived from it.
//!
//! ```text
//! cargo compare --flavors axum,hyper --starts 30 --check
//! cargo compare lists --persons 1000000 --readers 20 --check
//! ```
//!
//! It claims what one run on one machine allows: figures, no intervals, no ranking.
//!
//! Exit codes: 0; 1 where a flavor is refused, answers wrongly, misses a bound of `--check`, or something fails; 2
//! for a wrong command line; 130 where it was interrupted.

mod cli;
mod context;
mod lists;
mod plan;
mod run;

mod build;
mod conformance;
mod http;
mod measure;
mod target;

mod environment;
mod guard;
mod interrupt;
mod process;
mod processors;

mod articles;
mod check;
mod report;
mod result;
mod summary;

use std::process::ExitCode;

use clap::Parser as _;

use crate::interrupt::{Interrupt, Interrupted};

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let outcome = match &cli.command {
        Some(cli::Command::Guard { mark }) => {
            guard::run(std::io::stdin().lock(), mark);
            return ExitCode::SUCCESS;
        }
        Some(cli::Command::Lists(arguments)) => lists::main(arguments),
        None => cli::compare(&cli.arguments),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if error.is::<Interrupted>() => {
            eprintln!(
                "interrupted: what is finished was kept, and every process that was started has ended"
            );
            ExitCode::from(Interrupt::EXIT_CODE)
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

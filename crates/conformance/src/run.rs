//! Runs the cases that need nothing but a URL, and gives what came out as plain data.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;
use serde::Serialize;

use crate::{
    case::{Case, Run, UrlRun},
    cases,
    target::Target,
};

/// Which cases to run.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only the short subset that goes before a load.
    pub load_only: bool,
    /// Only cases whose name has this text in it.
    pub filter: Option<String>,
}

/// What came out of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// One outcome a case that was run, in the order of the list.
    pub outcomes: Vec<Outcome>,
    /// How many selected cases need more than a URL and were not run.
    pub not_run: usize,
}

/// What came out of one case.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The sentence of the case.
    pub name: &'static str,
    /// The numbers of the contract entries that it shows.
    pub covers: &'static [&'static str],
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// Why it failed: what went wrong, the last request and response, the contract entries.
    pub failure: Option<String>,
}

impl Report {
    /// The outcomes of the cases that failed.
    pub fn failures(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes
            .iter()
            .filter(|outcome| outcome.failure.is_some())
    }
}

/// Runs the selected cases over the server at `http://host:port`, some at the same time.
///
/// # Errors
/// Fails where the URL is none or nobody listens there; a case that fails is an outcome, not an error.
pub fn run(url: &str, selection: &Selection) -> Result<Report> {
    let target = Target::from_url(url)?;
    target.connect()?;
    Ok(run_on(&target, selection))
}

/// Runs the selected cases over a server, some at the same time.
pub fn run_on(target: &Target, selection: &Selection) -> Report {
    let selected: Vec<&Case> = cases::all().filter(|case| selection.takes(case)).collect();
    let runnable: Vec<(&Case, UrlRun)> = selected
        .iter()
        .filter_map(|case| match case.run {
            Run::Url(run) => Some((*case, run)),
            _ => None,
        })
        .collect();
    Report {
        outcomes: run_all(target, &runnable),
        not_run: selected.len() - runnable.len(),
    }
}

impl Selection {
    fn takes(&self, case: &Case) -> bool {
        let fits = |filter: &String| case.name.contains(filter.as_str());
        (case.load || !self.load_only) && self.filter.as_ref().is_none_or(fits)
    }
}

fn run_all(target: &Target, cases: &[(&Case, UrlRun)]) -> Vec<Outcome> {
    const THREADS: usize = 4;
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((case, run)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let result = case.explained(|| run(target));
                    let outcome = Outcome {
                        name: case.name,
                        covers: case.covers,
                        elapsed_ms: milliseconds(start.elapsed()),
                        failure: result.err(),
                    };
                    let mut outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
                    outcomes.push(outcome);
                }
            });
        }
    });
    let mut outcomes = outcomes
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|outcome| cases.iter().position(|(case, _)| case.name == outcome.name));
    outcomes
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

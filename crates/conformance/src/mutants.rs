//! Known faults, planted one at a time in a copy of the workspace: does the suite catch them?
//!
//! `mutants/mutants.toml` names for each patch the flavor that is built with it and the case that
//! must fail then.

mod workspace;

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;

use crate::{
    case::{Case, Run},
    cases,
    process::Binary,
    run::{Selection, run_on},
};

use workspace::Workspace;

/// One planted fault.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// The file in `mutants/`.
    pub patch: String,
    /// What is wrong with the service then.
    pub fault: String,
    /// The flavor that is built with the patch: `axum`, `actix` or `hyper`.
    pub flavor: String,
    /// The sentence of the case that must fail.
    pub caught_by: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    mutant: Vec<Mutant>,
}

/// All mutants, in the order of the list.
///
/// # Errors
/// Fails where the list is not readable.
pub fn all() -> Result<Vec<Mutant>> {
    let list: List = toml::from_str(include_str!("../mutants/mutants.toml"))?;
    Ok(list.mutant)
}

/// The case that must catch a mutant.
///
/// # Errors
/// Fails where no case has this name, or it cannot be run on an executable alone.
pub fn catching_case(mutant: &Mutant) -> Result<&'static Case> {
    let case = cases::all()
        .find(|case| case.name == mutant.caught_by)
        .with_context(|| format!("no case is named {:?}", mutant.caught_by))?;
    ensure!(
        matches!(case.run, Run::Url(_) | Run::Process(_)),
        "{:?} needs more than an executable",
        case.name
    );
    Ok(case)
}

/// Builds the flavors without and with each fault and runs the suite on them; prints a line for
/// each. True where the sound flavors pass and every fault is caught by its case.
///
/// A mutant that cannot be tried, because its patch does not apply or build, counts as not caught.
///
/// # Errors
/// Fails where a sound flavor does not build or pass.
pub fn judge_all(filter: Option<&str>) -> Result<bool> {
    let mutants: Vec<Mutant> = all()?
        .into_iter()
        .filter(|mutant| filter.is_none_or(|filter| mutant.patch.contains(filter)))
        .collect();
    ensure!(!mutants.is_empty(), "no mutant is selected");
    let workspace = Workspace::new()?;
    judge_sound(&workspace, &mutants)?;
    let mut all_caught = true;
    for mutant in &mutants {
        let (word, told) = match judge(&workspace, mutant) {
            Ok(verdict) if verdict.reason.is_some() => ("caught", verdict.told(mutant)),
            Ok(verdict) => ("SURVIVED", verdict.told(mutant)),
            Err(error) => ("UNTRIED", format!("{error:#}")),
        };
        all_caught &= word == "caught";
        println!("{word:8} {:6} {:32} {told}", mutant.flavor, mutant.patch);
    }
    workspace.restore()?;
    Ok(all_caught)
}

/// What the suite made of one mutant.
struct Verdict {
    /// Why its case failed; `None` where it passed.
    reason: Option<String>,
    /// How many cases over a URL failed.
    failed: usize,
}

impl Verdict {
    fn told(&self, mutant: &Mutant) -> String {
        match &self.reason {
            Some(reason) => format!(
                "by \"{}\" ({}); {} of the cases over a URL failed",
                mutant.caught_by,
                reason.lines().next().unwrap_or_default(),
                self.failed
            ),
            None => format!(
                "\"{}\" passed although {}; {} of the cases over a URL failed",
                mutant.caught_by, mutant.fault, self.failed
            ),
        }
    }
}

/// Without a fault everything must pass, or a failure would prove nothing.
fn judge_sound(workspace: &Workspace, mutants: &[Mutant]) -> Result<()> {
    workspace.restore()?;
    let flavors: BTreeSet<&str> = mutants
        .iter()
        .map(|mutant| mutant.flavor.as_str())
        .collect();
    for flavor in flavors {
        let binary = workspace.build(flavor)?;
        let mut failures = failures_over_url(&binary)?;
        for mutant in mutants.iter().filter(|mutant| mutant.flavor == flavor) {
            let case = catching_case(mutant)?;
            if let (Run::Process(_), Err(reason)) = (case.run, run_case(case, &binary)) {
                failures.push(format!("{}: {reason}", case.name));
            }
        }
        if !failures.is_empty() {
            bail!("{flavor} fails without a fault:\n{}", failures.join("\n"));
        }
        println!("{:8} {flavor:6} without a fault", "passed");
    }
    Ok(())
}

fn judge(workspace: &Workspace, mutant: &Mutant) -> Result<Verdict> {
    let case = catching_case(mutant)?;
    workspace.restore()?;
    workspace.apply(&mutant.patch)?;
    let binary = workspace.build(&mutant.flavor)?;
    let verdict = Verdict {
        failed: failures_over_url(&binary)?.len(),
        reason: run_case(case, &binary).err(),
    };
    Ok(verdict)
}

/// Runs every case that needs but a URL on a fresh server, and gives the reasons of failures.
fn failures_over_url(binary: &Binary) -> Result<Vec<String>> {
    let server = binary.start(&["--log-level", "warn"])?;
    let report = run_on(server.target(), &Selection::default());
    Ok(report
        .failures()
        .map(|outcome| {
            let reason = outcome.failure.as_deref().unwrap_or_default();
            format!("{}: {reason}", outcome.name)
        })
        .collect())
}

fn run_case(case: &Case, binary: &Binary) -> Result<(), String> {
    case.explained(|| match case.run {
        Run::Url(run) => run(binary.start(&["--log-level", "warn"])?.target()),
        Run::Process(run) => run(binary),
        Run::Faults(_) | Run::Flavors(_) => bail!("this case needs more than an executable"),
    })
}

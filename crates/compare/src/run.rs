//! The comparison itself: its phases in order, each written to the result file when it is done.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use load::Written;

use crate::build::Workspace;
use crate::conformance;
use crate::context::{Context, ended_well, judge_answers, share};
use crate::environment::Environment;
use crate::http::Get;
use crate::interrupt::Interrupted;
use crate::measure::cpu::CpuUse;
use crate::measure::memory::Memory;
use crate::measure::start;
use crate::plan::{Flavor, Plan};
use crate::report::progress::Step;
use crate::result::Record;
use crate::target::{self, Launch, Server};

/// A comparison that runs.
#[derive(Debug)]
pub(crate) struct Comparison {
    context: Context,
    record: Record,
    output: PathBuf,
}

/// The pause between a start and the reading of idle memory.
const IDLE: Duration = Duration::from_secs(1);
/// The pause between the last answer and the reading of the memory after the loads.
const SETTLE: Duration = Duration::from_secs(2);

/// The steps of a plan, with what each is expected to take.
pub(crate) fn steps(plan: &Plan, workspace: &Workspace) -> Vec<Step> {
    let release = workspace.target.join("release");
    let build_ms = |flavor: &Flavor| match (&plan.binaries, release.join(flavor.package()).exists())
    {
        (Some(_), _) => 100,
        (None, true) => 2_000,
        (None, false) => 75_000,
    };
    let count = plan.flavors.len() as u64;
    let builds = plan
        .flavors
        .iter()
        .map(|flavor| step(*flavor, "build", build_ms(flavor)));
    let conformance = plan
        .flavors
        .iter()
        .map(|flavor| step(*flavor, "conformance", 500));
    let starts = Step {
        label: format!("{} starts each", plan.starts),
        expected: Duration::from_millis(u64::from(plan.starts) * count * 20),
    };
    let loads = plan
        .flavors
        .iter()
        .map(|flavor| step(*flavor, "loads", 7_000));
    builds
        .chain(conformance)
        .chain([starts])
        .chain(loads)
        .collect()
}

fn step(flavor: Flavor, what: &str, expected_ms: u64) -> Step {
    Step {
        label: format!("{}: {what}", flavor.name()),
        expected: Duration::from_millis(expected_ms),
    }
}

impl Comparison {
    /// A comparison of which nothing is done yet.
    pub(crate) fn new(context: Context, plan: Plan, output: PathBuf) -> Self {
        let arguments = target::arguments(&context.placement);
        let environment = Environment::read(&context.workspace.root, &context.placement, arguments);
        Self {
            context,
            record: Record::new(environment, plan),
            output,
        }
    }

    /// What was found so far.
    pub(crate) const fn record(&self) -> &Record {
        &self.record
    }

    /// Does the whole plan. A flavor that fails is named and left out of what follows; the others go on.
    ///
    /// # Errors
    /// A build fails, the result cannot be written, or the comparison is told to end. What was done until then is
    /// in the record and its file.
    pub(crate) fn run(&mut self) -> anyhow::Result<()> {
        let outcome = self.phases();
        self.record.complete = outcome.is_ok();
        let written = self.record.write(&self.output);
        outcome.and(written)
    }

    fn phases(&mut self) -> anyhow::Result<()> {
        for at in 0..self.record.targets.len() {
            self.build(at)?;
        }
        // Builds take all processors; from here on the generator keeps to its own.
        self.context.placement.enter_generator();
        for at in 0..self.record.targets.len() {
            self.phase(at, Self::conformance)?;
        }
        self.starts()?;
        for at in 0..self.record.targets.len() {
            self.phase(at, Self::loads)?;
        }
        Ok(())
    }

    /// Takes the progress away, so that the table can be printed.
    pub(crate) fn close(&self) {
        self.context.progress.close();
    }

    fn build(&mut self, at: usize) -> anyhow::Result<()> {
        self.context.progress.begin();
        let artifact = self
            .context
            .build(&self.record.plan, self.record.targets[at].flavor)?;
        let outcome = match (artifact.build_s, artifact.compiled) {
            (None, _) => format!("{} as it is", artifact.binary.display()),
            (Some(_), 0) => "was built before".into(),
            (Some(_), compiled) => format!("{compiled} crates compiled"),
        };
        self.record.targets[at].artifact = Some(artifact);
        self.context.progress.end(&outcome);
        self.record.write(&self.output)
    }

    /// Does one phase of one flavor; where it fails, the flavor's figures are void and it is left out of the rest.
    fn phase(
        &mut self,
        at: usize,
        phase: fn(&mut Self, usize) -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        self.context.progress.begin();
        let outcome = if self.record.targets[at].void.is_empty() {
            let outcome = phase(self, at);
            self.judge(at, outcome)?
        } else {
            "left out".into()
        };
        self.context.progress.end(&outcome);
        self.record.write(&self.output)
    }

    /// Turns a failure into a void flavor, but an interrupt ends everything.
    fn judge(&mut self, at: usize, outcome: anyhow::Result<String>) -> anyhow::Result<String> {
        match outcome {
            Err(error) if error.is::<Interrupted>() => Err(error),
            Err(error) => {
                let reason = format!("{error:#}");
                let failed = format!("FAILED: {reason}");
                self.record.targets[at].void.push(reason);
                Ok(failed)
            }
            Ok(outcome) => Ok(outcome),
        }
    }

    fn conformance(&mut self, at: usize) -> anyhow::Result<String> {
        let server = self.context.serve(&self.launch(at, "conformance")?)?;
        let found = conformance::run(server.address)?;
        self.context.interrupt.check()?;
        let (cases, failures) = (found.cases, found.failures.clone());
        self.record.targets[at].conformance = Some(found);
        anyhow::ensure!(
            failures.is_empty(),
            "refused: it fails {} of {cases} conformance cases (the result file has them in full): {}",
            failures.len(),
            in_short(&failures)
        );
        ended_well(server.stop()?)?;
        Ok(format!("{cases} cases passed, the subset before a load"))
    }

    /// Starts every flavor once a round, in an order that rotates.
    fn starts(&mut self) -> anyhow::Result<()> {
        self.context.progress.begin();
        let (rounds, count) = (self.record.plan.starts, self.record.targets.len());
        for round in 0..rounds {
            self.context.progress.within(
                share(round.into(), rounds.into()),
                &format!("round {}", round + 1),
            );
            for position in 0..count {
                let at = (position + round as usize) % count;
                if self.record.targets[at].void.is_empty() {
                    let outcome = self.start(at, (round, position));
                    self.judge(at, outcome)?;
                }
            }
        }
        let samples: usize = self
            .record
            .targets
            .iter()
            .map(|target| target.starts.len())
            .sum();
        self.context.progress.end(&format!("{samples} samples"));
        self.record.write(&self.output)
    }

    fn start(&mut self, at: usize, place: (u32, usize)) -> anyhow::Result<String> {
        let launch = self.launch(at, "start")?;
        let Context {
            placement,
            guard,
            interrupt,
            ..
        } = &self.context;
        let (start, code) = start::measure(&launch, placement, guard, interrupt, place)?;
        self.record.targets[at].starts.push(start);
        ended_well(code)?;
        Ok(String::new())
    }

    fn loads(&mut self, at: usize) -> anyhow::Result<String> {
        let server = self.context.serve(&self.launch(at, "load")?)?;
        self.context.interrupt.sleep(IDLE)?;
        self.record.targets[at].memory_idle = Memory::read(server.id());
        self.record.targets[at].info = Some(info(&server, self.context.placement.workers())?);
        let scenarios = self.record.plan.scenarios.clone();
        let mut written = scenarios
            .iter()
            .find_map(|one| one.expected.ids.clone())
            .map_or_else(Written::none, Written::new);
        for (number, scenario) in scenarios.iter().enumerate() {
            let load =
                self.context
                    .play(&server, scenario, &mut written, |share_done, words| {
                        #[expect(
                            clippy::cast_precision_loss,
                            reason = "a plan has a few scenarios"
                        )]
                        let done = (number as f64 + share_done) / scenarios.len() as f64;
                        self.context
                            .progress
                            .within(done, &format!("{}: {words}", scenario.name));
                    })?;
            let wrong = judge_answers(&load.report);
            self.record.targets[at].loads.push(load);
            wrong?;
        }
        let before = CpuUse::read(server.id());
        self.context.interrupt.sleep(SETTLE)?;
        let settling = before
            .zip(CpuUse::read(server.id()))
            .map(|(before, after)| after.since(&before));
        self.record.targets[at].cpu_settling = settling;
        self.record.targets[at].memory_after = Memory::read(server.id());
        let code = server.stop()?;
        self.record.targets[at].exit_code = code;
        ended_well(code)?;
        let loads = &self.record.targets[at].loads;
        let rates: Vec<String> = loads
            .iter()
            .map(|load| {
                format!(
                    "{} {:.0}/s",
                    load.report.scenario,
                    load.report.good_per_second()
                )
            })
            .collect();
        Ok(rates.join(", "))
    }

    fn launch(&self, at: usize, phase: &str) -> anyhow::Result<Launch> {
        let target = &self.record.targets[at];
        let artifact = target.artifact.as_ref().context("it is not built")?;
        Ok(Launch {
            binary: artifact.binary.clone(),
            log: self.context.log(target.flavor, phase),
            arguments: self.record.environment.server_arguments.clone(),
        })
    }
}

/// The names of the first few failed cases, which are their first lines.
fn in_short(failures: &[String]) -> String {
    const MOST: usize = 3;
    let mut names: Vec<&str> = failures
        .iter()
        .take(MOST)
        .filter_map(|failure| failure.lines().next())
        .collect();
    if failures.len() > MOST {
        names.push("...");
    }
    names.join("; ")
}

/// What the server says of itself; it must be the process that was started, with the settings that it was given.
fn info(server: &Server, workers: usize) -> anyhow::Result<serde_json::Value> {
    let answer = Get::new(server.address, "/info")
        .send()
        .context("GET /info")?;
    let info = serde_json::from_slice(&answer.body).context("GET /info is not JSON")?;
    let expected = [
        ("/runtime/pid", server.id().into()),
        ("/runtime/workers", workers.into()),
        ("/runtime/log_level", "warn".into()),
    ];
    check_info(&info, &expected)?;
    Ok(info)
}

fn check_info(
    info: &serde_json::Value,
    expected: &[(&str, serde_json::Value)],
) -> anyhow::Result<()> {
    for (pointer, value) in expected {
        let told = info.pointer(pointer).unwrap_or(&serde_json::Value::Null);
        anyhow::ensure!(
            told == value,
            "GET /info tells {told} at {pointer}, it was started with {value}"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_with_other_settings_than_it_was_given_is_refused() {
        let info = serde_json::json!({"runtime": {"pid": 7, "workers": 2}});
        let check = |pointer, value| {
            check_info(&info, &[(pointer, value)]).map_err(|error| error.to_string())
        };
        assert_eq!(check("/runtime/workers", 2.into()), Ok(()));
        assert_eq!(
            check("/runtime/workers", 1.into()),
            Err("GET /info tells 2 at /runtime/workers, it was started with 1".into())
        );
        assert!(
            check("/runtime/log_level", "warn".into()).is_err(),
            "what is missing is not as given"
        );
    }

    #[test]
    fn failed_cases_are_named_by_their_first_lines_and_not_all() {
        let failures: Vec<String> = (1..=5)
            .map(|number| format!("case {number}\ncame: 500"))
            .collect();
        assert_eq!(in_short(&failures), "case 1; case 2; case 3; ...");
        assert_eq!(in_short(&failures[..2]), "case 1; case 2");
    }
}

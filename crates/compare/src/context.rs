//! What every measurement shares: servers that are built, started and loaded, and answers that are judged.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use load::{Control, Written};

use crate::build::{Workspace, build, dependencies};
use crate::guard::Guard;
use crate::interrupt::Interrupt;
use crate::measure::artifact::{Artifact, embedded_bytes};
use crate::measure::cpu::{CpuUse, MachineUse};
use crate::measure::socket;
use crate::plan::{Flavor, Plan};
use crate::processors::Placement;
use crate::report::progress::{Progress, Step};
use crate::result::Load;
use crate::target::{Launch, Server};

/// What every phase needs, whatever it measures.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) workspace: Workspace,
    pub(crate) placement: Placement,
    pub(crate) guard: Guard,
    pub(crate) interrupt: Interrupt,
    pub(crate) progress: Progress,
    /// The folder of the servers' logs, beside the result.
    pub(crate) logs: PathBuf,
}

impl Context {
    /// Makes ready what every measurement needs.
    ///
    /// # Errors
    /// There is no workspace, or the folder of logs, the guard or the signal handlers cannot be made.
    pub(crate) fn new(
        workspace: Workspace,
        steps: Vec<Step>,
        output: &Path,
    ) -> anyhow::Result<Self> {
        let interrupt = Interrupt::listen()?;
        let logs = output
            .parent()
            .unwrap_or_else(|| Path::new(""))
            .join("logs");
        std::fs::create_dir_all(&logs)
            .with_context(|| format!("cannot make {}", logs.display()))?;
        Ok(Self {
            placement: Placement::new(),
            guard: Guard::start()?,
            interrupt,
            progress: Progress::new(steps),
            logs,
            workspace,
        })
    }

    /// The log of a flavor's server in a phase.
    pub(crate) fn log(&self, flavor: Flavor, phase: &str) -> PathBuf {
        self.logs.join(format!("{}-{phase}.log", flavor.name()))
    }

    /// Starts a flavor's server and waits for its first answer.
    ///
    /// # Errors
    /// It does not start or answer, or the comparison is told to end.
    pub(crate) fn serve(&self, launch: &Launch) -> anyhow::Result<Server> {
        let mut server = Server::start(launch, &self.placement, &self.guard)?;
        server.wait(&self.interrupt)?;
        anyhow::ensure!(
            socket::listens(server.id(), server.address) != Some(false),
            "another process listens on {}",
            server.address
        );
        Ok(server)
    }

    /// Builds a flavor by itself, or takes the binary that is there.
    ///
    /// # Errors
    /// The build fails, or the comparison is told to end.
    pub(crate) fn build(&self, plan: &Plan, flavor: Flavor) -> anyhow::Result<Artifact> {
        let package = flavor.package();
        if let Some(folder) = &plan.binaries {
            return Artifact::read(
                &folder.join(format!("{package}{}", std::env::consts::EXE_SUFFIX)),
            );
        }
        let say = |line: &str| self.progress.during(line);
        let built = build(&self.workspace, package, &self.guard, &self.interrupt, say)?;
        Ok(Artifact {
            swagger_ui_bytes: built.swagger_ui.as_deref().and_then(embedded_bytes),
            dependencies: Some(dependencies(&self.workspace, package)?),
            build_s: Some(built.time.as_secs_f64()),
            compiled: built.compiled,
            ..Artifact::read(&built.binary)?
        })
    }

    /// Plays a scenario against a server while the progress shows it.
    ///
    /// # Errors
    /// The generator cannot be started, or the comparison is told to end.
    pub(crate) fn play(
        &self,
        server: &Server,
        scenario: &load::Scenario,
        written: &mut Written,
        progress: impl Fn(f64, &str),
    ) -> anyhow::Result<Load> {
        let control = Control::new();
        self.interrupt.watch(&control);
        let planned = scenario.mode.planned();
        let before = Accounts::read(server);
        let options = load::Options::default();
        let report = std::thread::scope(|scope| {
            let run =
                scope.spawn(|| load::run(server.address, scenario, written, &options, &control));
            while !run.is_finished() {
                std::thread::sleep(Duration::from_millis(50));
                let (good, failed) = (control.good(), control.failed());
                progress(
                    share(good + failed, planned),
                    &format!("{good} good, {failed} failed"),
                );
            }
            run.join().map_err(|_| load::Error::Panicked)?
        })?;
        self.interrupt.check()?;
        let after = Accounts::read(server);
        Ok(Load {
            cpu: after.server_since(&before),
            generator_busy: after.generator_busy(&before, report.elapsed_ns),
            foreign_busy: after.foreign_busy(&before, report.elapsed_ns),
            report,
        })
    }
}

/// Who used how much CPU until one moment.
#[derive(Debug, Clone, Copy)]
struct Accounts {
    server: Option<CpuUse>,
    generator: Option<CpuUse>,
    machine: Option<MachineUse>,
}

impl Accounts {
    fn read(server: &Server) -> Self {
        Self {
            server: CpuUse::read(server.id()),
            generator: CpuUse::read(std::process::id()),
            machine: MachineUse::read(),
        }
    }

    fn server_since(&self, before: &Self) -> Option<CpuUse> {
        Some(self.server?.since(&before.server?))
    }

    /// The generator is one thread and has ended with its account: the ticks of the process still have it.
    fn generator_ns(&self, before: &Self) -> Option<u64> {
        let used = self.generator?.since(&before.generator?);
        Some(used.user_ns + used.system_ns)
    }

    fn generator_busy(&self, before: &Self, elapsed_ns: u64) -> Option<f64> {
        Some(share(self.generator_ns(before)?, elapsed_ns))
    }

    fn foreign_busy(&self, before: &Self, elapsed_ns: u64) -> Option<f64> {
        let machine = self.machine?;
        let busy = machine.busy_ns.checked_sub(before.machine?.busy_ns)?;
        let ours = self.server_since(before)?.best_ns() + self.generator_ns(before)?;
        Some(share(
            busy.saturating_sub(ours),
            elapsed_ns * machine.processors,
        ))
    }
}

/// # Errors
/// A request got no good answer; the first few are named.
pub(crate) fn judge_answers(report: &load::Report) -> anyhow::Result<()> {
    let counts = &report.counts;
    let kinds: Vec<String> = counts
        .failed
        .iter()
        .map(|(kind, count)| format!("{count} {}", kind.words()))
        .collect();
    anyhow::ensure!(
        report.is_good(),
        "{}: of {} requests {} were answered well, failed: [{}], unfinished: {}; first: {}",
        report.scenario,
        counts.planned,
        counts.good,
        kinds.join(", "),
        counts.unfinished,
        report.examples.join("; ")
    );
    Ok(())
}

/// # Errors
/// The server did not end with exit code 0 when it was asked to stop.
pub(crate) fn ended_well(code: Option<i32>) -> anyhow::Result<()> {
    match code {
        Some(0) => Ok(()),
        Some(code) => anyhow::bail!("it ended with exit code {code} after SIGTERM"),
        None => anyhow::bail!(
            "it did not end within {} s of SIGTERM, or by a signal",
            Server::LIMIT.as_secs()
        ),
    }
}

/// A part as a share of the whole; 0 of nothing.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts and times of a run are far below 2^52"
)]
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

#[cfg(test)]
mod tests {
    use load::{Counts, Failure, Histogram, Report};

    use super::*;

    fn report(good: u64, failed: &[(Failure, u64)], unfinished: u64) -> Report {
        Report {
            scenario: "persons-get".into(),
            elapsed_ns: 1,
            counts: Counts {
                planned: 100,
                good,
                failed: failed.iter().copied().collect(),
                unfinished,
            },
            body_bytes: 0,
            service_time: Histogram::new(),
            examples: vec!["user 3, request 7: wrong body: {}".into()],
        }
    }

    #[test]
    fn one_wrong_answer_or_one_missing_makes_a_load_void() {
        assert!(judge_answers(&report(100, &[], 0)).is_ok());
        assert!(judge_answers(&report(99, &[], 1)).is_err());
        let wrong = judge_answers(&report(96, &[(Failure::Body, 3), (Failure::Late, 1)], 0));
        let reason = wrong.expect_err("four are wrong").to_string();
        for needed in [
            "persons-get",
            "of 100 requests 96",
            "1 late, 3 wrong body",
            "user 3, request 7: wrong body",
        ] {
            assert!(reason.contains(needed), "{needed:?} is missing in {reason}");
        }
    }

    #[test]
    fn only_exit_code_0_after_sigterm_is_a_good_end() {
        assert!(ended_well(Some(0)).is_ok());
        assert!(ended_well(Some(1)).is_err());
        assert!(ended_well(None).is_err());
    }
}

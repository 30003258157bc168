//! The result file: everything that was measured, as data, written as it comes.

use std::path::Path;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::check::{Check, checks};
use crate::environment::Environment;
use crate::measure::artifact::Artifact;
use crate::measure::cpu::CpuUse;
use crate::measure::memory::Memory;
use crate::measure::start::Start;
use crate::plan::{Flavor, Plan};
use crate::summary::{Row, rows};

/// A whole comparison, finished or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The version of this file's shape.
    pub(crate) schema_version: u32,
    /// Whether every step of the plan was done.
    pub(crate) complete: bool,
    /// When the comparison began, in seconds since 1970 (UTC).
    pub(crate) started_unix_s: u64,
    /// What the figures may be used for; always [`Record::CLAIM_LEVEL`] so far.
    pub(crate) claim_level: String,
    /// The machine, the tools and the settings.
    pub(crate) environment: Environment,
    /// What was to be done.
    pub(crate) plan: Plan,
    /// What was found, one entry a flavor.
    pub(crate) targets: Vec<Target>,
}

/// The result file: the record and what follows from it.
#[derive(Serialize)]
struct Document<'record> {
    #[serde(flatten)]
    record: &'record Record,
    figures: Vec<Row>,
    checks: Vec<Check>,
}

/// What was found of one flavor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Target {
    /// The flavor.
    pub(crate) flavor: Flavor,
    /// The binary, once it is built.
    pub(crate) artifact: Option<Artifact>,
    /// The conformance cases, once they have run.
    pub(crate) conformance: Option<Conformance>,
    /// Every start, in the order in which they were made.
    pub(crate) starts: Vec<Start>,
    /// The answer to `GET /info` of the server under load.
    pub(crate) info: Option<serde_json::Value>,
    /// Memory after the start, before the first request of the load.
    pub(crate) memory_idle: Option<Memory>,
    /// The loads, in their order.
    pub(crate) loads: Vec<Load>,
    /// Memory after both loads, settled.
    pub(crate) memory_after: Option<Memory>,
    /// CPU time between the end of the last load and the reading of the settled memory: work put off.
    pub(crate) cpu_settling: Option<CpuUse>,
    /// The server's exit code after SIGTERM; `None` where it was killed.
    pub(crate) exit_code: Option<i32>,
    /// Why its figures do not count; empty where they do.
    pub(crate) void: Vec<String>,
}

/// The conformance cases that ran before any load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Conformance {
    /// The number of cases.
    pub(crate) cases: usize,
    /// The cases that failed, each with its reason.
    pub(crate) failures: Vec<String>,
}

/// One load of one flavor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Load {
    /// What the generator found.
    pub(crate) report: load::Report,
    /// The server's CPU time from just before the first connection to just after the last answer.
    pub(crate) cpu: Option<CpuUse>,
    /// The share of one processor that the generator used, 0 to 1, which is one thread; `None` where it cannot be
    /// read.
    pub(crate) generator_busy: Option<f64>,
    /// The share of all processors that neither server nor generator used but others did, 0 to 1; `None`
    /// where it cannot be read.
    pub(crate) foreign_busy: Option<f64>,
}

impl Record {
    /// The version of the file that this program writes.
    pub(crate) const SCHEMA_VERSION: u32 = 1;
    /// One run on few or shared processors: capacity and latency are indications and are not ranked.
    pub(crate) const CLAIM_LEVEL: &str = "L0";

    /// A record of a comparison that begins now.
    pub(crate) fn new(environment: Environment, plan: Plan) -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let targets = plan.flavors.iter().copied().map(Target::new).collect();
        Self {
            schema_version: Self::SCHEMA_VERSION,
            complete: false,
            started_unix_s: now.unwrap_or_default().as_secs(),
            claim_level: Self::CLAIM_LEVEL.into(),
            environment,
            plan,
            targets,
        }
    }

    /// Writes the whole record, with the figures and checks that follow from it for those who read the file
    /// without this program.
    ///
    /// # Errors
    /// As [`write_json`].
    pub(crate) fn write(&self, file: &Path) -> anyhow::Result<()> {
        write_json(
            &Document {
                record: self,
                figures: rows(self),
                checks: checks(self),
            },
            file,
        )
    }

    /// Whether every flavor's figures count.
    pub(crate) fn is_valid(&self) -> bool {
        self.targets.iter().all(|target| target.void.is_empty())
    }
}

impl Target {
    /// A flavor of which nothing is known yet.
    pub(crate) const fn new(flavor: Flavor) -> Self {
        Self {
            flavor,
            artifact: None,
            conformance: None,
            starts: Vec::new(),
            info: None,
            memory_idle: None,
            loads: Vec::new(),
            memory_after: None,
            cpu_settling: None,
            exit_code: None,
            void: Vec::new(),
        }
    }

    /// The load of this name, once it has run.
    pub(crate) fn load(&self, name: &str) -> Option<&Load> {
        self.loads.iter().find(|load| load.report.scenario == name)
    }
}

/// Writes a whole result as JSON: a reader of the file sees the last one or this one, never a part.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write_json(result: &impl Serialize, file: &Path) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", file.display());
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).with_context(context)?;
    }
    let part = file.with_extension("part");
    let mut text = serde_json::to_vec(result).with_context(context)?;
    text.push(b'\n');
    std::fs::write(&part, text).with_context(context)?;
    std::fs::rename(&part, file).with_context(context)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::plan::{PERSONS_GET, PERSONS_POST, article_load};
    use crate::processors::Placement;

    /// A record of a finished comparison of two flavors, the second of which was refused.
    pub(crate) fn sample() -> Record {
        let placement = Placement {
            server: vec![0],
            generator: vec![1],
            pinned: true,
        };
        let environment = Environment {
            system: "linux x86_64".into(),
            kernel: Some("6.1".into()),
            processor: Some("Processor".into()),
            processors: 2,
            memory_bytes: Some(8 << 30),
            rustc: None,
            commit: None,
            modified: None,
            placement,
            command_line: vec!["compare".into()],
            server_arguments: Vec::new(),
        };
        let plan = Plan {
            flavors: vec![Flavor::Axum, Flavor::Hyper],
            starts: 15,
            binaries: None,
            scenarios: article_load(),
        };
        let mut record = Record::new(environment, plan);
        record.complete = true;
        fill(&mut record.targets[0]);
        record.targets[1].void.push("refused".into());
        record
    }

    fn fill(target: &mut Target) {
        target.artifact = Some(Artifact {
            binary: "server-axum".into(),
            bytes: 7_250_000,
            stripped: Some(true),
            sha256: None,
            swagger_ui_bytes: Some(3_100_000),
            dependencies: Some(90),
            build_s: Some(100.25),
            compiled: 120,
        });
        let start = |round: u32| Start {
            round,
            position: 0,
            first_answer_ns: 4_000_000 + 10_000 * u64::from(round),
            attempts: 40,
            poll_interval_ns: 75_000,
            answers_ns: vec![500_000, 100_000, 90_000, 80_000, 70_000],
        };
        target.starts = (0..15).map(start).collect();
        let memory = Memory {
            rss: 5_000_000,
            pss: 4_000_000,
            anonymous: 1_000_000,
            file: 4_000_000,
            peak: 5_500_000,
        };
        target.memory_idle = Some(memory);
        target.memory_after = Some(Memory {
            rss: 12_000_000,
            ..memory
        });
        target.loads = vec![load(PERSONS_POST), load(PERSONS_GET)];
        target.exit_code = Some(0);
    }

    fn load(name: &str) -> Load {
        let mut service_time = load::Histogram::new();
        (1..=40_000).for_each(|number| service_time.record(number * 100));
        let counts = load::Counts {
            planned: 40_000,
            good: 40_000,
            ..load::Counts::default()
        };
        let report = load::Report {
            scenario: name.into(),
            elapsed_ns: 2_000_000_000,
            counts,
            body_bytes: 2_000_000,
            service_time,
            examples: Vec::new(),
        };
        let cpu = CpuUse {
            total_ns: 400_000_000,
            user_ns: 100_000_000,
            system_ns: 300_000_000,
            threads: 2,
        };
        Load {
            report,
            cpu: Some(cpu),
            generator_busy: Some(0.9),
            foreign_busy: Some(0.25),
        }
    }

    #[test]
    fn a_record_comes_back_from_its_file_as_it_went() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("new").join("result.json");
        let record = sample();
        record.write(&file).expect("it is written");
        let text = std::fs::read_to_string(&file).expect("a file");
        assert_eq!(
            serde_json::from_str::<Record>(&text).expect("a record"),
            record
        );
        let left: Vec<_> = std::fs::read_dir(file.parent().expect("a folder"))
            .expect("a folder")
            .collect();
        assert_eq!(left.len(), 1, "no partial file is left");
    }

    #[test]
    fn the_file_has_figures_and_checks_beside_the_raw_data() {
        let document = Document {
            record: &sample(),
            figures: rows(&sample()),
            checks: checks(&sample()),
        };
        let json = serde_json::to_value(document).expect("it serialises");
        assert_eq!(json["figures"][0]["figure"], "start_median");
        assert_eq!(json["figures"][0]["values"][0]["numbers"][0], 4.07);
        assert_eq!(json["figures"][0]["values"][1], "void");
        assert_eq!(json["checks"][0]["reached"], true);
        assert_eq!(
            json["checks"][1]["reached"], false,
            "what is void keeps no bound"
        );
        assert_eq!(
            json["targets"][0]["loads"][0]["report"]["service_time"]["unit"],
            "ns"
        );
    }
}

//! From the raw record to figures: one value a figure and flavor, with no claim about differences.

use serde::{Deserialize, Serialize};

use crate::measure::memory::Memory;
use crate::plan::{PERSONS_GET, PERSONS_POST};
use crate::result::{Load, Record, Target};

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Figure {
    StartMedian,
    StartBestOfFive,
    StartRange,
    FirstAnswers,
    RssIdle,
    PssIdle,
    AnonymousIdle,
    FileIdle,
    PostRate,
    PostTime,
    PostLatency,
    PostCpu,
    GetRate,
    GetTime,
    GetLatency,
    GetCpu,
    RssAfter,
    AnonymousAfter,
    FileAfter,
    RssPeak,
    BinarySize,
    SwaggerUiSize,
    Dependencies,
    BuildTime,
}

/// The value of a figure for one flavor, in the unit of the figure's label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Value {
    /// One number, or several that belong together.
    Numbers(Vec<f64>),
    /// It was measured but does not count; the target says why.
    Void,
    /// It was not measured, or this machine cannot.
    Missing,
}

/// A figure of every flavor, in the order of the plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The figure.
    pub(crate) figure: Figure,
    /// Its name and unit.
    pub(crate) label: String,
    /// One value a flavor.
    pub(crate) values: Vec<Value>,
}

/// All figures of a record, in the order of the table.
pub(crate) fn rows(record: &Record) -> Vec<Row> {
    let row = |figure: Figure| Row {
        figure,
        label: figure.label(record.plan.starts),
        values: record
            .targets
            .iter()
            .map(|target| figure.of(target))
            .collect(),
    };
    Figure::ALL.into_iter().map(row).collect()
}

impl Figure {
    pub(crate) const ALL: [Self; 24] = [
        Self::StartMedian,
        Self::StartBestOfFive,
        Self::StartRange,
        Self::FirstAnswers,
        Self::RssIdle,
        Self::PssIdle,
        Self::AnonymousIdle,
        Self::FileIdle,
        Self::PostRate,
        Self::PostTime,
        Self::PostLatency,
        Self::PostCpu,
        Self::GetRate,
        Self::GetTime,
        Self::GetLatency,
        Self::GetCpu,
        Self::RssAfter,
        Self::AnonymousAfter,
        Self::FileAfter,
        Self::RssPeak,
        Self::BinarySize,
        Self::SwaggerUiSize,
        Self::Dependencies,
        Self::BuildTime,
    ];

    /// The name with the unit in brackets; a line a number where there are several.
    pub(crate) fn label(self, starts: u32) -> String {
        match self {
            Self::StartMedian => format!("start to first correct answer, median of {starts} [ms]"),
            Self::StartBestOfFive => "  best of the first 5 [ms]".into(),
            Self::StartRange => "  fastest [ms]\n  slowest [ms]".into(),
            Self::FirstAnswers => "first 5 answers, one by one, medians: 1st [ms]\n  2nd [ms]\n  3rd [ms]\n  4th [ms]\n  5th [ms]".into(),
            Self::RssIdle => "memory idle: RSS [MB]".into(),
            Self::PssIdle => "  PSS [MB]".into(),
            Self::AnonymousIdle => "  private anonymous (\"heap\") [MB]".into(),
            Self::FileIdle => "  file-backed (\"non-heap\") [MB]".into(),
            Self::PostRate => format!("{PERSONS_POST}: good answers [1/s]"),
            Self::PostTime | Self::GetTime => "  total time [s]".into(),
            Self::PostLatency | Self::GetLatency => "  service time p50 [ms]\n    p90 [ms]\n    p99 [ms]\n    max [ms]".into(),
            Self::PostCpu | Self::GetCpu => "  server CPU time per good answer [us]".into(),
            Self::GetRate => format!("{PERSONS_GET}: good answers [1/s]"),
            Self::RssAfter => "memory after both loads: RSS [MB]".into(),
            Self::AnonymousAfter => "  private anonymous (\"heap\") [MB]".into(),
            Self::FileAfter => "  file-backed (\"non-heap\") [MB]".into(),
            Self::RssPeak => "  highest RSS since the start [MB]".into(),
            Self::BinarySize => "artifact [MB]".into(),
            Self::SwaggerUiSize => "  of it Swagger UI [MB]".into(),
            Self::Dependencies => "  crates in it, without our own".into(),
            Self::BuildTime => "  build time of what was not built before [s]".into(),
        }
    }

    /// The digits after the point that the figure is shown with.
    pub(crate) const fn decimals(self) -> usize {
        match self {
            Self::PostRate | Self::GetRate | Self::Dependencies => 0,
            Self::PostCpu | Self::GetCpu | Self::BuildTime => 1,
            Self::FirstAnswers | Self::PostLatency | Self::GetLatency => 3,
            _ => 2,
        }
    }

    /// The figure of a flavor.
    pub(crate) fn of(self, target: &Target) -> Value {
        // What is wrong with a server's answers says nothing about its file.
        let of_file = matches!(
            self,
            Self::BinarySize | Self::SwaggerUiSize | Self::Dependencies | Self::BuildTime
        );
        if !of_file && !target.void.is_empty() {
            return Value::Void;
        }
        self.numbers(target)
            .filter(|numbers| !numbers.is_empty())
            .map_or(Value::Missing, Value::Numbers)
    }

    fn numbers(self, target: &Target) -> Option<Vec<f64>> {
        let starts = || target.starts.iter().map(|start| start.first_answer_ns);
        let idle = |part: fn(&Memory) -> u64| {
            target
                .memory_idle
                .as_ref()
                .map(|memory| vec![mega(part(memory))])
        };
        let after = |part: fn(&Memory) -> u64| {
            target
                .memory_after
                .as_ref()
                .map(|memory| vec![mega(part(memory))])
        };
        let artifact = target.artifact.as_ref();
        let post = target.load(PERSONS_POST);
        let get = target.load(PERSONS_GET);
        match self {
            Self::StartMedian => median(starts().collect()).map(|time| vec![time / 1e6]),
            Self::StartBestOfFive => (starts().count() >= 5)
                .then(|| starts().take(5).min().map(|time| vec![milli(time)]))
                .flatten(),
            Self::StartRange => Some(vec![milli(starts().min()?), milli(starts().max()?)]),
            Self::FirstAnswers => first_answers(target),
            Self::RssIdle => idle(|memory| memory.rss),
            Self::PssIdle => idle(|memory| memory.pss),
            Self::AnonymousIdle => idle(|memory| memory.anonymous),
            Self::FileIdle => idle(|memory| memory.file),
            Self::PostRate => post.map(|load| vec![load.report.good_per_second()]),
            Self::PostTime => post.map(|load| vec![milli(load.report.elapsed_ns) / 1e3]),
            Self::PostLatency => post.map(latency),
            Self::PostCpu => post.and_then(cpu_per_answer),
            Self::GetRate => get.map(|load| vec![load.report.good_per_second()]),
            Self::GetTime => get.map(|load| vec![milli(load.report.elapsed_ns) / 1e3]),
            Self::GetLatency => get.map(latency),
            Self::GetCpu => get.and_then(cpu_per_answer),
            Self::RssAfter => after(|memory| memory.rss),
            Self::AnonymousAfter => after(|memory| memory.anonymous),
            Self::FileAfter => after(|memory| memory.file),
            Self::RssPeak => after(|memory| memory.peak),
            Self::BinarySize => artifact.map(|artifact| vec![mega(artifact.bytes)]),
            Self::SwaggerUiSize => artifact?.swagger_ui_bytes.map(|bytes| vec![mega(bytes)]),
            Self::Dependencies => artifact?
                .dependencies
                .map(|count| vec![float(count as u64)]),
            Self::BuildTime => artifact
                .filter(|built| built.compiled > 0)?
                .build_s
                .map(|time| vec![time]),
        }
    }
}

fn latency(load: &Load) -> Vec<f64> {
    let times = &load.report.service_time;
    [
        times.quantile(0.5),
        times.quantile(0.9),
        times.quantile(0.99),
        times.max(),
    ]
    .map(milli)
    .to_vec()
}

fn cpu_per_answer(load: &Load) -> Option<Vec<f64>> {
    let good = load.report.counts.good;
    let cpu = load.cpu.as_ref().filter(|_| good > 0)?;
    Some(vec![float(cpu.best_ns()) / 1e3 / float(good)])
}

/// The median of each of the first answers over all starts, in milliseconds.
fn first_answers(target: &Target) -> Option<Vec<f64>> {
    let count = target
        .starts
        .iter()
        .map(|start| start.answers_ns.len())
        .min()?;
    let nth = |number: usize| {
        target
            .starts
            .iter()
            .map(|start| start.answers_ns[number])
            .collect()
    };
    (0..count)
        .map(|number| median(nth(number)).map(|time| time / 1e6))
        .collect()
}

/// The middle value, or the mean of the two middle ones; `None` of nothing.
fn median(mut values: Vec<u64>) -> Option<f64> {
    values.sort_unstable();
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(f64::midpoint(float(lower), float(upper)))
}

fn milli(nanoseconds: u64) -> f64 {
    float(nanoseconds) / 1e6
}

fn mega(bytes: u64) -> f64 {
    float(bytes) / 1e6
}

#[expect(
    clippy::cast_precision_loss,
    reason = "times in ns and sizes in bytes stay far below 2^52 here"
)]
const fn float(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_the_middle_or_the_mean_of_the_two_middle_values() {
        assert_eq!(median(vec![9, 1, 5]), Some(5.0));
        assert_eq!(median(vec![9, 1, 5, 6]), Some(5.5));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn every_figure_is_listed_once() {
        let mut all = Figure::ALL.to_vec();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), Figure::ALL.len());
    }
}

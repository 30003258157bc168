//! A histogram of durations that threads add to without a lock; the library's own takes a mutex.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prometheus_client::encoding::{EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::{MetricType, TypedMetric};

/// Upper bounds of the buckets in microseconds: those that OpenTelemetry advises for HTTP servers, and
/// finer ones below, since most answers here take less than its first.
const BOUNDS_US: [u64; 19] = [
    50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 75_000, 100_000, 250_000, 500_000,
    750_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
];

/// Counts durations by bucket; a clone is a handle to the same.
#[derive(Clone, Debug, Default)]
pub(super) struct DurationHistogram(Arc<Cells>);

#[derive(Debug, Default)]
struct Cells {
    /// One for each bound, and the last for what is beyond them all.
    buckets: [AtomicU64; BOUNDS_US.len() + 1],
    sum_ns: AtomicU64,
}

impl DurationHistogram {
    pub(super) fn observe(&self, duration: Duration) {
        let bucket = BOUNDS_US.partition_point(|bound| Duration::from_micros(*bound) < duration);
        self.0.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        let nanoseconds = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.0.sum_ns.fetch_add(nanoseconds, Ordering::Relaxed);
    }
}

impl EncodeMetric for DurationHistogram {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> Result<(), std::fmt::Error> {
        let counts = self
            .0
            .buckets
            .each_ref()
            .map(|count| count.load(Ordering::Relaxed));
        // The count is the sum of the buckets that were read, so that the two always agree.
        let count = counts.iter().sum();
        let bounds = BOUNDS_US
            .iter()
            .map(|bound| Duration::from_micros(*bound).as_secs_f64());
        let buckets: Vec<_> = bounds.chain([f64::MAX]).zip(counts).collect();
        let sum = Duration::from_nanos(self.0.sum_ns.load(Ordering::Relaxed)).as_secs_f64();
        encoder.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
    }

    fn metric_type(&self) -> MetricType {
        Self::TYPE
    }
}

impl TypedMetric for DurationHistogram {
    const TYPE: MetricType = MetricType::Histogram;
}

//! Times in a high dynamic range histogram, kept whole so that runs can be merged.

use serde::{Deserialize, Serialize};

/// Times in nanoseconds, three significant digits, from 1 ns to [`Histogram::MAX_NS`]; 190 KB of memory
/// whatever is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Buckets", into = "Buckets")]
pub struct Histogram {
    inner: hdrhistogram::Histogram<u64>,
}

/// A histogram as data: what it takes to rebuild it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buckets {
    /// The unit of the values: always `ns`.
    pub unit: String,
    /// Significant decimal digits that the buckets keep.
    pub significant_digits: u8,
    /// Each bucket that is not empty: the highest value that it stands for, and its count.
    pub buckets: Vec<(u64, u64)>,
}

impl Histogram {
    /// The longest time that is told apart, in nanoseconds: 5 minutes; a longer one counts as this.
    pub const MAX_NS: u64 = 300_000_000_000;
    const DIGITS: u8 = 3;

    /// An empty histogram.
    #[must_use]
    pub fn new() -> Self {
        let inner = hdrhistogram::Histogram::new_with_bounds(1, Self::MAX_NS, Self::DIGITS)
            .expect("the bounds are constants that the histogram takes");
        Self { inner }
    }

    /// Records a time in nanoseconds.
    pub fn record(&mut self, time_ns: u64) {
        self.inner.saturating_record(time_ns);
    }

    /// Adds every time of another histogram: counts are added, percentiles never averaged.
    pub fn merge(&mut self, other: &Self) {
        self.inner
            .add(&other.inner)
            .expect("both have the same bounds");
    }

    /// The number of times recorded.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.inner.len()
    }

    /// The time in nanoseconds that a share of `quantile` (0 to 1) of the times does not exceed; 0 where
    /// nothing was recorded.
    #[must_use]
    pub fn quantile(&self, quantile: f64) -> u64 {
        self.inner.value_at_quantile(quantile)
    }

    /// The shortest time in nanoseconds; 0 where nothing was recorded.
    #[must_use]
    pub fn min(&self) -> u64 {
        self.inner.min()
    }

    /// The longest time in nanoseconds; 0 where nothing was recorded.
    #[must_use]
    pub fn max(&self) -> u64 {
        self.inner.max()
    }

    /// The mean in nanoseconds; 0 where nothing was recorded.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.inner.mean()
    }

    /// The standard deviation in nanoseconds; 0 where nothing was recorded.
    #[must_use]
    pub fn standard_deviation(&self) -> f64 {
        self.inner.stdev()
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Histogram> for Buckets {
    fn from(histogram: Histogram) -> Self {
        let buckets = histogram
            .inner
            .iter_recorded()
            .map(|value| (value.value_iterated_to(), value.count_at_value()))
            .collect();
        Self {
            unit: "ns".into(),
            significant_digits: Histogram::DIGITS,
            buckets,
        }
    }
}

impl TryFrom<Buckets> for Histogram {
    type Error = String;

    fn try_from(data: Buckets) -> Result<Self, String> {
        if data.unit != "ns" || data.significant_digits != Self::DIGITS {
            return Err(format!(
                "a histogram in ns with {} significant digits was expected, not {} with {}",
                Self::DIGITS,
                data.unit,
                data.significant_digits
            ));
        }
        let mut histogram = Self::new();
        for (value, count) in data.buckets {
            histogram.inner.saturating_record_n(value, count);
        }
        Ok(histogram)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merged_histogram_is_the_histogram_of_all_times() {
        let (mut left, mut right, mut all) = (Histogram::new(), Histogram::new(), Histogram::new());
        for time_ns in 1..=10_000_u64 {
            let half = if time_ns % 10 == 0 {
                &mut left
            } else {
                &mut right
            };
            half.record(time_ns * 997);
            all.record(time_ns * 997);
        }
        left.merge(&right);
        assert_eq!(left, all);
        let p99 = left.quantile(0.99);
        assert!(p99.abs_diff(9_900 * 997) <= 9_900, "p99 is {p99}");
    }

    #[test]
    fn a_time_beyond_the_range_counts_as_the_longest() {
        let mut histogram = Histogram::new();
        histogram.record(u64::MAX);
        assert_eq!(histogram.count(), 1);
        assert!(histogram.max() >= Histogram::MAX_NS);
    }

    #[test]
    fn it_comes_back_from_json_as_it_went() {
        let mut histogram = Histogram::new();
        for time_ns in [1, 999, 1_000, 1_234_567, 88_000_000_000] {
            histogram.record(time_ns);
        }
        let json = serde_json::to_string(&histogram).expect("it serialises");
        assert_eq!(
            serde_json::from_str::<Histogram>(&json).expect("it parses"),
            histogram
        );
    }

    #[test]
    fn data_of_another_unit_is_refused() {
        let data = Buckets {
            unit: "ms".into(),
            significant_digits: 3,
            buckets: Vec::new(),
        };
        assert!(Histogram::try_from(data).is_err());
    }
}

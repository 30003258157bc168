//! Bounds that the figures are to keep, for `--check`.

use serde::{Deserialize, Serialize};

use crate::plan::Flavor;
use crate::result::Record;
use crate::summary::{Figure, Value};

/// Upper bounds, in the units of the figures' labels.
const BOUNDS: [(Figure, f64); 4] = [
    (Figure::StartMedian, 5.0),
    (Figure::RssIdle, 6.0),
    (Figure::RssAfter, 16.0),
    (Figure::BinarySize, 8.0),
];

/// One figure of one flavor against its bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Check {
    /// The figure.
    pub(crate) figure: Figure,
    /// Its name and unit.
    pub(crate) label: String,
    /// The flavor.
    pub(crate) flavor: Flavor,
    /// The bound, in the unit of the label.
    pub(crate) at_most: f64,
    /// What was measured; `None` where nothing that counts was.
    pub(crate) value: Option<f64>,
    /// Whether the value is there and within the bound.
    pub(crate) reached: bool,
}

/// Compares every bound with the figures of a record.
pub(crate) fn checks(record: &Record) -> Vec<Check> {
    let check = |(figure, at_most): (Figure, f64)| {
        record.targets.iter().map(move |target| {
            let value = match figure.of(target) {
                Value::Numbers(numbers) => numbers.first().copied(),
                Value::Void | Value::Missing => None,
            };
            Check {
                figure,
                label: figure.label(record.plan.starts),
                flavor: target.flavor,
                at_most,
                value,
                reached: value.is_some_and(|value| value <= at_most),
            }
        })
    };
    BOUNDS.into_iter().flat_map(check).collect()
}

impl std::fmt::Display for Check {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { label, at_most, .. } = self;
        write!(formatter, "{}: {label}: ", self.flavor.name())?;
        match self.value {
            Some(value) => {
                let verdict = if self.reached {
                    "reached"
                } else {
                    "not reached"
                };
                write!(formatter, "{value:.2}, at most {at_most}: {verdict}")
            }
            None => write!(
                formatter,
                "no figure that counts, at most {at_most}: not reached"
            ),
        }
    }
}

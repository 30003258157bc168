//! What became of the requests.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The requests of a run by what became of them; `planned` is the sum of all others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Requests that the scenario plans.
    pub planned: u64,
    /// Answers with the right status, length and body.
    pub good: u64,
    /// Requests without a good answer, by kind.
    pub failed: BTreeMap<Failure, u64>,
    /// Requests that were not answered when the run ended, or never sent.
    pub unfinished: u64,
}

/// Why a request got no good answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// No connection could be opened.
    Connect,
    /// The connection ended before the answer was complete.
    Disconnected,
    /// No complete answer within the time limit.
    Late,
    /// The answer is not HTTP.
    Protocol,
    /// Another status than the expected one.
    Status,
    /// A body of another length.
    Length,
    /// A body of the right length with other bytes.
    Body,
    /// An id that is out of range or was given before.
    Id,
}

impl Counts {
    /// The number of requests without a good answer, of all kinds.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }

    /// Adds the counts of another run.
    pub fn merge(&mut self, other: &Self) {
        self.planned += other.planned;
        self.good += other.good;
        self.unfinished += other.unfinished;
        for (kind, count) in &other.failed {
            *self.failed.entry(*kind).or_default() += count;
        }
    }
}

impl Failure {
    /// The kind in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Connect => "could not connect",
            Self::Disconnected => "disconnected",
            Self::Late => "late",
            Self::Protocol => "not HTTP",
            Self::Status => "wrong status",
            Self::Length => "wrong length",
            Self::Body => "wrong body",
            Self::Id => "wrong id",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_two_runs_add_up() {
        let mut counts = Counts {
            planned: 5,
            good: 3,
            failed: [(Failure::Late, 1)].into(),
            unfinished: 1,
        };
        let other = Counts {
            planned: 4,
            good: 1,
            failed: [(Failure::Late, 2), (Failure::Id, 1)].into(),
            unfinished: 0,
        };
        counts.merge(&other);
        assert_eq!(counts.failed, [(Failure::Late, 3), (Failure::Id, 1)].into());
        assert_eq!(
            counts.planned,
            counts.good + counts.failures() + counts.unfinished
        );
    }
}

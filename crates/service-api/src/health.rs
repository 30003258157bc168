//! Health as load balancers and orchestrators ask for it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::body;

/// How well the service, or a part of it, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(example = "UP")]
pub enum HealthStatus {
    /// It serves.
    Up,
    /// It does not answer.
    Down,
    /// It is about to stop and wants no new requests.
    OutOfService,
}

impl HealthStatus {
    /// `Up` where the part answers, `Down` where it does not.
    pub fn of(answers: bool) -> Self {
        if answers { Self::Up } else { Self::Down }
    }

    /// The status code of an answer that reports this.
    pub const fn code(self) -> u16 {
        match self {
            Self::Up => 200,
            Self::Down | Self::OutOfService => 503,
        }
    }
}

/// The health of the service and of each part that it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Health {
    status: HealthStatus,
    components: Components,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = HealthComponents)]
struct Components {
    store: Probe,
}

/// One status and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Probe {
    status: HealthStatus,
}

impl Health {
    /// The health of a service whose store is in this state.
    pub fn of_store(status: HealthStatus) -> Self {
        let components = Components {
            store: Probe { status },
        };
        Self { status, components }
    }

    /// The report as a JSON body.
    pub fn to_json(self) -> Vec<u8> {
        body::to_json(&self)
    }
}

impl Probe {
    /// A probe that reports this status.
    pub fn new(status: HealthStatus) -> Self {
        Self { status }
    }

    /// The report as a JSON body.
    pub fn to_json(self) -> Vec<u8> {
        body::to_json(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_have_the_words_that_spring_boot_uses() {
        let up = Health::of_store(HealthStatus::Up).to_json();
        assert_eq!(
            up,
            br#"{"status":"UP","components":{"store":{"status":"UP"}}}"#
        );
        let leaving = Probe::new(HealthStatus::OutOfService).to_json();
        assert_eq!(leaving, br#"{"status":"OUT_OF_SERVICE"}"#);
    }
}

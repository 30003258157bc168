//! Parameters and answers that several operations share.

#![expect(dead_code, reason = "these types exist for their documentation only")]

use utoipa::{IntoParams, IntoResponses};

use crate::health::Health;

/// The id in the path of a person.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct PersonIdParameter {
    /// The person's id.
    #[param(minimum = 1, maximum = 9_223_372_036_854_775_807_i64, example = 1)]
    id: i64,
}

/// What a health check answers.
#[derive(IntoResponses)]
pub(super) enum HealthReport {
    /// All is up.
    #[response(status = 200)]
    Up(Health),
    /// The store does not answer within 1 s.
    #[response(
        status = 503,
        example = json!({"status": "DOWN", "components": {"store": {"status": "DOWN"}}})
    )]
    Down(Health),
}

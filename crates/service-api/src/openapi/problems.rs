//! Error answers that several operations share.

#![expect(dead_code, reason = "these types exist for their documentation only")]

use utoipa::IntoResponses;

use crate::problem::ProblemDocument;

/// What an operation with a body answers to one that it does not take.
#[derive(IntoResponses)]
pub(super) enum BodyRefused<'a> {
    /// The body is over 64 KiB.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(ProblemDocument<'a>),
    /// The body comes in another type, or encoded.
    #[response(status = 415, content_type = "application/problem+json")]
    MediaType(ProblemDocument<'a>),
    /// The body does not fit; all violations are told.
    #[response(status = 422, content_type = "application/problem+json")]
    Violations(ProblemDocument<'a>),
}

/// No person has this id.
#[derive(IntoResponses)]
#[response(status = 404, content_type = "application/problem+json")]
pub(super) struct NoSuchPerson<'a>(ProblemDocument<'a>);

/// The store does not answer.
#[derive(IntoResponses)]
#[response(
    status = 503,
    content_type = "application/problem+json",
    headers(("retry-after" = u32, description = "Seconds to wait."))
)]
pub(super) struct StoreUnavailable<'a>(ProblemDocument<'a>);

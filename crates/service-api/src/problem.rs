//! Error answers: problem details after RFC 9457, the same bytes in all flavors.

use std::borrow::Cow;

use person_repository::{PersonId, StoreError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::status::Status;

/// One error answer: its status, what the client is told, and the headers that go with it. What
/// caused a 5xx is not in it: the cause is for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    status: Status,
    detail: Cow<'static, str>,
    violations: Option<Vec<Violation>>,
    allow: Option<&'static str>,
    closes_connection: bool,
}

/// One field of a body that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Violation {
    /// The member of the body that is at fault.
    #[schema(example = "age")]
    pub field: &'static str,
    /// The rule that it breaks.
    #[schema(example = "must be between 0 and 150")]
    pub message: String,
}

/// The document that a [`Problem`] is sent as (RFC 9457, section 3.1).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemDocument<'a> {
    /// Always `about:blank`: the status says what kind of problem it is.
    #[schema(example = "about:blank")]
    r#type: &'static str,
    /// The phrase of the status.
    #[schema(example = "Not Found")]
    title: &'static str,
    /// The status of the answer.
    #[schema(minimum = 400, maximum = 599, example = 404)]
    status: u16,
    /// What is wrong with this request.
    #[schema(example = "no person has id 7")]
    detail: &'a str,
    /// The path that was asked for, as it was sent, without the query.
    #[schema(example = "/persons/7")]
    instance: &'a str,
    /// Of a 422: every field that breaks a rule, in field order; empty where no field is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    violations: Option<&'a [Violation]>,
}

impl Problem {
    /// 404: nothing is served at the path.
    pub fn unknown_path() -> Self {
        Self::new(Status::NotFound, "nothing is served at this path")
    }

    /// 404: no person has the id.
    pub fn no_person(id: PersonId) -> Self {
        Self::new(Status::NotFound, format!("no person has id {id}"))
    }

    /// 405: the path is served, but not with this method; `allow` lists those that it answers.
    pub fn method_not_allowed(allow: &'static str) -> Self {
        Self {
            allow: Some(allow),
            ..Self::new(
                Status::MethodNotAllowed,
                format!("this path answers {allow}"),
            )
        }
    }

    /// 400: the path, the query or the syntax of the body is not understood.
    pub fn bad_request(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Status::BadRequest, detail)
    }

    /// 400: the body ended early, or its framing is broken.
    pub fn incomplete_body() -> Self {
        Self {
            closes_connection: true,
            ..Self::bad_request("the body was not received whole")
        }
    }

    /// 415: the body comes in a type or an encoding that is not read here.
    pub fn unsupported_media_type(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Status::UnsupportedMediaType, detail)
    }

    /// 413: the body is longer than [`body::LIMIT_BYTES`](crate::body::LIMIT_BYTES).
    pub fn content_too_large() -> Self {
        Self {
            closes_connection: true,
            ..Self::new(
                Status::ContentTooLarge,
                format!("the body is longer than {} bytes", crate::body::LIMIT_BYTES),
            )
        }
    }

    /// 422: the body is JSON, but not a JSON object.
    pub fn not_an_object() -> Self {
        Self {
            violations: Some(Vec::new()),
            ..Self::new(
                Status::UnprocessableContent,
                "the body must be a JSON object",
            )
        }
    }

    /// 422: fields of the body break rules; `violations` holds every one of them, in field order.
    pub fn violations(violations: Vec<Violation>) -> Self {
        let detail = match violations.len() {
            1 => Cow::Borrowed("the body does not fit: 1 violation"),
            count => Cow::Owned(format!("the body does not fit: {count} violations")),
        };
        Self {
            violations: Some(violations),
            ..Self::new(Status::UnprocessableContent, detail)
        }
    }

    /// 500: the service failed; why is in the log.
    pub fn internal() -> Self {
        Self::new(
            Status::InternalServerError,
            "the service failed to answer this request",
        )
    }

    /// 503: the store is down or does not answer in time.
    pub fn store_unavailable() -> Self {
        Self::new(
            Status::ServiceUnavailable,
            "the store does not answer; try again later",
        )
    }

    fn new(status: Status, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            detail: detail.into(),
            violations: None,
            allow: None,
            closes_connection: false,
        }
    }

    /// The status of the answer.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The headers that this problem adds to its answer, names in lower case.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let allow = self.allow.map(|methods| ("allow", methods));
        let retry_after =
            (self.status == Status::ServiceUnavailable).then_some(("retry-after", "1"));
        [allow, retry_after].into_iter().flatten()
    }

    /// Whether the connection must end with the answer: the rest of the body is not read, so nothing can
    /// follow it.
    pub fn closes_connection(&self) -> bool {
        self.closes_connection
    }

    /// The body of the answer, UTF-8 JSON; `instance` is the raw path of the request, without the
    /// query.
    pub fn to_json(&self, instance: &str) -> Vec<u8> {
        crate::body::to_json(&ProblemDocument {
            r#type: "about:blank",
            title: self.status.title(),
            status: self.status.code(),
            detail: &self.detail,
            instance,
            violations: self.violations.as_deref(),
        })
    }
}

impl From<&StoreError> for Problem {
    fn from(error: &StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) | StoreError::TimedOut => Self::store_unavailable(),
            StoreError::Full => Self::internal(),
        }
    }
}

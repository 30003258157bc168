//! A scenario as plain data: who sends how much, what is sent, what the answer must be.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::template::Template;

/// A load to put on a server, and the answers that count as good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenario {
    /// The name in reports.
    pub name: String,
    /// Who sends how much.
    pub mode: Mode,
    /// What is sent.
    pub request: Request,
    /// What the answer must be.
    pub expected: Expected,
}

/// Who sends how much, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "mode")]
pub enum Mode {
    /// A closed loop: each user, on a connection of their own, sends the next request as soon as the
    /// answer to the last one is complete.
    Closed {
        /// The number of users and of connections.
        users: u32,
        /// The number of requests of each user.
        requests_per_user: u32,
    },
}

/// One kind of request; its texts may hold variables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The method, in capitals.
    pub method: String,
    /// The path and query.
    pub target: Template,
    /// The body, sent as `application/json`; `None` sends none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Template>,
}

/// What an answer must be to count as good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// The status.
    pub status: u16,
    /// The whole body.
    pub body: Template,
    /// The ids that the answers may give, each once; `None` where they give none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<RangeInclusive<u64>>,
}

impl Mode {
    /// The number of requests that the mode plans.
    #[must_use]
    pub fn planned(self) -> u64 {
        match self {
            Self::Closed {
                users,
                requests_per_user,
            } => u64::from(users) * u64::from(requests_per_user),
        }
    }

    /// The number of users, each with a connection.
    #[must_use]
    pub const fn users(self) -> u32 {
        match self {
            Self::Closed { users, .. } => users,
        }
    }
}

impl Request {
    /// A GET of `target`.
    #[must_use]
    pub fn get(target: Template) -> Self {
        Self {
            method: "GET".into(),
            target,
            body: None,
        }
    }

    /// A POST of `body` as JSON to `target`.
    #[must_use]
    pub fn post(target: Template, body: Template) -> Self {
        Self {
            method: "POST".into(),
            target,
            body: Some(body),
        }
    }
}

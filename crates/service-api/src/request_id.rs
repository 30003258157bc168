//! Request ids: taken from the client where they are fit for a log line, made otherwise.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The header that carries a request id, in requests and in answers.
pub const HEADER: &str = "x-request-id";

const MAX_LEN: usize = 128;

/// The id of one request: 1 to 128 characters of `A-Z a-z 0-9 . _ -`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(Box<str>);

impl RequestId {
    /// Takes the client's id where it is valid, and makes one otherwise.
    pub fn from_header(value: Option<&[u8]>) -> Self {
        value.and_then(Self::parse).unwrap_or_else(Self::make)
    }

    fn parse(value: &[u8]) -> Option<Self> {
        let valid = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        if value.is_empty() || value.len() > MAX_LEN || !value.iter().all(valid) {
            return None;
        }
        let text = std::str::from_utf8(value).expect("ASCII is UTF-8");
        Some(Self(text.into()))
    }

    /// Makes an id that no other request has: random bits of this process and a counter, since bits
    /// from the system for each request would cost a system call.
    fn make() -> Self {
        static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(format!("{:016x}-{number:x}", *PROCESS).into())
    }

    /// The id as text, fit for a header and a log line as it is.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valid_id_of_the_client_is_kept() {
        for id in ["a", "A-Z_0.9", &"x".repeat(128)] {
            assert_eq!(RequestId::from_header(Some(id.as_bytes())).as_str(), id);
        }
    }

    #[test]
    fn anything_else_is_replaced_by_an_id_of_our_own() {
        for id in ["", "a b", "a\"b", "é", &"x".repeat(129)] {
            let made = RequestId::from_header(Some(id.as_bytes()));
            assert_ne!(made.as_str(), id);
            assert!(
                RequestId::parse(made.as_str().as_bytes()).is_some(),
                "{made}"
            );
        }
        assert_ne!(RequestId::from_header(None), RequestId::from_header(None));
    }
}

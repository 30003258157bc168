//! A response as it came off the wire.

use std::fmt;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

/// How the end of a response's body was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// There is no body: the answer to a HEAD, or a status that has none.
    Bodiless,
    /// By `content-length`.
    Length,
    /// By chunks.
    Chunked,
    /// By the end of the connection.
    Close,
}

/// A response: the head, the body and how it ended.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers in the order they came, names in lower case.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body without its framing.
    pub body: Vec<u8>,
    /// How the body was framed.
    pub framing: Framing,
    /// Whether the body came to its end; false where the connection was cut before it.
    pub complete: bool,
}

impl Response {
    /// The only value of a header, as text; `None` where it is missing, comes twice or is no text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => std::str::from_utf8(value).ok(),
            _ => None,
        }
    }

    /// The header's only value.
    ///
    /// # Errors
    /// Fails where the header is missing, comes twice or is no text.
    pub fn required_header(&self, name: &str) -> Result<&str> {
        self.header(name)
            .with_context(|| format!("one header {name} was expected"))
    }

    /// Whether a header is there.
    pub fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
    }

    /// The names of all headers, sorted, each once.
    pub fn header_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The body as text.
    ///
    /// # Errors
    /// Fails where the body is not UTF-8.
    pub fn text(&self) -> Result<&str> {
        std::str::from_utf8(&self.body).context("the body is not UTF-8")
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// Fails where the body is not JSON.
    pub fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).context("the body is not JSON")
    }

    /// Whether the server says that it will close the connection.
    pub fn closes(&self) -> bool {
        self.framing == Framing::Close
            || self
                .header("connection")
                .is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    /// Passes the response on where it has the status.
    ///
    /// # Errors
    /// Fails where it has another.
    pub fn expect_status(self, status: u16) -> Result<Self> {
        ensure!(
            self.status == status,
            "the status is {} where {status} was expected",
            self.status
        );
        Ok(self)
    }

    /// Passes the response on where its body is exactly this text.
    ///
    /// # Errors
    /// Fails where it is another.
    pub fn expect_body(self, body: &str) -> Result<Self> {
        ensure!(
            self.body == body.as_bytes(),
            "the body is {} where {} was expected",
            shortened(&self.body),
            shortened(body.as_bytes())
        );
        Ok(self)
    }

    /// Passes the response on where the header has exactly this value.
    ///
    /// # Errors
    /// Fails where it has another or is missing.
    pub fn expect_header(self, name: &str, value: &str) -> Result<Self> {
        let found = self.required_header(name)?;
        ensure!(
            found == value,
            "{name} is {found:?} where {value:?} was expected"
        );
        Ok(self)
    }

    /// Passes the response on where it is a 422 with violations of exactly these fields in order;
    /// each may break several rules.
    ///
    /// # Errors
    /// Fails where the status or a field is another, or a violation has no message.
    pub fn expect_violations(self, fields: &[&str]) -> Result<Self> {
        let response = self.expect_status(422)?;
        let problem = response.json()?;
        let Some(violations) = problem["violations"].as_array() else {
            bail!("there is no array of violations");
        };
        let mut found: Vec<&str> = violations
            .iter()
            .map(|violation| violation["field"].as_str().unwrap_or_default())
            .collect();
        // One field may break several rules.
        found.dedup();
        ensure!(
            found == fields,
            "the violations are of {found:?} where {fields:?} was expected"
        );
        let told = violations.iter().all(|violation| {
            violation["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        });
        ensure!(told, "a violation has no message");
        Ok(response)
    }
}

impl fmt::Display for Response {
    /// Status, headers and the first bytes of the body, for a message to a reader.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.status)?;
        for (name, value) in &self.headers {
            write!(formatter, "\n{name}: {}", value.escape_ascii())?;
        }
        if !self.body.is_empty() {
            write!(formatter, "\n\n{}", shortened(&self.body))?;
        }
        if !self.complete {
            write!(formatter, "\n(cut before its end)")?;
        }
        Ok(())
    }
}

/// The first 600 bytes as text, and how many there are in all where there are more.
pub(super) fn shortened(bytes: &[u8]) -> String {
    const SHOWN: usize = 600;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]);
    if bytes.len() > SHOWN {
        format!("{text}... ({} bytes)", bytes.len())
    } else {
        text.into_owned()
    }
}

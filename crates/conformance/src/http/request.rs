//! A request as the bytes that go on the wire.

use std::fmt;

/// A request of HTTP/1.x whose every byte can be chosen.
#[derive(Clone, Debug)]
pub struct Request {
    method: String,
    target: Vec<u8>,
    version: &'static str,
    headers: Vec<(String, Vec<u8>)>,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Absent,
    Sized(Vec<u8>),
    Chunked(Vec<Vec<u8>>),
}

impl Request {
    /// A request without headers of its own and without a body; `host` is added when it is sent.
    pub fn new(method: &str, target: impl Into<Vec<u8>>) -> Self {
        Self {
            method: method.to_owned(),
            target: target.into(),
            version: "HTTP/1.1",
            headers: Vec::new(),
            body: Body::Absent,
        }
    }

    /// A GET.
    pub fn get(target: impl Into<Vec<u8>>) -> Self {
        Self::new("GET", target)
    }

    /// A HEAD.
    pub fn head(target: impl Into<Vec<u8>>) -> Self {
        Self::new("HEAD", target)
    }

    /// A DELETE.
    pub fn delete(target: impl Into<Vec<u8>>) -> Self {
        Self::new("DELETE", target)
    }

    /// An OPTIONS.
    pub fn options(target: impl Into<Vec<u8>>) -> Self {
        Self::new("OPTIONS", target)
    }

    /// A POST of a JSON body.
    pub fn post(target: impl Into<Vec<u8>>, json: impl Into<Vec<u8>>) -> Self {
        Self::new("POST", target).typed("application/json", json)
    }

    /// A PUT of a JSON body.
    pub fn put(target: impl Into<Vec<u8>>, json: impl Into<Vec<u8>>) -> Self {
        Self::new("PUT", target).typed("application/json", json)
    }

    /// A PATCH with a JSON merge patch.
    pub fn patch(target: impl Into<Vec<u8>>, json: impl Into<Vec<u8>>) -> Self {
        Self::new("PATCH", target).typed("application/merge-patch+json", json)
    }

    /// Speaks another version of HTTP/1, for example `HTTP/1.0`.
    #[must_use]
    pub fn version(mut self, version: &'static str) -> Self {
        self.version = version;
        self
    }

    /// Adds a header; a name may come more than once.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Sets a body framed by `content-length`, without a content type.
    #[must_use]
    pub fn body(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.body = Body::Sized(bytes.into());
        self
    }

    /// Sets a body framed by `content-length`, and its content type.
    #[must_use]
    pub fn typed(self, content_type: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.header("content-type", content_type).body(bytes)
    }

    /// Sends the body that was set in chunks of at most `size` bytes.
    #[must_use]
    pub fn chunked(mut self, size: usize) -> Self {
        let bytes = self.body_bytes();
        self.body = Body::Chunked(bytes.chunks(size).map(<[u8]>::to_vec).collect());
        self
    }

    /// Whether the request speaks HTTP/1.0, where a connection is closed unless kept on purpose.
    pub fn is_old(&self) -> bool {
        self.version == "HTTP/1.0"
    }

    /// The method as sent.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The raw path: the target without its query, and without an authority before it.
    pub fn path(&self) -> String {
        let target = String::from_utf8_lossy(&self.target);
        let target = target.split('?').next().unwrap_or_default();
        match target.split_once("://") {
            Some((_, rest)) => rest
                .find('/')
                .map_or("/", |slash| &rest[slash..])
                .to_owned(),
            None => target.to_owned(),
        }
    }

    /// The values of a header, in the order they are sent.
    pub fn header_values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        self.headers
            .iter()
            .filter(move |(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_slice())
    }

    /// The body without its framing; empty where there is none.
    pub fn body_bytes(&self) -> Vec<u8> {
        match &self.body {
            Body::Absent => Vec::new(),
            Body::Sized(bytes) => bytes.clone(),
            Body::Chunked(chunks) => chunks.concat(),
        }
    }

    /// The head with its empty line, as it goes on the wire.
    pub fn head_bytes(&self, authority: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(self.method.as_bytes());
        bytes.push(b' ');
        bytes.extend_from_slice(&self.target);
        bytes.extend_from_slice(format!(" {}\r\n", self.version).as_bytes());
        if self.header_values("host").next().is_none() {
            bytes.extend_from_slice(format!("host: {authority}\r\n").as_bytes());
        }
        for (name, value) in &self.headers {
            bytes.extend_from_slice(name.as_bytes());
            bytes.extend_from_slice(b": ");
            bytes.extend_from_slice(value);
            bytes.extend_from_slice(b"\r\n");
        }
        match &self.body {
            Body::Absent => {}
            Body::Sized(body) => {
                bytes.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
            }
            Body::Chunked(_) => bytes.extend_from_slice(b"transfer-encoding: chunked\r\n"),
        }
        bytes.extend_from_slice(b"\r\n");
        bytes
    }

    /// The whole request as it goes on the wire.
    pub fn to_bytes(&self, authority: &str) -> Vec<u8> {
        let mut bytes = self.head_bytes(authority);
        match &self.body {
            Body::Absent => {}
            Body::Sized(body) => bytes.extend_from_slice(body),
            Body::Chunked(chunks) => {
                for chunk in chunks {
                    bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
                    bytes.extend_from_slice(chunk);
                    bytes.extend_from_slice(b"\r\n");
                }
                bytes.extend_from_slice(b"0\r\n\r\n");
            }
        }
        bytes
    }
}

impl fmt::Display for Request {
    /// The request line, the headers and the first bytes of the body, for a message to a reader.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} {} {}",
            self.method,
            self.target.escape_ascii(),
            self.version
        )?;
        for (name, value) in &self.headers {
            write!(formatter, "\n{name}: {}", value.escape_ascii())?;
        }
        let body = self.body_bytes();
        if !body.is_empty() {
            write!(formatter, "\n\n{}", super::response::shortened(&body))?;
        }
        Ok(())
    }
}

//! The list of requests that every flavor is asked.

mod bodies;
mod deviations;
mod headers;
mod targets;

pub use deviations::Deviation;

use crate::http::Request;

/// One request to all flavors.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The method, which decides whether the response may have a body.
    pub method: String,
    /// The whole request as it goes on the wire.
    pub bytes: Vec<u8>,
    /// Whether the answer tells of the process, so that only status and header names compare.
    pub of_process: bool,
    /// What the HTTP library of one flavor makes impossible: that flavor, and what it answers instead.
    pub deviation: Option<Deviation>,
    /// Whether the connection is kept unless the answer says otherwise, as in HTTP/1.1.
    pub stays_open: bool,
    /// Whether the client closes its sending side after the request.
    pub is_last: bool,
}

impl Probe {
    fn new(request: &Request) -> Self {
        let path = request.path();
        let of_process = [
            "/info",
            "/metrics",
            "/management/info",
            "/management/prometheus",
        ]
        .contains(&path.as_str())
            && matches!(request.method(), "GET" | "HEAD");
        Self {
            method: request.method().to_owned(),
            // The same authority for all: a flavor's port must not show in the bytes.
            bytes: request.to_bytes("localhost"),
            of_process,
            deviation: None,
            stays_open: !request.is_old(),
            is_last: false,
        }
    }

    /// A request of exactly these bytes.
    fn raw(method: &str, bytes: &str) -> Self {
        Self {
            method: method.to_owned(),
            bytes: bytes.as_bytes().to_vec(),
            of_process: false,
            deviation: None,
            stays_open: !bytes.contains("HTTP/1.0"),
            is_last: false,
        }
    }

    /// Whether this text is in the request.
    pub(super) fn sends(&self, text: &str) -> bool {
        !text.is_empty()
            && self
                .bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes())
    }
}

/// All probes, in the order they are asked.
pub fn probes() -> Vec<Probe> {
    let mut requests = Vec::new();
    seed(&mut requests);
    targets::methods_on_paths(&mut requests);
    targets::odd_paths(&mut requests);
    targets::queries(&mut requests);
    bodies::bodies(&mut requests);
    headers::content_types(&mut requests);
    headers::headers(&mut requests);
    requests.push(Request::get("/persons"));
    let mut probes: Vec<Probe> = requests.iter().map(Probe::new).collect();
    probes.extend(closing());
    probes.extend(deviations::deviating());
    probes
}

const PERSON: &str = r#"{"name":"A","gender":"MALE","age":1}"#;

fn seed(requests: &mut Vec<Request>) {
    for name in [
        "Ada",
        "Jürgen",
        "李雷",
        "😀 smile",
        "quote \\\" and \\\\",
        "  spaced  ",
        "e\u{301}",
    ] {
        let body = format!(r#"{{"name":"{name}","gender":"OTHER","age":7}}"#);
        requests.push(Request::post("/persons", body));
    }
    requests.push(Request::delete("/persons/3"));
}

/// A request of HTTP/1.0 that asks to keep the connection.
fn kept_old(method: &str, path: &str) -> Request {
    Request::new(method, path)
        .version("HTTP/1.0")
        .header("connection", "keep-alive")
}

/// Requests after which the connection is over.
fn closing() -> Vec<Probe> {
    let get = |path: &str| {
        Probe::raw(
            "GET",
            &format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"),
        )
    };
    let old = |path: &str| Probe::raw("GET", &format!("GET {path} HTTP/1.0\r\n\r\n"));
    vec![
        get("/ping"),
        get("/persons"),
        get("/persons/1"),
        get("/nothing"),
        get("/persons?limit=x"),
        old("/ping"),
        old("/persons/1"),
        old("/nothing"),
        old("/persons?limit=2"),
        Probe::raw(
            "HEAD",
            "HEAD /persons HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        ),
        Probe::raw(
            "HEAD",
            "HEAD /ping HTTP/1.1\r\nhost: localhost\r\nConnection: Close\r\n\r\n",
        ),
        Probe::raw(
            "OPTIONS",
            "OPTIONS /ping HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        ),
        Probe::raw(
            "POST",
            "POST /persons HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
        ),
    ]
}

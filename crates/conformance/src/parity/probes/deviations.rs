//! Requests that one flavor cannot answer as the others do, and what it does instead.

use super::{Probe, kept_old};
use crate::http::Request;

/// A known deviation, pinned so that a change is noticed. The flavor's README tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deviation {
    /// actix refuses the request itself: 400 with an empty body, closed.
    ActixRefuses,
    /// actix sends chunks to a client of HTTP/1.0.
    ActixSendsChunks,
    /// actix serves a request that was sent after one whose answer closes the connection.
    ActixServesOn,
    /// actix closes the connection without an answer.
    ActixHangsUp,
    /// actix adds `connection: close` to the answer and closes, unread requests notwithstanding.
    ActixCloses,
    /// actix adds `connection: upgrade` to the answer and closes, although it upgrades nothing.
    ActixClaimsUpgrade,
    /// actix takes all that is sent for the body, whatever its announced length: once the client
    /// has closed its sending side, it answers 400 with `connection: close`.
    ActixReadsToTheEnd,
}

impl Probe {
    fn deviating(request: &Request, deviation: Deviation) -> Self {
        Self::new(request).with(deviation)
    }

    fn with(self, deviation: Deviation) -> Self {
        Self {
            deviation: Some(deviation),
            ..self
        }
    }
}

/// Requests that one flavor cannot answer as the others do.
pub(super) fn deviating() -> Vec<Probe> {
    let mut probes = Vec::new();
    for path in [
        "/persons/½",
        "/persons/\u{661}",
        "/hello-world?name=ü",
        "/ü",
    ] {
        for method in ["GET", "HEAD", "OPTIONS"] {
            let request = Request::new(method, path);
            probes.push(Probe::deviating(&request, Deviation::ActixRefuses));
        }
    }
    for path in ["/ping", "/persons", "/nothing", "/persons/1"] {
        let request = kept_old("POST", path);
        probes.push(Probe::deviating(&request, Deviation::ActixRefuses));
    }
    for method in ["G#", "$", "A'B", "P%41"] {
        let request = Request::new(method, "/ping");
        probes.push(Probe::deviating(&request, Deviation::ActixRefuses));
    }
    let list = Request::get("/persons").version("HTTP/1.0");
    probes.push(Probe::deviating(&list, Deviation::ActixSendsChunks));
    let list = kept_old("GET", "/persons");
    probes.push(Probe::deviating(&list, Deviation::ActixSendsChunks));
    let closing = Request::get("/ping").header("connection", "close");
    probes.push(then_another(&closing).with(Deviation::ActixServesOn));
    probes.extend(broken_chunks());
    probes.extend(connects());
    probes.extend(upgrades());
    probes
}

/// A request and, in the same bytes, another that a kept connection would serve.
fn then_another(request: &Request) -> Probe {
    let mut probe = Probe::new(request);
    probe
        .bytes
        .extend(Request::get("/ping").to_bytes("localhost"));
    probe
}

/// Bodies with a chunk whose size is no number.
fn broken_chunks() -> [Probe; 2] {
    let head = "POST /persons HTTP/1.1\r\nhost: localhost\r\n\
                content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    ["zz\r\n{}\r\n0\r\n\r\n", "2\r\n{}\r\nzz\r\n\r\n"].map(|chunks| {
        Probe {
            // Nothing more can be read after such a body.
            stays_open: false,
            ..Probe::raw("POST", &format!("{head}{chunks}"))
        }
        .with(Deviation::ActixHangsUp)
    })
}

fn connects() -> Vec<Probe> {
    let authority = Request::new("CONNECT", "a:80");
    let path = Request::new("CONNECT", "/persons");
    vec![
        Probe::deviating(&authority, Deviation::ActixCloses),
        Probe::deviating(&path, Deviation::ActixCloses),
        then_another(&path).with(Deviation::ActixCloses),
    ]
}

/// Requests for another protocol, which the service does not speak and a server may pass over.
fn upgrades() -> Vec<Probe> {
    let upgrading = |request: Request, protocol: &str| {
        request
            .header("connection", "upgrade")
            .header("upgrade", protocol)
    };
    let mut probes = Vec::new();
    for request in [
        Request::get("/ping"),
        Request::get("/nothing"),
        Request::post("/persons", "{}"),
        Request::new("POST", "/nothing"),
    ] {
        let request = upgrading(request, "h2c");
        probes.push(Probe::deviating(&request, Deviation::ActixClaimsUpgrade));
    }
    for request in [
        Request::get("/ping"),
        Request::new("POST", "/nothing").body("{}"),
    ] {
        let request = upgrading(request, "websocket");
        probes.push(Probe::deviating(&request, Deviation::ActixCloses));
    }
    // Each header on its own is enough for actix.
    let unnamed = Request::get("/ping").header("connection", "upgrade");
    probes.push(Probe::deviating(&unnamed, Deviation::ActixClaimsUpgrade));
    let unasked = Request::get("/ping").header("upgrade", "websocket");
    probes.push(Probe::deviating(&unasked, Deviation::ActixCloses));
    let get = upgrading(Request::get("/ping"), "websocket");
    probes.push(then_another(&get).with(Deviation::ActixCloses));
    let post = upgrading(Request::post("/persons", "{}"), "websocket");
    probes.push(Probe {
        stays_open: false,
        is_last: true,
        ..Probe::deviating(&post, Deviation::ActixReadsToTheEnd)
    });
    probes
}

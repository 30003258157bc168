//! The raw client tells what came, whole or not, and never hides a byte.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener},
    thread,
    time::Duration,
};

use conformance::{
    http::{Connection, Framing, Request},
    target::Target,
};

/// A server that reads one request, answers it with these bytes and closes the connection.
fn answering(bytes: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        let mut request = [0; 4096];
        assert_ne!(stream.read(&mut request).expect("a request"), 0);
        stream
            .write_all(bytes.as_bytes())
            .expect("a client that reads");
    });
    address
}

fn ask(method: &str, bytes: &'static str) -> anyhow::Result<conformance::http::Response> {
    let mut connection = Connection::open(answering(bytes))?;
    connection.write(&Request::new(method, "/").to_bytes("localhost"))?;
    connection.read_response(method)
}

#[test]
fn a_body_is_read_by_its_length() {
    let response = ask(
        "GET",
        "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 3\r\n\r\nabc",
    )
    .unwrap();
    assert_eq!((response.status, response.text().unwrap()), (200, "abc"));
    assert_eq!(response.header("x-a"), Some("b"));
    assert!(response.complete);
}

#[test]
fn a_body_is_read_by_its_chunks() {
    let bytes =
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
    let response = ask("GET", bytes).unwrap();
    assert_eq!(response.text().unwrap(), "abcde");
    assert!(response.complete);
}

#[test]
fn a_body_that_ends_early_is_not_complete() {
    for bytes in [
        "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n",
    ] {
        let response = ask("GET", bytes).unwrap();
        assert!(!response.complete, "{bytes}");
        assert!(response.body.starts_with(b"abc"), "{bytes}");
    }
}

#[test]
fn an_interim_response_is_passed_over() {
    let bytes = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n";
    let response = ask("GET", bytes).unwrap();
    assert_eq!(
        (response.status, response.framing),
        (204, Framing::Bodiless)
    );
}

#[test]
fn a_body_behind_a_head_is_found() {
    let address = answering("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc");
    let mut connection = Connection::open(address).unwrap();
    connection
        .write(&Request::head("/").to_bytes("localhost"))
        .unwrap();
    let response = connection.read_response("HEAD").unwrap();
    assert!(response.body.is_empty());
    assert!(connection.is_closed_within(Duration::from_secs(5)).is_err());
}

#[test]
fn no_response_and_no_http_are_errors() {
    assert!(ask("GET", "").is_err());
    assert!(ask("GET", "SMTP ready\r\n\r\n").is_err());
    assert!(ask("GET", "HTTP/1.1 200 OK\r\ncontent-le").is_err());
}

#[test]
fn an_answer_without_what_every_answer_has_is_refused() {
    const WHOLE: &str = "HTTP/1.1 200 OK\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\
        x-request-id: a\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 4\r\n\r\npong";
    let ping = Request::get("/ping");
    let judged = |bytes| Target::at(answering(bytes)).ask(&ping);
    assert!(judged(WHOLE).is_ok());
    for (part, instead) in [
        ("date: Sun, 06 Nov 1994 08:49:37 GMT\r\n", ""),
        ("Sun, 06 Nov 1994", "Sunday, 06-Nov-94"),
        ("x-request-id: a\r\n", ""),
        ("x-request-id: a\r\n", "x-request-id: a b\r\n"),
        (
            "x-request-id: a\r\n",
            "x-request-id: a\r\nx-request-id: b\r\n",
        ),
        ("x-request-id: a\r\n", "x-request-id: a\r\nserver: x\r\n"),
        ("; charset=utf-8", ""),
        ("content-length: 4\r\n", ""),
        ("content-length: 4\r\n", "content-length: 5\r\n"),
        ("200 OK", "201 Created"),
        ("200 OK", "500 Internal Server Error"),
    ] {
        let bytes = WHOLE.replacen(part, instead, 1);
        assert_ne!(bytes, WHOLE);
        let bytes: &'static str = bytes.leak();
        assert!(judged(bytes).is_err(), "{bytes}");
    }
}

#[test]
fn a_problem_is_refused_unless_every_byte_that_is_known_beforehand_fits() {
    const PROBLEM: &str =
        r#"{"type":"about:blank","title":"Not Found","status":404,"detail":"no","instance":"/x"}"#;
    let judged = |problem: &str, path: &str| {
        let bytes = format!(
            "HTTP/1.1 404 Not Found\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\nx-request-id: a\r\n\
             content-type: application/problem+json\r\ncontent-length: {}\r\n\r\n{problem}",
            problem.len()
        );
        Target::at(answering(bytes.leak())).ask(&Request::get(path))
    };
    assert!(judged(PROBLEM, "/x?y=1").is_ok());
    assert!(judged(PROBLEM, "/y").is_err());
    for (part, instead) in [
        ("about:blank", "https://example.com"),
        ("Not Found", "Missing"),
        ("\"status\":404", "\"status\":400"),
        ("\"no\"", "\"\""),
        ("\"no\"", "\"thread panicked at src/main.rs:7\""),
        (",\"instance\":\"/x\"", ""),
        ("}", ",\"violations\":[]}"),
        ("\"status\":404,", "\"status\": 404,"),
    ] {
        let problem = PROBLEM.replacen(part, instead, 1);
        assert_ne!(problem, PROBLEM);
        assert!(judged(&problem, "/x").is_err(), "{problem}");
    }
}

//! The general part: what every answer carries.

use std::collections::HashSet;

use anyhow::{Result, ensure};

use super::NOBODY;
use crate::{
    case::Case,
    http::{Framing, Request},
    target::Target,
};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "every kind of answer is framed, dated and typed",
        &["0.4", "0.6", "0.7", "0.8", "0.9", "0.10"],
        all_kinds,
    )
    .before_load(),
    Case::url(
        "no answer names the software that gave it",
        &["0.1"],
        nameless,
    ),
    Case::url(
        "a valid request id comes back as it was sent",
        &["0.12"],
        echoed,
    )
    .before_load(),
    Case::url(
        "an invalid request id is replaced by a made one",
        &["0.13"],
        replaced,
    ),
    Case::url("made request ids are all different", &["0.13"], made),
    Case::url(
        "many requests go over one connection, also in one go",
        &["6.26"],
        kept_alive,
    )
    .before_load(),
];

/// One request for each kind of answer, and the content type of that.
fn kinds() -> [(Request, Option<&'static str>); 10] {
    let json = Some("application/json");
    let problem = Some("application/problem+json");
    [
        (Request::get("/"), Some("text/plain; charset=utf-8")),
        (Request::get("/hello-world"), json),
        (Request::get("/persons"), json),
        (Request::get("/persons?limit=3"), json),
        (Request::get("/health"), json),
        (Request::get("/info"), json),
        (
            Request::get("/metrics"),
            Some("text/plain; version=0.0.4; charset=utf-8"),
        ),
        (Request::get(format!("/persons/{NOBODY}")), problem),
        (Request::post("/persons", "{}"), problem),
        (Request::options("/persons"), None),
    ]
}

fn all_kinds(target: &Target) -> Result<()> {
    for (request, content_type) in kinds() {
        // Date, length and form of the answer are checked by the client, on this as on every answer.
        let response = target.ask(&request)?;
        ensure!(
            response.header("content-type") == content_type,
            "{}: the content type is {:?}",
            request.path(),
            response.header("content-type")
        );
        ensure!(
            content_type.is_none()
                || matches!(response.framing, Framing::Length | Framing::Chunked),
            "the length of {} is not told",
            request.path()
        );
    }
    Ok(())
}

fn nameless(target: &Target) -> Result<()> {
    const EXPECTED: [&str; 9] = [
        "allow",
        "content-length",
        "content-type",
        "date",
        "link",
        "transfer-encoding",
        "vary",
        "x-request-id",
        "x-total-count",
    ];
    for (request, _) in kinds() {
        let response = target.ask(&request)?;
        for name in response.header_names() {
            ensure!(
                EXPECTED.contains(&name),
                "{} answers with the header {name}",
                request.path()
            );
        }
    }
    Ok(())
}

fn echoed(target: &Target) -> Result<()> {
    let ids = [
        "a",
        "0",
        "AZaz09._-",
        "...",
        "-",
        &"x".repeat(128),
        "7c2a1f3e-0d1b-4c55-9d5b-0a8a6c0f1e2d",
    ];
    for id in ids {
        for (request, _) in kinds() {
            let response = target.ask(&request.header("x-request-id", id))?;
            response.expect_header("x-request-id", id)?;
        }
        let shouted = target.ask(&Request::get("/ping").header("X-REQUEST-ID", id))?;
        shouted.expect_header("x-request-id", id)?;
    }
    Ok(())
}

fn replaced(target: &Target) -> Result<()> {
    let long = "x".repeat(129);
    let ids: [&[u8]; 12] = [
        b"",
        long.as_bytes(),
        b"a b",
        b"a,b",
        b"a/b",
        b"a:b",
        b"\"a\"",
        b"a\tb",
        b"caf\xc3\xa9",
        b"\xff",
        b"a@b",
        b"a+b",
    ];
    for id in ids {
        let response = target
            .ask(&Request::get("/ping").header("x-request-id", id))?
            .expect_status(200)?;
        let made = response.required_header("x-request-id")?;
        ensure!(made.as_bytes() != id, "{} came back", id.escape_ascii());
    }
    Ok(())
}

fn made(target: &Target) -> Result<()> {
    const REQUESTS: usize = 60;
    let mut first = target.connect()?;
    let mut second = target.connect()?;
    let mut ids = HashSet::new();
    for _ in 0..REQUESTS / 2 {
        for client in [&mut first, &mut second] {
            let response = client.ask(&Request::get("/ping"))?;
            ids.insert(response.required_header("x-request-id")?.to_owned());
        }
    }
    ensure!(
        ids.len() == REQUESTS,
        "{REQUESTS} requests had {} ids",
        ids.len()
    );
    Ok(())
}

fn kept_alive(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    for number in 0..50 {
        let id = format!("kept-{number}");
        let response = client.ask(&Request::get("/ping").header("x-request-id", id.clone()))?;
        ensure!(
            !response.closes(),
            "the connection is closed after {number} requests"
        );
        response.expect_header("x-request-id", &id)?;
    }
    let pipelined: Vec<Request> = (0..10)
        .map(|number| Request::get("/ping").header("x-request-id", format!("piped-{number}")))
        .collect();
    let bytes: Vec<u8> = pipelined
        .iter()
        .flat_map(|request| client.bytes_of(request))
        .collect();
    client.send_bytes(&bytes)?;
    for request in &pipelined {
        client
            .receive(request)?
            .expect_status(200)?
            .expect_body("pong")?;
    }
    Ok(())
}

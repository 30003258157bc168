//! Sections 4 and 5: what a store that is down, hangs, panics or fails midway does to the answers.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use super::{add_many, scrape::eventually};
use crate::{
    case::{Case, FaultyServer, StartWithFaults, StoreFault},
    http::{Framing, Request, Response},
};

pub(super) const CASES: &[Case] = &[
    Case::faults(
        "health and readiness are DOWN while the store is, and UP again after",
        &["4.3", "4.7"],
        down,
    ),
    Case::faults(
        "health and readiness are DOWN within seconds when the store hangs",
        &["4.2", "4.7"],
        hanging,
    ),
    Case::faults(
        "liveness is UP though the store is down or hangs",
        &["4.4", "4.5"],
        live,
    ),
    Case::faults(
        "every operation on persons is 503 while the store is down",
        &["5.45"],
        unavailable,
    ),
    Case::faults(
        "a refused body is told before the store is asked",
        &["5.45", "5.13"],
        checks_go_first,
    ),
    Case::faults(
        "a handler that panics answers 500 and the next request is served",
        &["5.46", "5.47", "4.16"],
        panicking,
    ),
    Case::faults(
        "a list that fails midway is cut without its last chunk",
        &["5.44"],
        cut,
    ),
    Case::faults(
        "readiness is OUT_OF_SERVICE once the shutdown has begun, liveness and health stay UP",
        &["4.8"],
        stopping,
    ),
];

const PERSON: &str = r#"{"name":"A","gender":"MALE","age":1}"#;
const DOWN: &str = r#"{"status":"DOWN"}"#;
const HEALTH_DOWN: &str = r#"{"status":"DOWN","components":{"store":{"status":"DOWN"}}}"#;
const HEALTH_UP: &str = r#"{"status":"UP","components":{"store":{"status":"UP"}}}"#;

fn ask(server: &FaultyServer, path: &str) -> Result<Response> {
    server
        .target()
        .ask(&Request::get(path))
        .with_context(|| path.to_owned())
}

fn down(start: &StartWithFaults) -> Result<()> {
    let server = start()?;
    for _ in 0..2 {
        ask(&server, "/health")?
            .expect_status(200)?
            .expect_body(HEALTH_UP)?;
        ask(&server, "/health/readiness")?
            .expect_status(200)?
            .expect_body(r#"{"status":"UP"}"#)?;
        server.set(StoreFault::Down);
        for path in ["/health", "/management/health"] {
            let health = ask(&server, path)?.expect_status(503)?;
            health
                .expect_header("content-type", "application/json")?
                .expect_body(HEALTH_DOWN)?;
        }
        ask(&server, "/health/readiness")?
            .expect_status(503)?
            .expect_body(DOWN)?;
        server.set(StoreFault::None);
    }
    Ok(())
}

fn hanging(start: &StartWithFaults) -> Result<()> {
    /// The contract gives the store one second; the rest is for a busy machine.
    const PATIENCE: Duration = Duration::from_secs(8);
    let server = start()?;
    server.set(StoreFault::Hang);
    for (path, body) in [("/health", HEALTH_DOWN), ("/health/readiness", DOWN)] {
        let begin = Instant::now();
        ask(&server, path)?.expect_status(503)?.expect_body(body)?;
        ensure!(
            begin.elapsed() < PATIENCE,
            "{path} took {:?}",
            begin.elapsed()
        );
        ensure!(
            begin.elapsed() >= Duration::from_millis(900),
            "{path} gave the store only {:?}",
            begin.elapsed()
        );
    }
    server.set(StoreFault::None);
    ask(&server, "/health")?
        .expect_status(200)?
        .expect_body(HEALTH_UP)?;
    Ok(())
}

fn live(start: &StartWithFaults) -> Result<()> {
    let server = start()?;
    for fault in [StoreFault::Down, StoreFault::Hang, StoreFault::Panic] {
        server.set(fault);
        ask(&server, "/health/liveness")?
            .expect_status(200)?
            .expect_body(r#"{"status":"UP"}"#)?;
    }
    Ok(())
}

/// Every operation on persons, each a good request for a person that was there.
fn operations(id: u64) -> [Request; 8] {
    let path = format!("/persons/{id}");
    [
        Request::post("/persons", PERSON),
        Request::get("/persons"),
        Request::get("/persons?limit=10"),
        Request::get(path.clone()),
        Request::put(path.clone(), PERSON),
        Request::patch(path.clone(), r#"{"age":2}"#),
        Request::delete(path.clone()),
        Request::head(path),
    ]
}

fn unavailable(start: &StartWithFaults) -> Result<()> {
    let server = start()?;
    let id = server.target().add_person("Kept", "OTHER", 1)?;
    server.set(StoreFault::Down);
    for request in operations(id) {
        let place = || format!("{} {}", request.method(), request.path());
        let response = server.target().ask(&request).with_context(place)?;
        response
            .expect_status(503)
            .and_then(|it| it.expect_header("retry-after", "1"))
            .with_context(place)?;
    }
    // Nothing else depends on the store.
    for path in [
        "/",
        "/ping",
        "/hello-world",
        "/info",
        "/metrics",
        "/api-docs/openapi.json",
    ] {
        ask(&server, path)?.expect_status(200)?;
    }
    server.set(StoreFault::None);
    ask(&server, &format!("/persons/{id}"))?
        .expect_status(200)?
        .expect_body(&format!(
            r#"{{"id":{id},"name":"Kept","gender":"OTHER","age":1}}"#
        ))?;
    Ok(())
}

fn checks_go_first(start: &StartWithFaults) -> Result<()> {
    let server = start()?;
    server.set(StoreFault::Down);
    let requests = [
        (Request::post("/persons", "{"), 400),
        (Request::post("/persons", "{}"), 422),
        (
            Request::new("POST", "/persons").typed("text/plain", PERSON),
            415,
        ),
        (Request::put("/persons/x", PERSON), 400),
        (Request::get("/persons?limit=0"), 400),
        (Request::new("PUT", "/persons"), 405),
        (Request::get("/nothing"), 404),
    ];
    for (request, status) in requests {
        server.target().ask(&request)?.expect_status(status)?;
    }
    Ok(())
}

fn panicking(start: &StartWithFaults) -> Result<()> {
    let server = start()?;
    let id = server.target().add_person("Kept", "OTHER", 1)?;
    let get = Request::get(format!("/persons/{id}"));
    for _ in 0..5 {
        server.set(StoreFault::Panic);
        let mut client = server.target().connect()?;
        client.ask(&get)?.expect_status(500)?;
        server
            .target()
            .ask(&Request::post("/persons", PERSON))?
            .expect_status(500)?;
        server.set(StoreFault::None);
        server.target().ask(&get)?.expect_status(200)?;
    }
    eventually(
        &server.target(),
        "5 panics of GET /persons/{id}",
        |metrics| metrics.requests("GET", "/persons/{id}", "500") >= 5.0,
    )?;
    Ok(())
}

fn cut(start: &StartWithFaults) -> Result<()> {
    let server = start()?;
    // About 4 MB go out before the failure: more than a server holds back.
    let name = "\u{1f600}".repeat(255);
    let person = Request::post(
        "/persons",
        format!(r#"{{"name":"{name}","gender":"OTHER","age":1}}"#),
    );
    add_many(&mut server.target().connect()?, &person, 5000)?;
    server.set(StoreFault::Midway);
    let list = Request::get("/persons");
    let mut client = server.target().connect()?;
    client.send(&list)?;
    let response = client.receive_unjudged(&list)?;
    ensure!(response.status == 200, "the status is {}", response.status);
    ensure!(
        response.framing == Framing::Chunked,
        "the list is not chunked"
    );
    ensure!(
        !response.complete,
        "a list that failed midway ends as if it were whole"
    );
    server.set(StoreFault::None);
    let whole = server.target().ask(&list)?.expect_status(200)?;
    ensure!(
        whole.body.len() > response.body.len(),
        "the whole list is no longer than the cut one"
    );
    Ok(())
}

fn stopping(start: &StartWithFaults) -> Result<()> {
    let server = start()?;
    ask(&server, "/health/readiness")?.expect_status(200)?;
    (server.begin_shutdown)();
    for fault in [StoreFault::None, StoreFault::Down] {
        server.set(fault);
        let readiness = ask(&server, "/health/readiness")?.expect_status(503)?;
        readiness
            .expect_header("content-type", "application/json")?
            .expect_body(r#"{"status":"OUT_OF_SERVICE"}"#)?;
        ask(&server, "/health/liveness")?.expect_status(200)?;
    }
    server.set(StoreFault::None);
    ask(&server, "/health")?.expect_status(200)?;
    Ok(())
}

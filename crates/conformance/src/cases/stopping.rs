//! Section 6: the graceful stop.

use std::{
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};

use super::{add_many, ids_of};
use crate::{
    case::Case,
    http::Request,
    process::{Binary, Server, Signal},
    target::Client,
};

pub(super) const CASES: &[Case] = &[
    Case::process(
        "SIGTERM and SIGINT end with exit code 0",
        &["6.27"],
        signals,
    ),
    Case::process(
        "a request in flight is finished",
        &["6.28", "6.27"],
        in_flight,
    ),
    Case::process(
        "a streamed list in flight is finished",
        &["6.29", "6.27"],
        streamed,
    ),
    Case::process(
        "the listener is closed when the shutdown begins",
        &["6.30"],
        listener,
    ),
    Case::process("idle connections do not hold the shutdown", &["6.31"], idle),
    Case::process(
        "what is left after the grace is cut, with exit code 0",
        &["6.32", "6.17"],
        grace,
    ),
    Case::process(
        "a second signal ends at once with exit code 1",
        &["6.33"],
        second_signal,
    ),
    Case::process(
        "readiness that is answered after SIGTERM is OUT_OF_SERVICE",
        &["4.8"],
        out_of_service,
    ),
];

/// How long a busy machine may take for what is done at once.
const PATIENCE: Duration = Duration::from_secs(30);

const PERSON: &str = r#"{"name":"In flight","gender":"OTHER","age":1}"#;

/// A connection on which all of a POST but its last byte was sent and taken up by a handler.
fn half_sent(server: &Server) -> Result<(Client, Request)> {
    let post = Request::post("/persons", PERSON);
    let mut client = server.target().connect()?;
    let bytes = client.bytes_of(&post);
    client.send_bytes(&bytes[..bytes.len() - 1])?;
    let deadline = Instant::now() + PATIENCE;
    while !is_in_flight(server)? {
        ensure!(
            Instant::now() < deadline,
            "the request is not in flight after {PATIENCE:?}"
        );
        thread::sleep(Duration::from_millis(10));
    }
    Ok((client, post))
}

/// Whether there is a request in flight beside the scrape that tells.
fn is_in_flight(server: &Server) -> Result<bool> {
    let metrics = server.target().ask(&Request::get("/metrics"))?;
    let active: f64 = metrics
        .text()?
        .lines()
        .filter(|line| line.starts_with("http_server_active_requests"))
        .filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok())
        .sum();
    Ok(active >= 2.0)
}

/// Waits until new connections are refused: the shutdown has begun.
fn await_closed_listener(server: &Server) -> Result<()> {
    let address = server.target().address();
    let deadline = Instant::now() + PATIENCE;
    while TcpStream::connect_timeout(&address, Duration::from_secs(5)).is_ok() {
        ensure!(
            Instant::now() < deadline,
            "connections are accepted {PATIENCE:?} after the signal"
        );
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

fn signals(binary: &Binary) -> Result<()> {
    for signal in [Signal::TERM, Signal::INT] {
        let server = binary.start(&[])?;
        server.target().ask(&Request::get("/ping"))?;
        let ended = server.end_by(signal)?;
        ensure!(
            ended.code == Some(0),
            "after {signal:?} the exit code is {:?}",
            ended.code
        );
        ensure!(
            !ended.stderr.contains("panicked"),
            "it panicked: {}",
            ended.stderr
        );
        // Before any request too.
        let ended = binary.start(&[])?.end_by(signal)?;
        ensure!(
            ended.code == Some(0),
            "after {signal:?} the exit code is {:?}",
            ended.code
        );
    }
    Ok(())
}

fn in_flight(binary: &Binary) -> Result<()> {
    for signal in [Signal::TERM, Signal::INT] {
        let mut server = binary.start(&[])?;
        let (mut client, post) = half_sent(&server)?;
        server.signal(signal)?;
        await_closed_listener(&server)?;
        ensure!(server.is_running()?, "it ended with a request in flight");
        client.send_bytes(b"}")?;
        let response = client.receive(&post)?.expect_status(200)?;
        response.expect_body(r#"{"id":1,"name":"In flight","gender":"OTHER","age":1}"#)?;
        ensure!(
            client.is_closed_within(PATIENCE)?,
            "the connection stays open"
        );
        let ended = server.wait()?;
        ensure!(ended.code == Some(0), "the exit code is {:?}", ended.code);
    }
    Ok(())
}

fn streamed(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--log-level", "warn"])?;
    add_large(&server)?;
    let list = Request::get("/persons");
    let mut reader = server.target().connect()?;
    reader.send(&list)?;
    let head = reader.receive_head(&list)?.expect_status(200)?;
    server.signal(Signal::TERM)?;
    await_closed_listener(&server)?;
    let whole = reader.receive_rest(&list, head).context("after SIGTERM")?;
    let count = ids_of(&whole.json()?).len();
    ensure!(count == LARGE, "the list has {count} persons");
    drop(reader);
    let ended = server.wait()?;
    ensure!(ended.code == Some(0), "the exit code is {:?}", ended.code);
    Ok(())
}

fn listener(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let (mut client, post) = half_sent(&server)?;
    server.signal(Signal::TERM)?;
    await_closed_listener(&server)?;
    client.send_bytes(b"}")?;
    client.receive(&post)?.expect_status(200)?;
    Ok(())
}

fn idle(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--shutdown-grace", "2m"])?;
    let mut used = Vec::new();
    for _ in 0..3 {
        let mut client = server.target().connect()?;
        client.ask(&Request::get("/ping"))?.expect_status(200)?;
        used.push(client);
    }
    // One that never sent a byte is idle too.
    let silent = server.target().connect()?;
    // The process has 30 s to end, a quarter of its grace.
    let ended = server
        .end_by(Signal::TERM)
        .context("with idle connections")?;
    ensure!(ended.code == Some(0), "the exit code is {:?}", ended.code);
    for mut client in used {
        ensure!(
            client.is_closed_within(PATIENCE)?,
            "an idle connection is open"
        );
    }
    drop(silent);
    Ok(())
}

fn grace(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--shutdown-grace", "1200ms"])?;
    let (mut client, _) = half_sent(&server)?;
    let begin = Instant::now();
    server.signal(Signal::TERM)?;
    let ended = server.wait()?;
    let took = begin.elapsed();
    ensure!(ended.code == Some(0), "the exit code is {:?}", ended.code);
    ensure!(
        took >= Duration::from_millis(1100),
        "it was cut after {took:?}"
    );
    ensure!(
        took < Duration::from_secs(15),
        "it was cut only after {took:?}"
    );
    ensure!(client.is_closed_within(PATIENCE)?, "the connection is open");
    Ok(())
}

fn second_signal(binary: &Binary) -> Result<()> {
    for (first, second) in [
        (Signal::TERM, Signal::TERM),
        (Signal::INT, Signal::INT),
        (Signal::TERM, Signal::INT),
    ] {
        // The grace is longer than the wait for the end.
        let server = binary.start(&["--shutdown-grace", "2m"])?;
        let (_client, _) = half_sent(&server)?;
        server.signal(first)?;
        await_closed_listener(&server)?;
        let ended = server.end_by(second)?;
        ensure!(
            ended.code == Some(1),
            "after {first:?} and {second:?} the exit code is {:?}",
            ended.code
        );
    }
    Ok(())
}

fn out_of_service(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let readiness = Request::get("/health/readiness");
    let (mut in_flight, post) = half_sent(&server)?;
    let mut client = server.target().connect()?;
    let bytes = client.bytes_of(&readiness);
    let (first, rest) = bytes.split_at(bytes.len() - 2);
    client.send_bytes(first)?;
    // The server has read it when it has answered on other connections.
    for _ in 0..2 {
        server.target().ask(&Request::get("/ping"))?;
        thread::sleep(Duration::from_millis(100));
    }
    server.signal(Signal::TERM)?;
    await_closed_listener(&server)?;
    client.send_bytes(rest)?;
    // A flavor may close a connection whose head is not whole: then nobody is told that it is ready.
    if let Ok(response) = client.receive(&readiness) {
        response
            .expect_status(503)?
            .expect_body(r#"{"status":"OUT_OF_SERVICE"}"#)?;
    }
    in_flight.send_bytes(b"}")?;
    in_flight.receive(&post)?.expect_status(200)?;
    let ended = server.wait()?;
    ensure!(ended.code == Some(0), "the exit code is {:?}", ended.code);
    Ok(())
}

/// How many persons [`add_large`] adds.
const LARGE: usize = 8_000;

/// Adds persons that make a list of about 8 MB: more than the buffers of a connection hold.
fn add_large(server: &Server) -> Result<()> {
    let name = "\u{1f600}".repeat(255);
    let body = format!(r#"{{"name":"{name}","gender":"OTHER","age":1}}"#);
    let mut client = server.target().connect()?;
    add_many(&mut client, &Request::post("/persons", body), LARGE)
}

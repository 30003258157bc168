//! Section 4: what the metrics tell of the process, its connections and its store.

use std::{
    fs,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Result, ensure};

use super::{
    memory_bytes,
    scrape::{Metrics, eventually},
};
use crate::{case::Case, http::Request, process::Binary};

pub(super) const CASES: &[Case] = &[
    Case::process(
        "requests in flight are counted and discounted",
        &["4.20"],
        in_flight,
    ),
    Case::process(
        "open connections are counted and discounted",
        &["4.21"],
        connections,
    ),
    Case::process(
        "the process is measured: memory, processor, descriptors, start",
        &["4.22", "4.23", "4.24", "4.25"],
        of_process,
    ),
    Case::process(
        "persons stored follow adding and deleting",
        &["4.26"],
        persons_stored,
    ),
];

fn in_flight(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let target = server.target();
    let idle = Metrics::of(target)?.sum("http_server_active_requests");
    let post = Request::post("/persons", r#"{"name":"A","gender":"MALE","age":1}"#);
    let mut waiting = Vec::new();
    for _ in 0..3 {
        let mut client = target.connect()?;
        let bytes = client.bytes_of(&post);
        client.send_bytes(&bytes[..bytes.len() - 1])?;
        waiting.push(client);
    }
    eventually(target, "3 more requests in flight", |metrics| {
        metrics.sum("http_server_active_requests") == idle + 3.0
    })?;
    for client in &mut waiting {
        client.send_bytes(b"}")?;
        client.receive(&post)?.expect_status(200)?;
    }
    // One that its client gives up is in flight no longer either.
    let mut given_up = target.connect()?;
    let bytes = given_up.bytes_of(&post);
    given_up.send_bytes(&bytes[..bytes.len() - 1])?;
    drop(given_up);
    eventually(
        target,
        "no more requests in flight than before",
        |metrics| metrics.sum("http_server_active_requests") == idle,
    )?;
    Ok(())
}

fn connections(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let target = server.target();
    let idle = Metrics::of(target)?.sum("http_server_connections");
    ensure!(idle >= 1.0, "the connection of the scrape is not counted");
    let mut held = Vec::new();
    for _ in 0..5 {
        let mut client = target.connect()?;
        client.ask(&Request::get("/ping"))?;
        held.push(client);
    }
    eventually(target, "5 more connections", |metrics| {
        metrics.sum("http_server_connections") == idle + 5.0
    })?;
    drop(held);
    eventually(target, "no more connections than before", |metrics| {
        metrics.sum("http_server_connections") == idle
    })?;
    Ok(())
}

fn of_process(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let target = server.target();
    let metrics = Metrics::of(target)?;
    #[expect(clippy::cast_precision_loss, reason = "a few MB are exact in a float")]
    let memory = memory_bytes(server.id())? as f64;
    let told = metrics.value("process_resident_memory_bytes")?;
    ensure!(
        (memory / 2.0..memory * 2.0).contains(&told),
        "the memory is {told} of {memory} bytes"
    );
    let fds = fs::read_dir(format!("/proc/{}/fd", server.id()))?.count();
    let told = metrics.value("process_open_fds")?;
    ensure!(
        (f64::from(u32::try_from(fds)?) - told).abs() <= 4.0,
        "{told} descriptors are told of {fds}"
    );
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs_f64();
    let start = metrics.value("process_start_time_seconds")?;
    ensure!(
        (now - 120.0..now + 5.0).contains(&start),
        "the start is {start}, now it is {now}"
    );
    let cpu = metrics.value("process_cpu_seconds_total")?;
    ensure!((0.0..60.0).contains(&cpu), "the processor time is {cpu} s");
    eventually(target, "more processor time", |metrics| {
        // The scrapes cost processor time too; these make it sooner.
        let worked = (0..20).all(|_| target.ask(&Request::get("/ping")).is_ok());
        worked && metrics.sum("process_cpu_seconds_total") > cpu
    })?;
    Ok(())
}

fn persons_stored(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let target = server.target();
    let stored = || Metrics::of(target)?.value("persons_stored");
    ensure!(stored()? == 0.0, "a fresh store has {} persons", stored()?);
    for _ in 0..3 {
        target.add_person("Stored", "OTHER", 1)?;
    }
    ensure!(stored()? == 3.0, "{} persons are stored of 3", stored()?);
    target
        .ask(&Request::delete("/persons/2"))?
        .expect_status(204)?;
    target
        .ask(&Request::delete("/persons/2"))?
        .expect_status(404)?;
    target
        .ask(&Request::post("/persons", "{}"))?
        .expect_status(422)?;
    ensure!(stored()? == 2.0, "{} persons are stored of 2", stored()?);
    Ok(())
}

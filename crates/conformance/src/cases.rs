//! The list of all cases, by section of the contract.

mod bodies;
mod changes;
mod documents;
mod errors;
mod faults;
mod fields;
mod flags;
mod gauges;
mod greetings;
mod headers;
mod lists;
mod logs;
mod management;
mod methods;
mod metrics;
mod pages;
mod parity;
mod paths;
mod persons;
mod scrape;
mod starting;
mod stopping;

use std::fs;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::{
    case::Case,
    http::Request,
    process::{Binary, Server},
    target::Client,
};

/// An id that no person has, the largest there is.
const NOBODY: u64 = u64::MAX;

/// Every case, in the order of the contract.
pub fn all() -> impl Iterator<Item = &'static Case> {
    [
        headers::CASES,
        greetings::CASES,
        persons::CASES,
        changes::CASES,
        fields::CASES,
        paths::CASES,
        lists::CASES,
        pages::CASES,
        management::CASES,
        metrics::CASES,
        gauges::CASES,
        documents::CASES,
        bodies::CASES,
        methods::CASES,
        errors::CASES,
        faults::CASES,
        flags::CASES,
        starting::CASES,
        logs::CASES,
        stopping::CASES,
        parity::CASES,
    ]
    .into_iter()
    .flatten()
}

/// The ids in a list of persons, in the order they stand.
fn ids_of(list: &Value) -> Vec<u64> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(|person| person["id"].as_u64())
        .collect()
}

/// The resident memory of a process, in bytes.
fn memory_bytes(process: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let kilobytes: u64 = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse().ok())
        .context("the system does not tell the resident memory")?;
    Ok(kilobytes * 1024)
}

/// Sends the same request many times, a few in flight.
fn add_many(client: &mut Client, person: &Request, count: usize) -> Result<()> {
    const IN_FLIGHT: usize = 20;
    let mut left = count;
    while left > 0 {
        let some = left.min(IN_FLIGHT);
        for _ in 0..some {
            client.send(person)?;
        }
        for _ in 0..some {
            client.receive(person)?.expect_status(200)?;
        }
        left -= some;
    }
    Ok(())
}

/// A fresh server with this many persons, whose ids begin at 1.
fn with_persons(binary: &Binary, count: usize) -> Result<Server> {
    let server = binary.start(&["--log-level", "warn"])?;
    let mut client = server.target().connect()?;
    let person = Request::post(
        "/persons",
        r#"{"name":"One of many","gender":"OTHER","age":1}"#,
    );
    add_many(&mut client, &person, count)?;
    Ok(server)
}

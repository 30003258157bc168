//! The same requests to every flavor, ordinary and odd ones, and what differs between the answers.

mod probes;

use std::collections::BTreeMap;

use anyhow::{Result, ensure};

pub use probes::{Probe, probes};

use crate::{
    http::{Connection, Response},
    target::Target,
};

/// What a flavor made of a probe, without what may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    /// The status, or why there was no response.
    status: Result<u16, String>,
    /// Values by name; a value that may differ is left empty.
    headers: BTreeMap<String, Vec<String>>,
    body: Vec<u8>,
    /// Whether the server closed the connection after the answer.
    closed: bool,
}

/// Asks every flavor all probes in the same order and compares the answers.
///
/// The servers must be fresh: ids, counts and lists are part of the answers.
///
/// # Errors
/// Fails with every difference: the probe, and what each flavor answered.
pub fn compare(flavors: &[(&'static str, Target)]) -> Result<()> {
    let mut differences = Vec::new();
    let probes = probes();
    for probe in &probes {
        let answers: Vec<(&str, Answer)> = flavors
            .iter()
            .map(|(name, target)| Ok((*name, ask(target, probe)?)))
            .collect::<Result<_>>()?;
        let first = &answers[0].1;
        if answers.iter().any(|(_, answer)| answer != first) {
            differences.push(told(probe, &answers));
        }
    }
    ensure!(
        differences.is_empty(),
        "{} of {} requests are answered differently:\n{}",
        differences.len(),
        probes.len(),
        differences.join("\n")
    );
    Ok(())
}

fn ask(target: &Target, probe: &Probe) -> Result<Answer> {
    let mut connection = Connection::open(target.address())?;
    connection.write(&probe.bytes)?;
    let response = match connection.read_response(&probe.method) {
        Ok(response) => response,
        Err(error) => {
            return Ok(Answer {
                status: Err(format!("{error:#}")),
                headers: BTreeMap::new(),
                body: Vec::new(),
                closed: true,
            });
        }
    };
    let closed = match connection.is_closed_within(probe.patience) {
        Ok(closed) => closed,
        Err(error) => {
            return Ok(Answer {
                status: Err(format!("{} and then: {error:#}", response.status)),
                headers: BTreeMap::new(),
                body: response.body,
                closed: false,
            });
        }
    };
    Ok(reduced(probe, response, closed))
}

/// A response without what may differ: the date, made request ids, and what tells of the process.
fn reduced(probe: &Probe, response: Response, closed: bool) -> Answer {
    let mut headers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in response.headers {
        let value = value.escape_ascii().to_string();
        let differs = match name.as_str() {
            "date" => true,
            "x-request-id" => !probe.sends(&value),
            "content-length" => probe.of_process,
            _ => false,
        };
        let kept = if differs { String::new() } else { value };
        headers.entry(name).or_default().push(kept);
    }
    let body = if probe.of_process {
        Vec::new()
    } else {
        response.body
    };
    Answer {
        status: Ok(response.status),
        headers,
        body,
        closed,
    }
}

fn told(probe: &Probe, answers: &[(&str, Answer)]) -> String {
    let mut text = format!(
        "- {}",
        probe.bytes[..probe.bytes.len().min(300)].escape_ascii()
    );
    for (name, answer) in answers {
        let status = match &answer.status {
            Ok(status) => status.to_string(),
            Err(error) => format!("no answer: {error}"),
        };
        let headers: Vec<String> = answer
            .headers
            .iter()
            .map(|(name, values)| format!("{name}: {}", values.join(" & ")))
            .collect();
        let shown = &answer.body[..answer.body.len().min(300)];
        text.push_str(&format!(
            "\n    {name}: {status}, {}{}, {}",
            headers.join("; "),
            if answer.closed { ", closed" } else { "" },
            shown.escape_ascii()
        ));
    }
    text
}

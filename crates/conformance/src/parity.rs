//! The same requests to every flavor, ordinary and odd ones, and what differs between the answers.

mod probes;

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Result, ensure};

pub use probes::{Deviation, Probe, probes};

use crate::{
    http::{Connection, Request, Response},
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
    after: After,
}

/// What became of the connection after the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// It served another request.
    Serves,
    /// It was closed, as the answer had said, or without an answer.
    Closed,
    /// It served another request although the answer had said that it would be closed.
    ServesOn,
    /// It did not do as the answer had said in another way.
    Broken,
}

impl Answer {
    /// The same answer where it says this of the connection, and is the last on it.
    fn closing_with(&self, connection: &str) -> Self {
        let mut answer = self.clone();
        answer
            .headers
            .insert("connection".to_owned(), vec![connection.to_owned()]);
        answer.after = After::Closed;
        answer
    }
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
        if !agree(probe, &answers) {
            differences.push(told(probe, &answers));
        }
    }
    ensure!(
        differences.is_empty(),
        "{} of {} requests are answered differently, or break the connection:\n{}",
        differences.len(),
        probes.len(),
        differences.join("\n")
    );
    Ok(())
}

/// Whether all answers are the same and keep the connection as they say; of a flavor with a known
/// deviation, whether it still deviates so.
fn agree(probe: &Probe, answers: &[(&str, Answer)]) -> bool {
    let (deviating, alike): (Vec<_>, Vec<_>) = answers
        .iter()
        .partition(|(name, _)| probe.deviation.is_some() && *name == "actix");
    let Some((_, first)) = alike.first() else {
        return true;
    };
    let deviates = |answer: &Answer| match probe.deviation {
        Some(Deviation::ActixRefuses) => {
            answer.status == Ok(400) && answer.body.is_empty() && answer.after == After::Closed
        }
        Some(Deviation::ActixSendsChunks) => {
            answer.headers.contains_key("transfer-encoding") && answer.body == first.body
        }
        Some(Deviation::ActixServesOn) => {
            answer.after == After::ServesOn
                && answer.headers == first.headers
                && answer.body == first.body
        }
        Some(Deviation::ActixHangsUp) => answer.status.is_err() && answer.after == After::Closed,
        Some(Deviation::ActixCloses) => *answer == first.closing_with("close"),
        Some(Deviation::ActixClaimsUpgrade) => *answer == first.closing_with("upgrade"),
        Some(Deviation::ActixReadsToTheEnd) => {
            answer.status == Ok(400)
                && answer.after == After::Closed
                && answer.headers.get("connection") == Some(&vec!["close".to_owned()])
        }
        None => false,
    };
    first.status.is_ok()
        && matches!(first.after, After::Serves | After::Closed)
        && alike.iter().all(|(_, answer)| answer == first)
        && deviating.iter().all(|(_, answer)| deviates(answer))
}

fn ask(target: &Target, probe: &Probe) -> Result<Answer> {
    let mut connection = Connection::open(target.address())?;
    connection.write(&probe.bytes)?;
    if probe.is_last {
        connection.close_sending()?;
    }
    match connection.read_response(&probe.method) {
        Ok(response) => {
            let after = after(&mut connection, probe, &response);
            Ok(reduced(probe, response, after))
        }
        Err(error) => Ok(Answer {
            status: Err(format!("{error:#}")),
            headers: BTreeMap::new(),
            body: Vec::new(),
            after: match connection.is_closed_within(Duration::ZERO) {
                Ok(true) => After::Closed,
                _ => After::Broken,
            },
        }),
    }
}

fn after(connection: &mut Connection, probe: &Probe, response: &Response) -> After {
    let stays = match response.header("connection") {
        Some("keep-alive") => true,
        // Without a 101 nothing was upgraded, and the connection is of no more use.
        Some("upgrade") => false,
        _ => probe.stays_open,
    };
    if response.closes() || !stays {
        match connection.is_closed_within(Duration::from_secs(10)) {
            Ok(true) => After::Closed,
            Ok(false) => After::Broken,
            Err(_) => After::ServesOn,
        }
    } else if ping(connection).unwrap_or(false) {
        After::Serves
    } else {
        After::Broken
    }
}

fn ping(connection: &mut Connection) -> Result<bool> {
    connection.write(&Request::get("/ping").to_bytes("localhost"))?;
    let response = connection.read_response("GET")?;
    Ok(response.status == 200 && response.body == b"pong")
}

/// A response without what may differ: the date, made request ids, and what tells of the process.
fn reduced(probe: &Probe, response: Response, after: After) -> Answer {
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
        after,
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
            "\n    {name}: {status}, {}, {:?}, {}",
            headers.join("; "),
            answer.after,
            shown.escape_ascii()
        ));
    }
    text
}

//! Section 2: adding, reading and deleting persons.

use std::thread;

use anyhow::{Result, ensure};

use super::NOBODY;
use crate::{case::Case, http::Request, process::Binary, target::Target};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "adding a person answers 200 with its id and location",
        &["2.1", "2.2", "2.15", "2.16", "0.3"],
        add,
    )
    .before_load(),
    Case::url(
        "a person that was added can be read back",
        &["2.17", "2.1"],
        read_back,
    )
    .before_load(),
    Case::url(
        "a person that does not exist is 404",
        &["2.18", "5.1"],
        missing,
    )
    .before_load(),
    Case::url(
        "ids ascend on one connection and over several",
        &["2.3"],
        ascend,
    ),
    Case::process(
        "the first person has id 1 and no id is left out",
        &["2.4", "2.2"],
        no_gaps,
    ),
    Case::process(
        "the id of a deleted person is not given again, not even the last one",
        &["2.5", "2.4"],
        no_reuse,
    ),
    Case::url(
        "an id in a body is ignored, whatever it is",
        &["2.6"],
        ignore_id,
    ),
    Case::url(
        "deleting answers 204 and the person is gone",
        &["2.38", "0.5"],
        delete,
    )
    .before_load(),
    Case::url(
        "deleting nobody is 404, also a second time",
        &["2.39"],
        delete_twice,
    ),
    Case::url("accept is ignored", &["2.60"], ignore_accept),
];

pub(super) const TEST1: &str = r#"{"name":"Test1","gender":"MALE","age":100}"#;

fn add(target: &Target) -> Result<()> {
    let response = target
        .ask(&Request::post("/persons", TEST1))?
        .expect_status(200)?;
    let id = response.json()?["id"].as_u64().unwrap_or_default();
    ensure!(id >= 1, "the id is {id}");
    response
        .expect_header("location", &format!("/persons/{id}"))?
        .expect_header("content-type", "application/json")?
        .expect_body(&format!(
            r#"{{"id":{id},"name":"Test1","gender":"MALE","age":100}}"#
        ))?;
    Ok(())
}

fn read_back(target: &Target) -> Result<()> {
    for (gender, age) in [("MALE", 0), ("FEMALE", 150), ("OTHER", 42)] {
        let id = target.add_person("Ada", gender, age)?;
        let body = format!(r#"{{"id":{id},"name":"Ada","gender":"{gender}","age":{age}}}"#);
        let response = target.ask(&Request::get(format!("/persons/{id}")))?;
        response
            .expect_status(200)?
            .expect_header("content-type", "application/json")?
            .expect_body(&body)?;
    }
    Ok(())
}

fn missing(target: &Target) -> Result<()> {
    let response = target.ask(&Request::get(format!("/persons/{NOBODY}")))?;
    response
        .expect_status(404)?
        .expect_body(&no_person(NOBODY, &NOBODY.to_string()))?;
    Ok(())
}

/// The problem of a person that is not there, for the id as it stands in the path.
pub(super) fn no_person(id: u64, in_path: &str) -> String {
    format!(
        r#"{{"type":"about:blank","title":"Not Found","status":404,"detail":"no person has id {id}","instance":"/persons/{in_path}"}}"#
    )
}

fn ascend(target: &Target) -> Result<()> {
    let mut first = target.connect()?;
    let mut second = target.connect()?;
    let mut last = 0;
    for _ in 0..10 {
        for client in [&mut first, &mut second] {
            let id = client.add_person("Ascending", "OTHER", 1)?;
            ensure!(id > last, "id {id} was given after {last}");
            last = id;
        }
    }
    Ok(())
}

fn no_gaps(binary: &Binary) -> Result<()> {
    const CLIENTS: u64 = 4;
    const PERSONS: u64 = 50;
    let server = binary.start(&[])?;
    thread::scope(|scope| -> Result<()> {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    let mut client = server.target().connect()?;
                    for _ in 0..PERSONS {
                        client.add_person("Gapless", "FEMALE", 3)?;
                    }
                    Ok(())
                })
            })
            .collect();
        for client in clients {
            client
                .join()
                .unwrap_or_else(|_| anyhow::bail!("a client panicked"))?;
        }
        Ok(())
    })?;
    let mut client = server.target().connect()?;
    // A refused person must take no id away either.
    client
        .ask(&Request::post("/persons", "{}"))?
        .expect_status(422)?;
    let next = client.add_person("Last", "FEMALE", 3)?;
    ensure!(
        next == CLIENTS * PERSONS + 1,
        "after {} persons the next id is {next}",
        CLIENTS * PERSONS
    );
    let list = client.ask(&Request::get("/persons"))?.json()?;
    let ids: Vec<u64> = super::ids_of(&list);
    let wanted: Vec<u64> = (1..=next).collect();
    ensure!(ids == wanted, "the ids are {ids:?}");
    Ok(())
}

fn no_reuse(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let mut client = server.target().connect()?;
    for expected in 1..=20 {
        let id = client.add_person("Gone", "MALE", 1)?;
        ensure!(
            id == expected,
            "id {id} was given where {expected} was next"
        );
        if id % 2 == 0 {
            client
                .ask(&Request::delete(format!("/persons/{id}")))?
                .expect_status(204)?;
        }
    }
    for id in (1..20).step_by(2) {
        client
            .ask(&Request::delete(format!("/persons/{id}")))?
            .expect_status(204)?;
    }
    let id = client.add_person("Next", "MALE", 1)?;
    ensure!(id == 21, "id {id} was given after all 20 were deleted");
    Ok(())
}

fn ignore_id(target: &Target) -> Result<()> {
    for sent in [
        "1",
        "0",
        "-5",
        "18446744073709551616",
        "null",
        "\"x\"",
        "[1]",
        "1e400",
    ] {
        let body = format!(r#"{{"id":{sent},"name":"A","gender":"OTHER","age":7}}"#);
        let added = target
            .ask(&Request::post("/persons", body.clone()))?
            .expect_status(200)?;
        let id = added.json()?["id"].as_u64().unwrap_or_default();
        let person = format!(r#"{{"id":{id},"name":"A","gender":"OTHER","age":7}}"#);
        added.expect_body(&person)?;
        let path = format!("/persons/{id}");
        target
            .ask(&Request::put(path.clone(), body.clone()))?
            .expect_status(200)?
            .expect_body(&person)?;
        target
            .ask(&Request::patch(path.clone(), body))?
            .expect_status(200)?
            .expect_body(&person)?;
        target
            .ask(&Request::get(path))?
            .expect_status(200)?
            .expect_body(&person)?;
    }
    Ok(())
}

fn delete(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    let id = client.add_person("Gone", "OTHER", 5)?;
    let path = format!("/persons/{id}");
    let response = client
        .ask(&Request::delete(path.clone()))?
        .expect_status(204)?;
    ensure!(
        !response.has_header("content-type"),
        "a 204 has a content type"
    );
    client.ask(&Request::get(path))?.expect_status(404)?;
    Ok(())
}

fn delete_twice(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    let id = client.add_person("Gone", "OTHER", 5)?;
    let path = format!("/persons/{id}");
    client
        .ask(&Request::delete(path.clone()))?
        .expect_status(204)?;
    let second = client.ask(&Request::delete(path))?.expect_status(404)?;
    second.expect_body(&no_person(id, &id.to_string()))?;
    client
        .ask(&Request::delete(format!("/persons/{NOBODY}")))?
        .expect_status(404)?;
    Ok(())
}

fn ignore_accept(target: &Target) -> Result<()> {
    let id = target.add_person("Accepted", "OTHER", 5)?;
    for accept in [
        "application/xml",
        "text/html;q=1",
        "*/*;q=0",
        "nonsense",
        "",
    ] {
        let get = Request::get(format!("/persons/{id}")).header("accept", accept);
        target
            .ask(&get)?
            .expect_status(200)?
            .expect_header("content-type", "application/json")?;
        let ping = Request::get("/ping").header("accept", accept);
        target.ask(&ping)?.expect_status(200)?;
        let nobody = Request::get(format!("/persons/{NOBODY}")).header("accept", accept);
        target.ask(&nobody)?.expect_status(404)?;
    }
    Ok(())
}

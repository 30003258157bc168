//! Section 2: adding, reading, replacing, changing and deleting persons.

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
        "putting answers 200 with the new person, who is read back",
        &["2.31"],
        replace,
    )
    .before_load(),
    Case::url(
        "putting where there is nobody is 404 and creates nobody",
        &["2.32"],
        replace_nobody,
    ),
    Case::process(
        "putting the next free id creates nobody and takes no id away",
        &["2.32", "2.4"],
        replace_next,
    ),
    Case::url(
        "a merge patch changes the members it names and leaves the others",
        &["2.33", "2.34"],
        patch,
    )
    .before_load(),
    Case::url("an empty patch changes nothing", &["2.33"], empty_patch),
    Case::url(
        "a patch takes both of its content types",
        &["2.34"],
        patch_types,
    ),
    Case::url(
        "a patch takes no other content type",
        &["2.51"],
        other_patch_types,
    ),
    Case::url(
        "a patch where there is nobody is 404",
        &["2.35"],
        patch_nobody,
    ),
    Case::url(
        "a null for a required field in a patch is 422",
        &["2.36"],
        patch_null,
    ),
    Case::url(
        "a patch that does not fit changes nothing and tells all violations",
        &["2.33", "5.5", "5.6"],
        unfit_patch,
    ),
    Case::url(
        "patches of different fields at once all hold",
        &["2.37"],
        concurrent_patches,
    ),
    Case::url(
        "a put beside patches leaves no mixture of two puts",
        &["2.37"],
        concurrent_puts,
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

const TEST1: &str = r#"{"name":"Test1","gender":"MALE","age":100}"#;

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
fn no_person(id: u64, in_path: &str) -> String {
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

fn replace(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    let id = client.add_person("Before", "MALE", 1)?;
    let path = format!("/persons/{id}");
    let put = Request::put(
        path.clone(),
        r#"{"age":2,"gender":"FEMALE","name":"After"}"#,
    );
    let person = format!(r#"{{"id":{id},"name":"After","gender":"FEMALE","age":2}}"#);
    client.ask(&put)?.expect_status(200)?.expect_body(&person)?;
    client
        .ask(&Request::get(path))?
        .expect_status(200)?
        .expect_body(&person)?;
    Ok(())
}

fn replace_nobody(target: &Target) -> Result<()> {
    let path = format!("/persons/{NOBODY}");
    let response = target.ask(&Request::put(path.clone(), TEST1))?;
    response
        .expect_status(404)?
        .expect_body(&no_person(NOBODY, &NOBODY.to_string()))?;
    target.ask(&Request::get(path))?.expect_status(404)?;
    Ok(())
}

fn replace_next(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let mut client = server.target().connect()?;
    client
        .ask(&Request::put("/persons/1", TEST1))?
        .expect_status(404)?;
    client
        .ask(&Request::get("/persons/1"))?
        .expect_status(404)?;
    let id = client.add_person("First", "MALE", 1)?;
    ensure!(id == 1, "the first person has id {id}");
    Ok(())
}

fn patch(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    let id = client.add_person("Ada", "OTHER", 36)?;
    let path = format!("/persons/{id}");
    let steps = [
        (r#"{"age":37}"#, "Ada", "OTHER", 37),
        (r#"{"gender":"FEMALE"}"#, "Ada", "FEMALE", 37),
        (
            r#"{"name":"Ada Lovelace","age":38}"#,
            "Ada Lovelace",
            "FEMALE",
            38,
        ),
    ];
    for (body, name, gender, age) in steps {
        let person = format!(r#"{{"id":{id},"name":"{name}","gender":"{gender}","age":{age}}}"#);
        client
            .ask(&Request::patch(path.clone(), body))?
            .expect_status(200)?
            .expect_body(&person)?;
        client
            .ask(&Request::get(path.clone()))?
            .expect_status(200)?
            .expect_body(&person)?;
    }
    Ok(())
}

fn empty_patch(target: &Target) -> Result<()> {
    let id = target.add_person("Same", "OTHER", 5)?;
    let person = format!(r#"{{"id":{id},"name":"Same","gender":"OTHER","age":5}}"#);
    for body in ["{}", r#"{"unknown":null}"#, r#"{"id":null}"#] {
        let response = target.ask(&Request::patch(format!("/persons/{id}"), body))?;
        response.expect_status(200)?.expect_body(&person)?;
    }
    Ok(())
}

fn patch_types(target: &Target) -> Result<()> {
    let id = target.add_person("Typed", "OTHER", 1)?;
    let types = [
        "application/merge-patch+json",
        "application/json",
        "Application/Merge-Patch+JSON; charset=utf-8",
        "application/json;charset=UTF-8",
    ];
    for (content_type, age) in types.into_iter().zip(2..) {
        let request = Request::new("PATCH", format!("/persons/{id}"))
            .typed(content_type, format!(r#"{{"age":{age}}}"#));
        let person = target.ask(&request)?.expect_status(200)?.json()?;
        ensure!(
            person["age"] == age,
            "the age is {} after {content_type}",
            person["age"]
        );
    }
    Ok(())
}

fn other_patch_types(target: &Target) -> Result<()> {
    let id = target.add_person("Typed", "OTHER", 1)?;
    let types = [
        "application/json-patch+json",
        "application/problem+json",
        "application/vnd.api+json",
        "text/plain",
        "application/merge-patch",
        "application/merge-patch+xml",
    ];
    for content_type in types {
        let request =
            Request::new("PATCH", format!("/persons/{id}")).typed(content_type, r#"{"age":2}"#);
        target.ask(&request)?.expect_status(415)?;
    }
    let person = target
        .ask(&Request::get(format!("/persons/{id}")))?
        .json()?;
    ensure!(person["age"] == 1, "a refused patch was applied");
    Ok(())
}

fn patch_nobody(target: &Target) -> Result<()> {
    for body in ["{}", r#"{"age":2}"#] {
        let response = target.ask(&Request::patch(format!("/persons/{NOBODY}"), body))?;
        response
            .expect_status(404)?
            .expect_body(&no_person(NOBODY, &NOBODY.to_string()))?;
    }
    Ok(())
}

fn patch_null(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    let id = client.add_person("Null", "OTHER", 5)?;
    let path = format!("/persons/{id}");
    for field in ["name", "gender", "age"] {
        let patch = Request::patch(path.clone(), format!(r#"{{"{field}":null}}"#));
        client.ask(&patch)?.expect_violations(&[field])?;
    }
    let all = Request::patch(path.clone(), r#"{"age":null,"name":null,"gender":null}"#);
    client
        .ask(&all)?
        .expect_violations(&["name", "gender", "age"])?;
    let person = format!(r#"{{"id":{id},"name":"Null","gender":"OTHER","age":5}}"#);
    client.ask(&Request::get(path))?.expect_body(&person)?;
    Ok(())
}

fn unfit_patch(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    let id = client.add_person("Kept", "OTHER", 5)?;
    let path = format!("/persons/{id}");
    let patch = Request::patch(path.clone(), r#"{"age":151,"gender":"FEMALE","name":" "}"#);
    client.ask(&patch)?.expect_violations(&["name", "age"])?;
    let person = format!(r#"{{"id":{id},"name":"Kept","gender":"OTHER","age":5}}"#);
    client.ask(&Request::get(path))?.expect_body(&person)?;
    Ok(())
}

fn concurrent_patches(target: &Target) -> Result<()> {
    const ROUNDS: usize = 30;
    let id = target.add_person("Start", "OTHER", 0)?;
    let path = format!("/persons/{id}");
    let write = |bodies: [&'static str; 2]| {
        let path = path.clone();
        move || -> Result<()> {
            let mut client = target.connect()?;
            // The last body of each writer is its second: that is what must be there in the end.
            for body in bodies.into_iter().cycle().take(2 * ROUNDS) {
                client
                    .ask(&Request::patch(path.clone(), body))?
                    .expect_status(200)?;
            }
            Ok(())
        }
    };
    thread::scope(|scope| -> Result<()> {
        let writers = [
            scope.spawn(write([r#"{"name":"Odd"}"#, r#"{"name":"Even"}"#])),
            scope.spawn(write([r#"{"gender":"MALE"}"#, r#"{"gender":"FEMALE"}"#])),
            scope.spawn(write([r#"{"age":1}"#, r#"{"age":2}"#])),
        ];
        for writer in writers {
            writer
                .join()
                .unwrap_or_else(|_| anyhow::bail!("a writer panicked"))?;
        }
        Ok(())
    })?;
    let person = format!(r#"{{"id":{id},"name":"Even","gender":"FEMALE","age":2}}"#);
    target
        .ask(&Request::get(path))?
        .expect_status(200)?
        .expect_body(&person)?;
    Ok(())
}

fn concurrent_puts(target: &Target) -> Result<()> {
    const ROUNDS: usize = 60;
    let id = target.add_person("A", "MALE", 1)?;
    let path = format!("/persons/{id}");
    let bodies = [
        r#"{"name":"A","gender":"MALE","age":1}"#,
        r#"{"name":"B","gender":"FEMALE","age":2}"#,
    ];
    thread::scope(|scope| -> Result<()> {
        let writers = bodies.map(|body| {
            let path = path.clone();
            scope.spawn(move || -> Result<()> {
                let mut client = target.connect()?;
                for _ in 0..ROUNDS {
                    client
                        .ask(&Request::put(path.clone(), body))?
                        .expect_status(200)?;
                }
                Ok(())
            })
        });
        let mut reader = target.connect()?;
        for _ in 0..ROUNDS {
            let person = reader.ask(&Request::get(path.clone()))?;
            let text = person.text()?.replacen(&format!(r#""id":{id},"#), "", 1);
            ensure!(
                bodies.contains(&text.as_str()),
                "{text} is a mixture of two puts"
            );
        }
        for writer in writers {
            writer
                .join()
                .unwrap_or_else(|_| anyhow::bail!("a writer panicked"))?;
        }
        Ok(())
    })
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

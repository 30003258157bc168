//! Section 2: replacing and changing persons.

use std::thread;

use anyhow::{Result, ensure};

use super::{
    NOBODY,
    persons::{TEST1, no_person},
};
use crate::{case::Case, http::Request, process::Binary, target::Target};

pub(super) const CASES: &[Case] = &[
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
];

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

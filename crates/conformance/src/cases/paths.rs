//! Section 2: ids in paths, and what a path is.

use anyhow::{Context as _, Result};

use super::NOBODY;
use crate::{case::Case, http::Request, target::Target};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "an id may have leading zeros",
        &["2.40", "5.4"],
        leading_zeros,
    ),
    Case::url("an id is percent-decoded once", &["2.41"], decoded_once),
    Case::url(
        "what is no number in the place of an id is 400",
        &["2.42", "5.28"],
        no_numbers,
    )
    .before_load(),
    Case::url(
        "a number above 2^64 - 1 is 400",
        &["2.43", "5.28"],
        too_large,
    ),
    Case::url(
        "a number that nobody has is 404, from 0 to 2^64 - 1",
        &["2.44"],
        nobody,
    ),
    Case::url("an encoded slash in an id is 400", &["2.47"], encoded_slash),
    Case::url(
        "the other segments match as raw bytes",
        &["2.45"],
        raw_segments,
    ),
    Case::url(
        "nothing in a path is normalised",
        &["2.46", "5.38", "5.37"],
        not_normalised,
    ),
];

/// Every request that has an id in its path.
fn requests(id: &str) -> [Request; 4] {
    let path = format!("/persons/{id}");
    [
        Request::get(path.clone()),
        Request::put(path.clone(), r#"{"name":"A","gender":"MALE","age":1}"#),
        Request::patch(path.clone(), r#"{"age":1}"#),
        Request::delete(path),
    ]
}

fn expect_all(target: &Target, id: &str, status: u16) -> Result<()> {
    for request in requests(id) {
        let response = target.ask(&request)?;
        response
            .expect_status(status)
            .with_context(|| format!("{} of id {id}", request.method()))?;
    }
    Ok(())
}

fn leading_zeros(target: &Target) -> Result<()> {
    let id = target.add_person("Zero", "OTHER", 1)?;
    for path in [format!("/persons/0{id}"), format!("/persons/{id:040}")] {
        let person = target.ask(&Request::get(path))?.expect_status(200)?;
        person.expect_body(&format!(
            r#"{{"id":{id},"name":"Zero","gender":"OTHER","age":1}}"#
        ))?;
    }
    let nobody = target
        .ask(&Request::get("/persons/00000"))?
        .expect_status(404)?;
    nobody.expect_body(
        r#"{"type":"about:blank","title":"Not Found","status":404,"detail":"no person has id 0","instance":"/persons/00000"}"#,
    )?;
    Ok(())
}

fn decoded_once(target: &Target) -> Result<()> {
    let id = target.add_person("Encoded", "OTHER", 1)?;
    let encoded: String = id
        .to_string()
        .bytes()
        .map(|digit| format!("%{digit:02x}"))
        .collect();
    let person = target
        .ask(&Request::get(format!("/persons/{encoded}")))?
        .expect_status(200)?;
    person.expect_body(&format!(
        r#"{{"id":{id},"name":"Encoded","gender":"OTHER","age":1}}"#
    ))?;
    let twice = encoded.replace('%', "%25");
    expect_all(target, &twice, 400)
}

fn no_numbers(target: &Target) -> Result<()> {
    let ids = [
        "abc", "-1", "+1", "1.0", "1e3", "0x10", "1a", "1,2", "1;x=1", "%20", "1%20", "%2B1", "%",
        "%3", "%zz", "%FF", "%00", "1%00", "%D9%A1", "..%2e", "null", "1_000", "%C2%B2", ":1", "*",
    ];
    for id in ids {
        expect_all(target, id, 400)?;
    }
    Ok(())
}

fn too_large(target: &Target) -> Result<()> {
    for id in [
        "18446744073709551616",
        "99999999999999999999999999999999",
        &"9".repeat(500),
    ] {
        expect_all(target, id, 400)?;
    }
    Ok(())
}

fn nobody(target: &Target) -> Result<()> {
    let last = NOBODY.to_string();
    for id in [
        "0",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551614",
        &last,
    ] {
        expect_all(target, id, 404)?;
    }
    let padded = format!("{NOBODY:0100}");
    expect_all(target, &padded, 404)
}

fn encoded_slash(target: &Target) -> Result<()> {
    let id = target.add_person("Slash", "OTHER", 1)?;
    for path in [
        format!("{id}%2F"),
        format!("{id}%2f"),
        "%2F".to_owned(),
        format!("%2F{id}"),
        format!("{id}%2F{id}"),
    ] {
        expect_all(target, &path, 400)?;
    }
    Ok(())
}

fn raw_segments(target: &Target) -> Result<()> {
    for path in [
        "/%70ersons",
        "/%70ersons/1",
        "/p%65rsons",
        "/pin%67",
        "/%68ealth",
        "/health/live%6eess",
        "/%2Fping",
        "/ping%20",
    ] {
        target
            .ask(&Request::get(path))?
            .expect_status(404)
            .with_context(|| path)?;
    }
    Ok(())
}

fn not_normalised(target: &Target) -> Result<()> {
    let id = target.add_person("Raw", "OTHER", 1)?;
    let paths = [
        "//",
        "//ping",
        "//persons",
        "/ping/",
        "/persons/",
        "/hello-world/",
        "/PING",
        "/Persons",
        "/./ping",
        "/persons/../ping",
        "/ping/.",
        "/health/",
        "/health//liveness",
        "/metrics/",
        "/persons//",
        "/info/",
        "/management/",
        "/management",
        "/api-docs/openapi.json/",
        "/api-docs",
        "/ping;x=1",
    ];
    for path in paths {
        target
            .ask(&Request::get(path))?
            .expect_status(404)
            .with_context(|| path)?;
    }
    for path in [
        format!("/persons/{id}/"),
        format!("/persons//{id}"),
        format!("//persons/{id}"),
    ] {
        target.ask(&Request::get(path))?.expect_status(404)?;
    }
    Ok(())
}

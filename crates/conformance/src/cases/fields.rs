//! Section 2: what a person's fields may be, and section 5: what a body that does not fit answers.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::{
    case::Case,
    http::{Request, Response},
    target::Target,
};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "a missing field is 422 and told by name",
        &["2.7", "2.12", "2.13", "5.22"],
        missing,
    ),
    Case::url(
        "all violations are told at once in the order of the fields",
        &["5.5", "5.6"],
        all_at_once,
    )
    .before_load(),
    Case::url(
        "an age out of range is 422 in the documented bytes",
        &["2.13", "5.5", "5.24"],
        age_range,
    )
    .before_load(),
    Case::url("ages from 0 to 150 are taken", &["2.13"], ages),
    Case::url(
        "an age that is not written as an integer is 422",
        &["2.14", "5.23", "5.25"],
        odd_ages,
    ),
    Case::url(
        "a name has 1 to 255 characters, not bytes",
        &["2.8", "5.24"],
        name_length,
    ),
    Case::url("a name of white space only is 422", &["2.9"], blank_names),
    Case::url(
        "a name with a control character is 422",
        &["2.10"],
        control_characters,
    ),
    Case::url("a name is kept as it was sent", &["2.11"], kept_names),
    Case::url(
        "a gender is one of three words in capitals",
        &["2.12", "5.24"],
        genders,
    ),
    Case::url(
        "a wrong type is 422 and told by field",
        &["5.23", "2.7", "2.12"],
        wrong_types,
    ),
    Case::url(
        "JSON that is not an object is 422 with no violation",
        &["5.27", "5.7", "2.56"],
        no_object,
    ),
    Case::url("a known field given twice is 422", &["5.26"], duplicates),
    Case::url(
        "an unknown member may come twice and be anything",
        &["2.52", "2.57"],
        unknown_members,
    ),
];

fn add(target: &Target, body: impl Into<Vec<u8>>) -> Result<Response> {
    target.ask(&Request::post("/persons", body))
}

fn missing(target: &Target) -> Result<()> {
    add(target, r#"{"gender":"MALE","age":1}"#)?.expect_violations(&["name"])?;
    add(target, r#"{"name":"A","age":1}"#)?.expect_violations(&["gender"])?;
    add(target, r#"{"name":"A","gender":"MALE"}"#)?.expect_violations(&["age"])?;
    add(target, "{}")?.expect_violations(&["name", "gender", "age"])?;
    add(target, r#"{"Name":"A","GENDER":"MALE","age ":1}"#)?
        .expect_violations(&["name", "gender", "age"])?;
    Ok(())
}

fn all_at_once(target: &Target) -> Result<()> {
    let bodies = [
        r#"{"name":"","gender":"X","age":151}"#,
        r#"{"age":151,"gender":"X","name":""}"#,
        r#"{"age":"old","name":17}"#,
        r#"{"gender":null,"age":null,"name":null}"#,
    ];
    for body in bodies {
        add(target, body)?.expect_violations(&["name", "gender", "age"])?;
    }
    add(target, r#"{"age":-1,"gender":"MALE","name":"\u0000"}"#)?
        .expect_violations(&["name", "age"])?;
    Ok(())
}

fn age_range(target: &Target) -> Result<()> {
    for age in [
        "-1",
        "151",
        "4294967296",
        "-9223372036854775809",
        "18446744073709551616",
    ] {
        let response = add(
            target,
            format!(r#"{{"name":"A","gender":"MALE","age":{age}}}"#),
        )?;
        let response = response.expect_violations(&["age"])?;
        ensure!(
            response.text()?.ends_with(
                r#","instance":"/persons","violations":[{"field":"age","message":"must be between 0 and 150"}]}"#
            ),
            "age {age} is refused by another message"
        );
    }
    Ok(())
}

fn ages(target: &Target) -> Result<()> {
    for age in [0, 1, 99, 150] {
        let id = target.add_person("Aged", "OTHER", age)?;
        let person = target
            .ask(&Request::get(format!("/persons/{id}")))?
            .json()?;
        ensure!(
            person["age"] == age,
            "age {age} came back as {}",
            person["age"]
        );
    }
    Ok(())
}

fn odd_ages(target: &Target) -> Result<()> {
    let ages = [
        "100.0", "1e2", "1E2", "1e0", "-0", "-0.0", "0.0", "1.5", "\"100\"", "\"\"", "1e400",
        "-1e400", "1e-400", "true", "[1]", "{}", "null",
    ];
    for age in ages {
        let response = add(
            target,
            format!(r#"{{"name":"A","gender":"MALE","age":{age}}}"#),
        )?;
        response
            .expect_violations(&["age"])
            .with_context(|| format!("age {age}"))?;
    }
    Ok(())
}

fn name_length(target: &Target) -> Result<()> {
    for character in ["a", "é", "€", "😀", "e\u{301}"] {
        let count = character.chars().count();
        let longest = character.repeat(255 / count) + if count == 2 { "x" } else { "" };
        target.add_person(&longest, "OTHER", 1)?;
        let body = person_named(&format!("{longest}{character}"));
        add(target, body)?.expect_violations(&["name"])?;
    }
    // A pair of escapes is one character.
    let escaped = format!(
        r#"{{"name":"{}","gender":"OTHER","age":1}}"#,
        r"\ud83d\ude00".repeat(255)
    );
    add(target, escaped)?.expect_status(200)?;
    add(target, person_named(""))?.expect_violations(&["name"])?;
    target.add_person("x", "OTHER", 1)?;
    Ok(())
}

fn blank_names(target: &Target) -> Result<()> {
    for name in [
        " ",
        "   ",
        "\u{a0}",
        "\u{2003}\u{2009}",
        "\u{3000}",
        "\u{2028}",
    ] {
        let response = add(target, person_named(name))?;
        response
            .expect_violations(&["name"])
            .with_context(|| name.escape_unicode().to_string())?;
    }
    Ok(())
}

fn control_characters(target: &Target) -> Result<()> {
    for code in (0..=0x1f).chain(0x7f..=0x9f) {
        let escaped = format!(r#"{{"name":"a\u{code:04x}b","gender":"OTHER","age":1}}"#);
        add(target, escaped)?
            .expect_violations(&["name"])
            .with_context(|| format!("U+{code:04X}"))?;
    }
    for raw in ["\u{7f}", "\u{80}", "\u{85}", "\u{9f}"] {
        let body = format!(r#"{{"name":"a{raw}b","gender":"OTHER","age":1}}"#);
        add(target, body)?.expect_violations(&["name"])?;
    }
    // The neighbours of the two ranges are no control characters.
    for neighbour in ["a b", "a~b", "a\u{a0}b"] {
        target.add_person(neighbour, "OTHER", 1)?;
    }
    Ok(())
}

fn kept_names(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    let names = [
        "  both ends  ",
        "e\u{301} and \u{e9}",
        "\u{1f469}\u{200d}\u{1f4bb}",
        "\u{feff}mark",
        "\u{10ffff}\u{e000}\u{fffd}",
        "quote \" backslash \\ slash / <&>",
        "\u{2028}line\u{2029}",
        "'; DROP TABLE persons; --",
        "ﬁ İ ß ǅ",
    ];
    for name in names {
        let id = client.add_person(name, "OTHER", 1)?;
        let person = client
            .ask(&Request::get(format!("/persons/{id}")))?
            .expect_status(200)?;
        let name = Value::from(name);
        person.expect_body(&format!(
            r#"{{"id":{id},"name":{name},"gender":"OTHER","age":1}}"#
        ))?;
    }
    // Escapes are another spelling of the same characters.
    let escaped = r#"{"name":"\u0041\u00e9\/\ud83d\uDE00\"\\","gender":"\u004fTHER","age":1}"#;
    let person = client
        .ask(&Request::post("/persons", escaped))?
        .expect_status(200)?;
    let name = person.json()?["name"].clone();
    ensure!(name == "Aé/😀\"\\", "the escaped name came back as {name}");
    Ok(())
}

fn genders(target: &Target) -> Result<()> {
    for gender in ["MALE", "FEMALE", "OTHER"] {
        target.add_person("A", gender, 1)?;
    }
    for gender in [
        "male",
        "Female",
        "",
        " MALE",
        "OTHER ",
        "UNKNOWN",
        "MALE\\u0000",
    ] {
        let response = add(
            target,
            format!(r#"{{"name":"A","gender":"{gender}","age":1}}"#),
        )?;
        response
            .expect_violations(&["gender"])
            .with_context(|| gender.to_owned())?;
    }
    Ok(())
}

fn wrong_types(target: &Target) -> Result<()> {
    for wrong in [
        "null",
        "true",
        "1",
        "1.5",
        "[]",
        "{}",
        "[\"A\"]",
        "{\"a\":1}",
    ] {
        let response = add(
            target,
            format!(r#"{{"name":{wrong},"gender":"MALE","age":1}}"#),
        )?;
        response
            .expect_violations(&["name"])
            .with_context(|| wrong.to_owned())?;
        let response = add(
            target,
            format!(r#"{{"name":"A","gender":{wrong},"age":1}}"#),
        )?;
        response
            .expect_violations(&["gender"])
            .with_context(|| wrong.to_owned())?;
    }
    Ok(())
}

fn no_object(target: &Target) -> Result<()> {
    let id = target.add_person("A", "OTHER", 1)?;
    let bodies = [
        "[]",
        r#"["A","MALE",1]"#,
        r#"[{"name":"A","gender":"MALE","age":1}]"#,
        "null",
        "true",
        "17",
        "-0",
        "1e400",
        "\"name\"",
        " [ ] ",
    ];
    for body in bodies {
        add(target, body)?
            .expect_violations(&[])
            .with_context(|| body.to_owned())?;
        let path = format!("/persons/{id}");
        target
            .ask(&Request::put(path.clone(), body))?
            .expect_violations(&[])?;
        target
            .ask(&Request::patch(path, body))?
            .expect_violations(&[])?;
    }
    Ok(())
}

fn duplicates(target: &Target) -> Result<()> {
    let bodies = [
        (r#"{"name":"A","name":"A","gender":"MALE","age":1}"#, "name"),
        (
            r#"{"name":"A","gender":"MALE","age":1,"gender":"OTHER"}"#,
            "gender",
        ),
        (r#"{"age":1,"name":"A","gender":"MALE","age":2}"#, "age"),
        (
            r#"{"name":"A","gender":"MALE","age":1,"\u0061ge":2}"#,
            "age",
        ),
    ];
    let id = target.add_person("A", "OTHER", 1)?;
    for (body, field) in bodies {
        add(target, body)?
            .expect_violations(&[field])
            .with_context(|| body.to_owned())?;
        let path = format!("/persons/{id}");
        target
            .ask(&Request::put(path.clone(), body))?
            .expect_violations(&[field])?;
        target
            .ask(&Request::patch(path, body))?
            .expect_violations(&[field])?;
    }
    Ok(())
}

fn unknown_members(target: &Target) -> Result<()> {
    let members = [
        r#""x":1,"x":2"#,
        r#""x":null,"y":[1,{"z":[]}]"#,
        r#""x":1e400,"y":-0,"z":123456789012345678901234567890"#,
        r#""x":"\ud800""#,
        r#""Name":17,"AGE":"x","":{}"#,
        r#""__proto__":{"age":3}"#,
    ];
    for member in members {
        let body = format!(r#"{{{member},"name":"A","gender":"MALE","age":1}}"#);
        add(target, body)?
            .expect_status(200)
            .with_context(|| member.to_owned())?;
        let body = format!(r#"{{"name":"A","gender":"MALE","age":1,{member}}}"#);
        add(target, body)?
            .expect_status(200)
            .with_context(|| member.to_owned())?;
    }
    Ok(())
}

/// The body of a person of this name.
fn person_named(name: &str) -> String {
    format!(
        r#"{{"name":{},"gender":"OTHER","age":1}}"#,
        Value::from(name)
    )
}

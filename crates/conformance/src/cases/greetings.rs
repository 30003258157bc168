//! Section 1: the greetings.

use std::{collections::HashSet, thread};

use anyhow::{Context as _, Result, ensure};

use crate::{
    case::Case,
    http::{Request, Response},
    process::Binary,
    target::Target,
};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "the root greets the world in plain text",
        &["1.1", "0.9"],
        greet_the_world,
    )
    .before_load(),
    Case::url("ping answers pong in plain text", &["1.2", "0.9"], ping).before_load(),
    Case::url(
        "hello-world greets by name in JSON of fixed order without white space",
        &["1.3", "0.3", "0.7"],
        greet_by_name,
    )
    .before_load(),
    Case::url(
        "a name is percent-decoded and a plus sign is a space",
        &["1.3", "2.58"],
        decode_name,
    ),
    Case::url(
        "a greeting without a name is for Stranger",
        &["1.4"],
        default_name,
    ),
    Case::url(
        "a greeting with an empty name is for Stranger",
        &["1.5"],
        empty_name,
    ),
    Case::url(
        "a greeting's name has at most 255 characters, not bytes",
        &["1.6"],
        long_names,
    ),
    Case::url(
        "a control character in a greeting's name is 400",
        &["1.9"],
        control_characters,
    ),
    Case::url(
        "a greeting's name in bad UTF-8 or given twice is 400",
        &["2.59", "5.30"],
        bad_names,
    ),
    Case::process(
        "the first greeting of a process has id 1 and the next 2",
        &["1.7"],
        count_from_1,
    ),
    Case::url(
        "no greeting id is given twice to 8 clients at once",
        &["1.8"],
        never_repeat,
    ),
];

fn greet_the_world(target: &Target) -> Result<()> {
    let response = target.ask(&Request::get("/"))?.expect_status(200)?;
    response
        .expect_header("content-type", "text/plain; charset=utf-8")?
        .expect_header("content-length", "11")?
        .expect_body("Hello world")?;
    Ok(())
}

fn ping(target: &Target) -> Result<()> {
    let response = target.ask(&Request::get("/ping"))?.expect_status(200)?;
    response
        .expect_header("content-type", "text/plain; charset=utf-8")?
        .expect_header("content-length", "4")?
        .expect_body("pong")?;
    Ok(())
}

fn greet_by_name(target: &Target) -> Result<()> {
    expect_greeting(target, "?name=X", "Hello, X!")
}

fn decode_name(target: &Target) -> Result<()> {
    expect_greeting(
        target,
        "?name=J%C3%BCrgen+%2B+Zo%c3%ab",
        "Hello, Jürgen + Zoë!",
    )?;
    expect_greeting(target, "?name=%22%5C%22", r#"Hello, \"\\\"!"#)?;
    expect_greeting(target, "?other=1&name=a%26b%3Dc&x", "Hello, a&b=c!")
}

fn default_name(target: &Target) -> Result<()> {
    expect_greeting(target, "", "Hello, Stranger!")?;
    expect_greeting(target, "?", "Hello, Stranger!")?;
    expect_greeting(target, "?Name=X", "Hello, Stranger!")
}

fn empty_name(target: &Target) -> Result<()> {
    expect_greeting(target, "?name=", "Hello, Stranger!")?;
    expect_greeting(target, "?name", "Hello, Stranger!")
}

fn long_names(target: &Target) -> Result<()> {
    for character in ["a", "ß", "😀"] {
        let longest = character.repeat(255);
        let encoded: String = longest.bytes().map(|byte| format!("%{byte:02X}")).collect();
        expect_greeting(
            target,
            &format!("?name={encoded}"),
            &format!("Hello, {longest}!"),
        )?;
        let one_more: String = character
            .bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect();
        greet(target, &format!("?name={encoded}{one_more}"))?.expect_status(400)?;
    }
    Ok(())
}

fn control_characters(target: &Target) -> Result<()> {
    for encoded in [
        "%00", "%09", "%0A", "%1F", "%7F", "%C2%80", "%C2%85", "%C2%9F",
    ] {
        let query = format!("?name=a{encoded}b");
        let response = greet(target, &query)?;
        response.expect_status(400).with_context(|| query)?;
    }
    expect_greeting(target, "?name=a%C2%A0b", "Hello, a\u{a0}b!")
}

fn bad_names(target: &Target) -> Result<()> {
    for query in [
        "?name=%FF",
        "?name=%C3",
        "?name=%ED%A0%80",
        "?name=a&name=b",
        "?name=a&name=a",
    ] {
        let response = greet(target, query)?;
        response.expect_status(400).with_context(|| query)?;
    }
    Ok(())
}

fn count_from_1(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    for id in 1..=3 {
        let response = greet(server.target(), "?name=X")?.expect_status(200)?;
        response.expect_body(&format!(r#"{{"id":{id},"content":"Hello, X!"}}"#))?;
    }
    Ok(())
}

fn never_repeat(target: &Target) -> Result<()> {
    const CLIENTS: usize = 8;
    const GREETINGS: usize = 50;
    let ids: Result<Vec<Vec<u64>>> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| -> Result<Vec<u64>> {
                    let mut client = target.connect()?;
                    (0..GREETINGS)
                        .map(|_| id_of(&client.ask(&Request::get("/hello-world"))?))
                        .collect()
                })
            })
            .collect();
        clients
            .into_iter()
            .map(|client| {
                client
                    .join()
                    .unwrap_or_else(|_| anyhow::bail!("a client panicked"))
            })
            .collect()
    });
    let ids = ids?;
    for of_client in &ids {
        ensure!(
            of_client.is_sorted(),
            "ids went down on one connection: {of_client:?}"
        );
    }
    let distinct: HashSet<u64> = ids.into_iter().flatten().collect();
    ensure!(
        distinct.len() == CLIENTS * GREETINGS,
        "{} greetings had {} ids",
        CLIENTS * GREETINGS,
        distinct.len()
    );
    Ok(())
}

fn greet(target: &Target, query: &str) -> Result<Response> {
    target.ask(&Request::get(format!("/hello-world{query}")))
}

/// Greets, and expects this text between the quotes of the content.
fn expect_greeting(target: &Target, query: &str, content: &str) -> Result<()> {
    let response = greet(target, query)?.expect_status(200)?;
    let id = id_of(&response)?;
    ensure!(id >= 1, "the id is {id}");
    response
        .expect_header("content-type", "application/json")?
        .expect_body(&format!(r#"{{"id":{id},"content":"{content}"}}"#))
        .with_context(|| format!("query {query:?}"))?;
    Ok(())
}

fn id_of(response: &Response) -> Result<u64> {
    response.json()?["id"]
        .as_u64()
        .context("the greeting has no id")
}

//! Section 2: the full list and the total count.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use anyhow::{Result, bail, ensure};

use super::{add_many, ids_of, memory_bytes, with_persons};
use crate::{
    case::Case,
    http::{Framing, Request},
    process::Binary,
    target::Target,
};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "the full list has added persons, in the order of ids",
        &["2.19", "2.21"],
        full_list,
    )
    .before_load(),
    Case::process(
        "an empty store is an empty array",
        &["2.19", "2.48"],
        empty_list,
    ),
    Case::process(
        "the full list is exact, byte for byte",
        &["2.19", "2.21", "2.48"],
        exact_list,
    ),
    Case::process(
        "HEAD of the full list is not framed",
        &["2.22", "5.42", "2.21"],
        head_of_list,
    ),
    Case::process(
        "lists that are read slowly do not grow the server's memory",
        &["2.20"],
        streamed_list,
    ),
    Case::process(
        "the total count is exact on lists and pages",
        &["2.28", "2.48"],
        total_count,
    ),
    Case::url(
        "a list holds all that stay and none twice while others come and go",
        &["2.49", "2.50"],
        list_among_writes,
    ),
];

fn full_list(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    let first = client.add_person("Listed 1", "MALE", 1)?;
    let second = client.add_person("Listed 2", "FEMALE", 2)?;
    let response = client.ask(&Request::get("/persons"))?.expect_status(200)?;
    let response = response.expect_header("content-type", "application/json")?;
    ensure!(!response.has_header("link"), "the full list has a link");
    response.required_header("x-total-count")?.parse::<u64>()?;
    let ids = ids_of(&response.json()?);
    ensure!(
        ids.is_sorted_by(|left, right| left < right),
        "the ids are not in order"
    );
    ensure!(
        ids.contains(&first) && ids.contains(&second),
        "an added person is missing"
    );
    let text = response.text()?;
    let person = format!(r#"{{"id":{first},"name":"Listed 1","gender":"MALE","age":1}}"#);
    ensure!(text.contains(&person), "{person} is not in the list");
    Ok(())
}

fn empty_list(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let list = server
        .target()
        .ask(&Request::get("/persons"))?
        .expect_status(200)?;
    list.expect_body("[]")?
        .expect_header("x-total-count", "0")?;
    let page = server
        .target()
        .ask(&Request::get("/persons?limit=5"))?
        .expect_status(200)?;
    let page = page
        .expect_body("[]")?
        .expect_header("x-total-count", "0")?;
    ensure!(!page.has_header("link"), "an empty page has a link");
    Ok(())
}

fn exact_list(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let mut client = server.target().connect()?;
    for age in 1..=3 {
        client.add_person("Exact", "OTHER", age)?;
    }
    client
        .ask(&Request::delete("/persons/2"))?
        .expect_status(204)?;
    let list = client.ask(&Request::get("/persons"))?.expect_status(200)?;
    list.expect_header("x-total-count", "2")?.expect_body(
        r#"[{"id":1,"name":"Exact","gender":"OTHER","age":1},{"id":3,"name":"Exact","gender":"OTHER","age":3}]"#,
    )?;
    Ok(())
}

fn head_of_list(binary: &Binary) -> Result<()> {
    let server = with_persons(binary, 3)?;
    let mut client = server.target().connect()?;
    let head = client.ask(&Request::head("/persons"))?.expect_status(200)?;
    ensure!(
        !head.has_header("content-length"),
        "HEAD has a content-length"
    );
    ensure!(
        !head.has_header("transfer-encoding"),
        "HEAD has a transfer-encoding"
    );
    let head = head.expect_header("content-type", "application/json")?;
    head.expect_header("x-total-count", "3")?;
    // A body, if one were sent, would stand before this answer.
    client
        .ask(&Request::get("/ping"))?
        .expect_status(200)?
        .expect_body("pong")?;
    Ok(())
}

fn streamed_list(binary: &Binary) -> Result<()> {
    const PERSONS: usize = 10_000;
    const READERS: usize = 20;
    /// The list is about 10 MB long: 20 copies of it would be 200 MB.
    const GROWTH: u64 = 32 * 1024 * 1024;
    let server = binary.start(&["--log-level", "warn"])?;
    let mut client = server.target().connect()?;
    let name = "\u{1f600}".repeat(255);
    let body = format!(r#"{{"name":"{name}","gender":"OTHER","age":1}}"#);
    add_many(&mut client, &Request::post("/persons", body), PERSONS)?;
    let before = memory_bytes(server.id())?;
    let list = Request::get("/persons");
    let mut readers = Vec::new();
    for _ in 0..READERS {
        let mut reader = server.target().connect()?;
        reader.send(&list)?;
        let head = reader.receive_head(&list)?.expect_status(200)?;
        readers.push((reader, head));
    }
    // All of them stand now, each with its buffers full.
    thread::sleep(std::time::Duration::from_millis(300));
    let during = memory_bytes(server.id())?;
    ensure!(
        during < before + GROWTH,
        "the memory grew from {before} to {during} bytes under {READERS} lists"
    );
    for (mut reader, head) in readers.drain(..2) {
        ensure!(head.framing == Framing::Chunked, "the list is not chunked");
        let list = reader.receive_rest(&list, head)?;
        let count = ids_of(&list.json()?).len();
        ensure!(count == PERSONS, "the list has {count} persons");
    }
    Ok(())
}

fn total_count(binary: &Binary) -> Result<()> {
    let server = with_persons(binary, 5)?;
    let mut client = server.target().connect()?;
    let mut expect = |count: &str| -> Result<()> {
        for path in [
            "/persons",
            "/persons?limit=1",
            "/persons?after=3",
            "/persons?limit=9&after=100",
        ] {
            for request in [Request::get(path), Request::head(path)] {
                client
                    .ask(&request)?
                    .expect_status(200)?
                    .expect_header("x-total-count", count)?;
            }
        }
        Ok(())
    };
    expect("5")?;
    let target = server.target();
    target
        .ask(&Request::delete("/persons/1"))?
        .expect_status(204)?;
    target
        .ask(&Request::delete("/persons/5"))?
        .expect_status(204)?;
    target
        .ask(&Request::delete("/persons/5"))?
        .expect_status(404)?;
    expect("3")?;
    target
        .ask(&Request::put(
            "/persons/2",
            r#"{"name":"A","gender":"MALE","age":1}"#,
        ))?
        .expect_status(200)?;
    target
        .ask(&Request::patch("/persons/3", r#"{"age":9}"#))?
        .expect_status(200)?;
    target
        .ask(&Request::post("/persons", "{}"))?
        .expect_status(422)?;
    expect("3")?;
    target.add_person("Sixth", "MALE", 6)?;
    expect("4")
}

fn list_among_writes(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    let staying: Vec<u64> = (0..40)
        .map(|_| {
            let id = client.add_person("Stays", "OTHER", 1)?;
            let passing = client.add_person("Passes", "OTHER", 2)?;
            client.ask(&Request::delete(format!("/persons/{passing}")))?;
            Ok(id)
        })
        .collect::<Result<_>>()?;
    let stop = AtomicBool::new(false);
    thread::scope(|scope| -> Result<()> {
        let writer = scope.spawn(|| -> Result<()> {
            let mut client = target.connect()?;
            while !stop.load(Ordering::Relaxed) {
                let id = client.add_person("Passes", "OTHER", 2)?;
                client.ask(&Request::patch(
                    format!("/persons/{}", staying[7]),
                    r#"{"age":3}"#,
                ))?;
                client
                    .ask(&Request::delete(format!("/persons/{id}")))?
                    .expect_status(204)?;
            }
            Ok(())
        });
        let mut read = || -> Result<()> {
            for _ in 0..15 {
                let list = client.ask(&Request::get("/persons"))?.expect_status(200)?;
                let ids = ids_of(&list.json()?);
                ensure!(
                    ids.is_sorted_by(|left, right| left < right),
                    "the list has ids twice or out of order"
                );
                for id in &staying {
                    ensure!(
                        ids.binary_search(id).is_ok(),
                        "person {id} is missing in a list"
                    );
                }
            }
            Ok(())
        };
        let result = read();
        stop.store(true, Ordering::Relaxed);
        writer
            .join()
            .unwrap_or_else(|_| bail!("the writer panicked"))?;
        result
    })
}

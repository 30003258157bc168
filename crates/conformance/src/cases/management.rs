//! Section 4: health and info.

use std::thread;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::{case::Case, http::Request, process::Binary, target::Target};

pub(super) const CASES: &[Case] = &[
    Case::url("health is UP with the store UP", &["4.1"], health).before_load(),
    Case::url("liveness is UP", &["4.4"], liveness),
    Case::url("readiness is UP", &["4.6"], readiness),
    Case::url(
        "info tells app, build, git, runtime and store",
        &["4.9", "4.10", "4.11", "4.12", "4.14"],
        info,
    )
    .before_load(),
    Case::process(
        "info tells the truth about the process",
        &["4.9", "4.12", "4.14"],
        true_info,
    ),
    Case::process("each start has an instance of its own", &["4.13"], instance),
    Case::url(
        "JHipster's paths answer health and info too",
        &["4.27", "4.28"],
        other_paths,
    ),
];

fn health(target: &Target) -> Result<()> {
    let response = target.ask(&Request::get("/health"))?.expect_status(200)?;
    response
        .expect_header("content-type", "application/json")?
        .expect_body(r#"{"status":"UP","components":{"store":{"status":"UP"}}}"#)?;
    Ok(())
}

fn liveness(target: &Target) -> Result<()> {
    let response = target
        .ask(&Request::get("/health/liveness"))?
        .expect_status(200)?;
    response.expect_body(r#"{"status":"UP"}"#)?;
    Ok(())
}

fn readiness(target: &Target) -> Result<()> {
    let response = target
        .ask(&Request::get("/health/readiness"))?
        .expect_status(200)?;
    response.expect_body(r#"{"status":"UP"}"#)?;
    Ok(())
}

fn info(target: &Target) -> Result<()> {
    let info = target
        .ask(&Request::get("/info"))?
        .expect_status(200)?
        .json()?;
    for pointer in [
        "/app/name",
        "/app/version",
        "/app/flavor",
        "/build/profile",
        "/build/target",
        "/build/rustc",
        "/runtime/framework",
        "/runtime/allocator",
        "/runtime/log_level",
        "/runtime/instance",
    ] {
        text_at(&info, pointer)?;
    }
    for pointer in ["/runtime/workers", "/runtime/pid"] {
        let number = info.pointer(pointer).and_then(Value::as_u64);
        ensure!(
            number.is_some_and(|number| number >= 1),
            "{pointer} is {number:?}"
        );
    }
    let commit = info
        .pointer("/git/commit")
        .context("there is no /git/commit")?;
    let is_hash = |text: &str| text.len() >= 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    ensure!(
        commit.is_null() || commit.as_str().is_some_and(is_hash),
        "the commit is {commit}"
    );
    let store = &info["store"];
    ensure!(
        ["memory", "sqlite", "postgres"]
            .iter()
            .any(|kind| store == kind),
        "the store is {store}"
    );
    Ok(())
}

fn true_info(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--workers", "3", "--log-level", "error"])?;
    let info = server
        .target()
        .ask(&Request::get("/info"))?
        .expect_status(200)?
        .json()?;
    let runtime = &info["runtime"];
    ensure!(
        info["app"]["flavor"] == binary.flavor,
        "the flavor is {}",
        info["app"]["flavor"]
    );
    ensure!(
        runtime["pid"] == server.id(),
        "the pid is {} of {}",
        runtime["pid"],
        server.id()
    );
    ensure!(
        runtime["workers"] == 3,
        "the workers are {}",
        runtime["workers"]
    );
    ensure!(
        runtime["log_level"] == "error",
        "the log level is {}",
        runtime["log_level"]
    );
    ensure!(info["store"] == "memory", "the store is {}", info["store"]);
    let rustc = text_at(&info, "/build/rustc")?;
    ensure!(rustc.contains("1."), "the compiler is {rustc}");
    let target = text_at(&info, "/build/target")?;
    ensure!(
        target.contains(std::env::consts::ARCH),
        "the target is {target}"
    );
    Ok(())
}

fn instance(binary: &Binary) -> Result<()> {
    let of = |server: &crate::process::Server| -> Result<String> {
        let info = server.target().ask(&Request::get("/info"))?.json()?;
        Ok(text_at(&info, "/runtime/instance")?.to_owned())
    };
    let (first, second) = thread::scope(|scope| {
        let other = scope.spawn(|| binary.start(&[]));
        (binary.start(&[]), other.join())
    });
    let first = first?;
    let second = second.unwrap_or_else(|_| anyhow::bail!("a start panicked"))?;
    let (one, two) = (of(&first)?, of(&second)?);
    ensure!(one.len() >= 8, "the instance {one} can be guessed");
    ensure!(one != two, "two starts have the instance {one}");
    ensure!(one == of(&first)?, "the instance changes within a start");
    Ok(())
}

fn other_paths(target: &Target) -> Result<()> {
    for (path, same) in [
        ("/management/health", "/health"),
        ("/management/info", "/info"),
    ] {
        let response = target.ask(&Request::get(path))?.expect_status(200)?;
        let twin = target.ask(&Request::get(same))?;
        ensure!(
            response.body == twin.body,
            "{path} and {same} answer differently"
        );
        ensure!(
            response.header_names() == twin.header_names(),
            "{path} and {same} have other headers"
        );
    }
    Ok(())
}

fn text_at<'a>(info: &'a Value, pointer: &str) -> Result<&'a str> {
    let text = info
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default();
    ensure!(!text.is_empty(), "{pointer} is no text");
    Ok(text)
}

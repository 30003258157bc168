//! Section 6: flags and variables, and bad values.

use std::{
    net::TcpListener,
    process,
    sync::atomic::{AtomicU16, Ordering},
    thread::{self, available_parallelism},
};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::{
    case::Case,
    http::Request,
    process::{Binary, Ended, Server, Signal},
    target::Target,
};

pub(super) const CASES: &[Case] = &[
    Case::process(
        "every flag has a twin in the environment",
        &["6.1", "6.8", "6.12", "6.14", "6.16"],
        twins,
    ),
    Case::process("a flag wins over its twin", &["6.2"], flags_win),
    Case::process(
        "help lists flags, twins, defaults and units",
        &["6.3", "6.8", "6.17"],
        help,
    ),
    Case::process(
        "a bad value ends with exit code 2 and one line that names the flag",
        &["6.4", "6.5"],
        bad_values,
    ),
    Case::process(
        "a bad value of a variable ends with exit code 2",
        &["6.4", "6.1"],
        bad_variables,
    ),
    Case::process(
        "memory is the store and any other is refused",
        &["6.10", "6.11"],
        stores,
    ),
    Case::process(
        "there are as many workers as asked for, or as processors",
        &["6.12", "6.13"],
        workers,
    ),
    Case::process("a grace is a whole number with a unit", &["6.17"], graces),
];

fn info(target: &Target) -> Result<serde_json::Value> {
    target
        .ask(&Request::get("/info"))?
        .expect_status(200)?
        .json()
}

/// A port on which nobody listens, from below the range that clients and port 0 draw from.
pub(super) fn free_port() -> Result<u16> {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let start = u16::try_from(process::id() % 10_000)?;
    for _ in 0..1000 {
        let offset = (start + NEXT.fetch_add(1, Ordering::Relaxed)) % 10_000;
        let port = 20_000 + offset;
        if TcpListener::bind(("0.0.0.0", port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no port from 20000 on is free")
}

fn twins(binary: &Binary) -> Result<()> {
    let port = free_port()?.to_string();
    let variables = [
        ("HOST", "127.0.0.3"),
        ("PORT", port.as_str()),
        ("STORE_URL", "memory:"),
        ("WORKERS", "3"),
        ("LOG_LEVEL", "debug"),
        ("LOG_FORMAT", "json"),
        ("SHUTDOWN_GRACE", "7s"),
    ];
    let server = binary.start_with(&[], &variables)?;
    ensure!(
        server.ready_line() == format!("listening on http://127.0.0.3:{port}"),
        "the ready line is {}",
        server.ready_line()
    );
    let info = info(server.target())?;
    ensure!(
        info["runtime"]["workers"] == 3,
        "the workers are {}",
        info["runtime"]["workers"]
    );
    ensure!(
        info["runtime"]["log_level"] == "debug",
        "the level is {}",
        info["runtime"]["log_level"]
    );
    let log = server.stderr_with(|log| log.contains('\n'))?;
    let line = log.lines().next().unwrap_or_default();
    ensure!(
        line.starts_with('{') && line.ends_with('}'),
        "the log is no JSON: {line}"
    );
    Ok(())
}

fn flags_win(binary: &Binary) -> Result<()> {
    let variables = [
        ("HOST", "127.0.0.3"),
        ("PORT", "1"),
        ("STORE_URL", "nonsense"),
        ("WORKERS", "3"),
        ("LOG_LEVEL", "debug"),
        ("LOG_FORMAT", "json"),
        ("SHUTDOWN_GRACE", "nonsense"),
    ];
    let flags = [
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--store",
        "memory:",
        "--workers",
        "2",
        "--log-level",
        "info",
        "--log-format",
        "text",
        "--shutdown-grace",
        "5s",
    ];
    let server = binary.start_with(&flags, &variables)?;
    ensure!(
        server.ready_line().contains("127.0.0.1:"),
        "{}",
        server.ready_line()
    );
    let info = info(server.target())?;
    ensure!(
        info["runtime"]["workers"] == 2,
        "the workers are {}",
        info["runtime"]["workers"]
    );
    ensure!(
        info["runtime"]["log_level"] == "info",
        "the level is {}",
        info["runtime"]["log_level"]
    );
    let log = server.stderr_with(|log| log.contains('\n'))?;
    ensure!(!log.starts_with('{'), "the log is JSON: {log}");
    Ok(())
}

fn help(binary: &Binary) -> Result<()> {
    let ended = binary.run_to_end(&["--help"], &[])?;
    ensure!(ended.code == Some(0), "the exit code is {:?}", ended.code);
    let text = ended.stdout;
    let flags = [
        ("--host", "HOST", "127.0.0.1"),
        ("--port", "PORT", "8080"),
        ("--store", "STORE_URL", "memory:"),
        ("--workers", "WORKERS", ""),
        ("--log-level", "LOG_LEVEL", "info"),
        ("--log-format", "LOG_FORMAT", "text"),
        ("--shutdown-grace", "SHUTDOWN_GRACE", "30s"),
    ];
    for (number, (flag, variable, default)) in flags.iter().enumerate() {
        let start = text
            .find(flag)
            .with_context(|| format!("{flag} is not in the help: {text}"))?;
        let next = flags
            .get(number + 1)
            .and_then(|(next, _, _)| text.find(next));
        let part = &text[start..next.filter(|next| *next > start).unwrap_or(text.len())];
        ensure!(
            part.contains(variable),
            "the twin {variable} is not told: {part}"
        );
        ensure!(
            part.contains(default),
            "the default {default} of {flag} is not told: {part}"
        );
    }
    let lower = text.to_lowercase();
    ensure!(
        lower.contains("ms") && lower.contains("processors"),
        "the units are not told: {text}"
    );
    Ok(())
}

/// Checks that a start was refused with this exit code, in one line that has this text.
pub(super) fn expect_refusal(ended: &Ended, code: i32, told: &str) -> Result<()> {
    let lines: Vec<&str> = ended
        .stderr
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    ensure!(
        ended.code == Some(code),
        "the exit code is {:?} where {code} was expected; standard error: {}",
        ended.code,
        ended.stderr
    );
    ensure!(
        lines.len() == 1,
        "{} lines are told where one was expected: {}",
        lines.len(),
        ended.stderr
    );
    ensure!(lines[0].contains(told), "{told} is not told: {}", lines[0]);
    ensure!(
        ended.stdout.is_empty(),
        "standard output has {}",
        ended.stdout
    );
    ensure!(!lines[0].contains("panicked"), "it panicked: {}", lines[0]);
    Ok(())
}

fn bad_values(binary: &Binary) -> Result<()> {
    let bad = [
        ("--port", "70000"),
        ("--port", "-1"),
        ("--port", "http"),
        ("--port", ""),
        ("--workers", "0"),
        ("--workers", "many"),
        ("--workers", "-2"),
        ("--log-level", "loud"),
        ("--log-format", "xml"),
        ("--shutdown-grace", "5"),
        ("--shutdown-grace", "5h"),
        ("--shutdown-grace", "1.5s"),
        ("--shutdown-grace", "-1s"),
        ("--shutdown-grace", "s"),
        ("--shutdown-grace", ""),
        ("--store", "memory"),
        ("--host", "not a host"),
    ];
    for (flag, value) in bad {
        let given = format!("{flag}={value}");
        let ended = binary.run_to_end(&[&given], &[("PORT", "0")])?;
        expect_refusal(&ended, 2, flag).context(given)?;
    }
    for unknown in ["--nonsense", "--ports=1"] {
        let ended = binary.run_to_end(&[unknown], &[("PORT", "0")])?;
        expect_refusal(&ended, 2, unknown.split('=').next().unwrap_or(unknown)).context(unknown)?;
    }
    // What stands where no flag does may be a store URL: it is refused without being repeated.
    let ended = binary.run_to_end(&["postgres://me:hunter2@db/x"], &[("PORT", "0")])?;
    expect_refusal(&ended, 2, "flag")?;
    ensure!(
        !ended.stderr.contains("hunter2"),
        "a password is shown: {}",
        ended.stderr
    );
    Ok(())
}

fn bad_variables(binary: &Binary) -> Result<()> {
    let bad = [
        ("PORT", "x"),
        ("WORKERS", "0"),
        ("LOG_LEVEL", "loud"),
        ("LOG_FORMAT", "xml"),
        ("SHUTDOWN_GRACE", "5"),
        ("STORE_URL", "x"),
    ];
    for (variable, value) in bad {
        let flags: &[&str] = if variable == "PORT" {
            &[]
        } else {
            &["--port", "0"]
        };
        let ended = binary.run_to_end(flags, &[(variable, value)])?;
        ensure!(
            ended.code == Some(2),
            "{variable}={value} ends with {:?}",
            ended.code
        );
        let lines = ended
            .stderr
            .lines()
            .filter(|line| !line.trim().is_empty())
            .count();
        ensure!(
            lines == 1,
            "{variable}={value} is told in {lines} lines: {}",
            ended.stderr
        );
    }
    Ok(())
}

fn stores(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--store", "memory:"])?;
    ensure!(
        info(server.target())?["store"] == "memory",
        "the store is no memory"
    );
    for store in [
        "sqlite:persons.db",
        "postgres://localhost/persons",
        "",
        "file:x",
    ] {
        let given = format!("--store={store}");
        let ended = binary.run_to_end(&["--port=0", &given], &[])?;
        expect_refusal(&ended, 2, "memory:").context(given)?;
    }
    Ok(())
}

fn workers(binary: &Binary) -> Result<()> {
    for count in ["1", "2", "5"] {
        let server = binary.start(&["--workers", count])?;
        let told = info(server.target())?["runtime"]["workers"].to_string();
        ensure!(
            told == count,
            "{told} workers are told where {count} were asked for"
        );
        server
            .target()
            .ask(&Request::get("/ping"))?
            .expect_status(200)?;
    }
    let server = binary.start(&[])?;
    let told = &info(server.target())?["runtime"]["workers"];
    let processors = available_parallelism()?.get();
    ensure!(
        *told == processors,
        "{told} workers are told on {processors} processors"
    );
    let one = thread::scope(|scope| scope.spawn(|| start_on_one_processor(binary)).join());
    let one = one.unwrap_or_else(|_| bail!("the start panicked"))?;
    let told = &info(one.target())?["runtime"]["workers"];
    ensure!(
        *told == 1,
        "{told} workers are told of a process that may use one processor"
    );
    Ok(())
}

/// Starts a process that may use one processor: it inherits what this thread may use.
fn start_on_one_processor(binary: &Binary) -> Result<Server> {
    let allowed = sched_getaffinity(None)?;
    let first = (0..CpuSet::MAX_CPU).find(|processor| allowed.is_set(*processor));
    let mut one = CpuSet::new();
    one.set(first.context("no processor may be used")?);
    sched_setaffinity(None, &one)?;
    binary.start(&[])
}

fn graces(binary: &Binary) -> Result<()> {
    for grace in ["1500ms", "10s", "2m", "0s"] {
        let server = binary.start(&["--shutdown-grace", grace])?;
        let ended = server.end_by(Signal::TERM)?;
        ensure!(
            ended.code == Some(0),
            "with {grace} the exit code is {:?}",
            ended.code
        );
    }
    Ok(())
}

//! The program as a user runs it: its ends, its exit codes, and what it leaves behind.

#![cfg(target_os = "linux")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A server that notes its process id beside itself and then never answers.
const SILENT: &str = "#!/bin/sh\necho $$ > \"$0.pid\"\nexec sleep 600\n";
/// A server that ends at once.
const ENDING: &str = "#!/bin/sh\necho 'no such store' >&2\nexit 3\n";

/// A folder with a server named as the axum flavor is.
fn folder(script: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(&folder);
    std::fs::write(&server, script).expect("a file");
    std::fs::set_permissions(&server, PermissionsExt::from_mode(0o755)).expect("an executable");
    folder
}

fn server(folder: &TempDir) -> PathBuf {
    folder.path().join("server-axum")
}

fn compare(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_compare"));
    command
        .args(["--flavors", "axum", "--binaries"])
        .arg(folder.path());
    command
        .arg("--output")
        .arg(folder.path().join("result.json"));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn result(folder: &TempDir) -> serde_json::Value {
    let text = std::fs::read(folder.path().join("result.json")).expect("a result file");
    serde_json::from_slice(&text).expect("JSON")
}

/// Waits until `what` gives a value, for 20 seconds at most.
fn wait<T>(what: impl Fn() -> Option<T>) -> Option<T> {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(20) {
        let found = what();
        if found.is_some() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}

/// Starts a comparison with a silent server; gives both once the server runs.
fn started(folder: &TempDir) -> (Child, u32) {
    let child = compare(folder).spawn().expect("it starts");
    let file = format!("{}.pid", server(folder).display());
    let id = wait(|| std::fs::read_to_string(&file).ok()?.trim().parse().ok())
        .expect("the server starts");
    assert!(is_alive(id));
    (child, id)
}

fn is_alive(id: u32) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(id.to_string()).join("stat"));
    // A process that has ended but was not reaped yet is a zombie.
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

fn send(child: &Child, signal: Signal) {
    let pid = i32::try_from(child.id())
        .ok()
        .and_then(Pid::from_raw)
        .expect("a process id");
    kill_process(pid, signal).expect("the signal is sent");
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

#[test]
fn an_interrupt_ends_every_server_and_keeps_what_is_finished() {
    for signal in [Signal::INT, Signal::TERM] {
        let folder = folder(SILENT);
        let (child, id) = started(&folder);
        send(&child, signal);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{}", text(&output));
        assert!(!is_alive(id), "the server lives on");
        let result = result(&folder);
        assert_eq!(result["complete"], false);
        assert!(
            result["targets"][0]["artifact"]["bytes"]
                .as_u64()
                .is_some_and(|bytes| bytes > 0)
        );
    }
}

#[test]
fn a_killed_comparison_leaves_no_server_behind() {
    let folder = folder(SILENT);
    let (mut child, id) = started(&folder);
    send(&child, Signal::KILL);
    child.wait().expect("it ends");
    assert!(
        wait(|| (!is_alive(id)).then_some(())).is_some(),
        "the server lives on"
    );
}

#[test]
fn a_server_that_ends_by_itself_is_named_with_its_log_and_its_figures_are_void() {
    let folder = folder(ENDING);
    let output = compare(&folder).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let reason = result(&folder)["targets"][0]["void"][0].to_string();
    assert!(
        reason.contains("ended by itself") && reason.contains("no such store"),
        "{reason}"
    );
    assert!(
        text(&output).contains("axum: VOID: it ended by itself"),
        "{}",
        text(&output)
    );
}

#[test]
fn a_server_that_fails_the_conformance_cases_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = Path::new(env!("CARGO_BIN_EXE_compare")).with_file_name("examples");
    std::fs::copy(examples.join("ping-only"), server(&folder)).expect("the example is built");
    let output = compare(&folder).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(
        text(&output).contains("axum: VOID: refused: it fails"),
        "{}",
        text(&output)
    );
    let target = &result(&folder)["targets"][0];
    assert!(
        target["conformance"]["failures"]
            .as_array()
            .is_some_and(|failures| !failures.is_empty())
    );
    assert_eq!(
        target["starts"].as_array().map(Vec::len),
        Some(0),
        "a refused server is not measured"
    );
    assert_eq!(result(&folder)["complete"], true);
}

#[test]
fn a_wrong_command_line_ends_with_code_2() {
    for arguments in [
        &["--starts", "0"][..],
        &["--flavors", "rocket"],
        &["--no-such-flag"],
        &["lists", "--readers", "0"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_compare"))
            .args(arguments)
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_folder_without_servers_is_an_error_that_names_the_missing_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = compare(&folder).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("server-axum"), "{}", text(&output));
}

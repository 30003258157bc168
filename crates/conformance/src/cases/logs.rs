//! Section 6: what is logged of a request, and what never is.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Map, Value};

use crate::{
    case::Case,
    http::{Connection, Request},
    process::{Binary, Server, Signal},
};

pub(super) const CASES: &[Case] = &[
    Case::process(
        "each request has one line with method, route, status, duration and request id",
        &["6.22", "6.23", "0.14"],
        one_line,
    ),
    Case::process(
        "the text log has the same in one line",
        &["6.22", "6.23", "6.15", "0.14"],
        text_line,
    ),
    Case::process(
        "the line of a request for a person has the person's id",
        &["6.24"],
        person_id,
    ),
    Case::process(
        "a made request id is logged as it was answered",
        &["0.14"],
        made_id,
    ),
    Case::process(
        "no name is ever logged, not even where it is refused",
        &["6.25"],
        no_names,
    ),
    Case::process(
        "each line of the JSON log is one object",
        &["6.16"],
        json_lines,
    ),
    Case::process(
        "the log is text unless told otherwise",
        &["6.15"],
        text_by_default,
    ),
    Case::process(
        "requests are logged at info and not at warn",
        &["6.14", "6.22"],
        levels,
    ),
    Case::process(
        "garbage on a connection is no error in the log, and the next request is logged",
        &["5.15", "6.22"],
        garbage,
    ),
];

/// The lines of the JSON log that have this request id, once there is one.
fn lines_of(server: &Server, request_id: &str) -> Result<Vec<String>> {
    let log = server.stderr_with(|log| log.lines().any(|line| line.contains(request_id)))?;
    Ok(log
        .lines()
        .filter(|line| line.contains(request_id))
        .map(str::to_owned)
        .collect())
}

/// The members of an object and of the objects in it, as one.
fn flattened(value: &Value) -> Map<String, Value> {
    let mut all = Map::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        if value.is_object() {
            all.extend(flattened(value));
        } else {
            all.insert(name.clone(), value.clone());
        }
    }
    all
}

/// A value as it would stand in a line of text.
fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn one_line(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--log-format", "json"])?;
    let id = server.target().add_person("Logged", "OTHER", 1)?;
    let requests = [
        (Request::get("/ping?x=1"), "/ping", "200"),
        (
            Request::get(format!("/persons/{id}")),
            "/persons/{id}",
            "200",
        ),
        (Request::get("/persons/123456"), "/persons/{id}", "404"),
        (Request::post("/persons", "{}"), "/persons", "422"),
        (Request::new("DELETE", "/persons"), "/persons", "405"),
        (Request::get("/nothing"), "", "404"),
        (Request::get("/persons"), "/persons", "200"),
        (Request::head("/health"), "/health", "200"),
    ];
    for (number, (request, route, status)) in requests.into_iter().enumerate() {
        let request_id = format!("logged-{number}-x");
        let method = request.method().to_owned();
        server
            .target()
            .ask(&request.header("x-request-id", request_id.clone()))?;
        let lines = lines_of(&server, &request_id)?;
        ensure!(lines.len() == 1, "a request has the lines {lines:#?}");
        let line: Value = serde_json::from_str(&lines[0]).context("the line is no JSON")?;
        let fields = flattened(&line);
        let has = |wanted: &str| fields.values().any(|value| text_of(value) == wanted);
        ensure!(has(&method), "the method {method} is not logged: {line}");
        ensure!(has(route), "the route {route:?} is not logged: {line}");
        ensure!(has(status), "the status {status} is not logged: {line}");
        ensure!(
            has(&request_id),
            "the request id {request_id} is not a field of its own: {line}"
        );
        let duration = fields
            .iter()
            .find(|(name, _)| name.contains("duration"))
            .map(|(_, value)| value);
        let duration = duration.with_context(|| format!("no duration is logged: {line}"))?;
        let number = duration.as_f64().or_else(|| {
            duration
                .as_str()?
                .trim_end_matches(char::is_alphabetic)
                .parse()
                .ok()
        });
        ensure!(
            number.is_some_and(|number| (0.0..1e9).contains(&number)),
            "the duration is {duration}"
        );
        ensure!(lines[0].contains("INFO"), "the level is not INFO: {line}");
    }
    Ok(())
}

fn text_line(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--log-format", "text"])?;
    let id = server.target().add_person("Logged", "OTHER", 1)?;
    let request = Request::get(format!("/persons/{id}")).header("x-request-id", "in-text");
    server.target().ask(&request)?.expect_status(200)?;
    let lines = lines_of(&server, "in-text")?;
    ensure!(lines.len() == 1, "a request has the lines {lines:#?}");
    for wanted in ["INFO", "GET", "/persons/{id}", "200", "duration", "in-text"] {
        ensure!(
            lines[0].contains(wanted),
            "{wanted} is not in the line {}",
            lines[0]
        );
    }
    ensure!(
        !lines[0].contains('\u{1b}'),
        "the line has colours, which no file wants: {}",
        lines[0]
    );
    Ok(())
}

fn person_id(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--log-format", "json"])?;
    let target = server.target();
    // Ids that stand out from statuses and counts.
    for _ in 0..1233 {
        target.add_person("Filler", "OTHER", 1)?;
    }
    let person = r#"{"name":"A","gender":"MALE","age":1}"#;
    let requests = [
        (Request::post("/persons", person), "1234"),
        (Request::get("/persons/1234"), "1234"),
        (Request::put("/persons/1234", person), "1234"),
        (Request::patch("/persons/01234", r#"{"age":2}"#), "1234"),
        (Request::delete("/persons/1234"), "1234"),
    ];
    for (number, (request, id)) in requests.into_iter().enumerate() {
        let request_id = format!("person-{}", ["a", "b", "c", "d", "e"][number]);
        target.ask(&request.header("x-request-id", request_id.clone()))?;
        let lines = lines_of(&server, &request_id)?;
        let fields = flattened(&serde_json::from_str(&lines[0])?);
        let told = fields
            .iter()
            .any(|(name, value)| name.contains("id") && text_of(value) == id);
        ensure!(told, "the person's id {id} is not in the line {}", lines[0]);
    }
    Ok(())
}

fn made_id(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--log-format", "json"])?;
    let response = server.target().ask(&Request::get("/ping"))?;
    let made = response.required_header("x-request-id")?;
    let lines = lines_of(&server, made)?;
    ensure!(lines.len() == 1, "a request has the lines {lines:#?}");
    Ok(())
}

fn no_names(binary: &Binary) -> Result<()> {
    let secret = "Wxyzabcd";
    let server = binary.start(&["--log-level", "debug"])?;
    let target = server.target();
    let id = target.add_person(secret, "FEMALE", 1)?;
    let path = format!("/persons/{id}");
    let body = format!(r#"{{"name":"{secret}","gender":"MALE","age":1}}"#);
    for request in [
        Request::put(path.clone(), body.clone()),
        Request::patch(path.clone(), format!(r#"{{"name":"{secret}2"}}"#)),
        Request::get(path.clone()),
        Request::get("/persons"),
        Request::get("/persons?limit=10"),
        Request::delete(path),
        Request::post(
            "/persons",
            format!(r#"{{"name":"{secret}","gender":"{secret}","age":-1}}"#),
        ),
        Request::post("/persons", format!(r#"{{"name":"{secret}""#)),
        Request::new("POST", "/persons").typed("text/plain", body.clone()),
        Request::post("/nothing", body),
        Request::get(format!("/hello-world?name={secret}")),
        Request::get(format!("/hello-world?name={secret}&name={secret}")),
        Request::get(format!("/persons?name={secret}")),
        Request::get(format!("/persons/{secret}")),
        Request::get(format!("/nothing/{secret}")),
    ] {
        target.ask(&request)?;
    }
    target.ask(&Request::get("/ping").header("x-request-id", "the-last"))?;
    server.stderr_with(|log| log.contains("the-last"))?;
    let ended = server.end_by(Signal::TERM)?;
    let found = ended.stderr.lines().find(|line| line.contains(secret));
    ensure!(
        found.is_none(),
        "a name is logged: {}",
        found.unwrap_or_default()
    );
    Ok(())
}

fn json_lines(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--log-format", "json", "--log-level", "debug"])?;
    let target = server.target();
    target.add_person("Quote \" and \\ and \u{1f600}", "OTHER", 1)?;
    target
        .ask(&Request::get("/persons/a%22b%0A"))?
        .expect_status(400)?;
    target.ask(&Request::get("/ping").header("user-agent", "\"quoted\\\""))?;
    target.ask(&Request::get("/ping").header("x-request-id", "the-last"))?;
    server.stderr_with(|log| log.contains("the-last"))?;
    let ended = server.end_by(Signal::TERM)?;
    for line in ended.stderr.lines() {
        let parsed: Value =
            serde_json::from_str(line).with_context(|| format!("no JSON: {line}"))?;
        ensure!(parsed.is_object(), "no object: {line}");
    }
    ensure!(
        ended.stderr.lines().count() >= 4,
        "the log is {}",
        ended.stderr
    );
    Ok(())
}

fn text_by_default(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    server
        .target()
        .ask(&Request::get("/ping").header("x-request-id", "in-text"))?;
    let lines = lines_of(&server, "in-text")?;
    ensure!(!lines[0].starts_with('{'), "the log is JSON: {}", lines[0]);
    Ok(())
}

fn levels(binary: &Binary) -> Result<()> {
    for (flags, logged) in [
        (&[][..], true),
        (&["--log-level", "info"], true),
        (&["--log-level", "warn"], false),
        (&["--log-level", "error"], false),
    ] {
        let server = binary.start(flags)?;
        server
            .target()
            .ask(&Request::get("/ping").header("x-request-id", "at-level"))?;
        let ended = server.end_by(Signal::TERM)?;
        let found = ended.stderr.contains("at-level");
        ensure!(
            found == logged,
            "with {flags:?} the log is {:?}",
            ended.stderr
        );
    }
    Ok(())
}

fn garbage(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--log-level", "info"])?;
    for bytes in [
        &b"GET /\xff\xfe HTTP/1.1\r\nhost: localhost\r\n\r\n"[..],
        b"\xff\xfe\x80 \x90 HTTP/1.1\r\n\r\n",
        b"GET /ping HTTP/1.1\r\nhost: localhost\r\nno colon\r\n\r\n",
        b"GET /ping HTTP/1.1\r\nhost: localhost\r\nx y: z\r\n\r\n",
        b"GET /ping HTTP/9.9\r\nhost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ] {
        let garbage = bytes.escape_ascii();
        let mut connection = Connection::open(server.target().address())?;
        connection.write(bytes)?;
        connection
            .read_response("GET")
            .and_then(|response| response.expect_status(400))
            .with_context(|| format!("the answer to {garbage}"))?;
        ensure!(
            connection.is_closed_within(Duration::from_secs(10))?,
            "the connection is open after {garbage}"
        );
    }
    server
        .target()
        .ask(&Request::get("/ping").header("x-request-id", "after-garbage"))?
        .expect_status(200)?;
    let lines = lines_of(&server, "after-garbage")?;
    ensure!(
        lines.len() == 1 && lines[0].contains("INFO"),
        "the next request has the lines {lines:#?}"
    );
    let ended = server.end_by(Signal::TERM)?;
    let error = ended.stderr.lines().find(|line| line.contains("ERROR"));
    ensure!(
        error.is_none(),
        "an error is logged: {}",
        error.unwrap_or_default()
    );
    Ok(())
}

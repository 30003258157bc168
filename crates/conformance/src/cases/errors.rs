//! Section 5: problem documents, the order of the checks, and connections after an error.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::NOBODY;
use crate::{case::Case, http::Request, target::Target};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "every error is a problem with its title and the raw path",
        &["5.1", "5.2", "5.3", "5.4", "0.8"],
        problems,
    )
    .before_load(),
    Case::url(
        "the instance is the raw path without the query",
        &["5.4"],
        instances,
    ),
    Case::url("the path is checked before all else", &["5.8"], path_first),
    Case::url(
        "the method is checked before ids and queries",
        &["5.9"],
        method_second,
    ),
    Case::url(
        "ids and queries are checked before the content type",
        &["5.10"],
        id_before_type,
    ),
    Case::url(
        "the content type is checked before the size",
        &["5.11"],
        type_before_size,
    ),
    Case::url(
        "the size is checked before the syntax",
        &["5.12"],
        size_before_syntax,
    ),
    Case::url(
        "the syntax is checked before the fit",
        &["5.13"],
        syntax_before_fit,
    ),
    Case::url(
        "the fit is checked before whether the person is there",
        &["5.14"],
        fit_before_person,
    ),
    Case::url(
        "no error tells of the inside or repeats the body",
        &["5.16"],
        nothing_leaks,
    ),
    Case::url(
        "what is no request is refused and the connection closed",
        &["5.15"],
        no_request,
    ),
    Case::url(
        "the connection serves on after every 4xx",
        &["5.48", "6.26"],
        serves_on,
    )
    .before_load(),
    Case::url(
        "a client that closes its sending side is answered",
        &["5.49"],
        half_closed,
    ),
];

const PERSON: &str = r#"{"name":"A","gender":"MALE","age":1}"#;
/// More than 64 KiB, and no JSON.
const TOO_LONG: usize = 64 * 1024 + 1;

fn problems(target: &Target) -> Result<()> {
    // The conventions check title, type, instance and order of every problem: here all kinds pass.
    let requests = [
        (Request::get("/persons/x"), 400),
        (Request::get("/nothing"), 404),
        (Request::new("PUT", "/persons"), 405),
        (Request::post("/persons", " ".repeat(TOO_LONG)), 413),
        (
            Request::new("POST", "/persons").typed("text/plain", PERSON),
            415,
        ),
        (Request::post("/persons", "{}"), 422),
    ];
    for (request, status) in requests {
        let response = target.ask(&request)?.expect_status(status)?;
        response.expect_header("content-type", "application/problem+json")?;
    }
    Ok(())
}

fn instances(target: &Target) -> Result<()> {
    for path in [
        "/persons/%31x",
        "/no%2Fthing",
        "/persons/a%22b",
        "/persons/1;x=1,y",
        "/nothing/~user/(1)",
        "/persons/%FF",
    ] {
        for query in ["", "?", "?limit=x&name=secret", "?a?b"] {
            let response = target.ask(&Request::get(format!("{path}{query}")))?;
            let instance = response.json()?["instance"].clone();
            ensure!(
                instance == path,
                "the instance of {path}{query} is {instance}"
            );
        }
    }
    let response = target
        .ask(&Request::get("/persons?limit=x"))?
        .expect_status(400)?;
    ensure!(
        response.text()?.ends_with(r#","instance":"/persons"}"#),
        "the query is in the instance"
    );
    Ok(())
}

fn path_first(target: &Target) -> Result<()> {
    let unknown = [
        Request::new("BREW", "/nothing"),
        Request::new("POST", "/nothing").typed("text/plain", "nonsense"),
        Request::post("/persons/1/", "nonsense"),
        Request::put("/persons/x/y", "{}"),
        Request::get("/nothing?limit=x&limit=y"),
        Request::delete("/"),
    ];
    let statuses = [404, 404, 404, 404, 404, 405];
    for (request, status) in unknown.iter().zip(statuses) {
        target.ask(request)?.expect_status(status)?;
    }
    let long = Request::post("/nothing", " ".repeat(TOO_LONG));
    target.ask(&long)?.expect_status(404)?;
    Ok(())
}

fn method_second(target: &Target) -> Result<()> {
    for request in [
        Request::new("BREW", "/persons/abc"),
        Request::new("POST", "/persons/abc").typed("text/plain", "nonsense"),
        Request::new("PUT", "/persons?limit=0"),
        Request::new("POST", "/hello-world?name=%FF"),
        Request::new("DELETE", "/persons?limit=x&limit=y"),
        Request::new("POST", "/persons/99999999999999999999"),
    ] {
        target.ask(&request)?.expect_status(405)?;
    }
    Ok(())
}

fn id_before_type(target: &Target) -> Result<()> {
    for method in ["PUT", "PATCH"] {
        for id in ["abc", "18446744073709551616", "%FF"] {
            let request =
                Request::new(method, format!("/persons/{id}")).typed("text/plain", "nonsense");
            target.ask(&request)?.expect_status(400)?;
            let coded =
                Request::put(format!("/persons/{id}"), "{").header("content-encoding", "gzip");
            target.ask(&coded)?.expect_status(400)?;
        }
    }
    Ok(())
}

fn type_before_size(target: &Target) -> Result<()> {
    for method in ["POST", "PUT", "PATCH"] {
        let path = if method == "POST" {
            "/persons"
        } else {
            "/persons/1"
        };
        let long = Request::new(method, path).typed("text/plain", "x".repeat(TOO_LONG));
        target
            .ask(&long)?
            .expect_status(415)
            .with_context(|| method)?;
        let untyped = Request::new(method, path).body("x".repeat(TOO_LONG));
        target
            .ask(&untyped)?
            .expect_status(415)
            .with_context(|| method)?;
    }
    Ok(())
}

fn size_before_syntax(target: &Target) -> Result<()> {
    for body in [
        "x".repeat(TOO_LONG),
        "{".repeat(TOO_LONG),
        "\u{0}".repeat(TOO_LONG),
    ] {
        target
            .ask(&Request::post("/persons", body.clone()))?
            .expect_status(413)?;
        target
            .ask(&Request::put(format!("/persons/{NOBODY}"), body))?
            .expect_status(413)?;
    }
    Ok(())
}

fn syntax_before_fit(target: &Target) -> Result<()> {
    for body in [
        r#"{"name":17,"age":"x","age":"y","gender":1"#,
        r#"{"name":"","gender":"X","age":151} x"#,
        r#"[1,2,"#,
        r#"{"name":"","gender":"X","age":1e400,}"#,
        "[] []",
        r#"{"name":"\ud800","gender":"X","age":151}"#,
    ] {
        target
            .ask(&Request::post("/persons", body))?
            .expect_status(400)
            .with_context(|| body)?;
    }
    let bad_utf8: &[u8] = b"{\"age\":\"x\",\"name\":1,\"y\":\"\xff\"}";
    target
        .ask(&Request::post("/persons", bad_utf8))?
        .expect_status(400)?;
    Ok(())
}

fn fit_before_person(target: &Target) -> Result<()> {
    let path = format!("/persons/{NOBODY}");
    target
        .ask(&Request::put(path.clone(), "{}"))?
        .expect_violations(&["name", "gender", "age"])?;
    target
        .ask(&Request::patch(path.clone(), r#"{"age":null}"#))?
        .expect_violations(&["age"])?;
    target
        .ask(&Request::put(path.clone(), "{"))?
        .expect_status(400)?;
    target
        .ask(&Request::patch(path.clone(), "{"))?
        .expect_status(400)?;
    target
        .ask(&Request::put(path.clone(), PERSON))?
        .expect_status(404)?;
    target
        .ask(&Request::patch(path, "{}"))?
        .expect_status(404)?;
    Ok(())
}

fn nothing_leaks(target: &Target) -> Result<()> {
    let secret = "Zyxwvutsrq";
    let requests = [
        Request::post("/persons", format!(r#"{{"name":"{secret}""#)),
        Request::post(
            "/persons",
            format!(r#"{{"name":"{secret}","gender":"{secret}","age":"{secret}"}}"#),
        ),
        Request::post(
            "/persons",
            format!(r#"{{"name":"{secret}\ud800","gender":"MALE","age":1}}"#),
        ),
        Request::post("/persons", format!(r#""{secret}""#)),
        Request::post("/persons", secret),
        Request::new("POST", "/persons").typed("text/plain", secret),
        Request::put(
            format!("/persons/{NOBODY}"),
            format!(r#"{{"name":"{secret}","gender":"MALE","age":1}}"#),
        ),
        Request::get(format!("/hello-world?name={secret}&name={secret}")),
        Request::get(format!("/persons?limit={secret}")),
    ];
    for request in requests {
        let response = target.ask(&request)?;
        ensure!(response.status >= 400, "{} is no error", response.status);
        ensure!(
            !response.text()?.contains(secret),
            "the answer repeats what was sent"
        );
    }
    Ok(())
}

fn no_request(target: &Target) -> Result<()> {
    let probe = Request::get("/");
    for bytes in [
        "nonsense\r\n\r\n",
        "GET /\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n",
        "GET  HTTP/1.1\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n",
    ] {
        let mut client = target.connect()?;
        client.send_bytes(bytes.as_bytes())?;
        if let Ok(response) = client.receive_unjudged(&probe) {
            ensure!(
                (400..500).contains(&response.status),
                "{} came for {bytes:?}",
                response.status
            );
        }
        ensure!(
            client.is_closed_within(Duration::from_secs(30))?,
            "the connection is open after {bytes:?}"
        );
    }
    Ok(())
}

fn serves_on(target: &Target) -> Result<()> {
    let id = target.add_person("Kept", "OTHER", 1)?;
    let errors = [
        (Request::get("/nothing"), 404),
        (
            Request::post("/nothing", "some body that nobody reads"),
            404,
        ),
        (
            Request::new("PUT", "/persons").typed("text/plain", "some body"),
            405,
        ),
        (Request::put("/persons/x", PERSON), 400),
        (
            Request::new("POST", "/persons").typed("text/plain", "some body"),
            415,
        ),
        (
            Request::post("/persons", PERSON).header("content-encoding", "gzip"),
            415,
        ),
        (Request::post("/persons", "{"), 400),
        (Request::post("/persons", "{}"), 422),
        (Request::post("/persons", "{}").chunked(1), 422),
        (Request::post("/nothing", "a body").chunked(3), 404),
        (Request::new("PUT", "/ping").body("a body").chunked(3), 405),
        (Request::put("/persons/x", PERSON).chunked(5), 400),
        (
            Request::new("POST", "/persons")
                .typed("text/plain", "a body")
                .chunked(1),
            415,
        ),
        (Request::put(format!("/persons/{NOBODY}"), PERSON), 404),
        (
            Request::delete(format!("/persons/{NOBODY}")).body("a body"),
            404,
        ),
        (Request::get("/persons?limit=0"), 400),
    ];
    let get = Request::get(format!("/persons/{id}"));
    let mut client = target.connect()?;
    for (request, status) in errors {
        let place = || format!("{} {}", request.method(), request.path());
        let response = client
            .ask(&request)
            .with_context(place)?
            .expect_status(status)
            .with_context(place)?;
        ensure!(
            !response.closes(),
            "the connection is closed after {}",
            place()
        );
        let next = client
            .ask(&get)
            .with_context(|| format!("after {}", place()))?;
        next.expect_status(200)?;
    }
    Ok(())
}

fn half_closed(target: &Target) -> Result<()> {
    let id = target.add_person("Half", "OTHER", 1)?;
    for request in [
        Request::get("/ping"),
        Request::get(format!("/persons/{id}")),
        Request::post("/persons", PERSON),
        Request::post("/persons", PERSON).chunked(7),
        Request::get("/persons?limit=1000"),
        Request::get("/metrics"),
    ] {
        let mut client = target.connect()?;
        client.send(&request)?;
        client.close_sending()?;
        client.receive(&request)?.expect_status(200)?;
        ensure!(
            client.is_closed_within(Duration::from_secs(30))?,
            "the connection stays open"
        );
    }
    Ok(())
}

//! Section 5: other methods, `allow`, HEAD and OPTIONS.

use anyhow::{Context as _, Result, ensure};

use super::NOBODY;
use crate::{
    case::Case,
    http::{Request, Response},
    target::Target,
};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "another method on a known path is 405 with allow in order",
        &["5.39", "5.40"],
        other_methods,
    )
    .before_load(),
    Case::url(
        "an unknown path is 404 for every method",
        &["5.37", "5.8"],
        unknown_paths,
    ),
    Case::url(
        "OPTIONS on a known path is 204 with allow",
        &["5.43", "0.5"],
        options,
    ),
    Case::url(
        "HEAD has the status and headers of GET",
        &["5.41"],
        head_headers,
    ),
    Case::url(
        "HEAD has no body, whatever GET has",
        &["5.42"],
        head_without_body,
    )
    .before_load(),
    Case::url(
        "methods are told apart by letter case",
        &["5.39"],
        letter_case,
    ),
];

/// Every path of the service with its methods in the order of the contract.
const PATHS: [(&str, &str); 18] = [
    ("/", GET),
    ("/ping", GET),
    ("/hello-world", GET),
    ("/persons", "GET, HEAD, POST, OPTIONS"),
    ("/persons/1", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
    (
        "/persons/18446744073709551615",
        "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
    ),
    ("/health", GET),
    ("/health/liveness", GET),
    ("/health/readiness", GET),
    ("/info", GET),
    ("/metrics", GET),
    ("/management/health", GET),
    ("/management/info", GET),
    ("/management/prometheus", GET),
    ("/api-docs/openapi.json", GET),
    ("/swagger-ui/", GET),
    ("/swagger-ui", GET),
    ("/swagger-ui/index.html", GET),
];
const GET: &str = "GET, HEAD, OPTIONS";
const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

fn other_methods(target: &Target) -> Result<()> {
    for (path, allow) in PATHS {
        let mut client = target.connect()?;
        let allowed: Vec<&str> = allow.split(", ").collect();
        for method in KNOWN.into_iter().chain(["TRACE", "PROPFIND", "BREW", "X"]) {
            if allowed.contains(&method) {
                continue;
            }
            let place = || format!("{method} {path}");
            let response = client
                .ask(&Request::new(method, path))?
                .expect_status(405)
                .with_context(place)?;
            response.expect_header("allow", allow).with_context(place)?;
        }
    }
    Ok(())
}

fn unknown_paths(target: &Target) -> Result<()> {
    for path in [
        "/nothing",
        "/persons/1/friends",
        "/favicon.ico",
        "/api/account",
        "/health/x",
        "/management/metrics",
    ] {
        for method in KNOWN.into_iter().chain(["TRACE", "BREW"]) {
            let response = target.ask(&Request::new(method, path))?;
            let response = response
                .expect_status(404)
                .with_context(|| format!("{method} {path}"))?;
            ensure!(!response.has_header("allow"), "a 404 has allow");
        }
    }
    Ok(())
}

fn options(target: &Target) -> Result<()> {
    for (path, allow) in PATHS {
        let response = target.ask(&Request::options(path))?.expect_status(204)?;
        ensure!(
            !response.has_header("content-type"),
            "a 204 has a content type"
        );
        response
            .expect_header("allow", allow)
            .with_context(|| path)?;
    }
    // What a browser asks before it posts to another origin: no such rule is set, so none is told.
    let preflight = Request::options("/persons")
        .header("origin", "http://example.com")
        .header("access-control-request-method", "POST");
    target.ask(&preflight)?.expect_status(204)?;
    Ok(())
}

/// GET requests whose answers do not change from one moment to the next.
fn steady_gets(target: &Target) -> Result<Vec<String>> {
    let id = target.add_person("Head", "OTHER", 1)?;
    // The page after the first has a link to the second, whatever other cases add.
    target.add_person("Head", "OTHER", 2)?;
    Ok([
        "/",
        "/ping",
        "/health",
        "/health/liveness",
        "/health/readiness",
        "/management/health",
        "/info",
        "/api-docs/openapi.json",
        "/swagger-ui/",
        "/swagger-ui",
        "/swagger-ui/nothing.js",
        "/nothing",
        "/persons/abc",
        "/persons?limit=0",
        "/hello-world?name=%FF",
    ]
    .into_iter()
    .map(str::to_owned)
    .chain([
        format!("/persons/{id}"),
        format!("/persons/{NOBODY}"),
        format!("/persons?limit=1&after={}", id - 1),
        format!("/persons?limit=1&after={NOBODY}"),
    ])
    .collect())
}

fn head_headers(target: &Target) -> Result<()> {
    for path in steady_gets(target)? {
        let get = target.ask(&Request::get(path.clone()).header("x-request-id", "same"))?;
        let head = target.ask(&Request::head(path.clone()).header("x-request-id", "same"))?;
        ensure!(
            get.status == head.status,
            "{path}: GET is {}, HEAD is {}",
            get.status,
            head.status
        );
        let (get, head) = (comparable(&get), comparable(&head));
        ensure!(get == head, "{path}: GET has {get:?}, HEAD has {head:?}");
    }
    Ok(())
}

/// The headers that two answers a moment apart share. The total count moves with other cases.
fn comparable(response: &Response) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = response
        .headers
        .iter()
        .map(|(name, value)| match name.as_str() {
            "date" | "x-total-count" => (name.clone(), String::new()),
            _ => (name.clone(), value.escape_ascii().to_string()),
        })
        .collect();
    headers.sort();
    headers
}

fn head_without_body(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    for path in steady_gets(target)?
        .into_iter()
        .chain(["/metrics".to_owned(), "/hello-world".to_owned()])
    {
        client.ask(&Request::head(path.clone()))?;
        // A body, if one were sent, would stand before this answer.
        let ping = client
            .ask(&Request::get("/ping"))
            .with_context(|| format!("after HEAD {path}"))?;
        ping.expect_status(200)?.expect_body("pong")?;
    }
    Ok(())
}

fn letter_case(target: &Target) -> Result<()> {
    for method in ["get", "Get", "post", "hEAD"] {
        let response = target
            .ask(&Request::new(method, "/persons"))?
            .expect_status(405)?;
        response.expect_header("allow", "GET, HEAD, POST, OPTIONS")?;
    }
    Ok(())
}

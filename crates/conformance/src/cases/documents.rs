//! Section 4: the OpenAPI document and Swagger UI.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::{
    case::Case,
    document,
    http::{Request, Response},
    target::Target,
};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "the OpenAPI document is the committed one, byte for byte",
        &["4.30"],
        committed,
    ),
    Case::url(
        "the document is OpenAPI 3.1 and has every operation",
        &["4.31"],
        complete,
    ),
    Case::url("Swagger UI is served as HTML", &["4.32", "0.11"], index),
    Case::url(
        "Swagger UI shows the service's document",
        &["4.33"],
        own_document,
    ),
    Case::url(
        "Swagger UI loads its own files and nothing from outside",
        &["4.34", "0.11"],
        own_files,
    ),
    Case::url(
        "Swagger UI without its slash is 308 to it",
        &["4.35"],
        redirect,
    ),
    Case::url(
        "a file that Swagger UI does not have is 404",
        &["4.36"],
        unknown_file,
    ),
    Case::url(
        "a client that takes no gzip gets plain files",
        &["4.34"],
        plain_files,
    ),
];

fn committed(target: &Target) -> Result<()> {
    let response = target
        .ask(&Request::get("/api-docs/openapi.json"))?
        .expect_status(200)?;
    response
        .expect_header("content-type", "application/json")?
        .expect_body(document::TEXT)?;
    Ok(())
}

fn complete(target: &Target) -> Result<()> {
    let document = target
        .ask(&Request::get("/api-docs/openapi.json"))?
        .json()?;
    let version = document["openapi"].as_str().unwrap_or_default();
    ensure!(version.starts_with("3.1."), "the version is {version:?}");
    let wanted = [
        ("get", "/"),
        ("get", "/ping"),
        ("get", "/hello-world"),
        ("get", "/persons"),
        ("post", "/persons"),
        ("get", "/persons/{id}"),
        ("put", "/persons/{id}"),
        ("patch", "/persons/{id}"),
        ("delete", "/persons/{id}"),
        ("get", "/health"),
        ("get", "/health/liveness"),
        ("get", "/health/readiness"),
        ("get", "/info"),
        ("get", "/metrics"),
    ];
    let mut ids = BTreeSet::new();
    for (method, path) in wanted {
        let operation = &document["paths"][path][method];
        let id = operation["operationId"]
            .as_str()
            .with_context(|| format!("{method} {path} is not there"))?;
        ensure!(ids.insert(id), "two operations are called {id}");
        ensure!(operation["summary"].is_string(), "{id} has no summary");
        ensure!(
            operation["responses"]
                .as_object()
                .is_some_and(|all| !all.is_empty()),
            "{id} has no responses"
        );
    }
    Ok(())
}

/// A file below `/swagger-ui/`, as a browser asks for it.
fn file(target: &Target, name: &str) -> Result<Response> {
    target.ask(&Request::get(format!("/swagger-ui/{name}")))
}

fn index(target: &Target) -> Result<()> {
    let response = file(target, "")?.expect_status(200)?;
    let content_type = response.required_header("content-type")?;
    ensure!(
        content_type.starts_with("text/html"),
        "the content type is {content_type}"
    );
    ensure!(
        response.text()?.contains("swagger-ui"),
        "this is no Swagger UI"
    );
    let same = file(target, "index.html")?.expect_status(200)?;
    ensure!(same.body == response.body, "index.html is another page");
    Ok(())
}

fn own_document(target: &Target) -> Result<()> {
    let script = file(target, "swagger-initializer.js")?.expect_status(200)?;
    ensure!(
        script.text()?.contains("/api-docs/openapi.json"),
        "the document is not named"
    );
    ensure!(
        !script.text()?.contains("petstore"),
        "the document is another one"
    );
    Ok(())
}

/// The values of `src` and `href` in a page.
fn references(page: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for attribute in ["src=\"", "href=\""] {
        for start in page
            .match_indices(attribute)
            .map(|(at, _)| at + attribute.len())
        {
            found.push(page[start..].split('"').next().unwrap_or_default());
        }
    }
    found
}

fn own_files(target: &Target) -> Result<()> {
    let page = file(target, "")?.expect_status(200)?;
    let references = references(page.text()?);
    ensure!(references.len() >= 3, "the page loads {references:?}");
    for reference in references {
        ensure!(
            !reference.contains("//"),
            "{reference} is an outside address"
        );
        let name = reference
            .trim_start_matches("./")
            .trim_start_matches("/swagger-ui/");
        let response = file(target, name)?
            .expect_status(200)
            .with_context(|| reference.to_owned())?;
        let content_type = response.required_header("content-type")?;
        let wanted = match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("js") => "javascript",
            Some("css") => "text/css",
            Some("png") => "image/png",
            _ => "",
        };
        ensure!(
            content_type.contains(wanted),
            "{name} has the type {content_type}"
        );
        ensure!(!response.body.is_empty(), "{name} is empty");
    }
    Ok(())
}

fn redirect(target: &Target) -> Result<()> {
    for path in ["/swagger-ui", "/swagger-ui?x=1"] {
        let response = target.ask(&Request::get(path))?.expect_status(308)?;
        let location = response.required_header("location")?;
        ensure!(
            location.starts_with("/swagger-ui/"),
            "the location is {location}"
        );
    }
    Ok(())
}

fn unknown_file(target: &Target) -> Result<()> {
    for name in [
        "nothing.js",
        "../Cargo.toml",
        "..%2fCargo.toml",
        "index.html/",
        "x/y",
        "%00",
        "INDEX.HTML",
        "%69ndex.html",
    ] {
        file(target, name)?
            .expect_status(404)
            .with_context(|| name)?;
    }
    let problem: Value = file(target, "nothing.js")?.json()?;
    ensure!(
        problem["instance"] == "/swagger-ui/nothing.js",
        "the instance is {}",
        problem["instance"]
    );
    Ok(())
}

fn plain_files(target: &Target) -> Result<()> {
    for coding in [None, Some("identity"), Some("br"), Some("gzip;q=0")] {
        let mut request = Request::get("/swagger-ui/swagger-ui.css");
        if let Some(coding) = coding {
            request = request.header("accept-encoding", coding);
        }
        let plain = target.ask(&request)?.expect_status(200)?;
        ensure!(
            plain
                .header("content-encoding")
                .is_none_or(|coding| coding == "identity"),
            "a client that takes {coding:?} gets {:?}",
            plain.header("content-encoding")
        );
        ensure!(plain.text()?.contains(".swagger-ui"), "the file is no CSS");
    }
    let request =
        Request::get("/swagger-ui/swagger-ui.css").header("accept-encoding", "gzip, deflate, br");
    let coded = target.ask(&request)?.expect_status(200)?;
    if coded.has_header("content-encoding") {
        let coded = coded.expect_header("content-encoding", "gzip")?;
        ensure!(coded.body.starts_with(&[0x1f, 0x8b]), "the body is no gzip");
    }
    Ok(())
}

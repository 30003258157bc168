//! Content types, codings, request ids and other headers.

use super::{PERSON, kept_old};
use crate::http::Request;

pub(super) fn content_types(requests: &mut Vec<Request>) {
    let types = [
        "",
        "application/json",
        "APPLICATION/JSON",
        "application/json;charset=utf-8",
        "application/json; charset=latin1",
        "application/json ; a=b",
        "application/json;",
        "application/json;;",
        "application/json;a",
        "application/json; a=\"b;c\"",
        "application/json,text/plain",
        "application/json charset=utf-8",
        "application/ json",
        " application/json ",
        "application/problem+json",
        "application/x+json; v=1",
        "application/X+JSON",
        "application/+json",
        "application/json+",
        "application/jsonx",
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/merge-patch+json;x=y",
        "application/*+json",
        "text/json",
        "text/x+json",
        "application",
        "/",
        "json",
        "*/*",
        "text/plain; application/json",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/json\u{a0}",
    ];
    for content_type in types {
        for (method, path) in [
            ("POST", "/persons"),
            ("PUT", "/persons/5"),
            ("PATCH", "/persons/5"),
        ] {
            requests.push(Request::new(method, path).typed(content_type, PERSON));
        }
    }
    let post = || Request::post("/persons", PERSON);
    for coding in [
        "",
        "identity",
        "IDENTITY",
        "gzip",
        "identity, gzip",
        "identity,identity",
        "br",
        "x",
        " identity ",
    ] {
        requests.push(post().header("content-encoding", coding));
    }
    requests.push(
        post()
            .header("content-encoding", "identity")
            .header("content-encoding", "gzip"),
    );
    requests.push(post().header("content-type", "text/plain"));
    requests.push(
        Request::new("POST", "/persons")
            .header("content-type", "text/plain")
            .typed("application/json", PERSON),
    );
    requests.push(Request::new("POST", "/persons").body(PERSON));
    requests.push(Request::new("POST", "/persons").body(""));
    requests.push(Request::new("PATCH", "/persons/5").body("{}"));
    requests.push(Request::new("PUT", "/persons/x").body("nonsense"));
}

pub(super) fn headers(requests: &mut Vec<Request>) {
    let ids = [
        "a", "", "a b", "A.b_c-9", "a,b", "a/b", "é", "\"a\"", " padded ", "null",
    ];
    for id in ids {
        requests.push(Request::get("/ping").header("x-request-id", id));
    }
    for length in [127, 128, 129, 1000] {
        requests.push(Request::get("/nothing").header("x-request-id", "x".repeat(length)));
    }
    requests.push(
        Request::get("/ping")
            .header("x-request-id", "first")
            .header("x-request-id", "second"),
    );
    requests.push(Request::get("/ping").header("X-Request-ID", "shouted"));
    let pairs = [
        ("accept", "application/xml"),
        ("accept", ""),
        ("accept-encoding", "gzip"),
        ("accept-encoding", "br, gzip;q=0"),
        ("accept-encoding", "*"),
        ("accept-encoding", "identity;q=0"),
        ("accept-language", "de"),
        ("range", "bytes=0-3"),
        ("if-none-match", "*"),
        ("if-modified-since", "Mon, 30 Nov 2026 00:00:00 GMT"),
        ("if-match", "\"x\""),
        ("origin", "http://example.com"),
        ("authorization", "Basic eDp5"),
        ("cookie", "a=b; c"),
        ("connection", "keep-alive"),
        ("te", "trailers"),
        ("upgrade", "h2c"),
        ("x-empty", ""),
        ("x-http-method-override", "DELETE"),
        ("forwarded", "for=1.2.3.4"),
        ("content-encoding", "gzip"),
        ("content-type", "nonsense"),
        ("user-agent", "é"),
        ("referer", "\"quoted\""),
    ];
    for (name, value) in pairs {
        for path in [
            "/ping",
            "/persons/1",
            "/swagger-ui/swagger-ui.css",
            "/swagger-ui/index.html",
            "/nothing",
        ] {
            requests.push(Request::get(path).header(name, value));
        }
        requests.push(Request::head("/swagger-ui/swagger-ui.css").header(name, value));
    }
    for path in ["/ping", "/persons/1", "/persons?limit=2", "/nothing"] {
        requests.push(kept_old("GET", path));
        requests.push(kept_old("POST", path).typed("text/plain", "text"));
    }
}

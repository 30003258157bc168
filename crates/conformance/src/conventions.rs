//! What holds for every answer, checked on every answer that any case receives.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::http::{Framing, Request, Response};

const JSON: &str = "application/json";
const PROBLEM: &str = "application/problem+json";
const TEXT: &str = "text/plain; charset=utf-8";
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What no answer may show: traces of the code, of its dependencies, of its machine.
const LEAKS: [&str; 12] = [
    ".rs:",
    "panicked",
    "backtrace",
    "serde",
    "hyper::",
    "actix_",
    "axum::",
    "tokio",
    "/home/",
    "/root/",
    "SELECT ",
    "INSERT ",
];

/// Checks what the general part and the errors of the contract say of every answer.
///
/// # Errors
/// Fails with the number of the entry that does not hold.
pub fn check(request: &Request, response: &Response) -> Result<()> {
    check_framing(request, response)?;
    check_date(response).context("0.6")?;
    check_request_id(request, response)?;
    for name in ["server", "x-powered-by"] {
        ensure!(!response.has_header(name), "0.1: the header {name} is sent");
    }
    if !response.body.is_empty() {
        check_content_type(request, response)?;
    }
    if response.status >= 400 && request.method() != "HEAD" {
        check_error(request, response)?;
    }
    Ok(())
}

/// Whether text is a request id that a client may send and that the service may make.
pub fn is_request_id(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// The name that RFC 9110 gives a status of the contract.
pub fn status_phrase(status: u16) -> Option<&'static str> {
    Some(match status {
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => return None,
    })
}

fn check_framing(request: &Request, response: &Response) -> Result<()> {
    let has_length = response.has_header("content-length");
    let has_coding = response.has_header("transfer-encoding");
    if response.status == 204 {
        ensure!(!has_length && !has_coding, "0.5: a 204 is framed");
        return Ok(());
    }
    ensure!(
        !(has_length && has_coding),
        "0.4: content-length beside transfer-encoding"
    );
    ensure!(
        response.framing != Framing::Close,
        "0.4: neither content-length nor chunked"
    );
    if request.method() == "HEAD" && has_length {
        response.required_header("content-length").context("0.4")?;
    }
    Ok(())
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that RFC 9110 lets a server send.
fn check_date(response: &Response) -> Result<()> {
    let date = response.required_header("date")?;
    let parts: Vec<&str> = date.split([' ', ':']).collect();
    let [weekday, day, month, year, hour, minute, second, zone] = parts[..] else {
        bail!("{date:?} is no date of HTTP");
    };
    let digits = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let names_fit = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"].contains(&weekday)
        && "JanFebMarAprMayJunJulAugSepOctNovDec".contains(month)
        && month.len() == 3;
    let numbers_fit = [day, hour, minute, second]
        .iter()
        .all(|text| digits(text, 2));
    ensure!(
        names_fit && numbers_fit && digits(year, 4) && zone == "GMT",
        "{date:?} is no date of HTTP"
    );
    Ok(())
}

fn check_request_id(request: &Request, response: &Response) -> Result<()> {
    let answered = response.required_header("x-request-id").context("0.13")?;
    ensure!(
        is_request_id(answered),
        "0.13: {answered:?} is no request id"
    );
    let sent: Vec<&[u8]> = request.header_values("x-request-id").collect();
    if let [sent] = sent[..]
        && let Ok(sent) = std::str::from_utf8(sent)
        && is_request_id(sent)
    {
        ensure!(
            sent == answered,
            "0.12: the request id {sent} came back as {answered}"
        );
    }
    Ok(())
}

fn check_content_type(request: &Request, response: &Response) -> Result<()> {
    let found = response.required_header("content-type")?;
    let path = request.path();
    if path.starts_with("/swagger-ui") && response.status < 400 {
        return Ok(());
    }
    let is_health = path.ends_with("/health") || path.starts_with("/health/");
    let wanted = match response.status {
        503 if is_health => JSON,
        400.. => PROBLEM,
        _ if matches!(path.as_str(), "/metrics" | "/management/prometheus") => METRICS,
        _ if matches!(path.as_str(), "/" | "/ping") => TEXT,
        _ => JSON,
    };
    ensure!(
        found == wanted,
        "0.7 to 0.10: the content type is {found} where {wanted} was expected"
    );
    Ok(())
}

/// Checks everything of a problem document that the request and the status decide.
fn check_error(request: &Request, response: &Response) -> Result<()> {
    if response.header("content-type") == Some(JSON) {
        return Ok(());
    }
    let text = response.text()?;
    ensure!(
        response.header("content-type") == Some(PROBLEM),
        "5.1: an error without a problem document"
    );
    let problem: Value = response.json().context("5.1")?;
    let instance = request.path();
    let status = response.status;
    let title = status_phrase(status).unwrap_or_default();
    // The member order is the text's: a parsed object would have lost it.
    let start = format!(
        "{{\"type\":\"about:blank\",\"title\":\"{title}\",\"status\":{status},\"detail\":{},\"instance\":{}",
        problem["detail"],
        Value::from(instance.clone()),
    );
    ensure!(
        text.starts_with(&start),
        "5.1 to 5.4: the problem is {text} where {start}... was expected"
    );
    ensure!(
        problem["detail"]
            .as_str()
            .is_some_and(|text| !text.is_empty()),
        "5.1: the detail is no sentence"
    );
    let rest = &text[start.len()..];
    if status == 422 {
        let violations = format!(",\"violations\":{}}}", problem["violations"]);
        ensure!(
            problem["violations"].is_array() && rest == violations,
            "5.5: violations were expected where {rest} stands"
        );
    } else {
        ensure!(rest == "}", "5.1: {rest} stands after the instance");
    }
    check_leaks(request, text)
}

fn check_leaks(request: &Request, text: &str) -> Result<()> {
    for leak in LEAKS {
        ensure!(!text.contains(leak), "5.16: {leak:?} is shown");
    }
    let body = request.body_bytes();
    let body = String::from_utf8_lossy(&body);
    ensure!(
        body.len() < 12 || !text.contains(body.as_ref()),
        "5.16: the request body is shown"
    );
    Ok(())
}

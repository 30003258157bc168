//! Section 4: requests in the metrics.

use std::collections::HashSet;

use anyhow::{Context as _, Result, ensure};

use super::scrape::{DURATION, Metrics, eventually};
use crate::{case::Case, http::Request, process::Binary, target::Target};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "metrics are well-formed Prometheus text",
        &["4.15", "0.10"],
        well_formed,
    )
    .before_load(),
    Case::process(
        "requests are counted by method, route template and status",
        &["4.16"],
        counted,
    ),
    Case::process(
        "the duration is a histogram whose buckets add up",
        &["4.16"],
        histogram,
    ),
    Case::process(
        "no raw path and no person's id is a label",
        &["4.17", "4.19"],
        no_raw_paths,
    ),
    Case::process(
        "unknown methods are counted as _OTHER",
        &["4.18"],
        other_methods,
    ),
    Case::process(
        "unknown paths are counted under an empty route",
        &["4.19"],
        unknown_paths,
    ),
    Case::url("JHipster's path answers metrics too", &["4.29"], other_path),
];

fn well_formed(target: &Target) -> Result<()> {
    let response = target.ask(&Request::get("/metrics"))?.expect_status(200)?;
    let text = response.text()?;
    Metrics::parse(text)?;
    ensure!(text.ends_with('\n'), "the last line has no end");
    ensure!(
        !text.contains("# EOF"),
        "this is OpenMetrics, not the text format"
    );
    let types: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
        .collect();
    let names: HashSet<&str> = types.iter().map(|(name, _)| *name).collect();
    ensure!(names.len() == types.len(), "a metric has two TYPE lines");
    for wanted in [
        (DURATION, "histogram"),
        ("http_server_active_requests", "gauge"),
        ("http_server_connections", "gauge"),
        ("process_resident_memory_bytes", "gauge"),
        ("process_cpu_seconds_total", "counter"),
        ("process_open_fds", "gauge"),
        ("process_start_time_seconds", "gauge"),
        ("persons_stored", "gauge"),
    ] {
        ensure!(
            types.contains(&wanted),
            "there is no line # TYPE {} {}",
            wanted.0,
            wanted.1
        );
        let help = format!("# HELP {} ", wanted.0);
        ensure!(
            text.lines().any(|line| line.starts_with(&help)),
            "{} has no HELP",
            wanted.0
        );
    }
    Ok(())
}

fn counted(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let mut client = server.target().connect()?;
    let id = client.add_person("Counted", "OTHER", 1)?;
    let path = format!("/persons/{id}");
    let requests = [
        (Request::get("/ping"), "/ping", "200", 3),
        (Request::get(path.clone()), "/persons/{id}", "200", 2),
        (Request::get("/persons/77"), "/persons/{id}", "404", 4),
        (Request::get("/persons/x"), "/persons/{id}", "400", 1),
        (Request::get("/persons?limit=2"), "/persons", "200", 2),
        (Request::post("/persons", "{}"), "/persons", "422", 2),
        (Request::new("PUT", "/persons"), "/persons", "405", 1),
        (Request::head("/health"), "/health", "200", 1),
        (Request::options(path.clone()), "/persons/{id}", "204", 1),
        (Request::delete(path), "/persons/{id}", "204", 1),
    ];
    for (request, _, _, times) in &requests {
        for _ in 0..*times {
            client.ask(request)?;
        }
    }
    for (request, route, status, times) in &requests {
        let method = request.method();
        let found = |metrics: &Metrics| metrics.requests(method, route, status);
        let what = format!("{times} times {method} {route} {status}");
        let metrics = eventually(server.target(), &what, |metrics| {
            found(metrics) >= f64::from(*times)
        })?;
        ensure!(
            found(&metrics) == f64::from(*times),
            "{what} is counted {} times",
            found(&metrics)
        );
    }
    Ok(())
}

fn histogram(binary: &Binary) -> Result<()> {
    const REQUESTS: f64 = 20.0;
    let server = binary.start(&[])?;
    let mut client = server.target().connect()?;
    for _ in 0..20 {
        client.ask(&Request::get("/ping"))?;
    }
    let metrics = eventually(server.target(), "20 times GET /ping", |metrics| {
        metrics.requests("GET", "/ping", "200") >= REQUESTS
    })?;
    let mut buckets: Vec<(f64, f64)> = Vec::new();
    let mut sum = None;
    for ((name, labels), value) in &metrics.0 {
        if labels.get("http_route").map(String::as_str) != Some("/ping") {
            continue;
        }
        if *name == format!("{DURATION}_bucket") {
            let bound = labels.get("le").context("a bucket has no bound")?;
            buckets.push((
                bound
                    .parse()
                    .with_context(|| format!("the bound {bound}"))?,
                *value,
            ));
        } else if *name == format!("{DURATION}_sum") {
            sum = Some(*value);
        }
    }
    buckets.sort_by(|left, right| left.0.total_cmp(&right.0));
    ensure!(buckets.len() >= 5, "there are {} buckets", buckets.len());
    ensure!(
        buckets.is_sorted_by(|left, right| left.1 <= right.1),
        "the buckets do not add up: {buckets:?}"
    );
    let last = buckets.last().context("there is no bucket")?;
    ensure!(
        *last == (f64::INFINITY, REQUESTS),
        "the last bucket is {last:?}"
    );
    let sum = sum.context("there is no sum")?;
    ensure!(sum > 0.0 && sum < 60.0, "20 pings took {sum} s");
    Ok(())
}

fn no_raw_paths(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let mut client = server.target().connect()?;
    for path in [
        "/persons/123456",
        "/persons/no-number-at-all",
        "/persons/%31%32",
        "/no/such/path/987",
        "/ping?secret=1",
        "/swagger-ui/no-such-file.js",
        "/swagger-ui/index.html",
        "/persons/1/",
        "//persons",
        "/api-docs/openapi.json",
    ] {
        client.ask(&Request::get(path))?;
    }
    let metrics = eventually(server.target(), "GET /api-docs/openapi.json", |metrics| {
        metrics.requests("GET", "/api-docs/openapi.json", "200") >= 1.0
    })?;
    const ROUTES: [&str; 15] = [
        "",
        "/",
        "/ping",
        "/hello-world",
        "/persons",
        "/persons/{id}",
        "/health",
        "/health/liveness",
        "/health/readiness",
        "/info",
        "/metrics",
        "/management/health",
        "/management/info",
        "/management/prometheus",
        "/api-docs/openapi.json",
    ];
    for (_, labels) in metrics.0.keys() {
        let Some(route) = labels.get("http_route") else {
            continue;
        };
        let is_template = ROUTES.contains(&route.as_str())
            || (route.starts_with("/swagger-ui")
                && !route.contains(".js")
                && !route.contains(".html"));
        ensure!(is_template, "{route} is a label");
    }
    for (_, labels) in metrics.0.keys() {
        for value in labels.values() {
            for raw in ["123456", "no-", "%31", "987", "secret"] {
                ensure!(!value.contains(raw), "{value} is a label");
            }
        }
    }
    Ok(())
}

fn other_methods(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let mut client = server.target().connect()?;
    for method in ["BREW", "WHEN", "PROPFIND", "get"] {
        client
            .ask(&Request::new(method, "/ping"))?
            .expect_status(405)?;
    }
    client
        .ask(&Request::new("BREW", "/nothing"))?
        .expect_status(404)?;
    let metrics = eventually(server.target(), "the unknown methods", |metrics| {
        metrics.requests("_OTHER", "/ping", "405") >= 4.0
            && metrics.requests("_OTHER", "", "404") >= 1.0
    })?;
    for (_, labels) in metrics.0.keys() {
        let method = labels
            .get("http_request_method")
            .map_or("GET", String::as_str);
        ensure!(
            !["BREW", "WHEN", "PROPFIND", "get"].contains(&method),
            "{method} is a label"
        );
    }
    Ok(())
}

fn unknown_paths(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let mut client = server.target().connect()?;
    for path in ["/nothing", "/nothing/at/all", "/ping/", "/%70ing"] {
        client.ask(&Request::get(path))?.expect_status(404)?;
    }
    eventually(
        server.target(),
        "4 times GET of an empty route",
        |metrics| metrics.requests("GET", "", "404") == 4.0,
    )?;
    Ok(())
}

fn other_path(target: &Target) -> Result<()> {
    // A histogram has samples once there was a request.
    target.ask(&Request::get("/ping"))?;
    eventually(target, "GET /ping", |metrics| {
        metrics.requests("GET", "/ping", "200") >= 1.0
    })?;
    let response = target
        .ask(&Request::get("/management/prometheus"))?
        .expect_status(200)?;
    let response =
        response.expect_header("content-type", "text/plain; version=0.0.4; charset=utf-8")?;
    let metrics = Metrics::parse(response.text()?)?;
    ensure!(
        metrics.sum("process_resident_memory_bytes") > 0.0,
        "the memory is not told"
    );
    let names = |metrics: Metrics| -> HashSet<String> {
        metrics.0.into_keys().map(|(name, _)| name).collect()
    };
    ensure!(
        names(metrics) == names(Metrics::of(target)?),
        "the two paths have other metrics"
    );
    Ok(())
}

//! Section 4: metrics in the Prometheus text format.

use std::{
    collections::{BTreeMap, HashSet},
    fs, thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, Result, bail, ensure};

use super::memory_bytes;
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
    Case::process(
        "requests in flight are counted and discounted",
        &["4.20"],
        in_flight,
    ),
    Case::process(
        "open connections are counted and discounted",
        &["4.21"],
        connections,
    ),
    Case::process(
        "the process is measured: memory, processor, descriptors, start",
        &["4.22", "4.23", "4.24", "4.25"],
        of_process,
    ),
    Case::process(
        "persons stored follow adding and deleting",
        &["4.26"],
        persons_stored,
    ),
    Case::url("JHipster's path answers metrics too", &["4.29"], other_path),
];

const DURATION: &str = "http_server_request_duration_seconds";

/// The samples of one scrape: by name and sorted labels.
struct Metrics(BTreeMap<(String, BTreeMap<String, String>), f64>);

impl Metrics {
    fn of(target: &Target) -> Result<Self> {
        let response = target.ask(&Request::get("/metrics"))?.expect_status(200)?;
        Self::parse(response.text()?)
    }

    fn parse(text: &str) -> Result<Self> {
        let mut samples = BTreeMap::new();
        for line in text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
        {
            let (name, value) = line
                .rsplit_once(' ')
                .with_context(|| format!("no sample: {line}"))?;
            let value = value
                .parse()
                .with_context(|| format!("no number: {line}"))?;
            let (name, labels) = match name.split_once('{') {
                Some((name, rest)) => (name, labels_in(rest).with_context(|| line.to_owned())?),
                None => (name, BTreeMap::new()),
            };
            ensure!(
                samples.insert((name.to_owned(), labels), value).is_none(),
                "a sample comes twice: {line}"
            );
        }
        Ok(Self(samples))
    }

    /// The only sample of this name, whatever its labels.
    fn value(&self, name: &str) -> Result<f64> {
        let mut values = self.0.iter().filter(|((known, _), _)| known == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Ok(*value),
            (None, _) => bail!("there is no metric {name}"),
            _ => bail!("the metric {name} has several samples"),
        }
    }

    /// The sum of the samples of this name, 0 where there is none.
    fn sum(&self, name: &str) -> f64 {
        self.0
            .iter()
            .filter(|((known, _), _)| known == name)
            .map(|(_, value)| value)
            .sum()
    }

    /// How many requests were counted with these three labels.
    fn requests(&self, method: &str, route: &str, status: &str) -> f64 {
        let labels = [
            ("http_request_method", method),
            ("http_route", route),
            ("http_response_status_code", status),
        ];
        let labels = labels
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        self.0
            .get(&(format!("{DURATION}_count"), labels))
            .copied()
            .unwrap_or(0.0)
    }
}

/// `name="value",...}` as a map.
fn labels_in(text: &str) -> Result<BTreeMap<String, String>> {
    let mut labels = BTreeMap::new();
    let mut rest = text;
    while !rest.starts_with('}') {
        let (name, value) = rest.split_once("=\"").context("no label")?;
        let end = value.find('"').context("an open label")?;
        labels.insert(name.to_owned(), value[..end].to_owned());
        rest = value[end + 1..].trim_start_matches(',');
    }
    ensure!(rest == "}", "something stands after the labels");
    Ok(labels)
}

/// Scrapes until the metrics are as wanted: a request is counted when its answer has gone out.
fn eventually(target: &Target, what: &str, wanted: impl Fn(&Metrics) -> bool) -> Result<Metrics> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let metrics = Metrics::of(target)?;
        if wanted(&metrics) {
            return Ok(metrics);
        }
        ensure!(
            Instant::now() < deadline,
            "{what} is not in the metrics after 10 s"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

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

fn in_flight(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let target = server.target();
    let idle = Metrics::of(target)?.sum("http_server_active_requests");
    let post = Request::post("/persons", r#"{"name":"A","gender":"MALE","age":1}"#);
    let mut waiting = Vec::new();
    for _ in 0..3 {
        let mut client = target.connect()?;
        let bytes = client.bytes_of(&post);
        client.send_bytes(&bytes[..bytes.len() - 1])?;
        waiting.push(client);
    }
    eventually(target, "3 more requests in flight", |metrics| {
        metrics.sum("http_server_active_requests") == idle + 3.0
    })?;
    for client in &mut waiting {
        client.send_bytes(b"}")?;
        client.receive(&post)?.expect_status(200)?;
    }
    // One that its client gives up is in flight no longer either.
    let mut given_up = target.connect()?;
    let bytes = given_up.bytes_of(&post);
    given_up.send_bytes(&bytes[..bytes.len() - 1])?;
    drop(given_up);
    eventually(
        target,
        "no more requests in flight than before",
        |metrics| metrics.sum("http_server_active_requests") == idle,
    )?;
    Ok(())
}

fn connections(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let target = server.target();
    let idle = Metrics::of(target)?.sum("http_server_connections");
    ensure!(idle >= 1.0, "the connection of the scrape is not counted");
    let mut held = Vec::new();
    for _ in 0..5 {
        let mut client = target.connect()?;
        client.ask(&Request::get("/ping"))?;
        held.push(client);
    }
    eventually(target, "5 more connections", |metrics| {
        metrics.sum("http_server_connections") == idle + 5.0
    })?;
    drop(held);
    eventually(target, "no more connections than before", |metrics| {
        metrics.sum("http_server_connections") == idle
    })?;
    Ok(())
}

fn of_process(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let target = server.target();
    let metrics = Metrics::of(target)?;
    #[expect(clippy::cast_precision_loss, reason = "a few MB are exact in a float")]
    let memory = memory_bytes(server.id())? as f64;
    let told = metrics.value("process_resident_memory_bytes")?;
    ensure!(
        (memory / 2.0..memory * 2.0).contains(&told),
        "the memory is {told} of {memory} bytes"
    );
    let fds = fs::read_dir(format!("/proc/{}/fd", server.id()))?.count();
    let told = metrics.value("process_open_fds")?;
    ensure!(
        (f64::from(u32::try_from(fds)?) - told).abs() <= 4.0,
        "{told} descriptors are told of {fds}"
    );
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs_f64();
    let start = metrics.value("process_start_time_seconds")?;
    ensure!(
        (now - 120.0..now + 5.0).contains(&start),
        "the start is {start}, now it is {now}"
    );
    let cpu = metrics.value("process_cpu_seconds_total")?;
    ensure!((0.0..60.0).contains(&cpu), "the processor time is {cpu} s");
    let mut client = target.connect()?;
    eventually(target, "more processor time", |metrics| {
        (0..200).all(|_| client_asks(target).is_ok())
            && metrics.sum("process_cpu_seconds_total") > cpu
    })?;
    client.ask(&Request::get("/ping"))?;
    Ok(())
}

/// A request that costs some processor time.
fn client_asks(target: &Target) -> Result<()> {
    target
        .ask(&Request::get("/api-docs/openapi.json"))?
        .expect_status(200)?;
    Ok(())
}

fn persons_stored(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let target = server.target();
    let stored = || Metrics::of(target)?.value("persons_stored");
    ensure!(stored()? == 0.0, "a fresh store has {} persons", stored()?);
    for _ in 0..3 {
        target.add_person("Stored", "OTHER", 1)?;
    }
    ensure!(stored()? == 3.0, "{} persons are stored of 3", stored()?);
    target
        .ask(&Request::delete("/persons/2"))?
        .expect_status(204)?;
    target
        .ask(&Request::delete("/persons/2"))?
        .expect_status(404)?;
    target
        .ask(&Request::post("/persons", "{}"))?
        .expect_status(422)?;
    ensure!(stored()? == 2.0, "{} persons are stored of 2", stored()?);
    Ok(())
}

fn other_path(target: &Target) -> Result<()> {
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

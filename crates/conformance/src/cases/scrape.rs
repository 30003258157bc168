//! Reading metrics in the Prometheus text format.

use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};

use crate::{http::Request, target::Target};

/// How long a busy machine may take to count what was answered.
const PATIENCE: Duration = Duration::from_secs(30);

/// The histogram of requests.
pub(super) const DURATION: &str = "http_server_request_duration_seconds";

/// The samples of one scrape: by name and sorted labels.
pub(super) struct Metrics(pub(super) BTreeMap<(String, BTreeMap<String, String>), f64>);

impl Metrics {
    pub(super) fn of(target: &Target) -> Result<Self> {
        let response = target.ask(&Request::get("/metrics"))?.expect_status(200)?;
        Self::parse(response.text()?)
    }

    pub(super) fn parse(text: &str) -> Result<Self> {
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
    pub(super) fn value(&self, name: &str) -> Result<f64> {
        let mut values = self.0.iter().filter(|((known, _), _)| known == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Ok(*value),
            (None, _) => bail!("there is no metric {name}"),
            _ => bail!("the metric {name} has several samples"),
        }
    }

    /// The sum of the samples of this name, 0 where there is none.
    pub(super) fn sum(&self, name: &str) -> f64 {
        self.0
            .iter()
            .filter(|((known, _), _)| known == name)
            .map(|(_, value)| value)
            .sum()
    }

    /// How many requests were counted with these three labels.
    pub(super) fn requests(&self, method: &str, route: &str, status: &str) -> f64 {
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
pub(super) fn eventually(
    target: &Target,
    what: &str,
    wanted: impl Fn(&Metrics) -> bool,
) -> Result<Metrics> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let metrics = Metrics::of(target)?;
        if wanted(&metrics) {
            return Ok(metrics);
        }
        ensure!(
            Instant::now() < deadline,
            "{what} is not in the metrics after {PATIENCE:?}"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

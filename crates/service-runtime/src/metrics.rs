//! What is measured of requests, under the names of OpenTelemetry's conventions.

mod histogram;

use std::time::Duration;

use prometheus_client::encoding::prometheus_text;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::Registry;

use self::histogram::DurationHistogram;
use crate::RequestRecord;
use crate::process::ProcessCollector;

/// Counts and durations of requests, and how many are under way.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    durations: Family<RequestLabels, DurationHistogram>,
    active: Gauge,
    connections: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    http_request_method: Method,
    http_route: &'static str,
    http_response_status_code: u32,
}

/// The methods that are told apart; a client could invent any number of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Method(&'static str);

impl Method {
    fn of(method: &str) -> Self {
        let known = [
            "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE",
        ];
        Self(
            known
                .into_iter()
                .find(|known| *known == method)
                .unwrap_or("_OTHER"),
        )
    }
}

impl EncodeLabelValue for Method {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), std::fmt::Error> {
        self.0.encode(encoder)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::default();
        let durations = Family::<RequestLabels, DurationHistogram>::default();
        registry.register(
            "http_server_request_duration_seconds",
            "Time from the head of a request to the head of its answer",
            durations.clone(),
        );
        let active = Gauge::<i64>::default();
        registry.register(
            "http_server_active_requests",
            "Requests that are not answered yet",
            active.clone(),
        );
        let connections = Gauge::<i64>::default();
        registry.register(
            "http_server_connections",
            "Connections that are open",
            connections.clone(),
        );
        registry.register_collector(Box::new(ProcessCollector));
        Self {
            registry,
            durations,
            active,
            connections,
        }
    }
}

impl Metrics {
    /// Counts a request as under way until the guard goes.
    pub fn request_begins(&self) -> RequestGuard {
        RequestGuard(Counted::new(&self.active))
    }

    /// Counts a connection as open until the guard goes.
    pub fn connection_opens(&self) -> ConnectionGuard {
        ConnectionGuard(Counted::new(&self.connections))
    }

    pub(crate) fn observe(&self, request: &RequestRecord<'_>, duration: Duration) {
        let labels = RequestLabels {
            http_request_method: Method::of(request.method),
            http_route: request.route,
            http_response_status_code: request.status.into(),
        };
        self.durations.get_or_create(&labels).observe(duration);
    }

    pub(crate) fn to_text(&self, persons: Option<u64>) -> String {
        let mut text = String::with_capacity(8192);
        let mut stored = Registry::default();
        if let Some(persons) = persons {
            let count = ConstGauge::new(persons);
            stored.register("persons_stored", "Persons in the store", count);
        }
        prometheus_text::encode(&mut text, &self.registry)
            .and_then(|()| prometheus_text::encode(&mut text, &stored))
            .expect("a String takes any text");
        text
    }
}

/// A request under way.
#[derive(Debug)]
pub struct RequestGuard(#[expect(dead_code, reason = "counts until it is dropped")] Counted);

/// An open connection.
#[derive(Debug)]
pub struct ConnectionGuard(#[expect(dead_code, reason = "counts until it is dropped")] Counted);

#[derive(Debug)]
struct Counted(Gauge);

impl Counted {
    fn new(count: &Gauge) -> Self {
        count.inc();
        Self(count.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

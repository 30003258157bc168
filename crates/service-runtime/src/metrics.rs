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
pub(crate) struct Method(pub(crate) &'static str);

impl Method {
    pub(crate) fn of(method: &str) -> Self {
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use service_api::request_id::RequestId;

    use super::*;

    fn observe(metrics: &Metrics, method: &str, route: &'static str, micros: u64) {
        let request = RequestRecord {
            method,
            route,
            status: 200,
            started: Instant::now(),
            request_id: &RequestId::from_header(None),
            person_id: None,
            cause: None,
        };
        metrics.observe(&request, Duration::from_micros(micros));
    }

    #[test]
    fn durations_are_counted_by_method_route_and_status_in_growing_buckets() {
        let metrics = Metrics::default();
        for micros in [50, 51, 20_000_000] {
            observe(&metrics, "GET", "/persons/{id}", micros);
        }
        let text = metrics.to_text(None);
        let labels = r#"http_request_method="GET",http_route="/persons/{id}",http_response_status_code="200""#;
        for (bound, count) in [("5e-05", 1), ("0.0001", 2), ("10", 2), ("+Inf", 3)] {
            let line = format!(
                "http_server_request_duration_seconds_bucket{{{labels},le=\"{bound}\"}} {count}\n"
            );
            assert!(text.contains(&line), "{line} is not in {text}");
        }
        let count = format!("http_server_request_duration_seconds_count{{{labels}}} 3\n");
        assert!(text.contains(&count), "{text}");
    }

    #[test]
    fn methods_that_clients_invent_are_one_series() {
        let metrics = Metrics::default();
        for invented in ["BREW", "get", "WHEN"] {
            observe(&metrics, invented, "", 1);
        }
        let text = metrics.to_text(None);
        let series = text
            .matches("http_server_request_duration_seconds_count{")
            .count();
        assert_eq!(series, 1, "{text}");
        assert!(
            text.contains(r#"http_request_method="_OTHER",http_route="""#),
            "{text}"
        );
    }

    #[test]
    fn what_is_under_way_is_counted_until_it_ends() {
        let metrics = Metrics::default();
        let (request, connection) = (metrics.request_begins(), metrics.connection_opens());
        let during = metrics.to_text(None);
        drop((request, connection));
        let after = metrics.to_text(None);
        for name in ["http_server_active_requests", "http_server_connections"] {
            assert!(during.contains(&format!("{name} 1\n")), "{during}");
            assert!(after.contains(&format!("{name} 0\n")), "{after}");
        }
    }

    #[test]
    fn persons_are_counted_where_the_store_tells() {
        let metrics = Metrics::default();
        assert!(metrics.to_text(Some(7)).contains("persons_stored 7\n"));
        assert!(!metrics.to_text(None).contains("persons_stored"));
    }
}

//! What is kept of a request once it is answered: a measurement and a log line.

use std::error::Error;
use std::time::Instant;

use person_repository::StoreError;
use service_api::request_id::RequestId;

use crate::App;
use crate::metrics::Method;

/// One answered request.
#[derive(Debug)]
pub struct RequestRecord<'a> {
    /// Its method, as it was sent; one that is not of HTTP is kept as `_OTHER`.
    pub method: &'a str,
    /// The path template that it matched, empty where none did; never its path.
    pub route: &'static str,
    /// The status of its answer.
    pub status: u16,
    /// When its head had been read.
    pub started: Instant,
    /// Its id.
    pub request_id: &'a RequestId,
    /// The person that it was about, where there is one.
    pub person_id: Option<u64>,
    /// Why the service failed, where it did; never answered.
    pub cause: Option<&'a StoreError>,
}

impl App {
    /// Counts an answered request and writes its log line.
    pub fn record(&self, request: &RequestRecord<'_>) {
        let duration = request.started.elapsed();
        // A method can be as long as a client likes, and would wait in the queue of the log.
        let method = Method::of(request.method).0;
        self.metrics().observe(request, duration);
        if let Some(cause) = request.cause {
            tracing::error!(
                error = cause as &dyn Error,
                method,
                route = request.route,
                request_id = request.request_id.as_str(),
                "the store failed"
            );
        }
        tracing::info!(
            method,
            route = request.route,
            status = request.status,
            duration_us = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
            request_id = request.request_id.as_str(),
            person_id = request.person_id,
            "request"
        );
    }
}

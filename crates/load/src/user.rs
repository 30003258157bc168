//! The worker loop: one user, one connection, one request after the other.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;

use crate::connection::{Answer, Connection};
use crate::control::Control;
use crate::outcome::Failure;
use crate::run::Tally;
use crate::scenario::Scenario;
use crate::schedule::{Schedule, Slot};
use crate::template::{Mismatch, Values};

/// One user and what all users share.
pub(crate) struct User {
    pub(crate) number: u32,
    pub(crate) address: SocketAddr,
    pub(crate) scenario: Rc<Scenario>,
    pub(crate) timeout: Duration,
    pub(crate) stop_after_failures: u64,
    pub(crate) control: Control,
    pub(crate) tally: Rc<RefCell<Tally>>,
    pub(crate) connection: Option<Connection>,
    /// The target and the body of the next request; kept so that they are allocated once.
    pub(crate) buffer: Vec<u8>,
}

impl User {
    /// Opens the connection before the clock runs; a failure shows again at the first request.
    pub(crate) async fn connect(&mut self) {
        self.connection = Connection::open(self.address).await.ok();
    }

    /// Sends every request that the schedule gives, until it ends or the run is stopped.
    pub(crate) async fn run(&mut self, mut schedule: impl Schedule) {
        while let Some(slot) = schedule.next().await {
            if self.control.is_stopped() {
                return;
            }
            let values = self.values(slot);
            let outcome = self.send(&values).await;
            self.note(&values, outcome);
        }
    }

    /// Sends one request; gives the answer and its service time.
    async fn send(&mut self, values: &Values) -> Result<(Answer, Duration), Failure> {
        let request = self.request(values);
        let mut connection = match self.connection.take() {
            Some(connection) if connection.is_usable() => connection,
            _ => Connection::open(self.address).await?,
        };
        let sent = Instant::now();
        let answer = tokio::time::timeout(self.timeout, connection.exchange(request))
            .await
            .unwrap_or(Err(Failure::Late))?;
        let time = sent.elapsed();
        if connection.settle().await {
            self.connection = Some(connection);
        }
        Ok((answer, time))
    }

    /// Checks an answer and counts it; its time is taken already.
    fn note(&mut self, values: &Values, outcome: Result<(Answer, Duration), Failure>) {
        let mut tally = self.tally.borrow_mut();
        let checked = outcome
            .map_err(|kind| (kind, String::new()))
            .and_then(|(answer, time)| {
                check(&self.scenario, values, &answer, &mut tally)?;
                Ok((answer.body.len(), time))
            });
        match checked {
            Ok((length, time)) => tally.good(length, time),
            Err((kind, detail)) => {
                tally.failed(kind, || {
                    format!(
                        "user {}, request {}: {}{detail}",
                        values.user,
                        values.index,
                        kind.words()
                    )
                });
                if tally.failures() >= self.stop_after_failures {
                    self.control.stop();
                }
            }
        }
        tally.publish(&self.control);
    }

    fn values(&self, slot: Slot) -> Values {
        let number = u64::from(slot.index) + 1;
        Values {
            user: self.number,
            index: slot.index,
            written: self.tally.borrow().written.index_of(number),
        }
    }

    fn request(&mut self, values: &Values) -> http::Request<Full<Bytes>> {
        let template = &self.scenario.request;
        let mut builder = http::Request::builder()
            .method(template.method.as_str())
            .header(http::header::HOST, self.tally.borrow().host.clone());
        self.buffer.clear();
        template.target.render(values, &mut self.buffer);
        builder = builder.uri(self.buffer.as_slice());
        let body = template.body.as_ref().map_or_else(Bytes::new, |body| {
            self.buffer.clear();
            body.render(values, &mut self.buffer);
            Bytes::copy_from_slice(&self.buffer)
        });
        if template.body.is_some() {
            builder = builder.header(http::header::CONTENT_TYPE, JSON);
        }
        builder
            .body(Full::new(body))
            .expect("`run` has built one request of this scenario already")
    }
}

const JSON: http::HeaderValue = http::HeaderValue::from_static("application/json");

/// Compares status, length and every byte, and takes the id where the answers give one.
fn check(
    scenario: &Scenario,
    values: &Values,
    answer: &Answer,
    tally: &mut Tally,
) -> Result<(), (Failure, String)> {
    let expected = &scenario.expected;
    if answer.status != expected.status {
        return Err((
            Failure::Status,
            format!(" {} for {}", answer.status, expected.status),
        ));
    }
    let id = expected
        .body
        .matches(&answer.body, values)
        .map_err(|mismatch| match mismatch {
            Mismatch::Length { expected } => (
                Failure::Length,
                format!(
                    " {} for {expected}: {}",
                    answer.body.len(),
                    excerpt(&answer.body)
                ),
            ),
            Mismatch::Content => (Failure::Body, format!(": {}", excerpt(&answer.body))),
            Mismatch::Unknown => (
                Failure::Body,
                format!(", nothing is known to be at {}", values.index + 1),
            ),
        })?;
    match id {
        Some(id) if expected.ids.is_some() => tally
            .written
            .insert(id, values.index)
            .map_err(|fault| (Failure::Id, format!(": {fault}"))),
        _ => Ok(()),
    }
}

/// The beginning of a body for a message.
fn excerpt(body: &[u8]) -> String {
    const MOST: usize = 120;
    let text = String::from_utf8_lossy(&body[..body.len().min(MOST)]).into_owned();
    if body.len() > MOST {
        format!("{text}...")
    } else {
        text
    }
}

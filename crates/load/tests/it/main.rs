//! The engine against servers that answer well, wrongly, late or not at all.

mod server;

use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use load::{Control, Expected, Failure, Mode, Options, Report, Request, Scenario, Written};
use server::{Reaction, Seen, Server};

const USERS: u32 = 4;
const REQUESTS: u32 = 50;
const ALL: u64 = 200;

fn scenario(request: Request, body: &str) -> Scenario {
    Scenario {
        name: "test".into(),
        mode: Mode::Closed {
            users: USERS,
            requests_per_user: REQUESTS,
        },
        request,
        expected: Expected {
            status: 200,
            body: body.parse().expect("a template"),
            ids: None,
        },
    }
}

fn ping() -> Scenario {
    scenario(Request::get("/ping".parse().expect("a template")), "pong")
}

fn post() -> Scenario {
    let body = r#"{"name":"Test${index}"}"#.parse().expect("a template");
    let request = Request::post("/persons".parse().expect("a template"), body);
    let mut scenario = scenario(request, r#"{"id":${id},"name":"Test${index}"}"#);
    scenario.expected.ids = Some(1..=ALL);
    scenario
}

fn run(address: SocketAddr, scenario: &Scenario) -> Report {
    run_with(
        address,
        scenario,
        &mut Written::new(1..=ALL),
        Options::default(),
    )
}

fn run_with(
    address: SocketAddr,
    scenario: &Scenario,
    written: &mut Written,
    options: Options,
) -> Report {
    load::run(address, scenario, written, &options, &Control::new()).expect("the run begins")
}

/// Answers pong, but for the request of number 70.
fn pong_but(odd: impl Fn() -> Reaction + Send + Sync + 'static) -> Server {
    Server::start(move |seen: &Seen| match seen.number {
        70 => odd(),
        _ => Reaction::Answer(200, "pong".into()),
    })
}

fn assert_one_failure(report: &Report, kind: Failure) {
    assert_eq!(
        report.counts.failed,
        [(kind, 1)].into(),
        "{:?}",
        report.examples
    );
    assert_eq!(report.counts.good, ALL - 1);
    assert_eq!(report.counts.unfinished, 0);
    assert_eq!(report.service_time.count(), ALL - 1);
    assert_eq!(report.examples.len(), 1);
    assert!(!report.is_good());
}

/// Counts the bytes of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Length(usize);

impl load::Sink for Length {
    fn take(&mut self, piece: &[u8]) {
        self.0 += piece.len();
    }
}

fn echo_with_id(seen: &Seen, id: usize) -> Reaction {
    Reaction::Answer(200, format!("{{\"id\":{id},{}", &seen.body[1..]))
}

#[test]
fn every_request_is_sent_once_on_one_kept_connection_a_user() {
    let server = pong_but(|| Reaction::Answer(200, "pong".into()));
    let report = run(server.address, &ping());
    assert!(report.is_good(), "{report:?}");
    assert_eq!(report.counts.good, ALL);
    assert_eq!(report.body_bytes, 4 * ALL);
    assert_eq!(report.service_time.count(), ALL);
    assert!(report.elapsed_ns >= report.service_time.max() - report.service_time.max() / 500);
    assert_eq!(server.connections(), USERS as usize);
}

#[test]
fn another_status_is_a_wrong_status_even_with_the_right_body() {
    let server = pong_but(|| Reaction::Answer(201, "pong".into()));
    assert_one_failure(&run(server.address, &ping()), Failure::Status);
}

#[test]
fn a_body_that_differs_in_one_byte_is_a_wrong_body() {
    let server = pong_but(|| Reaction::Answer(200, "pang".into()));
    assert_one_failure(&run(server.address, &ping()), Failure::Body);
}

#[test]
fn a_body_that_is_longer_is_a_wrong_length() {
    let server = pong_but(|| Reaction::Answer(200, "pong!".into()));
    assert_one_failure(&run(server.address, &ping()), Failure::Length);
}

#[test]
fn a_dropped_connection_fails_one_request_and_is_opened_again() {
    let server = pong_but(|| Reaction::Close);
    assert_one_failure(&run(server.address, &ping()), Failure::Disconnected);
    assert_eq!(server.connections(), USERS as usize + 1);
}

#[test]
fn an_answer_cut_in_its_body_is_a_disconnect() {
    let server = pong_but(|| Reaction::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\npo"));
    assert_one_failure(&run(server.address, &ping()), Failure::Disconnected);
}

#[test]
fn an_answer_that_is_not_http_is_a_protocol_failure() {
    let server = pong_but(|| Reaction::Raw(b"pong pong pong\r\n\r\n"));
    assert_one_failure(&run(server.address, &ping()), Failure::Protocol);
}

#[test]
fn an_answer_after_the_time_limit_is_late() {
    let server = pong_but(|| Reaction::Late(Duration::from_secs(5), "pong".into()));
    let options = Options {
        timeout: Duration::from_secs(1),
        ..Options::default()
    };
    let report = run_with(server.address, &ping(), &mut Written::none(), options);
    assert_one_failure(&report, Failure::Late);
    assert!(report.service_time.max() < 1_000_000_000);
}

#[test]
fn a_slow_answer_within_the_limit_is_good_and_its_time_is_recorded() {
    let server = pong_but(|| Reaction::Late(Duration::from_millis(80), "pong".into()));
    let report = run(server.address, &ping());
    assert!(report.is_good());
    assert!(report.service_time.max() >= 80_000_000);
}

#[test]
fn an_id_that_was_given_before_is_a_wrong_id() {
    let server = Server::start(|seen| {
        echo_with_id(
            seen,
            if seen.number == 70 {
                70
            } else {
                seen.number + 1
            },
        )
    });
    assert_one_failure(&run(server.address, &post()), Failure::Id);
}

#[test]
fn an_id_out_of_range_is_a_wrong_id() {
    let server = Server::start(|seen| {
        echo_with_id(
            seen,
            if seen.number == 70 {
                201
            } else {
                seen.number + 1
            },
        )
    });
    assert_one_failure(&run(server.address, &post()), Failure::Id);
}

#[test]
fn what_was_written_is_read_back_byte_for_byte() {
    let stored = std::sync::Mutex::new(Vec::new());
    let server = Server::start(move |seen| {
        let mut stored = stored.lock().expect("no panic in the server");
        if let Some(id) = seen.target.strip_prefix("/persons/") {
            let id: usize = id.parse().expect("an id");
            // The person of id 7 is spoilt: every user who reads it must notice.
            let body: &String = &stored[id - 1];
            return Reaction::Answer(
                200,
                if id == 7 {
                    body.replace("Test", "Tost")
                } else {
                    body.clone()
                },
            );
        }
        let body = format!("{{\"id\":{},{}", stored.len() + 1, &seen.body[1..]);
        stored.push(body.clone());
        Reaction::Answer(200, body)
    });
    let mut written = Written::new(1..=ALL);
    assert!(run_with(server.address, &post(), &mut written, Options::default()).is_good());
    assert_eq!(written.count(), ALL);

    let request = Request::get("/persons/${number}".parse().expect("a template"));
    let get = scenario(request, r#"{"id":${number},"name":"Test${written}"}"#);
    let report = run_with(server.address, &get, &mut written, Options::default());
    assert_eq!(
        report.counts.failed,
        [(Failure::Body, u64::from(USERS))].into()
    );
    assert_eq!(report.counts.good, ALL - u64::from(USERS));
    assert_eq!(written.count(), ALL, "reading leaves the table as it was");
}

#[test]
fn failures_end_the_run_once_there_are_enough() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let options = Options {
        stop_after_failures: 30,
        ..Options::default()
    };
    let report = run_with(address, &ping(), &mut Written::none(), options);
    let failed = report.counts.failed[&Failure::Connect];
    assert!((30..30 + u64::from(USERS)).contains(&failed), "{failed}");
    assert_eq!(report.counts.unfinished, ALL - failed);
}

#[test]
fn a_stopped_run_ends_at_once_and_keeps_what_was_done() {
    let server = Server::start(|seen| match seen.number {
        0..20 => Reaction::Answer(200, "pong".into()),
        _ => Reaction::Late(Duration::from_secs(8), "pong".into()),
    });
    let control = Control::new();
    let watcher = control.clone();
    std::thread::spawn(move || {
        while watcher.good() < 20 {
            std::thread::sleep(Duration::from_millis(1));
        }
        watcher.stop();
    });
    let started = Instant::now();
    let report = load::run(
        server.address,
        &ping(),
        &mut Written::none(),
        &Options::default(),
        &control,
    )
    .expect("the run begins");
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(report.counts.good, 20);
    assert_eq!(report.counts.failures(), 0);
    assert_eq!(report.counts.unfinished, ALL - 20);
}

#[test]
fn a_scenario_without_a_valid_request_is_refused() {
    let bad = scenario(Request::get("no path".parse().expect("a template")), "pong");
    let address = "127.0.0.1:1".parse().expect("an address");
    let result = load::run(
        address,
        &bad,
        &mut Written::none(),
        &Options::default(),
        &Control::new(),
    );
    assert!(matches!(result, Err(load::Error::Request { .. })));
}

#[test]
fn long_answers_are_read_side_by_side_to_their_end() {
    let server = Server::start(|seen| match seen.target.as_str() {
        "/list" => Reaction::Answer(200, "x".repeat(1_000_000)),
        _ => Reaction::Answer(404, String::new()),
    });
    let sinks = || (0..5).map(|_| Length(0)).collect();
    let lengths: Vec<Length> =
        load::read_streams(server.address, "/list", sinks(), &Control::new())
            .expect("all are read");
    assert_eq!(lengths, [Length(1_000_000); 5]);
    let missing = load::read_streams(server.address, "/none", sinks(), &Control::new());
    assert!(matches!(missing, Err(load::StreamError::Status(404))));
}

//! Section 6: where it listens, and the ready line.

use std::net::{TcpListener, TcpStream};

use anyhow::{Context as _, Result, ensure};

use super::flags::{expect_refusal, free_port};
use crate::{
    case::Case,
    http::Request,
    process::{Binary, Signal},
    target::Target,
};

pub(super) const CASES: &[Case] = &[
    Case::process(
        "a port in use ends with exit code 1 and says so",
        &["6.6"],
        port_in_use,
    ),
    Case::process(
        "it listens on the loopback unless told otherwise",
        &["6.7", "6.19"],
        hosts,
    ),
    Case::process(
        "port 0 takes a free port and another port is taken as given",
        &["6.8", "6.9", "6.19"],
        ports,
    ),
    Case::process(
        "the ready line is all of standard output",
        &["6.18", "6.21"],
        ready_line,
    ),
    Case::process(
        "connections are accepted from the ready line on",
        &["6.20"],
        accepting,
    ),
    Case::process(
        "with few descriptors it serves, or ends by itself with an error",
        &["6.20"],
        few_descriptors,
    ),
];

fn port_in_use(binary: &Binary) -> Result<()> {
    let taken = TcpListener::bind("127.0.0.1:0")?;
    let port = taken.local_addr()?.port().to_string();
    let ended = binary.run_to_end(&["--port", &port, "--log-level", "error"], &[])?;
    expect_refusal(&ended, 1, &port)
}

fn hosts(binary: &Binary) -> Result<()> {
    let server = binary.start(&[])?;
    let port = server.target().address().port();
    ensure!(
        server.ready_line() == format!("listening on http://127.0.0.1:{port}"),
        "the ready line is {}",
        server.ready_line()
    );
    ensure!(
        TcpStream::connect(("127.0.0.2", port)).is_err(),
        "it listens on more than 127.0.0.1"
    );
    let other = binary.start(&["--host", "127.0.0.2"])?;
    ensure!(
        other.target().address().ip().to_string() == "127.0.0.2",
        "{}",
        other.ready_line()
    );
    other
        .target()
        .ask(&Request::get("/ping"))?
        .expect_status(200)?;
    let all = binary.start(&["--host", "0.0.0.0"])?;
    let port = all.target().address().port();
    ensure!(
        all.ready_line().contains("0.0.0.0:"),
        "{}",
        all.ready_line()
    );
    for host in ["127.0.0.1", "127.0.0.5"] {
        Target::from_url(&format!("http://{host}:{port}"))?
            .ask(&Request::get("/ping"))?
            .expect_status(200)?;
    }
    // Where the machine has IPv6, its addresses are written in brackets.
    if TcpListener::bind("[::1]:0").is_ok() {
        let six = binary.start(&["--host", "::1"])?;
        ensure!(
            six.ready_line().starts_with("listening on http://[::1]:"),
            "{}",
            six.ready_line()
        );
        six.target()
            .ask(&Request::get("/ping"))?
            .expect_status(200)?;
    }
    Ok(())
}

fn ports(binary: &Binary) -> Result<()> {
    let first = binary.start(&[])?;
    let second = binary.start(&[])?;
    let (one, two) = (
        first.target().address().port(),
        second.target().address().port(),
    );
    ensure!(
        one != 0 && two != 0 && one != two,
        "the ports are {one} and {two}"
    );
    let port = free_port()?;
    let given = binary.start_with(&["--port", &port.to_string()], &[])?;
    ensure!(
        given.target().address().port() == port,
        "{}",
        given.ready_line()
    );
    // The port of a server that has ended can be taken at once, its connections notwithstanding.
    let mut client = given.target().connect()?;
    client.ask(&Request::get("/ping"))?;
    given.end_by(Signal::TERM)?;
    binary.start_with(&["--port", &port.to_string()], &[])?;
    Ok(())
}

fn ready_line(binary: &Binary) -> Result<()> {
    let server = binary.start(&["--log-level", "debug"])?;
    let address = server.target().address();
    server.target().add_person("Quiet", "OTHER", 1)?;
    server
        .target()
        .ask(&Request::get("/nothing"))?
        .expect_status(404)?;
    let ended = server.end_by(Signal::TERM)?;
    let wanted = format!("listening on http://{address}\n");
    ensure!(
        ended.stdout == wanted,
        "standard output has {:?}",
        ended.stdout
    );
    ensure!(!ended.stderr.is_empty(), "nothing was logged");
    Ok(())
}

fn accepting(binary: &Binary) -> Result<()> {
    for _ in 0..5 {
        let server = binary.start(&[])?;
        server
            .target()
            .ask(&Request::get("/ping"))?
            .expect_status(200)?;
    }
    Ok(())
}

fn few_descriptors(binary: &Binary) -> Result<()> {
    // Enough to listen and to be asked; where each worker takes some of its own, not enough for all.
    for descriptors in [16, 24] {
        let server = binary.start_within(descriptors, &["--workers", "8"])?;
        let answered = server.target().ask(&Request::get("/ping"));
        if let Err(error) = answered.and_then(|response| response.expect_status(200)) {
            let ended = server.wait().with_context(|| {
                format!("with {descriptors} descriptors it neither serves nor ends: {error:#}")
            })?;
            ensure!(
                ended.code.is_some_and(|code| code > 0),
                "it cannot serve with {descriptors} descriptors and ends with {:?}",
                ended.code
            );
        }
    }
    Ok(())
}

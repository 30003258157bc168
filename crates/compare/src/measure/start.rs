//! Time from just before the process is started to its first correct answer, and the answers after it.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::guard::Guard;
use crate::http::{Answer, Get};
use crate::interrupt::Interrupt;
use crate::processors::Placement;
use crate::target::{Launch, Server};

/// One start of one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Start {
    /// The round, from 0; every flavor starts once in each.
    pub(crate) round: u32,
    /// The place within the round, from 0; it rotates from round to round.
    pub(crate) position: usize,
    /// From just before the spawn to the last byte of the first correct answer, in nanoseconds.
    pub(crate) first_answer_ns: u64,
    /// How often the server was asked until then.
    pub(crate) attempts: u32,
    /// The median time between two attempts in nanoseconds: the first answer may be late by that much.
    pub(crate) poll_interval_ns: u64,
    /// The service times of the first answers in nanoseconds, one request after the other, each on a connection of
    /// its own and with the time to open it; the first is the one that ended the start.
    pub(crate) answers_ns: Vec<u64>,
}

/// The number of answers that are timed one by one.
pub(crate) const ANSWERS: u64 = 5;

/// The shortest time between two attempts.
const INTERVAL: Duration = Duration::from_micros(75);

/// Starts a server, times its first answers and stops it; gives the sample and the exit code.
///
/// # Errors
/// The server does not start, answers wrongly, or the comparison is told to end.
pub(crate) fn measure(
    launch: &Launch,
    placement: &Placement,
    guard: &Guard,
    interrupt: &Interrupt,
    (round, position): (u32, usize),
) -> anyhow::Result<(Start, Option<i32>)> {
    let mut server = Server::start(launch, placement, guard)?;
    let greeting = Get::new(server.address, "/hello-world");
    let mut begins = vec![Instant::now()];
    let (first_answer_ns, answer, service) = loop {
        let asked = *begins.last().unwrap_or(&server.spawned);
        if let Ok(answer) = greeting.send() {
            let now = Instant::now();
            break (nanoseconds(now - server.spawned), answer, now - asked);
        }
        interrupt.check()?;
        server.check_alive()?;
        pause(asked + INTERVAL, placement.pinned);
        begins.push(Instant::now());
    };
    check(&answer, 1)?;
    let mut answers_ns = vec![nanoseconds(service)];
    for number in 2..=ANSWERS {
        let asked = Instant::now();
        let answer = greeting.send()?;
        answers_ns.push(nanoseconds(asked.elapsed()));
        check(&answer, number)?;
    }
    let start = Start {
        round,
        position,
        first_answer_ns,
        attempts: u32::try_from(begins.len()).unwrap_or(u32::MAX),
        poll_interval_ns: median_interval(&begins),
        answers_ns,
    };
    Ok((start, server.stop()?))
}

/// Waits for a moment: spinning where the generator has a processor of its own, since a timer wakes late by as
/// much as the interval is long; sleeping where the server needs the processor.
fn pause(until: Instant, own_processor: bool) {
    if !own_processor {
        std::thread::sleep(until.saturating_duration_since(Instant::now()));
        return;
    }
    while Instant::now() < until {
        std::hint::spin_loop();
    }
}

/// The greeting counts from 1 in each process, so that a lost or repeated answer shows.
fn check(answer: &Answer, number: u64) -> anyhow::Result<()> {
    let expected = format!(r#"{{"id":{number},"content":"Hello, Stranger!"}}"#);
    anyhow::ensure!(
        answer.status == 200 && answer.body == expected.as_bytes(),
        "GET /hello-world answered {} {:?} for 200 {expected:?}",
        answer.status,
        String::from_utf8_lossy(&answer.body),
    );
    Ok(())
}

fn median_interval(begins: &[Instant]) -> u64 {
    let mut intervals: Vec<u64> = begins
        .windows(2)
        .map(|pair| nanoseconds(pair[1] - pair[0]))
        .collect();
    intervals.sort_unstable();
    intervals
        .get(intervals.len() / 2)
        .copied()
        .unwrap_or_default()
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_greeting_ends_a_start() {
        let answer = |status, body: &str| Answer {
            status,
            body: body.into(),
        };
        assert!(check(&answer(200, r#"{"id":1,"content":"Hello, Stranger!"}"#), 1).is_ok());
        assert!(check(&answer(200, r#"{"id":2,"content":"Hello, Stranger!"}"#), 1).is_err());
        assert!(check(&answer(503, r#"{"id":1,"content":"Hello, Stranger!"}"#), 1).is_err());
    }

    #[test]
    fn a_pause_ends_no_earlier_than_its_moment() {
        for own_processor in [true, false] {
            let until = Instant::now() + INTERVAL;
            pause(until, own_processor);
            assert!(Instant::now() >= until);
        }
    }
}

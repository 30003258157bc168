//! A run: all users of a scenario on one thread, from the first request to the last answer.

use std::cell::RefCell;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::task::{JoinSet, LocalSet};

use crate::control::Control;
use crate::histogram::Histogram;
use crate::outcome::{Counts, Failure};
use crate::scenario::{Mode, Scenario};
use crate::schedule::BackToBack;
use crate::template::{Values, Variable};
use crate::user::User;
use crate::written::Written;

/// How a run behaves, whatever the scenario is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The longest service time of a request; after it the connection is closed and the request counts
    /// as late. 10 s by default.
    pub timeout: Duration,
    /// The number of failures that end the run: a server that answers wrongly is not loaded to the end.
    /// 100 by default.
    pub stop_after_failures: u64,
}

/// What a run found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The scenario's name.
    pub scenario: String,
    /// From the first request to the last answer, in nanoseconds; opening the connections is not in it.
    pub elapsed_ns: u64,
    /// What became of the requests.
    pub counts: Counts,
    /// Bytes of the bodies of good answers.
    pub body_bytes: u64,
    /// Service times of good answers.
    pub service_time: Histogram,
    /// The first few failures in words.
    pub examples: Vec<String>,
}

/// Why a run could not begin.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The generator's thread or its runtime could not be made.
    #[error("cannot start the load generator")]
    Start(#[source] io::Error),
    /// The scenario makes no request.
    #[error("scenario {scenario} makes no valid request")]
    Request {
        /// The scenario's name.
        scenario: String,
        /// What is wrong with it.
        #[source]
        source: http::Error,
    },
    /// A request or an expected body names a variable that has no value there.
    #[error("scenario {scenario} names a variable in its request that only an answer can give")]
    Variable {
        /// The scenario's name.
        scenario: String,
    },
    /// The generator's thread panicked.
    #[error("the load generator panicked")]
    Panicked,
}

/// Plays a scenario against `address` on a thread of its own and waits for its end.
///
/// The thread inherits the processors of the calling thread. `written` takes the ids that answers give,
/// and is what `${written}` is looked up in. Where nothing was written under an id, its answer cannot be
/// checked and counts as a failure.
///
/// # Errors
/// The scenario makes no valid request, or the generator could not be started. Answers that are wrong
/// or missing are no error: they are in [`Report::counts`].
pub fn run(
    address: SocketAddr,
    scenario: &Scenario,
    written: &mut Written,
    options: &Options,
    control: &Control,
) -> Result<Report, Error> {
    check(scenario)?;
    let taken = std::mem::replace(written, Written::none());
    let joined = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("load".into())
            .spawn_scoped(scope, || play(address, scenario, taken, options, control))
            .map(|thread| thread.join().map_err(|_| Error::Panicked))
    });
    let (report, taken) = joined.map_err(Error::Start)???;
    *written = taken;
    Ok(report)
}

/// What all users of a run count into; they share one thread.
pub(crate) struct Tally {
    pub(crate) host: http::HeaderValue,
    pub(crate) written: Written,
    report: Report,
}

impl Tally {
    /// The most failures that are kept in words.
    const EXAMPLES: usize = 5;

    pub(crate) fn good(&mut self, length: usize, time: Duration) {
        self.report.counts.good += 1;
        self.report.body_bytes += length as u64;
        self.report.service_time.record(nanoseconds(time));
    }

    pub(crate) fn failed(&mut self, kind: Failure, words: impl FnOnce() -> String) {
        *self.report.counts.failed.entry(kind).or_default() += 1;
        if self.report.examples.len() < Self::EXAMPLES {
            self.report.examples.push(words());
        }
    }

    pub(crate) fn failures(&self) -> u64 {
        self.report.counts.failures()
    }

    pub(crate) fn publish(&self, control: &Control) {
        control.publish(self.report.counts.good, self.failures());
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            stop_after_failures: 100,
        }
    }
}

impl Report {
    /// Whether every planned request got a good answer.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.counts.good == self.counts.planned
    }

    /// Good answers per second over the whole run; 0 where no time passed.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts and times of a run are far below 2^52"
    )]
    pub fn good_per_second(&self) -> f64 {
        if self.elapsed_ns == 0 {
            return 0.0;
        }
        self.counts.good as f64 / (self.elapsed_ns as f64 / 1e9)
    }
}

/// The run itself, on the generator's thread.
fn play(
    address: SocketAddr,
    scenario: &Scenario,
    written: Written,
    options: &Options,
    control: &Control,
) -> Result<(Report, Written), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(Error::Start)?;
    let tally = Rc::new(RefCell::new(Tally {
        host: host(address),
        written,
        report: Report {
            scenario: scenario.name.clone(),
            elapsed_ns: 0,
            counts: Counts {
                planned: scenario.mode.planned(),
                ..Counts::default()
            },
            body_bytes: 0,
            service_time: Histogram::new(),
            examples: Vec::new(),
        },
    }));
    let shared = Rc::new(scenario.clone());
    let users = (0..scenario.mode.users()).map(|number| User {
        number,
        address,
        scenario: Rc::clone(&shared),
        timeout: options.timeout,
        stop_after_failures: options.stop_after_failures,
        control: control.clone(),
        tally: Rc::clone(&tally),
        connection: None,
        buffer: Vec::new(),
    });
    let local = LocalSet::new();
    let elapsed = local.block_on(&runtime, load(users.collect(), scenario.mode, control));
    // What is still in flight after a stop holds the tally: it ends here.
    drop(local);
    let Tally {
        written,
        mut report,
        ..
    } = Rc::into_inner(tally)
        .expect("every user has ended")
        .into_inner();
    report.elapsed_ns = nanoseconds(elapsed);
    let counts = &mut report.counts;
    counts.unfinished = counts.planned - counts.good - counts.failures();
    Ok((report, written))
}

/// Connects all users, then lets them run side by side; gives the time from the first request to the end.
async fn load(mut users: Vec<User>, mode: Mode, control: &Control) -> Duration {
    let connect = async {
        for user in &mut users {
            user.connect().await;
        }
    };
    tokio::select! {
        () = connect => (),
        () = control.stopped() => return Duration::ZERO,
    }
    let started = Instant::now();
    let mut tasks = JoinSet::new();
    for mut user in users {
        let schedule = match mode {
            Mode::Closed {
                requests_per_user, ..
            } => BackToBack::new(requests_per_user),
        };
        tasks.spawn_local(async move { user.run(schedule).await });
    }
    tokio::select! {
        () = join(&mut tasks) => (),
        () = control.stopped() => tasks.abort_all(),
    }
    let elapsed = started.elapsed();
    while tasks.join_next().await.is_some() {}
    elapsed
}

async fn join(tasks: &mut JoinSet<()>) {
    while let Some(joined) = tasks.join_next().await {
        if let Err(error) = joined
            && error.is_panic()
        {
            std::panic::resume_unwind(error.into_panic());
        }
    }
}

/// Builds one request, so that the users can rely on it.
fn check(scenario: &Scenario) -> Result<(), Error> {
    let values = Values {
        user: 0,
        index: 0,
        written: Some(0),
    };
    let template = &scenario.request;
    let mut target = Vec::new();
    let bodies = [Some(&template.target), template.body.as_ref()];
    if bodies
        .into_iter()
        .flatten()
        .any(|text| text.uses(Variable::Id))
    {
        return Err(Error::Variable {
            scenario: scenario.name.clone(),
        });
    }
    template.target.render(&values, &mut target);
    http::Request::builder()
        .method(template.method.as_str())
        .uri(target.as_slice())
        .body(())
        .map(|_| ())
        .map_err(|source| Error::Request {
            scenario: scenario.name.clone(),
            source,
        })
}

pub(crate) fn host(address: SocketAddr) -> http::HeaderValue {
    address
        .to_string()
        .parse()
        .expect("an address is a valid header value")
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

//! The load engine: it sends a scenario's requests to any HTTP/1.1 server, checks every answer, and
//! counts and times them.
//!
//! A [`Scenario`] is plain data: who sends how much ([`Mode`]), what is sent ([`Request`]) and what the
//! answer must be ([`Expected`]). [`run`] plays it on one thread: each user keeps one connection, one
//! worker loop serves every mode, and a [`Schedule`] tells it when the next request is due. Times of good
//! answers go into one [`Histogram`], everything else into [`Counts`]; memory does not grow with the
//! number of requests.
//!
//! What is timed is *service time*: from the moment a request is handed to its connection to the last
//! byte of its answer. In a closed loop a user who waits sends nothing, so a server that stalls is asked
//! less while it stalls, and the percentiles hide that (coordinated omission).
//!
//! ```no_run
//! use load::{Control, Expected, Mode, Options, Request, Scenario, Written};
//!
//! let scenario = Scenario {
//!     name: "ping".into(),
//!     mode: Mode::Closed { users: 4, requests_per_user: 100 },
//!     request: Request::get("/ping".parse()?),
//!     expected: Expected { status: 200, body: "pong".parse()?, ids: None },
//! };
//! let address = "127.0.0.1:8080".parse()?;
//! let report = load::run(address, &scenario, &mut Written::none(), &Options::default(), &Control::new())?;
//! println!("{} good, p99 {} ns", report.counts.good, report.service_time.quantile(0.99));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod connection;
mod control;
mod histogram;
mod outcome;
mod run;
mod scenario;
mod schedule;
mod stream;
mod template;
mod user;
mod written;

pub use control::Control;
pub use histogram::{Buckets, Histogram};
pub use outcome::{Counts, Failure};
pub use run::{Error, Options, Report, run};
pub use scenario::{Expected, Mode, Request, Scenario};
pub use schedule::{BackToBack, Schedule, Slot};
pub use stream::{Sink, StreamError, read_streams};
pub use template::{Mismatch, Template, TemplateError, Values, Variable};
pub use written::{IdFault, Written};

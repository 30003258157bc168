//! The conformance suite: black-box cases of the service's contract over any URL.
//!
//! The contract stands in `contract.toml`, one numbered entry a promise. A [`case::Case`] is a
//! sentence, the entries that it shows and the code that shows them, over nothing but HTTP and
//! processes. Every answer that any case receives is checked against the conventions of the
//! contract and the OpenAPI document too. The same cases run over a URL ([`run::run`]) and as tests
//! of each flavor ([`testing::main`]).
//!
//! ```no_run
//! use conformance::run::{Selection, run};
//!
//! let before_load = Selection { load_only: true, filter: None };
//! let report = run("http://127.0.0.1:8080", &before_load)?;
//! for outcome in report.failures() {
//!     eprintln!("{}: {}", outcome.name, outcome.failure.as_deref().unwrap_or_default());
//! }
//! # Ok::<(), anyhow::Error>(())
//! ```

pub mod case;
pub mod cases;
pub mod contract;
pub mod mutants;
pub mod parity;
pub mod run;
pub mod testing;

pub mod conventions;
pub mod document;
pub mod http;
pub mod process;
pub mod target;

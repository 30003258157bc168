//! What the main of every flavor needs beside its framework: configuration, telemetry, the store, a
//! listener, shutdown, and the state that requests share.
//!
//! ```
//! use person_repository::PersonRepository;
//! use service_runtime::{App, Flavor, Telemetry};
//!
//! let flavor = Flavor {
//!     name: "axum",
//!     framework: "axum 0.8.9",
//!     program: "server-axum",
//!     version: "0.1.0",
//! };
//! let app = App::new(flavor, PersonRepository::in_memory(), 2, Telemetry::default());
//! assert_eq!(app.next_greeting(), 1);
//! assert_eq!(app.info().runtime.workers, 2);
//! ```

pub mod config;
pub mod lifecycle;
pub mod listener;
pub mod store;
pub mod stream;
pub mod telemetry;

mod app;
mod build;
mod metrics;
mod process;
mod record;

pub use app::{App, Flavor};
pub use config::Config;
pub use lifecycle::Lifecycle;
pub use metrics::{ConnectionGuard, Metrics, RequestGuard};
pub use record::RequestRecord;
pub use telemetry::Telemetry;

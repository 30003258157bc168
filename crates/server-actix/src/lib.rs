//! The reference service on actix-web, from the socket up.
//!
//! ```
//! use std::time::Duration;
//!
//! use person_repository::PersonRepository;
//! use server_actix::{FLAVOR, server};
//! use service_runtime::{App, Telemetry, listener};
//!
//! # fn main() -> anyhow::Result<()> {
//! server::runtime(1)?.block_on(async {
//!     let app = App::new(FLAVOR, PersonRepository::in_memory(), 1, Telemetry::default());
//!     let listener = listener::bind("127.0.0.1:0".parse()?)?;
//!     let shutdown = async {}; // at once, here
//!     server::serve(listener, app, shutdown, Duration::from_secs(1)).await
//! })
//! # }
//! ```

pub mod server;

pub mod routes;

mod handlers;

mod extract;
mod respond;
mod unread;

mod middleware;

use service_runtime::Flavor;

/// This flavor, as `/info` tells it.
pub const FLAVOR: Flavor = Flavor {
    name: "actix",
    framework: "actix-web 4.18.1",
    program: env!("CARGO_PKG_NAME"),
    version: env!("CARGO_PKG_VERSION"),
};

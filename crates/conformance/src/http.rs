//! A small blocking HTTP/1.1 client that sends exactly the bytes it is told to.
//!
//! Odd requests are the point of this suite, so nothing is corrected, completed or retried on the
//! way out, and nothing is hidden on the way in.

mod connection;
mod request;
mod response;

pub use connection::Connection;
pub use request::Request;
pub use response::{Framing, Response};

//! The repository as its users see it.

mod concurrency;
mod support;

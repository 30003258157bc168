//! Persons as JSON: bodies in, bodies out, pages and lists.

mod bodies;
mod list_query;
mod representation;

pub use list_query::{ListQuery, Page};
pub use representation::{ListEncoder, location, next_link, page_to_json, to_json};

pub(crate) use representation::PersonDocument;

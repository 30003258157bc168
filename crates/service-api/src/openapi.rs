//! The OpenAPI 3.1 document, written once for all flavors.
//!
//! The binaries carry the committed file and do no work for it at start; a test holds that file
//! against [`generate`], and the example `openapi` of this crate writes it anew.

mod common;
mod paths;
mod problems;
mod schemas;
mod shared;

pub(crate) use schemas::GenderSchema;

use utoipa::OpenApi as _;

/// The committed document, `openapi/openapi.json`.
pub const DOCUMENT: &[u8] = include_bytes!("../../../openapi/openapi.json");

/// Makes the document from the types of this crate, as pretty JSON that ends with a new line.
pub fn generate() -> String {
    let document = paths::Document::openapi();
    let mut json = document
        .to_pretty_json()
        .expect("the document is plain data");
    json.push('\n');
    json
}

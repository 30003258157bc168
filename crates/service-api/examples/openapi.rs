//! Writes `openapi/openapi.json` anew where it is stale: `cargo run -p service-api --example openapi`.

use std::path::Path;
use std::{fs, io};

use service_api::openapi;

fn main() -> io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi/openapi.json");
    let document = openapi::generate();
    // Written needlessly, it would have every server built anew.
    if document.as_bytes() != openapi::DOCUMENT {
        fs::write(path, document)?;
    }
    Ok(())
}

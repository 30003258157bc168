//! Writes `openapi/openapi.json` anew: `cargo run -p service-api --example openapi`.

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi/openapi.json");
    fs::write(path, service_api::openapi::generate())
}

//! Swagger UI on the OpenAPI document, its files served from the binary.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use bytes::Bytes;
use flate2::read::GzDecoder;
use utoipa_swagger_ui::Config;

use crate::routes::template;

/// The file that a browser sees first.
pub const INDEX: &str = "index.html";

/// A file of Swagger UI.
#[derive(Debug)]
pub struct File {
    /// Its bytes, compressed where `gzip` says so.
    pub bytes: Bytes,
    /// Its media type.
    pub content_type: String,
    /// Whether the bytes must be sent with `content-encoding: gzip`.
    pub gzip: bool,
}

/// Gives a file by its name, compressed only where `gzip` says that the client takes it so; `None` where
/// Swagger UI has no such file.
pub fn file(name: &str, gzip: bool) -> Option<File> {
    static CONFIG: LazyLock<Arc<Config<'static>>> =
        LazyLock::new(|| Arc::new(Config::from(template::OPENAPI)));
    if name.is_empty() {
        return None;
    }
    let stored = utoipa_swagger_ui::serve(name, CONFIG.clone()).ok()??;
    let bytes = match stored.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    let (bytes, gzip) = match (stored.gzpipped, gzip) {
        (true, false) => (inflated(name, &bytes)?, false),
        (compressed, _) => (bytes, compressed),
    };
    Some(File {
        bytes,
        content_type: stored.content_type,
        gzip,
    })
}

/// Gives a file's plain bytes, which are kept: the largest takes 1.5 MB and several milliseconds.
fn inflated(name: &str, compressed: &[u8]) -> Option<Bytes> {
    static KEPT: Mutex<BTreeMap<String, Bytes>> = Mutex::new(BTreeMap::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = kept.get(name) {
        return Some(bytes.clone());
    }
    let mut bytes = Vec::new();
    GzDecoder::new(compressed).read_to_end(&mut bytes).ok()?;
    let bytes = Bytes::from(bytes);
    kept.insert(name.to_owned(), bytes.clone());
    Some(bytes)
}

/// Whether the values of `accept-encoding` take gzip (RFC 9110, section 12.5.3): named, and not with a
/// weight of 0.
pub fn accepts_gzip<'a>(mut accept_encodings: impl Iterator<Item = &'a [u8]>) -> bool {
    accept_encodings.any(|value| {
        let value = std::str::from_utf8(value).unwrap_or_default();
        value.split(',').any(names_gzip)
    })
}

fn names_gzip(choice: &str) -> bool {
    let mut parts = choice.split(';').map(str::trim);
    let named = parts
        .next()
        .is_some_and(|coding| coding.eq_ignore_ascii_case("gzip"));
    let refused = parts
        .filter_map(|parameter| parameter.split_once('='))
        .filter(|(name, _)| name.eq_ignore_ascii_case("q"))
        .any(|(_, weight)| weight.parse() == Ok(0.0_f32));
    named && !refused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_there_and_an_unknown_file_is_not() {
        let page = file(INDEX, false).expect("Swagger UI has an index");
        assert_eq!(page.content_type, "text/html");
        assert!(!page.gzip && page.bytes.starts_with(b"<!"));
        assert!(file("nothing.js", false).is_none());
        assert!(file("", false).is_none());
        assert!(file("../Cargo.toml", false).is_none());
    }

    #[test]
    fn the_page_reads_the_document_of_this_service() {
        let script = file("swagger-initializer.js", false).unwrap();
        let script = String::from_utf8(script.bytes.to_vec()).unwrap();
        assert!(script.contains(template::OPENAPI), "{script}");
        assert!(!script.contains("petstore"), "{script}");
    }

    #[test]
    fn compressed_and_plain_bytes_are_the_same_file() {
        let plain = file("swagger-ui.css", false).unwrap();
        let zipped = file("swagger-ui.css", true).unwrap();
        assert!(zipped.gzip && !plain.gzip);
        let mut unzipped = Vec::new();
        GzDecoder::new(&*zipped.bytes)
            .read_to_end(&mut unzipped)
            .unwrap();
        assert_eq!(unzipped, plain.bytes);
        assert_eq!(file("swagger-ui.css", false).unwrap().bytes, plain.bytes);
    }

    #[test]
    fn gzip_is_taken_where_it_is_named_with_a_weight() {
        for taken in ["gzip", "br, GZIP;q=0.5", "gzip ; q=1"] {
            assert!(accepts_gzip([taken.as_bytes()].into_iter()), "{taken}");
        }
        for refused in ["", "br", "gzip;q=0", "gzip;q=0.000", "gzip;Q=0", "*;q=0"] {
            assert!(!accepts_gzip([refused.as_bytes()].into_iter()), "{refused}");
        }
        assert!(!accepts_gzip(std::iter::empty()));
        assert!(accepts_gzip([&b"br"[..], b"gzip"].into_iter()));
    }
}

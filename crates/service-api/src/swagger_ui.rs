//! Swagger UI on the OpenAPI document, its files served from the binary.

use std::borrow::Cow;
use std::io::Read as _;
use std::sync::{Arc, LazyLock};

use flate2::read::GzDecoder;
use utoipa_swagger_ui::Config;

use crate::routes::template;

/// The file that a browser sees first.
pub const INDEX: &str = "index.html";

/// A file of Swagger UI.
#[derive(Debug)]
pub struct File {
    /// Its bytes, compressed where `gzip` says so.
    pub bytes: Cow<'static, [u8]>,
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
    let (bytes, gzip) = match (stored.gzpipped, gzip) {
        (true, false) => (Cow::Owned(unzip(&stored.bytes)?), false),
        (compressed, _) => (stored.bytes, compressed),
    };
    Some(File {
        bytes,
        content_type: stored.content_type,
        gzip,
    })
}

fn unzip(compressed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(compressed).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether an `accept-encoding` takes gzip (RFC 9110, section 12.5.3): named, and not with a weight
/// of 0.
pub fn accepts_gzip(accept_encoding: Option<&[u8]>) -> bool {
    let Ok(accept_encoding) = std::str::from_utf8(accept_encoding.unwrap_or_default()) else {
        return false;
    };
    accept_encoding.split(',').any(|choice| {
        let mut parts = choice.split(';').map(str::trim);
        let named = parts
            .next()
            .is_some_and(|coding| coding.eq_ignore_ascii_case("gzip"));
        let refused = parts
            .filter_map(|parameter| parameter.strip_prefix("q="))
            .any(|weight| weight.parse() == Ok(0.0_f32));
        named && !refused
    })
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
        let script = String::from_utf8(script.bytes.into_owned()).unwrap();
        assert!(script.contains(template::OPENAPI), "{script}");
        assert!(!script.contains("petstore"), "{script}");
    }

    #[test]
    fn compressed_and_plain_bytes_are_the_same_file() {
        let plain = file("swagger-ui.css", false).unwrap();
        let zipped = file("swagger-ui.css", true).unwrap();
        assert!(zipped.gzip && !plain.gzip);
        assert_eq!(unzip(&zipped.bytes).unwrap(), *plain.bytes);
    }

    #[test]
    fn gzip_is_taken_where_it_is_named_with_a_weight() {
        for taken in ["gzip", "br, GZIP;q=0.5", "gzip ; q=1"] {
            assert!(accepts_gzip(Some(taken.as_bytes())), "{taken}");
        }
        for refused in ["", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0"] {
            assert!(!accepts_gzip(Some(refused.as_bytes())), "{refused}");
        }
        assert!(!accepts_gzip(None));
    }
}

//! Which `content-type` and `content-encoding` a body may come with.

use crate::problem::Problem;

/// The media type of JSON answers.
pub const JSON: &str = "application/json";
/// The media type of error answers (RFC 9457).
pub const PROBLEM_JSON: &str = "application/problem+json";
/// The media type of a JSON merge patch (RFC 7396).
pub const MERGE_PATCH_JSON: &str = "application/merge-patch+json";
/// The media type of plain text answers.
pub const TEXT: &str = "text/plain; charset=utf-8";
/// The media type of the Prometheus text format.
pub const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The kind of body that an operation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// A JSON document: `application/json` or any `application/*+json`.
    Json,
    /// A JSON merge patch: `application/merge-patch+json` or `application/json`.
    MergePatch,
}

/// Judges the headers that describe a body, each given as all its values.
///
/// # Errors
/// 415 where there is no content type or not one that `kind` takes, or where a content encoding is
/// not `identity`.
pub fn check<'a>(
    kind: BodyKind,
    mut content_types: impl Iterator<Item = &'a [u8]>,
    mut content_encodings: impl Iterator<Item = &'a [u8]>,
) -> Result<(), Problem> {
    let described = match (content_types.next(), content_types.next()) {
        (Some(value), None) => kind.takes(value),
        _ => false,
    };
    if !described {
        return Err(Problem::unsupported_media_type(match kind {
            BodyKind::Json => "the content type must be application/json",
            BodyKind::MergePatch => {
                "the content type must be application/merge-patch+json or application/json"
            }
        }));
    }
    if !content_encodings.all(|value| value.trim_ascii().eq_ignore_ascii_case(b"identity")) {
        return Err(Problem::unsupported_media_type(
            "the body must come without a content encoding",
        ));
    }
    Ok(())
}

impl BodyKind {
    fn takes(self, content_type: &[u8]) -> bool {
        let essence = content_type
            .split(|byte| *byte == b';')
            .next()
            .unwrap_or_default();
        let essence = essence.trim_ascii().to_ascii_lowercase();
        if essence == JSON.as_bytes() {
            return true;
        }
        match self {
            Self::MergePatch => essence == MERGE_PATCH_JSON.as_bytes(),
            Self::Json => essence
                .strip_prefix(b"application/")
                .and_then(|subtype| subtype.strip_suffix(b"+json"))
                .is_some_and(|prefix| !prefix.is_empty() && prefix.iter().all(is_token_byte)),
        }
    }
}

/// Whether a byte may stand in a subtype (RFC 6838, section 4.2).
fn is_token_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(kind: BodyKind, types: &[&str], encodings: &[&str]) -> bool {
        check(
            kind,
            types.iter().map(|value| value.as_bytes()),
            encodings.iter().map(|value| value.as_bytes()),
        )
        .is_ok()
    }

    #[test]
    fn json_comes_under_its_own_name_or_a_structured_suffix() {
        for content_type in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "application/vnd.api+json",
            "application/problem+json;x=y",
        ] {
            assert!(
                takes(BodyKind::Json, &[content_type], &[]),
                "{content_type}"
            );
        }
        for content_type in [
            "",
            "text/json",
            "application/+json",
            "application/jsonx",
            "application/a/b+json",
        ] {
            assert!(
                !takes(BodyKind::Json, &[content_type], &[]),
                "{content_type}"
            );
        }
        assert!(!takes(BodyKind::Json, &[], &[]));
        assert!(!takes(
            BodyKind::Json,
            &["application/json", "application/json"],
            &[]
        ));
    }

    #[test]
    fn a_merge_patch_comes_under_two_names_only() {
        assert!(takes(
            BodyKind::MergePatch,
            &["application/merge-patch+json"],
            &[]
        ));
        assert!(takes(BodyKind::MergePatch, &["application/json"], &[]));
        assert!(!takes(
            BodyKind::MergePatch,
            &["application/json-patch+json"],
            &[]
        ));
    }

    #[test]
    fn every_content_encoding_must_be_identity() {
        assert!(takes(BodyKind::Json, &["application/json"], &["Identity"]));
        assert!(!takes(BodyKind::Json, &["application/json"], &["gzip"]));
        assert!(!takes(
            BodyKind::Json,
            &["application/json"],
            &["identity", "br"]
        ));
        assert!(!takes(BodyKind::Json, &["application/json"], &[""]));
    }
}

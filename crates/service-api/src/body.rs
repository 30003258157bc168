//! Request bodies: how long they may be, and the JSON object in them, field by field.
//!
//! Syntax and fit are told apart here, since they are answered apart (400 and 422): a whole body is
//! checked for syntax, members that nobody reads included, before any field is judged.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer as _, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::media_type::BodyKind;
use crate::problem::Problem;

/// The longest body that is read, in bytes (64 KiB).
pub const LIMIT_BYTES: usize = 64 * 1024;

/// A body nested this deep or deeper is refused, members that nobody reads included.
const DEPTH_LIMIT: usize = 128;

/// A type that a request body is read into.
pub trait FromBody: Sized {
    /// The kind of body that it is read from.
    const KIND: BodyKind;

    /// Reads a whole body.
    ///
    /// # Errors
    /// 400 where the body is no JSON, 422 with every violation where it does not fit.
    fn from_body(body: &[u8]) -> Result<Self, Problem>;
}

/// What a body says of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Field<'a> {
    /// The field is not there.
    Absent,
    /// A string, its escapes resolved.
    Text(Cow<'a, str>),
    /// Any other value, as it was written.
    Raw(&'a str),
    /// The field is there more than once.
    Repeated,
}

/// Reads a JSON object and gives what it says of the `names`, in their order; other members are
/// checked for syntax and ignored.
///
/// # Errors
/// 400 where the body is no JSON, 422 where it is JSON but no object.
pub(crate) fn parse_object<'a, const N: usize>(
    body: &'a [u8],
    names: &[&str; N],
) -> Result<[Field<'a>; N], Problem> {
    let text = std::str::from_utf8(body).map_err(|_| not_json())?;
    if nested_too_deep(text) {
        return Err(Problem::bad_request(format!(
            "the body is nested {DEPTH_LIMIT} levels or deeper"
        )));
    }
    let white_space = [' ', '\t', '\n', '\r'];
    if !text.trim_start_matches(white_space).starts_with('{') {
        // `IgnoredAny` checks the syntax of any value without building it.
        return Err(match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => Problem::not_an_object(),
            Err(_) => not_json(),
        });
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let fields = deserializer
        .deserialize_map(ObjectVisitor { names })
        .and_then(|fields| deserializer.end().map(|()| fields));
    fields.map_err(|_| not_json())
}

/// Writes a value as JSON without insignificant white space.
pub(crate) fn to_json(value: &impl Serialize) -> Vec<u8> {
    let mut json = Vec::with_capacity(128);
    write_json(&mut json, value);
    json
}

/// Appends a value as JSON without insignificant white space.
pub(crate) fn write_json(json: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(json, value)
        .expect("the models of this crate serialize, and a Vec grows");
}

fn not_json() -> Problem {
    Problem::bad_request("the body is not valid JSON")
}

/// Whether brackets outside strings nest [`DEPTH_LIMIT`] levels or deeper. Text that is no JSON may
/// get either answer; both are a 400.
fn nested_too_deep(text: &str) -> bool {
    // So many levels take two brackets each.
    if text.len() < 2 * DEPTH_LIMIT {
        return false;
    }
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                depth += 1;
                if depth >= DEPTH_LIMIT {
                    return true;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

struct ObjectVisitor<'n, const N: usize> {
    names: &'n [&'n str; N],
}

impl<'de, const N: usize> Visitor<'de> for ObjectVisitor<'_, N> {
    type Value = [Field<'de>; N];

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut fields = [const { Field::Absent }; N];
        while let Some(known) = members.next_key_seed(KnownName { names: self.names })? {
            let Some(index) = known else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            let field = read_field(members.next_value::<&RawValue>()?).map_err(A::Error::custom)?;
            fields[index] = match fields[index] {
                Field::Absent => field,
                _ => Field::Repeated,
            };
        }
        Ok(fields)
    }
}

/// Resolves the escapes of a string, which fails on a lone surrogate: a fault of syntax.
fn read_field(value: &RawValue) -> Result<Field<'_>, serde_json::Error> {
    let raw = value.get();
    let Some(quoted) = raw.strip_prefix('"') else {
        return Ok(Field::Raw(raw));
    };
    Ok(Field::Text(if quoted.contains('\\') {
        Cow::Owned(serde_json::from_str(raw)?)
    } else {
        Cow::Borrowed(&quoted[..quoted.len() - 1])
    }))
}

/// Reads a member's name and gives its place among `names`, if it is one of them.
struct KnownName<'n, const N: usize> {
    names: &'n [&'n str; N],
}

impl<'de, const N: usize> DeserializeSeed<'de> for KnownName<'_, N> {
    type Value = Option<usize>;

    fn deserialize<D: serde::Deserializer<'de>>(self, name: D) -> Result<Self::Value, D::Error> {
        name.deserialize_str(self)
    }
}

impl<const N: usize> Visitor<'_> for KnownName<'_, N> {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a member")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.names.iter().position(|known| *known == name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(body: &[u8]) -> Result<[Field<'_>; 2], u16> {
        parse_object(body, &["a", "b"]).map_err(|problem| problem.status().code())
    }

    fn nested(levels: usize) -> String {
        format!(
            r#"{{"x":{}{}}}"#,
            "[".repeat(levels - 1),
            "]".repeat(levels - 1)
        )
    }

    #[test]
    fn known_members_come_in_the_order_of_their_names() {
        let fields = parse(br#" {"b":[1, 2],"c":{},"a":"x\u0041"} "#).unwrap();
        assert_eq!(fields, [Field::Text("xA".into()), Field::Raw("[1, 2]")]);
    }

    #[test]
    fn a_known_member_given_twice_is_repeated_and_an_unknown_one_is_not() {
        let fields = parse(br#"{"a":1,"a":1,"c":1,"c":1}"#).unwrap();
        assert_eq!(fields, [Field::Repeated, Field::Absent]);
    }

    #[test]
    fn a_name_written_with_escapes_is_known() {
        assert_eq!(parse(br#"{"\u0061":1}"#).unwrap()[0], Field::Raw("1"));
    }

    #[test]
    fn faults_of_syntax_are_bad_requests_wherever_they_stand() {
        let faults: [&[u8]; 12] = [
            b"",
            b" ",
            b"{",
            br#"{"a":1}x"#,
            br#"{"a":1,}"#,
            b"{'a':1}",
            b"{\"c\":\"\xff\"}",
            b"\xef\xbb\xbf{}",
            br#"{"a":"\ud800"}"#,
            br#"{"a":"\ud800","a":1}"#,
            br#"{"c":01}"#,
            b"{\"c\":\"\n\"}",
        ];
        for body in faults {
            assert_eq!(parse(body), Err(400), "{}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn json_that_is_no_object_does_not_fit() {
        for body in [
            "[]",
            "null",
            "1e400",
            "-0",
            r#""a""#,
            r#"["a",1]"#,
            " true ",
        ] {
            assert_eq!(parse(body.as_bytes()), Err(422), "{body}");
        }
        assert_eq!(parse(b"[1"), Err(400));
    }

    #[test]
    fn numbers_beyond_any_float_are_not_faults_of_syntax() {
        let fields = parse(br#"{"a":1e400,"c":1e400}"#).unwrap();
        assert_eq!(fields[0], Field::Raw("1e400"));
    }

    #[test]
    fn nesting_is_bounded_in_members_that_nobody_reads_too() {
        assert!(parse(nested(DEPTH_LIMIT - 1).as_bytes()).is_ok());
        assert_eq!(parse(nested(DEPTH_LIMIT).as_bytes()), Err(400));
        assert_eq!(parse(nested(20_000).as_bytes()), Err(400));
        let in_a_string = format!(r#"{{"c":"\"{}"}}"#, "[".repeat(300));
        assert!(parse(in_a_string.as_bytes()).is_ok());
    }
}

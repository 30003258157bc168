//! The hello-world resources that articles measure.

use std::borrow::Cow;

use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::{body, query};

/// The body of `GET /`.
pub const HELLO_WORLD: &str = "Hello world";
/// The body of `GET /ping`.
pub const PONG: &str = "pong";

const MAX_NAME_CHARS: usize = 255;

/// A greeting, numbered by the process that gives it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Greeting<'a> {
    /// Counts up from 1 for each process and never repeats.
    #[schema(minimum = 1, example = 1)]
    id: u64,
    /// The greeting itself.
    #[schema(example = "Hello, Stranger!")]
    content: Cow<'a, str>,
}

impl Greeting<'_> {
    /// Greets `name` with the number `id`.
    pub fn new(id: u64, name: &str) -> Self {
        Self {
            id,
            content: format!("Hello, {name}!").into(),
        }
    }

    /// The greeting as a JSON body.
    pub fn to_json(&self) -> Vec<u8> {
        body::to_json(self)
    }
}

/// Reads whom to greet from a raw query string.
///
/// # Errors
/// 400 where `name` is given twice, is no UTF-8, is over 255 characters, or holds control characters.
pub fn parse_name(query: Option<&str>) -> Result<Cow<'_, str>, Problem> {
    let [name] = query::parse(query, &["name"])?;
    let name = name
        .filter(|name| !name.is_empty())
        .unwrap_or("Stranger".into());
    let mut faults = Vec::new();
    if name.chars().count() > MAX_NAME_CHARS {
        faults.push("name must be at most 255 characters long");
    }
    if name.contains(char::is_control) {
        faults.push("name must not contain control characters");
    }
    if faults.is_empty() {
        Ok(name)
    } else {
        Err(Problem::bad_request(faults.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_is_greeted_where_no_name_is_given() {
        for query in [None, Some(""), Some("name="), Some("name"), Some("x=1")] {
            assert_eq!(parse_name(query).unwrap(), "Stranger");
        }
    }

    #[test]
    fn a_name_is_bounded_and_free_of_control_characters() {
        let longest = format!("name={}", "%C3%A9".repeat(255));
        assert_eq!(parse_name(Some(&longest)).unwrap(), "é".repeat(255));
        for query in ["name=%00", "name=%C2%85", &format!("{longest}a")] {
            assert!(parse_name(Some(query)).is_err(), "{query}");
        }
    }

    #[test]
    fn a_greeting_is_compact_json() {
        assert_eq!(
            String::from_utf8(Greeting::new(7, "A \"B\"").to_json()).unwrap(),
            r#"{"id":7,"content":"Hello, A \"B\"!"}"#
        );
    }
}

//! Texts with variables: request targets and bodies, and the bodies that answers must have.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A text with variables written `${name}`, parsed once and rendered for each request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Template {
    parts: Vec<Part>,
}

/// What a [`Template`] may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// `${user}`: the user's number, from 0.
    User,
    /// `${index}`: the request's number within its user, from 0.
    Index,
    /// `${number}`: the request's number within its user, from 1.
    Number,
    /// `${id}`: in an expected body, the id that the answer itself names: a decimal integer above 0.
    Id,
    /// `${written}`: the `${index}` of the request that an earlier run was answered the id `${number}` for.
    Written,
}

/// The values of the variables for one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Values {
    /// The user's number, from 0.
    pub user: u32,
    /// The request's number within its user, from 0.
    pub index: u32,
    /// What `${written}` stands for; `None` where no earlier run was answered this id.
    pub written: Option<u32>,
}

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A `${` without its `}`.
    #[error("`${{` without `}}` at byte {at}")]
    Unclosed {
        /// Where the variable begins, in bytes.
        at: usize,
    },
    /// A name that no variable has.
    #[error("unknown variable `${{{name}}}`; known are user, index, number, id and written")]
    Unknown {
        /// The name as written.
        name: String,
    },
}

/// How a body differs from its template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mismatch {
    /// It is longer or shorter, in bytes.
    Length {
        /// The length that was expected.
        expected: usize,
    },
    /// It has the length but other bytes.
    Content,
    /// The template asks for something that is not known.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Variable(Variable),
}

impl Template {
    /// Appends the text for `values` to `buffer`; false where a variable has no value.
    pub fn render(&self, values: &Values, buffer: &mut Vec<u8>) -> bool {
        self.parts.iter().all(|part| match part {
            Part::Text(text) => {
                buffer.extend_from_slice(text.as_bytes());
                true
            }
            Part::Variable(variable) => match values.get(*variable) {
                Some(value) => {
                    buffer.extend_from_slice(Digits::of(value).as_bytes());
                    true
                }
                None => false,
            },
        })
    }

    /// Compares a whole body with the template and gives the `${id}` in it, if the template has one.
    ///
    /// # Errors
    /// Says how the body differs.
    pub fn matches(&self, body: &[u8], values: &Values) -> Result<Option<u64>, Mismatch> {
        let (mut rest, mut equal, mut expected, mut id) = (body, true, 0, None);
        for part in &self.parts {
            let digits;
            let text = match part {
                Part::Text(text) => text.as_bytes(),
                Part::Variable(Variable::Id) => {
                    if id.is_none() {
                        id = leading_id(rest).filter(|_| equal);
                    }
                    digits = Digits::of(id.ok_or(Mismatch::Content)?);
                    digits.as_bytes()
                }
                Part::Variable(variable) => {
                    digits = Digits::of(values.get(*variable).ok_or(Mismatch::Unknown)?);
                    digits.as_bytes()
                }
            };
            expected += text.len();
            match rest.strip_prefix(text) {
                Some(after) if equal => rest = after,
                _ => equal = false,
            }
        }
        if expected != body.len() {
            Err(Mismatch::Length { expected })
        } else if equal {
            Ok(id)
        } else {
            Err(Mismatch::Content)
        }
    }

    /// Whether the text names a variable.
    #[must_use]
    pub fn uses(&self, variable: Variable) -> bool {
        self.parts.contains(&Part::Variable(variable))
    }
}

impl Values {
    /// The value of a variable that is known before the answer.
    #[must_use]
    pub fn get(&self, variable: Variable) -> Option<u64> {
        match variable {
            Variable::User => Some(self.user.into()),
            Variable::Index => Some(self.index.into()),
            Variable::Number => Some(u64::from(self.index) + 1),
            Variable::Written => self.written.map(u64::from),
            Variable::Id => None,
        }
    }
}

impl Variable {
    const ALL: [Self; 5] = [
        Self::User,
        Self::Index,
        Self::Number,
        Self::Id,
        Self::Written,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Index => "index",
            Self::Number => "number",
            Self::Id => "id",
            Self::Written => "written",
        }
    }
}

impl FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let after = &rest[start + 2..];
            let end = after.find('}').ok_or(TemplateError::Unclosed {
                at: text.len() - rest.len() + start,
            })?;
            let name = &after[..end];
            let variable = Variable::ALL
                .into_iter()
                .find(|variable| variable.name() == name)
                .ok_or_else(|| TemplateError::Unknown { name: name.into() })?;
            if start > 0 {
                parts.push(Part::Text(rest[..start].into()));
            }
            parts.push(Part::Variable(variable));
            rest = &after[end + 1..];
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.into()));
        }
        Ok(Self { parts })
    }
}

impl TryFrom<String> for Template {
    type Error = TemplateError;

    fn try_from(text: String) -> Result<Self, TemplateError> {
        text.parse()
    }
}

impl From<Template> for String {
    fn from(template: Template) -> Self {
        template.to_string()
    }
}

impl fmt::Display for Template {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            Part::Text(text) => formatter.write_str(text),
            Part::Variable(variable) => write!(formatter, "${{{}}}", variable.name()),
        })
    }
}

/// An integer in decimal digits, without an allocation: every answer is compared with some.
struct Digits {
    bytes: [u8; Self::MOST],
    start: usize,
}

impl Digits {
    const MOST: usize = 20;

    fn of(mut value: u64) -> Self {
        let mut digits = Self {
            bytes: [b'0'; Self::MOST],
            start: Self::MOST,
        };
        loop {
            digits.start -= 1;
            digits.bytes[digits.start] += u8::try_from(value % 10).unwrap_or_default();
            value /= 10;
            if value == 0 {
                return digits;
            }
        }
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

/// Reads an id above 0, written without leading zeros, from the beginning of `bytes`.
fn leading_id(bytes: &[u8]) -> Option<u64> {
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let text = std::str::from_utf8(&bytes[..digits]).ok()?;
    text.parse().ok().filter(|_| bytes.first() != Some(&b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: Values = Values {
        user: 3,
        index: 41,
        written: Some(7),
    };

    fn template(text: &str) -> Template {
        text.parse().expect("a template")
    }

    #[test]
    fn every_variable_is_rendered() {
        let mut buffer = Vec::new();
        assert!(template("${user}/${index}/${number}/${written}}").render(&VALUES, &mut buffer));
        assert_eq!(buffer, b"3/41/42/7}");
    }

    #[test]
    fn a_template_is_written_back_as_it_was_read() {
        let text = r#"{"id":${id},"name":"Test${index}"}"#;
        assert_eq!(template(text).to_string(), text);
    }

    #[test]
    fn unknown_and_unclosed_variables_are_refused() {
        assert_eq!(
            "${age}".parse::<Template>(),
            Err(TemplateError::Unknown { name: "age".into() })
        );
        assert_eq!(
            "ab${id".parse::<Template>(),
            Err(TemplateError::Unclosed { at: 2 })
        );
    }

    #[test]
    fn a_body_is_compared_byte_for_byte() {
        let body = template(r#"{"n":${index}}"#);
        assert_eq!(body.matches(br#"{"n":41}"#, &VALUES), Ok(None));
        assert_eq!(
            body.matches(br#"{"n":42}"#, &VALUES),
            Err(Mismatch::Content)
        );
        assert_eq!(
            body.matches(br#"{"n":41} "#, &VALUES),
            Err(Mismatch::Length { expected: 8 })
        );
    }

    #[test]
    fn the_id_is_taken_from_the_answer_and_must_be_the_same_throughout() {
        let body = template(r#"{"id":${id},"again":${id}}"#);
        assert_eq!(
            body.matches(br#"{"id":12,"again":12}"#, &VALUES),
            Ok(Some(12))
        );
        assert_eq!(
            body.matches(br#"{"id":12,"again":13}"#, &VALUES),
            Err(Mismatch::Content)
        );
        for wrong in [
            &br#"{"id":012,"again":012}"#[..],
            br#"{"id":"1","again":1}"#,
            br#"{"id":0,"again":0}"#,
        ] {
            assert_eq!(body.matches(wrong, &VALUES), Err(Mismatch::Content));
        }
    }

    #[test]
    fn a_value_that_is_not_known_matches_nothing() {
        let unknown = Values {
            written: None,
            ..VALUES
        };
        assert_eq!(
            template("${written}").matches(b"7", &unknown),
            Err(Mismatch::Unknown)
        );
        assert!(!template("${written}").render(&unknown, &mut Vec::new()));
    }
}

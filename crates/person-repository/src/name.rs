//! A person's name.

use std::fmt;

use compact_str::CompactString;

/// A name of 1 to 255 Unicode scalar values, kept as it was sent.
///
/// It is not only white space and holds no control characters (U+0000 to U+001F, U+007F to
/// U+009F). Up to 24 bytes of UTF-8 are kept in place, without an allocation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonName(CompactString);

impl PersonName {
    /// The most Unicode scalar values that a name has.
    pub const MAX_CHARS: usize = 255;

    /// Parses a name; all the rules that the text breaks at once, in the order of [`NameError`].
    pub fn parse(text: &str) -> Result<Self, Vec<NameError>> {
        let mut errors = Vec::new();
        if text.is_empty() || exceeds_chars(text, Self::MAX_CHARS) {
            errors.push(NameError::Length);
        }
        if !text.is_empty() && text.chars().all(char::is_whitespace) {
            errors.push(NameError::Blank);
        }
        if text.chars().any(char::is_control) {
            errors.push(NameError::ControlCharacter);
        }
        if errors.is_empty() {
            Ok(Self(CompactString::new(text)))
        } else {
            Err(errors)
        }
    }

    /// The name as it was sent.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for PersonName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A rule that a text breaks as a name.
///
/// An empty text breaks [`NameError::Length`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Empty, or more than [`PersonName::MAX_CHARS`] Unicode scalar values.
    #[error("must be 1 to 255 characters long")]
    Length,
    /// Nothing but white space (Unicode `White_Space`).
    #[error("must not be blank")]
    Blank,
    /// A character of Unicode's category `Cc`: U+0000 to U+001F, U+007F to U+009F.
    #[error("must not contain control characters")]
    ControlCharacter,
}

/// Whether `text` has more than `limit` Unicode scalar values; reads no further than it must.
fn exceeds_chars(text: &str, limit: usize) -> bool {
    text.len() > limit && text.chars().nth(limit).is_some()
}

#[cfg(test)]
mod tests {
    use super::NameError::{Blank, ControlCharacter, Length};
    use super::*;

    #[track_caller]
    fn assert_refused(text: &str, errors: &[NameError]) {
        assert_eq!(PersonName::parse(text).unwrap_err(), errors, "{text:?}");
    }

    #[test]
    fn a_name_is_kept_as_it_was_sent() {
        for text in [
            "A",
            " Ada ",
            "Ada\u{a0}Lovelace",
            "\u{feff}",
            "𝒜𝒹𝒶",
            "a name well over twenty-four bytes",
        ] {
            assert_eq!(PersonName::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn length_counts_unicode_scalar_values() {
        for one in ["a", "é", "€", "𝒜"] {
            assert!(PersonName::parse(&one.repeat(255)).is_ok(), "255 x {one}");
            assert_refused(&one.repeat(256), &[Length]);
        }
    }

    #[test]
    fn an_empty_name_breaks_the_length_rule_only() {
        assert_refused("", &[Length]);
    }

    #[test]
    fn a_name_of_white_space_is_blank() {
        assert_refused(" ", &[Blank]);
        assert_refused("\u{2003}\u{3000}\u{a0}", &[Blank]);
    }

    #[test]
    fn every_control_character_is_refused_and_its_neighbours_are_not() {
        for code in (0..=0x1f).chain(0x7f..=0x9f) {
            let control = char::from_u32(code).unwrap();
            assert_refused(&format!("a{control}b"), &[ControlCharacter]);
        }
        for neighbour in ['\u{20}', '\u{7e}', '\u{a0}'] {
            assert!(PersonName::parse(&format!("a{neighbour}b")).is_ok());
        }
    }

    #[test]
    fn all_broken_rules_are_told_at_once() {
        assert_refused("\n", &[Blank, ControlCharacter]);
        assert_refused(&" ".repeat(256), &[Length, Blank]);
        assert_refused(&"\u{0}".repeat(256), &[Length, ControlCharacter]);
        assert_refused(&"\t".repeat(256), &[Length, Blank, ControlCharacter]);
    }
}

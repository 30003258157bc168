//! A person's gender.

use std::fmt;

/// A gender, as the service spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gender {
    /// `MALE`
    Male,
    /// `FEMALE`
    Female,
    /// `OTHER`
    Other,
}

impl Gender {
    /// Every gender, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Male, Self::Female, Self::Other];

    /// Parses the exact spelling, capitals included; [`GenderError`] for anything else.
    pub fn parse(text: &str) -> Result<Self, GenderError> {
        match text {
            "MALE" => Ok(Self::Male),
            "FEMALE" => Ok(Self::Female),
            "OTHER" => Ok(Self::Other),
            _ => Err(GenderError),
        }
    }

    /// The spelling that [`Gender::parse`] takes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Male => "MALE",
            Self::Female => "FEMALE",
            Self::Other => "OTHER",
        }
    }
}

impl fmt::Display for Gender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A text that spells no gender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be MALE, FEMALE or OTHER")]
pub struct GenderError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gender_is_parsed_from_its_own_spelling_only() {
        for gender in Gender::ALL {
            assert_eq!(Gender::parse(gender.as_str()), Ok(gender));
        }
        for text in ["", "male", "Female", "OTHER ", " MALE", "UNKNOWN"] {
            assert_eq!(Gender::parse(text), Err(GenderError), "{text:?}");
        }
    }
}

//! A person's age.

use std::fmt;

/// An age in whole years, 0 to 150.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Age(u8);

impl Age {
    /// The highest age, in years.
    pub const MAX: Self = Self(150);

    /// Takes an age in years; [`AgeError`] above [`Age::MAX`].
    pub fn new(years: u64) -> Result<Self, AgeError> {
        match u8::try_from(years) {
            Ok(years) if years <= Self::MAX.0 => Ok(Self(years)),
            _ => Err(AgeError),
        }
    }

    /// The age in years.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Age {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

/// An age that nobody has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be between 0 and 150")]
pub struct AgeError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_from_0_to_150_are_taken_and_no_other() {
        for years in 0..=150 {
            assert_eq!(Age::new(years).map(|age| u64::from(age.get())), Ok(years));
        }
        for years in [151, 255, 256, 300, u64::MAX] {
            assert_eq!(Age::new(years), Err(AgeError));
        }
    }
}

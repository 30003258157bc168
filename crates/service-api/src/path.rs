//! What stands in a path.

use person_repository::PersonId;

use crate::problem::Problem;

/// Reads a person's id from a path segment that was percent-decoded once. Any number of 64 bits is an
/// id, also one that no person has.
///
/// # Errors
/// 400 where the segment is anything but decimal digits, or the number is over 2^64 - 1.
pub fn parse_person_id(segment: &[u8]) -> Result<PersonId, Problem> {
    parse_decimal(segment)
        .map(PersonId::new)
        .ok_or_else(|| Problem::bad_request("the id must be decimal digits, at most 2^64 - 1"))
}

/// Reads decimal digits only, without a sign; leading zeros are fine.
pub(crate) fn parse_decimal(digits: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(digits).ok()?;
    // `u64::from_str` would take a plus sign.
    if digits.starts_with('+') {
        return None;
    }
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_decimal_digits_of_at_most_64_bits() {
        for (segment, id) in [("0", 0), ("0007", 7), ("18446744073709551615", u64::MAX)] {
            assert_eq!(parse_person_id(segment.as_bytes()), Ok(PersonId::new(id)));
        }
        for segment in [
            "",
            "+1",
            "-1",
            "1.0",
            "1 ",
            "x",
            "18446744073709551616",
            "१",
            "%31",
        ] {
            let problem = parse_person_id(segment.as_bytes()).unwrap_err();
            assert_eq!(problem.status().code(), 400, "{segment}");
        }
        assert!(parse_person_id(b"\xff").is_err());
    }
}

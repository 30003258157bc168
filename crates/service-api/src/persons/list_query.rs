//! Which persons a list asks for.

use person_repository::PersonId;

use crate::path::parse_decimal;
use crate::problem::Problem;
use crate::query;

const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 1000;

/// What `GET /persons` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListQuery {
    /// All persons, streamed.
    All,
    /// The persons of one page.
    Page(Page),
}

/// A page by key: the persons that follow an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The id that the page follows; it need not exist.
    pub after: PersonId,
    /// How many persons at most, 1 to 1000.
    pub limit: usize,
}

impl ListQuery {
    /// Reads `limit` and `after` from a raw query string; with either there, it asks for a page.
    ///
    /// # Errors
    /// 400 where one of the two is given twice, is no decimal number, or is out of range; both faults
    /// are told.
    pub fn parse(query: Option<&str>) -> Result<Self, Problem> {
        let [limit, after] = query::parse(query, &["limit", "after"])?;
        if limit.is_none() && after.is_none() {
            return Ok(Self::All);
        }
        let limit = limit.map_or(Some(DEFAULT_LIMIT), |digits| parse_limit(&digits));
        let after = after.map_or(Some(0), |digits| parse_decimal(digits.as_bytes()));
        match (limit, after) {
            (Some(limit), Some(after)) => Ok(Self::Page(Page {
                after: PersonId::new(after),
                limit,
            })),
            (limit, after) => {
                let limit = limit
                    .is_none()
                    .then_some("limit must be a number from 1 to 1000");
                let after = after
                    .is_none()
                    .then_some("after must be a number from 0 to 2^64 - 1");
                let faults: Vec<_> = [limit, after].into_iter().flatten().collect();
                Err(Problem::bad_request(faults.join("; ")))
            }
        }
    }
}

fn parse_limit(digits: &str) -> Option<usize> {
    let limit = usize::try_from(parse_decimal(digits.as_bytes())?).ok()?;
    (1..=MAX_LIMIT).contains(&limit).then_some(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(limit: usize, after: u64) -> ListQuery {
        let after = PersonId::new(after);
        ListQuery::Page(Page { after, limit })
    }

    #[test]
    fn a_limit_or_a_place_to_start_makes_a_page() {
        assert_eq!(ListQuery::parse(None), Ok(ListQuery::All));
        assert_eq!(ListQuery::parse(Some("x=1&limits=2")), Ok(ListQuery::All));
        assert_eq!(ListQuery::parse(Some("limit=1000")), Ok(page(1000, 0)));
        assert_eq!(ListQuery::parse(Some("after=7")), Ok(page(100, 7)));
        assert_eq!(ListQuery::parse(Some("after=07&limit=01")), Ok(page(1, 7)));
        assert_eq!(
            ListQuery::parse(Some("after=18446744073709551615")),
            Ok(page(100, u64::MAX))
        );
    }

    #[test]
    fn numbers_out_of_range_and_other_text_are_refused() {
        for query in [
            "limit=0",
            "limit=1001",
            "limit=",
            "limit",
            "limit=%2B1",
            "limit=1.0",
            "after=-1",
            "after=18446744073709551616",
            "after=1&after=1",
        ] {
            let problem = ListQuery::parse(Some(query)).unwrap_err();
            assert_eq!(problem.status().code(), 400, "{query}");
        }
    }

    #[test]
    fn both_faults_of_a_query_are_told() {
        let problem = ListQuery::parse(Some("limit=x&after=y")).unwrap_err();
        let json = String::from_utf8(problem.to_json("/persons")).unwrap();
        assert!(
            json.contains("limit must be") && json.contains("; after must be"),
            "{json}"
        );
    }
}

//! What a comparison does: which flavors, how many starts, which loads.

use std::path::PathBuf;

use load::{Expected, Mode, Request, Scenario};
use serde::{Deserialize, Serialize};

/// A server under comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Flavor {
    /// The service on axum.
    Axum,
    /// The service on actix-web.
    Actix,
    /// The service on bare hyper.
    Hyper,
}

/// A comparison as it was asked for; it is kept in the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// The flavors, in the order of the table.
    pub(crate) flavors: Vec<Flavor>,
    /// The number of starts of each flavor.
    pub(crate) starts: u32,
    /// A folder with servers that are built already; `None` builds them.
    pub(crate) binaries: Option<PathBuf>,
    /// The loads in their order.
    pub(crate) scenarios: Vec<Scenario>,
}

impl Flavor {
    pub(crate) const ALL: [Self; 3] = [Self::Axum, Self::Actix, Self::Hyper];

    /// The name in tables and files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Axum => "axum",
            Self::Actix => "actix",
            Self::Hyper => "hyper",
        }
    }

    /// The package, which is the name of its binary too.
    pub(crate) const fn package(self) -> &'static str {
        match self {
            Self::Axum => "server-axum",
            Self::Actix => "server-actix",
            Self::Hyper => "server-hyper",
        }
    }
}

/// The name of the first load of the articles.
pub(crate) const PERSONS_POST: &str = "persons-post";
/// The name of the second load of the articles.
pub(crate) const PERSONS_GET: &str = "persons-get";

const USERS: u32 = 20;
const REQUESTS_PER_USER: u32 = 2000;

/// The articles' load: 20 users add 2000 persons each, then each reads the persons 1 to 2000.
///
/// The articles read the ids 0 to 1999; no person has the id 0, so that one answer in 2000 was an error
/// that their check for 200 either missed or counted.
pub(crate) fn article_load() -> Vec<Scenario> {
    let mode = Mode::Closed {
        users: USERS,
        requests_per_user: REQUESTS_PER_USER,
    };
    vec![
        Scenario {
            name: PERSONS_POST.into(),
            mode,
            request: Request::post(
                template("/persons"),
                template(r#"{"name":"Test${index}","gender":"MALE","age":100}"#),
            ),
            expected: Expected {
                status: 200,
                body: template(r#"{"id":${id},"name":"Test${index}","gender":"MALE","age":100}"#),
                ids: Some(1..=mode.planned()),
            },
        },
        Scenario {
            name: PERSONS_GET.into(),
            mode,
            request: Request::get(template("/persons/${number}")),
            expected: Expected {
                status: 200,
                body: template(
                    r#"{"id":${number},"name":"Test${written}","gender":"MALE","age":100}"#,
                ),
                ids: None,
            },
        },
    ]
}

/// Adds `persons` persons by `users` users at once, as many each; the rest of the division is not added.
pub(crate) fn seed(persons: u32, users: u32) -> Scenario {
    let mut scenario = article_load().swap_remove(0);
    scenario.name = "seed".into();
    scenario.mode = Mode::Closed {
        users,
        requests_per_user: persons / users,
    };
    scenario.expected.ids = Some(1..=scenario.mode.planned());
    scenario
}

fn template(text: &str) -> load::Template {
    text.parse()
        .expect("the texts of this module are templates")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_articles_load_is_20_users_with_2000_requests_each() {
        let scenarios = article_load();
        assert_eq!(
            scenarios
                .iter()
                .map(|one| one.mode.planned())
                .collect::<Vec<_>>(),
            [40_000, 40_000]
        );
        assert_eq!(scenarios[0].expected.ids, Some(1..=40_000));
        let mut body = Vec::new();
        let values = load::Values {
            user: 3,
            index: 1999,
            written: None,
        };
        scenarios[0]
            .request
            .body
            .as_ref()
            .expect("a body")
            .render(&values, &mut body);
        assert_eq!(body, br#"{"name":"Test1999","gender":"MALE","age":100}"#);
        let mut target = Vec::new();
        scenarios[1].request.target.render(&values, &mut target);
        assert_eq!(target, b"/persons/2000");
    }
}

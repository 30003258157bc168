//! Section 2: pages, and what a query may be.

use anyhow::{Context as _, Result, ensure};

use super::{NOBODY, ids_of, with_persons};
use crate::{
    case::Case,
    http::{Request, Response},
    process::Binary,
    target::Target,
};

pub(super) const CASES: &[Case] = &[
    Case::url(
        "a page has the persons after an id, in order",
        &["2.23", "2.28"],
        page,
    )
    .before_load(),
    Case::process(
        "pages chained by their links are the whole list",
        &["2.23", "2.26", "2.27"],
        chained_pages,
    ),
    Case::process(
        "a page without after begins at the first person",
        &["2.25"],
        first_page,
    ),
    Case::process(
        "the link is there exactly when more follow",
        &["2.26"],
        link_at_the_end,
    ),
    Case::process("after alone takes 100", &["2.29"], default_limit),
    Case::url("a limit is 1 to 1000", &["2.24", "5.29"], limits).before_load(),
    Case::url(
        "limit and after are decimal digits only",
        &["2.30", "5.29"],
        digits_only,
    ),
    Case::url(
        "after may be any number of 64 bits",
        &["2.30", "2.23"],
        large_after,
    ),
    Case::url(
        "a query parameter given twice is 400",
        &["5.30"],
        given_twice,
    ),
    Case::url(
        "bad UTF-8 in a known query parameter is 400",
        &["2.59"],
        bad_utf8,
    ),
    Case::url(
        "unknown query parameters are ignored",
        &["2.53"],
        unknown_parameters,
    ),
];

fn page(target: &Target) -> Result<()> {
    let mut client = target.connect()?;
    let ids: Vec<u64> = (1..=4)
        .map(|age| client.add_person("Paged", "OTHER", age))
        .collect::<Result<_>>()?;
    let response = client.ask(&get_page(2, ids[0]))?.expect_status(200)?;
    response.required_header("x-total-count")?.parse::<u64>()?;
    let found = ids_of(&response.json()?);
    ensure!(
        found.len() == 2,
        "{} persons came for a limit of 2",
        found.len()
    );
    ensure!(
        found[0] > ids[0] && found[0] < found[1],
        "the page is {found:?} after {}",
        ids[0]
    );
    ensure!(
        found[0] <= ids[1] && found[1] <= ids[2],
        "the page {found:?} leaves persons out"
    );
    let link = format!(r#"</persons?limit=2&after={}>; rel="next""#, found[1]);
    response.expect_header("link", &link)?;
    // A limit of 1 finds exactly the next one.
    let one = client.ask(&get_page(1, ids[2] - 1))?;
    let person = format!(
        r#"[{{"id":{},"name":"Paged","gender":"OTHER","age":3}}]"#,
        ids[2]
    );
    one.expect_status(200)?.expect_body(&person)?;
    Ok(())
}

fn chained_pages(binary: &Binary) -> Result<()> {
    let server = with_persons(binary, 25)?;
    let mut client = server.target().connect()?;
    for id in [1, 10, 11, 12, 25] {
        client
            .ask(&Request::delete(format!("/persons/{id}")))?
            .expect_status(204)?;
    }
    let whole = ids_of(&client.ask(&Request::get("/persons"))?.json()?);
    ensure!(whole.len() == 20, "{} persons are left", whole.len());
    for limit in [1, 3, 4, 7, 20, 1000] {
        let mut found = Vec::new();
        let mut path = format!("/persons?limit={limit}");
        loop {
            let response = client
                .ask(&Request::get(path.clone()))?
                .expect_status(200)?;
            let ids = ids_of(&response.json()?);
            let rest = whole.len() - found.len();
            ensure!(
                ids.len() == rest.min(limit),
                "{path} has {} persons",
                ids.len()
            );
            found.extend(ids);
            match next_of(&response)? {
                Some(next) => path = next,
                None => break,
            }
        }
        ensure!(found == whole, "pages of {limit} give {found:?}");
    }
    Ok(())
}

/// The target in the link to the next page, checked for its form.
fn next_of(response: &Response) -> Result<Option<String>> {
    if !response.has_header("link") {
        return Ok(None);
    }
    let link = response.required_header("link")?;
    let next = link
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix(r#">; rel="next""#))
        .with_context(|| format!("the link is {link}"))?;
    Ok(Some(next.to_owned()))
}

fn first_page(binary: &Binary) -> Result<()> {
    let server = with_persons(binary, 5)?;
    for query in [
        "?limit=2",
        "?limit=2&after=0",
        "?after=0&limit=002",
        "?limit=%32",
    ] {
        let response = server
            .target()
            .ask(&Request::get(format!("/persons{query}")))?;
        let ids = ids_of(&response.expect_status(200)?.json()?);
        ensure!(ids == [1, 2], "{query} gives {ids:?}");
    }
    Ok(())
}

fn link_at_the_end(binary: &Binary) -> Result<()> {
    let server = with_persons(binary, 4)?;
    let mut client = server.target().connect()?;
    let pages = [
        (3, 0, true),
        (4, 0, false),
        (5, 0, false),
        (2, 2, false),
        (1, 2, true),
        (1, 3, false),
        (1, 4, false),
    ];
    for (limit, after, more) in pages {
        let response = client.ask(&get_page(limit, after))?.expect_status(200)?;
        ensure!(
            response.has_header("link") == more,
            "limit {limit} after {after}: more follow is {more}, the link says otherwise"
        );
        if more {
            let link = format!(
                r#"</persons?limit={limit}&after={}>; rel="next""#,
                after + limit
            );
            response.expect_header("link", &link)?;
        }
    }
    // Where the only one that followed is gone, none follows.
    client
        .ask(&Request::delete("/persons/4"))?
        .expect_status(204)?;
    let response = client.ask(&get_page(3, 0))?.expect_status(200)?;
    ensure!(
        !response.has_header("link"),
        "a link leads to a deleted person"
    );
    Ok(())
}

fn default_limit(binary: &Binary) -> Result<()> {
    let server = with_persons(binary, 102)?;
    let mut client = server.target().connect()?;
    let response = client
        .ask(&Request::get("/persons?after=1"))?
        .expect_status(200)?;
    let ids = ids_of(&response.json()?);
    ensure!(
        ids == (2..=101).collect::<Vec<u64>>(),
        "after=1 gives {ids:?}"
    );
    response.expect_header("link", r#"</persons?limit=100&after=101>; rel="next""#)?;
    let response = client
        .ask(&Request::get("/persons?after=2"))?
        .expect_status(200)?;
    ensure!(
        ids_of(&response.json()?).len() == 100,
        "after=2 does not give the last 100"
    );
    ensure!(!response.has_header("link"), "nothing follows the last 100");
    Ok(())
}

fn limits(target: &Target) -> Result<()> {
    for limit in ["1", "1000", "0001000"] {
        let path = format!("/persons?limit={limit}&after={NOBODY}");
        target
            .ask(&Request::get(path))?
            .expect_status(200)?
            .expect_body("[]")?;
    }
    for limit in ["0", "1001", "4294967297", "18446744073709551616", "000"] {
        let path = format!("/persons?limit={limit}");
        target
            .ask(&Request::get(path))?
            .expect_status(400)
            .with_context(|| limit.to_owned())?;
    }
    Ok(())
}

fn digits_only(target: &Target) -> Result<()> {
    let values = [
        "", "a", "-1", "+1", "%2B1", "1.0", "1e1", "0x1", "%201", "1+", "1%20", "%D9%A1", "1,2",
        "null", "1_0",
    ];
    for value in values {
        for path in [
            format!("/persons?limit={value}"),
            format!("/persons?limit=1&after={value}"),
            format!("/persons?after={value}"),
        ] {
            target
                .ask(&Request::get(path.clone()))?
                .expect_status(400)
                .with_context(|| path)?;
        }
    }
    for path in ["/persons?limit", "/persons?after", "/persons?limit=1&after"] {
        target
            .ask(&Request::get(path))?
            .expect_status(400)
            .with_context(|| path)?;
    }
    Ok(())
}

fn large_after(target: &Target) -> Result<()> {
    for after in [
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "00018446744073709551615",
    ] {
        let path = format!("/persons?limit=2&after={after}");
        let response = target
            .ask(&Request::get(path))?
            .expect_status(200)?
            .expect_body("[]")?;
        ensure!(!response.has_header("link"), "nothing follows {after}");
    }
    target
        .ask(&Request::get("/persons?after=18446744073709551616"))?
        .expect_status(400)?;
    Ok(())
}

fn given_twice(target: &Target) -> Result<()> {
    for query in [
        "limit=1&limit=1",
        "limit=1&limit=2",
        "limit=1&after=1&after=1",
        "limit=1&limit=",
        "after=1&x=1&after=1",
        "limit=1&limit",
    ] {
        target
            .ask(&Request::get(format!("/persons?{query}")))?
            .expect_status(400)
            .with_context(|| query)?;
    }
    Ok(())
}

fn bad_utf8(target: &Target) -> Result<()> {
    for query in ["limit=%FF", "limit=1%C3", "limit=1&after=%80"] {
        target
            .ask(&Request::get(format!("/persons?{query}")))?
            .expect_status(400)
            .with_context(|| query)?;
    }
    Ok(())
}

fn unknown_parameters(target: &Target) -> Result<()> {
    let id = target.add_person("Queried", "OTHER", 1)?;
    for query in [
        "x=1&x=2",
        "x",
        "=",
        "&&",
        "Limit=0",
        "limit%20=0",
        "x=%FF",
        "%FF=1",
        "x=%zz",
        "page=1&size=0&sort=name",
    ] {
        let path = format!("/persons?{query}&limit=1&after={}", id - 1);
        let response = target
            .ask(&Request::get(path))?
            .expect_status(200)
            .with_context(|| query)?;
        ensure!(
            ids_of(&response.json()?) == [id],
            "{query} changes the page"
        );
        for path in [format!("/persons/{id}?{query}"), format!("/ping?{query}")] {
            target
                .ask(&Request::get(path))?
                .expect_status(200)
                .with_context(|| query)?;
        }
    }
    // Only the list knows limit and after, only the greeting knows name.
    for path in [
        format!("/persons/{id}?limit=0"),
        "/ping?name=%00".to_owned(),
        "/health?after=x".to_owned(),
    ] {
        target.ask(&Request::get(path))?.expect_status(200)?;
    }
    let post = Request::post(
        "/persons?limit=0",
        r#"{"name":"A","gender":"MALE","age":1}"#,
    );
    target.ask(&post)?.expect_status(200)?;
    Ok(())
}

fn get_page(limit: u64, after: u64) -> Request {
    Request::get(format!("/persons?limit={limit}&after={after}"))
}

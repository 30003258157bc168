//! Section 5: how a body is read: content type, content coding, size and syntax.

use anyhow::{Context as _, Result, ensure};

use crate::{case::Case, http::Request, target::Target};

pub(super) const CASES: &[Case] = &[
    Case::url("a body that is not JSON is 400", &["5.17"], no_json).before_load(),
    Case::url("bad UTF-8 anywhere in a body is 400", &["5.18"], bad_utf8),
    Case::url(
        "a lone surrogate in a known field is 400",
        &["5.19"],
        lone_surrogates,
    ),
    Case::url("trailing data is 400", &["5.20"], trailing_data),
    Case::url("an empty body is 400", &["5.21"], empty_bodies),
    Case::url(
        "a body with a byte order mark is 400",
        &["2.54"],
        byte_order_marks,
    ),
    Case::url(
        "127 levels are taken and 128 are 400, also where they are skipped",
        &["2.55"],
        deep_nesting,
    ),
    Case::url(
        "a content coding other than identity is 415",
        &["5.31"],
        content_codings,
    ),
    Case::url(
        "a body without a content type is 415",
        &["5.32"],
        no_content_type,
    )
    .before_load(),
    Case::url(
        "another content type than JSON is 415",
        &["5.33"],
        other_content_types,
    ),
    Case::url(
        "JSON content types are taken in any spelling",
        &["5.34"],
        json_content_types,
    ),
    Case::url(
        "64 KiB are taken and a byte more is 413, by content-length",
        &["5.35", "5.3"],
        announced_size,
    ),
    Case::url(
        "64 KiB are taken and a byte more is 413, counted in chunks",
        &["5.36"],
        counted_size,
    ),
    Case::url("white space around JSON is taken", &["5.17"], white_space),
];

const PERSON: &str = r#"{"name":"A","gender":"MALE","age":1}"#;
/// 64 KiB.
const LARGEST: usize = 64 * 1024;

/// Expects this status of the body in a POST, a PUT and a PATCH of a person that is there.
fn expect_all(target: &Target, body: &[u8], status: u16) -> Result<()> {
    let id = target.add_person("Body", "OTHER", 1)?;
    let path = format!("/persons/{id}");
    for request in [
        Request::post("/persons", body),
        Request::put(path.clone(), body),
        Request::patch(path, body),
    ] {
        let response = target.ask(&request)?;
        response
            .expect_status(status)
            .with_context(|| format!("{} of {}", request.method(), body.escape_ascii()))?;
    }
    Ok(())
}

fn no_json(target: &Target) -> Result<()> {
    let bodies = [
        "nonsense",
        "{",
        "}",
        "[",
        "\"",
        "{\"name\"}",
        "{\"name\":}",
        "{name:1}",
        "{'name':'A'}",
        r#"{"name":"A","gender":"MALE","age":1,}"#,
        r#"{"name":"A" "gender":"MALE","age":1}"#,
        r#"{"name":"A","gender":"MALE","age":01}"#,
        r#"{"name":"A","gender":"MALE","age":+1}"#,
        r#"{"name":"A","gender":"MALE","age":.5}"#,
        r#"{"name":"A","gender":"MALE","age":1.}"#,
        r#"{"name":"A","gender":"MALE","age":NaN}"#,
        r#"{"name":"A","gender":"MALE","age":0x1}"#,
        r#"{"name":"\x41","gender":"MALE","age":1}"#,
        r#"{"name":"\u12","gender":"MALE","age":1}"#,
        "{\"name\":\"a\nb\",\"gender\":\"MALE\",\"age\":1}",
        "{\"name\":\"a\u{0}b\",\"gender\":\"MALE\",\"age\":1}",
        "{\"name\":\"a\tb\",\"gender\":\"MALE\",\"age\":1}",
        "// c\n{}",
        "{}/**/",
        "True",
        "nul",
        "\u{a0}{}",
        r#"{"name":"A","gender":"MALE","age":1,"x":tru}"#,
        r#"{"name":"A","gender":"MALE","age":1,"x":[1,]}"#,
    ];
    for body in bodies {
        expect_all(target, body.as_bytes(), 400)?;
    }
    Ok(())
}

fn bad_utf8(target: &Target) -> Result<()> {
    let bodies: [&[u8]; 8] = [
        b"{\"name\":\"a\xffb\",\"gender\":\"MALE\",\"age\":1}",
        b"{\"name\":\"a\xc3\",\"gender\":\"MALE\",\"age\":1}",
        b"{\"name\":\"\xed\xa0\x80\",\"gender\":\"MALE\",\"age\":1}",
        b"{\"name\":\"\xc0\xaf\",\"gender\":\"MALE\",\"age\":1}",
        b"{\"name\":\"\xf4\x90\x80\x80\",\"gender\":\"MALE\",\"age\":1}",
        b"{\"name\":\"A\",\"gender\":\"MALE\",\"age\":1,\"x\":\"\xff\"}",
        b"{\"name\":\"A\",\"gender\":\"MALE\",\"age\":1,\"\xff\":1}",
        b"{\"x\":[{\"y\":\"\xe2\x82\"}],\"name\":\"A\",\"gender\":\"MALE\",\"age\":1}",
    ];
    for body in bodies {
        expect_all(target, body, 400)?;
    }
    Ok(())
}

fn lone_surrogates(target: &Target) -> Result<()> {
    for escape in [
        r"\ud800",
        r"\udfff",
        r"\ud83dx",
        r"\ud83d\u0041",
        r"\ude00\ud83d",
        r"\ud83d\n",
    ] {
        let name = format!(r#"{{"name":"{escape}","gender":"MALE","age":1}}"#);
        expect_all(target, name.as_bytes(), 400)?;
        let gender = format!(r#"{{"name":"A","gender":"{escape}","age":1}}"#);
        expect_all(target, gender.as_bytes(), 400)?;
    }
    Ok(())
}

fn trailing_data(target: &Target) -> Result<()> {
    for rest in ["x", "{}", ",", "]", "\u{0}", " 1", "\n\n#"] {
        expect_all(target, format!("{PERSON}{rest}").as_bytes(), 400)?;
    }
    Ok(())
}

fn empty_bodies(target: &Target) -> Result<()> {
    expect_all(target, b"", 400)?;
    expect_all(target, b" \r\n\t ", 400)?;
    // Neither a length nor chunks: no body at all.
    let bodiless = Request::new("POST", "/persons").header("content-type", "application/json");
    target.ask(&bodiless)?.expect_status(400)?;
    let chunked = Request::post("/persons", "").chunked(10);
    target.ask(&chunked)?.expect_status(400)?;
    Ok(())
}

fn byte_order_marks(target: &Target) -> Result<()> {
    expect_all(target, format!("\u{feff}{PERSON}").as_bytes(), 400)?;
    expect_all(target, b"\xef\xbb\xbf", 400)?;
    expect_all(target, b"\xff\xfe{\x00}\x00", 400)
}

fn deep_nesting(target: &Target) -> Result<()> {
    // The object around the member is a level of its own.
    for (levels, status) in [(126, 200), (127, 400), (128, 400), (5000, 400)] {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            let middle = if open == "[" { "" } else { "1" };
            let deep = format!("{}{middle}{}", open.repeat(levels), close.repeat(levels));
            let before = format!(r#"{{"x":{deep},"name":"A","gender":"MALE","age":1}}"#);
            expect_all(target, before.as_bytes(), status)
                .with_context(|| format!("{levels} levels of {open}"))?;
            let after = format!(r#"{{"name":"A","gender":"MALE","age":1,"x":{deep}}}"#);
            expect_all(target, after.as_bytes(), status)
                .with_context(|| format!("{levels} levels of {open}"))?;
        }
        // Where a known field is nested, the syntax still goes before the fit.
        let deep = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let known = format!(r#"{{"name":{deep},"gender":"MALE","age":1}}"#);
        expect_all(
            target,
            known.as_bytes(),
            if status == 200 { 422 } else { 400 },
        )?;
    }
    let only = format!("{}{}", "[".repeat(127), "]".repeat(127));
    expect_all(target, only.as_bytes(), 422)?;
    let only = format!("{}{}", "[".repeat(128), "]".repeat(128));
    expect_all(target, only.as_bytes(), 400)
}

fn content_codings(target: &Target) -> Result<()> {
    let coded = |coding: &str| Request::post("/persons", PERSON).header("content-encoding", coding);
    for coding in [
        "gzip",
        "br",
        "deflate",
        "zstd",
        "GZIP",
        "gzip, identity",
        "x",
        "identity, gzip",
    ] {
        target
            .ask(&coded(coding))?
            .expect_status(415)
            .with_context(|| coding.to_owned())?;
    }
    for coding in ["identity", "Identity", "IDENTITY"] {
        target
            .ask(&coded(coding))?
            .expect_status(200)
            .with_context(|| coding.to_owned())?;
    }
    // Where no body is read, nothing is decoded.
    target
        .ask(&Request::get("/ping").header("content-encoding", "gzip"))?
        .expect_status(200)?;
    Ok(())
}

fn no_content_type(target: &Target) -> Result<()> {
    let id = target.add_person("Untyped", "OTHER", 1)?;
    for (method, path) in [
        ("POST", "/persons".to_owned()),
        ("PUT", format!("/persons/{id}")),
        ("PATCH", format!("/persons/{id}")),
    ] {
        target
            .ask(&Request::new(method, path.clone()).body(PERSON))?
            .expect_status(415)?;
        target
            .ask(&Request::new(method, path.clone()))?
            .expect_status(415)?;
        target
            .ask(&Request::new(method, path).typed("", PERSON))?
            .expect_status(415)?;
    }
    Ok(())
}

fn other_content_types(target: &Target) -> Result<()> {
    let types = [
        "text/plain",
        "text/json",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application",
        "json",
        "*/*",
        "application/*",
        "application/jsonx",
        "application/json+x",
        "application/xjson",
        "image/x+json",
        "application/+json/x",
        "text/plain; application/json",
        "application/json, text/plain",
        "application/json charset=utf-8",
        "applicationjson",
        "application/jso",
    ];
    for content_type in types {
        let request = Request::new("POST", "/persons").typed(content_type, PERSON);
        target
            .ask(&request)?
            .expect_status(415)
            .with_context(|| content_type.to_owned())?;
    }
    Ok(())
}

fn json_content_types(target: &Target) -> Result<()> {
    let id = target.add_person("Typed", "OTHER", 1)?;
    let types = [
        "application/json",
        "APPLICATION/JSON",
        "Application/Json",
        "application/json;charset=utf-8",
        "application/json; charset=\"UTF-8\"; x=y",
        "application/json ; charset=utf-8",
        "application/json;",
        "application/problem+json",
        "application/vnd.api+json",
        "application/x.y-z+JSON; v=1",
        "application/merge-patch+json",
        "application/json; charset=iso-8859-1",
    ];
    for content_type in types {
        let post = Request::new("POST", "/persons").typed(content_type, PERSON);
        target
            .ask(&post)?
            .expect_status(200)
            .with_context(|| content_type.to_owned())?;
        let put = Request::new("PUT", format!("/persons/{id}")).typed(content_type, PERSON);
        target
            .ask(&put)?
            .expect_status(200)
            .with_context(|| content_type.to_owned())?;
    }
    // The name of a header is in any letter case too.
    let shouted = Request::new("POST", "/persons")
        .header("CONTENT-TYPE", "application/json")
        .body(PERSON);
    target.ask(&shouted)?.expect_status(200)?;
    Ok(())
}

/// A person whose JSON is exactly this many bytes long.
fn person_of(length: usize) -> String {
    format!("{PERSON}{}", " ".repeat(length - PERSON.len()))
}

fn announced_size(target: &Target) -> Result<()> {
    target
        .ask(&Request::post("/persons", person_of(LARGEST)))?
        .expect_status(200)?;
    let id = target.add_person("Small", "OTHER", 1)?;
    let path = format!("/persons/{id}");
    let larger = person_of(LARGEST + 1);
    let requests = [
        Request::post("/persons", larger.clone()),
        Request::put(path.clone(), larger.clone()),
        Request::patch(path.clone(), larger),
    ];
    for request in requests {
        target.ask(&request)?.expect_status(413)?;
    }
    // The answer reaches a client that is still sending.
    let huge = Request::post("/persons", person_of(1 << 20));
    target.ask(&huge)?.expect_status(413)?;
    // The announcement is enough: the body never comes.
    let announced = Request::new("POST", "/persons")
        .header("content-type", "application/json")
        .header("content-length", "10000000000");
    target.ask(&announced)?.expect_status(413)?;
    let person = target.ask(&Request::get(path))?.json()?;
    ensure!(person["name"] == "Small", "a refused body was applied");
    Ok(())
}

fn counted_size(target: &Target) -> Result<()> {
    for size in [1000, 8192, LARGEST] {
        let largest = Request::post("/persons", person_of(LARGEST)).chunked(size);
        target.ask(&largest)?.expect_status(200)?;
        let larger = Request::post("/persons", person_of(LARGEST + 1)).chunked(size);
        target.ask(&larger)?.expect_status(413)?;
    }
    let huge = Request::post("/persons", person_of(1 << 20)).chunked(10_000);
    target.ask(&huge)?.expect_status(413)?;
    let small = Request::post("/persons", PERSON).chunked(1);
    target.ask(&small)?.expect_status(200)?;
    Ok(())
}

fn white_space(target: &Target) -> Result<()> {
    let body = "\r\n\t { \"name\" :\t\"A\" ,\n\"gender\":\r\"MALE\", \"age\" : 1 } \n";
    let added = target
        .ask(&Request::post("/persons", body))?
        .expect_status(200)?;
    let id = added.json()?["id"].as_u64().unwrap_or_default();
    added.expect_body(&format!(
        r#"{{"id":{id},"name":"A","gender":"MALE","age":1}}"#
    ))?;
    Ok(())
}

//! Methods, paths, ids, targets and queries.

use crate::http::Request;

pub(super) fn methods_on_paths(requests: &mut Vec<Request>) {
    let paths = [
        "/",
        "/ping",
        "/hello-world",
        "/persons",
        "/persons/1",
        "/persons/77",
        "/persons/x",
        "/health",
        "/health/liveness",
        "/health/readiness",
        "/info",
        "/metrics",
        "/management/health",
        "/management/info",
        "/management/prometheus",
        "/api-docs/openapi.json",
        "/swagger-ui/",
        "/swagger-ui",
        "/swagger-ui/index.html",
        "/swagger-ui/nothing.js",
        "/nothing",
    ];
    for path in paths {
        for method in [
            "GET", "HEAD", "OPTIONS", "TRACE", "BREW", "get", "POST", "PUT", "PATCH",
        ] {
            requests.push(Request::new(method, path));
        }
        requests.push(Request::new("POST", path).typed("text/plain", "text"));
        requests.push(Request::get(path).body("a body on a GET"));
        if path != "/persons" {
            requests.push(Request::get(path).version("HTTP/1.0"));
        }
    }
    for path in ["/", "/persons", "/nothing", "/persons/99"] {
        requests.push(Request::delete(path).body("a body on a DELETE"));
    }
}

pub(super) fn odd_paths(requests: &mut Vec<Request>) {
    let paths = [
        "//",
        "//persons",
        "///persons",
        "/persons/",
        "/persons//1",
        "/persons/1/",
        "/persons/1/x",
        "/./ping",
        "/persons/../ping",
        "/persons/./1",
        "/%70ing",
        "/%2Fping",
        "/ping%2F",
        "/PING",
        "/Persons/1",
        "/ping%00",
        "/ping;x=1",
        "/persons;x=1",
        "/swagger-ui//",
        "/swagger-ui/index.html/",
        "/swagger-ui/%69ndex.html",
        "/swagger-ui/../ping",
        "/swagger-ui/x/y",
        "/health/",
        "/health/x",
        "/management",
        "/api-docs",
        "/api-docs/",
        "/nothing?x",
        "/~user",
        "/a%20b",
        "/%",
        "/%z",
        "/%zz%FF",
        "/nothing/%22quoted%22",
        "/nothing/'single'",
        "/nothing/(a)!$&,;=:@*+",
        "/{id}",
        "/persons/{id}",
        "/nothing/[1]",
        "/nothing/a|b",
        "/nothing/a^b",
        "/nothing/`",
        "/nothing/a\\b",
        "/nothing/\"x\"",
        "/nothing/<x>",
    ];
    for path in paths {
        requests.push(Request::get(path));
        requests.push(Request::options(path));
    }
    let ids = [
        "0",
        "00",
        "1",
        "01",
        "0000000000000000000000000000001",
        "%31",
        "%2531",
        "1%2F",
        "%2F",
        "1%2f2",
        "1%00",
        "%00",
        "%FF",
        "%C3%28",
        "%D9%A1",
        "+1",
        "-1",
        "1.0",
        "1e0",
        "0x1",
        " 1",
        "%201",
        "1%20",
        "1,2",
        "1;a=b",
        "a",
        "abc",
        "...",
        "..",
        ".",
        "%2e%2e",
        "*",
        ":id",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "340282366920938463463374607431768211456",
        "1?x",
        "1?limit=0",
        "1#fragment",
        "%",
        "%3",
        "%3g",
    ];
    for id in ids.iter().filter(|id| !id.contains(' ')) {
        let path = format!("/persons/{id}");
        requests.push(Request::get(path.clone()));
        requests.push(Request::head(path.clone()));
        requests.push(Request::put(path.clone(), "{}"));
        requests.push(Request::delete(path.clone() + "x"));
        requests.push(Request::options(path));
    }
    for target in [
        "http://localhost/ping",
        "http://localhost/persons/1?x=1",
        "http://localhost",
        "http://localhost/",
        "http://other.example:99/persons/x",
        "HTTP://LOCALHOST/ping",
        "https://localhost/ping",
        "*",
        "http://localhost?x=1",
    ] {
        requests.push(Request::get(target));
        requests.push(Request::options(target));
    }
}

pub(super) fn queries(requests: &mut Vec<Request>) {
    let lists = [
        "",
        "limit=3",
        "limit=3&after=0",
        "limit=3&after=4",
        "limit=1000",
        "limit=1001",
        "limit=0",
        "limit=",
        "limit",
        "after",
        "after=",
        "after=2",
        "after=0002&limit=002",
        "limit=%33",
        "li%6Dit=3",
        "%6C%69%6D%69%74=0",
        "Limit=3",
        "limit=3&limit=3",
        "limit=3&limit=x",
        "limit=+3",
        "limit=%2B3",
        "limit=3+",
        "limit=-1",
        "limit=1.0",
        "limit=1e1",
        "limit=0x1",
        "limit=%FF",
        "limit=%zz",
        "limit=%",
        "limit=3%00",
        "limit=18446744073709551616",
        "after=18446744073709551615",
        "after=18446744073709551616",
        "after=9223372036854775808&limit=5",
        "after=x",
        "after=%D9%A1",
        "limit=3;after=1",
        "limit=3&&after=1",
        "&limit=3&",
        "=3",
        "limit==3",
        "limit=3=4",
        "x=1&x=2",
        "x=%FF",
        "%FF=1",
        "limit=3&x=%FF&%zz",
        "limit=3#fragment",
        "limit=3?after=1",
        "limit[]=3",
        "limit%20=0",
        "limit%00=0",
        "+limit=0",
        "a=1&limit=2&b=2&after=1&c=3",
        "limit=99999999999999999999999999999999999999",
        "limit=x&after=x",
        "after=x&limit=0",
        "limit=0&limit=0&after=x",
    ];
    for query in lists {
        requests.push(Request::get(format!("/persons?{query}")));
        requests.push(Request::head(format!("/persons?{query}")));
    }
    let names = [
        "",
        "name",
        "name=",
        "name=X",
        "name=a+b",
        "name=a%2Bb",
        "name=%20",
        "name=+",
        "name=%00",
        "name=%0A",
        "name=%7F",
        "name=%C2%85",
        "name=%C2%A0",
        "name=%FF",
        "name=%C3",
        "name=%ED%A0%80",
        "name=%F0%9F%98%80",
        "name=%22%5C/",
        "name=%E2%80%A8",
        "name=<b>",
        "name='",
        "name=a&name=b",
        "name=&name=",
        "Name=X",
        "n%61me=X",
        "name=a=b",
        "name=a%26b",
        "name=a;b",
        "name=%zz",
        "name=%",
        "name=100%",
        "name=%F4%90%80%80",
        "x=1",
        "name=X#y",
        "name=%EF%BB%BFX",
    ];
    for query in names {
        requests.push(Request::get(format!("/hello-world?{query}")));
    }
    for length in [254, 255, 256] {
        requests.push(Request::get(format!(
            "/hello-world?name={}",
            "a".repeat(length)
        )));
        requests.push(Request::get(format!(
            "/hello-world?name={}",
            "%C3%9F".repeat(length)
        )));
    }
}

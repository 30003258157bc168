//! The list of requests that every flavor is asked.

use crate::http::Request;

/// One request to all flavors.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The method, which decides whether the response may have a body.
    pub method: String,
    /// The whole request as it goes on the wire.
    pub bytes: Vec<u8>,
    /// Whether the answer tells of the process, so that only status and header names compare.
    pub of_process: bool,
    /// What the HTTP library of one flavor makes impossible: that flavor, and what it answers instead.
    pub deviation: Option<Deviation>,
    /// Whether the connection is kept unless the answer says otherwise, as in HTTP/1.1.
    pub stays_open: bool,
}

/// A known deviation, pinned so that a change is noticed. The flavor's README tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deviation {
    /// actix refuses the request itself: 400 with an empty body, closed.
    ActixRefuses,
    /// actix sends chunks to a client of HTTP/1.0.
    ActixSendsChunks,
}

impl Probe {
    fn new(request: &Request) -> Self {
        let path = request.path();
        let of_process = [
            "/info",
            "/metrics",
            "/management/info",
            "/management/prometheus",
        ]
        .contains(&path.as_str())
            && matches!(request.method(), "GET" | "HEAD");
        Self {
            method: request.method().to_owned(),
            // The same authority for all: a flavor's port must not show in the bytes.
            bytes: request.to_bytes("localhost"),
            of_process,
            deviation: None,
            stays_open: !request.is_old(),
        }
    }

    /// A request of exactly these bytes.
    fn raw(method: &str, bytes: &str) -> Self {
        Self {
            method: method.to_owned(),
            bytes: bytes.as_bytes().to_vec(),
            of_process: false,
            deviation: None,
            stays_open: !bytes.contains("HTTP/1.0"),
        }
    }

    fn deviating(request: &Request, deviation: Deviation) -> Self {
        Self {
            deviation: Some(deviation),
            ..Self::new(request)
        }
    }

    /// Whether this text is in the request.
    pub(super) fn sends(&self, text: &str) -> bool {
        !text.is_empty()
            && self
                .bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes())
    }
}

/// All probes, in the order they are asked.
pub fn probes() -> Vec<Probe> {
    let mut requests = Vec::new();
    seed(&mut requests);
    methods_on_paths(&mut requests);
    odd_paths(&mut requests);
    queries(&mut requests);
    bodies(&mut requests);
    content_types(&mut requests);
    headers(&mut requests);
    requests.push(Request::get("/persons"));
    let mut probes: Vec<Probe> = requests.iter().map(Probe::new).collect();
    probes.extend(closing());
    probes.extend(deviating());
    probes
}

const PERSON: &str = r#"{"name":"A","gender":"MALE","age":1}"#;

fn seed(requests: &mut Vec<Request>) {
    for name in [
        "Ada",
        "Jürgen",
        "李雷",
        "😀 smile",
        "quote \\\" and \\\\",
        "  spaced  ",
        "e\u{301}",
    ] {
        let body = format!(r#"{{"name":"{name}","gender":"OTHER","age":7}}"#);
        requests.push(Request::post("/persons", body));
    }
    requests.push(Request::delete("/persons/3"));
}

fn methods_on_paths(requests: &mut Vec<Request>) {
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

fn odd_paths(requests: &mut Vec<Request>) {
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

fn queries(requests: &mut Vec<Request>) {
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

fn bodies(requests: &mut Vec<Request>) {
    let fields = |name: &str, gender: &str, age: &str| {
        format!(r#"{{"name":{name},"gender":{gender},"age":{age}}}"#).into_bytes()
    };
    let mut bodies: Vec<Vec<u8>> = Vec::new();
    for age in [
        "0",
        "1",
        "150",
        "151",
        "-1",
        "-0",
        "0.0",
        "1.0",
        "100.0",
        "1e2",
        "1E+2",
        "1e-2",
        "1e400",
        "-1e400",
        "1e-400",
        "00",
        "01",
        "+1",
        ".5",
        "1.",
        "0x1",
        "NaN",
        "Infinity",
        "\"1\"",
        "null",
        "true",
        "[]",
        "{}",
        "[1]",
        "4294967296",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "123456789012345678901234567890",
        "",
    ] {
        bodies.push(fields("\"A\"", "\"MALE\"", age));
    }
    for name in [
        "\"\"",
        "\" \"",
        "\"\\u00a0\"",
        "\"\\u0000\"",
        "\"a\\u001fb\"",
        "\"\\u007f\"",
        "\"\\u0080\"",
        "\"\\u009f\"",
        "\"\u{7f}\"",
        "\"\u{85}\"",
        "\"\u{a0}x\"",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"a\u{0}b\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\\ud83d\"",
        "\"\\ud83dx\"",
        "\"\\uD83D\\uDE00\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\/\\b\\f\\n\\r\\t\"",
        "\"é\"",
        "\"e\u{301}\"",
        "\"\u{feff}x\"",
        "\"\u{2028}\"",
        "\"\u{200b}\"",
        "\"<script>\"",
        "\"'; DROP TABLE\"",
        "null",
        "1",
        "true",
        "[]",
        "[\"A\"]",
        "{}",
        "{\"a\":1}",
        "\"open",
        "'A'",
        "A",
        "",
    ] {
        bodies.push(fields(name, "\"FEMALE\"", "5"));
    }
    for gender in [
        "\"male\"",
        "\"\"",
        "\" MALE\"",
        "\"MALE\\u0000\"",
        "\"\\u004dALE\"",
        "null",
        "0",
        "[\"MALE\"]",
        "{\"MALE\":null}",
        "\"\\ud800\"",
        "\"X\"",
    ] {
        bodies.push(fields("\"A\"", gender, "5"));
    }
    for length in [255, 256] {
        for character in ["a", "ß", "😀"] {
            bodies.push(fields(
                &format!("\"{}\"", character.repeat(length)),
                "\"OTHER\"",
                "5",
            ));
        }
    }
    for depth in [126, 127, 128, 129] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        bodies.push(format!("{open}{close}").into_bytes());
        bodies.push(
            format!(r#"{{"x":{open}{close},"name":"A","gender":"MALE","age":1}}"#).into_bytes(),
        );
        bodies.push(format!(r#"{{"name":{open}{close},"gender":"MALE","age":1}}"#).into_bytes());
        let (open, close) = (r#"{"a":"#.repeat(depth), "}".repeat(depth));
        bodies.push(format!("{open}1{close}").into_bytes());
    }
    let texts = [
        "",
        " ",
        "null",
        "true",
        "17",
        "1e400",
        "\"text\"",
        "[]",
        "[1]",
        "{}",
        "{",
        "}",
        "{}{}",
        "{} x",
        "[}",
        "{\"name\"}",
        "{\"name\":\"A\",}",
        "{,}",
        "{'name':'A'}",
        "{name:1}",
        r#"["A","MALE",1]"#,
        r#"{"id":9,"name":"A","gender":"MALE","age":1}"#,
        r#"{"id":"x","name":"A","gender":"MALE","age":1}"#,
        r#"{"id":1,"id":2,"name":"A","gender":"MALE","age":1}"#,
        r#"{"id":"\ud800","name":"A","gender":"MALE","age":1}"#,
        r#"{"name":"A","name":"B","gender":"MALE","age":1}"#,
        r#"{"name":"A","name":"","gender":"MALE","age":151}"#,
        r#"{"age":1,"age":1,"age":1}"#,
        r#"{"name":1,"name":"A","gender":"MALE","age":1}"#,
        r#"{"n\u0061me":"A","gender":"MALE","age":1}"#,
        r#"{"n\u0061me":"A","name":"B","gender":"MALE","age":1}"#,
        r#"{"NAME":"A","gender":"MALE","age":1}"#,
        r#"{"x":"\ud800","name":"A","gender":"MALE","age":1}"#,
        r#"{"\ud800":1,"name":"A","gender":"MALE","age":1}"#,
        r#"{"x":1e400,"name":"A","gender":"MALE","age":1}"#,
        r#"{"x":1,"x":2,"name":"A","gender":"MALE","age":1}"#,
        r#"{"x":01,"name":"A","gender":"MALE","age":1}"#,
        r#"{"x":{"name":1},"name":"A","gender":"MALE","age":1}"#,
        r#"{"age":"x","gender":"y","name":""}"#,
        r#"{"name":"A"}"#,
        r#"{"gender":"MALE"}"#,
        r#"{"age":1}"#,
        r#"{"age":null}"#,
        r#"{"name":null,"gender":null,"age":null}"#,
        r#"{"unknown":null}"#,
        "\u{feff}{}",
        "\u{feff}",
        "{}\u{0}",
        "{}\n",
        "\r\n {} \t",
        "\u{a0}{}",
        "/* c */{}",
        "{}//c",
        "tru",
        "nul",
        "-",
        "-a",
        "1 2",
        "\"\\",
        "[1,2",
    ];
    bodies.extend(texts.map(|text| text.as_bytes().to_vec()));
    bodies.push(b"\xff".to_vec());
    bodies.push(b"{\"name\":\"\xff\",\"gender\":\"MALE\",\"age\":1}".to_vec());
    bodies.push(b"{\"name\":\"\xed\xa0\x80\",\"gender\":\"MALE\",\"age\":1}".to_vec());
    bodies.push(b"{\"x\":\"\xc3\",\"name\":\"A\",\"gender\":\"MALE\",\"age\":1}".to_vec());
    bodies.push(b"{\"\xfe\":1,\"name\":\"A\",\"gender\":\"MALE\",\"age\":1}".to_vec());
    for body in bodies {
        requests.push(Request::post("/persons", body.clone()));
        requests.push(Request::put("/persons/2", body.clone()));
        requests.push(Request::patch("/persons/4", body));
    }
    let exact = |length: usize| format!("{PERSON}{}", " ".repeat(length - PERSON.len()));
    for length in [65_535, 65_536] {
        requests.push(Request::post("/persons", exact(length)));
        requests.push(Request::post("/persons", exact(length)).chunked(4096));
    }
    for size in [1, 7, 1000] {
        requests.push(Request::post("/persons", PERSON).chunked(size));
        requests.push(Request::put("/persons/77", PERSON).chunked(size));
    }
}

fn content_types(requests: &mut Vec<Request>) {
    let types = [
        "",
        "application/json",
        "APPLICATION/JSON",
        "application/json;charset=utf-8",
        "application/json; charset=latin1",
        "application/json ; a=b",
        "application/json;",
        "application/json;;",
        "application/json;a",
        "application/json; a=\"b;c\"",
        "application/json,text/plain",
        "application/json charset=utf-8",
        "application/ json",
        " application/json ",
        "application/problem+json",
        "application/x+json; v=1",
        "application/X+JSON",
        "application/+json",
        "application/json+",
        "application/jsonx",
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/merge-patch+json;x=y",
        "application/*+json",
        "text/json",
        "text/x+json",
        "application",
        "/",
        "json",
        "*/*",
        "text/plain; application/json",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/json\u{a0}",
    ];
    for content_type in types {
        for (method, path) in [
            ("POST", "/persons"),
            ("PUT", "/persons/5"),
            ("PATCH", "/persons/5"),
        ] {
            requests.push(Request::new(method, path).typed(content_type, PERSON));
        }
    }
    let post = || Request::post("/persons", PERSON);
    for coding in [
        "",
        "identity",
        "IDENTITY",
        "gzip",
        "identity, gzip",
        "identity,identity",
        "br",
        "x",
        " identity ",
    ] {
        requests.push(post().header("content-encoding", coding));
    }
    requests.push(
        post()
            .header("content-encoding", "identity")
            .header("content-encoding", "gzip"),
    );
    requests.push(post().header("content-type", "text/plain"));
    requests.push(
        Request::new("POST", "/persons")
            .header("content-type", "text/plain")
            .typed("application/json", PERSON),
    );
    requests.push(Request::new("POST", "/persons").body(PERSON));
    requests.push(Request::new("POST", "/persons").body(""));
    requests.push(Request::new("PATCH", "/persons/5").body("{}"));
    requests.push(Request::new("PUT", "/persons/x").body("nonsense"));
}

fn headers(requests: &mut Vec<Request>) {
    let ids = [
        "a", "", "a b", "A.b_c-9", "a,b", "a/b", "é", "\"a\"", " padded ", "null",
    ];
    for id in ids {
        requests.push(Request::get("/ping").header("x-request-id", id));
    }
    for length in [127, 128, 129, 1000] {
        requests.push(Request::get("/nothing").header("x-request-id", "x".repeat(length)));
    }
    requests.push(
        Request::get("/ping")
            .header("x-request-id", "first")
            .header("x-request-id", "second"),
    );
    requests.push(Request::get("/ping").header("X-Request-ID", "shouted"));
    let pairs = [
        ("accept", "application/xml"),
        ("accept", ""),
        ("accept-encoding", "gzip"),
        ("accept-encoding", "br, gzip;q=0"),
        ("accept-encoding", "*"),
        ("accept-encoding", "identity;q=0"),
        ("accept-language", "de"),
        ("range", "bytes=0-3"),
        ("if-none-match", "*"),
        ("if-modified-since", "Mon, 30 Nov 2026 00:00:00 GMT"),
        ("if-match", "\"x\""),
        ("origin", "http://example.com"),
        ("authorization", "Basic eDp5"),
        ("cookie", "a=b; c"),
        ("connection", "keep-alive"),
        ("te", "trailers"),
        ("x-empty", ""),
        ("x-http-method-override", "DELETE"),
        ("forwarded", "for=1.2.3.4"),
        ("content-encoding", "gzip"),
        ("content-type", "nonsense"),
        ("user-agent", "é"),
        ("referer", "\"quoted\""),
    ];
    for (name, value) in pairs {
        for path in [
            "/ping",
            "/persons/1",
            "/swagger-ui/swagger-ui.css",
            "/swagger-ui/index.html",
            "/nothing",
        ] {
            requests.push(Request::get(path).header(name, value));
        }
        requests.push(Request::head("/swagger-ui/swagger-ui.css").header(name, value));
    }
    for path in ["/ping", "/persons/1", "/persons?limit=2", "/nothing"] {
        requests.push(kept_old("GET", path));
        requests.push(kept_old("POST", path).typed("text/plain", "text"));
    }
}

/// A request of HTTP/1.0 that asks to keep the connection.
fn kept_old(method: &str, path: &str) -> Request {
    Request::new(method, path)
        .version("HTTP/1.0")
        .header("connection", "keep-alive")
}

/// Requests after which the connection is over.
fn closing() -> Vec<Probe> {
    let get = |path: &str| {
        Probe::raw(
            "GET",
            &format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"),
        )
    };
    let old = |path: &str| Probe::raw("GET", &format!("GET {path} HTTP/1.0\r\n\r\n"));
    vec![
        get("/ping"),
        get("/persons"),
        get("/persons/1"),
        get("/nothing"),
        get("/persons?limit=x"),
        old("/ping"),
        old("/persons/1"),
        old("/nothing"),
        old("/persons?limit=2"),
        Probe::raw(
            "HEAD",
            "HEAD /persons HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        ),
        Probe::raw(
            "HEAD",
            "HEAD /ping HTTP/1.1\r\nhost: localhost\r\nConnection: Close\r\n\r\n",
        ),
        Probe::raw(
            "OPTIONS",
            "OPTIONS /ping HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        ),
        Probe::raw(
            "POST",
            "POST /persons HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
        ),
    ]
}

/// Requests that one flavor cannot answer as the others do.
fn deviating() -> Vec<Probe> {
    let mut probes = Vec::new();
    for path in [
        "/persons/½",
        "/persons/\u{661}",
        "/hello-world?name=ü",
        "/ü",
    ] {
        for method in ["GET", "HEAD", "OPTIONS"] {
            let request = Request::new(method, path);
            probes.push(Probe::deviating(&request, Deviation::ActixRefuses));
        }
    }
    for path in ["/ping", "/persons", "/nothing", "/persons/1"] {
        let request = kept_old("POST", path);
        probes.push(Probe::deviating(&request, Deviation::ActixRefuses));
    }
    let list = Request::get("/persons").version("HTTP/1.0");
    probes.push(Probe::deviating(&list, Deviation::ActixSendsChunks));
    let list = kept_old("GET", "/persons");
    probes.push(Probe::deviating(&list, Deviation::ActixSendsChunks));
    probes
}

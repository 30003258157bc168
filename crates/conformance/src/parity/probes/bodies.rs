//! Bodies in JSON and not.

use super::PERSON;
use crate::http::Request;

pub(super) fn bodies(requests: &mut Vec<Request>) {
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
    // What no handler reads: up to the limit it is read all the same and the connection is kept.
    for path in ["/persons", "/nothing"] {
        for length in [65_536, 65_537, 70_000] {
            requests.push(Request::new("POST", path).body(vec![b'x'; length]));
        }
    }
}

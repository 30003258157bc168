//! The OpenAPI document as a judge finds what is wrong, and only that.

use conformance::{
    document::Document,
    http::{Framing, Request, Response},
};

fn document() -> Document {
    let text = r##"{
        "openapi": "3.1.0",
        "paths": {
            "/persons/{id}": {
                "get": {
                    "operationId": "get_person",
                    "responses": {
                        "200": {
                            "description": "the person",
                            "headers": {"x-total": {"required": true, "schema": {"type": "integer"}}},
                            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Person"}}}
                        },
                        "404": {"$ref": "#/components/responses/NotFound"}
                    }
                }
            },
            "/persons/me": {"get": {"operationId": "get_me", "responses": {"204": {"description": "none"}}}}
        },
        "components": {
            "schemas": {
                "Person": {
                    "type": "object",
                    "required": ["id", "gender"],
                    "properties": {
                        "id": {"type": "integer", "minimum": 1},
                        "gender": {"$ref": "#/components/schemas/Gender"}
                    }
                },
                "Gender": {"enum": ["MALE", "FEMALE"]}
            },
            "responses": {
                "NotFound": {
                    "description": "nobody",
                    "content": {"application/problem+json": {"schema": {"required": ["title"]}}}
                }
            }
        }
    }"##;
    Document::parse(text).expect("the fixture is a document")
}

fn response(status: u16, headers: &[(&str, &str)], body: &str) -> Response {
    Response {
        status,
        headers: headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
            .collect(),
        body: body.as_bytes().to_vec(),
        framing: Framing::Length,
        complete: true,
    }
}

const JSON: (&str, &str) = ("content-type", "application/json");
const TOTAL: (&str, &str) = ("x-total", "3");
const PERSON: &str = r#"{"id":1,"gender":"MALE"}"#;

fn check(method: &str, path: &str, response: &Response) -> Result<(), String> {
    document()
        .check(&Request::new(method, path), response)
        .map_err(|error| format!("{error:#}"))
}

#[test]
fn an_answer_as_documented_passes() {
    let person = response(200, &[JSON, TOTAL], PERSON);
    assert_eq!(check("GET", "/persons/7?x=1", &person), Ok(()));
    let problem = ("content-type", "application/problem+json");
    let nobody = response(404, &[problem], r#"{"title":"Not Found"}"#);
    assert_eq!(check("GET", "/persons/7", &nobody), Ok(()));
}

#[test]
fn a_body_that_does_not_fit_its_schema_is_found_through_references() {
    for body in [
        r#"{"id":0,"gender":"MALE"}"#,
        r#"{"id":1,"gender":"X"}"#,
        r#"{"id":1}"#,
        "[]",
    ] {
        let reason = check("GET", "/persons/7", &response(200, &[JSON, TOTAL], body));
        assert!(
            reason.is_err_and(|reason| reason.contains("get_person")),
            "{body}"
        );
    }
}

#[test]
fn an_undocumented_status_content_type_or_missing_header_is_found() {
    assert!(check("GET", "/persons/7", &response(201, &[JSON, TOTAL], PERSON)).is_err());
    let text = ("content-type", "text/plain");
    assert!(check("GET", "/persons/7", &response(200, &[text, TOTAL], PERSON)).is_err());
    assert!(check("GET", "/persons/7", &response(200, &[JSON], PERSON)).is_err());
    let no_number = ("x-total", "many");
    assert!(
        check(
            "GET",
            "/persons/7",
            &response(200, &[JSON, no_number], PERSON)
        )
        .is_err()
    );
}

#[test]
fn a_literal_segment_goes_before_a_parameter() {
    assert_eq!(check("GET", "/persons/me", &response(204, &[], "")), Ok(()));
    assert!(check("GET", "/persons/me", &response(404, &[], "")).is_err());
}

#[test]
fn head_is_judged_as_get_without_the_body() {
    assert_eq!(
        check("HEAD", "/persons/7", &response(200, &[JSON, TOTAL], "")),
        Ok(())
    );
    assert!(check("HEAD", "/persons/7", &response(200, &[JSON], "")).is_err());
}

#[test]
fn what_is_not_documented_is_not_judged() {
    let odd = response(500, &[], "odd");
    assert_eq!(check("POST", "/persons/7", &odd), Ok(()));
    assert_eq!(check("GET", "/persons/7/x", &odd), Ok(()));
    assert_eq!(check("get", "/persons/7", &odd), Ok(()));
}

#[test]
fn the_committed_document_names_each_operation_once() {
    let operations = Document::of_the_service().operations();
    let mut ids: Vec<&str> = operations.iter().map(|(_, _, id)| id.as_str()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "{operations:?}");
    assert!(count >= 14, "{operations:?}");
}

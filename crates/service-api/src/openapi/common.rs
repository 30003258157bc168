//! What every operation has: an answer for the failure that nobody foresaw, a request id, and an example
//! of each problem.

use std::iter;

use person_repository::{NewPerson, PersonId, PersonPatch};
use utoipa::Modify;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{
    ContentBuilder, Header, ObjectBuilder, OpenApi, PathItem, Ref, RefOr, Response,
    ResponseBuilder, Type,
};

use crate::body::FromBody as _;
use crate::media_type::{self, BodyKind};
use crate::persons::ListQuery;
use crate::problem::Problem;
use crate::{greetings, path, request_id};

/// Adds to every operation the answer 500, to every answer its request id, and to every problem an
/// example.
pub(super) struct CommonParts;

impl Modify for CommonParts {
    fn modify(&self, document: &mut OpenApi) {
        for (path, item) in &mut document.paths.paths {
            let instance = path.replace("{id}", "7").replace("{file}", "nothing.js");
            for operation in operations(item) {
                let kind = match operation.operation_id.as_deref() {
                    Some("patch_person") => PersonPatch::KIND,
                    _ => NewPerson::KIND,
                };
                let responses = &mut operation.responses.responses;
                responses.insert("500".to_owned(), RefOr::T(internal_server_error()));
                for (status, response) in responses {
                    if let RefOr::T(response) = response {
                        complete(response, status, &instance, kind);
                    }
                }
            }
        }
    }
}

fn complete(response: &mut Response, status: &str, instance: &str, kind: BodyKind) {
    let request_id = RefOr::T(request_id_header());
    response
        .headers
        .insert(request_id::HEADER.to_owned(), request_id);
    if let Some(RefOr::T(problem)) = response.content.get_mut(media_type::PROBLEM_JSON) {
        let json = example(status, instance, kind).to_json(instance);
        problem.example = Some(serde_json::from_slice(&json).expect("a problem is JSON"));
    }
}

/// A problem of this status as it is really answered.
fn example(status: &str, instance: &str, kind: BodyKind) -> Problem {
    match (status, instance) {
        ("400", "/persons/7") => path::parse_person_id(b"seven").unwrap_err(),
        ("400", "/persons") => ListQuery::parse(Some("limit=0")).unwrap_err(),
        ("400", _) => greetings::parse_name(Some("name=%00")).unwrap_err(),
        ("404", "/persons/7") => Problem::no_person(PersonId::new(7)),
        ("404", _) => Problem::unknown_path(),
        ("413", _) => Problem::content_too_large(),
        ("415", _) => media_type::check(kind, iter::empty(), iter::empty()).unwrap_err(),
        ("422", _) => PersonPatch::from_body(br#"{"name":" ","age":151}"#).unwrap_err(),
        ("500", _) => Problem::internal(),
        ("503", _) => Problem::store_unavailable(),
        _ => unreachable!("{instance} answers {status}, of which there is no example"),
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [
        &mut item.get,
        &mut item.post,
        &mut item.put,
        &mut item.patch,
        &mut item.delete,
    ]
    .into_iter()
    .flatten()
}

fn internal_server_error() -> Response {
    let problem = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Problem")))
        .build();
    ResponseBuilder::new()
        .description("The service failed; why is in its log.")
        .content(media_type::PROBLEM_JSON, problem)
        .build()
}

fn request_id_header() -> Header {
    let mut header = Header::new(
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[A-Za-z0-9._-]{1,128}$")),
    );
    header.description =
        Some("The id that the client sent, where it was valid; else one that was made.".to_owned());
    header
}

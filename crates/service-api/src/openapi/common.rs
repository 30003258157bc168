//! What every operation has: an answer for the failure that nobody foresaw, and a request id.

use utoipa::Modify;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{
    ContentBuilder, Header, ObjectBuilder, OpenApi, PathItem, Ref, RefOr, Response,
    ResponseBuilder, Type,
};

use crate::media_type;
use crate::request_id;

/// Adds to every operation the answer 500, and to every answer its request id.
pub(super) struct CommonParts;

impl Modify for CommonParts {
    fn modify(&self, document: &mut OpenApi) {
        for item in document.paths.paths.values_mut() {
            for operation in operations(item) {
                let responses = &mut operation.responses.responses;
                responses.insert("500".to_owned(), RefOr::T(internal_server_error()));
                for response in responses.values_mut() {
                    if let RefOr::T(response) = response {
                        response
                            .headers
                            .insert(request_id::HEADER.to_owned(), RefOr::T(request_id_header()));
                    }
                }
            }
        }
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

//! The OpenAPI document, and Swagger UI to read and try it.

use service_api::{openapi, swagger_ui};

use crate::extract::{AcceptsGzip, FilePath};
use crate::respond::{self, Outcome};

/// The OpenAPI document.
pub(crate) async fn get_openapi() -> Outcome {
    Ok(respond::json(openapi::DOCUMENT))
}

/// Leads to the path with a slash at its end, on which the page's own links stand.
pub(crate) async fn redirect_to_swagger_ui() -> Outcome {
    Ok(respond::redirect_to_swagger_ui())
}

/// The page of Swagger UI.
pub(crate) async fn get_swagger_ui(AcceptsGzip(gzip): AcceptsGzip) -> Outcome {
    respond::swagger_ui_file(swagger_ui::file(swagger_ui::INDEX, gzip))
}

/// Another file of Swagger UI.
pub(crate) async fn get_swagger_ui_file(
    FilePath(file): FilePath,
    AcceptsGzip(gzip): AcceptsGzip,
) -> Outcome {
    respond::swagger_ui_file(swagger_ui::file(&file, gzip))
}

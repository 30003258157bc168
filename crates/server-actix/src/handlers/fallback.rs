//! Requests that no operation answers.

use actix_web::HttpRequest;
use actix_web::http::Method;
use service_api::problem::Problem;
use service_api::routes;

use crate::respond::{self, Outcome};
use crate::routes::Template;

/// Tells with which methods a known path is served: as the answer to OPTIONS, else as a problem.
pub(crate) async fn answer_other_method(request: HttpRequest) -> Outcome {
    let template = request.app_data::<Template>();
    let allow = routes::allow(template.map_or("", |template| template.0));
    if request.method() == Method::OPTIONS {
        Ok(respond::options(allow))
    } else {
        Err(Problem::method_not_allowed(allow).into())
    }
}

/// Nothing is served at the path.
pub(crate) async fn unknown_path() -> Outcome {
    Err(Problem::unknown_path().into())
}

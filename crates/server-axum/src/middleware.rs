//! What happens to every request around its handler: a request id, a measurement, a log line, and an
//! answer even where the handler panics.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONNECTION;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use service_api::problem::Problem;
use service_api::request_id::{self, RequestId};
use service_api::routes;
use service_runtime::{App, RequestRecord};

use crate::respond::{self, AboutPerson, Failure};
use crate::unread::BodyLender;

const X_REQUEST_ID: HeaderName = HeaderName::from_static(request_id::HEADER);

/// Answers one request and keeps what is to be known of it.
pub(crate) async fn observe(
    State(app): State<App>,
    matched: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let _active = app.metrics().request_begins();
    let request_id = request.headers().get(X_REQUEST_ID);
    let request_id = RequestId::from_header(request_id.map(HeaderValue::as_bytes));
    let (method, uri) = (request.method().clone(), request.uri().clone());

    let mut lender = BodyLender::default();
    let request = request.map(|body| lender.lend(body));
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    let response =
        answered.unwrap_or_else(|_panic| Failure::from(Problem::internal()).into_response());

    let mut response = respond::with_problem(response, uri.path());
    if !lender.read_rest().await {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    let header = HeaderValue::from_str(request_id.as_str());
    response
        .headers_mut()
        .insert(X_REQUEST_ID, header.expect("an id is fit for a header"));
    let about = response.extensions().get::<AboutPerson>();
    let failure = response.extensions().get::<Failure>();
    app.record(&RequestRecord {
        method: method.as_str(),
        route: matched.map_or("", |matched| routes::known(matched.as_str())),
        status: response.status().as_u16(),
        started,
        request_id: &request_id,
        person_id: about.map(|about| about.0.get()),
        cause: failure.and_then(Failure::cause),
    });
    response
}

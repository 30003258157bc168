//! What happens to every request around its handler: a request id, a measurement, a log line, and an
//! answer even where the handler panics.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use futures_util::FutureExt as _;
use hyper::Method;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderName, HeaderValue};
use service_api::problem::Problem;
use service_api::request_id::{self, RequestId};
use service_runtime::{App, RequestRecord};

use crate::respond::{self, AboutPerson, Failure, Response};
use crate::routes;
use crate::unread::BodyLender;

const X_REQUEST_ID: HeaderName = HeaderName::from_static(request_id::HEADER);

/// Answers one request and keeps what is to be known of it.
pub(crate) async fn observe(
    app: App,
    request: hyper::Request<Incoming>,
) -> Result<Response, Infallible> {
    let started = Instant::now();
    let _active = app.metrics().request_begins();
    let request_id = request.headers().get(X_REQUEST_ID);
    let request_id = RequestId::from_header(request_id.map(HeaderValue::as_bytes));
    let (method, uri) = (request.method().clone(), request.uri().clone());

    let mut lender = BodyLender::default();
    let request = request.map(|body| lender.lend(body));
    let route = routes::matched(uri.path());
    let answer = routes::answer(&app, route, request);
    let answered = AssertUnwindSafe(answer).catch_unwind().await;
    let outcome = answered.unwrap_or_else(|_panic| Err(Failure::from(Problem::internal())));

    let (mut response, failure) = match outcome {
        Ok(response) => (response, None),
        Err(failure) => (respond::problem(&failure, uri.path()), Some(failure)),
    };
    if method == Method::HEAD {
        response = respond::without_body(response);
    }
    if !lender.read_rest().await {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    let header = HeaderValue::from_str(request_id.as_str());
    response
        .headers_mut()
        .insert(X_REQUEST_ID, header.expect("an id is fit for a header"));
    let about = response.extensions().get::<AboutPerson>();
    app.record(&RequestRecord {
        method: method.as_str(),
        route: route.unwrap_or_default(),
        status: response.status().as_u16(),
        started,
        request_id: &request_id,
        person_id: about.map(|about| about.0.get()),
        cause: failure.as_ref().and_then(Failure::cause),
    });
    Ok(response)
}

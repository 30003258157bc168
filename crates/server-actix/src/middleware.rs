//! What happens to every request around its handler: a request id, a measurement, a log line, and an
//! answer even where the handler panics.

use std::panic::AssertUnwindSafe;
use std::sync::LazyLock;
use std::time::Instant;

use actix_router::Quoter;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, Uri};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage as _};
use futures_util::FutureExt as _;
use service_api::request_id::{self, RequestId};
use service_runtime::{App, RequestRecord};

use crate::respond::{self, AboutPerson, Failure, Panicked};
use crate::routes::{self, Template};
use crate::unread::BodyLender;

const X_REQUEST_ID: HeaderName = HeaderName::from_static(request_id::HEADER);

/// Answers one request and keeps what is to be known of it.
pub(crate) async fn observe(
    app: Data<App>,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let started = Instant::now();
    let _active = app.metrics().request_begins();
    let request_id = request.headers().get(X_REQUEST_ID);
    let request_id = RequestId::from_header(request_id.map(HeaderValue::as_bytes));
    let (method, uri) = (request.method().clone(), request.uri().clone());
    match_raw_path(&mut request, &uri);

    let mut lender = BodyLender::default();
    let body = lender.lend(request.take_payload());
    request.set_payload(body);

    let record = |route: Option<Template>, status, person_id, cause| {
        app.record(&RequestRecord {
            method: method.as_str(),
            route: route.map_or("", |template| template.0),
            status,
            started,
            request_id: &request_id,
            person_id,
            cause,
        });
    };
    let Ok(answered) = AssertUnwindSafe(next.call(request)).catch_unwind().await else {
        let panicked = Panicked::new(uri.path(), &request_id);
        let route = routes::matched(uri.path());
        record(route, panicked.status().as_u16(), None, None);
        return Err(panicked.into());
    };

    // Handlers and extractors do not fail past this point: actix makes responses of their errors.
    let response = answered?.map_into_boxed_body();
    let cause = respond::failure_of(&response)
        .and_then(Failure::cause)
        .cloned();
    let mut response = respond::with_problem(response, uri.path());
    if method == Method::HEAD {
        response = response.map_body(|_, body| respond::without_stream(body));
    }
    if !lender.read_rest().await {
        let head = response.response_mut().head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
    let header = HeaderValue::from_str(request_id.as_str());
    response
        .headers_mut()
        .insert(X_REQUEST_ID, header.expect("an id is fit for a header"));
    let about = response
        .response()
        .extensions()
        .get::<AboutPerson>()
        .copied();
    let person_id = about.map(|about| about.0.get());
    let route = response.request().app_data::<Template>().copied();
    record(
        route,
        response.status().as_u16(),
        person_id,
        cause.as_deref(),
    );
    Ok(response)
}

/// Lets routes see the path as it was sent; by itself actix decodes it first, so that `/%70ersons`
/// would be `/persons`. Escapes of bytes beyond ASCII are decoded all the same, but there are none in a
/// template or an id.
fn match_raw_path(request: &mut ServiceRequest, uri: &Uri) {
    static ASCII_KEPT: LazyLock<Quoter> = LazyLock::new(|| {
        let ascii: Vec<u8> = (0..=127).collect();
        Quoter::new(b"", &ascii)
    });
    let path = request.match_info_mut().get_mut();
    path.update_with_quoter(uri, &ASCII_KEPT);
}

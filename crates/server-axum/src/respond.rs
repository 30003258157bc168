//! From typed outcomes to axum's responses.

use axum::body::Body;
use axum::http::header::{ALLOW, CONNECTION, CONTENT_ENCODING, CONTENT_TYPE, LINK, LOCATION, VARY};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream;
use person_repository::{Person, PersonId, PersonList, PersonPage, StoreError};
use service_api::health::HealthStatus;
use service_api::persons::{self, ListEncoder, Page};
use service_api::problem::Problem;
use service_api::routes::template;
use service_api::{media_type, swagger_ui};

const X_TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");

/// What a handler ends with.
pub(crate) type Outcome = Result<Response, Failure>;

/// A request that was not served: what the client is told, and the cause that only the log is told.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    problem: Problem,
    cause: Option<Arc<StoreError>>,
}

impl Failure {
    /// What the log is told.
    pub(crate) fn cause(&self) -> Option<&StoreError> {
        self.cause.as_deref()
    }
}

/// The person that a response is about, for the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AboutPerson(pub(crate) PersonId);

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self {
            problem,
            cause: None,
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self {
            problem: Problem::from(&error),
            cause: Some(Arc::new(error)),
        }
    }
}

impl IntoResponse for Failure {
    /// The body names the path that was asked for, so [`with_problem`] writes it.
    fn into_response(self) -> Response {
        let status = self.problem.status().code();
        let mut response = Response::default();
        *response.status_mut() =
            StatusCode::from_u16(status).expect("a problem has a known status");
        response.extensions_mut().insert(self);
        response
    }
}

/// Writes the problem document for this path into the response of a [`Failure`].
pub(crate) fn with_problem(mut response: Response, path: &str) -> Response {
    let Some(Failure { problem, .. }) = response.extensions().get::<Failure>().cloned() else {
        return response;
    };
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static(media_type::PROBLEM_JSON),
    );
    for (name, value) in problem.headers() {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if problem.closes_connection() {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    *response.body_mut() = problem.to_json(path).into();
    response
}

/// Plain text.
pub(crate) fn text(text: &'static str) -> Response {
    ([(CONTENT_TYPE, media_type::TEXT)], text).into_response()
}

/// A JSON document.
pub(crate) fn json(json: impl Into<Bytes>) -> Response {
    ([(CONTENT_TYPE, media_type::JSON)], json.into()).into_response()
}

/// A person.
pub(crate) fn person(person: &Person) -> Response {
    about(person.id, json(persons::to_json(person)))
}

/// A person that was added.
pub(crate) fn person_added(added: &Person) -> Response {
    ([(LOCATION, persons::location(added.id))], person(added)).into_response()
}

/// A person that is gone.
pub(crate) fn person_deleted(id: PersonId) -> Response {
    about(id, StatusCode::NO_CONTENT.into_response())
}

/// A page of persons.
pub(crate) fn page(page: Page, found: &PersonPage) -> Response {
    let mut response = json(persons::page_to_json(&found.persons));
    let headers = response.headers_mut();
    headers.insert(X_TOTAL_COUNT, found.total.into());
    if let Some(last) = found.persons.last().filter(|_| found.has_more) {
        let link = persons::next_link(page, last.id);
        headers.insert(LINK, link.try_into().expect("digits are fit for a header"));
    }
    response
}

/// All persons, streamed.
pub(crate) fn list(list: PersonList) -> Response {
    let total = list.total();
    let pieces = stream::try_unfold(Some((list, ListEncoder::default())), |state| async move {
        let Some((mut list, mut encoder)) = state else {
            return Ok::<_, StoreError>(None);
        };
        let piece = list.next_piece().await;
        Ok(Some(match piece.inspect_err(log_cut)? {
            Some(persons) => (encoder.piece(&persons).into(), Some((list, encoder))),
            None => (Bytes::from_static(encoder.end()), None),
        }))
    });
    let mut response = Response::new(Body::from_stream(pieces));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type::JSON));
    headers.insert(X_TOTAL_COUNT, total.into());
    response
}

/// A health report.
pub(crate) fn health(status: HealthStatus, report: Vec<u8>) -> Response {
    let status = StatusCode::from_u16(status.code()).expect("a report has a known status");
    (status, json(report)).into_response()
}

/// Metrics.
pub(crate) fn metrics(text: String) -> Response {
    ([(CONTENT_TYPE, media_type::METRICS)], text).into_response()
}

/// The methods that a path answers.
pub(crate) fn options(allow: &'static str) -> Response {
    (StatusCode::NO_CONTENT, [(ALLOW, allow)]).into_response()
}

/// The way to Swagger UI.
pub(crate) fn redirect_to_swagger_ui() -> Response {
    let location = [(LOCATION, template::SWAGGER_UI)];
    (StatusCode::PERMANENT_REDIRECT, location).into_response()
}

/// A file of Swagger UI, where there is one.
pub(crate) fn swagger_ui_file(file: Option<swagger_ui::File>) -> Outcome {
    let file = file.ok_or_else(Problem::unknown_path)?;
    let headers = [(CONTENT_TYPE, file.content_type)];
    let mut response = (headers, file.bytes).into_response();
    let headers = response.headers_mut();
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if file.gzip {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

fn about(id: PersonId, mut response: Response) -> Response {
    response.extensions_mut().insert(AboutPerson(id));
    response
}

/// The head of the answer is gone: nobody but the log can be told.
fn log_cut(error: &StoreError) {
    let error = error as &dyn std::error::Error;
    tracing::error!(error, "a list was cut: the store failed");
}

//! From typed outcomes to actix's responses.

use std::fmt;
use std::sync::Arc;

use actix_web::body::{BodySize, BoxBody, MessageBody as _, None as NoBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ALLOW, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, LINK, LOCATION, VARY,
};
use actix_web::{HttpResponse, ResponseError};
use bytes::Bytes;
use futures_util::stream;
use person_repository::{Person, PersonId, PersonList, PersonPage, StoreError};
use service_api::health::HealthStatus;
use service_api::persons::{self, ListEncoder, Page};
use service_api::problem::Problem;
use service_api::request_id::{self, RequestId};
use service_api::routes::template;
use service_api::{media_type, swagger_ui};

const X_TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");

/// What a handler ends with.
pub(crate) type Outcome = Result<HttpResponse, Failure>;

/// A request that was not served: what the client is told, and the cause that only the log is told.
#[derive(Debug)]
pub(crate) struct Failure {
    problem: Problem,
    cause: Option<Arc<StoreError>>,
}

impl Failure {
    /// What the log is told.
    pub(crate) fn cause(&self) -> Option<&Arc<StoreError>> {
        self.cause.as_ref()
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

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.problem.status().title())
    }
}

impl ResponseError for Failure {
    fn status_code(&self) -> StatusCode {
        status_code(&self.problem)
    }

    /// The body names the path that was asked for, so [`with_problem`] writes it.
    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status_code())
    }
}

/// Turns a [`Failure`] among the responses into the problem document for this path.
pub(crate) fn with_problem(response: ServiceResponse, path: &str) -> ServiceResponse {
    let Some(Failure { problem, .. }) = failure_of(&response) else {
        return response;
    };
    let answer = document(problem, path);
    response.into_response(answer)
}

/// The failure that a response was made of, if it was.
pub(crate) fn failure_of(response: &ServiceResponse) -> Option<&Failure> {
    response.response().error()?.as_error()
}

fn document(problem: &Problem, path: &str) -> HttpResponse {
    let mut response = HttpResponse::build(status_code(problem));
    response.insert_header((CONTENT_TYPE, media_type::PROBLEM_JSON));
    for header in problem.headers() {
        response.insert_header(header);
    }
    if problem.closes_connection() {
        response.force_close();
    }
    response.body(problem.to_json(path))
}

fn status_code(problem: &Problem) -> StatusCode {
    StatusCode::from_u16(problem.status().code()).expect("a problem has a known status")
}

/// The answer to a request whose handler panicked. The panic took the request with it, and actix makes
/// a response only of a request or of an error: so this is an error that carries all of the answer.
#[derive(Debug)]
pub(crate) struct Panicked {
    path: String,
    request_id: RequestId,
}

impl Panicked {
    pub(crate) fn new(path: &str, request_id: &RequestId) -> Self {
        Self {
            path: path.to_owned(),
            request_id: request_id.clone(),
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status_code()
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a handler panicked")
    }
}

impl ResponseError for Panicked {
    fn error_response(&self) -> HttpResponse {
        let mut response = document(&Problem::internal(), &self.path);
        let header = HeaderValue::from_str(self.request_id.as_str());
        response.headers_mut().insert(
            HeaderName::from_static(request_id::HEADER),
            header.expect("an id is fit for a header"),
        );
        response
    }
}

/// The body of an answer to HEAD: actix tells the length of a whole one and sends none of it; what is
/// streamed has no length to tell, and is not begun.
pub(crate) fn without_stream(body: BoxBody) -> BoxBody {
    match body.size() {
        BodySize::Stream => BoxBody::new(NoBody::new()),
        _ => body,
    }
}

/// Plain text.
pub(crate) fn text(text: &'static str) -> HttpResponse {
    typed(media_type::TEXT, text)
}

/// A JSON document.
pub(crate) fn json(json: impl Into<Bytes>) -> HttpResponse {
    typed(media_type::JSON, json)
}

/// A person.
pub(crate) fn person(person: &Person) -> HttpResponse {
    about(person.id, json(persons::to_json(person)))
}

/// A person that was added.
pub(crate) fn person_added(added: &Person) -> HttpResponse {
    let mut response = person(added);
    let location = persons::location(added.id);
    response.headers_mut().insert(
        LOCATION,
        location.try_into().expect("digits are fit for a header"),
    );
    response
}

/// A person that is gone.
pub(crate) fn person_deleted(id: PersonId) -> HttpResponse {
    about(id, HttpResponse::NoContent().finish())
}

/// A page of persons.
pub(crate) fn page(page: Page, found: &PersonPage) -> HttpResponse {
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
pub(crate) fn list(list: PersonList) -> HttpResponse {
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
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, media_type::JSON))
        .insert_header((X_TOTAL_COUNT, total))
        .streaming(pieces)
}

/// A health report.
pub(crate) fn health(status: HealthStatus, report: Vec<u8>) -> HttpResponse {
    let status = StatusCode::from_u16(status.code()).expect("a report has a known status");
    HttpResponse::build(status)
        .insert_header((CONTENT_TYPE, media_type::JSON))
        .body(report)
}

/// Metrics.
pub(crate) fn metrics(text: String) -> HttpResponse {
    typed(media_type::METRICS, text)
}

/// The methods that a path answers.
pub(crate) fn options(allow: &'static str) -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((ALLOW, allow))
        .finish()
}

/// The way to Swagger UI.
pub(crate) fn redirect_to_swagger_ui() -> HttpResponse {
    HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, template::SWAGGER_UI))
        .finish()
}

/// A file of Swagger UI, where there is one.
pub(crate) fn swagger_ui_file(file: Option<swagger_ui::File>) -> Outcome {
    let file = file.ok_or_else(Problem::unknown_path)?;
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, file.content_type));
    response.insert_header((VARY, "accept-encoding"));
    if file.gzip {
        response.insert_header((CONTENT_ENCODING, "gzip"));
    }
    Ok(response.body(file.bytes))
}

fn typed(content_type: &'static str, body: impl Into<Bytes>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, content_type))
        .body(body.into())
}

fn about(id: PersonId, mut response: HttpResponse) -> HttpResponse {
    response.extensions_mut().insert(AboutPerson(id));
    response
}

/// The head of the answer is gone: nobody but the log can be told.
fn log_cut(error: &StoreError) {
    let error = error as &dyn std::error::Error;
    tracing::error!(error, "a list was cut: the store failed");
}

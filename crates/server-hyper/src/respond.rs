//! From typed outcomes to hyper's responses.

use bytes::Bytes;
use futures_util::{TryStreamExt as _, stream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Either, Full, StreamBody};
use hyper::StatusCode;
use hyper::body::{Body as _, Frame};
use hyper::header::{
    ALLOW, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue,
    LINK, LOCATION, VARY,
};
use person_repository::{Person, PersonId, PersonList, PersonPage, StoreError};
use service_api::health::HealthStatus;
use service_api::persons::{self, ListEncoder, Page};
use service_api::problem::Problem;
use service_api::routes::template;
use service_api::{media_type, swagger_ui};

const X_TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");

/// A response: whole, or streamed.
pub(crate) type Response = hyper::Response<Either<Full<Bytes>, UnsyncBoxBody<Bytes, StoreError>>>;

/// What a handler ends with.
pub(crate) type Outcome = Result<Response, Failure>;

/// A request that was not served: what the client is told, and the cause that only the log is told.
#[derive(Debug)]
pub(crate) struct Failure {
    problem: Problem,
    cause: Option<StoreError>,
}

impl Failure {
    /// What the log is told.
    pub(crate) fn cause(&self) -> Option<&StoreError> {
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
            cause: Some(error),
        }
    }
}

/// The problem document of a failure, for this path.
pub(crate) fn problem(Failure { problem, .. }: &Failure, path: &str) -> Response {
    let mut response = typed(media_type::PROBLEM_JSON, problem.to_json(path));
    let headers = response.headers_mut();
    for (name, value) in problem.headers() {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if problem.closes_connection() {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    *response.status_mut() =
        StatusCode::from_u16(problem.status().code()).expect("a problem has a known status");
    response
}

/// The answer to HEAD: the same head, nothing after it. What is streamed has no length to tell.
pub(crate) fn without_body(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        head.headers.insert(CONTENT_LENGTH, length.into());
    }
    Response::from_parts(head, Either::Left(Full::default()))
}

/// Plain text.
pub(crate) fn text(text: &'static str) -> Response {
    typed(media_type::TEXT, text)
}

/// A JSON document.
pub(crate) fn json(json: impl Into<Bytes>) -> Response {
    typed(media_type::JSON, json)
}

/// A person.
pub(crate) fn person(person: &Person) -> Response {
    about(person.id, json(persons::to_json(person)))
}

/// A person that was added.
pub(crate) fn person_added(added: &Person) -> Response {
    let mut response = person(added);
    let location = persons::location(added.id);
    response.headers_mut().insert(
        LOCATION,
        location.try_into().expect("digits are fit for a header"),
    );
    response
}

/// A person that is gone.
pub(crate) fn person_deleted(id: PersonId) -> Response {
    about(id, empty(StatusCode::NO_CONTENT))
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
    let body = StreamBody::new(pieces.map_ok(Frame::data));
    let mut response = Response::new(Either::Right(body.boxed_unsync()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type::JSON));
    headers.insert(X_TOTAL_COUNT, total.into());
    response
}

/// A health report.
pub(crate) fn health(status: HealthStatus, report: Vec<u8>) -> Response {
    let mut response = json(report);
    *response.status_mut() =
        StatusCode::from_u16(status.code()).expect("a report has a known status");
    response
}

/// Metrics.
pub(crate) fn metrics(text: String) -> Response {
    typed(media_type::METRICS, text)
}

/// The methods that a path answers.
pub(crate) fn options(allow: &'static str) -> Response {
    let mut response = empty(StatusCode::NO_CONTENT);
    response
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static(allow));
    response
}

/// The way to Swagger UI.
pub(crate) fn redirect_to_swagger_ui() -> Response {
    let mut response = empty(StatusCode::PERMANENT_REDIRECT);
    let location = HeaderValue::from_static(template::SWAGGER_UI);
    response.headers_mut().insert(LOCATION, location);
    response
}

/// A file of Swagger UI, where there is one.
pub(crate) fn swagger_ui_file(file: Option<swagger_ui::File>) -> Outcome {
    let file = file.ok_or_else(Problem::unknown_path)?;
    let mut response = Response::new(Either::Left(Full::new(file.bytes)));
    let headers = response.headers_mut();
    let content_type = file.content_type.try_into();
    headers.insert(
        CONTENT_TYPE,
        content_type.expect("a media type is fit for a header"),
    );
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if file.gzip {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Ok(response)
}

fn typed(content_type: &'static str, body: impl Into<Bytes>) -> Response {
    let mut response = Response::new(Either::Left(Full::new(body.into())));
    let content_type = HeaderValue::from_static(content_type);
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    response
}

fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Either::Left(Full::default()));
    *response.status_mut() = status;
    response
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

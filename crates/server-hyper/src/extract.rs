//! From hyper's requests to typed input.

use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Body as _;
use hyper::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
};
use percent_encoding::percent_decode_str;
use person_repository::PersonId;
use service_api::body::{self, FromBody};
use service_api::persons::ListQuery;
use service_api::problem::Problem;
use service_api::{greetings, media_type, path, swagger_ui};

use crate::respond::Failure;
use crate::unread::LentBody;

/// A request as hyper gives it, its body on loan.
pub(crate) type Request = hyper::Request<LentBody>;

/// The person's id in the path.
pub(crate) fn person_path(request: &Request) -> Result<PersonId, Failure> {
    let segment: Vec<u8> = percent_decode_str(last_segment(request)).collect();
    Ok(path::parse_person_id(&segment)?)
}

/// The name of a file in the path, as it was sent: only ids are decoded.
pub(crate) fn file_path(request: &Request) -> &str {
    last_segment(request)
}

/// Which persons a list asks for.
pub(crate) fn list_parameters(request: &Request) -> Result<ListQuery, Failure> {
    Ok(ListQuery::parse(request.uri().query())?)
}

/// Whom to greet.
pub(crate) fn greeting_name(request: &Request) -> Result<String, Failure> {
    let name = greetings::parse_name(request.uri().query())?;
    Ok(name.into_owned())
}

/// Whether the client takes an answer compressed by gzip.
pub(crate) fn accepts_gzip(request: &Request) -> bool {
    swagger_ui::accepts_gzip(values(request.headers(), ACCEPT_ENCODING))
}

/// A JSON body.
pub(crate) async fn json_body<T: FromBody>(request: Request) -> Result<T, Failure> {
    let (parts, body) = request.into_parts();
    media_type::check(
        T::KIND,
        values(&parts.headers, CONTENT_TYPE),
        values(&parts.headers, CONTENT_ENCODING),
    )?;
    Ok(T::from_body(&read(body).await?)?)
}

fn values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &[u8]> {
    headers.get_all(name).into_iter().map(HeaderValue::as_bytes)
}

/// Reads a body, of which no more than the limit is held.
async fn read(body: LentBody) -> Result<Bytes, Problem> {
    if body.size_hint().lower() > body::LIMIT_BYTES as u64 {
        return Err(Problem::content_too_large());
    }
    match Limited::new(body, body::LIMIT_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Problem::content_too_large()),
        Err(_) => Err(Problem::incomplete_body()),
    }
}

/// What stands behind the last slash of the path: where templates have their parameter.
fn last_segment(request: &Request) -> &str {
    request.uri().path().rsplit('/').next().unwrap_or_default()
}

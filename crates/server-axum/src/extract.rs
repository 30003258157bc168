//! From axum's requests to typed input, and from its rejections to problems.

use axum::body::{Body, HttpBody as _};
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use person_repository::PersonId;
use service_api::body::{self, FromBody};
use service_api::persons::ListQuery;
use service_api::problem::Problem;
use service_api::{greetings, media_type, path, swagger_ui};

use crate::respond::Failure;

/// The person's id in the path.
pub(crate) struct PersonPath(pub(crate) PersonId);

impl<S: Send + Sync> FromRequestParts<S> for PersonPath {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let parameters = RawPathParams::from_request_parts(parts, state).await;
        // Rejected where the segment is no UTF-8 once it is decoded: no id either.
        let segment = parameters
            .as_ref()
            .ok()
            .and_then(|parameters| parameters.iter().next());
        let segment = segment.map_or("", |(_, value)| value);
        Ok(Self(path::parse_person_id(segment.as_bytes())?))
    }
}

/// Which persons a list asks for.
pub(crate) struct ListParameters(pub(crate) ListQuery);

impl<S: Sync> FromRequestParts<S> for ListParameters {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        Ok(Self(ListQuery::parse(parts.uri.query())?))
    }
}

/// Whom to greet.
pub(crate) struct GreetingName(pub(crate) String);

impl<S: Sync> FromRequestParts<S> for GreetingName {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let name = greetings::parse_name(parts.uri.query())?;
        Ok(Self(name.into_owned()))
    }
}

/// The name of a file in the path, as it was sent: `Path` would decode it, and only ids are decoded.
pub(crate) struct FilePath(pub(crate) String);

impl<S: Sync> FromRequestParts<S> for FilePath {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let file = parts.uri.path().rsplit('/').next();
        Ok(Self(file.unwrap_or_default().to_owned()))
    }
}

/// Whether the client takes an answer compressed by gzip.
pub(crate) struct AcceptsGzip(pub(crate) bool);

impl<S: Sync> FromRequestParts<S> for AcceptsGzip {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let accept_encodings = values(&parts.headers, ACCEPT_ENCODING);
        Ok(Self(swagger_ui::accepts_gzip(accept_encodings)))
    }
}

/// A JSON body.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Sync, T: FromBody> FromRequest<S> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        media_type::check(
            T::KIND,
            values(&parts.headers, CONTENT_TYPE),
            values(&parts.headers, CONTENT_ENCODING),
        )?;
        Ok(Self(T::from_body(&read(body).await?)?))
    }
}

fn values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &[u8]> {
    headers.get_all(name).into_iter().map(HeaderValue::as_bytes)
}

/// Reads a body, of which no more than the limit is held.
async fn read(body: Body) -> Result<Bytes, Problem> {
    if body.size_hint().lower() > body::LIMIT_BYTES as u64 {
        return Err(Problem::content_too_large());
    }
    match Limited::new(body, body::LIMIT_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Problem::content_too_large()),
        Err(_) => Err(Problem::incomplete_body()),
    }
}

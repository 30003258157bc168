//! From actix's requests to typed input, and from its errors to problems.

use std::future::{Ready, ready};

use actix_web::dev;
use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName,
    HeaderValue,
};
use actix_web::web::{Bytes, Payload};
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::LocalBoxFuture;
use percent_encoding::percent_decode_str;
use person_repository::PersonId;
use service_api::body::{self, FromBody};
use service_api::persons::ListQuery;
use service_api::problem::Problem;
use service_api::{greetings, media_type, path, swagger_ui};

use crate::respond::Failure;

/// The person's id in the path.
pub(crate) struct PersonPath(pub(crate) PersonId);

impl FromRequest for PersonPath {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut dev::Payload) -> Self::Future {
        let segment = request.match_info().get("id").unwrap_or_default();
        let segment: Vec<u8> = percent_decode_str(segment).collect();
        let id = path::parse_person_id(&segment);
        ready(id.map(Self).map_err(Failure::from))
    }
}

/// Which persons a list asks for.
pub(crate) struct ListParameters(pub(crate) ListQuery);

impl FromRequest for ListParameters {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut dev::Payload) -> Self::Future {
        let query = ListQuery::parse(request.uri().query());
        ready(query.map(Self).map_err(Failure::from))
    }
}

/// Whom to greet.
pub(crate) struct GreetingName(pub(crate) String);

impl FromRequest for GreetingName {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut dev::Payload) -> Self::Future {
        let name = greetings::parse_name(request.uri().query());
        ready(
            name.map(|name| Self(name.into_owned()))
                .map_err(Failure::from),
        )
    }
}

/// The name of a file in the path, as it was sent: `Path` would decode it, and only ids are decoded.
pub(crate) struct FilePath(pub(crate) String);

impl FromRequest for FilePath {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut dev::Payload) -> Self::Future {
        let file = request.path().rsplit('/').next();
        ready(Ok(Self(file.unwrap_or_default().to_owned())))
    }
}

/// Whether the client takes an answer compressed by gzip.
pub(crate) struct AcceptsGzip(pub(crate) bool);

impl FromRequest for AcceptsGzip {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut dev::Payload) -> Self::Future {
        let accept_encodings = values(request.headers(), ACCEPT_ENCODING);
        ready(Ok(Self(swagger_ui::accepts_gzip(accept_encodings))))
    }
}

/// A JSON body.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: FromBody + 'static> FromRequest for JsonBody<T> {
    type Error = Failure;
    type Future = LocalBoxFuture<'static, Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, payload: &mut dev::Payload) -> Self::Future {
        let payload = Payload::from_request(request, payload);
        let request = request.clone();
        Box::pin(async move {
            media_type::check(
                T::KIND,
                values(request.headers(), CONTENT_TYPE),
                values(request.headers(), CONTENT_ENCODING),
            )?;
            let payload = payload.await.map_err(|_| Problem::incomplete_body())?;
            let body = read(request.headers(), payload).await?;
            Ok(Self(T::from_body(&body)?))
        })
    }
}

fn values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &[u8]> {
    headers.get_all(name).map(HeaderValue::as_bytes)
}

/// Reads a body, of which no more than the limit is held.
async fn read(headers: &HeaderMap, payload: Payload) -> Result<Bytes, Problem> {
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok());
    let length = length.and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > body::LIMIT_BYTES as u64) {
        return Err(Problem::content_too_large());
    }
    match payload.to_bytes_limited(body::LIMIT_BYTES).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(Problem::incomplete_body()),
        Err(_) => Err(Problem::content_too_large()),
    }
}

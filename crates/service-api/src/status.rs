//! The statuses that an error answer of this service can have.

/// A status code of an error answer, with the phrase that RFC 9110 (section 15) gives it today; the
/// phrases in HTTP libraries are often those of older documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// 400
    BadRequest,
    /// 404
    NotFound,
    /// 405
    MethodNotAllowed,
    /// 413
    ContentTooLarge,
    /// 415
    UnsupportedMediaType,
    /// 422
    UnprocessableContent,
    /// 500
    InternalServerError,
    /// 503
    ServiceUnavailable,
}

impl Status {
    /// The three-digit code.
    pub const fn code(self) -> u16 {
        match self {
            Self::BadRequest => 400,
            Self::NotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::ContentTooLarge => 413,
            Self::UnsupportedMediaType => 415,
            Self::UnprocessableContent => 422,
            Self::InternalServerError => 500,
            Self::ServiceUnavailable => 503,
        }
    }

    /// The phrase that goes with the code.
    pub const fn title(self) -> &'static str {
        match self {
            Self::BadRequest => "Bad Request",
            Self::NotFound => "Not Found",
            Self::MethodNotAllowed => "Method Not Allowed",
            Self::ContentTooLarge => "Content Too Large",
            Self::UnsupportedMediaType => "Unsupported Media Type",
            Self::UnprocessableContent => "Unprocessable Content",
            Self::InternalServerError => "Internal Server Error",
            Self::ServiceUnavailable => "Service Unavailable",
        }
    }
}

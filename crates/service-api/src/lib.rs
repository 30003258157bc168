//! The service's contract in types, written once for all flavors: what a request must look like, what
//! an answer looks like, and the OpenAPI document that says so to the world. Pure functions on bytes
//! and types; no framework, no socket, and not the `http` crate either, since actix-web is on another
//! version of it.
//!
//! ```
//! use person_repository::NewPerson;
//! use service_api::body::FromBody as _;
//!
//! let problem = NewPerson::from_body(br#"{"name":"","gender":"MALE","age":200}"#).unwrap_err();
//! assert_eq!(problem.status().code(), 422);
//! assert_eq!(
//!     String::from_utf8(problem.to_json("/persons")).unwrap(),
//!     concat!(
//!         r#"{"type":"about:blank","title":"Unprocessable Content","status":422,"#,
//!         r#""detail":"the body does not fit: 2 violations","instance":"/persons","#,
//!         r#""violations":[{"field":"name","message":"must be 1 to 255 characters long"},"#,
//!         r#"{"field":"age","message":"must be between 0 and 150"}]}"#,
//!     ),
//! );
//! ```

pub mod routes;

pub mod greetings;
pub mod persons;

pub mod health;
pub mod info;

pub mod openapi;
pub mod swagger_ui;

pub mod body;
pub mod media_type;
pub mod path;
mod query;

pub mod problem;
pub mod request_id;
pub mod status;

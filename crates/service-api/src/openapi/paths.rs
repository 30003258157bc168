//! Every operation, in the order of the contract.

#![expect(
    dead_code,
    reason = "these functions exist for their documentation only"
)]

use utoipa::OpenApi;

use super::common::CommonParts;
use super::problems::{BodyRefused, NoSuchPerson, StoreUnavailable};
use super::schemas::{GenderSchema, NewPersonSchema, PersonPatchSchema};
use super::shared::{HealthReport, PersonIdParameter};
use crate::greetings::Greeting;
use crate::health::{Health, Probe};
use crate::info::Info;
use crate::persons::PersonDocument;
use crate::problem::ProblemDocument;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Persons",
        description = "The reference service: one contract, served by several Rust stacks. \
            Every error answer is a problem document (RFC 9457); every answer carries `x-request-id`. \
            Every path also answers `HEAD` where it answers `GET`, and `OPTIONS` with its methods.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
        contact(),
    ),
    servers((url = "/", description = "this server")),
    tags(
        (name = "greetings", description = "The hello-world resources that articles measure"),
        (name = "persons", description = "Persons: add, read, list, change, delete"),
        (name = "management", description = "Health, facts and metrics of the running service"),
        (name = "documentation", description = "This document, and a page to read and try it"),
    ),
    paths(
        get_root, ping, hello_world,
        add_person, list_persons, get_person, replace_person, patch_person, delete_person,
        get_health, get_liveness, get_readiness, get_info, get_metrics,
        get_management_health, get_management_info, get_management_prometheus,
        get_openapi, redirect_to_swagger_ui, get_swagger_ui, get_swagger_ui_file,
    ),
    components(schemas(GenderSchema, NewPersonSchema, PersonPatchSchema, Health)),
    modifiers(&CommonParts),
)]
pub(super) struct Document;

#[utoipa::path(
    get, path = "/", operation_id = "get_root", tag = "greetings",
    summary = "Greets the world",
    responses((status = 200, description = "The greeting.", body = str, content_type = "text/plain; charset=utf-8", example = "Hello world")),
)]
fn get_root() {}

#[utoipa::path(
    get, path = "/ping", operation_id = "ping", tag = "greetings",
    summary = "Answers pong",
    responses((status = 200, description = "The shortest answer.", body = str, content_type = "text/plain; charset=utf-8", example = "pong")),
)]
fn ping() {}

#[utoipa::path(
    get, path = "/hello-world", operation_id = "hello_world", tag = "greetings",
    summary = "Greets by name",
    params(("name" = inline(Option<String>), Query, nullable = false, max_length = 255, pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$", description = "Whom to greet; `Stranger` where it is missing or empty. No control characters.", example = "Ada")),
    responses(
        (status = 200, description = "The numbered greeting.", body = Greeting<'_>, example = json!({"id": 1, "content": "Hello, Ada!"})),
        (status = 400, description = "The name is given twice, too long, or no proper text.", body = ProblemDocument<'_>, content_type = "application/problem+json"),
    ),
)]
fn hello_world() {}

#[utoipa::path(
    post, path = "/persons", operation_id = "add_person", tag = "persons",
    summary = "Adds a person",
    request_body(content = NewPersonSchema, description = "The person; `application/*+json` is taken too. At most 64 KiB."),
    responses(
        (status = 200, description = "The person with the id that it was given.", body = PersonDocument<'_>, headers(("location" = String, description = "The person's path."))),
        (status = 400, description = "The body is no JSON.", body = ProblemDocument<'_>, content_type = "application/problem+json"),
        BodyRefused,
        StoreUnavailable,
    ),
)]
fn add_person() {}

#[utoipa::path(
    get, path = "/persons", operation_id = "list_persons", tag = "persons",
    summary = "Lists persons, all or a page",
    description = "Without parameters all persons are streamed, in id order. With `limit` or `after` one page is answered, and a `link` to the next where more follow.",
    params(
        ("limit" = inline(Option<u32>), Query, nullable = false, minimum = 1, maximum = 1000, description = "How many persons at most; 100 where only `after` is given.", example = 100),
        ("after" = inline(Option<u64>), Query, nullable = false, minimum = 0, maximum = 18_446_744_073_709_551_615_u64, format = "uint64", description = "The persons that follow this id; it need not exist.", example = 0),
    ),
    responses(
        (status = 200, description = "The persons in id order.", body = [PersonDocument<'_>], headers(
            ("x-total-count" = u64, description = "How many persons there are in all."),
            ("link" = String, description = "The next page, where one follows (RFC 8288)."),
        )),
        (status = 400, description = "A parameter is given twice, no number, or out of range.", body = ProblemDocument<'_>, content_type = "application/problem+json"),
        StoreUnavailable,
    ),
)]
fn list_persons() {}

#[utoipa::path(
    get, path = "/persons/{id}", operation_id = "get_person", tag = "persons",
    summary = "Reads a person",
    params(PersonIdParameter),
    responses(
        (status = 200, description = "The person.", body = PersonDocument<'_>),
        (status = 400, description = "The id is no number.", body = ProblemDocument<'_>, content_type = "application/problem+json"),
        NoSuchPerson,
        StoreUnavailable,
    ),
)]
fn get_person() {}

#[utoipa::path(
    put, path = "/persons/{id}", operation_id = "replace_person", tag = "persons",
    summary = "Replaces a person",
    description = "Never creates one. Atomic: of two changes at once, one follows the other.",
    params(PersonIdParameter),
    request_body(content = NewPersonSchema, description = "The person; `application/*+json` is taken too. At most 64 KiB."),
    responses(
        (status = 200, description = "The person as it is now.", body = PersonDocument<'_>),
        (status = 400, description = "The id is no number, or the body is no JSON.", body = ProblemDocument<'_>, content_type = "application/problem+json"),
        NoSuchPerson,
        BodyRefused,
        StoreUnavailable,
    ),
)]
fn replace_person() {}

#[utoipa::path(
    patch, path = "/persons/{id}", operation_id = "patch_person", tag = "persons",
    summary = "Changes fields of a person",
    description = "A JSON merge patch (RFC 7396). Atomic: two patches of different fields at once both hold.",
    params(PersonIdParameter),
    request_body(
        description = "The fields to change. At most 64 KiB.",
        content((PersonPatchSchema = "application/merge-patch+json"), (PersonPatchSchema = "application/json")),
    ),
    responses(
        (status = 200, description = "The person as it is now.", body = PersonDocument<'_>),
        (status = 400, description = "The id is no number, or the body is no JSON.", body = ProblemDocument<'_>, content_type = "application/problem+json"),
        NoSuchPerson,
        BodyRefused,
        StoreUnavailable,
    ),
)]
fn patch_person() {}

#[utoipa::path(
    delete, path = "/persons/{id}", operation_id = "delete_person", tag = "persons",
    summary = "Deletes a person",
    params(PersonIdParameter),
    responses(
        (status = 204, description = "The person is gone."),
        (status = 400, description = "The id is no number.", body = ProblemDocument<'_>, content_type = "application/problem+json"),
        NoSuchPerson,
        StoreUnavailable,
    ),
)]
fn delete_person() {}

#[utoipa::path(
    get,
    path = "/health",
    operation_id = "get_health",
    tag = "management",
    summary = "Health of the service and its store",
    responses(HealthReport)
)]
fn get_health() {}

#[utoipa::path(
    get, path = "/health/liveness", operation_id = "get_liveness", tag = "management",
    summary = "Whether the process can serve",
    responses((status = 200, description = "It can; the store was not asked.", body = Probe)),
)]
fn get_liveness() {}

#[utoipa::path(
    get, path = "/health/readiness", operation_id = "get_readiness", tag = "management",
    summary = "Whether the service wants requests",
    responses(
        (status = 200, description = "It does.", body = Probe),
        (status = 503, description = "The store is down, or shutdown has begun.", body = Probe, example = json!({"status": "OUT_OF_SERVICE"})),
    ),
)]
fn get_readiness() {}

#[utoipa::path(
    get, path = "/info", operation_id = "get_info", tag = "management",
    summary = "What is running",
    responses((status = 200, description = "Program, build and runtime.", body = Info)),
)]
fn get_info() {}

#[utoipa::path(
    get, path = "/metrics", operation_id = "get_metrics", tag = "management",
    summary = "Metrics in the Prometheus text format",
    responses((status = 200, description = "Metrics.", body = str, content_type = "text/plain; version=0.0.4; charset=utf-8", example = "persons_stored 0\n")),
)]
fn get_metrics() {}

#[utoipa::path(
    get,
    path = "/management/health",
    operation_id = "get_management_health",
    tag = "management",
    summary = "Health, where JHipster looks for it",
    responses(HealthReport)
)]
fn get_management_health() {}

#[utoipa::path(
    get, path = "/management/info", operation_id = "get_management_info", tag = "management",
    summary = "What is running, where JHipster looks for it",
    responses((status = 200, description = "Program, build and runtime.", body = Info)),
)]
fn get_management_info() {}

#[utoipa::path(
    get, path = "/management/prometheus", operation_id = "get_management_prometheus", tag = "management",
    summary = "Metrics, where JHipster looks for them",
    responses((status = 200, description = "Metrics.", body = str, content_type = "text/plain; version=0.0.4; charset=utf-8", example = "persons_stored 0\n")),
)]
fn get_management_prometheus() {}

#[utoipa::path(
    get, path = "/api-docs/openapi.json", operation_id = "get_openapi", tag = "documentation",
    summary = "This document",
    responses((status = 200, description = "The OpenAPI document.", body = serde_json::Value)),
)]
fn get_openapi() {}

#[utoipa::path(
    get, path = "/swagger-ui", operation_id = "redirect_to_swagger_ui", tag = "documentation",
    summary = "Leads to Swagger UI",
    responses((status = 308, description = "To the path with a slash at its end.", headers(("location" = String, description = "`/swagger-ui/`")))),
)]
fn redirect_to_swagger_ui() {}

#[utoipa::path(
    get, path = "/swagger-ui/", operation_id = "get_swagger_ui", tag = "documentation",
    summary = "Swagger UI on this document",
    responses((status = 200, description = "The page.", body = str, content_type = "text/html")),
)]
fn get_swagger_ui() {}

#[utoipa::path(
    get, path = "/swagger-ui/{file}", operation_id = "get_swagger_ui_file", tag = "documentation",
    summary = "A file of Swagger UI",
    params(("file" = inline(String), Path, min_length = 1, description = "The file's name.", example = "swagger-ui.css")),
    responses(
        (status = 200, description = "The file, compressed where the client takes gzip.", content((str = "text/html"), (str = "text/css"), (str = "text/javascript"), (str = "image/png"), (str = "application/json"))),
        (status = 404, description = "There is no such file.", body = ProblemDocument<'_>, content_type = "application/problem+json"),
    ),
)]
fn get_swagger_ui_file() {}

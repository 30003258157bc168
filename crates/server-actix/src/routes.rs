//! Which handler answers which request, a line an operation, in the order of the OpenAPI document.

use actix_web::Route;
use actix_web::guard;
use actix_web::web::{self, ServiceConfig, delete, patch, post, put};
use service_api::routes::{TEMPLATES, template};

use crate::handlers::{documentation, fallback, greetings, management, persons};

/// The whole service, but for what goes around it.
pub(crate) fn configure(service: &mut ServiceConfig) {
    service
        .route(template::ROOT, get().to(greetings::get_root))
        .route(template::PING, get().to(greetings::ping))
        .route(template::HELLO_WORLD, get().to(greetings::hello_world))
        .route(template::PERSONS, post().to(persons::add_person))
        .route(template::PERSONS, get().to(persons::list_persons))
        .route(template::PERSON, get().to(persons::get_person))
        .route(template::PERSON, put().to(persons::replace_person))
        .route(template::PERSON, patch().to(persons::patch_person))
        .route(template::PERSON, delete().to(persons::delete_person))
        .route(template::HEALTH, get().to(management::get_health))
        .route(template::LIVENESS, get().to(management::get_liveness))
        .route(template::READINESS, get().to(management::get_readiness))
        .route(template::INFO, get().to(management::get_info))
        .route(template::METRICS, get().to(management::get_metrics))
        .route(
            template::MANAGEMENT_HEALTH,
            get().to(management::get_health),
        )
        .route(template::MANAGEMENT_INFO, get().to(management::get_info))
        .route(
            template::MANAGEMENT_PROMETHEUS,
            get().to(management::get_metrics),
        )
        .route(template::OPENAPI, get().to(documentation::get_openapi))
        .route(
            template::SWAGGER_UI_REDIRECT,
            get().to(documentation::redirect_to_swagger_ui),
        )
        .route(
            template::SWAGGER_UI,
            get().to(documentation::get_swagger_ui),
        )
        .route(
            template::SWAGGER_UI_FILE,
            get().to(documentation::get_swagger_ui_file),
        );
    for template in TEMPLATES {
        service.route(template, web::to(fallback::answer_other_method));
    }
    service.default_service(web::to(fallback::unknown_path));
}

/// A route for GET and, as the other frameworks have it, for HEAD too.
fn get() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

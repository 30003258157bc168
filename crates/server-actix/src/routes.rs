//! Which handler answers which request, a line an operation, in the order of the contract.

use actix_web::dev::ResourceDef;
use actix_web::web::{self, ServiceConfig, delete, patch, post, put};
use actix_web::{Resource, Route, guard};
use service_api::routes::{TEMPLATES, template};

use crate::handlers::{documentation, fallback, greetings, management, persons};

/// The whole service, but for what goes around it.
pub(crate) fn configure(service: &mut ServiceConfig) {
    service
        .service(at(template::ROOT).route(get().to(greetings::get_root)))
        .service(at(template::PING).route(get().to(greetings::ping)))
        .service(at(template::HELLO_WORLD).route(get().to(greetings::hello_world)))
        .service(
            at(template::PERSONS)
                .route(post().to(persons::add_person))
                .route(get().to(persons::list_persons)),
        )
        .service(
            at(template::PERSON)
                .route(get().to(persons::get_person))
                .route(put().to(persons::replace_person))
                .route(patch().to(persons::patch_person))
                .route(delete().to(persons::delete_person)),
        )
        .service(at(template::HEALTH).route(get().to(management::get_health)))
        .service(at(template::LIVENESS).route(get().to(management::get_liveness)))
        .service(at(template::READINESS).route(get().to(management::get_readiness)))
        .service(at(template::INFO).route(get().to(management::get_info)))
        .service(at(template::METRICS).route(get().to(management::get_metrics)))
        .service(at(template::MANAGEMENT_HEALTH).route(get().to(management::get_health)))
        .service(at(template::MANAGEMENT_INFO).route(get().to(management::get_info)))
        .service(at(template::MANAGEMENT_PROMETHEUS).route(get().to(management::get_metrics)))
        .service(at(template::OPENAPI).route(get().to(documentation::get_openapi)))
        .service(
            at(template::SWAGGER_UI_REDIRECT)
                .route(get().to(documentation::redirect_to_swagger_ui)),
        )
        .service(at(template::SWAGGER_UI).route(get().to(documentation::get_swagger_ui)))
        .service(at(template::SWAGGER_UI_FILE).route(get().to(documentation::get_swagger_ui_file)))
        .default_service(web::to(fallback::unknown_path));
}

/// The template that a request matched, as data of its resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Template(pub(crate) &'static str);

/// Finds the template that a raw path matches, anew: for a request that a panic took away.
pub(crate) fn matched(path: &str) -> Option<Template> {
    let mut templates = TEMPLATES.into_iter();
    let matched = templates.find(|template| ResourceDef::new(*template).is_match(path));
    matched.map(Template)
}

fn at(template: &'static str) -> Resource {
    web::resource(template)
        .app_data(Template(template))
        .default_service(web::to(fallback::answer_other_method))
}

/// A route for GET and, as the other frameworks have it, for HEAD too.
fn get() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

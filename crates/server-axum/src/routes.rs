//! Which handler answers which request, a line an operation, in the order of the contract.

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, patch, post, put};
use service_api::routes::template;
use service_runtime::App;

use crate::handlers::{documentation, fallback, greetings, management, persons};
use crate::middleware::observe;

/// The whole service on this state.
pub fn router(app: App) -> Router {
    Router::new()
        .route(template::ROOT, get(greetings::get_root))
        .route(template::PING, get(greetings::ping))
        .route(template::HELLO_WORLD, get(greetings::hello_world))
        .route(template::PERSONS, post(persons::add_person))
        .route(template::PERSONS, get(persons::list_persons))
        .route(template::PERSON, get(persons::get_person))
        .route(template::PERSON, put(persons::replace_person))
        .route(template::PERSON, patch(persons::patch_person))
        .route(template::PERSON, delete(persons::delete_person))
        .route(template::HEALTH, get(management::get_health))
        .route(template::LIVENESS, get(management::get_liveness))
        .route(template::READINESS, get(management::get_readiness))
        .route(template::INFO, get(management::get_info))
        .route(template::METRICS, get(management::get_metrics))
        .route(template::MANAGEMENT_HEALTH, get(management::get_health))
        .route(template::MANAGEMENT_INFO, get(management::get_info))
        .route(
            template::MANAGEMENT_PROMETHEUS,
            get(management::get_metrics),
        )
        .route(template::OPENAPI, get(documentation::get_openapi))
        .route(
            template::SWAGGER_UI_REDIRECT,
            get(documentation::redirect_to_swagger_ui),
        )
        .route(template::SWAGGER_UI, get(documentation::get_swagger_ui))
        .route(
            template::SWAGGER_UI_FILE,
            get(documentation::get_swagger_ui_file),
        )
        .method_not_allowed_fallback(fallback::answer_other_method)
        .fallback(fallback::unknown_path)
        .layer(from_fn_with_state(app.clone(), observe))
        .with_state(app)
}

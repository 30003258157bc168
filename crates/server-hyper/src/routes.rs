//! Which handler answers which request, a line an operation, in the order of the contract.

use std::sync::LazyLock;

use hyper::Method;
use matchit::Router;
use service_api::routes::{TEMPLATES, template};
use service_runtime::App;

use crate::extract::Request;
use crate::handlers::{documentation, fallback, greetings, management, persons};
use crate::respond::Outcome;

/// Finds the template that a raw path matches.
pub(crate) fn matched(path: &str) -> Option<&'static str> {
    static ROUTER: LazyLock<Router<&'static str>> = LazyLock::new(|| {
        let mut router = Router::new();
        for template in TEMPLATES {
            router
                .insert(template, template)
                .expect("templates do not conflict");
        }
        router
    });
    ROUTER.at(path).ok().map(|found| *found.value)
}

/// Answers a request whose path matched this template, if any.
pub(crate) async fn answer(app: &App, route: Option<&'static str>, request: Request) -> Outcome {
    let Some(route) = route else {
        return fallback::unknown_path().await;
    };
    let method = match request.method() {
        &Method::HEAD => Method::GET,
        method => method.clone(),
    };
    match (route, &method) {
        (template::ROOT, &Method::GET) => greetings::get_root().await,
        (template::PING, &Method::GET) => greetings::ping().await,
        (template::HELLO_WORLD, &Method::GET) => greetings::hello_world(app, request).await,
        (template::PERSONS, &Method::POST) => persons::add_person(app, request).await,
        (template::PERSONS, &Method::GET) => persons::list_persons(app, request).await,
        (template::PERSON, &Method::GET) => persons::get_person(app, request).await,
        (template::PERSON, &Method::PUT) => persons::replace_person(app, request).await,
        (template::PERSON, &Method::PATCH) => persons::patch_person(app, request).await,
        (template::PERSON, &Method::DELETE) => persons::delete_person(app, request).await,
        (template::HEALTH, &Method::GET) => management::get_health(app).await,
        (template::LIVENESS, &Method::GET) => management::get_liveness().await,
        (template::READINESS, &Method::GET) => management::get_readiness(app).await,
        (template::INFO, &Method::GET) => management::get_info(app).await,
        (template::METRICS, &Method::GET) => management::get_metrics(app).await,
        (template::MANAGEMENT_HEALTH, &Method::GET) => management::get_health(app).await,
        (template::MANAGEMENT_INFO, &Method::GET) => management::get_info(app).await,
        (template::MANAGEMENT_PROMETHEUS, &Method::GET) => management::get_metrics(app).await,
        (template::OPENAPI, &Method::GET) => documentation::get_openapi().await,
        (template::SWAGGER_UI_REDIRECT, &Method::GET) => {
            documentation::redirect_to_swagger_ui().await
        }
        (template::SWAGGER_UI, &Method::GET) => documentation::get_swagger_ui(request).await,
        (template::SWAGGER_UI_FILE, &Method::GET) => {
            documentation::get_swagger_ui_file(request).await
        }
        _ => fallback::answer_other_method(&method, route).await,
    }
}

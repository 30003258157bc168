//! The hello-world resources that articles measure.

use actix_web::web::Data;
use service_api::greetings::{Greeting, HELLO_WORLD, PONG};
use service_runtime::App;

use crate::extract::GreetingName;
use crate::respond::{self, Outcome};

/// Greets the world.
pub(crate) async fn get_root() -> Outcome {
    Ok(respond::text(HELLO_WORLD))
}

/// Answers pong.
pub(crate) async fn ping() -> Outcome {
    Ok(respond::text(PONG))
}

/// Greets by name, with a number.
pub(crate) async fn hello_world(app: Data<App>, GreetingName(name): GreetingName) -> Outcome {
    let greeting = Greeting::new(app.next_greeting(), &name);
    Ok(respond::json(greeting.to_json()))
}

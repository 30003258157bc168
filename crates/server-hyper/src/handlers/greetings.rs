//! The hello-world resources that articles measure.

use service_api::greetings::{Greeting, HELLO_WORLD, PONG};
use service_runtime::App;

use crate::extract::{Request, greeting_name};
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
pub(crate) async fn hello_world(app: &App, request: Request) -> Outcome {
    let name = greeting_name(&request)?;
    let greeting = Greeting::new(app.next_greeting(), &name);
    Ok(respond::json(greeting.to_json()))
}

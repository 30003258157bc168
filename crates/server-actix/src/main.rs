//! Composes the server: configuration, telemetry, store, listener, serve.

use std::process::ExitCode;

use server_actix::{FLAVOR, server};
use service_runtime::{App, Config, listener, store};

fn main() -> ExitCode {
    let config = match Config::from_env(FLAVOR.program, FLAVOR.version) {
        Ok(config) => config,
        Err(refused) => return refused.report(),
    };
    let _telemetry = config.telemetry.install();
    match run(&config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(config: &Config) -> anyhow::Result<()> {
    server::runtime(config.workers)?.block_on(async {
        let persons = store::open(config.store);
        let listener = listener::bind(config.address)?;
        let app = App::new(FLAVOR, persons, config.workers, config.telemetry);
        let shutdown = app.lifecycle().on_signal()?;
        listener::announce(&listener)?;
        server::serve(listener, app, shutdown, config.shutdown_grace).await
    })
}

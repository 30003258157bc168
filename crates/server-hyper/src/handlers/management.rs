//! Health, facts and metrics of the running service.

use service_api::health::{Health, HealthStatus, Probe};
use service_runtime::App;

use crate::respond::{self, Outcome};

/// Health of the service and its store.
pub(crate) async fn get_health(app: &App) -> Outcome {
    let status = app.store_health().await;
    Ok(respond::health(status, Health::of_store(status).to_json()))
}

/// Whether the process can serve; the store is not asked.
pub(crate) async fn get_liveness() -> Outcome {
    let status = HealthStatus::Up;
    Ok(respond::health(status, Probe::new(status).to_json()))
}

/// Whether the service wants requests.
pub(crate) async fn get_readiness(app: &App) -> Outcome {
    let status = app.readiness().await;
    Ok(respond::health(status, Probe::new(status).to_json()))
}

/// What is running.
pub(crate) async fn get_info(app: &App) -> Outcome {
    Ok(respond::json(app.info().to_json()))
}

/// Metrics in the Prometheus text format.
pub(crate) async fn get_metrics(app: &App) -> Outcome {
    Ok(respond::metrics(app.metrics_text().await))
}

//! The state that all requests of a server share.

use std::hash::{BuildHasher, RandomState};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use person_repository::PersonRepository;
use service_api::health::HealthStatus;
use service_api::info::{AppInfo, Info, RuntimeInfo};

use crate::build::{BUILD, GIT};
use crate::{Lifecycle, Metrics, Telemetry};

/// How long a health check waits for the store.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(1);

/// Which flavor runs.
#[derive(Clone, Copy, Debug)]
pub struct Flavor {
    /// The stack: axum, actix or hyper.
    pub name: &'static str,
    /// The framework and its version.
    pub framework: &'static str,
    /// The name of the program.
    pub program: &'static str,
    /// The version of the program.
    pub version: &'static str,
}

/// The state that all requests share; a clone is a handle to the same.
#[derive(Clone, Debug)]
pub struct App {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    persons: PersonRepository,
    greetings: AtomicU64,
    metrics: Metrics,
    lifecycle: Lifecycle,
    info: Info,
}

impl App {
    /// The state of a server of this flavor on this store, with so many worker threads.
    pub fn new(
        flavor: Flavor,
        persons: PersonRepository,
        workers: usize,
        telemetry: Telemetry,
    ) -> Self {
        let info = Info {
            app: AppInfo {
                name: flavor.program,
                version: flavor.version,
                flavor: flavor.name,
            },
            build: BUILD,
            git: GIT,
            runtime: RuntimeInfo {
                framework: flavor.framework,
                workers,
                allocator: "system",
                log_level: telemetry.level.as_str(),
                pid: process::id(),
                instance: format!("{:016x}", RandomState::new().hash_one(0)),
            },
            store: persons.kind().as_str(),
        };
        Self {
            shared: Arc::new(Shared {
                persons,
                greetings: AtomicU64::new(0),
                metrics: Metrics::default(),
                lifecycle: Lifecycle::default(),
                info,
            }),
        }
    }

    /// The persons.
    pub fn persons(&self) -> &PersonRepository {
        &self.shared.persons
    }

    /// The number of the next greeting: counts up from 1 and never repeats.
    pub fn next_greeting(&self) -> u64 {
        self.shared.greetings.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// What is measured of the requests.
    pub fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// Whether the server is about to stop.
    pub fn lifecycle(&self) -> &Lifecycle {
        &self.shared.lifecycle
    }

    /// What is running.
    pub fn info(&self) -> &Info {
        &self.shared.info
    }

    /// Whether the store answers within 1 s.
    pub async fn store_health(&self) -> HealthStatus {
        let ping = tokio::time::timeout(HEALTH_TIMEOUT, self.persons().ping());
        HealthStatus::of(matches!(ping.await, Ok(Ok(()))))
    }

    /// Whether the service wants requests: not once shutdown has begun, and not without its store.
    pub async fn readiness(&self) -> HealthStatus {
        if self.lifecycle().is_stopping() {
            HealthStatus::OutOfService
        } else {
            self.store_health().await
        }
    }

    /// All metrics in the Prometheus text format; the number of persons is left out where the store
    /// does not tell it within 1 s.
    pub async fn metrics_text(&self) -> String {
        let count = tokio::time::timeout(HEALTH_TIMEOUT, self.persons().count()).await;
        self.metrics().to_text(count.ok().and_then(Result::ok))
    }
}

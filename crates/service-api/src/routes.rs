//! The paths that are served, and the methods that each answers.

/// The path template of each resource, as the OpenAPI document writes it.
pub mod template {
    /// Plain text greeting.
    pub const ROOT: &str = "/";
    /// The shortest answer.
    pub const PING: &str = "/ping";
    /// JSON greeting.
    pub const HELLO_WORLD: &str = "/hello-world";
    /// All persons.
    pub const PERSONS: &str = "/persons";
    /// One person.
    pub const PERSON: &str = "/persons/{id}";
    /// Health of the service and its store.
    pub const HEALTH: &str = "/health";
    /// Whether the process can serve.
    pub const LIVENESS: &str = "/health/liveness";
    /// Whether it wants requests.
    pub const READINESS: &str = "/health/readiness";
    /// What is running.
    pub const INFO: &str = "/info";
    /// Metrics for Prometheus.
    pub const METRICS: &str = "/metrics";
    /// [`HEALTH`] where JHipster looks for it.
    pub const MANAGEMENT_HEALTH: &str = "/management/health";
    /// [`INFO`] where JHipster looks for it.
    pub const MANAGEMENT_INFO: &str = "/management/info";
    /// [`METRICS`] where JHipster looks for it.
    pub const MANAGEMENT_PROMETHEUS: &str = "/management/prometheus";
    /// The OpenAPI document.
    pub const OPENAPI: &str = "/api-docs/openapi.json";
    /// Leads to [`SWAGGER_UI`].
    pub const SWAGGER_UI_REDIRECT: &str = "/swagger-ui";
    /// The page of Swagger UI.
    pub const SWAGGER_UI: &str = "/swagger-ui/";
    /// The other files of Swagger UI.
    pub const SWAGGER_UI_FILE: &str = "/swagger-ui/{file}";
}

/// Every path template, in the order of the OpenAPI document.
pub const TEMPLATES: [&str; 17] = [
    template::ROOT,
    template::PING,
    template::HELLO_WORLD,
    template::PERSONS,
    template::PERSON,
    template::HEALTH,
    template::LIVENESS,
    template::READINESS,
    template::INFO,
    template::METRICS,
    template::MANAGEMENT_HEALTH,
    template::MANAGEMENT_INFO,
    template::MANAGEMENT_PROMETHEUS,
    template::OPENAPI,
    template::SWAGGER_UI_REDIRECT,
    template::SWAGGER_UI,
    template::SWAGGER_UI_FILE,
];

/// The methods that a path template answers, for an `allow` header (RFC 9110, section 10.2.1).
pub fn allow(template: &str) -> &'static str {
    match template {
        template::PERSONS => "GET, HEAD, POST, OPTIONS",
        template::PERSON => "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
        _ => "GET, HEAD, OPTIONS",
    }
}

/// Gives the template that a framework says it matched, to be kept; empty where it is none of ours.
pub fn known(template: &str) -> &'static str {
    TEMPLATES
        .into_iter()
        .find(|known| *known == template)
        .unwrap_or_default()
}

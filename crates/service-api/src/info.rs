//! What is running: the one answer by which flavors can be told apart.

use serde::Serialize;
use utoipa::ToSchema;

use crate::body;

/// The facts of a running service.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Info {
    /// The program.
    pub app: AppInfo,
    /// How it was built.
    pub build: BuildInfo,
    /// What it was built from.
    pub git: GitInfo,
    /// How it runs.
    pub runtime: RuntimeInfo,
    /// What kind of store it keeps its data in; never a path or a URL.
    #[schema(example = "memory")]
    pub store: &'static str,
}

/// The program.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AppInfo {
    /// Its name.
    #[schema(example = "server-axum")]
    pub name: &'static str,
    /// Its version.
    #[schema(example = "0.1.0")]
    pub version: &'static str,
    /// The stack that serves.
    #[schema(example = "axum")]
    pub flavor: &'static str,
}

/// How the program was built.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BuildInfo {
    /// The cargo profile.
    #[schema(example = "release")]
    pub profile: &'static str,
    /// The target triple.
    #[schema(example = "x86_64-unknown-linux-gnu")]
    pub target: &'static str,
    /// The compiler.
    #[schema(example = "rustc 1.95.0")]
    pub rustc: &'static str,
}

/// What the program was built from.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GitInfo {
    /// The commit, or null where it was built outside a checkout.
    #[schema(required)]
    pub commit: Option<&'static str>,
}

/// How the program runs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RuntimeInfo {
    /// The HTTP framework and its version.
    #[schema(example = "axum 0.8.9")]
    pub framework: &'static str,
    /// Threads that serve requests.
    #[schema(minimum = 1)]
    pub workers: usize,
    /// The memory allocator.
    #[schema(example = "system")]
    pub allocator: &'static str,
    /// The log level.
    #[schema(example = "info")]
    pub log_level: &'static str,
    /// The process id.
    pub pid: u32,
    /// A random id of this start.
    pub instance: String,
}

impl Info {
    /// The facts as a JSON body.
    pub fn to_json(&self) -> Vec<u8> {
        body::to_json(self)
    }
}

//! The facts of this build, as the build script took them down.

use service_api::info::{BuildInfo, GitInfo};

pub(crate) const BUILD: BuildInfo = BuildInfo {
    profile: env!("BUILD_PROFILE"),
    target: env!("BUILD_TARGET"),
    rustc: env!("BUILD_RUSTC"),
};

pub(crate) const GIT: GitInfo = GitInfo {
    commit: option_env!("BUILD_COMMIT"),
};

//! Takes down the facts of the build that `/info` tells.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rustc-env=BUILD_PROFILE={}", profile());
    println!("cargo::rustc-env=BUILD_TARGET={}", var("TARGET"));
    let rustc = output(Command::new(var("RUSTC")).arg("--version")).unwrap_or_default();
    // `rustc 1.95.0 (hash date)`: the hash says nothing that the version does not.
    let rustc: Vec<_> = rustc.split(' ').take(2).collect();
    println!("cargo::rustc-env=BUILD_RUSTC={}", rustc.join(" "));

    if let Some(commit) = git(&["rev-parse", "HEAD"]) {
        println!("cargo::rustc-env=BUILD_COMMIT={commit}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    for moved in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", moved])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// The cargo profile by the name of its folder: `PROFILE` says only debug or release.
fn profile() -> String {
    let out_dir = PathBuf::from(var("OUT_DIR"));
    let folder = out_dir
        .ancestors()
        .find(|folder| folder.file_name().is_some_and(|name| name == "build"))
        .and_then(Path::parent)
        .and_then(Path::file_name);
    folder.map_or_else(
        || var("PROFILE"),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn git(arguments: &[&str]) -> Option<String> {
    output(Command::new("git").args(arguments))
}

fn output(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn var(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}

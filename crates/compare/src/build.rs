//! Builds one server by itself, with cargo, in the release profile.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use cargo_metadata::Message;

use crate::guard::Guard;
use crate::interrupt::Interrupt;
use crate::process::Group;

/// A server that is built.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Built {
    /// The executable.
    pub(crate) binary: PathBuf,
    /// How long cargo took.
    pub(crate) time: Duration,
    /// The number of crates that were compiled; 0 where the server was built before.
    pub(crate) compiled: usize,
    /// The folder of files that the crate named here embeds.
    pub(crate) swagger_ui: Option<PathBuf>,
}

/// The workspace that is built.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    /// Its folder.
    pub(crate) root: PathBuf,
    /// Its target folder.
    pub(crate) target: PathBuf,
}

impl Workspace {
    /// Finds the workspace of the folder that the program runs in.
    ///
    /// # Errors
    /// There is none, or cargo does not tell.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let metadata = cargo_metadata::MetadataCommand::new()
            .no_deps()
            .exec()
            .context("run it inside the workspace: cargo knows of none here")?;
        Ok(Self {
            root: metadata.workspace_root.into(),
            target: metadata.target_directory.into(),
        })
    }
}

/// Builds a package by itself, so that no other's features leak into it; `say` is told each step of cargo.
///
/// # Errors
/// The build fails, with cargo's own output, or the comparison is told to end.
pub(crate) fn build(
    workspace: &Workspace,
    package: &str,
    guard: &Guard,
    interrupt: &Interrupt,
    mut say: impl FnMut(&str),
) -> anyhow::Result<Built> {
    let mut command = cargo(&workspace.root);
    command.args([
        "build",
        "--release",
        "--message-format=json-render-diagnostics",
        "--package",
        package,
    ]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let started = Instant::now();
    let mut group = Group::spawn(&mut command, guard).context("cannot start cargo")?;
    let lines = lines_of(&mut group)?;
    let (mut messages, mut log) = (Vec::new(), Vec::new());
    loop {
        interrupt.check()?;
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(Line::Out(line)) => messages.extend(serde_json::from_str::<Message>(&line).ok()),
            Ok(Line::Err(line)) => {
                say(line.trim());
                log.push(line);
            }
            Err(RecvTimeoutError::Timeout) => (),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = group.wait_or(interrupt)?;
    if !status.success() {
        bail!("building {package} failed:\n{}", log.join("\n"));
    }
    let (binary, compiled, swagger_ui) = read(&messages, package);
    let binary = binary.with_context(|| format!("cargo names no executable of {package}"))?;
    Ok(Built {
        binary,
        time: started.elapsed(),
        compiled,
        swagger_ui,
    })
}

/// The crates that end in a package's binary: the normal dependencies for this machine, each once,
/// without the workspace's own and without procedural macros, which run in the compiler.
///
/// # Errors
/// Cargo does not tell.
pub(crate) fn dependencies(workspace: &Workspace, package: &str) -> anyhow::Result<usize> {
    // `cargo tree` resolves the features of this package alone, as its build does; `cargo metadata`
    // would unite those of the whole workspace.
    let output = cargo(&workspace.root)
        .args([
            "tree",
            "--package",
            package,
            "--edges",
            "normal,no-proc-macro",
        ])
        .args(["--prefix", "none", "--format", "{p}"])
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!(
            "cargo tree failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(count_dependencies(&String::from_utf8_lossy(&output.stdout)))
}

fn count_dependencies(tree: &str) -> usize {
    let names: BTreeSet<&str> = tree
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        // A package of the workspace is followed by its folder.
        .filter(|line| !line.is_empty() && !line.ends_with(')'))
        .collect();
    names.len()
}

/// The executable, the number of crates compiled and the output folder of the crate that embeds Swagger UI.
fn read(messages: &[Message], package: &str) -> (Option<PathBuf>, usize, Option<PathBuf>) {
    let (mut binary, mut compiled, mut swagger_ui) = (None, 0, None);
    for message in messages {
        match message {
            Message::CompilerArtifact(artifact) => {
                compiled += usize::from(!artifact.fresh);
                if let Some(executable) = artifact
                    .executable
                    .as_ref()
                    .filter(|_| artifact.target.name == package)
                {
                    binary = Some(executable.clone().into_std_path_buf());
                }
            }
            Message::BuildScriptExecuted(script)
                if script.package_id.repr.contains("utoipa-swagger-ui@") =>
            {
                swagger_ui = Some(script.out_dir.clone().into_std_path_buf());
            }
            _ => (),
        }
    }
    (binary, compiled, swagger_ui)
}

enum Line {
    Out(String),
    Err(String),
}

/// The lines of both pipes of a child, as they come.
fn lines_of(group: &mut Group) -> anyhow::Result<Receiver<Line>> {
    let child = group.child();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (sender, lines) = channel();
    forward(
        stdout.context("no standard output")?,
        Line::Out,
        sender.clone(),
    );
    forward(stderr.context("no standard error")?, Line::Err, sender);
    Ok(lines)
}

fn forward(pipe: impl Read + Send + 'static, kind: fn(String) -> Line, sender: Sender<Line>) {
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(kind(line)).is_err() {
                return;
            }
        }
    });
}

/// The cargo that runs this program, or the one on the path.
fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_counted_once_and_without_the_workspaces_own() {
        let tree = "server-x v0.1.0 (/somewhere/crates/server-x)\n\
                    bytes v1.12.0\n\
                    hyper v1.12.0\n\
                    bytes v1.12.0\n\
                    hyper v1.12.0 (*)\n\
                    hyper v0.14.0\n\
                    service-api v0.1.0 (/somewhere/crates/service-api) (*)\n";
        assert_eq!(count_dependencies(tree), 3);
    }
}

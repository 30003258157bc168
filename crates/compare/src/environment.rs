//! The machine, the tools and the settings under which the figures came about.

use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::processors::Placement;

/// What a reader must know to judge the figures; `None` is what this machine does not tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Environment {
    /// The operating system and the architecture.
    pub(crate) system: String,
    /// The kernel's release.
    pub(crate) kernel: Option<String>,
    /// The processor's model.
    pub(crate) processor: Option<String>,
    /// The number of processors that this process may use.
    pub(crate) processors: usize,
    /// The memory of the machine in bytes.
    pub(crate) memory_bytes: Option<u64>,
    /// The compiler's version.
    pub(crate) rustc: Option<String>,
    /// The commit that was built.
    pub(crate) commit: Option<String>,
    /// Whether files differed from the commit.
    pub(crate) modified: Option<bool>,
    /// Which processors served and which generated.
    pub(crate) placement: Placement,
    /// The command line of this program.
    pub(crate) command_line: Vec<String>,
    /// The arguments of every server but its port.
    pub(crate) server_arguments: Vec<String>,
}

impl Environment {
    /// Reads the machine; `root` is the workspace.
    pub(crate) fn read(root: &Path, placement: &Placement, server_arguments: Vec<String>) -> Self {
        let status = output(
            Command::new("git")
                .arg("-C")
                .arg(root)
                .args(["status", "--porcelain"]),
        );
        Self {
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            kernel: std::fs::read_to_string("/proc/sys/kernel/osrelease")
                .ok()
                .map(|text| text.trim().to_owned()),
            processor: field("/proc/cpuinfo", "model name"),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: field("/proc/meminfo", "MemTotal").and_then(|text| kibibytes(&text)),
            rustc: output(Command::new("rustc").arg("--version").current_dir(root)),
            commit: output(
                Command::new("git")
                    .arg("-C")
                    .arg(root)
                    .args(["rev-parse", "HEAD"]),
            ),
            modified: status.map(|text| !text.is_empty()),
            placement: placement.clone(),
            command_line: std::env::args().collect(),
            server_arguments,
        }
    }
}

/// The value of the first line `name: value` of a file of `/proc`; `None` where there is no such file.
pub(crate) fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

/// The bytes of a size written as `123 kB`, which are kibibytes in `/proc`.
pub(crate) fn kibibytes(text: &str) -> Option<u64> {
    text.strip_suffix(" kB")?
        .trim()
        .parse::<u64>()
        .ok()
        .map(|size| size * 1024)
}

fn output(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_of_proc_is_in_kibibytes() {
        assert_eq!(kibibytes("1024 kB"), Some(1_048_576));
        assert_eq!(kibibytes("1024"), None);
    }
}

//! A second process that ends what this one started, should this one be killed.
//!
//! Signals are handled by this process itself, but nothing runs after SIGKILL. So a copy of this program
//! waits at the other end of a pipe and is told each process group that begins and ends. When the pipe
//! closes, whatever the reason, it kills the groups that are left. A process that was started but not told yet is
//! found by a mark in its environment. The guard stands in a process group of its own, so that a Ctrl-C on the
//! terminal does not reach it. A parent-death signal would need code between fork
//! and exec, which cannot be written safely and would slow the starts that are measured.

use std::collections::BTreeSet;
use std::io::{BufRead, Write as _};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;

use crate::process;

/// The handle on the guarding process; clones are the same handle, and the last one to go lets it end.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    pipe: Arc<Mutex<std::process::ChildStdin>>,
    mark: Arc<str>,
}

/// The environment variable that marks every process of a comparison.
const VARIABLE: &str = "COMPARE_RUN";

impl Guard {
    /// The hidden subcommand under which this program is the guard.
    pub(crate) const COMMAND: &str = "guard";

    /// Starts the guarding process.
    ///
    /// # Errors
    /// It cannot be started.
    pub(crate) fn start() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("cannot find this program's own file")?;
        let mark: Arc<str> = mark().into();
        let mut command = Command::new(program);
        command
            .args([Self::COMMAND, &mark])
            .env_remove(VARIABLE)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        process::own_group(&mut command);
        let mut child = command.spawn().context("cannot start the guard process")?;
        let pipe = child
            .stdin
            .take()
            .context("the guard process has no standard input")?;
        Ok(Self {
            pipe: Arc::new(Mutex::new(pipe)),
            mark,
        })
    }

    /// Marks the process of a command, and all that it starts, as belonging to this one.
    pub(crate) fn mark(&self, command: &mut Command) {
        command.env(VARIABLE, &*self.mark);
    }

    /// Has a process group ended with this process.
    pub(crate) fn watch(&self, group: u32) {
        self.tell(format_args!("+{group}\n"));
    }

    /// Forgets a process group that has ended.
    pub(crate) fn release(&self, group: u32) {
        self.tell(format_args!("-{group}\n"));
    }

    fn tell(&self, line: std::fmt::Arguments<'_>) {
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        // A guard that was killed guards no more; the comparison goes on without it.
        let _ = pipe.write_all(line.to_string().as_bytes());
    }
}

/// The guarding process itself: reads groups until the pipe closes, then kills those that are left and every
/// process with the mark.
pub(crate) fn run(input: impl BufRead, mark: &str) {
    for group in remaining(input) {
        process::kill_group(group);
    }
    // A process that is just being made shows its mark a little later.
    for _ in 0..SWEEPS {
        marked(mark).into_iter().for_each(process::kill);
        std::thread::sleep(BETWEEN_SWEEPS);
    }
}

const SWEEPS: u32 = 10;
const BETWEEN_SWEEPS: Duration = Duration::from_millis(50);

/// A text that no other run has: this process and the moment.
fn mark() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!(
        "{}-{}",
        std::process::id(),
        now.unwrap_or_default().as_nanos()
    )
}

/// The processes whose environment has the mark; none where the system does not tell.
fn marked(mark: &str) -> Vec<u32> {
    let entry = format!("{VARIABLE}={mark}");
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .flatten()
        .filter(|process| {
            let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
            environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == entry.as_bytes())
        })
        .filter_map(|process| process.file_name().to_str()?.parse().ok())
        .collect()
}

fn remaining(input: impl BufRead) -> BTreeSet<u32> {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let Some((sign, Ok(group))) = line
            .split_at_checked(1)
            .map(|(sign, rest)| (sign, rest.parse()))
        else {
            continue;
        };
        if sign == "+" {
            groups.insert(group);
        } else {
            groups.remove(&group);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_that_were_not_released_are_left() {
        let told = "+10\n+11\n\n-10\nnonsense\n+12\n-11\n+13\n".as_bytes();
        assert_eq!(remaining(told), [12, 13].into());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_was_not_told_yet_is_found_by_its_mark() {
        let mark = mark();
        let mut child = Command::new("sleep")
            .arg("60")
            .env(VARIABLE, &mark)
            .spawn()
            .expect("a child");
        let mut other = Command::new("sleep").arg("60").spawn().expect("a child");
        run(&b""[..], &mark);
        assert!(!child.wait().expect("it has ended").success());
        assert!(
            other.try_wait().expect("a child").is_none(),
            "another process is left alone"
        );
        other.kill().and_then(|()| other.wait()).expect("it ends");
    }
}

//! A second process that ends what this one started, should this one be killed.
//!
//! Signals are handled by this process itself, but nothing runs after SIGKILL. So a copy of this program
//! waits at the other end of a pipe and is told each process group that begins and ends. When the pipe
//! closes, whatever the reason, it kills the groups that are left. It stands in a process group of its own, so
//! that a Ctrl-C on the terminal does not reach it. A parent-death signal would need code between fork
//! and exec, which cannot be written safely and would slow the starts that are measured.

use std::collections::BTreeSet;
use std::io::{BufRead, Write as _};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;

use crate::process;

/// The handle on the guarding process; clones are the same handle, and the last one to go lets it end.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    pipe: Arc<Mutex<std::process::ChildStdin>>,
}

impl Guard {
    /// The hidden subcommand under which this program is the guard.
    pub(crate) const COMMAND: &str = "guard";

    /// Starts the guarding process.
    ///
    /// # Errors
    /// It cannot be started.
    pub(crate) fn start() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("cannot find this program's own file")?;
        let mut command = Command::new(program);
        command
            .arg(Self::COMMAND)
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
        })
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

/// The guarding process itself: reads groups until the pipe closes, then kills those that are left.
pub(crate) fn run(input: impl BufRead) {
    for group in remaining(input) {
        process::kill_group(group);
    }
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
}

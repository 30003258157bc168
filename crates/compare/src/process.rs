//! Child processes in groups of their own, which always end with their handle.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::guard::Guard;
use crate::interrupt::Interrupt;

/// A child process and all that it starts; dropping it kills and reaps them.
#[derive(Debug)]
pub(crate) struct Group {
    child: Child,
    guard: Guard,
    status: Option<ExitStatus>,
}

impl Group {
    /// Starts a command in a process group of its own.
    ///
    /// # Errors
    /// The command cannot be started.
    pub(crate) fn spawn(command: &mut Command, guard: &Guard) -> io::Result<Self> {
        own_group(command);
        guard.mark(command);
        let child = command.spawn()?;
        guard.watch(child.id());
        Ok(Self {
            child,
            guard: guard.clone(),
            status: None,
        })
    }

    /// The child's process id, which is its group's too.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The child, for its pipes.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// The exit status, once the child has ended.
    ///
    /// # Errors
    /// The child cannot be asked.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = self.child.try_wait()?;
            if self.status.is_some() {
                self.guard.release(self.child.id());
            }
        }
        Ok(self.status)
    }

    /// Waits at most `limit` for the child to end; `None` where it has not.
    ///
    /// # Errors
    /// The child cannot be asked.
    pub(crate) fn wait(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        let end = Instant::now() + limit;
        loop {
            let status = self.try_wait()?;
            if status.is_some() || Instant::now() >= end {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for the child however long it takes, unless the comparison is told to end.
    ///
    /// # Errors
    /// The comparison was told to end, or the child cannot be asked.
    pub(crate) fn wait_or(&mut self, interrupt: &Interrupt) -> anyhow::Result<ExitStatus> {
        loop {
            interrupt.check()?;
            if let Some(status) = self.wait(Duration::from_millis(50))? {
                return Ok(status);
            }
        }
    }

    /// Asks the child to stop: SIGTERM where there are signals.
    pub(crate) fn terminate(&mut self) {
        terminate(&mut self.child);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if matches!(self.try_wait(), Ok(Some(_))) {
            return;
        }
        kill_group(self.child.id());
        // The group's kill reaches the child; this is for systems without groups.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.guard.release(self.child.id());
    }
}

/// Puts a command's process into a group of its own, apart from the terminal's Ctrl-C.
pub(crate) fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

#[cfg(unix)]
fn terminate(child: &mut Child) {
    signal(
        child.id(),
        rustix::process::Signal::TERM,
        rustix::process::kill_process,
    );
}

#[cfg(not(unix))]
fn terminate(child: &mut Child) {
    let _ = child.kill();
}

/// Kills every process of a group; one that is gone is no error.
pub(crate) fn kill_group(group: u32) {
    #[cfg(unix)]
    signal(
        group,
        rustix::process::Signal::KILL,
        rustix::process::kill_process_group,
    );
    #[cfg(not(unix))]
    let _ = group;
}

/// Kills one process; one that is gone is no error.
pub(crate) fn kill(id: u32) {
    #[cfg(unix)]
    signal(
        id,
        rustix::process::Signal::KILL,
        rustix::process::kill_process,
    );
    #[cfg(not(unix))]
    let _ = id;
}

#[cfg(unix)]
fn signal(
    id: u32,
    signal: rustix::process::Signal,
    send: impl FnOnce(rustix::process::Pid, rustix::process::Signal) -> rustix::io::Result<()>,
) {
    if let Some(pid) = i32::try_from(id)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    {
        let _ = send(pid, signal);
    }
}

//! Ctrl-C and SIGTERM: the comparison ends early and keeps what is finished.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use load::Control;

/// The signal to end, seen by every wait of the comparison; clones are the same signal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    raised: AtomicBool,
    load: Mutex<Option<Control>>,
}

/// The comparison was told to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub(crate) struct Interrupted;

impl Interrupt {
    /// The exit code of a comparison that was told to end: 128 and SIGINT's 2, as shells have it.
    pub(crate) const EXIT_CODE: u8 = 130;

    /// Listens for SIGINT and SIGTERM on a thread of its own. The second signal ends the process at once;
    /// what it started is then ended by the guard.
    ///
    /// # Errors
    /// The handlers cannot be installed.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let raiser = interrupt.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let mut signals = {
            let _inside = runtime.enter();
            Signals::new()?
        };
        std::thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                runtime.block_on(async {
                    signals.next().await;
                    raiser.raise();
                    signals.next().await;
                    std::process::exit(Self::EXIT_CODE.into());
                });
            })?;
        Ok(interrupt)
    }

    /// Ends the comparison, and the load that runs.
    pub(crate) fn raise(&self) {
        self.shared.raised.store(true, Ordering::Release);
        if let Some(load) = &*self.load() {
            load.stop();
        }
    }

    /// Makes a signal end this load too.
    pub(crate) fn watch(&self, control: &Control) {
        *self.load() = Some(control.clone());
        if self.check().is_err() {
            control.stop();
        }
    }

    /// # Errors
    /// The comparison was told to end.
    pub(crate) fn check(&self) -> Result<(), Interrupted> {
        if self.shared.raised.load(Ordering::Acquire) {
            Err(Interrupted)
        } else {
            Ok(())
        }
    }

    /// Waits for `time`, or less where the comparison is told to end.
    ///
    /// # Errors
    /// The comparison was told to end.
    pub(crate) fn sleep(&self, time: Duration) -> Result<(), Interrupted> {
        let end = Instant::now() + time;
        loop {
            self.check()?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(Duration::from_millis(20)));
        }
    }

    fn load(&self) -> std::sync::MutexGuard<'_, Option<Control>> {
        self.shared
            .load
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => (),
            _ = self.terminate.recv() => (),
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        // Without a handler the system ends the process by itself.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_interrupt_ends_every_wait_and_the_load() {
        let interrupt = Interrupt::default();
        let control = Control::new();
        interrupt.watch(&control);
        assert_eq!(interrupt.sleep(Duration::from_millis(1)), Ok(()));
        interrupt.raise();
        assert!(control.is_stopped());
        assert_eq!(interrupt.sleep(Duration::from_secs(60)), Err(Interrupted));
        let later = Control::new();
        interrupt.watch(&later);
        assert!(later.is_stopped());
    }
}

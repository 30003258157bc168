//! From ready to gone: what asks a server to stop, and who may know of it.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether shutdown has begun, for whoever holds a clone.
#[derive(Clone, Debug, Default)]
pub struct Lifecycle {
    stopping: Arc<AtomicBool>,
}

impl Lifecycle {
    /// Whether shutdown has begun.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Says that shutdown has begun.
    pub fn begin_shutdown(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    /// Takes over SIGTERM and SIGINT and gives a future that ends with the first of them; shutdown has
    /// begun by then. A second one ends the process at once, with exit code 1.
    ///
    /// # Errors
    /// Where the signals cannot be taken over. Call it inside a tokio runtime.
    pub fn on_signal(&self) -> io::Result<impl Future<Output = ()> + Send + 'static> {
        let mut signals = Signals::new()?;
        let lifecycle = self.clone();
        Ok(async move {
            signals.recv().await;
            tracing::info!("stopping: requests in flight are finished, a second signal ends them");
            lifecycle.begin_shutdown();
            tokio::spawn(async move {
                signals.recv().await;
                process::exit(1);
            });
        })
    }
}

#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn recv(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

//! The handle by which another thread watches a run and ends it early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::Notify;

/// A shared handle on a run: how far it is, and the signal that ends it; clones are the same handle.
#[derive(Debug, Clone, Default)]
pub struct Control {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    stopped: AtomicBool,
    stop: Notify,
    good: AtomicU64,
    failed: AtomicU64,
}

impl Control {
    /// A handle for a run that is not ended.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the run at once: what is in flight is cut and counts as unfinished, what is done is kept.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::Release);
        // `notify_one` leaves a permit where nobody waits yet, so that a stop is never missed.
        self.shared.stop.notify_one();
    }

    /// Whether the run was told to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::Acquire)
    }

    /// The number of good answers so far.
    #[must_use]
    pub fn good(&self) -> u64 {
        self.shared.good.load(Ordering::Relaxed)
    }

    /// The number of requests that failed so far.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.shared.failed.load(Ordering::Relaxed)
    }

    pub(crate) async fn stopped(&self) {
        while !self.is_stopped() {
            self.shared.stop.notified().await;
        }
    }

    pub(crate) fn publish(&self, good: u64, failed: u64) {
        self.shared.good.store(good, Ordering::Relaxed);
        self.shared.failed.store(failed, Ordering::Relaxed);
    }
}

//! A memory store that fails on command, for tests.

use std::future::pending;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::memory::MemoryStore;
use crate::{STORE_TIMEOUT, StoreError};

/// What is wrong with a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// Every call is answered with [`StoreError::Unavailable`].
    Down,
    /// No call is answered until the fault changes or [`STORE_TIMEOUT`] is over.
    Hang,
    /// Every call panics.
    Panic,
    /// Every list fails with [`StoreError::Unavailable`] after so many pieces; all else works.
    FailListAfter(usize),
}

/// Commands the fault of one store, for calls that wait already too.
#[derive(Clone, Debug)]
pub struct FaultSwitch {
    fault: watch::Sender<Fault>,
}

impl FaultSwitch {
    /// Sets the fault from now on.
    pub fn set(&self, fault: Fault) {
        self.fault.send_replace(fault);
    }
}

/// A memory store behind a [`FaultSwitch`].
pub(crate) struct FaultyStore {
    memory: MemoryStore,
    fault: watch::Receiver<Fault>,
}

impl FaultyStore {
    /// An empty store without a fault, and its switch.
    pub(crate) fn new() -> (Self, FaultSwitch) {
        let (sender, receiver) = watch::channel(Fault::None);
        (
            Self {
                memory: MemoryStore::default(),
                fault: receiver,
            },
            FaultSwitch { fault: sender },
        )
    }

    /// The store, as soon as the fault lets a call through.
    pub(crate) async fn memory(&self) -> Result<&MemoryStore, StoreError> {
        self.within_time(None).await
    }

    /// As [`FaultyStore::memory`], for the piece of a list that comes after `pieces` others.
    pub(crate) async fn memory_for_piece(&self, pieces: usize) -> Result<&MemoryStore, StoreError> {
        self.within_time(Some(pieces)).await
    }

    async fn within_time(&self, pieces: Option<usize>) -> Result<&MemoryStore, StoreError> {
        timeout(STORE_TIMEOUT, self.pass(pieces))
            .await
            .map_err(|_| StoreError::TimedOut)??;
        Ok(&self.memory)
    }

    async fn pass(&self, pieces: Option<usize>) -> Result<(), StoreError> {
        let mut switch = self.fault.clone();
        loop {
            let fault = *switch.borrow_and_update();
            match fault {
                Fault::None => return Ok(()),
                Fault::Down => return Err(injected()),
                Fault::FailListAfter(limit) if pieces.is_some_and(|pieces| pieces >= limit) => {
                    return Err(injected());
                }
                Fault::FailListAfter(_) => return Ok(()),
                Fault::Panic => panic!("a panic injected into the store"),
                // Without its switch the fault cannot change any more.
                Fault::Hang => match switch.changed().await {
                    Ok(()) => {}
                    Err(_) => pending().await,
                },
            }
        }
    }
}

fn injected() -> StoreError {
    StoreError::Unavailable("a failure injected into the store".into())
}

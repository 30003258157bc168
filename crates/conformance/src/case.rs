//! What a case is: a sentence, the entries of the contract that it shows, and the code that does.

use std::{fmt, net::SocketAddr};

use anyhow::Result;

use crate::{
    contract,
    process::Binary,
    target::{Target, take_last_exchange},
};

/// One case of the suite.
#[derive(Clone, Copy)]
pub struct Case {
    /// What is true where the case passes, as a sentence.
    pub name: &'static str,
    /// The numbers of the contract entries that the case shows.
    pub covers: &'static [&'static str],
    /// Whether the case belongs to the short subset that goes before a load.
    pub load: bool,
    /// The code, and with it what the case needs.
    pub run: Run,
}

/// The code of a case that needs but a URL.
pub type UrlRun = fn(&Target) -> Result<()>;

/// The code of a case, by what it is given.
#[derive(Clone, Copy)]
pub enum Run {
    /// A running server, shared with other cases that run at the same time.
    Url(UrlRun),
    /// The executable of a server, to start and stop at will.
    Process(fn(&Binary) -> Result<()>),
    /// A way to start a server on a store that fails on command.
    Faults(fn(&StartWithFaults) -> Result<()>),
    /// One fresh server of every flavor, with its name.
    Flavors(fn(&[(&'static str, Target)]) -> Result<()>),
}

/// How the store of a server under test fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreFault {
    /// It does not: all is well.
    None,
    /// Every operation says at once that the store is down.
    Down,
    /// No operation ever ends.
    Hang,
    /// Every operation panics.
    Panic,
    /// A list fails after its first 4096 persons; all else works.
    Midway,
}

/// Starts a server on a store that fails on command.
pub type StartWithFaults = dyn Fn() -> Result<FaultyServer> + Send + Sync;

/// A server on a store that fails on command; it is stopped when this is dropped.
pub struct FaultyServer {
    /// Where it listens.
    pub address: SocketAddr,
    /// Sets how the store fails from now on.
    pub set_fault: Box<dyn Fn(StoreFault) + Send + Sync>,
    /// Says that the shutdown has begun, as a signal does, and lets the server run on.
    pub begin_shutdown: Box<dyn Fn() + Send + Sync>,
    /// Whatever keeps the server running.
    pub keep: Box<dyn std::any::Any + Send>,
}

impl FaultyServer {
    /// The server as a target of requests.
    pub fn target(&self) -> Target {
        Target::at(self.address)
    }

    /// Sets how the store fails from now on.
    pub fn set(&self, fault: StoreFault) {
        (self.set_fault)(fault);
    }
}

impl Case {
    /// A case over a running server.
    pub const fn url(name: &'static str, covers: &'static [&'static str], run: UrlRun) -> Self {
        Self::new(name, covers, Run::Url(run))
    }

    /// A case that starts processes of its own.
    pub const fn process(
        name: &'static str,
        covers: &'static [&'static str],
        run: fn(&Binary) -> Result<()>,
    ) -> Self {
        Self::new(name, covers, Run::Process(run))
    }

    /// A case that needs a store that fails on command.
    pub const fn faults(
        name: &'static str,
        covers: &'static [&'static str],
        run: fn(&StartWithFaults) -> Result<()>,
    ) -> Self {
        Self::new(name, covers, Run::Faults(run))
    }

    /// A case that asks every flavor.
    pub const fn flavors(
        name: &'static str,
        covers: &'static [&'static str],
        run: fn(&[(&'static str, Target)]) -> Result<()>,
    ) -> Self {
        Self::new(name, covers, Run::Flavors(run))
    }

    /// The same case in the short subset that goes before a load.
    pub const fn before_load(mut self) -> Self {
        self.load = true;
        self
    }

    const fn new(name: &'static str, covers: &'static [&'static str], run: Run) -> Self {
        Self {
            name,
            covers,
            load: false,
            run,
        }
    }

    /// Runs code of this case and turns an error into a reason that a reader can act on: what went
    /// wrong, the last request and response, and what the contract says.
    ///
    /// # Errors
    /// Fails where the code does, with that reason.
    pub fn explained(&self, run: impl FnOnce() -> Result<()>) -> Result<(), String> {
        take_last_exchange();
        let Err(error) = run() else {
            return Ok(());
        };
        let mut reason = format!("{error:#}");
        if let Some(exchange) = take_last_exchange() {
            reason.push('\n');
            reason.push_str(&exchange);
        }
        for id in self.covers {
            let text = contract::entry(id).map_or("(no such entry)", |entry| &entry.text);
            reason.push_str(&format!("\ncontract {id}: {text}"));
        }
        Err(reason)
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Case")
            .field("name", &self.name)
            .field("covers", &self.covers)
            .field("load", &self.load)
            .finish_non_exhaustive()
    }
}

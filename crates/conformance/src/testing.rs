//! The suite as tests: each case over a flavor is a test of its own, with its sentence for a name.

use std::{
    panic,
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Result;
use libtest_mimic::{Arguments, Failed, Trial};

use crate::{
    case::{Case, Run, StartWithFaults},
    cases,
    process::{Binary, Server},
    target::Target,
};

/// A flavor under test.
pub struct Flavor {
    /// Its short name, as `/info` has it.
    pub name: &'static str,
    /// The path of its executable.
    pub binary: &'static str,
    /// Starts it on a store that fails on command.
    pub start_with_faults: Box<StartWithFaults>,
}

/// The main function of a flavor's test binary: every case that one flavor is enough for.
///
/// The cases over a URL share one process of the flavor, started with the first of them.
pub fn main(flavor: Flavor) -> ExitCode {
    let arguments = Arguments::from_args();
    // Servers in this process panic on command: a line each is enough, without a backtrace.
    panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let name = flavor.name;
    let shared = Arc::new(Shared {
        binary: Binary {
            path: flavor.binary.into(),
            flavor: name,
        },
        start_with_faults: flavor.start_with_faults,
        server: Mutex::new(None),
    });
    let trials = cases::all()
        .filter(|case| !matches!(case.run, Run::Flavors(_)))
        .map(|case| {
            let shared = Arc::clone(&shared);
            Trial::test(format!("{name}: {}", case.name), move || {
                shared.run(case).map_err(Failed::from)
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// What the tests of one flavor have in common.
struct Shared {
    binary: Binary,
    start_with_faults: Box<StartWithFaults>,
    server: Mutex<Option<Server>>,
}

impl Shared {
    fn run(&self, case: &Case) -> Result<(), String> {
        case.explained(|| match case.run {
            Run::Url(run) => run(&self.target()?),
            Run::Process(run) => run(&self.binary),
            Run::Faults(run) => run(&*self.start_with_faults),
            Run::Flavors(_) => Ok(()),
        })
    }

    /// The server that the cases over a URL share.
    fn target(&self) -> Result<Target> {
        let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        let server = match &mut *server {
            Some(server) => server,
            empty => empty.insert(self.binary.start(&["--log-level", "warn"])?),
        };
        Ok(server.target().clone())
    }
}

//! The conformance suite over this flavor.

use std::{process::ExitCode, thread, time::Duration};

use conformance::case::{FaultyServer, StoreFault};
use conformance::testing::{self, Flavor};
use person_repository::{Fault, PIECE_PERSONS, PersonRepository};
use server_actix::{FLAVOR, server};
use service_runtime::{App, Telemetry, listener};
use tokio::sync::oneshot;

fn main() -> ExitCode {
    testing::main(Flavor {
        name: FLAVOR.name,
        binary: env!("CARGO_BIN_EXE_server-actix"),
        start_with_faults: Box::new(start_with_faults),
    })
}

fn start_with_faults() -> anyhow::Result<FaultyServer> {
    let (persons, switch) = PersonRepository::with_faults();
    let listener = listener::bind("127.0.0.1:0".parse()?)?;
    let address = listener.local_addr()?;
    let app = App::new(FLAVOR, persons, 1, Telemetry::default());
    let lifecycle = app.lifecycle().clone();
    let (stop, stopped) = oneshot::channel::<()>();
    thread::spawn(move || -> anyhow::Result<()> {
        server::runtime(1)?.block_on(async {
            let shutdown = async { drop(stopped.await) };
            server::serve(listener, app, shutdown, Duration::from_secs(1)).await
        })
    });
    Ok(FaultyServer {
        address,
        set_fault: Box::new(move |fault| {
            switch.set(match fault {
                StoreFault::None => Fault::None,
                StoreFault::Down => Fault::Down,
                StoreFault::Hang => Fault::Hang,
                StoreFault::Panic => Fault::Panic,
                StoreFault::Midway => Fault::FailListAfter(4096 / PIECE_PERSONS),
            });
        }),
        begin_shutdown: Box::new(move || lifecycle.begin_shutdown()),
        keep: Box::new(stop),
    })
}

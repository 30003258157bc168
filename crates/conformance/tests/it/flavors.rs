//! The cases that ask every flavor, over one fresh server of each.

use std::{net::TcpListener, thread, time::Duration};

use conformance::{case::Run, cases, target::Target};
use person_repository::PersonRepository;
use service_runtime::{App, Telemetry, listener};
use tokio::sync::oneshot;

/// A server in this process; it ends when this is dropped.
struct Running {
    name: &'static str,
    target: Target,
    _stop: oneshot::Sender<()>,
}

/// Starts a flavor on an empty memory store.
macro_rules! start {
    ($flavor:ident) => {
        start(
            $flavor::FLAVOR.name,
            |listener: TcpListener, stop: oneshot::Receiver<()>| -> anyhow::Result<()> {
                $flavor::server::runtime(1)?.block_on(async {
                    let persons = PersonRepository::in_memory();
                    let app = App::new($flavor::FLAVOR, persons, 1, Telemetry::default());
                    let shutdown = async { drop(stop.await) };
                    $flavor::server::serve(listener, app, shutdown, Duration::from_secs(1)).await
                })
            },
        )
    };
}

fn start(
    name: &'static str,
    serve: impl FnOnce(TcpListener, oneshot::Receiver<()>) -> anyhow::Result<()> + Send + 'static,
) -> anyhow::Result<Running> {
    let listener = listener::bind("127.0.0.1:0".parse()?)?;
    let target = Target::at(listener.local_addr()?);
    let (stop, stopped) = oneshot::channel();
    thread::spawn(move || serve(listener, stopped));
    Ok(Running {
        name,
        target,
        _stop: stop,
    })
}

#[test]
fn the_flavors_answer_alike() -> anyhow::Result<()> {
    for case in cases::all() {
        let Run::Flavors(run) = case.run else {
            continue;
        };
        let servers = [
            start!(server_axum)?,
            start!(server_actix)?,
            start!(server_hyper)?,
        ];
        let flavors: Vec<(&str, Target)> = servers
            .iter()
            .map(|server| (server.name, server.target.clone()))
            .collect();
        if let Err(reason) = case.explained(|| run(&flavors)) {
            panic!("{}: {reason}", case.name);
        }
    }
    Ok(())
}

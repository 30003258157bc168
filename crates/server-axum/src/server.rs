//! Accepts connections until shutdown begins, then lets what is under way end.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use service_runtime::App;
use service_runtime::stream::LingeringStream;
use tokio::runtime::{Builder, Runtime};

use crate::routes;

/// How long to wait after no connection could be accepted: what is missing then, descriptors or memory,
/// does not come back at once.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The runtime that [`serve`] runs on, with so many worker threads.
///
/// # Errors
/// Where the system has no room for it.
pub fn runtime(workers: usize) -> io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(workers)
        .enable_all()
        .build()
}

/// Serves until `shutdown` ends, then for `grace` at most lets requests in flight end.
///
/// # Errors
/// Where the listener cannot be used.
pub async fn serve(
    listener: TcpListener,
    app: App,
    shutdown: impl Future<Output = ()>,
    grace: Duration,
) -> anyhow::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let service = TowerToHyperService::new(routes::router(app.clone()));
    let graceful = GracefulShutdown::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) if is_of_one_connection(&error) => continue,
            Err(error) => {
                tracing::warn!(%error, "no connection could be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let open = app.metrics().connection_opens();
        let connection = http1::Builder::new()
            .half_close(true)
            .serve_connection(TokioIo::new(LingeringStream::new(stream)), service.clone());
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection failed");
            }
            drop(open);
        });
    }
    drop(listener);
    if tokio::time::timeout(grace, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("requests were cut: they took longer than the grace");
    }
    Ok(())
}

/// Whether a client went before it was accepted, which says nothing of the next one.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}

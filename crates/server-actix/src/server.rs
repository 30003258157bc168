//! Serves until shutdown begins, then lets what is under way end.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use actix_web::http::KeepAlive;
use actix_web::middleware::from_fn;
use actix_web::rt::{self, System, SystemRunner};
use actix_web::web::Data;
use actix_web::{App as ActixApp, HttpServer};
use service_runtime::App;

use crate::middleware::observe;
use crate::routes;

/// The runtime that [`serve`] runs on. It has one thread: the workers are threads of the server's own,
/// each with a runtime of its own, as many as the state says.
///
/// # Errors
/// None; other runtimes have some.
pub fn runtime(_workers: usize) -> io::Result<SystemRunner> {
    Ok(System::new())
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
    let state = Data::new(app.clone());
    let service = move || {
        ActixApp::new()
            .app_data(state.clone())
            .configure(routes::configure)
            .wrap(from_fn(observe))
    };
    let connected = app.clone();
    let server = HttpServer::new(service)
        .workers(app.info().runtime.workers)
        .disable_signals()
        // The grace is kept below, in its own unit.
        .shutdown_timeout(u64::from(u32::MAX))
        // Like the other flavors: no time-outs on requests.
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(Duration::ZERO)
        // How long a client may go on sending after its last answer, as the other flavors have it.
        .client_disconnect_timeout(Duration::from_secs(1))
        .on_connect(move |_stream, connection| {
            connection.insert(connected.metrics().connection_opens());
        })
        .listen(listener)?
        .run();
    let handle = server.handle();
    let mut server = rt::spawn(server);
    tokio::select! {
        // Its workers may fail to start.
        ended = &mut server => return Ok(ended??),
        () = shutdown => {}
    }
    if tokio::time::timeout(grace, handle.stop(true))
        .await
        .is_err()
    {
        tracing::warn!("requests were cut: they took longer than the grace");
        return Ok(());
    }
    Ok(server.await??)
}

//! Reading long answers side by side, piece by piece, without keeping them.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Empty};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::control::Control;
use crate::run::host;

/// Takes an answer's body piece by piece.
pub trait Sink {
    /// Takes the next bytes.
    fn take(&mut self, piece: &[u8]);
}

/// Why an answer was not read to its end.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The runtime or the connection could not be made, or broke.
    #[error("connection failed")]
    Io(#[from] std::io::Error),
    /// The exchange failed.
    #[error("the answer broke off")]
    Http(#[from] hyper::Error),
    /// The target is no valid one.
    #[error("invalid request")]
    Request(#[from] http::Error),
    /// Another status than 200.
    #[error("status {0} for 200")]
    Status(u16),
    /// The run was told to end.
    #[error("stopped")]
    Stopped,
}

/// Sends `GET target` on `readers` connections at once and hands each answer, piece by piece, to a sink of
/// its own; gives the sinks back in order once all answers are read to their end, on the calling thread.
///
/// # Errors
/// The first connection that fails, answers another status than 200 or breaks off ends all.
pub fn read_streams<S: Sink + 'static>(
    address: SocketAddr,
    target: &str,
    sinks: Vec<S>,
    control: &Control,
) -> Result<Vec<S>, StreamError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let local = LocalSet::new();
    local.block_on(&runtime, async {
        let readers: Vec<_> = sinks
            .into_iter()
            .map(|sink| tokio::task::spawn_local(read(address, target.to_owned(), sink)))
            .collect();
        let all = async {
            let mut sinks = Vec::with_capacity(readers.len());
            for reader in readers {
                sinks.push(reader.await.map_err(std::io::Error::from)??);
            }
            Ok(sinks)
        };
        tokio::select! {
            sinks = all => sinks,
            () = control.stopped() => Err(StreamError::Stopped),
        }
    })
}

async fn read<S: Sink>(address: SocketAddr, target: String, mut sink: S) -> Result<S, StreamError> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let driver = tokio::task::spawn_local(connection);
    let request = http::Request::get(target)
        .header(http::header::HOST, host(address))
        .body(Empty::<Bytes>::new())?;
    let response = sender.send_request(request).await?;
    if response.status() != http::StatusCode::OK {
        return Err(StreamError::Status(response.status().as_u16()));
    }
    let mut body = response.into_body();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame?.into_data() {
            sink.take(&data);
        }
    }
    driver.abort();
    Ok(sink)
}

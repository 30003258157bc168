//! One kept connection of a user, over hyper's client.

use std::net::SocketAddr;

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Body as _;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::outcome::Failure;

/// An open HTTP/1.1 connection and the task that moves its bytes.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    driver: JoinHandle<()>,
}

/// A complete answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
}

impl Connection {
    /// The longest body that is kept for checking, in bytes; a longer one is no good answer.
    pub(crate) const MAX_BODY: usize = 1 << 20;

    pub(crate) async fn open(address: SocketAddr) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address)
            .await
            .map_err(|_| Failure::Connect)?;
        stream.set_nodelay(true).map_err(|_| Failure::Connect)?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|_| Failure::Connect)?;
        let driver = tokio::task::spawn_local(async move {
            // How it ended is seen by the request that it carried.
            let _ = connection.await;
        });
        sender.ready().await.map_err(|_| Failure::Connect)?;
        Ok(Self { sender, driver })
    }

    /// Whether the next request can be sent on it.
    pub(crate) fn is_usable(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Waits until the connection has put the last answer behind it; false where it is closed.
    pub(crate) async fn settle(&mut self) -> bool {
        self.sender.ready().await.is_ok()
    }

    /// Sends a request and reads its answer to the last byte.
    pub(crate) async fn exchange(
        &mut self,
        request: http::Request<Full<Bytes>>,
    ) -> Result<Answer, Failure> {
        let response = self.sender.send_request(request).await.map_err(kind)?;
        let status = response.status().as_u16();
        let body = read(response.into_body()).await?;
        Ok(Answer { status, body })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

/// Reads a body; most come in one piece, which is then not copied.
async fn read(mut body: hyper::body::Incoming) -> Result<Bytes, Failure> {
    let mut first = Bytes::new();
    let mut more = BytesMut::new();
    while !body.is_end_stream() {
        let Some(frame) = body.frame().await else {
            break;
        };
        let Ok(data) = frame.map_err(kind)?.into_data() else {
            continue;
        };
        if first.is_empty() {
            first = data;
            continue;
        }
        if first.len() + more.len() + data.len() > Connection::MAX_BODY {
            return Err(Failure::Length);
        }
        if more.is_empty() {
            more.extend_from_slice(&first);
        }
        more.extend_from_slice(&data);
    }
    Ok(if more.is_empty() {
        first
    } else {
        more.freeze()
    })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is passed by name to map_err"
)]
fn kind(error: hyper::Error) -> Failure {
    if error.is_parse() {
        Failure::Protocol
    } else {
        Failure::Disconnected
    }
}

//! The stream of a connection that ends without losing the last answer.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// How long a client may go on sending after its last answer.
const LINGER: Duration = Duration::from_secs(1);

/// How much of that is taken, in bytes.
const LINGER_BYTES: usize = 16 * 1024 * 1024;

/// A TCP stream whose shutdown takes what the client is still sending (RFC 9112, section 9.6). Closing
/// a socket with input unread resets the connection, and the reset can overtake the answer: a client
/// that uploads too much would see a broken pipe instead of its 413.
#[derive(Debug)]
pub struct LingeringStream {
    stream: TcpStream,
    /// Set once the sending side is closed and input was found unread.
    deadline: Option<Pin<Box<Sleep>>>,
    taken_bytes: usize,
}

impl LingeringStream {
    /// Takes a stream over.
    pub fn new(stream: TcpStream) -> Self {
        Self {
            stream,
            deadline: None,
            taken_bytes: 0,
        }
    }
}

impl AsyncRead for LingeringStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for LingeringStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.deadline.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        }
        let mut space = [MaybeUninit::uninit(); 4096];
        while self.taken_bytes < LINGER_BYTES {
            let mut buffer = ReadBuf::uninit(&mut space);
            let read = Pin::new(&mut self.stream).poll_read(context, &mut buffer);
            match (read, &mut self.deadline) {
                (Poll::Ready(Ok(())), deadline) if !buffer.filled().is_empty() => {
                    deadline.get_or_insert_with(|| Box::pin(sleep(LINGER)));
                    self.taken_bytes += buffer.filled().len();
                }
                // The client waits for the end as well: there is nothing that a reset could hurt.
                (Poll::Pending, None) | (Poll::Ready(_), _) => break,
                (Poll::Pending, Some(deadline)) => {
                    ready!(deadline.as_mut().poll(context));
                    break;
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    async fn pair() -> (TcpStream, LingeringStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
        let address = listener.local_addr().expect("its address");
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let (server, _) = accepted.expect("a connection");
        (client.expect("a connection"), LingeringStream::new(server))
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.expect("a runtime").block_on(test);
    }

    #[test]
    fn an_answer_given_before_all_was_sent_arrives_and_the_upload_does_not_fail() {
        run(async {
            let (mut client, mut server) = pair().await;
            let upload = vec![0; 8 * 1024 * 1024];
            let serve = async {
                server
                    .read_exact(&mut [0; 1000])
                    .await
                    .expect("the beginning");
                server
                    .write_all(b"answer")
                    .await
                    .expect("room for an answer");
                server.shutdown().await.expect("an end");
                drop(server);
            };
            let send = async {
                client.write_all(&upload).await.expect("nothing resets it");
                client.shutdown().await.expect("an end");
                let mut answer = String::new();
                client
                    .read_to_string(&mut answer)
                    .await
                    .expect("nothing resets it");
                assert_eq!(answer, "answer");
            };
            tokio::join!(serve, send);
        });
    }

    #[test]
    fn a_silent_client_does_not_hold_the_end_up() {
        run(async {
            let (client, mut server) = pair().await;
            let end = tokio::time::timeout(LINGER / 2, server.shutdown());
            end.await.expect("no linger").expect("an end");
            drop(client);
        });
    }

    #[test]
    fn a_client_that_never_ends_is_left_in_the_end() {
        run(async {
            let (mut client, mut server) = pair().await;
            client.write_all(b"more").await.expect("room");
            server.stream.readable().await.expect("it has arrived");
            let begun = tokio::time::Instant::now();
            server.shutdown().await.expect("an end");
            assert!(begun.elapsed() >= LINGER);
            drop(client);
        });
    }
}

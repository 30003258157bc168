//! The least of an HTTP/1.1 client: one request on a fresh blocking socket, for waits and single answers.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

/// A request as the bytes that are sent.
#[derive(Debug, Clone)]
pub(crate) struct Get {
    address: SocketAddr,
    bytes: Vec<u8>,
}

impl Get {
    /// The longest wait for a connection or for the next bytes of an answer.
    const LIMIT: Duration = Duration::from_secs(5);

    /// A GET of `target`.
    pub(crate) fn new(address: SocketAddr, target: &str) -> Self {
        let bytes =
            format!("GET {target} HTTP/1.1\r\nhost: {address}\r\naccept: */*\r\n\r\n").into_bytes();
        Self { address, bytes }
    }

    /// Connects, sends and reads the answer to its last byte.
    ///
    /// # Errors
    /// There is no connection, no complete answer in time, or one that is not HTTP with a length.
    pub(crate) fn send(&self) -> io::Result<Answer> {
        let mut stream = TcpStream::connect_timeout(&self.address, Self::LIMIT)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Self::LIMIT))?;
        stream.write_all(&self.bytes)?;
        let mut buffer = Vec::with_capacity(4096);
        loop {
            if let Some(answer) = parse(&buffer)? {
                return Ok(answer);
            }
            let start = buffer.len();
            buffer.resize(start + 4096, 0);
            let read = stream.read(&mut buffer[start..])?;
            buffer.truncate(start + read);
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

/// Gives the answer once `bytes` hold all of it.
fn parse(bytes: &[u8]) -> io::Result<Option<Answer>> {
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut head = httparse::Response::new(&mut headers);
    let parsed = head
        .parse(bytes)
        .map_err(|error| invalid(&error.to_string()))?;
    let (httparse::Status::Complete(start), Some(status)) = (parsed, head.code) else {
        return Ok(None);
    };
    let length = head
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-length"))
        .and_then(|header| {
            std::str::from_utf8(header.value)
                .ok()?
                .parse::<usize>()
                .ok()
        })
        .ok_or_else(|| invalid("an answer without a length"))?;
    Ok(bytes.get(start..start + length).map(|body| Answer {
        status,
        body: body.to_vec(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_given_once_it_is_complete() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npong";
        for cut in 0..whole.len() {
            assert_eq!(parse(&whole[..cut]).expect("it is HTTP"), None, "at {cut}");
        }
        assert_eq!(
            parse(whole).expect("it is HTTP"),
            Some(Answer {
                status: 200,
                body: b"pong".to_vec()
            })
        );
    }

    #[test]
    fn what_is_not_http_or_has_no_length_is_refused() {
        assert!(parse(b"SSH-2.0-OpenSSH\r\n\r\n").is_err());
        assert!(parse(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").is_err());
    }
}

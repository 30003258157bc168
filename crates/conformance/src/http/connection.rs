//! One connection: bytes out, responses in, a time-out on everything.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};

use super::{Framing, Response};

/// How long one read or write may stand still.
const STILL: Duration = Duration::from_secs(20);
/// How long a whole response may take.
const WHOLE: Duration = Duration::from_secs(90);
/// Response heads beyond this are refused, in bytes.
const MAX_HEAD: usize = 64 * 1024;

/// An open connection, kept alive as long as the server does.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// Bytes that were read and belong to what comes next.
    unread: Vec<u8>,
}

impl Connection {
    /// Connects within the time-out.
    ///
    /// # Errors
    /// Fails where nobody listens.
    pub fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect_timeout(&address, STILL)
            .with_context(|| format!("no connection to {address}"))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(STILL))?;
        stream.set_write_timeout(Some(STILL))?;
        Ok(Self {
            stream,
            unread: Vec::new(),
        })
    }

    /// Sends bytes as they are.
    ///
    /// A server may answer and close before it has read all (a body over the limit): that the
    /// other side is gone is no error here, the response tells.
    ///
    /// # Errors
    /// Fails where the bytes stand still for longer than the time-out.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self.stream.write_all(bytes) {
            Err(error)
                if !matches!(
                    error.kind(),
                    ErrorKind::BrokenPipe | ErrorKind::ConnectionReset
                ) =>
            {
                Err(error).context("the request could not be sent")
            }
            _ => Ok(()),
        }
    }

    /// Closes the sending side; responses can still be read.
    ///
    /// # Errors
    /// Fails where the connection is gone.
    pub fn close_sending(&self) -> Result<()> {
        Ok(self.stream.shutdown(Shutdown::Write)?)
    }

    /// Reads the response to a request of this method, up to its end or to where it was cut.
    ///
    /// # Errors
    /// Fails where no head comes in time, or the bytes are no response of HTTP/1.x.
    pub fn read_response(&mut self, method: &str) -> Result<Response> {
        let mut response = self.read_head(method)?;
        self.read_body(&mut response)?;
        Ok(response)
    }

    /// Reads the head only; the body is to be read with [`Connection::read_body`].
    ///
    /// # Errors
    /// Fails where no head comes in time, or the bytes are no response of HTTP/1.x.
    pub fn read_head(&mut self, method: &str) -> Result<Response> {
        let deadline = Instant::now() + WHOLE;
        loop {
            if let Some(response) = self.parse_head(method)? {
                if response.status >= 200 {
                    return Ok(response);
                }
                continue;
            }
            ensure!(self.unread.len() <= MAX_HEAD, "the head is too large");
            ensure!(
                self.read_more(deadline)?,
                "the connection was closed before a response, after {} bytes: {}",
                self.unread.len(),
                self.unread.escape_ascii()
            );
        }
    }

    /// Reads the body that belongs to a head, and says in it whether it came to its end.
    ///
    /// # Errors
    /// Fails where the body stands still, or is framed wrongly.
    pub fn read_body(&mut self, response: &mut Response) -> Result<()> {
        let deadline = Instant::now() + WHOLE;
        match response.framing {
            Framing::Bodiless => {}
            Framing::Length => {
                let length: usize = response
                    .required_header("content-length")?
                    .parse()
                    .context("content-length is no number")?;
                response.complete = self.fill(length, deadline)?;
                let end = length.min(self.unread.len());
                response.body = self.unread.drain(..end).collect();
            }
            Framing::Chunked => response.complete = self.read_chunks(response, deadline)?,
            Framing::Close => {
                while self.read_more(deadline)? {}
                response.body = std::mem::take(&mut self.unread);
            }
        }
        Ok(())
    }

    /// Whether the server has closed the connection, waiting for it as long as `patience`.
    ///
    /// # Errors
    /// Fails where the server sends bytes instead.
    pub fn is_closed_within(&mut self, patience: Duration) -> Result<bool> {
        ensure!(
            self.unread.is_empty(),
            "bytes came that belong to no response: {}",
            self.unread.escape_ascii()
        );
        self.stream
            .set_read_timeout(Some(patience.max(Duration::from_millis(1))))?;
        let mut byte = [0];
        let closed = match self.stream.read(&mut byte) {
            Ok(0) => true,
            Ok(_) => bail!("a byte came that belongs to no response: {}", byte[0]),
            Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        };
        self.stream.set_read_timeout(Some(STILL))?;
        Ok(closed)
    }

    /// The head at the front of what was read, taken out of it; `None` while it is not whole.
    fn parse_head(&mut self, method: &str) -> Result<Option<Response>> {
        let mut fields = [httparse::EMPTY_HEADER; 128];
        let mut head = httparse::Response::new(&mut fields);
        let parsed = head
            .parse(&self.unread)
            .with_context(|| format!("no response: {}", self.unread.escape_ascii()))?;
        let httparse::Status::Complete(length) = parsed else {
            return Ok(None);
        };
        let headers: Vec<(String, Vec<u8>)> = head
            .headers
            .iter()
            .map(|field| (field.name.to_ascii_lowercase(), field.value.to_vec()))
            .collect();
        let status = head.code.unwrap_or_default();
        let mut response = Response {
            status,
            headers,
            body: Vec::new(),
            framing: Framing::Close,
            complete: true,
        };
        response.framing = if method == "HEAD" || status < 200 || matches!(status, 204 | 304) {
            Framing::Bodiless
        } else if response.header("transfer-encoding") == Some("chunked") {
            Framing::Chunked
        } else if response.has_header("content-length") {
            Framing::Length
        } else {
            Framing::Close
        };
        self.unread.drain(..length);
        Ok(Some(response))
    }

    /// Reads chunks into the body; false where the connection ended before the last one.
    fn read_chunks(&mut self, response: &mut Response, deadline: Instant) -> Result<bool> {
        loop {
            let Some(line) = self.read_line(deadline)? else {
                return Ok(false);
            };
            let size = std::str::from_utf8(&line).unwrap_or_default();
            let size = size.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16)
                .with_context(|| format!("{} is no chunk size", line.escape_ascii()))?;
            if size == 0 {
                while let Some(trailer) = self.read_line(deadline)? {
                    if trailer.is_empty() {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            if !self.fill(size + 2, deadline)? {
                let end = size.min(self.unread.len());
                response.body.extend(self.unread.drain(..end));
                return Ok(false);
            }
            response.body.extend_from_slice(&self.unread[..size]);
            ensure!(
                &self.unread[size..size + 2] == b"\r\n",
                "a chunk is longer than its size"
            );
            self.unread.drain(..size + 2);
        }
    }

    /// A line without its end; `None` where the connection ended before it.
    fn read_line(&mut self, deadline: Instant) -> Result<Option<Vec<u8>>> {
        loop {
            if let Some(end) = self.unread.windows(2).position(|pair| pair == b"\r\n") {
                let line = self.unread[..end].to_vec();
                self.unread.drain(..end + 2);
                return Ok(Some(line));
            }
            if !self.read_more(deadline)? {
                return Ok(None);
            }
        }
    }

    /// Reads until this many bytes are there; false where the connection ended before that.
    fn fill(&mut self, length: usize, deadline: Instant) -> Result<bool> {
        while self.unread.len() < length {
            if !self.read_more(deadline)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads what is there, waiting for it; false at the end of the connection.
    fn read_more(&mut self, deadline: Instant) -> Result<bool> {
        ensure!(
            Instant::now() < deadline,
            "the response was not whole after {WHOLE:?}"
        );
        let mut bytes = [0; 64 * 1024];
        match self.stream.read(&mut bytes) {
            Ok(0) => Ok(false),
            Ok(read) => {
                self.unread.extend_from_slice(&bytes[..read]);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(true),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => Ok(false),
            Err(error) => Err(error).context("no bytes came in time"),
        }
    }
}

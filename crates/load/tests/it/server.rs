//! A server on blocking threads that answers as a test tells it to.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What the server does with one request.
pub(crate) enum Reaction {
    /// Answers with a status and a body.
    Answer(u16, String),
    /// Waits, then answers 200 with the body.
    Late(Duration, String),
    /// Writes these bytes and closes.
    Raw(&'static [u8]),
    /// Closes without an answer.
    Close,
}

/// One request as the server read it.
pub(crate) struct Seen {
    /// Its number over all connections, from 0.
    pub(crate) number: usize,
    pub(crate) target: String,
    pub(crate) body: String,
}

/// A running server; it ends with the test process.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Server {
    pub(crate) fn start(react: impl Fn(&Seen) -> Reaction + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let connections = Arc::new(AtomicUsize::new(0));
        let (accepted, numbers) = (Arc::clone(&connections), Arc::new(AtomicUsize::new(0)));
        let react = Arc::new(react);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                accepted.fetch_add(1, Ordering::SeqCst);
                let (react, numbers) = (Arc::clone(&react), Arc::clone(&numbers));
                std::thread::spawn(move || serve(stream, &*react, &numbers));
            }
        });
        Self {
            address,
            connections,
        }
    }

    /// The number of connections accepted so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn serve(mut stream: TcpStream, react: &dyn Fn(&Seen) -> Reaction, numbers: &AtomicUsize) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    while let Some((target, body)) = read_request(&mut reader) {
        let number = numbers.fetch_add(1, Ordering::SeqCst);
        let written = match react(&Seen {
            number,
            target,
            body,
        }) {
            Reaction::Answer(status, body) => answer(&mut stream, status, &body),
            Reaction::Late(pause, body) => {
                std::thread::sleep(pause);
                answer(&mut stream, 200, &body)
            }
            Reaction::Raw(bytes) => {
                let _ = stream.write_all(bytes);
                return;
            }
            Reaction::Close => return,
        };
        if written.is_err() {
            return;
        }
    }
}

fn answer(stream: &mut TcpStream, status: u16, body: &str) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status} Told\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes())
}

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<(String, String)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let target = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().ok()?;
            }
            Some(_) => (),
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((target, String::from_utf8(body).ok()?))
}

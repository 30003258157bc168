//! A server that takes the flavors' arguments and answers nothing but `GET /ping`: what `compare` must refuse.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

fn main() {
    let port = std::env::args()
        .skip_while(|argument| argument != "--port")
        .nth(1);
    let port: u16 = port
        .and_then(|port| port.parse().ok())
        .expect("--port and a number");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).expect("a free port");
    for stream in listener.incoming().flatten() {
        // A thread a connection: one that stays silent must not hold up the others.
        std::thread::spawn(move || answer(stream));
    }
}

fn answer(mut stream: TcpStream) {
    let mut request = [0; 1024];
    let read = stream.read(&mut request).unwrap_or_default();
    let answer = if request[..read].starts_with(b"GET /ping ") {
        "HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\npong"
    } else {
        "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    };
    // A client that is gone needs no answer.
    let _ = stream.write_all(answer.as_bytes());
}

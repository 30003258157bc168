//! The listening socket, the same for all flavors.

use std::io::{self, Write as _};
use std::net::{SocketAddr, TcpListener};

use socket2::{Domain, Protocol, Socket, Type};

/// Connections that may wait to be accepted.
const BACKLOG: i32 = 1024;

/// Why there is no listener.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}")]
pub struct ListenError {
    address: SocketAddr,
    #[source]
    cause: io::Error,
}

/// Binds a listener that does not block; port 0 takes a free one.
///
/// # Errors
/// Where the address is in use or not of this machine.
pub fn bind(address: SocketAddr) -> Result<TcpListener, ListenError> {
    listen(address).map_err(|cause| ListenError { address, cause })
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    // A restart must not wait for connections of the process before it to time out.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    // Linux hands this on to every connection that is accepted, whichever library accepts it.
    socket.set_tcp_nodelay(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

/// Tells the world, in one line on standard output, that connections are accepted from now on.
///
/// # Errors
/// Where the address of the listener cannot be read. That nobody listens to standard output is none.
pub fn announce(listener: &TcpListener) -> io::Result<()> {
    let address = listener.local_addr()?;
    let mut stdout = io::stdout().lock();
    let _ = writeln!(stdout, "listening on http://{address}").and_then(|()| stdout.flush());
    Ok(())
}

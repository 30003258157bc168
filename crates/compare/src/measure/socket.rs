//! Whose listening socket answers: the process that was started, or another that had the port.

use std::net::SocketAddr;

/// Whether the socket that listens on an IPv4 address is open in the process; `None` where the system
/// does not tell.
pub(crate) fn listens(id: u32, address: SocketAddr) -> Option<bool> {
    let SocketAddr::V4(address) = address else {
        return None;
    };
    let table = std::fs::read_to_string("/proc/net/tcp").ok()?;
    let octets = u32::from_ne_bytes(address.ip().octets());
    let local = format!("{octets:08X}:{:04X}", address.port());
    let inodes: Vec<String> = table
        .lines()
        .filter_map(|line| inode(line, &local))
        .collect();
    let descriptors = std::fs::read_dir(format!("/proc/{id}/fd")).ok()?;
    Some(
        descriptors
            .flatten()
            .filter_map(|entry| std::fs::read_link(entry.path()).ok())
            .any(|link| {
                inodes
                    .iter()
                    .any(|inode| link.as_os_str() == inode.as_str())
            }),
    )
}

/// The descriptor's name for the socket of a line of `/proc/net/tcp`, if it listens on `local`.
fn inode(line: &str, local: &str) -> Option<String> {
    const LISTEN: &str = "0A";
    let fields: Vec<&str> = line.split_whitespace().collect();
    let found = *fields.get(1)? == local && *fields.get(3)? == LISTEN;
    found.then(|| fields.get(9).map(|inode| format!("socket:[{inode}]")))?
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_listener_belongs_to_the_process_that_opened_it() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        assert_eq!(listens(std::process::id(), address), Some(true));
        let mut child = std::process::Command::new("sleep")
            .arg("20")
            .spawn()
            .expect("a child");
        let other = listens(child.id(), address);
        child
            .kill()
            .and_then(|()| child.wait())
            .expect("the child ends");
        assert_eq!(other, Some(false));
    }
}

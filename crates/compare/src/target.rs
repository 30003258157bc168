//! A server under comparison as a process: started on a free port, asked until it answers, stopped.

use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::guard::Guard;
use crate::http::Get;
use crate::interrupt::Interrupt;
use crate::process::Group;
use crate::processors::Placement;

/// How a server is started.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The executable.
    pub(crate) binary: PathBuf,
    /// The file that takes its standard error; it is begun anew at each start.
    pub(crate) log: PathBuf,
    /// The arguments but the port.
    pub(crate) arguments: Vec<String>,
}

/// A server that was started; dropping it kills it.
#[derive(Debug)]
pub(crate) struct Server {
    group: Group,
    /// Where it listens, or will.
    pub(crate) address: SocketAddr,
    /// The moment just before it was started.
    pub(crate) spawned: Instant,
    log: PathBuf,
}

/// The arguments of every server: warnings only, so that no log line is part of a figure.
pub(crate) fn arguments(placement: &Placement) -> Vec<String> {
    let workers = placement.workers().to_string();
    [
        "--host",
        "127.0.0.1",
        "--workers",
        &workers,
        "--log-level",
        "warn",
    ]
    .map(str::to_owned)
    .to_vec()
}

impl Server {
    /// The longest wait for a first answer and for an end.
    pub(crate) const LIMIT: Duration = Duration::from_secs(30);

    /// Starts a server, on the servers' processors and with an empty environment, and does not wait for it.
    ///
    /// # Errors
    /// There is no free port, the log cannot be made, or the binary cannot be started.
    pub(crate) fn start(
        launch: &Launch,
        placement: &Placement,
        guard: &Guard,
    ) -> anyhow::Result<Self> {
        let port = free_port().context("no free port")?;
        let log = File::create(&launch.log)
            .with_context(|| format!("cannot write {}", launch.log.display()))?;
        let mut command = Command::new(&launch.binary);
        command
            .args(&launch.arguments)
            .arg("--port")
            .arg(port.to_string());
        command
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        let (spawned, group) =
            placement.on_server(|| (Instant::now(), Group::spawn(&mut command, guard)));
        let group = group.with_context(|| format!("cannot start {}", launch.binary.display()))?;
        Ok(Self {
            group,
            address: (Ipv4Addr::LOCALHOST, port).into(),
            spawned,
            log: launch.log.clone(),
        })
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.group.id()
    }

    /// Waits until `GET /ping` is answered.
    ///
    /// # Errors
    /// The server ends, does not answer in time, or the comparison is told to end.
    pub(crate) fn wait(&mut self, interrupt: &Interrupt) -> anyhow::Result<()> {
        let ping = Get::new(self.address, "/ping");
        while !matches!(ping.send(), Ok(answer) if answer.status == 200 && answer.body == b"pong") {
            interrupt.check()?;
            self.check_alive()?;
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    /// # Errors
    /// The server has ended, with the last lines of its log, or has not answered within the limit.
    pub(crate) fn check_alive(&mut self) -> anyhow::Result<()> {
        if let Some(status) = self.group.try_wait()? {
            bail!("it ended by itself ({status}): {}", last_lines(&self.log));
        }
        if self.spawned.elapsed() > Self::LIMIT {
            bail!(
                "no correct answer within {} s: {}",
                Self::LIMIT.as_secs(),
                last_lines(&self.log)
            );
        }
        Ok(())
    }

    /// Asks the server to stop and gives its exit code; `None` where it had to be killed.
    ///
    /// # Errors
    /// Its end cannot be waited for.
    pub(crate) fn stop(mut self) -> anyhow::Result<Option<i32>> {
        self.group.terminate();
        Ok(self
            .group
            .wait(Self::LIMIT)?
            .and_then(|status| status.code()))
    }
}

/// A port that nobody listens on, outside the range from which the system takes the ports of clients.
///
/// Within that range a client that asks a port where nobody listens yet may be given this very port as its
/// own, is then connected to itself, and keeps the server from binding it.
fn free_port() -> io::Result<u16> {
    let clients = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").ok();
    let lowest = clients.and_then(|text| text.split_whitespace().next()?.parse::<u16>().ok());
    let Some(end) = lowest.filter(|lowest| *lowest > FIRST_PORT) else {
        return Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
            .local_addr()?
            .port());
    };
    // Where two comparisons run at once, they begin at different ports.
    let span = u32::from(end - FIRST_PORT);
    let offset = u16::try_from(std::process::id() * 97 % span).unwrap_or_default();
    (0..end - FIRST_PORT)
        .map(|step| FIRST_PORT + (offset + step) % (end - FIRST_PORT))
        .find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .ok_or_else(|| io::ErrorKind::AddrInUse.into())
}

const FIRST_PORT: u16 = 18_000;

fn last_lines(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let last = lines[lines.len().saturating_sub(5)..].join("\n");
    if last.is_empty() {
        "its log is empty".into()
    } else {
        format!("its log ends with\n{last}")
    }
}

//! Servers as processes: started with flags and variables, read, signalled, waited for.

use std::{
    io::{BufRead as _, BufReader, Read},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, kill_process};

use crate::target::Target;

pub use rustix::process::Signal;

/// How long a start or an end may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The variables that a server reads, taken out of its environment unless a case sets them.
const VARIABLES: [&str; 7] = [
    "HOST",
    "PORT",
    "STORE_URL",
    "WORKERS",
    "LOG_LEVEL",
    "LOG_FORMAT",
    "SHUTDOWN_GRACE",
];

/// The executable of a flavor.
#[derive(Clone, Debug)]
pub struct Binary {
    /// Where it lies.
    pub path: PathBuf,
    /// The name that it has in `/info`.
    pub flavor: &'static str,
}

impl Binary {
    /// Starts it on a free port of the loopback with these flags and waits until it is ready.
    ///
    /// # Errors
    /// Fails where no ready line comes in time.
    pub fn start(&self, flags: &[&str]) -> Result<Server> {
        self.start_with(&[&["--port", "0"], flags].concat(), &[])
    }

    /// Starts it with exactly these flags and variables and waits until it is ready.
    ///
    /// # Errors
    /// Fails where no ready line comes in time.
    pub fn start_with(&self, flags: &[&str], variables: &[(&str, &str)]) -> Result<Server> {
        Server::spawn(self.command(flags, variables))
    }

    /// Starts it on a free port with these flags and at most so many open descriptors, and waits
    /// until it is ready.
    ///
    /// # Errors
    /// Fails where no ready line comes in time.
    pub fn start_within(&self, descriptors: u32, flags: &[&str]) -> Result<Server> {
        // A process limits itself: the shell does before it becomes the server.
        let mut shell = Command::new("sh");
        shell
            .args(["-c", r#"ulimit -n "$0" && exec "$@""#])
            .arg(descriptors.to_string())
            .arg(&self.path);
        Server::spawn(prepared(shell, &[&["--port", "0"], flags].concat(), &[]))
    }

    /// Starts it with exactly these flags and variables and waits until it ends by itself.
    ///
    /// # Errors
    /// Fails where it does not end in time.
    pub fn run_to_end(&self, flags: &[&str], variables: &[(&str, &str)]) -> Result<Ended> {
        let mut child = self
            .command(flags, variables)
            .spawn()
            .with_context(|| format!("{} does not start", self.path.display()))?;
        let mut stdout = Collector::of(child.stdout.take());
        let mut stderr = Collector::of(child.stderr.take());
        let status = wait(&mut child, PATIENCE);
        if status.is_err() {
            child.kill()?;
            child.wait()?;
        }
        Ok(Ended {
            code: status?.code(),
            stdout: stdout.whole(),
            stderr: stderr.whole(),
        })
    }

    fn command(&self, flags: &[&str], variables: &[(&str, &str)]) -> Command {
        prepared(Command::new(&self.path), flags, variables)
    }
}

/// A process that has ended, and what it wrote.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The exit code; `None` where a signal ended it.
    pub code: Option<i32>,
    /// All of standard output.
    pub stdout: String,
    /// All of standard error.
    pub stderr: String,
}

/// A server that said that it is ready; it is killed when this is dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    target: Target,
    ready_line: String,
    stdout: Collector,
    stderr: Collector,
}

impl Server {
    fn spawn(mut command: Command) -> Result<Self> {
        let mut child = command
            .spawn()
            .with_context(|| format!("{command:?} does not start"))?;
        let (mut stdout, first_line) = Collector::with_first_line(child.stdout.take());
        let mut stderr = Collector::of(child.stderr.take());
        let ready = first_line
            .recv_timeout(PATIENCE)
            .ok()
            .and_then(|line| Some((Target::from_url(url_in(&line)?).ok()?, line)));
        let Some((target, ready_line)) = ready else {
            child.kill()?;
            child.wait()?;
            bail!(
                "{command:?} did not get ready; on standard output: {:?}; on standard error: {:?}",
                stdout.whole(),
                stderr.whole()
            );
        };
        Ok(Self {
            child,
            target,
            ready_line,
            stdout,
            stderr,
        })
    }

    /// The server as a target of requests.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The first line on standard output, without its end.
    pub fn ready_line(&self) -> &str {
        &self.ready_line
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What was written to standard error so far.
    pub fn stderr(&self) -> String {
        self.stderr.so_far()
    }

    /// Waits until standard error has what is looked for, and gives all that was written so far.
    ///
    /// # Errors
    /// Fails where it does not come in time.
    pub fn stderr_with(&self, found: impl Fn(&str) -> bool) -> Result<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let text = self.stderr();
            if found(&text) {
                return Ok(text);
            }
            if Instant::now() > deadline {
                bail!("what was looked for is not on standard error: {text}");
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends a signal.
    ///
    /// # Errors
    /// Fails where the process is gone.
    pub fn signal(&self, signal: Signal) -> Result<()> {
        let id = i32::try_from(self.id()).ok().and_then(Pid::from_raw);
        kill_process(id.context("the process id is 0")?, signal)?;
        Ok(())
    }

    /// Whether the process still runs.
    ///
    /// # Errors
    /// Fails where the system does not tell.
    pub fn is_running(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_none())
    }

    /// Waits until the process ends, and gives what it wrote.
    ///
    /// # Errors
    /// Fails where it does not end in time.
    pub fn wait(mut self) -> Result<Ended> {
        let status = wait(&mut self.child, PATIENCE)
            .with_context(|| format!("standard error: {}", self.stderr()))?;
        Ok(Ended {
            code: status.code(),
            stdout: self.stdout.whole(),
            stderr: self.stderr.whole(),
        })
    }

    /// Sends a signal and waits until the process ends.
    ///
    /// # Errors
    /// Fails where it does not end in time.
    pub fn end_by(self, signal: Signal) -> Result<Ended> {
        self.signal(signal)?;
        self.wait()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already: then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a pipe to its end on a thread of its own, so that the process never blocks on it.
#[derive(Debug)]
struct Collector {
    bytes: Arc<Mutex<Vec<u8>>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Collector {
    fn of(pipe: Option<impl Read + Send + 'static>) -> Self {
        Self::with_first_line(pipe).0
    }

    fn with_first_line(pipe: Option<impl Read + Send + 'static>) -> (Self, mpsc::Receiver<String>) {
        let (sender, receiver) = mpsc::channel();
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&bytes);
        let thread = pipe.map(|pipe| {
            thread::spawn(move || {
                let mut reader = BufReader::new(pipe);
                let mut line = Vec::new();
                while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
                    let text = String::from_utf8_lossy(&line);
                    // Only the first line is waited for: later ones find no receiver.
                    let _ = sender.send(text.trim_end_matches('\n').to_owned());
                    kept.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .append(&mut line);
                }
            })
        });
        (Self { bytes, thread }, receiver)
    }

    fn so_far(&self) -> String {
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// All that was written, after the process has ended.
    fn whole(&mut self) -> String {
        if let Some(thread) = self.thread.take() {
            // The thread holds no lock while it can panic, and its bytes are kept either way.
            let _ = thread.join();
        }
        self.so_far()
    }
}

/// A command with these flags, no variables of the server but these, and pipes to read from.
fn prepared(mut command: Command, flags: &[&str], variables: &[(&str, &str)]) -> Command {
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command
        .args(flags)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn url_in(ready_line: &str) -> Option<&str> {
    ready_line
        .find("http://")
        .map(|start| ready_line[start..].trim_end())
}

fn wait(child: &mut Child, patience: Duration) -> Result<ExitStatus> {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() > deadline {
            bail!("the process has not ended within {patience:?}");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

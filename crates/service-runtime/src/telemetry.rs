//! Log events as lines on standard error, written by a thread of their own.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

/// Lines that may wait for the writer. Over that many are dropped and counted: a log that nobody reads
/// must not hold up requests, nor take all memory.
const QUEUE_LINES: usize = 8192;

/// How long a write may take at the end before it is taken for one that never ends.
const STUCK: Duration = Duration::from_millis(500);

/// How the names of this workspace's crates begin.
const OWN_CRATES: [&str; 3] = ["server_", "service_", "person_repository"];

/// What is logged, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Telemetry {
    /// The least severe level that is logged.
    pub level: LogLevel,
    /// The form of a line.
    pub format: LogFormat,
}

/// A log level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogLevel {
    /// Nothing.
    Off,
    /// What the service could not do.
    Error,
    /// What is odd but served.
    Warn,
    /// A line a request too.
    #[default]
    Info,
    /// What helps to find a fault.
    Debug,
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// A JSON object a line.
    Json,
}

impl LogLevel {
    /// The level's name in lower case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }

    const fn filter(self) -> LevelFilter {
        match self {
            Self::Off => LevelFilter::OFF,
            Self::Error => LevelFilter::ERROR,
            Self::Warn => LevelFilter::WARN,
            Self::Info => LevelFilter::INFO,
            Self::Debug => LevelFilter::DEBUG,
        }
    }
}

/// Writes what is still queued when it goes, and says how much was dropped; where standard error is
/// stuck, it gives up.
#[must_use = "lines are written only while the guard lives"]
#[derive(Debug)]
pub struct TelemetryGuard {
    worker: Option<WorkerGuard>,
    dropped: ErrorCounter,
    progress: Progress,
}

/// Counts the begins and ends of writes: odd while one is under way.
#[derive(Clone, Debug, Default)]
struct Progress(Arc<AtomicU64>);

impl Progress {
    fn step(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether one write is under way for [`STUCK`] or longer.
    fn is_stuck(&self) -> bool {
        let seen = self.0.load(Ordering::Relaxed);
        let deadline = Instant::now() + STUCK;
        while seen % 2 == 1 && self.0.load(Ordering::Relaxed) == seen {
            if Instant::now() >= deadline {
                return true;
            }
            thread::sleep(STUCK / 50);
        }
        false
    }
}

impl Telemetry {
    /// Sends the events of this process to standard error from now on. Call it once.
    pub fn install(self) -> TelemetryGuard {
        let (counter, progress) = (Arc::new(OnceLock::new()), Progress::default());
        let writer = ReportingWriter {
            inner: io::stderr(),
            dropped: counter.clone(),
            reported: 0,
            progress: progress.clone(),
        };
        let (queue, worker) = NonBlockingBuilder::default()
            .buffered_lines_limit(QUEUE_LINES)
            .lossy(true)
            .thread_name("log-writer")
            .finish(writer);
        let dropped = counter.get_or_init(|| queue.error_counter()).clone();
        let lines = fmt::layer().with_target(false).with_writer(queue);
        let events = tracing_subscriber::registry();
        match self.format {
            LogFormat::Text => events.with(lines.with_filter(self.filter())).init(),
            LogFormat::Json => {
                let lines = lines.json().flatten_event(true);
                events.with(lines.with_filter(self.filter())).init();
            }
        }
        log_panics();
        TelemetryGuard {
            worker: Some(worker),
            dropped,
            progress,
        }
    }
}

impl Telemetry {
    /// Below warnings, libraries are heard at debug only: at info the log is the service's own, the same
    /// whatever framework serves.
    fn filter(self) -> Targets {
        let level = self.level.filter();
        let libraries = match self.level {
            LogLevel::Info => LevelFilter::WARN,
            _ => level,
        };
        let mut filter = Targets::new().with_default(libraries);
        if level < LevelFilter::DEBUG {
            // To actix-http each request that it cannot read is an error; to a service it is a client's.
            filter = filter.with_target("actix_http", LevelFilter::OFF);
        }
        OWN_CRATES
            .into_iter()
            .fold(filter, |filter, own| filter.with_target(own, level))
    }
}

impl Drop for TelemetryGuard {
    fn drop(&mut self) {
        if self.progress.is_stuck() {
            // Nothing more can be written, and the guard would wait for the writer.
            std::mem::forget(self.worker.take());
            return;
        }
        // Waits for the writer, so that the count is the last one.
        drop(self.worker.take());
        let dropped = self.dropped.dropped_lines();
        if dropped > 0 {
            let _ = writeln!(io::stderr(), "log lines dropped in all: {dropped}");
        }
    }
}

/// Passes lines on, and after lines were lost says how many, from the thread that writes: the place
/// where the queue is seen to move again.
#[derive(Debug)]
struct ReportingWriter<W> {
    inner: W,
    dropped: Arc<OnceLock<ErrorCounter>>,
    reported: usize,
    progress: Progress,
}

impl<W: Write> Write for ReportingWriter<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let dropped = self.dropped.get().map_or(0, ErrorCounter::dropped_lines);
        if dropped > self.reported {
            self.reported = dropped;
            // Through the queue like any event, so that it has the form of the others. Should it be
            // dropped too, the next report counts it.
            tracing::warn!(
                dropped_lines = dropped,
                "log lines were dropped: written too slowly"
            );
        }
        self.progress.step();
        let written = self.inner.write_all(line);
        self.progress.step();
        written.map(|()| line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Makes a panic an event like any other: the default hook would write past the log's form. With
/// `RUST_BACKTRACE=1` it has a backtrace.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("a value that is no text");
        let place = panic.location().map(ToString::to_string);
        let backtrace = Backtrace::capture();
        let captured = backtrace.status() == BacktraceStatus::Captured;
        let backtrace = captured.then(|| backtrace.to_string());
        tracing::error!(place, backtrace, "panicked: {message}");
    }));
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A writer that is stuck until its gate opens.
    struct Stuck(mpsc::Receiver<()>);

    impl Write for Stuck {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[derive(Clone, Default)]
    struct Lines(Arc<std::sync::Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no test panics here").write(line)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_log_that_nobody_reads_holds_nobody_up_and_says_what_it_dropped() {
        let (gate, stuck) = mpsc::channel();
        let (mut queue, worker) = NonBlockingBuilder::default()
            .buffered_lines_limit(4)
            .lossy(true)
            .finish(Stuck(stuck));
        for _ in 0..100 {
            writeln!(queue, "a line").expect("the queue takes or drops it");
        }
        let dropped = queue.error_counter();
        // Four wait and one, or none yet, is being written.
        let lost = dropped.dropped_lines();
        assert!((95..=96).contains(&lost), "{lost}");

        let (events, passed) = (Lines::default(), Lines::default());
        let mut writer = ReportingWriter {
            inner: passed.clone(),
            dropped: Arc::new(OnceLock::from(dropped)),
            reported: 0,
            progress: Progress::default(),
        };
        let sink = events.clone();
        let subscriber = tracing_subscriber::FmtSubscriber::builder()
            .with_writer(move || sink.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, || {
            for line in ["one", "two"] {
                writer.write_all(line.as_bytes()).expect("Lines take all");
            }
        });
        let text = |lines: &Lines| String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text(&passed), "onetwo");
        let report = text(&events);
        assert_eq!(report.lines().count(), 1, "told once: {report}");
        assert!(
            report.contains(&format!("dropped_lines={lost}")),
            "{report}"
        );
        drop(gate);
        drop(worker);
    }

    #[test]
    fn a_write_that_never_ends_is_seen() {
        let progress = Progress::default();
        assert!(!progress.is_stuck(), "nothing is written");
        progress.step();
        assert!(progress.is_stuck(), "a write has begun");
        progress.step();
        assert!(!progress.is_stuck(), "it has ended");
    }

    #[test]
    fn at_info_libraries_are_heard_from_warnings_on() {
        let filter = |level| {
            let format = LogFormat::Text;
            Telemetry { level, format }.filter()
        };
        let heard = |level, target| filter(level).would_enable(target, &tracing::Level::INFO);
        assert!(heard(LogLevel::Info, "server_axum::server"));
        assert!(heard(LogLevel::Info, "service_runtime::record"));
        assert!(!heard(LogLevel::Info, "actix_server::worker"));
        assert!(heard(LogLevel::Debug, "actix_server::worker"));
        assert!(!heard(LogLevel::Warn, "service_runtime::record"));
        let filter = filter(LogLevel::Info);
        assert!(!filter.would_enable("actix_http::h1::dispatcher", &tracing::Level::ERROR));
    }
}

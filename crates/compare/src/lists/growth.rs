//! How much a server's memory grows while lists of its whole store are read side by side.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use load::{Control, Scenario, Written};
use serde::{Deserialize, Serialize};

use super::reader::{Expected, Reader};
use crate::context::{Context, ended_well, judge_answers};
use crate::interrupt::Interrupt;
use crate::measure::memory::Memory;
use crate::plan::{Flavor, article_load};
use crate::target::{Launch, Server};

/// The pause between two readings of memory while the lists are read.
const SAMPLE: Duration = Duration::from_millis(10);
/// The pause before memory is read at rest.
const SETTLE: Duration = Duration::from_secs(2);

/// What reading lists cost one flavor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Growth {
    /// The flavor.
    pub(crate) flavor: Flavor,
    /// Memory of the store at rest, before the first list.
    pub(crate) before: Memory,
    /// The highest resident size while the lists were read, in bytes.
    pub(crate) highest_rss: u64,
    /// Whether the kernel's own mark is part of it, so that no peak between two samples is missed.
    pub(crate) marked_by_kernel: bool,
    /// Memory at rest after the last list.
    pub(crate) after: Memory,
    /// Resident sizes while the lists were read: nanoseconds since the first request, bytes.
    pub(crate) samples: Vec<(u64, u64)>,
    /// From the first request to the end of the last list, in nanoseconds.
    pub(crate) elapsed_ns: u64,
    /// Bytes of all bodies.
    pub(crate) body_bytes: u64,
}

impl Growth {
    /// How much higher memory was while the lists were read than before, in bytes.
    pub(crate) const fn growth(&self) -> u64 {
        self.highest_rss.saturating_sub(self.before.rss)
    }
}

/// Fills one server, then reads lists from it at once while its memory is watched.
///
/// # Errors
/// The server fails or answers wrongly, its memory cannot be read, or the measurement is told to end.
pub(crate) fn measure(
    context: &Context,
    flavor: Flavor,
    launch: &Launch,
    seed: &Scenario,
    readers: u32,
) -> anyhow::Result<Growth> {
    let server = context.serve(launch)?;
    let persons = seed.mode.planned();
    let mut written = Written::new(1..=persons);
    let filling = |share: f64, words: &str| context.progress.within(share * FILLING, words);
    judge_answers(&context.play(&server, seed, &mut written, filling)?.report)?;
    context.interrupt.sleep(SETTLE)?;

    let before = memory(&server)?;
    let marked_by_kernel = Memory::reset_peak(server.id());
    let expected = Rc::new(Expected {
        written,
        person: article_load().swap_remove(1).expected.body,
        persons: u32::try_from(persons).context("too many persons")?,
    });
    let started = Instant::now();
    let (samples, body_bytes) = watched(context, &server, &expected, readers)?;
    let elapsed_ns = nanoseconds(started);
    let mut highest_rss = samples
        .iter()
        .map(|(_, rss)| *rss)
        .fold(before.rss, u64::max);
    if marked_by_kernel {
        highest_rss = highest_rss.max(memory(&server)?.peak);
    }

    context.interrupt.sleep(SETTLE)?;
    let after = memory(&server)?;
    ended_well(server.stop()?)?;
    Ok(Growth {
        flavor,
        before,
        highest_rss,
        marked_by_kernel,
        after,
        samples,
        elapsed_ns,
        body_bytes,
    })
}

/// The share of a flavor's step that filling the store takes, for the progress.
const FILLING: f64 = 0.8;

type Samples = Vec<(u64, u64)>;

/// Reads the lists on this thread while another samples the server's memory; gives the samples and the
/// bytes read.
fn watched(
    context: &Context,
    server: &Server,
    expected: &Rc<Expected>,
    readers: u32,
) -> anyhow::Result<(Samples, u64)> {
    let (bytes, done) = (Arc::new(AtomicU64::new(0)), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (id, bytes_read, done) = (server.id(), &bytes, &done);
        let watcher = scope.spawn(move || {
            sample(id, done, || {
                let read = bytes_read.load(Ordering::Relaxed) / 1_000_000;
                context
                    .progress
                    .within(FILLING, &format!("{read} MB of lists read"));
            })
        });
        let lists = read_lists(&context.interrupt, server, expected, readers, bytes_read);
        done.store(true, Ordering::Release);
        let samples = watcher.join().unwrap_or_default();
        lists.map(|()| (samples, bytes_read.load(Ordering::Relaxed)))
    })
}

fn read_lists(
    interrupt: &Interrupt,
    server: &Server,
    expected: &Rc<Expected>,
    readers: u32,
    bytes: &Arc<AtomicU64>,
) -> anyhow::Result<()> {
    let control = Control::new();
    interrupt.watch(&control);
    let sinks = (0..readers)
        .map(|_| Reader::new(Rc::clone(expected), Arc::clone(bytes)))
        .collect();
    let read = load::read_streams(server.address, "/persons", sinks, &control);
    interrupt.check()?;
    read.context("GET /persons")?
        .into_iter()
        .try_for_each(Reader::finish)
}

fn sample(id: u32, done: &AtomicBool, show: impl Fn()) -> Samples {
    let started = Instant::now();
    let mut samples = Vec::new();
    while !done.load(Ordering::Acquire) {
        samples.extend(Memory::read_rss(id).map(|rss| (nanoseconds(started), rss)));
        show();
        std::thread::sleep(SAMPLE);
    }
    samples
}

fn memory(server: &Server) -> anyhow::Result<Memory> {
    Memory::read(server.id()).context("this system does not tell a process's memory")
}

fn nanoseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

//! CPU time of a process: the scheduler's account in nanoseconds, and the 10 ms ticks that split it.

use serde::{Deserialize, Serialize};

/// The accounts of a process at one moment, or the use between two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CpuUse {
    /// Time of all threads that live, by the scheduler's account, in nanoseconds.
    pub(crate) total_ns: u64,
    /// Time in user space in nanoseconds, exited threads included; steps of a tick (10 ms).
    pub(crate) user_ns: u64,
    /// Time in the kernel in nanoseconds, exited threads included; steps of a tick (10 ms).
    pub(crate) system_ns: u64,
    /// The number of threads.
    pub(crate) threads: usize,
}

impl CpuUse {
    /// A tick of the accounts in `/proc/PID/stat`: 100 a second on every Linux that Rust runs on.
    const TICK_NS: u64 = 10_000_000;

    /// Reads the accounts of a process; `None` where the system does not tell.
    pub(crate) fn read(id: u32) -> Option<Self> {
        let (mut total_ns, mut threads) = (0, 0);
        for task in std::fs::read_dir(format!("/proc/{id}/task"))
            .ok()?
            .flatten()
        {
            let Ok(text) = std::fs::read_to_string(task.path().join("schedstat")) else {
                continue;
            };
            total_ns += text.split_whitespace().next()?.parse::<u64>().ok()?;
            threads += 1;
        }
        let (user_ns, system_ns) =
            ticks(&std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?)?;
        (threads > 0).then_some(Self {
            total_ns,
            user_ns,
            system_ns,
            threads,
        })
    }

    /// The use from `before` to this moment.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            total_ns: self.total_ns.saturating_sub(before.total_ns),
            user_ns: self.user_ns.saturating_sub(before.user_ns),
            system_ns: self.system_ns.saturating_sub(before.system_ns),
            threads: self.threads,
        }
    }

    /// The time in nanoseconds that stands for the use: the scheduler's account, unless the ticks tell of
    /// more than their rounding, because threads ended meanwhile and took their account with them.
    pub(crate) fn best_ns(&self) -> u64 {
        let ticks = self.user_ns + self.system_ns;
        if ticks > self.total_ns + 2 * Self::TICK_NS + self.total_ns / 20 {
            ticks
        } else {
            self.total_ns
        }
    }
}

/// The work of all processors of the machine since its start, whoever had it done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MachineUse {
    /// Time that processors worked, in nanoseconds; steps of a tick (10 ms).
    pub(crate) busy_ns: u64,
    /// The number of processors.
    pub(crate) processors: u64,
}

impl MachineUse {
    /// Reads the machine's account; `None` where the system does not tell.
    pub(crate) fn read() -> Option<Self> {
        let stat = std::fs::read_to_string("/proc/stat").ok()?;
        // The first line is the sum of those that follow, one a processor.
        let processors = stat
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with("cpu"))
            .count() as u64;
        Some(Self {
            busy_ns: busy(&stat)?,
            processors,
        })
    }
}

/// The first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal in ticks. Time that
/// another guest of the same host took (steal) counts as work: it was not there for this one.
fn busy(stat: &str) -> Option<u64> {
    let ticks: Vec<u64> = stat
        .lines()
        .next()?
        .strip_prefix("cpu ")?
        .split_whitespace()
        .map_while(|ticks| ticks.parse().ok())
        .collect();
    let idle = ticks.get(3)? + ticks.get(4)?;
    Some((ticks.iter().take(8).sum::<u64>() - idle) * CpuUse::TICK_NS)
}

/// User and system time in nanoseconds of a process's `stat` line, all its threads and those that ended.
fn ticks(stat: &str) -> Option<(u64, u64)> {
    // The name in brackets may hold anything: the fields are counted from its end, where the third begins.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let time = |field: usize| {
        fields
            .get(field - 3)?
            .parse::<u64>()
            .ok()
            .map(|ticks| ticks * CpuUse::TICK_NS)
    };
    Some((time(14)?, time(15)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ticks_are_found_whatever_the_process_is_called() {
        let stat = "7 (a) b (c)) S 1 7 7 0 -1 4194560 100 0 0 0 25 13 0 0 20 0 1 0 100 0 0";
        assert_eq!(ticks(stat), Some((250_000_000, 130_000_000)));
    }

    #[test]
    fn a_machine_is_busy_with_all_but_idling_and_waiting() {
        let stat = "cpu  10 1 20 500 60 2 3 4 7 0\ncpu0 5 0 10 250 30 1 1 2 3 0\n";
        assert_eq!(busy(stat), Some(400_000_000));
        assert_eq!(busy("intr 5"), None);
    }

    #[test]
    fn the_ticks_stand_in_where_threads_took_their_account_with_them() {
        let cpu = |total_ms: u64, user_ms: u64, system_ms: u64| CpuUse {
            total_ns: total_ms * 1_000_000,
            user_ns: user_ms * 1_000_000,
            system_ns: system_ms * 1_000_000,
            threads: 1,
        };
        assert_eq!(cpu(1000, 700, 310).best_ns(), 1_000_000_000);
        assert_eq!(cpu(100, 700, 310).best_ns(), 1_010_000_000);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_busy_thread_shows_in_its_process() {
        let id = std::process::id();
        let before = CpuUse::read(id).expect("this process has an account");
        let started = std::time::Instant::now();
        let mut after = before;
        // The scheduler's account moves at its own pace; a busy machine delays it.
        while after.since(&before).total_ns < 20_000_000 && started.elapsed().as_secs() < 20 {
            std::hint::black_box((0..100_000_u64).sum::<u64>());
            after = CpuUse::read(id).expect("this process has an account");
        }
        assert!(after.since(&before).total_ns >= 20_000_000);
    }
}

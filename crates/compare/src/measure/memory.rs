//! Memory of a process, from `/proc/PID/smaps_rollup` and `/proc/PID/status`.

use serde::{Deserialize, Serialize};

use crate::environment::{field, kibibytes};

/// Memory of a process at one moment, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// Resident: every page that is mapped and present.
    pub(crate) rss: u64,
    /// Resident, with shared pages counted by the share of each process.
    pub(crate) pss: u64,
    /// Resident and of no file: heap, stacks and changed copies of file pages.
    pub(crate) anonymous: u64,
    /// Resident and backed by a file: code and constant data, shared libraries included.
    pub(crate) file: u64,
    /// The highest resident size since the start.
    pub(crate) peak: u64,
}

impl Memory {
    /// Reads the memory of a process; `None` where the system does not tell.
    pub(crate) fn read(id: u32) -> Option<Self> {
        // The counters of `status` are kept by processor and can be off by some pages; `smaps_rollup` walks
        // the page tables.
        let rollup = |name| kibibytes(&field(&format!("/proc/{id}/smaps_rollup"), name)?);
        let rss = rollup("Rss")?;
        let anonymous = rollup("Anonymous")?;
        let peak = kibibytes(&field(&format!("/proc/{id}/status"), "VmHWM")?)?;
        Some(Self {
            rss,
            pss: rollup("Pss")?,
            anonymous,
            file: rss.saturating_sub(anonymous),
            peak: peak.max(rss),
        })
    }

    /// The resident size in bytes by the kernel's quick counters, which can be off by some pages.
    pub(crate) fn read_rss(id: u32) -> Option<u64> {
        kibibytes(&field(&format!("/proc/{id}/status"), "VmRSS")?)
    }

    /// Sets the peak of a process back to its present size; false where the system does not allow it.
    pub(crate) fn reset_peak(id: u32) -> bool {
        // 5 stands for the mark of the highest resident size (proc_pid_clear_refs(5)).
        std::fs::write(format!("/proc/{id}/clear_refs"), "5").is_ok()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_touched_is_resident_and_anonymous() {
        const SIZE: usize = 32 << 20;
        let id = std::process::id();
        let before = Memory::read(id).expect("this process has memory");
        let block = std::hint::black_box(vec![1_u8; SIZE]);
        let after = Memory::read(id).expect("this process has memory");
        assert!(after.anonymous >= before.anonymous + block.len() as u64 / 2);
        assert!(after.rss >= after.anonymous && after.peak >= after.rss && after.pss <= after.rss);
    }
}

//! What the kernel says of this process, read when the metrics are asked for. Linux only: elsewhere
//! these metrics are missing.

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;

/// Memory, CPU time, descriptors and start time of this process, under Prometheus' usual names.
#[derive(Debug)]
pub(crate) struct ProcessCollector;

impl Collector for ProcessCollector {
    #[cfg(target_os = "linux")]
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        linux::encode(encoder)
    }

    #[cfg(not(target_os = "linux"))]
    fn encode(&self, _: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fmt;

    use procfs::process::{Process, Stat};
    use procfs::{ProcResult, WithCurrentSystemInfo as _};
    use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
    use prometheus_client::metrics::counter::ConstCounter;
    use prometheus_client::metrics::gauge::ConstGauge;

    struct Facts {
        resident_bytes: u64,
        cpu_seconds: f64,
        open_descriptors: u64,
        start_seconds: f64,
    }

    pub(super) fn encode(mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        // A process may be kept from reading about itself; its requests are measured all the same.
        let Ok(facts) = read() else {
            return Ok(());
        };
        write(
            &mut encoder,
            "process_resident_memory_bytes",
            "Resident memory",
            &ConstGauge::new(facts.resident_bytes),
        )?;
        write(
            &mut encoder,
            "process_cpu_seconds",
            "User and system CPU time",
            &ConstCounter::new(facts.cpu_seconds),
        )?;
        write(
            &mut encoder,
            "process_open_fds",
            "Open file descriptors",
            &ConstGauge::new(facts.open_descriptors),
        )?;
        write(
            &mut encoder,
            "process_start_time_seconds",
            "Start of the process, seconds since the epoch",
            &ConstGauge::new(facts.start_seconds),
        )
    }

    fn write(
        encoder: &mut DescriptorEncoder<'_>,
        name: &str,
        help: &str,
        metric: &impl EncodeMetric,
    ) -> fmt::Result {
        metric.encode(encoder.encode_descriptor(name, help, None, metric.metric_type())?)
    }

    fn read() -> ProcResult<Facts> {
        let process = Process::myself()?;
        let stat = process.stat()?;
        Ok(Facts {
            resident_bytes: stat.rss_bytes().get(),
            cpu_seconds: cpu_seconds(&stat),
            open_descriptors: process.fd_count()?.try_into().unwrap_or(u64::MAX),
            start_seconds: start_seconds(&stat)?,
        })
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "ticks of a process's life fit in 53 bits"
    )]
    fn cpu_seconds(stat: &Stat) -> f64 {
        (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "ticks of a machine's life fit in 53 bits"
    )]
    fn start_seconds(stat: &Stat) -> ProcResult<f64> {
        let boot = procfs::boot_time_secs()?;
        Ok(boot as f64 + stat.starttime as f64 / procfs::ticks_per_second() as f64)
    }
}

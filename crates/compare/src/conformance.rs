//! The conformance cases that go before a load, so that no figure stands for wrong answers.

use std::net::SocketAddr;

use conformance::run::{Selection, run as run_cases};

use crate::result::Conformance;

/// Runs the cases tagged `load` over a server.
///
/// # Errors
/// The cases cannot be run at all; one that fails is in the result.
pub(crate) fn run(address: SocketAddr) -> anyhow::Result<Conformance> {
    let selection = Selection {
        load_only: true,
        filter: None,
    };
    let report = run_cases(&format!("http://{address}"), &selection)?;
    anyhow::ensure!(
        !report.outcomes.is_empty(),
        "no conformance case is tagged `load`"
    );
    let failures = report
        .failures()
        .map(|outcome| {
            format!(
                "{}\n{}",
                outcome.name,
                outcome.failure.as_deref().unwrap_or_default()
            )
        })
        .collect();
    Ok(Conformance {
        cases: report.outcomes.len(),
        failures,
    })
}

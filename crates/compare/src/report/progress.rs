//! How far the plan is: one bar with the time left on a terminal, plain lines elsewhere.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// What is done.
    pub(crate) label: String,
    /// How long it is expected to take; only the bar's share depends on it.
    pub(crate) expected: Duration,
}

/// Shows the steps of a plan as they are done, on standard error.
#[derive(Debug)]
pub(crate) struct Progress {
    steps: Vec<Step>,
    current: usize,
    began: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A display of `steps`, none of which has begun.
    pub(crate) fn new(steps: Vec<Step>) -> Self {
        let total: Duration = steps.iter().map(|step| step.expected).sum();
        let bar = std::io::stderr().is_terminal().then(|| bar(millis(total)));
        Self {
            steps,
            current: 0,
            began: Instant::now(),
            bar,
        }
    }

    /// Begins the next step.
    pub(crate) fn begin(&mut self) {
        self.began = Instant::now();
        let line = format!(
            "[{}/{}] {}",
            self.current + 1,
            self.steps.len(),
            self.label()
        );
        match &self.bar {
            Some(bar) => {
                bar.set_prefix(self.left());
                bar.set_message(line);
            }
            None => say(&line),
        }
    }

    /// Shows how far the current step is: its share done, 0 to 1, and what it does.
    pub(crate) fn within(&self, share: f64, words: &str) {
        let Some(bar) = &self.bar else { return };
        let step = self
            .steps
            .get(self.current)
            .map_or(Duration::ZERO, |step| step.expected);
        bar.set_position(self.done() + millis(step.mul_f64(share.clamp(0.0, 1.0))));
        bar.set_prefix(self.left());
        bar.set_message(format!(
            "[{}/{}] {}: {words}",
            self.current + 1,
            self.steps.len(),
            self.label()
        ));
    }

    /// Shows what the current step does where its share is not known: it moves with the time.
    pub(crate) fn during(&self, words: &str) {
        let expected = self
            .steps
            .get(self.current)
            .map_or(Duration::ZERO, |step| step.expected);
        let share = self.began.elapsed().as_secs_f64() / expected.as_secs_f64().max(0.001);
        self.within(share.min(0.95), words);
    }

    /// Ends the current step with what came out.
    pub(crate) fn end(&mut self, outcome: &str) {
        let line = format!(
            "  {}: {outcome} ({:.1} s)",
            self.label(),
            self.began.elapsed().as_secs_f64()
        );
        self.current += 1;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done());
        }
        self.line(&line);
    }

    /// Shows a line that stays.
    pub(crate) fn line(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => say(line),
        }
    }

    /// Takes the bar away.
    pub(crate) fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// The time left as the plan expects it: a rate taken from steps as unlike as builds and starts would
    /// say nothing.
    fn left(&self) -> String {
        let of = |steps: &[Step]| steps.iter().map(|step| step.expected).sum::<Duration>();
        let rest = &self.steps[self.current.min(self.steps.len())..];
        let current = rest.first().map_or(Duration::ZERO, |step| step.expected);
        let spent = self.began.elapsed().min(current);
        let seconds = of(rest).saturating_sub(spent).as_secs() + 1;
        match seconds {
            0..=99 => format!("about {seconds} s left"),
            _ => format!("about {} min left", seconds.div_ceil(60)),
        }
    }

    fn label(&self) -> &str {
        self.steps.get(self.current).map_or("", |step| &step.label)
    }

    fn done(&self) -> u64 {
        millis(
            self.steps
                .iter()
                .take(self.current)
                .map(|step| step.expected)
                .sum(),
        )
    }
}

fn bar(length_ms: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:20} {percent:>3} %  {prefix}  {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(length_ms), ProgressDrawTarget::stderr()).with_style(style)
}

fn say(line: &str) {
    // A closed standard error is no reason to end the comparison.
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

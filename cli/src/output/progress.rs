//! The progress of a long search, on standard error if that is a terminal.
//!
//! A thread reads the counters of the search a few times a second and draws. If
//! standard output is a terminal too, the drawing is removed while it is written.

use std::io::{self, IsTerminal, StdoutLock, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::{Counters, Input, Roots};

/// The time after which progress is drawn.
const DELAY: Duration = Duration::from_secs(1);

/// The time between two drawings.
const PERIOD: Duration = Duration::from_millis(200);

/// The drawing while the total is not known.
const WITHOUT_TOTAL: &str = "{decimal_bytes}, {decimal_bytes_per_sec}, {msg} URLs";

/// The drawing when the total is known.
const WITH_TOTAL: &str =
    "{decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {msg} URLs, {eta} left";

/// The drawing.
#[derive(Clone, Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// Starts to draw, if standard error is a terminal.
    pub fn start(counters: &Arc<Counters>, roots: &Arc<Roots>) -> Option<Progress> {
        if !io::stderr().is_terminal() || roots.is_typed() {
            return None;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
            .with_style(style(WITHOUT_TOTAL));
        let (drawn, counters, roots) = (bar.clone(), Arc::clone(counters), Arc::clone(roots));
        // Without a thread, nothing is drawn.
        thread::Builder::new().spawn(move || draw(&drawn, &counters, roots)).ok()?;
        Some(Progress(bar))
    }

    /// Removes the drawing during an action.
    pub fn pause<T>(&self, action: impl FnOnce() -> T) -> T {
        self.0.suspend(action)
    }

    /// Removes the drawing for good.
    pub fn end(&self) {
        self.0.finish_and_clear();
        self.0.set_draw_target(ProgressDrawTarget::hidden());
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn draw(bar: &ProgressBar, counters: &Counters, roots: Arc<Roots>) {
    thread::sleep(DELAY);
    bar.set_draw_target(ProgressDrawTarget::stderr());
    let measured = bar.clone();
    let _ = thread::Builder::new().spawn(move || {
        if let Some(bytes) = total(&roots) {
            measured.set_style(style(WITH_TOTAL));
            measured.set_length(bytes);
        }
    });
    while !bar.is_finished() {
        bar.set_position(counters.bytes.load(Ordering::Relaxed));
        bar.set_message(counters.matches.load(Ordering::Relaxed).to_string());
        thread::sleep(PERIOD);
    }
}

/// The number of bytes to read, if all inputs have a length.
fn total(roots: &Roots) -> Option<u64> {
    let mut bytes = 0;
    // The search reports inputs that cannot be opened.
    for input in roots.inputs().flatten() {
        match input {
            Input::Stdin => return None,
            file => bytes += file.len().unwrap_or(0),
        }
    }
    Some(bytes)
}

/// Standard output, which removes the drawing while it is written.
pub struct Screen {
    pub out: StdoutLock<'static>,
    /// The drawing on the same terminal.
    pub progress: Option<Progress>,
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &self.progress {
            Some(progress) => {
                progress.pause(|| self.out.write(bytes).and_then(|len| self.out.flush().map(|()| len)))
            }
            None => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_valid() {
        assert!(
            [WITHOUT_TOTAL, WITH_TOTAL].iter().all(|template| ProgressStyle::with_template(template).is_ok())
        );
    }
}

//! How far a long run is, on standard error if that is a terminal.
//!
//! What is read and found is counted in any case. A thread looks at the counters
//! a few times a second and draws; the search knows nothing of it. Where the
//! output goes to a terminal too, the drawing makes way for it.

use std::io::{self, IsTerminal, Read, StdoutLock, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::walk::{Input, Roots};

/// How long a run has to take before anything is drawn.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often is drawn.
const PERIOD: Duration = Duration::from_millis(200);

/// What is drawn as long as nobody knows how much there is to read.
const UNTIL_NOW: &str = "{decimal_bytes}, {decimal_bytes_per_sec}, {msg} URLs";

/// What is drawn when that is known.
const OF_ALL: &str =
    "{decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {msg} URLs, {eta} left";

/// What has been done so far.
#[derive(Debug, Default)]
pub struct Counters {
    /// How many bytes were read.
    pub bytes: AtomicU64,
    /// How many finds were wanted.
    pub finds: AtomicU64,
}

/// A reader that counts what goes through it.
pub struct Counted<R> {
    pub reader: R,
    pub counters: Arc<Counters>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(room)?;
        self.counters.bytes.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// Begins to watch, if there is a terminal to draw on.
    pub fn watch(counters: &Arc<Counters>, roots: &Arc<Roots>) -> Option<Progress> {
        if !io::stderr().is_terminal() || roots.are_typed() {
            return None;
        }
        let bar =
            ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style(UNTIL_NOW));
        let (drawn, counters, roots) = (bar.clone(), Arc::clone(counters), Arc::clone(roots));
        thread::spawn(move || draw(&drawn, &counters, roots));
        Some(Progress(bar))
    }

    /// Does something while nothing is drawn.
    pub fn make_way<T>(&self, action: impl FnOnce() -> T) -> T {
        self.0.suspend(action)
    }

    /// Draws nothing more, and leaves nothing behind.
    pub fn end(&self) {
        self.0.finish_and_clear();
        self.0.set_draw_target(ProgressDrawTarget::hidden());
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn draw(bar: &ProgressBar, counters: &Counters, roots: Arc<Roots>) {
    thread::sleep(PATIENCE);
    bar.set_draw_target(ProgressDrawTarget::stderr());
    let measured = bar.clone();
    thread::spawn(move || {
        if let Some(bytes) = total(&roots) {
            measured.set_style(style(OF_ALL));
            measured.set_length(bytes);
        }
    });
    while !bar.is_finished() {
        bar.set_position(counters.bytes.load(Ordering::Relaxed));
        bar.set_message(counters.finds.load(Ordering::Relaxed).to_string());
        thread::sleep(PERIOD);
    }
}

/// How much there is to read, if that can be known.
fn total(roots: &Roots) -> Option<u64> {
    let mut bytes = 0;
    // What cannot be looked at is told by the search.
    for input in roots.inputs().flatten() {
        match input {
            Input::Stdin => return None,
            file => bytes += file.len().unwrap_or(0),
        }
    }
    Some(bytes)
}

/// Standard output, for which the drawing makes way.
pub struct Screen {
    pub out: StdoutLock<'static>,
    /// What is drawn on the same terminal.
    pub progress: Option<Progress>,
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &self.progress {
            Some(progress) => {
                progress.make_way(|| self.out.write(bytes).and_then(|len| self.out.flush().map(|()| len)))
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
    fn the_templates_are_templates() {
        assert!([UNTIL_NOW, OF_ALL].iter().all(|template| ProgressStyle::with_template(template).is_ok()));
    }
}

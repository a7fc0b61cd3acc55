//! The progress of a long search, drawn on standard error if that is a terminal.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{Clear, ClearType, DisableLineWrap, EnableLineWrap};

use crate::input::{Counters, Input, Roots};

/// The time after which progress is drawn.
const DELAY: Duration = Duration::from_secs(1);

/// The time between two drawings.
const PERIOD: Duration = Duration::from_millis(200);

/// The drawn line. A thread updates it from the counters of the search.
#[derive(Clone, Debug)]
pub struct Progress(Arc<Mutex<DrawnLine>>);

#[derive(Debug, Default)]
struct DrawnLine {
    /// The drawn text, or an empty string.
    text: String,
    ended: bool,
}

impl Progress {
    /// Starts to draw, if standard error is a terminal.
    pub fn start(counters: &Arc<Counters>, roots: &Arc<Roots>) -> Option<Progress> {
        if !io::stderr().is_terminal() || roots.is_typed() {
            return None;
        }
        let progress = Progress(Arc::default());
        let (drawn, counters, roots) = (progress.clone(), Arc::clone(counters), Arc::clone(roots));
        // Without a thread, nothing is drawn.
        thread::Builder::new().spawn(move || drawn.renew(&counters, roots)).ok()?;
        Some(progress)
    }

    /// Removes the drawing during an action.
    pub fn pause<T>(&self, action: impl FnOnce() -> T) -> T {
        let drawing = self.lock();
        drawing.draw(false);
        let done = action();
        drawing.draw(true);
        done
    }

    /// Removes the drawing for good.
    pub fn end(&self) {
        let mut drawing = self.lock();
        drawing.draw(false);
        drawing.ended = true;
    }

    /// Draws until the end.
    fn renew(&self, counters: &Counters, roots: Arc<Roots>) {
        let start = Instant::now();
        thread::sleep(DELAY);
        let total = Arc::new(OnceLock::new());
        let measured = Arc::clone(&total);
        let _ = thread::Builder::new().spawn(move || sum(&roots).map(|bytes| measured.set(bytes)));
        loop {
            let [bytes, matches] =
                [&counters.bytes, &counters.matches].map(|count| count.load(Ordering::Relaxed));
            let text = text(bytes, total.get().copied(), matches, start.elapsed());
            let mut drawing = self.lock();
            if drawing.ended {
                return;
            }
            drawing.text = text;
            drawing.draw(true);
            drop(drawing);
            thread::sleep(PERIOD);
        }
    }

    fn lock(&self) -> MutexGuard<'_, DrawnLine> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DrawnLine {
    /// Erases the text, and draws it again if it is `shown`. A drawing that cannot be written is not an error.
    fn draw(&self, shown: bool) {
        if !self.text.is_empty() {
            let mut out = BufWriter::new(io::stderr());
            let _ = queue!(out, Print('\r'), Clear(ClearType::CurrentLine));
            if shown {
                // Erasing removes only one line, so a long text must not wrap.
                let _ = queue!(out, DisableLineWrap, Print(&self.text), EnableLineWrap);
            }
            let _ = out.flush();
        }
    }
}

/// The number of bytes to read, or `None` if an input has no length.
fn sum(roots: &Roots) -> Option<u64> {
    // The search reports inputs that cannot be opened.
    roots.inputs().flatten().try_fold(0, |bytes, input| match input {
        Input::Stdin => None,
        file => Some(bytes + file.len().unwrap_or(0)),
    })
}

/// Returns the progress of the search after some time.
fn text(bytes: u64, total: Option<u64>, matches: u64, elapsed: Duration) -> String {
    let speed = bytes as f64 / elapsed.as_secs_f64();
    let so_far = format!("{}/s, {matches} URLs", size(speed as u64));
    // Before the first byte, the remaining time is unknown.
    match total.filter(|_| bytes > 0) {
        None => format!("{}, {so_far}", size(bytes)),
        Some(total) => {
            let left = total.saturating_sub(bytes) as f64 / speed;
            format!("{} of {}, {so_far}, {} left", size(bytes), size(total), duration(left))
        }
    }
}

fn size(bytes: u64) -> String {
    match bytes.checked_ilog(1000) {
        None | Some(0) => format!("{bytes} B"),
        Some(power) => {
            let unit = char::from(b"kMGTPE"[power as usize - 1]);
            format!("{:.2} {unit}B", bytes as f64 / 1000_f64.powf(power.into()))
        }
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{seconds:.0}s"),
        ..5400.0 => format!("{:.0}m", seconds / 60.0),
        _ => format!("{:.0}h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::Args;

    /// Standard input may have any length, before or after a file.
    #[test]
    fn the_sum_of_the_lengths() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&[b'a'; 1234]).unwrap();
        let path = file.path().to_str().unwrap();
        let sum = |paths: &[&str]| {
            let args = Args::try_parse_from([&["urlgrep"], paths].concat()).unwrap();
            sum(&Roots::new(args.root_options()).unwrap())
        };
        assert_eq!((sum(&[path]), sum(&[path, path])), (Some(1234), Some(2468)));
        assert_eq!((sum(&["-"]), sum(&["-", path]), sum(&[path, "-"])), (None, None, None));
        assert_eq!(sum(&["/dev/null/none", path]), Some(1234));
    }

    #[test]
    fn the_text_says_how_far_the_search_is() {
        let second = Duration::from_secs(1);
        assert_eq!(text(999, None, 2, second), "999 B, 999 B/s, 2 URLs");
        assert_eq!(text(1000, Some(91_000), 0, second), "1.00 kB of 91.00 kB, 1.00 kB/s, 0 URLs, 2m left");
        assert_eq!(
            text(2_345_678_901, Some(9_000_000_000), 7, 10 * second),
            "2.35 GB of 9.00 GB, 234.57 MB/s, 7 URLs, 28s left"
        );
        // A file may grow, and nothing may have been read.
        assert_eq!(text(9, Some(8), 0, second), "9 B of 8 B, 9 B/s, 0 URLs, 0s left");
        assert_eq!(text(0, Some(8), 0, second), "0 B, 0 B/s, 0 URLs");
        assert_eq!(size(u64::MAX), "18.45 EB");
        let left = [0.0, 89.4, 90.0, 5399.0, 5400.0, 36_000.0].map(duration);
        assert_eq!(left, ["0s", "89s", "2m", "90m", "2h", "10h"]);
    }
}

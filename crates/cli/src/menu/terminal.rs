//! The screen of the menu, which is the terminal of the process.
//!
//! While the menu is shown, the terminal is in raw mode, and shows its alternate screen: its
//! earlier content comes back at the end. It always comes back: when the [`Screen`] is dropped,
//! before a panic is reported, and on signals.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyEventKind};
use crossterm::style::{Attribute, PrintStyledContent, SetAttribute, force_color_output};
use crossterm::terminal::{
    self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use super::view::{Drawing, Line};

/// The name of the terminal of a process.
const TTY: &str = if cfg!(windows) { "CONOUT$" } else { "/dev/tty" };

/// The time between two checks for signals.
const PERIOD: Duration = Duration::from_millis(100);

/// True if the alternate screen is shown. It is left once only: to leave it again would move the
/// cursor back over later output.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// True if a thread panicked, and the terminal was restored for that.
static PANICKED: AtomicBool = AtomicBool::new(false);

/// Returns true if a thread panicked. The menu ends then.
pub fn has_panicked() -> bool {
    PANICKED.load(Ordering::SeqCst)
}

/// The terminal of the process.
#[derive(Debug)]
pub struct Tty(pub File);

impl Tty {
    /// Opens it.
    ///
    /// # Errors
    ///
    /// Returns an error if the process has no terminal.
    pub fn open() -> io::Result<Tty> {
        let file = OpenOptions::new().read(true).write(true).open(TTY);
        file.map(Tty).map_err(|error| io::Error::new(error.kind(), format!("{TTY}: {error}")))
    }

    fn enter(&mut self, mouse: bool) -> io::Result<()> {
        SHOWN.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        execute!(self.0, EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
        take_mouse(&mut self.0, mouse)
    }

    fn leave(&mut self) -> io::Result<()> {
        if !SHOWN.swap(false, Ordering::SeqCst) {
            return Ok(());
        }
        let left = take_mouse(&mut self.0, false)
            .and_then(|()| execute!(self.0, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show));
        disable_raw_mode().and(left)
    }

    /// Waits for a key on the ordinary screen, or until `enough`.
    ///
    /// # Errors
    ///
    /// Returns an error if the terminal cannot be read or written.
    pub fn pause(&self, text: &str, enough: impl Fn() -> bool) -> io::Result<()> {
        enable_raw_mode()?;
        let is_key = |event: &Event| matches!(event, Event::Key(key) if key.kind != KeyEventKind::Release);
        let wait = || loop {
            if enough() || (event::poll(PERIOD)? && is_key(&event::read()?)) {
                return Ok(());
            }
        };
        let waited = write!(&self.0, "\r\n{text}").and_then(|()| wait());
        disable_raw_mode().and(writeln!(&self.0)).and(waited)
    }
}

/// Takes the buttons and the wheel of the mouse, or gives them back to the terminal. Motions are
/// not requested.
fn take_mouse(out: &mut impl Write, take: bool) -> io::Result<()> {
    #[cfg(windows)]
    return match take {
        true => execute!(out, event::EnableMouseCapture),
        false => execute!(out, event::DisableMouseCapture),
    };
    #[cfg(not(windows))]
    out.write_all(if take { b"\x1b[?1000h\x1b[?1006h" } else { b"\x1b[?1006l\x1b[?1000l" })
        .and_then(|()| out.flush())
}

/// The terminal while the menu is shown.
pub struct Screen {
    tty: Tty,
    pub signals: Signals,
    /// The number of its columns and lines.
    size: (u16, u16),
    /// The lines that it shows, if they are known.
    shown: Vec<Line>,
    mouse: bool,
}

impl Screen {
    /// Shows an empty screen.
    ///
    /// # Errors
    ///
    /// Returns an error if the terminal cannot be read or written.
    pub fn enter(mut tty: Tty, signals: Signals, colors: bool) -> io::Result<Screen> {
        // The user chose already, by NO_COLOR or by an option.
        force_color_output(colors);
        // A panic of any thread is reported after the terminal has been restored.
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            PANICKED.store(true, Ordering::SeqCst);
            if let Ok(mut tty) = Tty::open() {
                let _ = tty.leave();
            }
            report(info);
        }));
        // From here on, the screen is always left.
        let entered = tty.enter(true);
        let screen = Screen { tty, signals, size: (0, 0), shown: Vec::new(), mouse: true };
        entered.map(|()| screen)
    }

    /// Draws the content in this number of columns and lines.
    pub fn draw(&mut self, draw: impl FnOnce(usize, usize) -> Drawing) -> io::Result<()> {
        let size = terminal::size()?;
        if size != self.size {
            self.size = size;
            self.clear();
        }
        let (columns, height) = (size.0.into(), size.1.into());
        let Drawing { mut lines, cursor } = draw(columns, height);
        lines.resize(height, Line::default());
        let mut out = BufWriter::new(&self.tty.0);
        // Another program may have left its style.
        queue!(out, cursor::Hide, SetAttribute(Attribute::Reset))?;
        write_changes(&mut out, &self.shown, &lines)?;
        if let Some((column, line)) = cursor {
            queue!(out, move_to(column, line), cursor::Show)?;
        }
        self.shown = lines;
        out.flush()
    }

    /// Draws everything again the next time.
    pub fn clear(&mut self) {
        self.shown.clear();
    }

    /// Gives the terminal to another program.
    pub fn lend<T>(&mut self, action: impl FnOnce(&Tty, &Signals) -> T) -> io::Result<T> {
        self.tty.leave()?;
        let done = action(&self.tty, &self.signals);
        self.tty.enter(self.mouse)?;
        self.clear();
        Ok(done)
    }

    /// Takes the mouse, or gives it back to the terminal.
    pub fn take_mouse(&mut self, take: bool) -> io::Result<()> {
        self.mouse = take;
        take_mouse(&mut self.tty.0, take)
    }

    /// Writes an escape sequence that does not move the cursor.
    pub fn write(&mut self, sequence: &[u8]) -> io::Result<()> {
        self.tty.0.write_all(sequence)?;
        self.tty.0.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // If the terminal is gone, there is nothing to restore.
        let _ = self.tty.leave();
    }
}

fn move_to(column: usize, line: usize) -> cursor::MoveTo {
    let [column, line] = [column, line].map(|at| u16::try_from(at).unwrap_or(u16::MAX));
    cursor::MoveTo(column, line)
}

/// Writes the lines that are not shown yet.
fn write_changes(out: &mut impl Write, shown: &[Line], lines: &[Line]) -> io::Result<()> {
    for (at, line) in lines.iter().enumerate().filter(|&(at, line)| shown.get(at) != Some(line)) {
        queue!(out, move_to(0, at), Clear(ClearType::UntilNewLine))?;
        for span in &line.spans {
            // The terminal may use other widths for the characters before it.
            queue!(out, move_to(span.column, at), PrintStyledContent(span.style.apply(&span.text)))?;
        }
    }
    Ok(())
}

// Signals that end the process. They are noted, so that the terminal is restored before.
//
// The keys that send signals are ordinary keys in raw mode. These signals come from other
// processes, or when the terminal is closed.

/// The signal that arrived last, or 0. Only Unix has signals.
#[derive(Clone)]
pub struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Notes signals from now on.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses to report signals.
    pub fn note() -> io::Result<Signals> {
        let signals = Signals(Arc::default());
        #[cfg(unix)]
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            let number = usize::try_from(signal).unwrap_or_default();
            signal_hook::flag::register_usize(signal, Arc::clone(&signals.0), number)?;
        }
        Ok(signals)
    }

    /// Returns true if a signal arrived.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// Drops the keys that were typed for another program or for this one. Returns whether another
    /// signal came.
    pub fn forget_keyboard(&self) -> bool {
        // SIGINT and SIGQUIT have these numbers on every Unix.
        let of_keyboard = |came| matches!(came, 2 | 3).then_some(0);
        let forgotten = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, of_keyboard);
        forgotten.is_err_and(|came| came != 0)
    }

    /// Ends the process as the signal does, if one arrived.
    pub fn obey(&self) {
        #[cfg(unix)]
        if let Ok(signal @ 1..) = i32::try_from(self.0.load(Ordering::SeqCst)) {
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use crossterm::style::ContentStyle;

    use super::*;

    /// Each line is written at its position, and the old content there is erased.
    #[test]
    fn only_lines_that_changed_are_written() {
        let lines = |texts: &[&str]| -> Vec<Line> {
            texts.iter().map(|text| Line::new(9).with(text, ContentStyle::new())).collect()
        };
        let written = |shown: &[&str]| {
            let mut out = Vec::new();
            write_changes(&mut out, &lines(shown), &lines(&["a", "b", "c"])).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(&["a", "b", "c", "d"]), "");
        assert_eq!(written(&["a", "B", "c"]), "\x1b[2;1H\x1b[K\x1b[2;1Hb");
        assert_eq!(written(&["a", "b"]), "\x1b[3;1H\x1b[K\x1b[3;1Hc");
    }
}

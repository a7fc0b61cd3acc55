//! The screen of the menu, which is the terminal of the process.
//!
//! While the menu is shown, the terminal is in raw mode, and shows its alternate screen: what
//! it showed before comes back at the end. It comes back in any case: when the [`Screen`] is
//! dropped, before a panic is reported, and on [signals].

mod signals;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::force_color_output;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, execute};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;

pub use signals::Signals;

/// The name of the terminal of a process.
const TTY: &str = if cfg!(windows) { "CONOUT$" } else { "/dev/tty" };

/// Whether the alternate screen is shown. It is left once only: to leave it again would move
/// the cursor back over what was printed since.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Whether a thread panicked, and the terminal was restored for that.
static PANICKED: AtomicBool = AtomicBool::new(false);

/// Whether a thread panicked. The menu ends then.
pub fn has_panicked() -> bool {
    PANICKED.load(Ordering::SeqCst)
}

/// The terminal of the process.
#[derive(Debug)]
pub struct Tty(File);

impl Tty {
    /// Opens it.
    ///
    /// # Errors
    ///
    /// If the process has no terminal.
    pub fn open() -> io::Result<Tty> {
        let file = OpenOptions::new().read(true).write(true).open(TTY);
        file.map(Tty).map_err(|error| io::Error::new(error.kind(), format!("{TTY}: {error}")))
    }

    /// The same terminal, for another program.
    pub fn try_clone(&self) -> io::Result<File> {
        self.0.try_clone()
    }

    fn enter(&mut self) -> io::Result<()> {
        SHOWN.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        execute!(self.0, EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
    }

    fn leave(&mut self) -> io::Result<()> {
        if !SHOWN.swap(false, Ordering::SeqCst) {
            return Ok(());
        }
        let left = execute!(self.0, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
        disable_raw_mode().and(left)
    }
}

/// The terminal while the menu is shown.
pub struct Screen {
    tty: Tty,
    terminal: Terminal<CrosstermBackend<File>>,
}

impl Screen {
    /// Shows an empty screen.
    ///
    /// # Errors
    ///
    /// If the terminal cannot be read or written.
    pub fn enter(mut tty: Tty, colors: bool) -> io::Result<Screen> {
        // The user chose already, by NO_COLOR or by an option.
        force_color_output(colors);
        let terminal = Terminal::new(CrosstermBackend::new(tty.try_clone()?))?;
        restore_before_panics();
        // From here on, the screen is left in any case.
        let entered = tty.enter();
        let screen = Screen { tty, terminal };
        entered.map(|()| screen)
    }

    /// Draws, and shows the cursor if it has a position.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Buffer, Rect) -> Option<Position>) -> io::Result<()> {
        self.terminal.draw(|frame| {
            let area = frame.area();
            if let Some(position) = draw(frame.buffer_mut(), area) {
                frame.set_cursor_position(position);
            }
        })?;
        Ok(())
    }

    /// Draws everything again the next time.
    ///
    /// `Terminal::clear` would ask the terminal for the position of the cursor, and a key that is typed
    /// before the answer would spoil it.
    pub fn clear(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }

    /// Lets another program have the terminal.
    pub fn lend<T>(&mut self, action: impl FnOnce(&Tty) -> T) -> io::Result<T> {
        self.tty.leave()?;
        let done = action(&self.tty);
        self.tty.enter()?;
        self.clear()?;
        Ok(done)
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

/// Restores the terminal before a panic of any thread is reported.
fn restore_before_panics() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        PANICKED.store(true, Ordering::SeqCst);
        if let Ok(mut tty) = Tty::open() {
            let _ = tty.leave();
        }
        report(info);
    }));
}

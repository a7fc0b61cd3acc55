//! `--menu`: a chooser in the terminal.
//!
//! The search runs in a thread of its own and sends its matches as
//! [items](crate::output::item). This thread has the terminal:
//!
//! ```text
//! session   waits for keys and items, and does what an action asks for
//! model     the state: items, selection, search, folding. It is pure
//! view      draws the model: only what is visible
//! terminal  the screen, which is restored in any case, and signals
//! browser   the commands that open a URL, and the escape sequence that copies one
//! keys      which key is which action
//! ```
//!
//! Standard input is the message, so the keyboard is the terminal of the process
//! (`/dev/tty`), and the screen is drawn there too. Nothing is written to standard output.

mod browser;
mod keys;
mod model;
mod session;
mod terminal;
mod view;

use std::io::{self, IsTerminal};
use std::sync::mpsc::Receiver;
use std::thread::{self, JoinHandle};

use anyhow::{Context, anyhow, bail};

use crate::error::{self, Status};
use crate::escape::Escaped;
use crate::input::Roots;
use crate::output::item::{self, ItemEvent, ItemSender};
use crate::output::style;
use model::Model;
use session::Session;
pub use terminal::Tty;

/// How the menu looks.
#[derive(Clone, Copy, Debug)]
pub struct MenuOptions {
    pub colors: bool,
    /// Whether duplicates are folded at the start.
    pub folded: bool,
}

/// A search that runs beside the menu.
type Searching = JoinHandle<anyhow::Result<Status>>;

/// Opens the terminal of the menu.
///
/// # Errors
///
/// If there is none, it cannot move its cursor, or it is also the input.
pub fn open(roots: &Roots) -> anyhow::Result<Tty> {
    if roots.includes_stdin() && io::stdin().is_terminal() {
        bail!("--menu: standard input is the keyboard, so it cannot also be searched");
    }
    if style::is_dumb() {
        bail!("--menu: expected a terminal that can move its cursor, and TERM is not set or \"dumb\"");
    }
    Tty::open().context("--menu: expected a terminal")
}

/// Shows the items of a search until the user quits.
///
/// # Errors
///
/// If the terminal cannot be read or written.
pub fn run(
    tty: Tty,
    options: MenuOptions,
    search: impl FnOnce(ItemSender) -> anyhow::Result<Status> + Send + 'static,
) -> anyhow::Result<Status> {
    let (sender, receiver) = item::channel();
    let search = thread::Builder::new().spawn(move || search(sender)).context("--menu")?;
    let mut model = Model::new(options.folded);
    let shown = show(tty, options, &mut model, receiver);
    for error in model.errors() {
        error::print(&anyhow!("{error}"));
    }
    shown.context("--menu")?;
    status(&model, search)
}

fn show(tty: Tty, options: MenuOptions, model: &mut Model, items: Receiver<ItemEvent>) -> io::Result<()> {
    let mut session = Session::new(model, items);
    // Without a URL, the screen stays as it is.
    if session.wait_for_item() { session.run(tty, options.colors) } else { Ok(()) }
}

/// The status of the search, or what is known of it if the user did not wait for its end.
fn status(model: &Model, search: Searching) -> anyhow::Result<Status> {
    let (matched, failed) = (model.list().total() > 0, !model.errors().is_empty());
    if !model.has_all() && !terminal::has_panicked() {
        return Ok(Status::new(matched, failed));
    }
    let ended =
        search.join().unwrap_or_else(|_| Err(anyhow!("the search was interrupted by an internal error")));
    if matches!(ended, Ok(Status::NoMatch)) {
        error::hint("no URL was found");
    }
    ended
}

/// A text of this program and of the environment, as the menu shows it.
fn shown(text: &str) -> String {
    Escaped(text.as_bytes()).to_string()
}

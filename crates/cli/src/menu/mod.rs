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
//! browser   the commands that open a URL
//! clipboard what copies one
//! keys      which key is which action
//! ```
//!
//! Standard input is the message, so the keyboard is the terminal of the process
//! (`/dev/tty`), and the screen is drawn there too. To standard output only those URLs are written that the user
//! chose to print, after the menu.

mod browser;
mod clipboard;
mod keys;
mod model;
mod session;
mod terminal;
mod view;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use urlgrep::archive::Role;
use urlgrep_print::escape::Escaped;

use crate::error::{self, Interrupted, Status};
use crate::input::Roots;
use crate::output::item::{self, ItemSender};
use crate::output::style;
use browser::Browser;
use model::{Model, SearchProgress};
use session::Session;
pub use terminal::Tty;

/// The appearance of the menu, and the command that opens URLs.
#[derive(Clone, Debug)]
pub struct MenuOptions {
    pub colors: bool,
    /// The roles that are shown at the start.
    pub roles: Vec<Role>,
    /// The command that opens URLs, if the user chose one.
    pub open_with: Option<OsString>,
    /// The bytes that the items may take.
    pub memory: usize,
}

/// Opens the terminal of the menu.
///
/// # Errors
///
/// Returns an error without a terminal, if it cannot move its cursor, or if it is also the input.
pub fn open(roots: &Roots) -> anyhow::Result<Tty> {
    if roots.includes_stdin() && io::stdin().is_terminal() {
        bail!("--menu: standard input is the keyboard, so it cannot also be searched");
    }
    if style::is_dumb() {
        bail!("--menu: expected a terminal that can move its cursor, but TERM is unset or \"dumb\"");
    }
    Tty::open().context("--menu: expected a terminal")
}

/// Shows the items of a search until the user quits.
///
/// # Errors
///
/// Returns an error if the terminal cannot be read or written.
pub fn run(
    tty: Tty,
    options: MenuOptions,
    search: impl FnOnce(ItemSender) -> anyhow::Result<Status> + Send + 'static,
) -> anyhow::Result<Status> {
    let opener = options.open_with.as_deref().map(Browser::typed).transpose();
    let opener = opener.map_err(|error| anyhow!("--open-with: {error}"))?;
    let (sender, receiver) = item::channel();
    let search = thread::Builder::new().spawn(move || search(sender)).context("--menu")?;
    let mut model = Model::new(&options.roles, options.memory);
    model.opens_all = opener.is_some();
    let mut session = Session::new(&mut model, receiver, opener);
    // Without a URL, the screen stays as it is.
    let shown = if session.wait_for_item() { session.run(tty, options.colors) } else { Ok(Vec::new()) };
    for error in &model.errors {
        error::print(&anyhow!("{error}"));
    }
    let (shown, mut out) = (shown.context("--menu")?, io::stdout().lock());
    let printed = shown.iter().try_for_each(|url| writeln!(out, "{url}")).and_then(|()| out.flush());
    printed.context("standard output")?;
    drop(out);
    // The status of the search, or of the part so far if the user did not wait for its end.
    if model.progress != SearchProgress::Ended && !terminal::has_panicked() {
        return Ok(Status::new(model.list.total() > 0, !model.errors.is_empty()));
    }
    let ended = search.join().unwrap_or_else(|_| Err(Interrupted.into()));
    if matches!(ended, Ok(Status::NoMatch)) {
        error::hint("no URL was found");
    }
    ended
}

/// Waits for a program, or until `enough`. Returns its status, if it has ended.
fn wait(child: &mut Child, enough: impl Fn() -> bool) -> io::Result<Option<ExitStatus>> {
    loop {
        match child.try_wait()? {
            None if !enough() => thread::sleep(Duration::from_millis(10)),
            status => return Ok(status),
        }
    }
}

/// Returns the status of a program that failed as an error.
fn succeeded(status: ExitStatus) -> io::Result<()> {
    if status.success() { Ok(()) } else { Err(io::Error::other(status.to_string())) }
}

/// A text of this program and of the environment, as the menu shows it.
fn shown(text: &str) -> String {
    Escaped(text.as_bytes()).to_string()
}

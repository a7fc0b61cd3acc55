//! The menu from its first item to its end: keys and items come in, and the screen follows.

use std::ffi::OsStr;
use std::io;
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use crossterm::event;

use super::browser::{self, Browser};
use super::clipboard;
use super::model::{Effect, Model, SearchProgress};
use super::terminal::{self, Screen, Signals, Tty};
use super::view::{self, Theme};
use super::{keys, shown, succeeded};
use crate::output::item::ItemEvent;

/// The time without an item after which the menu is shown, so that the user can quit.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time for which items are received before the screen is drawn again.
const RECEIVING: Duration = Duration::from_millis(20);

/// The time between two checks of the search and at the commands in the background.
const PERIOD: Duration = Duration::from_millis(30);

/// The time between two checks for signals, when nothing else is awaited.
const IDLE: Duration = Duration::from_millis(250);

/// The menu while it is shown.
pub struct Session<'m> {
    model: &'m mut Model,
    /// The items of the search; none after its end.
    items: Option<Receiver<ItemEvent>>,
    /// The command of the user that opens URLs.
    opener: Option<Browser>,
    /// The commands that run in the background.
    children: Vec<(Browser, Child)>,
    /// The URLs to print after the menu.
    printed: Vec<String>,
}

impl<'m> Session<'m> {
    pub fn new(model: &'m mut Model, items: Receiver<ItemEvent>, opener: Option<Browser>) -> Self {
        Session { model, items: Some(items), opener, children: Vec::new(), printed: Vec::new() }
    }

    /// Waits for the first item, but not for long. Returns whether there is something to show.
    pub fn wait_for_item(&mut self) -> bool {
        let end = Instant::now() + PATIENCE;
        while self.model.list.total() == 0 {
            let Some(items) = &self.items else { return false };
            match items.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(event) => self.model.receive(event),
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => self.end_search(),
            }
        }
        true
    }

    /// Shows the menu until the user quits. Returns the URLs to print afterwards.
    ///
    /// # Errors
    ///
    /// Returns an error if the terminal cannot be read or written.
    pub fn run(mut self, tty: Tty, colors: bool) -> io::Result<Vec<String>> {
        let signals = Signals::note()?;
        let theme = Theme::new(colors);
        {
            let mut screen = Screen::enter(tty, signals.clone(), colors)?;
            let mut changed = true;
            // Without an item, the end of the search ends the menu.
            while !signals.came()
                && (self.items.is_some() || self.model.list.total() > 0)
                && !terminal::has_panicked()
            {
                if changed {
                    screen.draw(|columns, lines| view::draw(self.model, columns, lines, &theme))?;
                }
                changed = self.receive() | self.reap();
                // While items come, keys are read, but not waited for.
                let wait = match self.items.is_none() && self.children.is_empty() {
                    _ if changed => Duration::ZERO,
                    true => IDLE,
                    false => PERIOD,
                };
                if event::poll(wait)? {
                    changed = true;
                    let action = keys::action(event::read()?, self.model.mode);
                    let notice = match action.and_then(|action| self.model.apply(action)) {
                        None => continue,
                        Some(Effect::Quit) => break,
                        Some(Effect::Print(urls)) => {
                            self.printed = urls;
                            break;
                        }
                        Some(Effect::Redraw) => {
                            screen.clear();
                            continue;
                        }
                        Some(Effect::Mouse(take)) => {
                            screen.take_mouse(take)?;
                            continue;
                        }
                        Some(Effect::Copy(urls)) => {
                            let write = |sequence: &[u8]| screen.write(sequence);
                            clipboard::copy(&urls.join("\n"), &what(&urls), write)?
                        }
                        Some(Effect::Open(urls)) => self.open(&urls, &mut screen)?,
                        Some(Effect::Run { command, urls }) => {
                            self.run_command(&command, &urls, &mut screen)?
                        }
                    };
                    self.model.notice = shown(&notice);
                }
            }
        }
        signals.obey();
        Ok(self.printed)
    }

    /// Receives the items that wait. Returns whether there were any, or the search ended.
    fn receive(&mut self) -> bool {
        let end = Instant::now() + RECEIVING;
        let mut changed = false;
        while let Some(items) = &self.items {
            match items.try_recv() {
                Ok(event) => self.model.receive(event),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.end_search(),
            }
            changed = true;
            if self.model.progress != SearchProgress::Running {
                // Dropping the receiver ends the search.
                self.items = None;
            }
            if Instant::now() > end {
                break;
            }
        }
        changed
    }

    fn end_search(&mut self) {
        self.items = None;
        self.model.progress = SearchProgress::Ended;
    }

    /// Tells which commands in the background failed. Returns whether any did.
    fn reap(&mut self) -> bool {
        let mut failures = Vec::new();
        self.children.retain_mut(|(browser, child)| {
            let ended = child.try_wait().and_then(|status| status.map(succeeded).transpose());
            failures.extend(ended.as_ref().err().map(|error| format!("{}: {error}", browser.name())));
            matches!(ended, Ok(None))
        });
        for failure in &failures {
            self.model.notice = shown(failure);
        }
        !failures.is_empty()
    }

    /// Opens URLs, one after the other, each with the first browser that does. Returns a sentence on them.
    fn open(&mut self, urls: &[String], screen: &mut Screen) -> io::Result<String> {
        let browsers = self.opener.clone().map_or_else(browser::browsers, |opener| vec![opener]);
        let mut name = None;
        for url in urls {
            let mut failures = Vec::new();
            name = None;
            for browser in &browsers {
                let opened = match browser.background {
                    true => self.start(browser, url),
                    false => screen.lend(|tty, signals| run(browser, url, tty, signals))?,
                };
                match opened {
                    Ok(()) => name = Some(browser.name()),
                    Err(error) => failures.push(format!("{}: {error}", browser.name())),
                }
                if name.is_some() || screen.signals.came() {
                    break;
                }
            }
            if name.is_none() {
                return Ok(format!("Not opened: {}", failures.join("; ")));
            }
        }
        Ok(name.map_or_else(String::new, |name| format!("Opened with {name}: {}", what(urls))))
    }

    /// Starts a command in the background.
    fn start(&mut self, browser: &Browser, url: &str) -> io::Result<()> {
        self.children.push((browser.clone(), browser.start(url)?));
        Ok(())
    }

    /// Runs a command for each URL. Its output can be read before the menu comes back. Returns a
    /// sentence.
    fn run_command(&mut self, command: &str, urls: &[String], screen: &mut Screen) -> io::Result<String> {
        let command = match Browser::typed(OsStr::new(command)) {
            Ok(command) => command,
            Err(error) => return Ok(format!("Not run: {error}")),
        };
        let mut failure = None;
        if command.background {
            failure = urls.iter().filter_map(|url| self.start(&command, url).err()).last();
        } else {
            screen.lend(|tty, signals| -> io::Result<()> {
                for url in urls {
                    failure = run(&command, url, tty, signals).err().or(failure.take());
                    if signals.came() {
                        return Ok(());
                    }
                }
                tty.pause("Press any key to return to the menu. ", || signals.came())
            })??;
        }
        let name = command.name();
        Ok(failure
            .map_or_else(|| format!("Run {name}: {}", what(urls)), |failure| format!("{name}: {failure}")))
    }
}

/// Returns the URL if there is only one, otherwise the number of URLs.
fn what(urls: &[String]) -> String {
    match urls {
        [url] => url.clone(),
        _ => format!("{} URLs", urls.len()),
    }
}

/// Runs a browser in the terminal.
fn run(browser: &Browser, url: &str, tty: &Tty, signals: &Signals) -> io::Result<()> {
    let files = [tty.0.try_clone()?, tty.0.try_clone()?, tty.0.try_clone()?];
    let status = browser.run(url, files, || signals.forget_keyboard())?;
    signals.forget_keyboard();
    status.map_or_else(|| Err(io::Error::other("the program is still running")), succeeded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_url_or_how_many() {
        for (urls, expected) in [(&["x:a"][..], "x:a"), (&["x:a", "x:b"], "2 URLs"), (&[], "0 URLs")] {
            assert_eq!(what(&urls.iter().map(|url| (*url).to_owned()).collect::<Vec<_>>()), expected);
        }
    }
}

//! The state of the menu, without a terminal.
//!
//! An [`Action`] changes the model, and may ask for an [`Effect`]. So everything but
//! drawing and opening is tested without a terminal.

mod action;
mod filter;
mod list;
#[cfg(test)]
mod tests;

pub use action::{Action, Effect, Motion};
pub use list::{List, Row, label};

use crate::output::item::{Item, ItemEvent, Reading};
use filter::Filter;

/// The size of all items after which no more are taken, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// The number of errors that are kept, at most.
const MAX_ERRORS: usize = 100;

/// The number of characters of a search, at most.
const MAX_SEARCH: usize = 200;

/// What the keys do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They select an item.
    List,
    /// They type what is searched for.
    Typing,
    /// They scroll the lines around a URL.
    Context { top: usize },
    /// They select one of the readings of a URL.
    Readings { selected: usize },
    /// They scroll the help.
    Help { top: usize },
}

/// How far the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Running,
    /// There are more items than the menu takes.
    Full,
    Ended,
}

/// The state of the menu.
#[derive(Debug)]
pub struct Model {
    list: List,
    mode: Mode,
    progress: Progress,
    /// What is searched for, as it is typed.
    typed: String,
    /// What was searched for before that.
    before: String,
    /// The number that is typed.
    number: usize,
    /// A sentence on the last action.
    notice: String,
    errors: Vec<String>,
    /// The number of lines that scroll in a pane, and the number that are visible.
    pane: (usize, usize),
}

impl Model {
    /// A menu without items. `folded` says whether duplicates are folded.
    pub fn new(folded: bool) -> Model {
        Model {
            list: List::new(folded),
            mode: Mode::List,
            progress: Progress::Running,
            typed: String::new(),
            before: String::new(),
            number: 0,
            notice: String::new(),
            errors: Vec::new(),
            pane: (0, 0),
        }
    }

    pub fn list(&self) -> &List {
        &self.list
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// What is searched for; empty if everything is shown.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// The sentence on the last action; empty if there is none.
    pub fn notice(&self) -> &str {
        &self.notice
    }

    pub fn errors(&self) -> &[String] {
        &self.errors
    }

    /// Whether the search ended, and all its items are in the list.
    pub fn has_all(&self) -> bool {
        self.progress == Progress::Ended
    }

    /// Whether more items are taken.
    pub fn takes_more(&self) -> bool {
        self.progress == Progress::Running
    }

    /// Adds what the search sent.
    pub fn receive(&mut self, event: ItemEvent) {
        match event {
            ItemEvent::Item(item) => self.list.push(*item),
            ItemEvent::Error(error) if self.errors.len() < MAX_ERRORS => self.errors.push(error),
            ItemEvent::Error(_) => {}
        }
        if self.list.bytes() > MAX_BYTES {
            self.progress = Progress::Full;
        }
    }

    /// Marks the end of the search.
    pub fn end(&mut self) {
        self.progress = Progress::Ended;
    }

    /// Shows a sentence until the next key.
    pub fn notify(&mut self, notice: String) {
        self.notice = notice;
    }

    /// Sets how many items are visible at once.
    pub fn set_page(&mut self, items: usize) {
        self.list.set_page(items);
    }

    /// Sets how many lines the current pane has, and how many of them are visible.
    pub fn set_pane(&mut self, lines: usize, visible: usize) {
        self.pane = (lines, visible);
        if let Mode::Context { top } | Mode::Help { top } = &mut self.mode {
            *top = (*top).min(lines.saturating_sub(visible));
        }
    }

    /// Changes the state. Returns what is left to do.
    pub fn apply(&mut self, action: Action) -> Option<Effect> {
        self.notice.clear();
        if !matches!(action, Action::Digit(_)) {
            self.number = 0;
        }
        match action {
            Action::Move(motion) => self.go(motion),
            Action::Digit(digit) => self.digit(digit),
            Action::Open => return self.open(),
            Action::Copy => return self.reading().map(|reading| Effect::Copy(reading.target.to_string())),
            Action::Search => self.start_search(),
            Action::Type(text) => self.type_text(&text),
            Action::Erase => self.erase(),
            Action::EraseAll => self.search_for(String::new()),
            Action::Accept => self.mode = Mode::List,
            Action::Fold => self.fold(),
            Action::Context => self.toggle(Mode::Context { top: 0 }),
            Action::Readings => self.readings(),
            Action::Help => self.toggle(Mode::Help { top: 0 }),
            Action::Back => return self.back(),
            Action::Redraw => return Some(Effect::Redraw),
            Action::Quit => return Some(Effect::Quit),
        }
        None
    }

    /// The item that is selected.
    pub fn selected(&self) -> Option<&Item> {
        self.list.selected_item()
    }

    /// The reading that is selected: the URL, unless another one was.
    fn reading(&self) -> Option<&Reading> {
        let at = if let Mode::Readings { selected } = self.mode { selected } else { 0 };
        self.selected()?.readings.get(at)
    }

    fn open(&mut self) -> Option<Effect> {
        let reading = self.reading()?;
        if reading.opens {
            return Some(Effect::Open(reading.target.to_string()));
        }
        let scheme = reading.target.split(':').next().unwrap_or_default();
        self.notice = format!(
            "{scheme} is not opened: only http, https, ftp, gopher, mailto and news are. y copies the URL"
        );
        None
    }

    fn go(&mut self, motion: Motion) {
        let (lines, visible) = self.pane;
        let readings = self.selected().map_or(0, |item| item.readings.len());
        match &mut self.mode {
            Mode::List | Mode::Typing => self.list.go(motion),
            Mode::Context { top } | Mode::Help { top } => {
                *top = motion.scrolled(*top, visible, lines.saturating_sub(visible));
            }
            Mode::Readings { selected } => {
                *selected = motion.scrolled(*selected, visible, readings.saturating_sub(1));
            }
        }
    }

    /// Selects by number. A digit that makes the number too large starts the next one.
    fn digit(&mut self, digit: usize) {
        let longer = self.number.saturating_mul(10).saturating_add(digit);
        let readings = self.selected().map_or(0, |item| item.readings.len());
        let count = if matches!(self.mode, Mode::Readings { .. }) { readings } else { self.list.row_count() };
        self.number = if longer <= count { longer } else { digit };
        if self.number == 0 || self.number > count {
            self.number = 0;
            return;
        }
        match &mut self.mode {
            Mode::List => self.list.select(self.number - 1),
            Mode::Readings { selected } => *selected = self.number - 1,
            Mode::Typing | Mode::Context { .. } | Mode::Help { .. } => {}
        }
    }

    fn start_search(&mut self) {
        self.before = self.typed.clone();
        self.mode = Mode::Typing;
    }

    fn type_text(&mut self, text: &str) {
        let room = MAX_SEARCH.saturating_sub(self.typed.chars().count());
        let more = text.chars().filter(|char| !char.is_control()).take(room);
        let typed = self.typed.chars().chain(more).collect();
        self.search_for(typed);
    }

    fn erase(&mut self) {
        let mut typed = self.typed.clone();
        match typed.pop() {
            Some(_) => self.search_for(typed),
            // As in a pager, erasing nothing ends the search.
            None => self.mode = Mode::List,
        }
    }

    fn search_for(&mut self, typed: String) {
        self.list.set_filter(Filter::new(&typed));
        self.typed = typed;
    }

    fn fold(&mut self) {
        self.list.set_folded(!self.list.is_folded());
        let hidden = self.list.hidden();
        self.notice = match (self.list.is_folded(), hidden) {
            (false, _) => "All duplicates are shown".into(),
            (true, 0) => "There are no duplicates".into(),
            (true, 1) => "1 duplicate is folded".into(),
            (true, hidden) => format!("{hidden} duplicates are folded"),
        };
    }

    /// Shows a pane, or the list again.
    fn toggle(&mut self, pane: Mode) {
        let shown = std::mem::discriminant(&self.mode) == std::mem::discriminant(&pane);
        let empty = self.selected().is_none() && !matches!(pane, Mode::Help { .. });
        self.mode = if shown || empty { Mode::List } else { pane };
    }

    fn readings(&mut self) {
        match self.selected().map(|item| item.readings.len()) {
            Some(0 | 1) => self.notice = "This URL has no other reading".into(),
            _ => self.toggle(Mode::Readings { selected: 0 }),
        }
    }

    /// Leaves what was entered last.
    fn back(&mut self) -> Option<Effect> {
        match self.mode {
            Mode::Typing => {
                self.search_for(self.before.clone());
                self.mode = Mode::List;
            }
            Mode::List if self.typed.is_empty() => return Some(Effect::Quit),
            Mode::List => self.search_for(String::new()),
            Mode::Context { .. } | Mode::Readings { .. } | Mode::Help { .. } => self.mode = Mode::List,
        }
        None
    }
}

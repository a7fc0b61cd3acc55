//! The state of the menu, without a terminal.
//!
//! An [`Action`] changes the model, and may ask for an [`Effect`]. So everything except drawing and
//! opening is tested without a terminal.

// | module | contains |
// |---|---|
// | `action` | what the user does, and what the menu does then |
// | `list` | the items, which are shown, and which is selected |
// | `words` | the words that are searched for |

mod action;
mod list;
mod words;

use std::ops::Range;

use urlgrep::archive::Role;
use urlgrep::grammar;

use crate::output::item::{ItemEvent, Reading};
pub use action::{Action, Effect, Mode, Motion, Prompt, letter};
pub use list::{List, Row, label};
pub use words::Words;

/// The maximum number of errors that are kept.
const MAX_ERRORS: usize = 100;

/// The maximum number of characters in a search.
const MAX_SEARCH: usize = 200;

/// The maximum number of URLs that are opened without a question.
const MANY: usize = 10;

/// The progress of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchProgress {
    #[default]
    Running,
    /// The search found more items than the menu accepts.
    Full,
    Ended,
}

/// A part of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    pub columns: Range<usize>,
    pub lines: Range<usize>,
}

impl Area {
    fn has(&self, column: usize, line: usize) -> bool {
        self.columns.contains(&column) && self.lines.contains(&line)
    }
}

/// Lines that scroll.
#[derive(Clone, Copy, Debug, Default)]
struct Scroll {
    /// The first line that is visible.
    top: usize,
    lines: usize,
    visible: usize,
}

impl Scroll {
    fn go(&mut self, motion: Motion) {
        self.top = motion.scrolled(self.top, self.visible, self.lines.saturating_sub(self.visible));
    }
}

/// The state of the menu.
#[derive(Debug, Default)]
pub struct Model {
    pub list: List,
    pub mode: Mode,
    /// The progress of the search. Only a running one adds items.
    pub progress: SearchProgress,
    /// True if URLs of any scheme are opened: the user chose the command.
    pub opens_all: bool,
    /// The size of all items at which the menu accepts no more, in bytes.
    memory: usize,
    /// The current or last text typed at each prompt.
    typed: [String; 3],
    /// The words of the search.
    sought: Words,
    /// The earlier text at the prompt, and the row that was selected.
    before: (String, usize),
    /// The number that is being typed.
    number: usize,
    /// A sentence about the last action, which is shown until the next key; empty before the first action.
    pub notice: String,
    pub errors: Vec<String>,
    /// The lines of the help.
    help: Scroll,
    /// The lines of the message.
    message: Scroll,
    /// True if the user scrolled the message. Otherwise the URL is visible.
    scrolled: bool,
    /// True if the message is next to the list, if the user chose.
    pub split: Option<bool>,
    /// True if it is now.
    pub is_split: bool,
    list_area: Area,
    message_area: Area,
    /// The number of the row that was clicked last.
    clicked: usize,
    /// True if the last action asked whether to open many URLs.
    asked: bool,
    mouse: bool,
}

impl Model {
    /// Returns a menu without items, which shows these roles, and accepts items of this size in bytes.
    pub fn new(roles: &[Role], memory: usize) -> Model {
        Model { list: List::new(roles), memory, mouse: true, ..Model::default() }
    }

    /// Returns the text typed at a prompt.
    pub fn typed(&self, prompt: Prompt) -> &str {
        &self.typed[prompt as usize]
    }

    /// Returns the words of the search, or else of the filter.
    pub fn words(&self) -> &Words {
        if self.sought.is_empty() { &self.list.filter } else { &self.sought }
    }

    /// Adds the events of the search.
    pub fn receive(&mut self, event: ItemEvent) {
        match event {
            ItemEvent::Item(item) => self.list.push(*item),
            ItemEvent::Error(error) if self.errors.len() < MAX_ERRORS => self.errors.push(error),
            ItemEvent::Error(_) => {}
        }
        if self.list.bytes > self.memory {
            self.progress = SearchProgress::Full;
        }
    }

    /// Sets where the list is, and how many of its items are visible at once.
    pub fn set_list(&mut self, area: Area) {
        self.list.set_page(area.lines.len());
        self.list_area = area;
    }

    /// Sets how many lines the help has, and how many of them are visible. Returns the first
    /// visible line.
    pub fn set_help(&mut self, lines: usize, visible: usize) -> usize {
        let top = self.help.top.min(lines.saturating_sub(visible));
        self.help = Scroll { top, lines, visible };
        top
    }

    /// Sets where the message is, how many lines it has, and which of them contains the URL. Returns the
    /// first visible line.
    pub fn set_message(&mut self, area: Area, lines: usize, url: usize) -> usize {
        let visible = area.lines.len();
        // A third of the lines are above it.
        let wanted = if self.scrolled { self.message.top } else { url.saturating_sub(visible / 3) };
        let first = if url < visible && !self.scrolled { 0 } else { wanted };
        let top = first.min(lines.saturating_sub(visible));
        self.message = Scroll { top, lines, visible };
        self.message_area = area;
        top
    }

    /// Changes the state. Returns the effect that the caller must carry out.
    pub fn apply(&mut self, action: Action) -> Option<Effect> {
        self.notice.clear();
        if !matches!(action, Action::Digit(_)) {
            self.number = 0;
        }
        if !matches!(action, Action::Press { .. }) {
            self.clicked = 0;
        }
        let asked = std::mem::take(&mut self.asked);
        let at = self.list.selected_index();
        let effect = self.act(action, asked);
        if self.list.selected_index() != at {
            self.scrolled = false;
        }
        effect
    }

    fn act(&mut self, action: Action, asked: bool) -> Option<Effect> {
        match action {
            Action::Move(motion) => self.go(motion),
            Action::Scroll(motion) => self.scroll(motion),
            Action::Digit(digit) => self.digit(digit),
            Action::Open => return self.open(asked),
            Action::Copy => return self.chosen(Effect::Copy),
            Action::CopyDefanged => {
                let defang =
                    |url: String| String::from_utf8_lossy(&grammar::defang(url.as_bytes())).into_owned();
                return self.chosen(|urls| Effect::Copy(urls.into_iter().map(defang).collect()));
            }
            Action::Print => return self.chosen(Effect::Print),
            Action::Mark => {
                self.list.mark();
                self.list.go(Motion::Down);
            }
            Action::MarkAll => {
                self.list.mark_all();
                self.notice = match self.list.marked().len() {
                    0 => "Nothing is marked".into(),
                    1 => "1 URL is marked".into(),
                    marked => format!("{marked} URLs are marked"),
                };
            }
            Action::Ask(prompt) => self.ask(prompt),
            Action::Next { back } => self.next(back),
            Action::Type(text) => self.type_text(&text),
            Action::Erase => self.erase(),
            Action::EraseAll => {
                if let Mode::Typing(prompt) = self.mode {
                    self.set_typed(prompt, String::new());
                }
            }
            Action::Accept => return self.accept(),
            Action::Fold => {
                self.list.fold();
                self.notice = match (self.list.folded, self.list.hidden()) {
                    (false, _) => "All duplicates are shown".into(),
                    (true, 0) => "No URL has duplicates".into(),
                    (true, 1) => "1 duplicate is folded".into(),
                    (true, hidden) => format!("{hidden} duplicates are folded"),
                };
            }
            Action::Switch(role) => {
                self.list.switch(role);
                let what = if self.list.roles.contains(&role) { "shown" } else { "hidden" };
                self.notice = match self.list.counts.of(role) {
                    0 => format!("No URL has the role {role}"),
                    total => format!("Role {role}: {total} {what}"),
                };
            }
            Action::Split => self.split = Some(!self.is_split),
            Action::Message => self.toggle(Mode::Message),
            Action::Readings => self.readings(),
            Action::Help => self.toggle(Mode::Help),
            Action::Press { column, line } => return self.press(column, line),
            Action::Wheel { column, line, up } => self.wheel(column, line, up),
            Action::Mouse => {
                self.mouse ^= true;
                self.notice = match self.mouse {
                    true => "The mouse selects URLs; with Shift it selects text".into(),
                    false => "The mouse selects text in the terminal; m returns it to the menu".into(),
                };
                return Some(Effect::Mouse(self.mouse));
            }
            Action::Back => return self.back(),
            Action::Leave if self.mode != Mode::List => return self.back(),
            Action::Leave if self.is_split && self.split == Some(true) => self.split = Some(false),
            Action::Leave => return Some(Effect::Quit),
            Action::Redraw => return Some(Effect::Redraw),
            Action::Quit => return Some(Effect::Quit),
        }
        None
    }

    /// The readings to which an action applies: the selected reading of a URL, the marked URLs, or
    /// the selected URL.
    fn readings_chosen(&self) -> Vec<&Reading> {
        if let Mode::Readings { selected } = self.mode {
            return self
                .list
                .selected_item()
                .and_then(|item| item.readings.get(selected))
                .into_iter()
                .collect();
        }
        let marked = self.list.marked();
        match marked.len() {
            0 => self.list.selected_item().and_then(|item| item.readings.first()).into_iter().collect(),
            _ => marked.filter_map(|item| item.readings.first()).collect(),
        }
    }

    /// Returns the effect for the URLs to which an action applies, or no effect without a URL.
    fn chosen(&self, effect: impl FnOnce(Vec<String>) -> Effect) -> Option<Effect> {
        let urls: Vec<_> =
            self.readings_chosen().into_iter().map(|reading| reading.target.to_string()).collect();
        (!urls.is_empty()).then(|| effect(urls))
    }

    fn open(&mut self, asked: bool) -> Option<Effect> {
        let all = self.readings_chosen();
        let opened: Vec<_> = all.iter().filter(|reading| self.opens_all || reading.opens).collect();
        let urls: Vec<_> = opened.iter().map(|reading| reading.target.to_string()).collect();
        if let Some(refused) = all.iter().find(|_| urls.is_empty()) {
            let scheme = refused.target.split(':').next().unwrap_or_default();
            self.notice = format!("{scheme} URLs are not opened; press y to copy the URL");
            return None;
        }
        if urls.len() > MANY && !asked {
            self.notice = format!("Press Enter again to open {} URLs", urls.len());
            self.asked = true;
            return None;
        }
        (!urls.is_empty()).then_some(Effect::Open(urls))
    }

    fn go(&mut self, motion: Motion) {
        let readings = self.list.selected_item().map_or(0, |item| item.readings.len());
        match &mut self.mode {
            Mode::List | Mode::Typing(_) => self.list.go(motion),
            Mode::Message => self.scroll(motion),
            Mode::Help => self.help.go(motion),
            Mode::Readings { selected } => {
                *selected = motion.scrolled(*selected, 1, readings.saturating_sub(1));
            }
        }
    }

    /// Scrolls the message.
    fn scroll(&mut self, motion: Motion) {
        self.scrolled = true;
        self.message.go(motion);
    }

    /// Selects by number. A digit that makes the number too large starts the next one.
    fn digit(&mut self, digit: usize) {
        let longer = self.number.saturating_mul(10).saturating_add(digit);
        let readings = self.list.selected_item().map_or(0, |item| item.readings.len());
        let count = if matches!(self.mode, Mode::Readings { .. }) { readings } else { self.list.row_count() };
        self.number = if longer <= count { longer } else { digit };
        if self.number == 0 || self.number > count {
            self.number = 0;
            return;
        }
        match &mut self.mode {
            Mode::List => self.list.select(self.number - 1),
            Mode::Readings { selected } => *selected = self.number - 1,
            Mode::Typing(_) | Mode::Message | Mode::Help => {}
        }
    }

    /// Shows a pane, or the list again.
    fn toggle(&mut self, pane: Mode) {
        let empty = self.list.selected_item().is_none() && pane != Mode::Help;
        self.mode = if self.mode == pane || empty { Mode::List } else { pane };
        self.scrolled = false;
        self.help.top = 0;
    }

    fn readings(&mut self) {
        let shown = matches!(self.mode, Mode::Readings { .. });
        match self.list.selected_item().map(|item| item.readings.len()) {
            _ if shown => self.mode = Mode::List,
            Some(0 | 1) => self.notice = "This URL has no other reading".into(),
            _ => self.toggle(Mode::Readings { selected: 0 }),
        }
    }

    /// Leaves the pane or prompt that was entered last.
    fn back(&mut self) -> Option<Effect> {
        match self.mode {
            Mode::Typing(prompt) => self.leave(prompt),
            Mode::List if self.typed(Prompt::Filter).is_empty() => return Some(Effect::Quit),
            Mode::List => self.set_typed(Prompt::Filter, String::new()),
            Mode::Message | Mode::Readings { .. } | Mode::Help => self.mode = Mode::List,
        }
        None
    }
}

// The mouse.
impl Model {
    /// Selects the row that was clicked. The second click on it opens it.
    fn press(&mut self, column: usize, line: usize) -> Option<Effect> {
        let was = std::mem::take(&mut self.clicked);
        let is_list = matches!(self.mode, Mode::List) && self.list_area.has(column, line);
        if !is_list || !self.list.select_visible(line - self.list_area.lines.start) {
            return None;
        }
        if was == self.list.selected() {
            let reading = self.list.selected_item()?.readings.first()?;
            return match reading.opens || self.opens_all {
                true => Some(Effect::Open(vec![reading.target.to_string()])),
                false => self.open(false),
            };
        }
        self.clicked = self.list.selected();
        None
    }

    fn wheel(&mut self, column: usize, line: usize, up: bool) {
        let motion = if up { Motion::Up } else { Motion::Down };
        match self.mode {
            Mode::List | Mode::Typing(_) if self.list_area.has(column, line) => self.list.roll(up),
            Mode::List | Mode::Message if self.message_area.has(column, line) => {
                (0..3).for_each(|_| self.scroll(motion));
            }
            Mode::Help => (0..3).for_each(|_| self.help.go(motion)),
            _ => {}
        }
    }
}

// The typed text.
impl Model {
    fn ask(&mut self, prompt: Prompt) {
        if prompt == Prompt::Command && self.readings_chosen().is_empty() {
            return;
        }
        self.before = (self.typed(prompt).to_owned(), self.list.selected().saturating_sub(1));
        match prompt {
            Prompt::Filter => self.set_typed(prompt, String::new()),
            Prompt::Search => self.typed[prompt as usize].clear(),
            Prompt::Command => {}
        }
        self.mode = Mode::Typing(prompt);
    }

    fn type_text(&mut self, text: &str) {
        let Mode::Typing(prompt) = self.mode else { return };
        let typed = self.typed(prompt);
        let room = MAX_SEARCH.saturating_sub(typed.chars().count());
        let more = text.chars().filter(|char| !char.is_control()).take(room);
        let typed = typed.chars().chain(more).collect();
        self.set_typed(prompt, typed);
    }

    fn erase(&mut self) {
        let Mode::Typing(prompt) = self.mode else { return };
        let mut typed = self.typed(prompt).to_owned();
        match typed.pop() {
            Some(_) => self.set_typed(prompt, typed),
            // As in a pager, Backspace in an empty prompt ends the search.
            None => self.leave(prompt),
        }
    }

    /// Sets the text of a prompt. A search selects the first URL with these words from where it started.
    fn set_typed(&mut self, prompt: Prompt, typed: String) {
        match prompt {
            Prompt::Filter => self.list.set_filter(Words::new(&typed)),
            Prompt::Search => {
                self.sought = Words::new(&typed);
                let from = self.before.1;
                if self.sought.is_empty() || !self.list.seek(&self.sought, from, false) {
                    self.list.select(from);
                }
            }
            Prompt::Command => {}
        }
        self.typed[prompt as usize] = typed;
    }

    /// Selects the next URL with the words of the search, or the one before it.
    fn next(&mut self, back: bool) {
        let count = self.list.row_count();
        let Some(at) = self.list.selected().checked_sub(1) else { return };
        if self.sought.is_empty() {
            self.notice = "No search yet; press / to start one".into();
            return;
        }
        let from = if back { (at + count - 1) % count } else { (at + 1) % count };
        let found = self.list.seek(&self.sought, from, back);
        let now = self.list.selected() - 1;
        let wrapped = if back { now >= at } else { now <= at };
        self.notice = match (found, wrapped) {
            (false, _) => self.not_found(),
            (true, true) if back => "Search wrapped to the last URL".into(),
            (true, true) => "Search wrapped to the first URL".into(),
            (true, false) => String::new(),
        };
    }

    fn not_found(&self) -> String {
        format!("Not found: {}", self.typed(Prompt::Search))
    }

    /// Ends a prompt, and keeps the typed text.
    fn accept(&mut self) -> Option<Effect> {
        let Mode::Typing(prompt) = self.mode else { return None };
        self.mode = Mode::List;
        match prompt {
            Prompt::Filter => {}
            // As in less, an empty text repeats the last search.
            Prompt::Search if self.typed(prompt).is_empty() => {
                let last = std::mem::take(&mut self.before.0);
                self.set_typed(prompt, last);
                self.list.select(self.before.1);
                self.next(false);
            }
            Prompt::Search if !self.list.seek(&self.sought, self.before.1, false) => {
                self.notice = self.not_found();
            }
            Prompt::Search => {}
            Prompt::Command => {
                let command = self.typed(prompt).trim().to_owned();
                return if command.is_empty() {
                    None
                } else {
                    self.chosen(|urls| Effect::Run { command, urls })
                };
            }
        }
        None
    }

    /// Ends a prompt, and drops the typed text.
    fn leave(&mut self, prompt: Prompt) {
        let (typed, row) = std::mem::take(&mut self.before);
        match prompt {
            Prompt::Filter => self.list.set_filter(Words::new(&typed)),
            Prompt::Search => self.sought = Words::new(&typed),
            Prompt::Command => {}
        }
        self.typed[prompt as usize] = typed;
        self.list.select(row);
        self.mode = Mode::List;
    }
}

/// The model, action by action.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::item::Item;
    use crate::output::page::Page;

    fn start(folded: bool) -> Model {
        let mut model = Model::new(&[Role::Text, Role::Link], 256 << 20);
        model.list.folded = folded;
        model
    }

    fn set_page(model: &mut Model, rows: usize) {
        model.set_list(Area { columns: 0..9, lines: 1..rows + 1 });
    }

    /// An item with this URL, text and subject.
    fn item(url: &str, text: &str, subject: &str) -> Item {
        let reading =
            |url: &str| Reading { shown: url.into(), target: url.into(), opens: url.starts_with("http:") };
        Item { readings: vec![reading(url)], text: text.into(), subject: subject.into(), ..Item::default() }
    }

    fn receive(model: &mut Model, item: Item) {
        model.receive(ItemEvent::Item(Box::new(item)));
    }

    /// A model of `http://h.org/1` and so on, of which `page` are visible.
    fn numbered(count: usize, page: usize) -> Model {
        let mut model = start(false);
        (1..=count).for_each(|n| receive(&mut model, item(&format!("http://h.org/{n}"), "", "")));
        model.progress = SearchProgress::Ended;
        set_page(&mut model, page);
        model
    }

    fn visible(model: &Model) -> Vec<usize> {
        model.list.visible().map(|row| row.number).collect()
    }

    fn urls(model: &Model) -> Vec<&str> {
        model.list.visible().map(|row| row.item.url()).collect()
    }

    fn digits(model: &mut Model, digits: &str) -> usize {
        for digit in digits.chars() {
            model.apply(Action::Digit(digit.to_digit(10).unwrap() as usize));
        }
        model.list.selected()
    }

    fn typed(model: &mut Model, prompt: Prompt, text: &str) {
        model.apply(Action::Ask(prompt));
        text.chars().for_each(|char| _ = model.apply(Action::Type(char.to_string())));
    }

    #[test]
    fn the_selection_is_always_visible() {
        let mut model = numbered(10, 3);
        for (motion, selected, rows) in [
            (Motion::Up, 1, [1, 2, 3]),
            (Motion::Down, 2, [1, 2, 3]),
            (Motion::Down, 3, [1, 2, 3]),
            (Motion::Down, 4, [2, 3, 4]),
            (Motion::PageDown, 7, [5, 6, 7]),
            (Motion::Up, 6, [5, 6, 7]),
            (Motion::PageDown, 9, [7, 8, 9]),
            (Motion::PageDown, 10, [8, 9, 10]),
            (Motion::Down, 10, [8, 9, 10]),
            (Motion::PageUp, 7, [7, 8, 9]),
            (Motion::First, 1, [1, 2, 3]),
            (Motion::Last, 10, [8, 9, 10]),
        ] {
            model.apply(Action::Move(motion));
            assert_eq!((model.list.selected(), visible(&model)), (selected, rows.to_vec()), "{motion:?}");
        }
        set_page(&mut model, 5);
        assert_eq!(visible(&model), [6, 7, 8, 9, 10]);
        set_page(&mut model, 1);
        assert_eq!(visible(&model), [10]);
    }

    #[test]
    fn an_empty_list_has_no_selection() {
        let mut model = start(true);
        for motion in [Motion::Down, Motion::Up, Motion::PageDown, Motion::Last] {
            assert_eq!(model.apply(Action::Move(motion)), None);
        }
        for action in [
            Action::Open,
            Action::Copy,
            Action::Message,
            Action::Readings,
            Action::Digit(1),
            Action::Fold,
            Action::Ask(Prompt::Command),
        ] {
            assert_eq!(model.apply(action), None);
        }
        assert_eq!((model.mode, model.list.selected()), (Mode::List, 0));
    }

    /// The help is scrolled, then closed by its key, by Esc or by another pane.
    #[test]
    fn the_help_opens_at_its_top() {
        for close in [&[Action::Help][..], &[Action::Back], &[Action::Message, Action::Message]] {
            let mut model = numbered(3, 3);
            model.apply(Action::Help);
            assert_eq!(model.set_help(20, 5), 0);
            (0..6).for_each(|_| _ = model.apply(Action::Move(Motion::Down)));
            assert_eq!((model.mode, model.set_help(20, 5)), (Mode::Help, 6));
            close.iter().for_each(|action| _ = model.apply(action.clone()));
            assert_eq!(model.mode, Mode::List);
            model.apply(Action::Help);
            assert_eq!((model.mode, model.set_help(20, 5)), (Mode::Help, 0));
        }
    }

    #[test]
    fn numbers_select() {
        let mut model = numbered(69, 5);
        assert_eq!(digits(&mut model, "1"), 1);
        assert_eq!(digits(&mut model, "2"), 12);
        // 123 is too large, so this is the start of another number.
        assert_eq!(digits(&mut model, "3"), 3);
        assert_eq!(digits(&mut model, "4"), 34);
        model.apply(Action::Move(Motion::Down));
        assert_eq!(model.list.selected(), 35);
        assert_eq!(digits(&mut model, "0"), 35);
        assert_eq!(digits(&mut model, "07"), 7);
        // The last number, and the one after it.
        assert_eq!(digits(&mut model, "069"), 69);
        assert_eq!(digits(&mut model, "0068"), 68);
        assert_eq!(digits(&mut model, "070"), 7);
    }

    #[test]
    fn a_filter_narrows_while_it_is_typed() {
        let mut model = start(false);
        receive(&mut model, item("http://h.org/a", "The FAQ", "News"));
        receive(&mut model, item("http://h.org/b", "\u{dc}bersicht", "News of a FAQ"));
        receive(&mut model, item("ftp://H.ORG/c", "", "Old"));
        set_page(&mut model, 9);
        model.apply(Action::Move(Motion::Last));
        typed(&mut model, Prompt::Filter, "faq");
        assert_eq!(urls(&model), ["http://h.org/a", "http://h.org/b"]);
        model.apply(Action::Type(" \u{fc}b".into()));
        assert_eq!(urls(&model), ["http://h.org/b"]);
        // Items that come later are searched as well.
        receive(&mut model, item("http://h.org/d", "FAQ: \u{dc}b", ""));
        assert_eq!(urls(&model), ["http://h.org/b", "http://h.org/d"]);
        (0..3).for_each(|_| _ = model.apply(Action::Erase));
        assert_eq!((model.typed(Prompt::Filter), urls(&model).len()), ("faq", 3));
        model.apply(Action::Accept);
        assert_eq!((model.mode, model.typed(Prompt::Filter)), (Mode::List, "faq"));
        // The next words replace them. They are lost with Esc, and the next Esc shows everything.
        model.apply(Action::Ask(Prompt::Filter));
        assert_eq!((model.typed(Prompt::Filter), urls(&model).len()), ("", 4));
        model.apply(Action::Back);
        assert_eq!((model.typed(Prompt::Filter), urls(&model).len()), ("faq", 3));
        typed(&mut model, Prompt::Filter, "x");
        assert_eq!((urls(&model).len(), model.list.selected()), (0, 0));
        assert_eq!(model.apply(Action::Back), None);
        assert_eq!((model.typed(Prompt::Filter), urls(&model).len()), ("faq", 3));
        assert_eq!(model.apply(Action::Back), None);
        assert_eq!((model.typed(Prompt::Filter), urls(&model).len()), ("", 4));
        assert_eq!(model.apply(Action::Back), Some(Effect::Quit));
    }

    #[test]
    fn a_filter_is_literal_and_limited() {
        let mut model = numbered(3, 3);
        typed(&mut model, Prompt::Filter, "h.o.g");
        assert_eq!(urls(&model).len(), 0);
        model.apply(Action::EraseAll);
        model.apply(Action::Type(format!("(\u{1b}\n{}", "a".repeat(999))));
        assert_eq!(model.typed(Prompt::Filter), format!("({}", "a".repeat(199)));
    }

    #[test]
    fn duplicates_are_folded_to_their_first() {
        let mut model = start(false);
        for (url, text) in [
            ("http://h.org/a", ""),
            ("http://h.org/b", "b"),
            ("http://h.org/a", "A"),
            ("http://h.org/a", "x"),
        ] {
            receive(&mut model, item(url, text, ""));
        }
        set_page(&mut model, 9);
        model.apply(Action::Move(Motion::Last));
        model.apply(Action::Fold);
        let rows: Vec<_> =
            model.list.visible().map(|row| (row.item.url(), row.text, row.count, row.selected)).collect();
        // The selected one is folded into the first, whose text comes from the third.
        assert_eq!(rows, [("http://h.org/a", "A", 3, true), ("http://h.org/b", "b", 1, false)]);
        assert_eq!(model.notice, "2 duplicates are folded");
        receive(&mut model, item("http://h.org/b", "", ""));
        assert_eq!(model.list.visible().map(|row| row.count).collect::<Vec<_>>(), [3, 2]);
        // A duplicate that has the words shows its URL.
        typed(&mut model, Prompt::Filter, "x");
        assert_eq!(urls(&model), ["http://h.org/a", "http://h.org/a"][..1]);
        model.apply(Action::Back);
        model.apply(Action::Fold);
        assert_eq!((urls(&model).len(), &*model.notice), (5, "All duplicates are shown"));
    }

    /// The text of a row may come from a duplicate.
    #[test]
    fn the_text_of_a_folded_row_is_searched() {
        let mut model = start(true);
        for (url, text) in [("http://h.org/1", ""), ("http://h.org/a", ""), ("http://h.org/a", "word")] {
            receive(&mut model, item(url, text, ""));
        }
        set_page(&mut model, 9);
        assert_eq!(model.list.visible().map(|row| row.text).collect::<Vec<_>>(), ["", "word"]);
        typed(&mut model, Prompt::Search, "word");
        assert_eq!(model.list.selected(), 2);
    }

    /// A search that finds only the selected URL has gone round the list, in both directions.
    #[test]
    fn a_search_goes_round() {
        let mut model = numbered(3, 3);
        typed(&mut model, Prompt::Search, "org/2");
        model.apply(Action::Accept);
        for (back, end) in [(true, "last"), (false, "first")] {
            model.apply(Action::Next { back });
            assert_eq!(model.list.selected(), 2);
            assert_eq!(model.notice, format!("Search wrapped to the {end} URL"));
        }
        typed(&mut model, Prompt::Search, "org");
        model.apply(Action::Accept);
        model.apply(Action::Move(Motion::First));
        for (back, selected, notice) in [
            (false, 2, ""),
            (false, 3, ""),
            (false, 1, "Search wrapped to the first URL"),
            (true, 3, "Search wrapped to the last URL"),
            (true, 2, ""),
        ] {
            model.apply(Action::Next { back });
            assert_eq!((model.list.selected(), &*model.notice), (selected, notice));
        }
    }

    /// A pane that was not asked for stays.
    #[test]
    fn the_pane_beside_the_list_is_left() {
        let mut model = numbered(1, 1);
        assert_eq!(model.apply(Action::Split), None);
        model.is_split = true;
        assert_eq!((model.apply(Action::Leave), model.split), (None, Some(false)));
        model.is_split = false;
        assert_eq!(model.apply(Action::Leave), Some(Effect::Quit));
        let mut model = numbered(1, 1);
        model.is_split = true;
        assert_eq!(model.apply(Action::Leave), Some(Effect::Quit));
    }

    #[test]
    fn what_is_opened_and_copied() {
        let mut model = numbered(1, 1);
        receive(&mut model, item("telnet://h.org/", "", ""));
        assert_eq!(model.apply(Action::Open), Some(Effect::Open(vec!["http://h.org/1".into()])));
        assert_eq!(model.apply(Action::Copy), Some(Effect::Copy(vec!["http://h.org/1".into()])));
        assert_eq!(model.apply(Action::CopyDefanged), Some(Effect::Copy(vec!["hxxp://h[.]org/1".into()])));
        model.apply(Action::Move(Motion::Down));
        assert_eq!(model.apply(Action::Open), None);
        assert_eq!(model.notice, "telnet URLs are not opened; press y to copy the URL");
        assert_eq!(model.apply(Action::Copy), Some(Effect::Copy(vec!["telnet://h.org/".into()])));
        assert_eq!(model.notice, "");
    }

    #[test]
    fn a_reading_is_selected_and_opened() {
        let mut model = numbered(1, 1);
        model.apply(Action::Readings);
        assert_eq!((model.mode, &*model.notice), (Mode::List, "This URL has no other reading"));
        let mut broken = item("http://h.org/a-b", "", "");
        broken.readings.extend(item("http://h.org/ab", "", "").readings);
        receive(&mut model, broken);
        model.apply(Action::Move(Motion::Down));
        model.apply(Action::Readings);
        assert_eq!(model.mode, Mode::Readings { selected: 0 });
        assert_eq!(model.apply(Action::Open), Some(Effect::Open(vec!["http://h.org/a-b".into()])));
        model.apply(Action::Move(Motion::Down));
        model.apply(Action::Move(Motion::Down));
        assert_eq!(model.mode, Mode::Readings { selected: 1 });
        assert_eq!(model.apply(Action::Copy), Some(Effect::Copy(vec!["http://h.org/ab".into()])));
        digits(&mut model, "1");
        assert_eq!(model.mode, Mode::Readings { selected: 0 });
        model.apply(Action::Readings);
        assert_eq!((model.mode, model.list.selected()), (Mode::List, 2));
    }

    #[test]
    fn panes_scroll_and_are_left() {
        let mut model = numbered(2, 2);
        model.apply(Action::Help);
        model.set_help(10, 4);
        for (motion, top) in
            [(Motion::Up, 0), (Motion::Down, 1), (Motion::PageDown, 5), (Motion::Last, 6), (Motion::Down, 6)]
        {
            model.apply(Action::Move(motion));
            assert_eq!(model.set_help(10, 4), top);
        }
        // A larger screen shows more.
        assert_eq!(model.set_help(10, 8), 2);
        assert_eq!(model.apply(Action::Back), None);
        model.apply(Action::Message);
        assert_eq!(model.mode, Mode::Message);
        model.apply(Action::Message);
        assert_eq!((model.mode, model.list.selected()), (Mode::List, 1));
    }

    /// The URL is visible, until the user scrolls, or selects another one.
    #[test]
    fn the_message_shows_the_url() {
        let mut model = numbered(2, 2);
        let area = || Area { columns: 0..9, lines: 0..9 };
        for (lines, url, top) in [(100, 8, 0), (100, 9, 6), (100, 50, 47), (100, 99, 91), (5, 4, 0)] {
            assert_eq!(model.set_message(area(), lines, url), top, "{url} of {lines}");
        }
        model.set_message(area(), 100, 50);
        model.apply(Action::Scroll(Motion::Down));
        assert_eq!(model.set_message(area(), 100, 50), 48);
        model.apply(Action::Scroll(Motion::PageUp));
        assert_eq!(model.set_message(area(), 100, 50), 39);
        model.apply(Action::Move(Motion::Down));
        assert_eq!(model.set_message(area(), 100, 50), 47);
    }

    #[test]
    fn roles_are_switched() {
        let mut model = start(true);
        for (url, role) in
            [("http://h.org/a", Role::Image), ("http://h.org/b", Role::Link), ("http://h.org/a", Role::Link)]
        {
            receive(&mut model, Item { role, ..item(url, "", "") });
        }
        set_page(&mut model, 9);
        let rows = |model: &Model| -> Vec<(String, usize)> {
            model.list.visible().map(|row| (row.item.url().to_owned(), row.count)).collect()
        };
        // A hidden image is not a duplicate.
        assert_eq!(rows(&model), [("http://h.org/b".into(), 1), ("http://h.org/a".into(), 1)]);
        model.apply(Action::Switch(Role::Image));
        assert_eq!(model.notice, "Role image: 1 shown");
        assert_eq!(rows(&model), [("http://h.org/a".into(), 2), ("http://h.org/b".into(), 1)]);
        // The selected item is still selected.
        assert_eq!((model.list.selected(), model.list.selected_item().unwrap().url()), (2, "http://h.org/b"));
        model.apply(Action::Switch(Role::Link));
        assert_eq!(rows(&model), [("http://h.org/a".into(), 1)]);
        model.apply(Action::Switch(Role::Header));
        assert_eq!(model.notice, "No URL has the role header");
        assert_eq!(model.list.counts.present().collect::<Vec<_>>(), [(Role::Link, 2), (Role::Image, 1)]);
    }

    #[test]
    fn several_are_opened_copied_and_printed() {
        let mut model = numbered(3, 9);
        receive(&mut model, item("telnet://h.org/", "", ""));
        model.apply(Action::Mark);
        assert_eq!(model.list.selected(), 2);
        model.apply(Action::Move(Motion::Last));
        model.apply(Action::Mark);
        let both = || vec!["http://h.org/1".to_owned(), "telnet://h.org/".into()];
        assert_eq!(model.apply(Action::Copy), Some(Effect::Copy(both())));
        assert_eq!(model.apply(Action::Print), Some(Effect::Print(both())));
        assert_eq!(model.apply(Action::Open), Some(Effect::Open(both()[..1].to_vec())));
        typed(&mut model, Prompt::Command, " wc -c ");
        assert_eq!(model.apply(Action::Accept), Some(Effect::Run { command: "wc -c".into(), urls: both() }));
        model.apply(Action::MarkAll);
        assert_eq!((&*model.notice, model.list.marked().len()), ("4 URLs are marked", 4));
        model.apply(Action::MarkAll);
        assert_eq!((&*model.notice, model.list.marked().len()), ("Nothing is marked", 0));
        assert_eq!(model.apply(Action::Copy), Some(Effect::Copy(both()[1..].to_vec())));
    }

    #[test]
    fn many_are_opened_after_a_question() {
        let mut model = numbered(11, 9);
        model.apply(Action::MarkAll);
        assert_eq!((model.apply(Action::Open), &*model.notice), (None, "Press Enter again to open 11 URLs"));
        model.apply(Action::Move(Motion::Down));
        assert_eq!(model.apply(Action::Open), None);
        assert!(matches!(model.apply(Action::Open), Some(Effect::Open(urls)) if urls.len() == 11));
    }

    #[test]
    fn a_command_of_the_user_opens_any_scheme() {
        let mut model = Model { opens_all: true, ..start(true) };
        receive(&mut model, item("telnet://h.org/", "", ""));
        assert_eq!(model.apply(Action::Open), Some(Effect::Open(vec!["telnet://h.org/".into()])));
    }

    #[test]
    fn a_search_goes_to_the_next() {
        let mut model = start(true);
        for (url, text) in [("http://h.org/a", "one"), ("http://h.org/b", "Two"), ("http://h.org/c", "two")] {
            receive(&mut model, item(url, text, ""));
        }
        let selected = |model: &mut Model, action| {
            assert_eq!(model.apply(action), None);
            (model.list.selected(), model.notice.to_owned())
        };
        let none = "No search yet; press / to start one";
        assert_eq!(selected(&mut model, Action::Next { back: false }), (1, none.into()));
        typed(&mut model, Prompt::Search, "tw");
        assert_eq!((model.list.selected(), model.list.row_count()), (2, 3));
        assert_eq!(selected(&mut model, Action::Accept), (2, String::new()));
        assert_eq!(selected(&mut model, Action::Next { back: false }), (3, String::new()));
        let first = "Search wrapped to the first URL";
        assert_eq!(selected(&mut model, Action::Next { back: false }), (2, first.into()));
        let last = "Search wrapped to the last URL";
        assert_eq!(selected(&mut model, Action::Next { back: true }), (3, last.into()));
        // An empty search repeats the last one.
        model.apply(Action::Ask(Prompt::Search));
        assert_eq!(selected(&mut model, Action::Accept), (2, first.into()));
        // It continues from where it was asked for, and not from a URL that it passes.
        assert_eq!(selected(&mut model, Action::Move(Motion::First)), (1, String::new()));
        model.apply(Action::Ask(Prompt::Search));
        assert_eq!(selected(&mut model, Action::Accept), (2, String::new()));
        // Esc goes back.
        typed(&mut model, Prompt::Search, "one");
        assert_eq!(model.list.selected(), 1);
        assert_eq!(selected(&mut model, Action::Back), (2, String::new()));
        assert_eq!(model.typed(Prompt::Search), "tw");
        // The dropped text is not searched.
        assert_eq!(selected(&mut model, Action::Next { back: false }), (3, String::new()));
        assert_eq!(selected(&mut model, Action::Next { back: true }), (2, String::new()));
        typed(&mut model, Prompt::Search, "x");
        assert_eq!(selected(&mut model, Action::Accept), (2, "Not found: x".into()));
    }

    #[test]
    fn a_subject_that_all_have_is_not_searched() {
        for (subjects, selected) in [(["News", "News"], 1), (["Old", "News"], 2)] {
            let mut model = start(true);
            for (url, subject) in ["http://h.org/a", "http://h.org/b"].into_iter().zip(subjects) {
                receive(&mut model, item(url, "", subject));
            }
            typed(&mut model, Prompt::Search, "news");
            model.apply(Action::Accept);
            assert_eq!((model.list.selected(), model.notice.is_empty()), (selected, selected == 2));
        }
    }

    /// A filter matches the same words as a search, regardless of which came first.
    #[test]
    fn a_subject_that_all_have_is_no_filter() {
        let mut model = start(true);
        set_page(&mut model, 9);
        receive(&mut model, item("http://h.org/a", "", "News"));
        receive(&mut model, item("http://h.org/b", "", "News"));
        typed(&mut model, Prompt::Filter, "news");
        assert_eq!(urls(&model).len(), 0);
        receive(&mut model, item("http://h.org/c", "", "Old"));
        assert_eq!(urls(&model), ["http://h.org/a", "http://h.org/b"]);
    }

    #[test]
    fn a_prompt_that_is_left_was_not_there() {
        for prompt in [Prompt::Search, Prompt::Filter] {
            let mut model = numbered(9, 3);
            digits(&mut model, "2");
            typed(&mut model, prompt, "org/4");
            assert_eq!(model.list.selected_item().unwrap().url(), "http://h.org/4", "{prompt:?}");
            model.apply(Action::Back);
            assert_eq!((model.list.selected(), model.list.row_count()), (2, 9), "{prompt:?}");
        }
    }

    #[test]
    fn the_mouse_selects_and_opens() {
        let mut model = numbered(9, 3);
        let press = |line| Action::Press { column: 2, line };
        assert_eq!(model.apply(press(2)), None);
        assert_eq!(model.list.selected(), 2);
        assert_eq!(model.apply(press(2)), Some(Effect::Open(vec!["http://h.org/2".into()])));
        // A third click is the first of two.
        assert_eq!(model.apply(press(2)), None);
        model.apply(Action::Move(Motion::Up));
        assert_eq!(model.apply(press(2)), None);
        assert_eq!((model.apply(press(9)), model.apply(press(0))), (None, None));
        let wheel = |up| Action::Wheel { column: 2, line: 2, up };
        model.apply(wheel(false));
        assert_eq!((model.list.selected(), visible(&model)), (4, vec![4, 5, 6]));
        model.apply(wheel(true));
        assert_eq!((model.list.selected(), visible(&model)), (3, vec![1, 2, 3]));
        assert_eq!(model.apply(Action::Mouse), Some(Effect::Mouse(false)));
    }

    #[test]
    fn errors_and_the_end_of_the_search() {
        let mut model = start(false);
        (0..200).for_each(|n| model.receive(ItemEvent::Error(format!("a: {n}"))));
        assert_eq!((model.errors.len(), model.progress), (100, SearchProgress::Running));
        model.progress = SearchProgress::Ended;
        assert!((model.progress == SearchProgress::Ended) && !(model.progress == SearchProgress::Running));
    }

    #[test]
    fn memory_is_bounded() {
        let mut model = start(false);
        let long = "x".repeat(8 << 20);
        let long = Page::new(Vec::new(), long.as_bytes());
        let page = || std::sync::Arc::new(long.clone());
        let large = |page| Item { page, ..item("http://h.org/", "", "") };
        // The items of one message share its page.
        let shared = page();
        (0..99).for_each(|_| receive(&mut model, large(shared.clone())));
        assert!((model.progress == SearchProgress::Running) && model.list.bytes < 9 << 20);
        while model.progress == SearchProgress::Running {
            receive(&mut model, large(page()));
        }
        assert_eq!(
            (model.list.row_count(), model.progress, (model.progress == SearchProgress::Ended)),
            (99 + 31, SearchProgress::Full, false)
        );
    }
}

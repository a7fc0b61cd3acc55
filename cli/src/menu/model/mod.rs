//! The state of the menu, without a terminal.
//!
//! An [`Action`] changes the model, and may ask for an [`Effect`]. So everything but
//! drawing and opening is tested without a terminal.

mod list;

use self::list::Filter;
use crate::output::item::{Item, ItemEvent, Reading};
pub use list::{List, Row, label};

/// The size of all items after which no more are taken, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// The number of errors that are kept, at most.
const MAX_ERRORS: usize = 100;

/// The number of characters of a search, at most.
const MAX_SEARCH: usize = 200;

/// What the keys do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// They select an item.
    #[default]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    #[default]
    Running,
    /// There are more items than the menu takes.
    Full,
    Ended,
}

/// The state of the menu.
#[derive(Debug, Default)]
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
        Model { list: List::new(folded), ..Model::default() }
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

// What the user can do, and what is then left to do.

/// What a key does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Move(Motion),
    /// A digit of the number of an item.
    Digit(usize),
    Open,
    Copy,
    Search,
    /// More of what is searched for.
    Type(String),
    /// Erases the last character of that.
    Erase,
    EraseAll,
    /// Ends the search, and keeps its items.
    Accept,
    Fold,
    Context,
    Readings,
    Help,
    /// Leaves a pane or a search, or the menu.
    Back,
    Redraw,
    Quit,
}

/// Where a selection goes, or a pane scrolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
}

impl Motion {
    /// Where it goes from `at`. A page has `page` lines, and `last` is the last line.
    pub fn scrolled(self, at: usize, page: usize, last: usize) -> usize {
        let page = page.max(1);
        let to = match self {
            Motion::Up => at.saturating_sub(1),
            Motion::Down => at.saturating_add(1),
            Motion::PageUp => at.saturating_sub(page),
            Motion::PageDown => at.saturating_add(page),
            Motion::First => 0,
            Motion::Last => last,
        };
        to.min(last)
    }
}

/// What an action leaves to do outside of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Opens a URL.
    Open(String),
    /// Copies a URL.
    Copy(String),
    /// Draws everything again.
    Redraw,
    Quit,
}

/// The model, action by action.
#[cfg(test)]
mod tests {
    use super::*;

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
        let mut model = Model::new(false);
        (1..=count).for_each(|n| receive(&mut model, item(&format!("http://h.org/{n}"), "", "")));
        model.end();
        model.set_page(page);
        model
    }

    fn visible(model: &Model) -> Vec<usize> {
        model.list().visible().map(|row| row.number).collect()
    }

    fn urls(model: &Model) -> Vec<&str> {
        model.list().visible().map(|row| row.item.url()).collect()
    }

    fn digits(model: &mut Model, digits: &str) -> usize {
        for digit in digits.chars() {
            model.apply(Action::Digit(digit.to_digit(10).unwrap() as usize));
        }
        model.list().selected()
    }

    fn typed(model: &mut Model, text: &str) {
        model.apply(Action::Search);
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
            assert_eq!((model.list().selected(), visible(&model)), (selected, rows.to_vec()), "{motion:?}");
        }
        model.set_page(5);
        assert_eq!(visible(&model), [6, 7, 8, 9, 10]);
        model.set_page(1);
        assert_eq!(visible(&model), [10]);
    }

    #[test]
    fn an_empty_list_has_no_selection() {
        let mut model = Model::new(true);
        for motion in [Motion::Down, Motion::Up, Motion::PageDown, Motion::Last] {
            assert_eq!(model.apply(Action::Move(motion)), None);
        }
        for action in
            [Action::Open, Action::Copy, Action::Context, Action::Readings, Action::Digit(1), Action::Fold]
        {
            assert_eq!(model.apply(action), None);
        }
        assert_eq!((model.mode(), model.list().selected()), (Mode::List, 0));
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
        assert_eq!(model.list().selected(), 35);
        assert_eq!(digits(&mut model, "0"), 35);
        assert_eq!(digits(&mut model, "07"), 7);
    }

    #[test]
    fn a_search_narrows_while_it_is_typed() {
        let mut model = Model::new(false);
        receive(&mut model, item("http://h.org/a", "The FAQ", "News"));
        receive(&mut model, item("http://h.org/b", "\u{dc}bersicht", "News of a FAQ"));
        receive(&mut model, item("ftp://H.ORG/c", "", "Old"));
        model.set_page(9);
        model.apply(Action::Move(Motion::Last));
        typed(&mut model, "faq");
        assert_eq!(urls(&model), ["http://h.org/a", "http://h.org/b"]);
        typed(&mut model, " \u{fc}b");
        assert_eq!(urls(&model), ["http://h.org/b"]);
        // Items that come later are searched, too.
        receive(&mut model, item("http://h.org/d", "FAQ: \u{dc}b", ""));
        assert_eq!(urls(&model), ["http://h.org/b", "http://h.org/d"]);
        (0..3).for_each(|_| _ = model.apply(Action::Erase));
        assert_eq!((model.typed(), urls(&model).len()), ("faq", 3));
        model.apply(Action::Accept);
        assert_eq!((model.mode(), model.typed()), (Mode::List, "faq"));
        // What is typed next is lost with Esc, and the next Esc shows everything.
        typed(&mut model, "x");
        assert_eq!((urls(&model).len(), model.list().selected()), (0, 0));
        assert_eq!(model.apply(Action::Back), None);
        assert_eq!((model.typed(), urls(&model).len()), ("faq", 3));
        assert_eq!(model.apply(Action::Back), None);
        assert_eq!((model.typed(), urls(&model).len()), ("", 4));
        assert_eq!(model.apply(Action::Back), Some(Effect::Quit));
    }

    #[test]
    fn a_search_is_literal_and_limited() {
        let mut model = numbered(3, 3);
        typed(&mut model, "h.o.g");
        assert_eq!(urls(&model).len(), 0);
        model.apply(Action::EraseAll);
        model.apply(Action::Type(format!("(\u{1b}\n{}", "a".repeat(999))));
        assert_eq!(model.typed(), format!("({}", "a".repeat(199)));
    }

    #[test]
    fn duplicates_are_folded_to_their_first() {
        let mut model = Model::new(false);
        for (url, text) in [
            ("http://h.org/a", ""),
            ("http://h.org/b", "b"),
            ("http://h.org/a", "A"),
            ("http://h.org/a", "x"),
        ] {
            receive(&mut model, item(url, text, ""));
        }
        model.set_page(9);
        model.apply(Action::Move(Motion::Last));
        model.apply(Action::Fold);
        let rows: Vec<_> =
            model.list().visible().map(|row| (row.item.url(), row.text, row.count, row.selected)).collect();
        // The selected one is folded into the first, whose text comes from the third.
        assert_eq!(rows, [("http://h.org/a", "A", 3, true), ("http://h.org/b", "b", 1, false)]);
        assert_eq!(model.notice(), "2 duplicates are folded");
        receive(&mut model, item("http://h.org/b", "", ""));
        assert_eq!(model.list().visible().map(|row| row.count).collect::<Vec<_>>(), [3, 2]);
        // A duplicate that has the words shows its URL.
        typed(&mut model, "x");
        assert_eq!(urls(&model), ["http://h.org/a", "http://h.org/a"][..1]);
        model.apply(Action::Back);
        model.apply(Action::Fold);
        assert_eq!((urls(&model).len(), model.notice()), (5, "All duplicates are shown"));
    }

    #[test]
    fn what_is_opened_and_copied() {
        let mut model = numbered(1, 1);
        receive(&mut model, item("telnet://h.org/", "", ""));
        assert_eq!(model.apply(Action::Open), Some(Effect::Open("http://h.org/1".into())));
        assert_eq!(model.apply(Action::Copy), Some(Effect::Copy("http://h.org/1".into())));
        model.apply(Action::Move(Motion::Down));
        assert_eq!(model.apply(Action::Open), None);
        assert_eq!(
            model.notice(),
            "telnet is not opened: only http, https, ftp, gopher, mailto and news are. y copies the URL"
        );
        assert_eq!(model.apply(Action::Copy), Some(Effect::Copy("telnet://h.org/".into())));
        assert_eq!(model.notice(), "");
    }

    #[test]
    fn a_reading_is_selected_and_opened() {
        let mut model = numbered(1, 1);
        model.apply(Action::Readings);
        assert_eq!((model.mode(), model.notice()), (Mode::List, "This URL has no other reading"));
        let mut broken = item("http://h.org/a-b", "", "");
        broken.readings.extend(item("http://h.org/ab", "", "").readings);
        receive(&mut model, broken);
        model.apply(Action::Move(Motion::Down));
        model.apply(Action::Readings);
        assert_eq!(model.mode(), Mode::Readings { selected: 0 });
        assert_eq!(model.apply(Action::Open), Some(Effect::Open("http://h.org/a-b".into())));
        model.set_pane(2, 10);
        model.apply(Action::Move(Motion::Down));
        model.apply(Action::Move(Motion::Down));
        assert_eq!(model.mode(), Mode::Readings { selected: 1 });
        assert_eq!(model.apply(Action::Copy), Some(Effect::Copy("http://h.org/ab".into())));
        digits(&mut model, "1");
        assert_eq!(model.mode(), Mode::Readings { selected: 0 });
        model.apply(Action::Readings);
        assert_eq!((model.mode(), model.list().selected()), (Mode::List, 2));
    }

    #[test]
    fn panes_scroll_and_are_left() {
        let mut model = numbered(2, 2);
        model.apply(Action::Help);
        model.set_pane(10, 4);
        for (motion, top) in
            [(Motion::Up, 0), (Motion::Down, 1), (Motion::PageDown, 5), (Motion::Last, 6), (Motion::Down, 6)]
        {
            model.apply(Action::Move(motion));
            assert_eq!(model.mode(), Mode::Help { top });
        }
        // A larger screen shows more.
        model.set_pane(10, 8);
        assert_eq!(model.mode(), Mode::Help { top: 2 });
        assert_eq!(model.apply(Action::Back), None);
        model.apply(Action::Context);
        assert_eq!(model.mode(), Mode::Context { top: 0 });
        model.apply(Action::Context);
        assert_eq!((model.mode(), model.list().selected()), (Mode::List, 1));
    }

    #[test]
    fn errors_and_the_end_of_the_search() {
        let mut model = Model::new(false);
        (0..200).for_each(|n| model.receive(ItemEvent::Error(format!("a: {n}"))));
        assert_eq!((model.errors().len(), model.progress()), (100, Progress::Running));
        model.end();
        assert!(model.has_all() && !model.takes_more());
    }

    #[test]
    fn memory_is_bounded() {
        let mut model = Model::new(false);
        let context = vec![crate::output::item::ContextLine { text: "x".repeat(8 << 20).into(), url: 0..0 }];
        let large = Item { context, ..item("http://h.org/", "", "") };
        while model.takes_more() {
            receive(&mut model, large.clone());
        }
        assert_eq!(
            (model.list().row_count(), model.progress(), model.has_all()),
            (32, Progress::Full, false)
        );
    }
}

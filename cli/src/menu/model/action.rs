//! What the user can do, and what is then left to do.

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

//! The actions of the user, and the effects that they leave to do.

use urlgrep::archive::Role;

/// The meaning of the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Selection in the list.
    #[default]
    List,
    /// A prompt.
    Typing(Prompt),
    /// Scrolling of the message.
    Message,
    /// Selection of one of the readings of a URL.
    Readings { selected: usize },
    /// Scrolling of the help.
    Help,
}

/// The kind of the typed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// Words that the next URL has.
    Search,
    /// Words that all URLs that are shown have.
    Filter,
    /// A command that gets the URLs.
    Command,
}

/// The action of a key or the mouse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Move(Motion),
    /// Scrolls the message next to the list.
    Scroll(Motion),
    /// A digit of the number of an item.
    Digit(usize),
    Open,
    Copy,
    /// Copies defanged URLs, which no program opens.
    CopyDefanged,
    /// Prints the URLs, and quits.
    Print,
    Mark,
    MarkAll,
    /// Starts a prompt.
    Ask(Prompt),
    /// Goes to the next URL that is searched for, or the one before.
    Next {
        back: bool,
    },
    /// More typed text.
    Type(String),
    /// Erases the last character of that.
    Erase,
    EraseAll,
    /// Ends the prompt, and keeps the typed text.
    Accept,
    Fold,
    /// Shows the URLs of a role, or hides them.
    Switch(Role),
    /// Shows the message next to the list, or hides it.
    Split,
    /// Shows only the message.
    Message,
    Readings,
    Help,
    /// A button of the mouse.
    Press {
        column: usize,
        line: usize,
    },
    Wheel {
        column: usize,
        line: usize,
        up: bool,
    },
    /// Takes the mouse, or leaves it to the terminal.
    Mouse,
    /// Leaves a pane or a prompt, or the menu.
    Back,
    /// Leaves a pane, including one that was opened next to the list, or the menu.
    Leave,
    Redraw,
    Quit,
}

/// The movement of a selection or a pane.
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
    /// Returns the line to which it moves from `at`. A page has `page` lines, and `last` is the
    /// last line.
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

/// The effect that an action leaves to do outside of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Opens URLs.
    Open(Vec<String>),
    /// Copies URLs.
    Copy(Vec<String>),
    /// Quits, and prints URLs.
    Print(Vec<String>),
    /// Runs a command on URLs.
    Run {
        command: String,
        urls: Vec<String>,
    },
    /// Takes the mouse, or leaves it to the terminal.
    Mouse(bool),
    /// Draws everything again.
    Redraw,
    Quit,
}

/// Returns the letter of the key that switches a role. A tracker is also called a pixel, and T is
/// taken by text.
pub fn letter(role: Role) -> char {
    let name = if role == Role::Tracker { "pixel" } else { role.as_str() };
    name.chars().next().unwrap_or_default().to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_different() {
        assert_eq!(Role::ALL.map(letter), ['T', 'L', 'I', 'P', 'F', 'R', 'H']);
    }
}

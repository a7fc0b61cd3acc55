//! Which key is which action.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::model::{Action, Mode, Motion};

/// The keys, and what they do, as the help shows them.
pub const HELP: [(&str, &str); 17] = [
    ("Enter", "open the URL in a browser"),
    ("y", "copy the URL"),
    ("s", "show the lines around the URL"),
    ("r", "show the other readings of a URL that was broken"),
    ("d", "fold duplicates, or show them"),
    ("/", "search in URLs, texts and subjects"),
    ("Esc", "leave a search or a pane; quit"),
    ("q", "leave a pane; quit"),
    ("", ""),
    ("j, Down", "next"),
    ("k, Up", "previous"),
    ("PgDn, Space", "next page"),
    ("PgUp, b", "previous page"),
    ("g, Home", "first"),
    ("G, End", "last"),
    ("1, 2, ...", "the URL of this number"),
    ("Ctrl-L", "draw the screen again"),
];

/// What an event of the terminal does in a mode, if anything.
pub fn action(event: Event, mode: Mode) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind == KeyEventKind::Release => None,
        Event::Key(key) => match mode {
            Mode::Typing => typing(key),
            _ => anywhere(key).or_else(|| command(key, mode)),
        },
        // A text that is pasted into the list is no sequence of keys.
        Event::Paste(text) => (mode == Mode::Typing).then_some(Action::Type(text)),
        _ => None,
    }
}

/// Keys that do the same in all modes.
fn anywhere(key: KeyEvent) -> Option<Action> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Up => Action::Move(Motion::Up),
        KeyCode::Down => Action::Move(Motion::Down),
        KeyCode::PageUp => Action::Move(Motion::PageUp),
        KeyCode::PageDown => Action::Move(Motion::PageDown),
        KeyCode::Esc => Action::Back,
        KeyCode::Char('c') if control => Action::Quit,
        KeyCode::Char('l') if control => Action::Redraw,
        _ => return None,
    })
}

/// Keys of the list and the panes.
fn command(key: KeyEvent, mode: Mode) -> Option<Action> {
    if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
        return None;
    }
    Some(match key.code {
        KeyCode::Home | KeyCode::Char('g') => Action::Move(Motion::First),
        KeyCode::End | KeyCode::Char('G') => Action::Move(Motion::Last),
        KeyCode::Char('j') => Action::Move(Motion::Down),
        KeyCode::Char('k') => Action::Move(Motion::Up),
        KeyCode::Char(' ') => Action::Move(Motion::PageDown),
        KeyCode::Char('b') => Action::Move(Motion::PageUp),
        KeyCode::Char(digit @ '0'..='9') => Action::Digit(digit as usize - '0' as usize),
        KeyCode::Enter => Action::Open,
        KeyCode::Char('y') => Action::Copy,
        KeyCode::Char('s') => Action::Context,
        KeyCode::Char('r') => Action::Readings,
        KeyCode::Char('d') => Action::Fold,
        KeyCode::Char('/') => Action::Search,
        KeyCode::Char('?') => Action::Help,
        KeyCode::Char('q') if mode == Mode::List => Action::Quit,
        KeyCode::Char('q') => Action::Back,
        _ => return None,
    })
}

/// Keys while a search is typed.
fn typing(key: KeyEvent) -> Option<Action> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Enter => Some(Action::Accept),
        KeyCode::Backspace => Some(Action::Erase),
        KeyCode::Char('h') if control => Some(Action::Erase),
        KeyCode::Char('u') if control => Some(Action::EraseAll),
        KeyCode::Char(char) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
            Some(Action::Type(char.to_string()))
        }
        _ => anywhere(key),
    }
}

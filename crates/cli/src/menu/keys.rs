//! The actions of the keys and the mouse.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use urlgrep::archive::Role;

use super::model::{Action, Mode, Motion, Prompt, letter};

/// The keys and their actions, as the help shows them.
pub const HELP: [(&str, &str); 31] = [
    ("Enter", "open the URL, or the marked ones"),
    ("y", "copy them"),
    ("D", "copy them defanged: hxxp://h[.]org/"),
    ("p", "quit, and print them on standard output"),
    ("|", "run a command on them"),
    ("Space, Tab", "mark the URL"),
    ("a", "mark all URLs in the list, or unmark them"),
    ("", ""),
    ("s", "show the message, at the URL"),
    ("v", "show the message next to or below the list, or hide it"),
    ("J, K", "scroll the message there; also Ctrl-D, Ctrl-U"),
    ("r", "show the other readings of a URL that was broken"),
    ("d", "fold duplicates, or show them"),
    ("T, L, I, P", "show or hide URLs in text, links, images, trackers"),
    ("F, R, H", "forms, resources of a page, header fields"),
    ("", ""),
    ("/", "search URLs, link texts, sentences around URLs, subjects"),
    ("n, N", "the next match; the previous match"),
    ("&", "show only the links that contain these words"),
    ("Esc", "leave a prompt or a pane; quit"),
    ("q", "leave a pane; quit"),
    ("j, Down", "next"),
    ("k, Up", "previous"),
    ("PgDn, f", "next page"),
    ("PgUp, b", "previous page"),
    ("g, Home", "first"),
    ("G, End", "last"),
    ("1, 2, ...", "the URL with this number"),
    ("m", "switch the mouse between the terminal and the menu"),
    ("Ctrl-L", "draw the screen again"),
    ("Ctrl-C", "quit"),
];

/// Returns the action of a terminal event in a mode, if it has one.
pub fn action(event: Event, mode: Mode) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind == KeyEventKind::Release => None,
        Event::Key(key) => match mode {
            Mode::Typing(_) => typing(key),
            _ => anywhere(key).or_else(|| command(key, mode)),
        },
        // Text that is pasted into the list is not treated as keys.
        Event::Paste(text) => matches!(mode, Mode::Typing(_)).then_some(Action::Type(text)),
        Event::Mouse(event) => {
            let (column, line) = (event.column.into(), event.row.into());
            match event.kind {
                MouseEventKind::Down(MouseButton::Left) => Some(Action::Press { column, line }),
                MouseEventKind::ScrollUp => Some(Action::Wheel { column, line, up: true }),
                MouseEventKind::ScrollDown => Some(Action::Wheel { column, line, up: false }),
                _ => None,
            }
        }
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
        KeyCode::Char('d') if control => Action::Scroll(Motion::PageDown),
        KeyCode::Char('u') if control => Action::Scroll(Motion::PageUp),
        _ => return None,
    })
}

/// Keys of the list and the panes.
fn command(key: KeyEvent, mode: Mode) -> Option<Action> {
    if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
        return None;
    }
    let shows = matches!(mode, Mode::Message | Mode::Help);
    Some(match key.code {
        KeyCode::Home | KeyCode::Char('g') => Action::Move(Motion::First),
        KeyCode::End | KeyCode::Char('G') => Action::Move(Motion::Last),
        KeyCode::Char('j') => Action::Move(Motion::Down),
        KeyCode::Char('k') => Action::Move(Motion::Up),
        KeyCode::Char('J') => Action::Scroll(Motion::Down),
        KeyCode::Char('K') => Action::Scroll(Motion::Up),
        KeyCode::Char('f') => Action::Move(Motion::PageDown),
        KeyCode::Char('b') => Action::Move(Motion::PageUp),
        KeyCode::Char(digit @ '0'..='9') => Action::Digit(digit as usize - '0' as usize),
        KeyCode::Enter => Action::Open,
        KeyCode::Char('y') => Action::Copy,
        KeyCode::Char('D') => Action::CopyDefanged,
        KeyCode::Char('p') if mode != Mode::Help => Action::Print,
        KeyCode::Char('|') if mode != Mode::Help => Action::Ask(Prompt::Command),
        // As in a pager.
        KeyCode::Char(' ') if shows => Action::Move(Motion::PageDown),
        KeyCode::Char(' ') | KeyCode::Tab if mode == Mode::List => Action::Mark,
        KeyCode::Char('a') if mode == Mode::List => Action::MarkAll,
        KeyCode::Char('s') => Action::Message,
        KeyCode::Char('v') => Action::Split,
        KeyCode::Char('r') => Action::Readings,
        KeyCode::Char('d') => Action::Fold,
        KeyCode::Char('/') => Action::Ask(Prompt::Search),
        KeyCode::Char('&') => Action::Ask(Prompt::Filter),
        KeyCode::Char('n') => Action::Next { back: false },
        KeyCode::Char('N') => Action::Next { back: true },
        KeyCode::Char('m') => Action::Mouse,
        KeyCode::Char('?') => Action::Help,
        KeyCode::Char('q') => Action::Leave,
        // The key of a role is its letter.
        KeyCode::Char(typed) => Action::Switch(Role::ALL.into_iter().find(|&role| letter(role) == typed)?),
        _ => return None,
    })
}

/// Keys while something is typed.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The key with this name in the help.
    fn pressed(name: &str) -> KeyEvent {
        let code = match name {
            "Enter" => KeyCode::Enter,
            "Space" => KeyCode::Char(' '),
            "Tab" => KeyCode::Tab,
            "Esc" => KeyCode::Esc,
            "Down" => KeyCode::Down,
            "Up" => KeyCode::Up,
            "PgDn" => KeyCode::PageDown,
            "PgUp" => KeyCode::PageUp,
            "Home" => KeyCode::Home,
            "End" => KeyCode::End,
            _ => match (name.strip_prefix("Ctrl-"), name.chars().next_back()) {
                (Some(_), Some(letter)) => {
                    let letter = letter.to_ascii_lowercase();
                    return KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
                }
                (_, letter) => KeyCode::Char(letter.unwrap()),
            },
        };
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    /// These keys and the keys of the roles are all keys in the help.
    #[test]
    fn each_key_has_its_action() {
        let keys = [
            ("Enter", Action::Open),
            ("y", Action::Copy),
            ("D", Action::CopyDefanged),
            ("p", Action::Print),
            ("|", Action::Ask(Prompt::Command)),
            ("Space Tab", Action::Mark),
            ("a", Action::MarkAll),
            ("s", Action::Message),
            ("v", Action::Split),
            ("J", Action::Scroll(Motion::Down)),
            ("K", Action::Scroll(Motion::Up)),
            ("Ctrl-D", Action::Scroll(Motion::PageDown)),
            ("Ctrl-U", Action::Scroll(Motion::PageUp)),
            ("r", Action::Readings),
            ("d", Action::Fold),
            ("/", Action::Ask(Prompt::Search)),
            ("n", Action::Next { back: false }),
            ("N", Action::Next { back: true }),
            ("&", Action::Ask(Prompt::Filter)),
            ("Esc", Action::Back),
            ("q", Action::Leave),
            ("j Down", Action::Move(Motion::Down)),
            ("k Up", Action::Move(Motion::Up)),
            ("PgDn f", Action::Move(Motion::PageDown)),
            ("PgUp b", Action::Move(Motion::PageUp)),
            ("g Home", Action::Move(Motion::First)),
            ("G End", Action::Move(Motion::Last)),
            ("1", Action::Digit(1)),
            ("2", Action::Digit(2)),
            ("m", Action::Mouse),
            ("?", Action::Help),
            ("Ctrl-L", Action::Redraw),
            ("Ctrl-C", Action::Quit),
        ];
        let pairs = keys.iter().flat_map(|(names, action)| names.split(' ').map(move |name| (name, action)));
        let pairs: Vec<_> = pairs.collect();
        for (name, wanted) in &pairs {
            assert_eq!(action(Event::Key(pressed(name)), Mode::List).as_ref(), Some(*wanted), "{name}");
        }
        let helped = HELP
            .iter()
            .flat_map(|(keys, text)| [*keys, text.split_once("; also ").map_or("", |(_, also)| also)]);
        for key in helped.flat_map(|keys| keys.split(", ")).filter(|key| !["", "..."].contains(key)) {
            let is_role = Role::ALL.into_iter().any(|role| letter(role).to_string() == key);
            assert!(is_role || pairs.iter().any(|(name, _)| *name == key), "{key}");
        }
    }

    /// The keys that some modes do not have, or have for something else. A pane without a list is a pager.
    #[test]
    fn keys_of_each_mode() {
        let page = Some(Action::Move(Motion::PageDown));
        let (print, command) = (Some(Action::Print), Some(Action::Ask(Prompt::Command)));
        for (name, list, message, help) in [
            ("Space", Some(Action::Mark), page.clone(), page.clone()),
            ("Tab", Some(Action::Mark), None, None),
            ("a", Some(Action::MarkAll), None, None),
            ("p", print.clone(), print, None),
            ("|", command.clone(), command, None),
        ] {
            for (mode, wanted) in [(Mode::List, list), (Mode::Message, message), (Mode::Help, help)] {
                assert_eq!(action(Event::Key(pressed(name)), mode), wanted, "{name} {mode:?}");
            }
        }
        let others = HELP.iter().flat_map(|(keys, _)| keys.split(", "));
        let others = others.filter(|key| !["", "...", "Space", "Tab", "a", "p", "|"].contains(key));
        for name in others {
            let of = |mode| action(Event::Key(pressed(name)), mode);
            assert!(of(Mode::List).is_some(), "{name}");
            assert_eq!([of(Mode::Message), of(Mode::Help)], [of(Mode::List), of(Mode::List)], "{name}");
        }
    }

    /// The keys of a line of text.
    #[test]
    fn keys_while_typing() {
        let typing = Mode::Typing(Prompt::Search);
        for name in ["Down", "Up", "PgDn", "PgUp", "Esc", "Ctrl-C", "Ctrl-L", "Ctrl-D"] {
            let event = Event::Key(pressed(name));
            assert_eq!(action(event.clone(), typing), action(event, Mode::List), "{name}");
        }
        for name in ["Home", "End", "Tab"] {
            assert_eq!(action(Event::Key(pressed(name)), typing), None, "{name}");
        }
        for (code, wanted) in [
            (KeyCode::Enter, Some(Action::Accept)),
            (KeyCode::Backspace, Some(Action::Erase)),
            (KeyCode::Char(' '), Some(Action::Type(" ".to_owned()))),
            (KeyCode::Char('q'), Some(Action::Type("q".to_owned()))),
            (KeyCode::Delete, None),
        ] {
            assert_eq!(
                action(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), typing),
                wanted,
                "{code:?}"
            );
        }
        let paste = || Event::Paste("a b".to_owned());
        assert_eq!(action(paste(), typing), Some(Action::Type("a b".to_owned())));
        assert_eq!(
            [Mode::List, Mode::Message, Mode::Help].map(|mode| action(paste(), mode)),
            [None, None, None]
        );
        let mut released = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        released.kind = KeyEventKind::Release;
        assert_eq!([typing, Mode::List].map(|mode| action(Event::Key(released), mode)), [None, None]);
    }

    /// Capital letters with another meaning are not roles.
    #[test]
    fn each_role_has_its_key() {
        for role in Role::ALL {
            let event = Event::Key(KeyEvent::new(KeyCode::Char(letter(role)), KeyModifiers::SHIFT));
            assert_eq!(action(event.clone(), Mode::List), Some(Action::Switch(role)));
            assert_eq!(
                action(event, Mode::Typing(Prompt::Filter)),
                Some(Action::Type(letter(role).to_string()))
            );
            let has = |keys: &str| keys.split(", ").any(|key| key == letter(role).to_string());
            assert!(HELP.iter().any(|(keys, _)| has(keys)), "{role} is not in the help");
        }
    }

    #[test]
    fn the_mouse() {
        use crossterm::event::MouseEvent;

        for (kind, wanted) in [
            (MouseEventKind::Down(MouseButton::Left), Some(Action::Press { column: 3, line: 5 })),
            (MouseEventKind::Down(MouseButton::Right), None),
            (MouseEventKind::Up(MouseButton::Left), None),
            (MouseEventKind::ScrollUp, Some(Action::Wheel { column: 3, line: 5, up: true })),
            (MouseEventKind::ScrollDown, Some(Action::Wheel { column: 3, line: 5, up: false })),
            (MouseEventKind::Moved, None),
        ] {
            let event = MouseEvent { kind, column: 3, row: 5, modifiers: KeyModifiers::NONE };
            assert_eq!(action(Event::Mouse(event), Mode::List), wanted, "{kind:?}");
        }
    }

    /// With a modifier, a letter is another key.
    #[test]
    fn keys_with_a_modifier() {
        let typing = Mode::Typing(Prompt::Filter);
        for (modifiers, key, mode, wanted) in [
            (KeyModifiers::CONTROL, 'q', Mode::List, None),
            (KeyModifiers::ALT, 'q', Mode::List, None),
            (KeyModifiers::CONTROL | KeyModifiers::ALT, 'q', Mode::List, None),
            (KeyModifiers::ALT | KeyModifiers::SHIFT, 'T', Mode::List, None),
            (KeyModifiers::CONTROL, '1', Mode::Message, None),
            (KeyModifiers::ALT, 'd', Mode::List, None),
            (KeyModifiers::ALT, 'c', Mode::List, None),
            (KeyModifiers::SHIFT, 'G', Mode::List, Some(Action::Move(Motion::Last))),
            (KeyModifiers::CONTROL, 'a', typing, None),
            (KeyModifiers::ALT, 'a', typing, None),
            (KeyModifiers::ALT, 'h', typing, None),
            (KeyModifiers::ALT, 'u', typing, None),
            (KeyModifiers::CONTROL, 'h', typing, Some(Action::Erase)),
            (KeyModifiers::CONTROL, 'u', typing, Some(Action::EraseAll)),
            (KeyModifiers::SHIFT, 'A', typing, Some(Action::Type("A".to_owned()))),
        ] {
            let event = Event::Key(KeyEvent::new(KeyCode::Char(key), modifiers));
            assert_eq!(action(event, mode), wanted, "{modifiers:?} {key}");
        }
    }
}

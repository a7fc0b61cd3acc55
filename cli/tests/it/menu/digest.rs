//! A digest of 5,000 links: a hundred messages with fifty each.

use std::fmt::Write;

use super::{Terminal, menu, shows};

fn digest() -> String {
    let mut digest = String::from(
        "From: list@example.org\nSubject: Digest\nMIME-Version: 1.0\n\
         Content-Type: multipart/digest; boundary=limit\n\n",
    );
    for message in 1..=100 {
        let _ = write!(digest, "--limit\n\nFrom: a@example.org\nSubject: Letter {message}\n\n");
        for link in 1..=50 {
            let _ = writeln!(
                digest,
                "Point {link} is at http://h.example.org/{message}/{link} as\nwas said. So it is.\n"
            );
        }
    }
    digest + "--limit--\n"
}

fn digest_in(columns: u16, rows: u16) -> Option<Terminal> {
    let terminal = Terminal::new(columns, rows)?;
    terminal.file("digest.eml", &digest());
    terminal.run(&menu("-", "digest.eml"));
    Some(terminal)
}

#[test]
fn thirty_columns() {
    let Some(terminal) = digest_in(30, 8) else { return };
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 5000  Letter 1");
    assert_eq!(screen[0], "URL 1 of 5000  Letter 1");
    terminal.keys(&["2", "5", "5", "1"]);
    shows(
        &terminal,
        &[
            "URL 2551 of 5000  Letter 52",
            " 2550 http://h.example.org/51\u{2026}",
            "      Point 50 is at \u{2026} as was\u{2026}",
            "      Letter 51",
            ">2551 http://h.example.org/52\u{2026}",
            "      Point 1 is at \u{2026} as was \u{2026}",
            "      Letter 52",
            "Enter open  ? help  q quit",
        ],
    );
}

#[test]
fn eighty_columns() {
    let Some(terminal) = digest_in(80, 6) else { return };
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 5000  Letter 1");
    assert_eq!(screen[0], "URL 1 of 5000  Letter 1");
    terminal.keys(&["End"]);
    let text = |n| format!("{:70}Letter 100", format!("      Point {n} is at \u{2026} as was said."));
    let hints = "Enter open  ? help  q quit  / search  y copy  s context  d fold".to_owned();
    shows(
        &terminal,
        &[
            "URL 5000 of 5000  Letter 100".to_owned(),
            " 4999 http://h.example.org/100/49".into(),
            text(49),
            ">5000 http://h.example.org/100/50".into(),
            text(50),
            hints.clone(),
        ],
    );
    // One word is in the subject, and one in the URL.
    terminal.keys(&["/", "org/77/4", "Space", "letter"]);
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 11  Letter 77");
    assert_eq!(screen[0], "URL 1 of 11  Letter 77");
    terminal.keys(&["Enter", "G", "Enter"]);
    terminal.opens("1\nhttp://h.example.org/77/49\n");
    terminal.keys(&["Escape"]);
    let screen = terminal.wait_for(|screen| screen[0] == "URL 3849 of 5000  Letter 77");
    assert_eq!(screen[0], "URL 3849 of 5000  Letter 77");
}

#[test]
fn two_hundred_columns() {
    let Some(terminal) = digest_in(200, 5) else { return };
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 5000  Letter 1");
    assert_eq!(screen[0], "URL 1 of 5000  Letter 1");
    terminal.keys(&["4", "9", "9"]);
    let row = |mark, n: u32| {
        let (message, link) = ((n - 1) / 50 + 1, (n - 1) % 50 + 1);
        let url = format!("{mark}{n:4} http://h.example.org/{message}/{link}");
        let text = format!("{url:104}Point {link} is at \u{2026} as was said.");
        format!("{text:191}Letter 10").trim_end().to_owned()
    };
    let hints = "Enter open  ? help  q quit  / search  y copy  s context  d fold".to_owned();
    shows(
        &terminal,
        &["URL 499 of 5000  Letter 10".to_owned(), row(" ", 497), row(" ", 498), row(">", 499), hints],
    );
}

/// The menu can be used before the search ends, and it can be left.
#[test]
fn items_are_shown_while_the_search_runs() {
    let Some(terminal) = Terminal::new(80, 5) else { return };
    let program = env!("CARGO_BIN_EXE_urlgrep");
    terminal.run(&format!(
        "mkfifo pipe more\n(printf 'Subject: a\\n\\nhttp://h.org/1\\n%70000s' ' '; cat more) >pipe &\n'{program}' --menu --input text - <pipe; echo status $?"
    ));
    let screen = terminal.wait_for(|screen| screen[0].starts_with("URL 1 of 1, searching"));
    assert_eq!(screen[0], "URL 1 of 1, searching");
    terminal.file("more", "\nhttp://h.org/2\n");
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 2");
    assert_eq!(screen[0], "URL 1 of 2");
    terminal.keys(&["q"]);
    shows(&terminal, &["status 0"]);
}

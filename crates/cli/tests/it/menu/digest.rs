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

const HINTS: &str = "Enter open  ? help  q quit  Space mark  / search  y copy  p print  s message";

/// Waits until the search has ended, with this title.
#[track_caller]
fn is_at(terminal: &Terminal, title: &str) {
    let screen = terminal.wait_for(|screen| screen[0] == title);
    assert_eq!(screen[0], title);
}

#[test]
fn thirty_columns() {
    let Some(terminal) = digest_in(30, 6) else { return };
    is_at(&terminal, "URL 1 of 5000 T  Letter 1");
    terminal.keys(&["2", "5", "5", "1"]);
    shows(
        &terminal,
        &[
            "URL 2551 of 5000 T  Letter 52",
            " 2549  h.example.org/51/49",
            " 2550  h.example.org/51/50",
            ">2551  h.example.org/52/1",
            "http://h.example.org/52/1",
            "Enter open  ? help  q quit",
        ],
    );
}

#[test]
fn forty_columns() {
    let Some(terminal) = digest_in(40, 15) else { return };
    is_at(&terminal, "URL 1 of 5000 T  Letter 1");
    terminal.keys(&["j", "v"]);
    let row = |mark, n| format!("{mark}   {n}  h.example.org/1/{n}  Point {n} is at\u{2026}");
    shows(
        &terminal,
        &[
            "URL 2 of 5000 T  Letter 1".to_owned(),
            row(" ", 1),
            row(">", 2),
            row(" ", 3),
            row(" ", 4),
            "\u{2500}".repeat(40),
            "was said. So it is.".into(),
            String::new(),
            "Point 2 is at http://h.example.org/1/2".into(),
            "as".into(),
            "was said. So it is.".into(),
            String::new(),
            "Point 3 is at http://h.example.org/1/3".into(),
            "http://h.example.org/1/2".into(),
            "Enter open  ? help  q quit  Space mark".into(),
        ],
    );
}

#[test]
fn eighty_columns() {
    let Some(terminal) = digest_in(80, 5) else { return };
    is_at(&terminal, "URL 1 of 5000 T  Letter 1");
    terminal.keys(&["End"]);
    shows(
        &terminal,
        &[
            "URL 5000 of 5000 T  Letter 100",
            " 4999  h.example.org/100/49  Point 49 is at \u{2026} as was said.",
            ">5000  h.example.org/100/50  Point 50 is at \u{2026} as was said.",
            "http://h.example.org/100/50",
            HINTS,
        ],
    );
    // One word is in the subject, and one in the URL.
    terminal.keys(&["&", "org/77/4", "Space", "letter"]);
    is_at(&terminal, "URL 1 of 11 T  Letter 77");
    terminal.keys(&["Enter", "G", "Enter"]);
    terminal.opens("1\nhttp://h.example.org/77/49\n");
    terminal.keys(&["Escape"]);
    is_at(&terminal, "URL 3849 of 5000 T  Letter 77");
}

#[test]
fn two_hundred_columns() {
    let Some(terminal) = digest_in(200, 6) else { return };
    is_at(&terminal, "URL 1 of 5000 T  Letter 1");
    terminal.keys(&["4", "9", "9"]);
    let row = |mark, n: u32, beside: &str| {
        let (message, link) = ((n - 1) / 50 + 1, (n - 1) % 50 + 1);
        let row =
            format!("{mark}{n:4}  h.example.org/{message}/{link}  Point {link} is at \u{2026} as was said.");
        format!("{row:81}{:19}\u{2502} {beside}", "Letter 10").trim_end().to_owned()
    };
    shows(
        &terminal,
        &[
            "URL 499 of 5000 T  Letter 10".to_owned(),
            row(" ", 497, ""),
            row(" ", 498, "Point 49 is at http://h.example.org/10/49 as"),
            row(">", 499, "was said. So it is."),
            "http://h.example.org/10/49".into(),
            format!("{HINTS}  | command  d fold"),
        ],
    );
    // Without the message there is more room.
    terminal.keys(&["v"]);
    let row = format!("{:161}Letter 10", "  497  h.example.org/10/47  Point 47 is at \u{2026} as was said.");
    let screen = terminal.wait_for(|screen| screen[1] == row);
    assert_eq!(screen[1], row);
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
    assert_eq!(screen[0], "URL 1 of 1, searching T");
    terminal.file("more", "\nhttp://h.org/2\n");
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 2 T");
    assert_eq!(screen[0], "URL 1 of 2 T");
    terminal.keys(&["q"]);
    shows(&terminal, &["status 0"]);
}

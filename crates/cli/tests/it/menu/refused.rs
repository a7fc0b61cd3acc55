//! Where there is no menu: without a terminal, and without a URL.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use super::{Terminal, menu, shows};

/// Runs the program without a terminal.
fn without_terminal(args: &[&str]) -> (Option<i32>, String) {
    // A session leader that opens no terminal has none.
    let mut command = Command::new("setsid");
    command.arg("-w").arg(env!("CARGO_BIN_EXE_urlgrep")).args(args).env("TERM", "screen").process_group(0);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.stdout, b"");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn without_a_terminal_there_is_a_sentence() {
    let (status, error) = without_terminal(&["--menu", "-"]);
    assert_eq!(status, Some(2));
    assert_eq!(
        error,
        "urlgrep: --menu: expected a terminal: /dev/tty: No such device or address (os error 6)\n"
    );
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_is_refused() {
    let Some(terminal) = Terminal::new(100, 4) else { return };
    terminal.file("a", "http://h.org/");
    terminal.run(&format!("export TERM=dumb; {}", menu("-", "a")));
    shows(
        &terminal,
        &[
            "urlgrep: --menu: expected a terminal that can move its cursor, but TERM is unset or \"dumb\"",
            "status 2",
        ],
    );
}

#[test]
fn the_keyboard_is_not_searched() {
    let Some(terminal) = Terminal::new(100, 4) else { return };
    terminal.run(&menu("-", "/dev/tty"));
    shows(
        &terminal,
        &["urlgrep: --menu: standard input is the keyboard, so it cannot also be searched", "status 2"],
    );
}

#[test]
fn without_a_url_there_is_a_sentence() {
    let Some(terminal) = Terminal::new(80, 4) else { return };
    terminal.file("a", "Subject: a\n\nNothing.\n");
    terminal.run(&menu("-", "a"));
    shows(&terminal, &["urlgrep: no URL was found", "status 1"]);
}

/// Errors are told in the title, and printed at the end.
#[test]
fn errors_do_not_disturb_the_screen() {
    let Some(terminal) = Terminal::new(80, 5) else { return };
    terminal.file("a", "http://h.org/");
    terminal.run(&menu("missing -", "a"));
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 1, 1 error T");
    assert_eq!(screen[0], "URL 1 of 1, 1 error T");
    terminal.keys(&["q"]);
    shows(&terminal, &["urlgrep: missing: No such file or directory (os error 2)", "status 2"]);
}

/// Errors count if the user does not wait for the end of the search, too.
#[test]
fn a_search_that_is_left_has_the_status_of_its_errors() {
    let Some(terminal) = Terminal::new(80, 5) else { return };
    terminal.file("a", "http://h.org/\n");
    terminal.run(&format!(
        "mkfifo pipe more\n(cat a; cat more) >pipe &\n{}",
        menu("missing --line-buffered -", "pipe")
    ));
    let screen = terminal.wait_for(|screen| screen[0].contains("1 error"));
    assert!(screen[0].contains("searching"), "{screen:?}");
    terminal.keys(&["q"]);
    shows(&terminal, &["urlgrep: missing: No such file or directory (os error 2)", "status 2"]);
    terminal.file("more", "");
}

#[test]
fn a_browser_that_fails_is_followed_by_the_next() {
    let Some(terminal) = Terminal::new(80, 5) else { return };
    terminal.file("a", "http://h.org/");
    terminal.run(&format!("export BROWSER=\"false %s:/missing:$BROWSER\"; {}", menu("-", "a")));
    terminal.wait_for(|screen| screen[0] == "URL 1 of 1 T");
    terminal.keys(&["Enter"]);
    terminal.opens("1\nhttp://h.org/\n");
    terminal.wait_for(|screen| screen[4].starts_with("Opened"));
    terminal.keys(&["q"]);
    shows(&terminal, &["status 0"]);
}

#[test]
fn without_a_browser_there_is_a_sentence() {
    let Some(terminal) = Terminal::new(80, 5) else { return };
    terminal.file("a", "http://h.org/");
    terminal.run(&format!("export BROWSER=\"false:/missing\"; {}", menu("-", "a")));
    terminal.wait_for(|screen| screen[0] == "URL 1 of 1 T");
    terminal.keys(&["Enter"]);
    let notice = "Not opened: false: exit status: 1; /missing: No such file or directory (os erro\u{2026}";
    let screen = terminal.wait_for(|screen| screen[4] == notice);
    assert_eq!(screen[4], notice);
}

/// The wrapper of a URL has a scheme that is opened, and the URL itself has none.
#[test]
fn each_reading_has_its_own_scheme() {
    let Some(terminal) = Terminal::new(100, 5) else { return };
    terminal.file("a", "See https://www.google.com/url?q=telnet%3A%2F%2Fh.org%2F now.");
    terminal.run(&menu("--unwrap -", "a"));
    let row = ">1  telnet://h.org/ r+1  See \u{2026} now.";
    let screen = terminal.wait_for(|screen| screen[1] == row);
    assert_eq!(screen[1], row);
    terminal.keys(&["Enter"]);
    let screen = terminal.wait_for(|screen| screen[4].starts_with("telnet URLs are not opened"));
    assert!(screen[4].starts_with("telnet URLs are not opened"), "{screen:?}");
    terminal.keys(&["r", "2", "Enter"]);
    terminal.opens("1\nhttps://www.google.com/url?q=telnet%3A%2F%2Fh.org%2F\n");
}

#[test]
fn a_command_that_is_none_is_refused() {
    let Some(terminal) = Terminal::new(120, 4) else { return };
    terminal.file("a", "http://h.org/");
    terminal.run(&menu("--open-with \"a 'b\" -", "a"));
    let error = "urlgrep: --open-with: unclosed quotation mark ('); to use it literally, put it inside other quotation marks";
    shows(&terminal, &[error, "status 2"]);
}

/// A URL far from the start of its message has the lines around it.
#[test]
fn a_message_is_shown_to_a_limit() {
    let Some(terminal) = Terminal::new(120, 14) else { return };
    let lines = "A line of the message.\n".repeat(50_000);
    terminal.file(
        "a",
        &format!(
            "From: a@example.org\nSubject: s\n\nhttp://h.org/first\n{lines}See http://h.org/last there\n"
        ),
    );
    terminal.run(&menu("-", "a"));
    terminal.wait_for(|screen| screen[0] == "URL 1 of 2 T  s");
    terminal.keys(&["G"]);
    let beside =
        |screen: &[String], line: usize| screen[line].split("\u{2502} ").nth(1).unwrap_or("").to_owned();
    let screen = terminal.wait_for(|screen| beside(screen, 6) == "See http://h.org/last there");
    assert_eq!(
        (beside(&screen, 5), beside(&screen, 6)),
        ("A line of the message.".into(), "See http://h.org/last there".into())
    );
}

//! Where keys come from, and what else the terminal sends.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{Terminal, menu, shows};

/// A terminal that shows the menu of two URLs; `before` is run before it.
fn two_urls(columns: u16, before: &str, args: &str, input: &str) -> Option<Terminal> {
    let terminal = Terminal::new(columns, 6)?;
    terminal.file("a", "See http://h.org/a\n\nor http://h.org/b\n");
    terminal.file("asks", "#!/bin/sh\necho Which one\\?\nread line\necho \"$line $1\" >answer\n");
    fs::set_permissions(terminal.path("asks"), fs::Permissions::from_mode(0o755)).unwrap();
    terminal.run(&format!("{before}; {}", menu(args, input)));
    let is_complete = |title: &str| title.starts_with("URL 1 of 2") && !title.contains("searching");
    let screen = terminal.wait_for(|screen| is_complete(&screen[0]));
    assert!(is_complete(&screen[0]), "{screen:?}");
    Some(terminal)
}

const HINTS: &str = "Enter open  ? help  q quit  / search  y copy  s context  d fold";

#[test]
fn standard_input_can_be_the_terminal() {
    let Some(terminal) = two_urls(80, ":", "a", "/dev/tty") else { return };
    terminal.keys(&["j"]);
    // Both are from one file, whose name takes the place of the subject.
    let rows = [" 1 http://h.org/a", "   See \u{2026}", ">2 http://h.org/b", "   or \u{2026}", HINTS];
    let screen = terminal.wait_for(|screen| screen[1..] == rows);
    assert_eq!(screen, [&["URL 2 of 2  a"], &rows[..]].concat());
}

#[test]
fn another_width_is_another_layout() {
    let Some(terminal) = two_urls(130, ":", "-", "a") else { return };
    terminal.tmux(&["resize-window", "-x", "30", "-y", "6"]);
    let hints = "Enter open  ? help  q quit";
    let narrow = [">1 http://h.org/a", "   See \u{2026}", " 2 http://h.org/b", "   or \u{2026}", hints];
    shows(&terminal, &[&["URL 1 of 2"], &narrow[..]].concat());
}

/// A text that is pasted is no sequence of keys, and in a search it is searched for.
#[test]
fn a_pasted_text_runs_nothing() {
    let Some(terminal) = two_urls(80, ":", "-", "a") else { return };
    terminal.tmux(&["set-buffer", "jq\n/b"]);
    terminal.tmux(&["paste-buffer", "-p"]);
    terminal.keys(&["?"]);
    let screen = terminal.wait_for(|screen| screen[0] == "Keys");
    assert_eq!(screen[0], "Keys");
    terminal.keys(&["?", "/"]);
    terminal.tmux(&["paste-buffer", "-p"]);
    let screen = terminal.wait_for(|screen| screen[5] == "/jq/b");
    assert_eq!(screen[5], "/jq/b");
    assert!(!terminal.path("opened").exists());
}

/// A browser that runs in the terminal has the keyboard, though the message is standard input.
#[test]
fn a_browser_can_ask() {
    let Some(terminal) = two_urls(80, "export BROWSER=./asks", "-", "a") else { return };
    terminal.keys(&["j", "Enter"]);
    let screen = terminal.wait_for(|screen| screen[0] == "Which one?");
    assert_eq!(screen[0], "Which one?");
    terminal.keys(&["this", "Enter"]);
    let notice = "Opened with ./asks: http://h.org/b";
    let screen = terminal.wait_for(|screen| screen[5] == notice);
    assert_eq!((&*screen[0], &*screen[5]), ("URL 2 of 2", notice));
    assert_eq!(fs::read_to_string(terminal.path("answer")).unwrap(), "this http://h.org/b\n");
}

/// Ctrl-C ends the browser, and not the menu.
#[test]
fn a_browser_can_be_interrupted() {
    // The shell that runs the menu gets the signal, too.
    let Some(terminal) = two_urls(80, "trap : INT; export BROWSER=./asks", "-", "a") else { return };
    terminal.keys(&["Enter"]);
    terminal.wait_for(|screen| screen[0] == "Which one?");
    terminal.keys(&["C-c"]);
    let notice = "Not opened: ./asks: signal: 2 (SIGINT)";
    let screen = terminal.wait_for(|screen| screen[5] == notice);
    assert_eq!((&*screen[0], &*screen[5]), ("URL 1 of 2", notice));
    terminal.keys(&["C-c"]);
    shows(&terminal, &["Which one?", "^Cstatus 0"]);
}

#[test]
fn a_browser_runs_in_the_background() {
    let Some(terminal) = two_urls(80, "export BROWSER=\"$BROWSER %s &\"", "-", "a") else { return };
    terminal.keys(&["Enter"]);
    terminal.opens("1\nhttp://h.org/a\n");
    let screen = terminal.wait_for(|screen| screen[5].starts_with("Opened with"));
    assert!(screen[5].starts_with("Opened with"), "{screen:?}");
}

/// What fails in the background is told later.
#[test]
fn a_browser_fails_in_the_background() {
    let Some(terminal) = two_urls(80, "export BROWSER=\"false &\"", "-", "a") else { return };
    terminal.keys(&["Enter"]);
    let screen = terminal.wait_for(|screen| screen[5] == "false: exit status: 1");
    assert_eq!(screen[5], "false: exit status: 1");
}

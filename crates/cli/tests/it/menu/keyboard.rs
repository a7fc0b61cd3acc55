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

const HINTS: &str = "Enter open  ? help  q quit  Space mark  / search  y copy  p print  s message";

#[test]
fn standard_input_can_be_the_terminal() {
    let Some(terminal) = two_urls(80, ":", "a", "/dev/tty") else { return };
    terminal.keys(&["j"]);
    // Both are from one file, whose name takes the place of the subject.
    let rows = [" 1  h.org/a  See \u{2026}", ">2  h.org/b  or \u{2026}", "", "http://h.org/b", HINTS];
    let screen = terminal.wait_for(|screen| screen[1..] == rows);
    assert_eq!(screen, [&["URL 2 of 2 T  a"], &rows[..]].concat());
}

#[test]
fn another_width_is_another_layout() {
    let Some(terminal) = two_urls(130, ":", "-", "a") else { return };
    terminal.tmux(&["resize-window", "-x", "30", "-y", "6"]);
    let hints = "Enter open  ? help  q quit";
    let narrow = [">1  h.org/a  See \u{2026}", " 2  h.org/b  or \u{2026}", "", "http://h.org/a", hints];
    shows(&terminal, &[&["URL 1 of 2 T"], &narrow[..]].concat());
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
    assert_eq!((&*screen[0], &*screen[5]), ("URL 2 of 2 T", notice));
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
    assert_eq!((&*screen[0], &*screen[5]), ("URL 1 of 2 T", notice));
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

/// Without a shell, the marked URLs are arguments of the command, one after the other.
#[test]
fn a_command_gets_the_marked_urls() {
    let Some(terminal) = two_urls(80, ":", "-", "a") else { return };
    terminal.keys(&["a", "|", "./browser", "Space", "-x", "Enter"]);
    let screen = terminal.wait_for(|screen| screen[1].starts_with("Press any key"));
    assert_eq!(screen[1], "Press any key to return to the menu.");
    terminal.opens("2\n-x\nhttp://h.org/a\n2\n-x\nhttp://h.org/b\n");
    terminal.keys(&["Space"]);
    let screen = terminal.wait_for(|screen| screen[5] == "Run ./browser: 2 URLs");
    assert_eq!((&*screen[0], &*screen[5]), ("URL 1 of 2 T *2", "Run ./browser: 2 URLs"));
    terminal.keys(&["|", "C-u", "'a", "Enter"]);
    let screen = terminal.wait_for(|screen| screen[5].starts_with("Not run"));
    let error = "Not run: unclosed quotation mark ('); to use it literally, put it inside other \u{2026}";
    assert_eq!(screen[5], error);
}

#[test]
fn a_command_opens_instead_of_a_browser() {
    let input = "echo 'http://h.org/a or telnet://h.org/b' >a";
    let Some(terminal) = two_urls(80, input, "--open-with './browser --new {} \"a b\"' -", "a") else {
        return;
    };
    terminal.keys(&["j", "Enter"]);
    // A browser would not open it.
    terminal.opens("3\n--new\ntelnet://h.org/b\na b\n");
}

/// Standard output has what was chosen, and nothing else.
#[test]
fn urls_are_printed_after_the_menu() {
    let Some(terminal) = Terminal::new(80, 6) else { return };
    terminal.file("a", "See http://h.org/a\n\nor http://h.org/b\nor http://h.org/%7e\n");
    let program = env!("CARGO_BIN_EXE_urlgrep");
    terminal.run(&format!("'{program}' --menu - <a | sed s/^/got:/; echo end"));
    terminal.wait_for(|screen| screen[0] == "URL 1 of 3 T");
    terminal.keys(&["Space", "j", "Tab", "p"]);
    shows(&terminal, &["got:http://h.org/a", "got:http://h.org/%7e", "end"]);
}

/// By its default settings tmux does not pass on what a program copies; its own command does.
#[test]
fn copying_works_with_the_default_settings_of_tmux() {
    let Some(terminal) = two_urls(80, ":", "-", "a") else { return };
    terminal.tmux(&["set-option", "-s", "set-clipboard", "external"]);
    terminal.keys(&["a", "y"]);
    let screen = terminal.wait_for(|screen| screen[5] == "Copied with tmux: 2 URLs");
    assert_eq!(screen[5], "Copied with tmux: 2 URLs");
    assert_eq!(terminal.tmux(&["show-buffer"]).stdout, b"http://h.org/a\nhttp://h.org/b");
}

#[test]
fn without_a_program_the_terminal_copies() {
    let before = "unset TMUX DISPLAY WAYLAND_DISPLAY";
    let Some(terminal) = two_urls(80, before, "-", "a") else { return };
    terminal.keys(&["y"]);
    let notice = "Sent to the terminal (OSC 52), which may ignore it: http://h.org/a";
    let screen = terminal.wait_for(|screen| screen[5] == notice);
    assert_eq!(screen[5], notice);
    assert_eq!(terminal.tmux(&["show-buffer"]).stdout, b"http://h.org/a");
}

/// The sequences of a terminal whose mouse was pressed, or whose wheel was turned (SGR).
#[test]
fn the_mouse_selects_opens_and_scrolls() {
    let Some(terminal) = two_urls(80, ":", "-", "a") else { return };
    let mouse = |terminal: &Terminal| {
        terminal.tmux(&["display-message", "-p", "#{mouse_standard_flag}#{mouse_sgr_flag}"]).stdout
    };
    assert_eq!(mouse(&terminal), b"11\n");
    let press = "\u{1b}[<0;5;3M\u{1b}[<0;5;3m";
    terminal.keys(&["-l", press]);
    let screen = terminal.wait_for(|screen| screen[0] == "URL 2 of 2 T");
    assert_eq!(screen[0], "URL 2 of 2 T");
    terminal.keys(&["-l", press]);
    terminal.opens("1\nhttp://h.org/b\n");
    // What comes before is the browser's.
    terminal.wait_for(|screen| screen[5].starts_with("Opened with"));
    terminal.keys(&["-l", "\u{1b}[<64;5;3M"]);
    terminal.keys(&["m"]);
    let screen = terminal.wait_for(|screen| screen[5].starts_with("The mouse selects text in"));
    assert!(screen[5].starts_with("The mouse selects text in"), "{screen:?}");
    assert_eq!(mouse(&terminal), b"00\n");
    terminal.keys(&["m", "q"]);
    shows(&terminal, &["status 0"]);
    assert_eq!(mouse(&terminal), b"00\n");
}

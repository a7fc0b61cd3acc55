//! The terminal after the menu, and what the menu writes to it.

use std::process::Command;

use super::{Terminal, menu, shows};
use crate::wait;

/// A terminal that shows the menu after another line, and tells its modes at the end.
fn shown(columns: u16, args: &str) -> Option<Terminal> {
    let terminal = Terminal::new(columns, 6)?;
    terminal.file("a", "http://h.org/");
    let program = env!("CARGO_BIN_EXE_urlgrep");
    terminal.run(&format!(
        "echo before; stty -a >modes.before\n(exec sh -c 'echo $$ >pid; exec \"$@\"' - '{program}' --menu {args} - <a) 2>&1\n\
         echo status $?; stty -a >modes.after; cmp modes.before modes.after && echo same modes"
    ));
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 1 T");
    assert_eq!(screen[0], "URL 1 of 1 T");
    Some(terminal)
}

#[test]
fn what_was_on_the_screen_comes_back() {
    let Some(terminal) = shown(40, "") else { return };
    terminal.keys(&["q"]);
    shows(&terminal, &["before", "status 0", "same modes"]);
    let flags =
        terminal.tmux(&["display-message", "-p", "#{cursor_flag} #{alternate_on} #{mouse_any_flag}"]).stdout;
    assert_eq!(flags, b"1 0 0\n");
}

#[test]
fn signals_restore_the_terminal() {
    for (signal, status) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let Some(terminal) = shown(40, "") else { return };
        let pid = std::fs::read_to_string(terminal.path("pid")).unwrap();
        assert!(Command::new("kill").args(["-s", signal, pid.trim()]).status().unwrap().success());
        let screen = terminal.wait_for(|screen| screen.iter().any(|line| line == "same modes"));
        assert!(screen.contains(&format!("status {status}")), "{signal}: {screen:?}");
        assert!(screen[0] == "before" && screen.contains(&"same modes".into()), "{signal}: {screen:?}");
        let flags = terminal
            .tmux(&["display-message", "-p", "#{cursor_flag} #{alternate_on} #{mouse_any_flag}"])
            .stdout;
        assert_eq!(flags, b"1 0 0\n", "{signal}");
    }
}

/// All that the menu writes with these arguments, from its start to its end.
fn written(args: &str, environment: &str) -> Option<String> {
    let terminal = Terminal::new(80, 6)?;
    terminal.file("a", "<URL:http://h.org/\u{9b}31m>, see");
    terminal.file("go", &format!("{environment} {}", menu(args, "a")));
    terminal.run("read line; sh go");
    terminal.tmux(&["pipe-pane", "cat >part; mv part raw"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(|screen| screen[0] == "URL 1 of 1 T");
    terminal.keys(&["q"]);
    terminal.wait_for(|screen| screen.iter().any(|line| line.starts_with("status")));
    terminal.tmux(&["pipe-pane"]);
    let raw = wait::until(|| std::fs::read(terminal.path("raw")).ok()).unwrap();
    Some(String::from_utf8_lossy(&raw).into_owned())
}

#[test]
fn there_are_no_colours_on_request() {
    // Cyan is colour 6 of the terminal.
    let cyan = |text: &str| text.contains("38;5;6");
    let Some(colours) = written("-", "") else { return };
    assert!(cyan(&colours), "{colours:?}");
    for (args, environment, expected) in
        [("-", "NO_COLOR=1", false), ("--color=never -", "", false), ("--color=always -", "NO_COLOR=1", true)]
    {
        let text = written(args, environment).unwrap();
        assert_eq!(cyan(&text), expected, "{args} {environment}: {text:?}");
        assert_eq!(text.contains("38;5;"), expected, "{args} {environment}: {text:?}");
    }
}

#[test]
fn a_url_reaches_the_terminal_escaped() {
    let Some(text) = written("-", "") else { return };
    assert!(!text.contains('\u{9b}') && text.contains("h.org/\\xC2\\x9B31m"), "{text:?}");
}

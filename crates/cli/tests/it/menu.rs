//! The menu, as a terminal shows it: tmux runs the program, types, and tells what is on the
//! screen.

mod digest;
mod keyboard;
mod letters;
mod newsletter;
mod pane;
mod refused;
mod restored;
mod tmux;

use tmux::Terminal;

/// The program with these arguments and this input, as a shell calls it. When it has ended,
/// the screen shows its status.
fn menu(args: &str, input: &str) -> String {
    format!("'{}' --menu {args} <{input}; echo status $?", env!("CARGO_BIN_EXE_urlgrep"))
}

/// Panics unless the screen shows these lines and then empty ones.
#[track_caller]
fn shows(terminal: &Terminal, lines: &[impl AsRef<str>]) {
    let expected: Vec<_> = lines.iter().map(AsRef::as_ref).collect();
    let screen = terminal.wait_for(|screen| {
        screen.len() >= expected.len()
            && screen[..expected.len()] == expected
            && screen[expected.len()..].iter().all(String::is_empty)
    });
    assert_eq!(screen.join("\n").trim_end(), expected.join("\n").trim_end());
}

//! The key of contrib/tmux.conf, typed in a tmux that runs in another.

use std::path::Path;

use super::Terminal;

/// A terminal with a tmux in it that has the key, and runs a command of the shell.
fn pane(command: &str) -> Option<Terminal> {
    let terminal = Terminal::new(40, 20)?;
    let contrib = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/tmux.conf");
    // Its server ends with the outer one, whatever happens.
    terminal.file(
        "inner.conf",
        &format!("set -g exit-unattached on\nset -g status off\nsource-file '{}'\n", contrib.display()),
    );
    terminal.file("inner.sh", &format!("{command}\nexec sleep 1000\n"));
    let program = Path::new(env!("CARGO_BIN_EXE_urlgrep")).parent().unwrap();
    terminal.run(&format!(
        "unset TMUX\nexport PATH='{}':\"$PATH\"\ntmux -S inner -f inner.conf -u new-session 'exec sh inner.sh'",
        program.display()
    ));
    Some(terminal)
}

/// Types the key, and opens the only URL of the menu.
#[track_caller]
fn opens(terminal: &Terminal, url: &str) {
    terminal.keys(&["C-b", "u"]);
    terminal.wait_for(|screen| screen.iter().any(|line| line.contains("URL 1 of 1")));
    terminal.keys(&["Enter"]);
    terminal.opens(&format!("1\n{url}\n"));
}

#[test]
fn rows_that_tmux_wrapped_are_one_line() {
    // The row ends within the second "http", so that neither row alone shows that they belong together.
    let url = "http://h.org/aaaaaaaaaaaaaaaaa/?u=http://i.org/b";
    let Some(terminal) = pane(&format!("echo 'see {url}'; echo next")) else { return };
    terminal.wait_for(|screen| screen.iter().any(|line| line == "next"));
    opens(&terminal, url);
}

#[test]
fn rows_that_a_program_wrapped_are_joined() {
    // The first row has 40 columns, and its line ends there.
    let command = "echo see http://h.org/aaaaaaaaaaaaaaaaaaaaaaa; echo bbb/c is the rest";
    let Some(terminal) = pane(command) else { return };
    terminal.wait_for(|screen| screen.iter().any(|line| line == "bbb/c is the rest"));
    opens(&terminal, "http://h.org/aaaaaaaaaaaaaaaaaaaaaaabbb/c");
}

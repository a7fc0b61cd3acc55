//! The ways to copy a text: the buffer of tmux, the programs of a desktop, or the terminal itself.
//!
//! The first program that is installed and succeeds is used. By default, tmux does not pass clipboard requests on to
//! the terminal; `tmux load-buffer -w` makes it do so. The terminal comes last, because it does not
//! report whether it obeyed.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{succeeded, wait};
use crate::output::style::is_set;

/// The maximum time to wait for a program, because a display may not answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// A program that copies its input.
type Tool = &'static [&'static str];

/// The programs to try, and the environment variable that shows that they may work.
const TOOLS: [(&str, Tool); 4] = [
    ("TMUX", &["tmux", "load-buffer", "-w", "-"]),
    ("WAYLAND_DISPLAY", &["wl-copy"]),
    ("DISPLAY", &["xclip", "-selection", "clipboard"]),
    ("DISPLAY", &["xsel", "--clipboard", "--input"]),
];

/// Copies a text with the first program that succeeds, or by a sequence that `write` sends to the terminal. Returns a
/// sentence that ends with `what`, the name of the text.
///
/// # Errors
///
/// Returns an error if the terminal cannot be written.
pub fn copy(text: &str, what: &str, write: impl FnOnce(&[u8]) -> io::Result<()>) -> io::Result<String> {
    let mut failures = String::new();
    for tool in tools(cfg!(target_os = "macos"), is_set) {
        match run(tool, text) {
            Ok(()) => return Ok(format!("{failures}Copied with {}: {what}", tool[0])),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => failures.push_str(&format!("{}: {error}; ", tool[0])),
        }
    }
    write(&sequence(text))?;
    // The terminal does not report whether it copied the text.
    Ok(format!("{failures}Sent to the terminal (OSC 52), which may ignore it: {what}"))
}

/// The programs to try, in order.
fn tools(macos: bool, is_set: impl Fn(&str) -> bool) -> Vec<Tool> {
    let tools = TOOLS.into_iter().filter(|(name, _)| is_set(name)).map(|(_, tool)| tool);
    tools.chain(macos.then_some(&["pbcopy"][..])).collect()
}

fn run(tool: Tool, text: &str) -> io::Result<()> {
    let mut command = Command::new(tool[0]);
    command.args(&tool[1..]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let written = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(text.as_bytes()));
    let end = Instant::now() + PATIENCE;
    let Some(status) = wait(&mut child, || Instant::now() >= end)? else {
        child.kill()?;
        child.wait()?;
        return Err(io::Error::new(io::ErrorKind::TimedOut, "the program did not finish"));
    };
    // A program that did not read all bytes did not copy them. Its exit status explains why.
    succeeded(status).and(written)
}

/// The sequence that copies a text to the clipboard of the terminal (OSC 52): `ESC ] 52 ; c ; BASE64 BEL`. It also
/// works over ssh. Not every terminal obeys it.
fn sequence(text: &str) -> Vec<u8> {
    format!("\x1b]52;c;{}\x07", STANDARD.encode(text)).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_what_is_there() {
        let names = |macos, set: &[&str]| -> Vec<&str> {
            tools(macos, |name| set.contains(&name)).into_iter().map(|tool| tool[0]).collect()
        };
        assert_eq!(
            names(false, &["DISPLAY", "TMUX", "WAYLAND_DISPLAY"]),
            ["tmux", "wl-copy", "xclip", "xsel"]
        );
        assert_eq!(names(true, &["TMUX"]), ["tmux", "pbcopy"]);
        assert_eq!(names(false, &[]), [""; 0]);
    }

    #[test]
    fn the_text_is_in_base64() {
        assert_eq!(sequence("ftp://h/"), b"\x1b]52;c;ZnRwOi8vaC8=\x07");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_gets_the_text() {
        run(&["grep", "-q", "^http://h.org/$"], "http://h.org/").unwrap();
        assert_eq!(run(&["false"], "a").unwrap_err().to_string(), "exit status: 1");
        assert_eq!(run(&["/no/such/program"], "a").unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}

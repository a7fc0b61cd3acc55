//! The commands that open a URL.
//!
//! `BROWSER` lists commands, separated by `:`. Each is split at whitespace; `%s` is replaced
//! with the URL, which is otherwise added as the last argument, and `%%` is a `%`. The first
//! command that succeeds is enough. No shell sees the URL: it is a part of one argument.
//!
//! A command gets the terminal until it ends, as `lynx` needs. With a `&` as its last word it
//! runs in the background. What opens URLs on a desktop always does so.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use std::{env, io, thread};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::escape::os_string;

/// The time between two looks at a command that runs.
const PERIOD: Duration = Duration::from_millis(20);

/// A command that opens a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browser {
    /// The program and its arguments, with `%s` for the URL.
    words: Vec<Vec<u8>>,
    background: bool,
}

/// The commands that open a URL, in the order in which they are tried.
pub fn browsers() -> Vec<Browser> {
    match env::var_os("BROWSER").map(|list| parse(&list)) {
        Some(list) if !list.is_empty() => list,
        _ => standard(cfg!(target_os = "macos"), is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")),
    }
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// What opens URLs without `BROWSER`. On a desktop, it needs no terminal.
fn standard(macos: bool, desktop: bool) -> Vec<Browser> {
    let (program, background) = if macos { ("open", true) } else { ("xdg-open", desktop) };
    vec![Browser { words: vec![program.into()], background }]
}

/// The commands in the value of `BROWSER`.
fn parse(list: &OsStr) -> Vec<Browser> {
    list.as_encoded_bytes().split(|&byte| byte == b':').filter_map(Browser::parse).collect()
}

impl Browser {
    fn parse(command: &[u8]) -> Option<Browser> {
        let words = command.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut words: Vec<Vec<u8>> = words.map(<[u8]>::to_vec).collect();
        let background = words.last().is_some_and(|word| word == b"&");
        if background {
            words.pop();
        }
        (!words.is_empty()).then_some(Browser { words, background })
    }

    /// Whether it runs while the menu goes on.
    pub fn is_in_background(&self) -> bool {
        self.background
    }

    /// The name of the program.
    pub fn name(&self) -> String {
        String::from_utf8_lossy(&self.words[0]).into_owned()
    }

    /// The program and its arguments for a URL.
    fn words(&self, url: &str) -> Vec<OsString> {
        let mut replaced = false;
        let mut words: Vec<_> =
            self.words.iter().map(|word| os_string(&replace(word, url, &mut replaced))).collect();
        if !replaced {
            words.push(url.into());
        }
        words
    }

    fn command(&self, url: &str) -> Command {
        let words = self.words(url);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    /// Starts it in the background, without a terminal.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn start(&self, url: &str) -> io::Result<Child> {
        let mut command = self.command(url);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // It outlives the menu, and the keyboard does not interrupt it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn()
    }

    /// Runs it in a terminal until it ends, or until `enough`.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn run(
        &self,
        url: &str,
        tty: [File; 3],
        enough: impl Fn() -> bool,
    ) -> io::Result<Option<ExitStatus>> {
        let [stdin, stdout, stderr] = tty;
        let mut child = self.command(url).stdin(stdin).stdout(stdout).stderr(stderr).spawn()?;
        loop {
            match child.try_wait()? {
                None if !enough() => thread::sleep(PERIOD),
                status => return Ok(status),
            }
        }
    }
}

/// A word of a command with the URL in it.
fn replace(word: &[u8], url: &str, replaced: &mut bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = word;
    while let Some((&byte, after)) = rest.split_first() {
        rest = match (byte, after.first()) {
            (b'%', Some(b's')) => {
                out.extend_from_slice(url.as_bytes());
                *replaced = true;
                &after[1..]
            }
            (b'%', Some(b'%')) => {
                out.push(b'%');
                &after[1..]
            }
            _ => {
                out.push(byte);
                after
            }
        };
    }
    out
}

// The escape sequence that copies a text to the clipboard of the terminal (OSC 52). It also
// works over ssh. Not every terminal obeys it, and none says whether it did.

/// The sequence: `ESC ] 52 ; c ; BASE64 BEL`.
pub fn copy(text: &str) -> Vec<u8> {
    format!("\x1b]52;c;{}\x07", STANDARD.encode(text)).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(browser: &Browser, url: &str) -> Vec<String> {
        browser.words(url).into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn a_list_of_commands() {
        let list = parse(OsStr::new("w3m:  : firefox --new-tab %s & :x --url=%s%%%% 100% %d"));
        let url = "http://h.org/%73?a;b&$(c)";
        assert_eq!(list.len(), 3);
        assert_eq!(words(&list[0], url), ["w3m", url]);
        assert_eq!(words(&list[1], url), ["firefox", "--new-tab", url]);
        assert_eq!(words(&list[2], url), ["x", &format!("--url={url}%%"), "100%", "%d"]);
        assert_eq!(list.iter().map(Browser::is_in_background).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(parse(OsStr::new(" : & :")), []);
    }

    #[test]
    fn without_browser_the_system_decides() {
        assert_eq!(words(&standard(true, false)[0], "ftp://h/"), ["open", "ftp://h/"]);
        assert_eq!(words(&standard(false, true)[0], "ftp://h/"), ["xdg-open", "ftp://h/"]);
        let in_background = |macos, desktop| standard(macos, desktop)[0].is_in_background();
        assert_eq!(
            [in_background(true, false), in_background(false, true), in_background(false, false)],
            [true, true, false]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_runs_in_a_terminal_has_a_status() {
        let null = || File::options().read(true).write(true).open("/dev/null").unwrap();
        let run = |command: &str, enough: bool| {
            parse(OsStr::new(command))[0].run("http://h.org/", [null(), null(), null()], || enough)
        };
        assert_eq!(run("test -n %s", false).unwrap().map(|status| status.success()), Some(true));
        assert_eq!(run("false", false).unwrap().and_then(|status| status.code()), Some(1));
        assert_eq!(run("/no/such/program", false).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn the_text_is_in_base64() {
        assert_eq!(super::copy("ftp://h/"), b"\x1b]52;c;ZnRwOi8vaC8=\x07");
    }
}

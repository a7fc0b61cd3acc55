//! The commands that open a URL.
//!
//! `--open-with` and the key `|` have a [`CommandLine`]. `BROWSER` lists commands, separated by `:`. Each is split at
//! whitespace; `%s` is replaced with the URL, which is otherwise added as the last argument, and `%%` is a `%`. The
//! first command that succeeds is enough. No shell sees the URL: it is a part of one argument.
//!
//! A command gets the terminal until it ends, as `lynx` needs. With a `&` as its last word it
//! runs in the background. On a desktop, `xdg-open` and `open` always do so.

use std::ffi::OsStr;
use std::fs::File;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::{env, io};

use urlgrep_print::escape::os_string;

use super::wait;
use crate::input::{CommandLine, Word};
use crate::output::style::is_set;

/// A command that opens a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browser {
    line: CommandLine,
    /// True if it runs while the menu continues.
    pub background: bool,
}

/// Returns the commands that open a URL, in the order in which they are tried.
pub fn browsers() -> Vec<Browser> {
    match env::var_os("BROWSER").map(|list| parse(&list)) {
        Some(list) if !list.is_empty() => list,
        _ => vec![standard(cfg!(target_os = "macos"), is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))],
    }
}

/// Returns the program that opens URLs without `BROWSER`. On a desktop, it does not need a
/// terminal.
fn standard(macos: bool, desktop: bool) -> Browser {
    let (program, background) = if macos { ("open", true) } else { ("xdg-open", desktop) };
    Browser { line: CommandLine::new(program.into(), Vec::new()), background }
}

/// The commands in the value of `BROWSER`.
fn parse(list: &OsStr) -> Vec<Browser> {
    list.as_encoded_bytes().split(|&byte| byte == b':').filter_map(Browser::of_variable).collect()
}

impl Browser {
    /// Returns the command that a user typed.
    ///
    /// # Errors
    ///
    /// Returns an error if it has no program, or a quotation mark is not closed.
    pub fn typed(command: &OsStr) -> Result<Browser, String> {
        let bytes = command.as_encoded_bytes().trim_ascii_end();
        let before =
            bytes.strip_suffix(b"&").filter(|before| before.last().is_some_and(u8::is_ascii_whitespace));
        let line = CommandLine::parse(&os_string(before.unwrap_or(bytes)))?;
        Ok(Browser { line, background: before.is_some() })
    }

    fn of_variable(command: &[u8]) -> Option<Browser> {
        let words = command.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut words: Vec<_> = words.collect();
        let background = words.last().is_some_and(|word| word == b"&");
        if background {
            words.pop();
        }
        let (program, arguments) = words.split_first()?;
        let line = CommandLine::new(os_string(program), arguments.iter().map(|word| pieces(word)).collect());
        Some(Browser { line, background })
    }

    /// Returns the name of the program.
    pub fn name(&self) -> String {
        self.line.program.to_string_lossy().into_owned()
    }

    /// The command for a URL.
    fn command(&self, url: &str) -> io::Result<Command> {
        // A URL starts with its scheme, so this does not happen.
        if url.starts_with('-') {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the URL starts with \"-\", so a program would read it as an option",
            ));
        }
        Ok(self.line.command(OsStr::new(url)))
    }

    /// Starts it in the background, without a terminal.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not start.
    pub fn start(&self, url: &str) -> io::Result<Child> {
        let mut command = self.command(url)?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // In its own process group, the browser outlives the menu, and the keyboard does not interrupt it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn()
    }

    /// Runs it in a terminal until it ends, or until `enough`.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not start.
    pub fn run(
        &self,
        url: &str,
        tty: [File; 3],
        enough: impl Fn() -> bool,
    ) -> io::Result<Option<ExitStatus>> {
        let [stdin, stdout, stderr] = tty;
        let mut child = self.command(url)?.stdin(stdin).stdout(stdout).stderr(stderr).spawn()?;
        wait(&mut child, enough)
    }
}

/// A word of a command in `BROWSER`: the texts between each `%s`.
fn pieces(word: &[u8]) -> Word {
    let (mut pieces, mut piece) = (Vec::new(), Vec::new());
    let mut bytes = word.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match bytes.next_if(|next| byte == b'%' && matches!(next, b's' | b'%')) {
            Some(b's') => pieces.push(os_string(&std::mem::take(&mut piece))),
            _ => piece.push(byte),
        }
    }
    pieces.push(os_string(&piece));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(browser: &Browser, url: &str) -> Vec<String> {
        let command = browser.command(url).unwrap();
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        words.map(|word| word.to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_command_that_is_typed() {
        let typed = |command: &str| Browser::typed(OsStr::new(command));
        let url = "http://h.org/%73?a;b&$(c)";
        let mpv = typed("mpv --title='a b' {} &").unwrap();
        assert_eq!(words(&mpv, url), ["mpv", "--title=a b", url]);
        assert!(mpv.background);
        let curl = typed("curl -I").unwrap();
        assert_eq!(words(&curl, url), ["curl", "-I", url]);
        assert!(!curl.background);
        assert!(typed(" &").is_err() && typed("a 'b").is_err());
        assert!(curl.command("-o").is_err());
    }

    #[test]
    fn a_list_of_commands() {
        let list = parse(OsStr::new("w3m:  : firefox --new-tab %s & :x --url=%s%%%% 100% %d"));
        let url = "http://h.org/%73?a;b&$(c)";
        assert_eq!(list.len(), 3);
        assert_eq!(words(&list[0], url), ["w3m", url]);
        assert_eq!(words(&list[1], url), ["firefox", "--new-tab", url]);
        assert_eq!(words(&list[2], url), ["x", &format!("--url={url}%%"), "100%", "%d"]);
        assert_eq!(list.iter().map(|browser| browser.background).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(parse(OsStr::new(" : & :")), []);
    }

    #[test]
    fn without_browser_the_system_decides() {
        assert_eq!(words(&standard(true, false), "ftp://h/"), ["open", "ftp://h/"]);
        assert_eq!(words(&standard(false, true), "ftp://h/"), ["xdg-open", "ftp://h/"]);
        let in_background = |macos, desktop| standard(macos, desktop).background;
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
}

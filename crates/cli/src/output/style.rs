//! Prints text from the input: escaped, in colours, as links.
//!
//! On a terminal, the only control characters in the output are the ones of colours and of OSC 8
//! links (`ESC ] 8 ; ; URI ESC \ text ESC ] 8 ; ; ESC \`). A click on a link starts the program
//! that is registered for its scheme, and some of these programs do more than show a document. So
//! only schemes that show one become links.
//!

use std::env;

use anstyle::{AnsiColor, Style};
use urlgrep_print::escape::Escaped;

/// The style of a path.
pub const PATH: Style = AnsiColor::Magenta.on_default();
/// The style of a line, column, offset or count.
pub const NUMBER: Style = AnsiColor::Green.on_default();
/// The style of a URL.
pub const URL: Style = AnsiColor::Cyan.on_default().bold();

/// The choices of the user; without a choice, it depends on the terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct StyleOptions {
    pub colors: Option<bool>,
    pub links: Option<bool>,
}

/// The style of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputStyle {
    /// True if control characters of the input are escaped.
    escaped: bool,
    pub colors: bool,
    links: bool,
}

impl OutputStyle {
    /// Text without control characters.
    pub const ESCAPED: OutputStyle = OutputStyle { escaped: true, colors: false, links: false };

    /// Returns the style of the output to a terminal or elsewhere.
    pub fn new(options: StyleOptions, terminal: bool) -> OutputStyle {
        let able = terminal && !is_set("NO_COLOR") && !is_dumb();
        let (colors, links) = (options.colors.unwrap_or(able), options.links.unwrap_or(able));
        OutputStyle { escaped: terminal || colors || links, colors, links }
    }

    /// Prints bytes of the input. A program that reads them from a pipe gets them verbatim.
    pub fn print(&self, out: &mut Vec<u8>, bytes: &[u8]) {
        match self.escaped {
            true => out.extend_from_slice(Escaped(bytes).to_string().as_bytes()),
            false => out.extend_from_slice(bytes),
        }
    }

    /// Prints bytes of the input in a colour.
    pub fn paint(&self, out: &mut Vec<u8>, style: Style, bytes: &[u8]) {
        let (before, after) = self.around(style);
        out.extend_from_slice(before.as_bytes());
        self.print(out, bytes);
        out.extend_from_slice(after.as_bytes());
    }

    /// Returns the text that is printed before and after a coloured text.
    pub fn around(&self, style: Style) -> (String, String) {
        match self.colors {
            true => (style.render().to_string(), style.render_reset().to_string()),
            false => (String::new(), String::new()),
        }
    }

    /// Prints a URL, as a link if links are printed and it has one.
    pub fn url(&self, out: &mut Vec<u8>, url: &[u8], link: impl FnOnce() -> Option<Vec<u8>>) {
        let Some(link) = self.links.then(link).flatten() else { return self.paint(out, URL, url) };
        out.extend_from_slice(&[b"\x1b]8;;", &link[..], b"\x1b\\"].concat());
        self.paint(out, URL, url);
        out.extend_from_slice(b"\x1b]8;;\x1b\\");
    }
}

/// Returns true if an environment variable has a value that is not empty.
pub fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Returns true if the terminal may print escape sequences verbatim. TERM is not set on
/// Windows.
pub fn is_dumb() -> bool {
    env::var_os("TERM").map_or(!cfg!(windows), |term| term == "dumb")
}

#[cfg(test)]
mod tests {
    use urlgrep::grammar::opens_safely;
    use urlgrep_print::spelling::target;

    use super::*;

    const PLAIN: OutputStyle = OutputStyle { escaped: false, colors: false, links: false };

    fn url(style: OutputStyle, scheme: &str, implied: &str, url: &[u8]) -> String {
        let mut out = Vec::new();
        style.url(&mut out, url, || opens_safely(scheme).then(|| target(implied.into(), url)));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_link_is_ascii_and_its_text_is_escaped() {
        let style = OutputStyle { escaped: true, links: true, ..PLAIN };
        assert_eq!(
            url(style, "http", "", "http://h.org/\u{fc}\u{9b}".as_bytes()),
            "\x1b]8;;http://h.org/%C3%BC%C2%9B\x1b\\http://h.org/\u{fc}\\xC2\\x9B\x1b]8;;\x1b\\"
        );
        assert_eq!(
            url(style, "http", "http://", b"www.h.org"),
            "\x1b]8;;http://www.h.org\x1b\\www.h.org\x1b]8;;\x1b\\"
        );
        assert_eq!(
            url(style, "mailto", "mailto:", b"a@h.org"),
            "\x1b]8;;mailto:a@h.org\x1b\\a@h.org\x1b]8;;\x1b\\"
        );
        assert_eq!(
            url(style, "http", "", b"http://h.org/"),
            "\x1b]8;;http://h.org/\x1b\\http://h.org/\x1b]8;;\x1b\\"
        );
        assert_eq!(url(style, "telnet", "", b"telnet://h.org"), "telnet://h.org");
    }

    #[test]
    fn bytes_are_verbatim_in_a_pipe() {
        let mut out = Vec::new();
        PLAIN.print(&mut out, b"\x1b\xff");
        OutputStyle { escaped: true, ..PLAIN }.print(&mut out, b"\x1b\xff");
        assert_eq!(out, b"\x1b\xff\\x1B\\xFF");
    }

    #[test]
    fn colours_are_reset() {
        let style = OutputStyle { escaped: true, colors: true, ..PLAIN };
        assert_eq!(url(style, "x", "", b"x:\x1b"), "\x1b[1m\x1b[36mx:\\x1B\x1b[0m");
        assert_eq!(url(PLAIN, "x", "", b"x:a"), "x:a");
    }
}

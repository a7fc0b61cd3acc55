//! Colours, links and escapes of the output.
//!
//! On a terminal the output contains no control characters but those of colours and
//! of OSC 8 links (`ESC ] 8 ; ; URI ESC \ text ESC ] 8 ; ; ESC \`). A click on a link
//! starts the program that is registered for its scheme, and some of these programs
//! do more than show a document. So only schemes that show one become links.

use std::env;

use anstyle::{AnsiColor, Style};
use urlgrep::grammar;

use crate::escape;

/// The style of a path.
pub const PATH: Style = AnsiColor::Magenta.on_default();
/// The style of a line, column, offset or count.
pub const NUMBER: Style = AnsiColor::Green.on_default();
/// The style of a URL.
pub const URL: Style = AnsiColor::Cyan.on_default().bold();

/// What the user chose; without a choice, it depends on the terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct StyleOptions {
    pub colors: Option<bool>,
    pub links: Option<bool>,
}

/// The style of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputStyle {
    /// Whether control characters of the input are escaped.
    escaped: bool,
    colors: bool,
    links: bool,
}

impl OutputStyle {
    /// The style of the output to a terminal or elsewhere.
    pub fn new(options: StyleOptions, terminal: bool) -> OutputStyle {
        let able = terminal && !is_set("NO_COLOR") && !is_dumb();
        let (colors, links) = (options.colors.unwrap_or(able), options.links.unwrap_or(able));
        OutputStyle { escaped: terminal || colors || links, colors, links }
    }

    /// Whether colours are printed.
    pub fn has_colors(&self) -> bool {
        self.colors
    }

    /// Prints bytes of the input.
    pub fn print(&self, out: &mut Vec<u8>, bytes: &[u8]) {
        escape::push(out, bytes, self.escaped);
    }

    /// Prints bytes of the input in a colour.
    pub fn paint(&self, out: &mut Vec<u8>, style: Style, bytes: &[u8]) {
        let (before, after) = self.around(style);
        out.extend_from_slice(before.as_bytes());
        self.print(out, bytes);
        out.extend_from_slice(after.as_bytes());
    }

    /// What is printed before and after something in a colour.
    pub fn around(&self, style: Style) -> (String, String) {
        match self.colors {
            true => (style.render().to_string(), style.render_reset().to_string()),
            false => (String::new(), String::new()),
        }
    }

    /// Prints a URL, as a link if links are printed and it has one.
    pub fn url(&self, out: &mut Vec<u8>, url: &[u8], link: impl FnOnce() -> Option<Vec<u8>>) {
        let Some(link) = self.links.then(link).flatten() else { return self.paint(out, URL, url) };
        out.extend_from_slice(b"\x1b]8;;");
        out.extend_from_slice(&link);
        out.extend_from_slice(b"\x1b\\");
        self.paint(out, URL, url);
        out.extend_from_slice(b"\x1b]8;;\x1b\\");
    }
}

/// The target of a link: the URL after its implied start. All but visible ASCII is
/// percent-encoded, as OSC 8 demands. None if the scheme is not one of those that
/// become links.
pub fn link(scheme: &str, implied: &[u8], url: &[u8]) -> Option<Vec<u8>> {
    if !grammar::opens_safely(scheme) {
        return None;
    }
    Some(target(implied, url))
}

/// The URL after its implied start, in visible ASCII.
pub fn target(implied: &[u8], url: &[u8]) -> Vec<u8> {
    let mut target = implied.to_vec();
    for &byte in url {
        match byte.is_ascii_graphic() {
            true => target.push(byte),
            false => target.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    target
}

/// Whether the terminal may print escape sequences verbatim. TERM is not set on
/// Windows.
pub fn is_dumb() -> bool {
    env::var_os("TERM").map_or(!cfg!(windows), |term| term == "dumb")
}

/// Whether an environment variable is set and not empty.
fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: OutputStyle = OutputStyle { escaped: false, colors: false, links: false };

    fn url(style: OutputStyle, scheme: &str, implied: &str, url: &[u8]) -> String {
        let mut out = Vec::new();
        style.url(&mut out, url, || link(scheme, implied.as_bytes(), url));
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
    fn colours_are_reset() {
        let style = OutputStyle { escaped: true, colors: true, ..PLAIN };
        assert_eq!(url(style, "x", "", b"x:\x1b"), "\x1b[1m\x1b[36mx:\\x1B\x1b[0m");
        assert_eq!(url(PLAIN, "x", "", b"x:a"), "x:a");
    }
}

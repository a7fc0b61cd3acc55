//! What is printed, as it looks.
//!
//! Whatever eyes may see has no control characters but ours: colours, and the
//! links of OSC 8 (`ESC ] 8 ; ; URI ESC \ text ESC ] 8 ; ; ESC \`). A terminal
//! opens a link at a click, with whatever program is registered for its scheme;
//! some of these can be talked into more than showing something. So only
//! schemes that show something become links.

use std::env;

use anstyle::{AnsiColor, Style};

use crate::args::{OutputArgs, When};
use crate::escape;

/// The style of a path.
pub const PATH: Style = AnsiColor::Magenta.on_default();
/// The style of a line, column or offset.
pub const PLACE: Style = AnsiColor::Green.on_default();
/// The style of a URL.
pub const URL: Style = AnsiColor::Cyan.on_default().bold();

/// The schemes that become links.
const LINKED: [&str; 9] = ["http", "https", "ftp", "ftps", "gopher", "gemini", "mailto", "news", "nntp"];

/// How things look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Whether it is for eyes, so that nothing may be as it comes.
    eyes: bool,
    colors: bool,
    links: bool,
}

impl Look {
    /// The look that is asked for, on a terminal or elsewhere.
    pub fn new(args: &OutputArgs, terminal: bool) -> Look {
        let able = terminal && !is_set("NO_COLOR") && !is_dumb();
        let is = |when| when == When::Always || (when == When::Auto && able);
        let (colors, links) = (is(args.color), is(args.hyperlink));
        Look { eyes: terminal || colors || links, colors, links }
    }

    /// Prints what comes from elsewhere.
    pub fn print(&self, out: &mut Vec<u8>, bytes: &[u8]) {
        escape::add(out, bytes, self.eyes);
    }

    /// The same in this style.
    pub fn paint(&self, out: &mut Vec<u8>, style: Style, bytes: &[u8]) {
        if !self.colors {
            return self.print(out, bytes);
        }
        out.extend_from_slice(style.render().to_string().as_bytes());
        self.print(out, bytes);
        out.extend_from_slice(style.render_reset().to_string().as_bytes());
    }

    /// Whether URLs are links.
    pub fn has_links(&self) -> bool {
        self.links
    }

    /// Prints a URL, as a link to `target` if that may be one.
    pub fn url(&self, out: &mut Vec<u8>, url: &[u8], target: &Target<'_>) {
        if !self.has_links() || !target.may_be_opened() {
            return self.paint(out, URL, url);
        }
        out.extend_from_slice(b"\x1b]8;;");
        target.print(out);
        out.extend_from_slice(b"\x1b\\");
        self.paint(out, URL, url);
        out.extend_from_slice(b"\x1b]8;;\x1b\\");
    }
}

/// What a link leads to.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    /// The scheme, even if it goes without saying.
    pub scheme: &'t str,
    /// The URL as it stands.
    pub url: &'t [u8],
}

impl Target<'_> {
    /// The link, if there is to be one.
    pub fn link(&self) -> Option<Vec<u8>> {
        let mut link = Vec::new();
        self.may_be_opened().then(|| self.print(&mut link))?;
        Some(link)
    }

    fn may_be_opened(&self) -> bool {
        LINKED.iter().any(|scheme| scheme.eq_ignore_ascii_case(self.scheme))
    }

    /// What goes without saying before the URL.
    fn implied(&self) -> &'static str {
        let start = self.url.get(..self.scheme.len());
        let said = start.is_some_and(|start| start.eq_ignore_ascii_case(self.scheme.as_bytes()))
            && self.url.get(self.scheme.len()) == Some(&b':');
        match self.scheme {
            _ if said => "",
            "mailto" => "mailto:",
            "ftp" => "ftp://",
            _ => "http://",
        }
    }

    /// Prints it with everything escaped that is not visible ASCII, as OSC 8
    /// demands.
    fn print(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.implied().as_bytes());
        for &byte in self.url {
            match byte.is_ascii_graphic() {
                true => out.push(byte),
                false => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
            }
        }
    }
}

/// Whether the terminal shows escape sequences as they are. One that does not say
/// what it is may do so, save on Windows, where none says.
fn is_dumb() -> bool {
    env::var_os("TERM").map_or(!cfg!(windows), |term| term == "dumb")
}

/// Whether a variable of the environment is there and not empty.
fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Look = Look { eyes: false, colors: false, links: false };

    fn url(look: Look, scheme: &str, url: &[u8]) -> String {
        let mut out = Vec::new();
        look.url(&mut out, url, &Target { scheme, url });
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_link_is_ascii_and_its_text_is_shown() {
        let look = Look { eyes: true, links: true, ..PLAIN };
        assert_eq!(
            url(look, "http", "http://h.org/\u{fc}\u{9b}".as_bytes()),
            "\x1b]8;;http://h.org/%C3%BC%C2%9B\x1b\\http://h.org/\u{fc}\\xC2\\x9B\x1b]8;;\x1b\\"
        );
        assert_eq!(url(look, "http", b"www.h.org"), "\x1b]8;;http://www.h.org\x1b\\www.h.org\x1b]8;;\x1b\\");
        assert_eq!(url(look, "mailto", b"a@h.org"), "\x1b]8;;mailto:a@h.org\x1b\\a@h.org\x1b]8;;\x1b\\");
        assert_eq!(
            url(look, "HTTP", b"http://h.org/"),
            "\x1b]8;;http://h.org/\x1b\\http://h.org/\x1b]8;;\x1b\\"
        );
        assert_eq!(url(look, "telnet", b"telnet://h.org"), "telnet://h.org");
    }

    #[test]
    fn styles_are_ended() {
        let look = Look { eyes: true, colors: true, ..PLAIN };
        assert_eq!(url(look, "x", b"x:\x1b"), "\x1b[1m\x1b[36mx:\\x1B\x1b[0m");
        assert_eq!(url(PLAIN, "x", b"x:a"), "x:a");
    }
}

//! The rules S, D and W: the lines show that a URL is cut.

use std::ops::Range;

use super::line::{LINE, Next, Opening, after_break, breaks};
use crate::appendix::Context;
use crate::bytes::class::{BLANK, SPACE};
use crate::found::form::GuessRule;

/// The length of a line that may have to be cut within a URL, at least, in
/// characters.
const LONG: usize = 45;

/// The widths that texts are wrapped at, in bytes.
const WIDTHS: std::ops::RangeInclusive<usize> = 72..=80;

/// How far before a line others are compared with it, in bytes.
const LINES: usize = 2048;

/// How many of them, at most.
const MOST: usize = 24;

/// How many lines a URL may fill, at most, after the first.
const CHAIN: usize = 4;

/// The lengths of the lines that end in a soft break of quoted-printable.
const SOFT: std::ops::RangeInclusive<usize> = 73..=76;

/// The ends of names of files.
const EXTENSIONS: [&str; 64] = [
    "asp", "aspx", "avi", "bat", "bmp", "bz2", "cfm", "cgi", "cpp", "css", "csv", "deb", "diff", "doc",
    "docx", "dtd", "dvi", "eps", "exe", "gif", "gz", "hqx", "htm", "html", "ico", "iso", "jar", "jpeg",
    "jpg", "js", "json", "jsp", "lha", "lzh", "mov", "mp3", "mp4", "mpeg", "mpg", "msg", "patch", "pdf",
    "php", "php3", "pl", "png", "ppt", "ps", "py", "rpm", "rss", "rtf", "shtml", "svg", "tar", "tex", "tgz",
    "tif", "txt", "wav", "xhtml", "xml", "xz", "zip",
];

/// A URL that may be cut at the end of a line.
pub(super) struct Cut<'w, 'h> {
    pub(super) cx: &'w Context<'w, 'h>,
    pub(super) opening: &'w Opening<'h>,
    /// From the start of the line to its end.
    pub(super) line: Range<usize>,
    /// The URL up to there.
    pub(super) url: &'w [u8],
}

impl Cut<'_, '_> {
    /// The rule by which the URL goes on with `next`.
    pub(super) fn rule(&self, next: &Next) -> Option<GuessRule> {
        let token = self.cx.window.ahead(next.token.clone());
        if self.ends_in_dot() && is_extension(token) {
            return Some(GuessRule::Dot);
        }
        if next.has_url {
            return None;
        }
        if self.is_long() && self.is_open(token, next) {
            return Some(GuessRule::Stem);
        }
        if self.ends_in_dot() && is_rest_of_name(token) {
            return Some(GuessRule::Dot);
        }
        self.is_full(next).then_some(GuessRule::FullLine)
    }

    /// Whether the `=` at the end is a soft break of quoted-printable, so that it is no
    /// part of the URL.
    pub(super) fn is_soft_break(&self) -> bool {
        self.url.ends_with(b"=") && SOFT.contains(&self.line.len())
    }

    /// Whether the line has as many characters as one that is wrapped.
    fn is_long(&self) -> bool {
        let continues = |b: &&u8| **b & 0xC0 == 0x80;
        let line = self.cx.window.ahead(self.line.clone());
        line.len() >= LONG && line.len() - line.iter().filter(continues).count() >= LONG
    }

    /// Rule S: whether the URL ends in a mark that `token` has to follow.
    fn is_open(&self, token: &[u8], next: &Next) -> bool {
        let Some((&last, rest)) = self.url.split_last() else {
            return false;
        };
        let in_query = || rest.contains(&b'?');
        token.first().is_some_and(u8::is_ascii_alphanumeric)
            && match last {
                b'-' | b'_' => rest.last() != Some(&last),
                b'%' => token.iter().take(2).filter(|b| b.is_ascii_hexdigit()).count() == 2,
                b'=' | b'&' => in_query() && (!next.is_word || next.is_alone),
                b'?' => starts_parameter(token),
                _ => false,
            }
    }

    /// Rule D: whether the URL ends in a dot that is no ellipsis.
    fn ends_in_dot(&self) -> bool {
        matches!(self.url, [.., before, b'.'] if *before != b'.')
    }

    /// Rule W: whether the line is as long as the full lines of the text, the token is
    /// alone between it and an empty line, and the URL is not whole already.
    ///
    /// A line is full, too, if it is long and ends after a slash, and no text is so wide
    /// that the token would have fit: people cut long URLs there by hand.
    fn is_full(&self, next: &Next) -> bool {
        let len = self.line.len();
        if !next.is_alone || names_file(self.url) || self.ends_sentence(next) {
            return false;
        }
        let overflows = len + next.word.len() > *WIDTHS.end();
        let at_slash = self.url.ends_with(b"/") && overflows && !next.is_word && self.is_long();
        match WIDTHS.contains(&len) && self.ends_paragraph(next, len) {
            true => self.is_longest(len) || (at_slash && self.is_empty_after(next.end)),
            false => at_slash && self.is_empty_after(next.end),
        }
    }

    /// Whether `next` is the last word of a sentence.
    fn ends_sentence(&self, next: &Next) -> bool {
        let last = self.cx.window.ahead(next.word.clone()).last();
        next.is_word && last.is_some_and(|b| !b.is_ascii_alphabetic())
    }

    /// Whether an empty line follows `next`, or lines of `len` bytes that have one word
    /// each and what is left of the last one.
    fn ends_paragraph(&self, next: &Next, len: usize) -> bool {
        let window = self.cx.window;
        let (mut start, mut end) = (next.start, next.end);
        for _ in 0..CHAIN {
            if self.is_empty_after(end) {
                return true;
            }
            if end - start != len {
                return false;
            }
            start = after_break(window, end);
            let text = self.text_of(start);
            let word = window.skip(text, start + LINE, |b| !SPACE.has(b));
            end = window.skip(word, start + LINE, |b| BLANK.has(b));
            if word == text || !(breaks(window, end) || window.get(end).is_none()) {
                return false;
            }
        }
        false
    }

    /// Whether the line after the break at `end` is empty, its leader aside, or missing.
    fn is_empty_after(&self, end: usize) -> bool {
        let window = self.cx.window;
        if !breaks(window, end) {
            return true;
        }
        let text = self.text_of(after_break(window, end));
        window.get(text).is_none() || breaks(window, text)
    }

    /// Where the text of the line at `start` starts.
    fn text_of(&self, start: usize) -> usize {
        let limit = start + LINE;
        self.cx.window.skip(self.opening.leader_end(self.cx.window, start, limit), limit, |b| BLANK.has(b))
    }

    /// Whether no line before this one is longer than its `len` bytes, and one is as
    /// long.
    fn is_longest(&self, len: usize) -> bool {
        let floor = self.cx.back.max(self.line.start.saturating_sub(LINES));
        let mut rest = self.cx.window.before(self.line.start, floor);
        let mut found = false;
        for _ in 0..MOST {
            let Some(before) = rest.strip_suffix(b"\n") else {
                break;
            };
            let start = memchr::memrchr(b'\n', before).map_or(0, |n| n + 1);
            let other = before[start..].strip_suffix(b"\r").unwrap_or(&before[start..]).len();
            rest = &before[..start];
            if other > len {
                return false;
            }
            found |= other == len;
        }
        found
    }
}

/// Whether `token` starts with a name and `=`.
fn starts_parameter(token: &[u8]) -> bool {
    let name = token.iter().take_while(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b)).count();
    name > 0 && token.get(name) == Some(&b'=')
}

/// Whether `token` has the rest of a name and a path or a query after it.
fn is_rest_of_name(token: &[u8]) -> bool {
    let starts = token.first().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    starts && token.iter().any(|b| b"/?".contains(b))
}

/// Whether `token` is the end of the name of a file, sentence punctuation aside.
fn is_extension(token: &[u8]) -> bool {
    let end = token.iter().rposition(|b| !b".,;:!?)'".contains(b)).map_or(0, |n| n + 1);
    EXTENSIONS.iter().any(|name| name.as_bytes() == &token[..end])
}

/// Whether `url` ends with the name of a file, so that it is likely whole.
fn names_file(url: &[u8]) -> bool {
    let name = memchr::memrchr(b'/', url).map_or(url, |slash| &url[slash + 1..]);
    let extension = memchr::memrchr(b'.', name).map(|dot| &name[dot + 1..]);
    extension.is_some_and(|name| (1..=5).contains(&name.len()) && name.iter().all(u8::is_ascii_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_likely_the_end() {
        for url in ["http://h.org/a.html", "http://h.org/A.TXT", "http://h.org", "http://h.org/a.c"] {
            assert!(names_file(url.as_bytes()), "{url}");
        }
        for url in ["http://h.org/a/", "http://h.org/a", "http://h.org/a.", "http://h.org/a.htm/b", ""] {
            assert!(!names_file(url.as_bytes()), "{url}");
        }
    }

    #[test]
    fn parameters_and_extensions() {
        assert!(starts_parameter(b"list=users") && starts_parameter(b"a_b.c-d="));
        assert!(!starts_parameter(b"=x") && !starts_parameter(b"list") && !starts_parameter(b"a b=c"));
        assert!(
            is_extension(b"html") && is_extension(b"txt),") && !is_extension(b"htmlx") && !is_extension(b"")
        );
    }
}

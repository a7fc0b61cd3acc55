//! Calendars (RFC 5545) and cards (RFC 6350): folded lines, and escapes in values.
//!
//! RFC 5545 §3.1: "a long line can be split between any two characters by inserting a
//! CRLF immediately followed by a single linear white-space character". The line break and
//! that one character are dropped, and nothing else, so the lines are joined without a
//! guess. A line that is only whitespace is a fold too.
//!
//! A value of the type TEXT has escapes: `\,` `\;` `\\`, and `\n` for a line break (RFC 5545
//! §3.3.11). A value of the type URI has none (§3.3.13); but programs write `\,` `\;` and `\\`
//! there as well, so only `\n` is not decoded: `file:///C:\new.txt`. In any value, the backslashes
//! of `file:\\server` begin the name of a server.
//!
//! A value in quoted-printable is decoded first. One in base64 is a [file](super::property::files).

use std::ops::Range;

use memchr::{memchr_iter, memchr2};

use super::html::Roles;
use super::property;
use crate::archive::header::{ends_with, is_one_of};
use crate::archive::role::Role;
use crate::archive::source_map::Decoded;
use crate::bytes::large;

/// Text whose lines were folded, or flowed.
#[derive(Debug, Default)]
pub(crate) struct Unfolded {
    pub(crate) decoded: Decoded,
    /// The offsets in the decoded text at which two lines were joined, in order.
    pub(crate) joins: Vec<usize>,
}

impl Unfolded {
    /// Adds the source from `from` to the line that ends with the line feed at `feed`, and joins
    /// the text that is added next.
    pub(crate) fn fold(&mut self, source: &[u8], from: usize, feed: usize) {
        let line_end = feed - usize::from(source[from..feed].ends_with(b"\r"));
        self.join(source, from..line_end);
    }

    /// Adds a part of the source, and joins the text that is added next.
    pub(crate) fn join(&mut self, source: &[u8], part: Range<usize>) {
        self.decoded.copy(source, part);
        large::prepare(&mut self.joins, 1);
        self.joins.push(self.decoded.bytes.len());
    }

    /// The text with the rest of the source, from `from` on; `None` if nothing was read before it.
    pub(crate) fn with_rest(mut self, source: &[u8], from: usize) -> Option<Unfolded> {
        if from == 0 {
            return None;
        }
        self.decoded.copy(source, from..source.len());
        Some(self)
    }

    /// Adds a value that was decoded, without its escapes.
    fn unescape(&mut self, value: &Decoded, is_url: bool) {
        let mut from = 0;
        for mark in memchr_iter(b'\\', &value.bytes) {
            if mark >= from
                && let Some(FoldedPair::Escape(character)) = step(&value.bytes, mark, is_url)
            {
                self.decoded.append_part(value, from..mark);
                self.decoded.put(&[character], value.map.hull(mark..mark + 2));
                from = mark + 2;
            }
        }
        self.decoded.append_part(value, from..value.bytes.len());
    }
}

/// Undoes folds, escapes and quoted-printable; `None` without any of them.
pub(crate) fn unfold(source: &[u8]) -> Option<Unfolded> {
    let mut unfolded = Unfolded::default();
    let (mut from, mut at) = (0, 0);
    let mut is_url = false;
    loop {
        if at == 0 || source[at - 1] == b'\n' {
            is_url = role_of(&source[at..]) != Role::Text;
            if let Some(value) = property::quoted(source, at) {
                unfolded.decoded.copy(source, from..value.start);
                unfolded.unescape(&property::decode_quoted(source, value.clone()), is_url);
                (from, at) = (value.end, value.end);
            }
        }
        let Some(mark) = memchr2(b'\n', b'\\', &source[at..]).map(|n| at + n) else { break };
        at = mark + 1;
        let Some(step) = step(source, mark, is_url) else { continue };
        match step {
            FoldedPair::Fold => unfolded.fold(source, from, mark),
            FoldedPair::Escape(character) => {
                unfolded.decoded.copy(source, from..mark);
                unfolded.decoded.put(&[character], mark..mark + 2);
            }
        }
        (from, at) = (mark + 2, mark + 2);
    }
    unfolded.with_rest(source, from)
}

/// The meaning of two bytes of the source.
enum FoldedPair {
    Fold,
    Escape(u8),
}

fn step(source: &[u8], mark: usize, is_url: bool) -> Option<FoldedPair> {
    let next = *source.get(mark + 1)?;
    match (source[mark], next) {
        (b'\n', b' ' | b'\t') => Some(FoldedPair::Fold),
        (b'\\', b'\\') if ends_with(&source[..mark], b"file:") && source.get(mark + 2) != Some(&b'\\') => {
            None
        }
        (b'\\', b',' | b';' | b'\\') => Some(FoldedPair::Escape(next)),
        (b'\\', b'n' | b'N') if !is_url => Some(FoldedPair::Escape(b'\n')),
        _ => None,
    }
}

/// The lines of an unfolded text whose property is a URL.
pub(crate) fn addresses(text: &[u8]) -> Roles {
    let mut roles = Roles::default();
    let mut start = 0;
    for line in text.split_inclusive(|&b| b == b'\n') {
        roles.add(start..start + line.len(), role_of(line));
        start += line.len();
    }
    roles
}

/// The role of the property that a line begins with: the role of a text unless it is a URL that a program follows,
/// or shows as an image. The properties of LDIF and of cards whose names end like `labeledURI` are as well.
fn role_of(line: &[u8]) -> Role {
    #[rustfmt::skip]
    const LINKS: [&[u8]; 10] = [
        b"attach", b"attendee", b"conference", b"impp", b"key", b"member", b"organizer", b"related", b"sound",
        b"source",
    ];
    const IMAGES: [&[u8]; 3] = [b"image", b"logo", b"photo"];
    let name = property(line);
    match () {
        () if ends_with(name, b"url") || ends_with(name, b"uri") || is_one_of(name, &LINKS) => Role::Link,
        () if is_one_of(name, &IMAGES) => Role::Image,
        () => Role::Text,
    }
}

/// Returns the offset after the colon of the property whose name is taken for the scheme of the URL at `at`: a name in
/// capitals at the beginning of a line, as in `PRODID://Yahoo//Calendar//EN`.
pub(crate) fn value_after_name(text: &[u8], at: usize, scheme: &[u8]) -> Option<usize> {
    let starts_line = at == 0 || text[at - 1] == b'\n';
    let name = if starts_line { property(&text[at..]) } else { b"" };
    let is_name = !name.is_empty() && !name.iter().any(u8::is_ascii_lowercase);
    (is_name && scheme.ends_with(name)).then_some(at + scheme.len() + 1)
}

/// The name of the property that a line begins with, without its group; or an empty slice.
fn property(line: &[u8]) -> &[u8] {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.');
    let len = line.iter().take_while(|b| is_name(b)).count();
    let name = if matches!(line.get(len), Some(b':' | b';')) { &line[..len] } else { b"" };
    name.rsplit(|&b| b == b'.').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> Option<String> {
        unfold(source.as_bytes()).map(|unfolded| String::from_utf8(unfolded.decoded.bytes).unwrap())
    }

    #[test]
    fn folds() {
        // The example of RFC 5545 §3.1.
        let folded = "DESCRIPTION:This is a lo\r\n ng description\r\n  that exists on a long line.\r\n";
        let line = "DESCRIPTION:This is a long description that exists on a long line.\r\n";
        assert_eq!(text(folded).as_deref(), Some(line));
        assert_eq!(text("URL:http://h.org/a\n\tb\nX:y\n").as_deref(), Some("URL:http://h.org/ab\nX:y\n"));
        assert_eq!(text("A:b\nC:d\n\n"), None);
    }

    #[test]
    fn escapes() {
        assert_eq!(text(r"X:a\, b\; c\\d\Ne\:f").as_deref(), Some("X:a, b; c\\d\ne\\:f"));
        assert_eq!(text("X:a\\"), None);
        // A fold between a backslash and its letter is also removed.
        assert_eq!(text("X:a\\\n ,b").as_deref(), Some("X:a\\,b"));
    }

    /// A line that was broken without a fold may begin with any URL.
    #[test]
    fn names_that_look_like_schemes() {
        for (text, scheme, value) in [
            ("PRODID://a", "PRODID", Some(7)),
            ("a.NOTE://a", "a.NOTE", Some(7)),
            ("X-A://a", "X-A", Some(4)),
            ("note://a", "note", None),
            ("URL:http://h.org/", "http", None),
        ] {
            assert_eq!(value_after_name(text.as_bytes(), 0, scheme.as_bytes()), value, "{text}");
            let (line, words) = (format!("A:b\n{text}"), format!("A:b {text}"));
            assert_eq!(
                value_after_name(line.as_bytes(), 4, scheme.as_bytes()),
                value.map(|at| at + 4),
                "{text}"
            );
            assert_eq!(value_after_name(words.as_bytes(), 4, scheme.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn quoted_printable() {
        // Soft breaks, a fold, an escape; other text stays.
        let card = "URL;ENCODING=QUOTED-PRINTABLE:http://h.org/a=3Fb=3D1=\r\n&c=3D2\r\n\
            NOTE;QUOTED-PRINTABLE:a=0D=0Ab\\, =\n c\n d\nNOTE:a=3D=\nX:y\n";
        let expected = "URL;ENCODING=QUOTED-PRINTABLE:http://h.org/a?b=1&c=2\r\n\
            NOTE;QUOTED-PRINTABLE:a\r\nb,  cd\nNOTE:a=3D=\nX:y\n";
        assert_eq!(text(card).as_deref(), Some(expected));
        let escapes = text("X;QUOTED-PRINTABLE:a\\,\\,b\\\\\\;c\n");
        assert_eq!(escapes.as_deref(), Some("X;QUOTED-PRINTABLE:a,,b\\;c\n"));
        let unfolded = unfold(b"U;QUOTED-PRINTABLE:a=3D=\nb\\;c\nX:y\n").unwrap();
        assert_eq!(unfolded.decoded.bytes, b"U;QUOTED-PRINTABLE:a=b;c\nX:y\n");
        assert_eq!(unfolded.decoded.map.sources(19..24), [19..23, 25..29]);
        assert_eq!(unfolded.decoded.map.sources(22..23), [26..28]);
    }

    #[test]
    fn properties_that_are_addresses() {
        for (line, role) in [
            ("item1.URL;TYPE=work:http://h.org/", Role::Link),
            ("ATTENDEE;CN=A:mailto:a@h.org", Role::Link),
            ("labeledURI: http://h.org/", Role::Link),
            ("PHOTO:http://h.org/", Role::Image),
            ("NOTE:http://h.org/", Role::Text),
            ("url http://h.org/", Role::Text),
            ("source code:x", Role::Text),
        ] {
            let text = format!("NOTE:a\n{line}\nNOTE:b\n");
            let roles = addresses(text.as_bytes());
            let at = [0, 7 + line.len() - 1, text.len() - 2].map(|at| roles.at(at));
            assert_eq!(at, [Role::Text, role, Role::Text], "{line}");
        }
    }

    /// The properties of RFC 5545, RFC 7986 and RFC 6350 whose value is a URI.
    #[test]
    fn every_property_that_is_an_address() {
        let links = "ATTACH ATTENDEE CALADRURI CALURI CONFERENCE FBURL IMPP KEY MEMBER ORGANIZER RELATED SOUND SOURCE TZURL URL";
        for (names, role) in [(links, Role::Link), ("IMAGE LOGO PHOTO", Role::Image)] {
            for name in names.split(' ').flat_map(|name| [name.to_owned(), name.to_lowercase()]) {
                assert_eq!(addresses(format!("{name}:x\n").as_bytes()).at(0), role, "{name}");
                assert_eq!(addresses(format!("X-{name}S:x\n").as_bytes()).at(0), Role::Text, "X-{name}S");
            }
        }
    }

    #[test]
    fn joins_know_where_they_came_from() {
        let unfolded = unfold(b"U:ab\r\n c\\,d\n").unwrap();
        assert_eq!(unfolded.decoded.bytes, b"U:abc,d\n");
        assert_eq!(unfolded.joins, [4]);
        assert_eq!(unfolded.decoded.map.sources(3..6), [3..4, 7..10]);
    }
}

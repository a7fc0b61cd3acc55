//! The text before and after a URL that describes the URL.
//!
//! HTML source that was sent as plain text is shown as a reader of the page sees it. Each property
//! of a calendar or a card, and each header field, describes its own value. So only the property or
//! field that contains the URL is kept. This affects only the display, and not the matches.

use std::borrow::Cow;

use memchr::{memchr, memrchr2};
use urlgrep::archive::Role;
use urlgrep::archive::internal::{has_properties, is_source, shown};

use super::View;

/// Returns the text before and after a match within its header field, or its property of a calendar
/// or a card. In other texts, returns the whole text.
pub fn value<'t>(view: &View<'_>, before: &'t [u8], after: &'t [u8]) -> (&'t [u8], &'t [u8]) {
    let text = view.matched.context().and_then(|context| context.text());
    match () {
        () if view.matched.role() == Role::Header => lines_of(before, after, begins_field),
        () if text.is_some_and(has_properties) => property(before, after),
        () => (before, after),
    }
}

/// The lines around a match, from the last line for which `begins` is true up to the next such line.
fn lines_of<'t>(before: &'t [u8], after: &'t [u8], begins: fn(&[u8]) -> bool) -> (&'t [u8], &'t [u8]) {
    let lines = |text| memchr::memchr_iter(b'\n', text).map(|feed| feed + 1);
    let last = lines(before).rev().find(|&start| begins(&before[start..]));
    let next = lines(after).find(|&start| begins(&after[start..]));
    (&before[last.unwrap_or(0)..], &after[..next.unwrap_or(after.len())])
}

/// Returns true if a line begins a header field, and does not continue one.
fn begins_field(line: &[u8]) -> bool {
    let name = line.iter().position(|b| !(b'!'..=b'~').contains(b) || *b == b':').unwrap_or(0);
    name > 0 && line[name] == b':'
}

/// Returns true if a line begins a property. In prose, a line may begin with a word and a colon, but hardly with a word in
/// capitals.
fn begins_property(line: &[u8]) -> bool {
    let of_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let (name, rest) = line.split_at(line.iter().position(|b| !of_name(b)).unwrap_or(line.len()));
    let name = name.rsplit(|&b| b == b'.').next().unwrap_or_default();
    let is_upper = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'-';
    name.first().is_some_and(u8::is_ascii_uppercase)
        && name.iter().all(is_upper)
        && matches!(rest.first(), Some(b':' | b';'))
}

/// The value before and after a match. If the match is in a parameter, no value is before it.
fn property<'t>(before: &'t [u8], after: &'t [u8]) -> (&'t [u8], &'t [u8]) {
    let (before, after) = lines_of(before, after, begins_property);
    if !begins_property(before) {
        return (before, after);
    }
    let mut quoted = false;
    let colon = before.iter().position(|&byte| {
        quoted ^= byte == b'"';
        byte == b':' && !quoted
    });
    (&before[colon.map_or(before.len(), |colon| colon + 1)..], after)
}

/// Returns the text before and after a match as a reader sees it, without the tag that contains the
/// match.
pub fn seen<'t>(view: &View<'_>, before: &'t [u8], after: &'t [u8]) -> (Cow<'t, [u8]>, Cow<'t, [u8]>) {
    let text = view.matched.context().and_then(|context| context.text());
    if !text.is_some_and(|text| is_source(text, [before, after])) {
        return (before.into(), after.into());
    }
    let open = memrchr2(b'<', b'>', before).filter(|&at| before[at] == b'<');
    let close = open.and_then(|_| memchr(b'>', after)).map_or(0, |at| at + 1);
    (shown(&before[..open.unwrap_or(before.len())]).into(), shown(&after[close..]).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(find: fn(&str, &str) -> (String, String), before: &str, after: &str, expected: (&str, &str)) {
        let (found_before, found_after) = find(before, after);
        assert_eq!((&*found_before, &*found_after), expected, "{before} \u{2026} {after}");
    }

    fn text(bytes: &[u8]) -> String {
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[test]
    fn fields() {
        let find = |before: &str, after: &str| {
            let (before, after) = lines_of(before.as_bytes(), after.as_bytes(), begins_field);
            (text(before), text(after))
        };
        for (before, after, expected) in [
            (
                "From: a@h.org\nX-List: see\n at: <",
                ">\n or not\nX-B: c\n",
                ("X-List: see\n at: <", ">\n or not\n"),
            ),
            ("X-A: ", "", ("X-A: ", "")),
            // A line that begins with a word and no colon, and one that begins with a colon.
            (
                "X-A: b\nX-List: see\nand so\n: <",
                ">\n: c\nor not\nX-B: d",
                ("X-List: see\nand so\n: <", ">\n: c\nor not\n"),
            ),
            ("the value alone: ", " here", ("the value alone: ", " here")),
        ] {
            check(find, before, after, expected);
        }
    }

    #[test]
    fn properties() {
        let find = |before: &str, after: &str| {
            let (before, after) = property(before.as_bytes(), after.as_bytes());
            (text(before), text(after))
        };
        for (before, after, expected) in [
            (
                "UID:1\nDESCRIPTION:Room 3\nJoin: ",
                "\nor call.\nEND:VEVENT\n",
                ("Room 3\nJoin: ", "\nor call.\n"),
            ),
            ("BEGIN:VEVENT\nORGANIZER;CN=\"B: C\":", "\nATTENDEE;RSVP=TRUE:", ("", "\n")),
            ("item1.URL:", "\nitem1.X-ABLabel:home\n", ("", "\nitem1.X-ABLabel:home\n")),
            ("SUMMARY:a\nDESCRIPTION;ALTREP=\"", "\":b\nUID:1", ("", "\":b\n")),
            ("the value goes on ", " here", ("the value goes on ", " here")),
        ] {
            check(find, before, after, expected);
        }
    }
}

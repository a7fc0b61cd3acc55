//! The text before and after a URL, without what is no word to a reader.
//!
//! Each line of a calendar says what its value is, as each field of a head does, and pages are also sent as plain text, or
//! within a string of a feed or of JSON. So of a calendar or a head only the property or field that the URL is in is kept.
//! In the source of a page, tags of HTML are left out, and references are the characters that they name; elsewhere they
//! are words: of a page that was read, or of someone who writes about tags. This is only shown: what is found does not
//! depend on it.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::{Captures, Regex};
use urlgrep::archive::internal::{dereference, is_shown};
use urlgrep::archive::{Role, Text};

use super::View;

/// Elements within a line of text. In their place is nothing, and in the place of others a space.
const INLINE: &str = "a|abbr|b|big|cite|code|em|font|i|ins|kbd|small|span|strong|sub|sup|tt|u";

const OTHERS: &str = "blockquote|body|br|center|dd|div|dl|dt|form|h[1-6]|head|hr|html|img|input|li|meta|ol|p|pre|script|\
    style|table|tbody|td|th|tr|ul";

/// The attributes of a tag, or the start of them: one name, or several of which one has a value. `a <b and c> d` has none.
const ATTRIBUTES: &str = r"(?:\s+[a-z][a-z-]*|\s+[a-z][^<>=]*=[^<>]*)?";

/// What of HTML is no word: tags of elements that mail has, comments, references.
static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&[
        &format!(r"(?i)(?<inline></?(?:{INLINE}){ATTRIBUTES}\s*/?>)"),
        &format!(r"</?(?:{OTHERS}){ATTRIBUTES}\s*/?>|<!(?:--|doctype)[^<>]*>"),
        r"(?<reference>&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)",
    ])
});

/// The start of a tag that does not end.
static OPEN: LazyLock<Regex> =
    LazyLock::new(|| pattern(&[&format!(r"(?i)</?(?:{INLINE}|{OTHERS}){ATTRIBUTES}[\r\n]*$")]));

/// What only the source of a page has: a tag with the value of an attribute, a comment, a document type.
static SOURCE: LazyLock<Regex> =
    LazyLock::new(|| pattern(&[&format!(r"(?i)<(?:{INLINE}|{OTHERS})\s+[a-z][a-z-]*\s*=|<!(?:--|doctype)")]));

/// How many bytes of a text say whether it starts with a tag.
const HEAD: usize = 200;

/// A tag or a document type at the start of a text.
static FIRST: LazyLock<Regex> =
    LazyLock::new(|| pattern(&[&format!(r"(?i)^\s*<(?:!doctype|(?:{INLINE}|{OTHERS}){ATTRIBUTES}\s*/?>)")]));

/// The start of a header field.
static FIELD: LazyLock<Regex> = LazyLock::new(|| pattern(&[r"(?m)^[!-9;-~]+:"]));

/// The start of a property of a calendar or a card.
static PROPERTY: LazyLock<Regex> = LazyLock::new(|| pattern(&[r"(?m)^(?:[\w-]+\.)?[A-Z][A-Z0-9-]*[:;]"]));

/// Any of these patterns, in bytes.
fn pattern(patterns: &[&str]) -> Regex {
    Regex::new(&format!("(?-u){}", patterns.join("|"))).expect("the pattern is a constant")
}

/// What of the text before and after a match is in its header field, or in its property of a calendar or a card; all of
/// it elsewhere.
pub fn value<'t>(view: &View<'_>, before: &'t [u8], after: &'t [u8]) -> (&'t [u8], &'t [u8]) {
    if view.hit.matched.role() == Role::Header {
        return field(before, after);
    }
    let text = view.hit.matched.context().and_then(|context| context.text());
    let is_calendar = text.is_some_and(|text| {
        text.as_bytes().get(..b"BEGIN:V".len()).is_some_and(|start| start.eq_ignore_ascii_case(b"BEGIN:V"))
    });
    if is_calendar { property(before, after) } else { (before, after) }
}

/// The field before and after a match, with its name.
fn field<'t>(before: &'t [u8], after: &'t [u8]) -> (&'t [u8], &'t [u8]) {
    let start = FIELD.find_iter(before).last().map_or(0, |last| last.start());
    let next = FIELD.find_iter(after).find(|next| next.start() > 0);
    (&before[start..], &after[..next.map_or(after.len(), |next| next.start())])
}

/// The value before and after a match. One that is in a parameter has none.
fn property<'t>(before: &'t [u8], after: &'t [u8]) -> (&'t [u8], &'t [u8]) {
    let value = |start: usize| {
        let mut quoted = false;
        let colon = before[start..].iter().position(|&byte| {
            quoted ^= byte == b'"';
            byte == b':' && !quoted
        });
        colon.map_or(before.len(), |colon| start + colon + 1)
    };
    let start = PROPERTY.find_iter(before).last().map_or(0, |last| value(last.start()));
    let next = PROPERTY.find_iter(after).find(|next| next.start() > 0);
    (&before[start..], &after[..next.map_or(after.len(), |next| next.start())])
}

/// Whether the text before and after a match is the source of a page: that starts with a tag, or has one with attributes
/// near.
pub fn is_source(view: &View<'_>, before: &[u8], after: &[u8]) -> bool {
    let text = view.hit.matched.context().and_then(|context| context.text());
    let starts = |text: &Text<'_>| FIRST.is_match(&text.as_bytes()[..HEAD.min(text.as_bytes().len())]);
    match text {
        Some(text) if is_shown(text) => false,
        Some(text) if starts(text) => true,
        _ => [before, after].iter().any(|text| SOURCE.is_match(text)),
    }
}

/// The text before and after a match without tags, references decoded. A tag that the match is in is left out, too.
pub fn untagged<'t>(before: &'t [u8], after: &'t [u8]) -> (Cow<'t, [u8]>, Cow<'t, [u8]>) {
    let open = |text: &[u8]| OPEN.find(text).map(|open| open.start());
    let end = open(before);
    let next = after.iter().position(|byte| matches!(byte, b'<' | b'>')).filter(|&at| after[at] == b'>');
    let close = end.and(next).map_or(0, |at| at + 1);
    let after = &after[close..];
    (words(&before[..end.unwrap_or(before.len())]), words(&after[..open(after).unwrap_or(after.len())]))
}

fn words(text: &[u8]) -> Cow<'_, [u8]> {
    MARKUP.replace_all(text, |found: &Captures<'_>| match found.name("reference") {
        Some(reference) => dereference(reference.as_bytes()),
        None if found.name("inline").is_some() => Vec::new(),
        None => b" ".to_vec(),
    })
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
    fn tags_and_references() {
        let find = |before: &str, after: &str| {
            let (before, after) = untagged(before.as_bytes(), after.as_bytes());
            (text(&before), text(&after))
        };
        for (before, after, expected) in [
            (
                "<td>One<td>say &quot;<b>hi</b>&quot; to ",
                "<br>\nor&nbsp;not",
                (" One say \"hi\" to ", " \nor\u{a0}not"),
            ),
            ("FOR MORE: <A\n HREF=\"", "\">Click HERE</A>&nbsp;</p>", ("FOR MORE: ", "Click HERE\u{a0} ")),
            (
                "<p class=x><td nowrap><hr noshade size=1>ungl&uuml;cklich &#8212; &#x41; ",
                " <img src=x",
                ("   ungl\u{fc}cklich \u{2014} A ", " "),
            ),
            // None of these is HTML.
            (
                "<a@h.org> a<b and b>c, R&D; x &copy y & ",
                " <x> <URL:> <pad>",
                ("<a@h.org> a<b and b>c, R&D; x &copy y & ", " <x> <URL:> <pad>"),
            ),
            ("<", "> and a > b", ("<", "> and a > b")),
            ("a <b && c> ", " <b> d <p", ("a <b && c> ", "  d ")),
            ("a <b ", " <c> d", ("a <b ", " <c> d")),
            ("<!DOCTYPE html><!-- a -->see ", " now</b><span\r", ("  see ", " now")),
        ] {
            check(find, before, after, expected);
        }
    }

    #[test]
    fn what_is_the_source_of_a_page() {
        for (text, is_source) in [
            ("<a href=\"http://h.org/\">", true),
            ("x <TD nowrap><P\n Class = 'x'>", true),
            ("<!-- a -->", true),
            ("use <b> and </p> and &amp; near", false),
            ("<x y=1> a <b && c=d> <http://h.org/?a=b>", false),
        ] {
            assert_eq!(SOURCE.is_match(text.as_bytes()), is_source, "{text}");
        }
        for (text, starts) in
            [("\r\n<P>Bea", true), ("<br/>", true), ("a <p>", false), ("<bea@h.org>", false)]
        {
            assert_eq!(FIRST.is_match(text.as_bytes()), starts, "{text}");
        }
    }

    #[test]
    fn fields() {
        let find = |before: &str, after: &str| {
            let (before, after) = field(before.as_bytes(), after.as_bytes());
            (text(before), text(after))
        };
        for (before, after, expected) in [
            (
                "From: a@h.org\nX-List: see\n at: <",
                ">\n or not\nX-B: c\n",
                ("X-List: see\n at: <", ">\n or not\n"),
            ),
            ("X-A: ", "", ("X-A: ", "")),
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

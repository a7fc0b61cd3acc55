//! Mail addresses without a scheme, on request.

use std::ops::Range;

use super::Context;
use super::end::EndFinder;
use super::start::{AuthorityReader, Start};
use crate::bytes::class::{BLANK, BREAK};
use crate::bytes::window::Window;
use crate::found::Match;
use crate::found::form::Ending;
use crate::found::form::{Form, Implied};

/// Header fields whose values identify messages (RFC 5322 §3.6.4). What looks like an
/// address there is none.
const IDENTIFIER_FIELDS: [&[u8]; 3] = [b"Message-ID:", b"References:", b"In-Reply-To:"];

/// How long a line of a header may be (RFC 5322 §2.1.1), its end included.
const LINE: usize = 1000;

/// Over how many lines a header field is followed back to its name.
const LINES: usize = 16;

/// What is known of the line of the last address: without that, every line of a long field
/// would be followed back to its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastLine {
    /// `None` if the line is too long.
    start: Option<usize>,
    /// No line ends between its start and this offset.
    seen: usize,
    /// How many lines before it the field that identifies messages starts, if it is in one.
    lines: Option<usize>,
}

/// Reads the address that starts at `start`, whose `@` is at `at`.
pub(crate) fn read<'h>(cx: &Context<'_, 'h>, start: usize, at: usize) -> Option<Match<'h>> {
    let (window, limit, explain) = (cx.window, cx.limit(start), cx.rules.explain);
    let options = &cx.rules.scan.read;
    let host = (AuthorityReader { window, limit, options }).dotted_host(at + 1, 2)?;
    let (end, untrimmed) = match host {
        Start::Closed(end, stop) => (end, stop),
        // A dot before a mark after the host ends a sentence.
        Start::Open(end) => (window.skip_back(end, at, |b| b == b'.'), end),
    };
    // The identifier of a message continues so.
    if window.get(untrimmed) == Some(b'$') || is_in_identifier(cx, start) {
        return None;
    }
    let stop = EndFinder { window, start, limit, options, explain }.stop_of_address(untrimmed);
    let matched = Match::verbatim(window.ahead(start..end), start, start..end, Form::Bare);
    let ending = stop.map(|stop| Ending::new(stop, end, untrimmed));
    Some(matched.implying(Implied::Mailto).ending_by(ending))
}

/// Whether `at` is in a header field that identifies messages.
fn is_in_identifier(cx: &Context<'_, '_>, at: usize) -> bool {
    let window = cx.window;
    let last = cx.notes.last_line.get();
    let start = line_start(window, at, last);
    let lines = start.and_then(|start| lines_to_identifier(window, start..at, last));
    // The name of a field may not be buffered yet.
    if start.is_none_or(|start| start + LINE < window.len()) || window.is_last() {
        cx.notes.last_line.set(Some(LastLine { start, seen: at, lines }));
    }
    lines.is_some()
}

/// The start of the line that contains `at`, unless the line is too long. If it is the `last` one,
/// only the bytes that were not seen yet are searched.
fn line_start(window: &Window<'_>, at: usize, last: Option<LastLine>) -> Option<usize> {
    let floor = at.saturating_sub(LINE);
    let goes_on = |last: &LastLine| {
        (floor..=at).contains(&last.seen) && !window.before(at, last.seen).iter().any(|&b| BREAK.has(b))
    };
    match last.filter(goes_on) {
        Some(last) => last.start.filter(|&start| start > floor || floor == 0),
        None => window.line_start(at, floor),
    }
}

/// How many lines before `line` a field that identifies messages starts, if `line` is in one.
/// What is known of the `last` line is not looked up again.
fn lines_to_identifier(window: &Window<'_>, line: Range<usize>, last: Option<LastLine>) -> Option<usize> {
    let Range { mut start, mut end } = line;
    for n in 0..LINES {
        if let Some(last) = last.filter(|last| last.start == Some(start)) {
            return last.lines.map(|lines| lines + n).filter(|&lines| lines < LINES);
        }
        let content = start + quote_marks(window.before(end, start));
        // RFC 5322 §2.2.3: a line that starts with whitespace continues the field.
        if !window.before(end, content).first().is_some_and(|&b| BLANK.has(b)) {
            return IDENTIFIER_FIELDS.iter().any(|field| window.has(content, field)).then_some(n);
        }
        let before = start.checked_sub(1)?;
        end = before - usize::from(window.before(before, 0).ends_with(b"\r"));
        start = window.line_start(end, end.saturating_sub(LINE))?;
    }
    None
}

/// The length of the quote marks that `line` starts with, each with one space at most.
fn quote_marks(line: &[u8]) -> usize {
    let mut len = 0;
    while matches!(line.get(len), Some(b'>' | b'|')) {
        len += 1;
        len += usize::from(line.get(len) == Some(&b' '));
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appendix::{Notes, Rules};

    fn is_identifier(text: &str) -> bool {
        let (window, rules) = (&Window::whole(text.as_bytes()), &Rules::default());
        let cx = Context { window, rules, consumed: 0, back: 0, notes: &Notes::default() };
        let at = text.find('@').unwrap() - 1;
        let first = is_in_identifier(&cx, at);
        assert_eq!(is_in_identifier(&cx, at), first, "the second time");
        first
    }

    #[test]
    fn identifiers() {
        for text in [
            "Message-ID: <a@h.org>",
            "x\nreferences: <a@h.org>",
            "In-Reply-To: mail of x@h.org",
            "References:\r\n\t<x>\r\n <a@h.org>",
            "> > References: <y>\n> >  <a@h.org>",
        ] {
            assert!(is_identifier(text), "{text}");
        }
        for text in ["To: <a@h.org>", "a@h.org", " a@h.org", "\n\n a@h.org", "Message-ID: x\na@h.org"] {
            assert!(!is_identifier(text), "{text}");
        }
    }
}

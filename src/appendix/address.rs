//! Mail addresses without a scheme, on request.

use super::end::EndFinder;
use super::start::{AuthorityReader, Start};
use super::{Context, Outcome};
use crate::bytes::class::BLANK;
use crate::bytes::window::Window;
use crate::found::Match;
use crate::found::ending::Ending;
use crate::found::form::{Form, Implied};

/// Header fields whose values identify messages (RFC 5322 §3.6.4). What looks like an
/// address there is none.
const IDENTIFIER_FIELDS: [&[u8]; 3] = [b"Message-ID:", b"References:", b"In-Reply-To:"];

/// How long a line of a header may be (RFC 5322 §2.1.1), its end included.
const LINE: usize = 1000;

/// Over how many lines a header field is followed back to its name.
const LINES: usize = 16;

/// Reads the address that starts at `start`, whose `@` is at `at`.
pub(crate) fn read<'h>(cx: &Context<'_, 'h>, start: usize, at: usize) -> Outcome<'h> {
    let (window, limit, explain) = (cx.window, cx.limit(start), cx.rules.explain);
    let options = &cx.rules.scan.read;
    let Some(host) = (AuthorityReader { window, limit, options }).dotted_host(at + 1, 2) else {
        return Outcome::Nothing;
    };
    let (end, untrimmed) = match host {
        Start::Closed(end, stop) => (end, stop),
        // A dot before a mark after the host ends a sentence.
        Start::Open(end) => (window.skip_back(end, at, |b| b == b'.'), end),
    };
    // The identifier of a message continues so.
    if window.get(untrimmed) == Some(b'$') || is_in_identifier(window, start) {
        return Outcome::Nothing;
    }
    let stop = EndFinder { window, start, limit, options, explain }.stop_of_address(untrimmed);
    let matched = Match::verbatim(window.ahead(start..end), start, start..end, Form::Bare);
    let ending = stop.map(|stop| Ending::new(stop, end, untrimmed));
    Outcome::Match(matched.implying(Implied::Mailto).ending_by(ending))
}

/// Whether `at` is in a header field that identifies messages.
fn is_in_identifier(window: &Window<'_>, at: usize) -> bool {
    let mut end = at;
    for _ in 0..LINES {
        let Some(start) = window.line_start(end, end.saturating_sub(LINE)) else {
            return false;
        };
        let content = start + quote_marks(window.before(end, start));
        // RFC 5322 §2.2.3: a line that starts with whitespace continues the field.
        if !window.before(end, content).first().is_some_and(|&b| BLANK.has(b)) {
            return IDENTIFIER_FIELDS.iter().any(|field| window.has(content, field));
        }
        let Some(before) = start.checked_sub(1) else {
            return false;
        };
        end = before - usize::from(window.before(before, 0).ends_with(b"\r"));
    }
    false
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

    fn is_identifier(text: &str) -> bool {
        is_in_identifier(&Window::whole(text.as_bytes()), text.find('@').unwrap() - 1)
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

//! URLs without a scheme, on request: hosts, domain names and email addresses.
//!
//! RFC 1738 requires a scheme, but `http://` is often omitted. A host is matched if its name starts
//! with `www.` or `ftp.` and has at least three labels. A domain name counts, as in Unicode
//! Technical Standard #58, if it is a separate word and under a public suffix (see `suffix`).

use std::ops::Range;

use super::Surroundings;
use super::end::EndFinder;
use super::label::is_registered;
use super::start::{AuthorityReader, Start};
use crate::bytes::class::{BLANK, BREAK, SPACE};
use crate::bytes::file_kind::{is_file, lower};
use crate::bytes::unicode::{Iri, LinkTerm, char_at};
use crate::bytes::window::Window;
use crate::matches::Match;
use crate::matches::form::{Ending, Form, Implied, Stop};
use crate::scan::{Domains, is_dot_atom};

/// Reads the host that starts at `start`, and the text after it.
pub(crate) fn host<'h>(cx: &Surroundings<'_, 'h>, start: usize, scheme: Implied) -> Option<Match<'h>> {
    let (window, limit, options) = (cx.window, cx.limit(start), &cx.rules.scan.read);
    let reader = AuthorityReader { window, limit, options };
    let host = host_without_port(window, start, reader.dotted_host(start, 3)?);
    matched(cx, start, reader.with_port(host, start, start), scheme)
}

/// Returns the match that starts with `host` at `start`, with the text after it.
fn matched<'h>(cx: &Surroundings<'_, 'h>, start: usize, host: Start, scheme: Implied) -> Option<Match<'h>> {
    let (window, limit, explain) = (cx.window, cx.limit(start), cx.rules.explain);
    let (options, cells) = (&cx.rules.scan.read, &cx.notes.cells);
    let finder = EndFinder::new(window, start, limit, options, cells).explaining(explain);
    let (Start::Open(min_end) | Start::Closed(min_end, _)) = host;
    let (untrimmed, stop) = cx.end_before(limit, finder.after(&host).0)?;
    let url = start..finder.trimmed(host.end().unwrap_or(untrimmed), min_end);
    let ending = stop.map(|stop| Ending::new(stop, url.end, untrimmed));
    let matched = Match::verbatim(window.ahead(url.clone()), start, url, Form::Bare);
    Some(matched.implying(scheme).ending_by(ending))
}

/// The `host`, which ends at a `:` that no digit follows: `www.h.org: the page`.
pub(super) fn host_without_port(window: &Window<'_>, from: usize, host: Start) -> Start {
    match host {
        Start::Open(at)
            if window.get(at) == Some(b':') && !window.get(at + 1).is_some_and(|b| b.is_ascii_digit()) =>
        {
            Start::Closed(window.skip_back(at, from, |b| b == b'.'), at)
        }
        _ => host,
    }
}

/// The maximum length of an IPv4 address, with the full stop of a sentence, in bytes.
const MAX_IPV4_LEN: usize = "255.255.255.255.".len();

/// The IPv4 address at `from`, and how a URL continues after it.
pub(super) fn ip_address(window: &Window<'_>, from: usize) -> Option<Start> {
    let run = window.skip(from, from + MAX_IPV4_LEN + 1, |b| b.is_ascii_digit() || b == b'.');
    let end = window.skip_back(run, from, |b| b == b'.');
    let address = std::str::from_utf8(window.ahead(from..end)).ok()?;
    // The numbers have no leading zeros: these may be octal.
    address.parse::<std::net::Ipv4Addr>().ok()?;
    match window.get(end) {
        Some(b'/') => Some(Start::Open(end)),
        Some(b':') if window.get(end + 1).is_some_and(|b| b.is_ascii_digit()) => Some(Start::Open(end)),
        Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'@') => None,
        Some(0x80..) if char_at(window, end).is_none_or(char::is_alphanumeric) => None,
        Some(b'.') if window.get(run).is_some_and(|b| b.is_ascii_alphanumeric()) => None,
        _ => Some(Start::Closed(end, end)),
    }
}

/// Reads the IPv4 address that starts at `start`, and the text after it. A network in CIDR notation
/// does not match: `10.0.0.0/8`.
pub(crate) fn ip<'h>(cx: &Surroundings<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let window = cx.window;
    let host = ip_address(window, start)?;
    if let Start::Open(end) = host
        && window.get(end) == Some(b'/')
    {
        let digits = window.skip(end + 1, end + 4, |b| b.is_ascii_digit());
        let is_length = (1..=2).contains(&(digits - end - 1));
        if is_length && !window.get(digits).is_some_and(|b| b.is_ascii_alphanumeric() || b"/-_".contains(&b))
        {
            return None;
        }
    }
    matched(cx, start, host, Implied::Http)
}

/// Returns true if `label` is the first component of newsgroup names, or of attributes in programs:
/// `rec.autos`,
/// `self.data`. Few sites are called so, except under common suffixes.
#[rustfmt::skip]
fn is_group(label: &[u8]) -> bool {
    matches!(
        label,
        b"alt" | b"comp" | b"humanities" | b"misc" | b"news" | b"rec" | b"sci" | b"soc" | b"talk" | b"self" | b"this"
    )
}

/// Reads the name that starts at `start`, and the text after it.
pub(crate) fn domain<'h>(cx: &Surroundings<'_, 'h>, start: usize) -> Option<Match<'h>> {
    let (window, limit, options) = (cx.window, cx.limit(start), &cx.rules.scan.read);
    let host = (AuthorityReader { window, limit, options }).dotted_host(start, 2)?;
    let host = host_without_port(window, start, host);
    let (Start::Open(run) | Start::Closed(_, run)) = host;
    let min_end = host.end().unwrap_or(run);
    let name = window.ahead(start..window.skip_back(min_end, start, |b| b == b'.'));
    let has_path = host == Start::Open(run) && window.get(run) == Some(b'/');
    let any = has_path || cx.rules.scan.domains == Domains::All;
    let is_text = is_alone(window, run, options.iri) && !is_expression(window, start, cx.back);
    if !is_text || !(any || is_evident(name)) || !is_registered(name) {
        return None;
    }
    matched(cx, start, host, Implied::Http)
}

/// Returns true if nothing is joined to the name that ends at `end`: no login's `@`, no bracket of
/// a call, no letter.
fn is_alone(window: &Window<'_>, end: usize, iri: Iri) -> bool {
    match window.get(end) {
        Some(b'@' | b'(' | b'[' | b'{' | b'=' | b'$' | b'%' | b'*' | b'\\' | b'+' | b'~') => false,
        Some(0x80..) => {
            iri != Iri::Ascii && char_at(window, end).is_some_and(|c| iri.link_term(c) != LinkTerm::Include)
        }
        _ => true,
    }
}

/// The distance before a name at which the `{{` of an expression may be, in bytes.
const MAX_EXPRESSION_DISTANCE: usize = 64;

/// Returns true if the name at `start` is in an expression of a template: `${{ a.b }}`.
fn is_expression(window: &Window<'_>, start: usize, back: usize) -> bool {
    let before = window.before(start, back.max(start.saturating_sub(MAX_EXPRESSION_DISTANCE)));
    let open = before.windows(2).rposition(|bytes| bytes == b"{{");
    open.is_some_and(|at| !before[at..].windows(2).any(|bytes| bytes == b"}}"))
}

/// Returns true if `name` would not rather be a file (`README.md`), a newsgroup (`rec.autos`), or
/// the end of a sentence and the start of the next one without a space (`end.In`).
fn is_evident(name: &[u8]) -> bool {
    let dot = name.iter().rposition(|&b| b == b'.').unwrap_or(0);
    let last = &name[dot..];
    let first = name.split(|&b| b == b'.').next().unwrap_or_default();
    let (mut first_word, mut last_word) = Default::default();
    let (first, suffix) = (lower(first, &mut first_word), lower(&last[1..], &mut last_word));
    let is_file = is_file(suffix);
    // No newsgroup or attribute ends with these.
    let is_group = is_group(first) && !matches!(suffix, b"com" | b"edu" | b"gov" | b"net" | b"org");
    let is_word = last.get(1).is_some_and(u8::is_ascii_uppercase)
        && last.get(2..).is_some_and(|rest| rest.iter().any(u8::is_ascii_lowercase));
    !is_word && !is_group && (!is_file || name[..dot].contains(&b'.'))
}

/// Header fields whose values identify messages (RFC 5322 §3.6.4). Text there that looks like an
/// email address is not one.
const IDENTIFIER_FIELDS: [&[u8]; 3] = [b"Message-ID:", b"References:", b"In-Reply-To:"];

/// The last words of the names of header fields with email addresses (RFC 5322 §3.6.2 and §3.6.3,
/// and fields of mailers).
const EMAIL_FIELDS: [&[u8]; 6] = [b"from", b"to", b"cc", b"bcc", b"sender", b"path"];

/// The maximum length of such a field's name.
const MAX_FIELD_NAME_LEN: usize = 64;

/// The maximum length of a header line (RFC 5322 §2.1.1), including its line break.
const MAX_HEADER_LINE: usize = 1000;

/// The maximum number of lines read back to find the name of a header field.
const MAX_LINES: usize = 16;

/// The line of the last email address. It is cached, because each line of a long field would otherwise be searched
/// back to the field name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastLine {
    /// `None` if the line is too long.
    start: Option<usize>,
    /// The line does not end before this offset.
    seen: usize,
    /// The header field that contains the line, and the number of lines from the field's start to
    /// the line.
    field: Option<(EmailField, usize)>,
}

/// Returns the start of an email address after an opening apostrophe whose closing one follows the
/// address: `mail='a@h.org'`.
fn after_apostrophe(window: &Window<'_>, user: Range<usize>, end: usize) -> usize {
    if window.get(end) != Some(b'\'') || window.byte_before(user.start) == Some(b'\'') {
        return user.start;
    }
    memchr::memrchr(b'\'', window.ahead(user.start..user.end - 1))
        .map_or(user.start, |at| user.start + at + 1)
}

/// Reads the email address whose `@` is at `at`. It starts at `atom` if delimiters enclose it, and
/// at `start` otherwise.
pub(crate) fn email<'h>(
    cx: &Surroundings<'_, 'h>,
    start: Option<usize>,
    atom: Option<usize>,
    at: usize,
) -> Option<Match<'h>> {
    let (window, explain, options) = (cx.window, cx.rules.explain, &cx.rules.scan.read);
    let limit = cx.limit(atom.or(start)?);
    let host = (AuthorityReader { window, limit, options }).dotted_host(at + 1, 2)?;
    let (end, untrimmed) = match host {
        Start::Closed(end, stop) => (end, stop),
        // Dots between the host and other punctuation end a sentence.
        Start::Open(end) => (window.skip_back(end, at, |b| b == b'.'), end),
    };
    let start = match atom.filter(|&atom| is_whole(cx, atom..at, end)) {
        Some(atom) => atom,
        None => after_apostrophe(window, start?..at, end),
    };
    // A `$` after the host shows a message identifier.
    if window.get(untrimmed) == Some(b'$') || field_around(cx, start) == Some(EmailField::Identifiers) {
        return None;
    }
    let cells = &cx.notes.cells;
    let finder = EndFinder::new(window, start, limit, options, cells).explaining(explain);
    let stop = finder.stop(untrimmed, Stop::Scheme);
    let matched = Match::verbatim(window.ahead(start..end), start, start..end, Form::Bare);
    let ending = stop.map(|stop| Ending::new(stop, end, untrimmed));
    Some(matched.implying(Implied::Mailto).ending_by(ending))
}

/// Returns true if all of `local` is the local part of the address that ends at `end`: after
/// `mailto:`, in angle brackets, or as a word of a header field of addresses.
fn is_whole(cx: &Surroundings<'_, '_>, local: Range<usize>, end: usize) -> bool {
    let (window, name) = (cx.window, cx.window.ahead(local.clone()));
    let count = |byte: u8| name.iter().filter(|&&b| b == byte).count();
    // `{a,b}@h.org` are two addresses.
    if !is_dot_atom(name) || count(b'{') != count(b'}') {
        return false;
    }
    let (before, after) = (window.byte_before(local.start), window.get(end));
    let delimits = |byte: Option<u8>, others: &[u8]| byte.is_none_or(|b| SPACE.has(b) || others.contains(&b));
    let is_in_field = || field_around(cx, local.start) == Some(EmailField::Emails);
    let scheme = window.before(local.start, local.start.saturating_sub(b"mailto:".len()));
    match before {
        // Identifiers of messages have digits and `$`: `<001301c1$a0b1@h.org>`.
        Some(b'<') if after == Some(b'>') => {
            count(b'$') == 0 || !name.iter().any(u8::is_ascii_digit) || is_in_field()
        }
        Some(b':') if scheme.eq_ignore_ascii_case(b"mailto:") => !has_field(name),
        _ => delimits(before, b",;:") && delimits(after, b",;>(") && is_in_field(),
    }
}

/// Returns true if `name` has a field of a `mailto:` URL: `?cc=a`.
fn has_field(name: &[u8]) -> bool {
    memchr::memchr(b'?', name).is_some_and(|question| name[question..].contains(&b'='))
}

/// A header field with email addresses, or a line that looks like one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EmailField {
    Emails,
    /// A field that identifies messages (RFC 5322 §3.6.4).
    Identifiers,
}

impl EmailField {
    /// The field that starts at `at`: the last word of its name decides whether it has addresses (`Resent-To`).
    fn of(window: &Window<'_>, at: usize) -> Option<EmailField> {
        if IDENTIFIER_FIELDS.iter().any(|field| window.has(at, field)) {
            return Some(EmailField::Identifiers);
        }
        let colon = window.skip(at, at + MAX_FIELD_NAME_LEN, |b| b.is_ascii_alphanumeric() || b == b'-');
        let last = window.ahead(at..colon).rsplit(|&b| b == b'-').next()?;
        let has_emails = EMAIL_FIELDS.iter().any(|name| last.eq_ignore_ascii_case(name));
        (has_emails && window.get(colon) == Some(b':')).then_some(EmailField::Emails)
    }
}

/// The header field around `at`.
fn field_around(cx: &Surroundings<'_, '_>, at: usize) -> Option<EmailField> {
    let window = cx.window;
    let last = cx.notes.last_line.get();
    let start = line_start(window, at, last);
    let field = start.and_then(|start| field_before(window, start..at, last));
    // The name of a field may not be buffered yet.
    if start.is_none_or(|start| start + MAX_HEADER_LINE < window.len()) || window.is_last() {
        cx.notes.last_line.set(Some(LastLine { start, seen: at, field }));
    }
    field.map(|(field, _)| field)
}

/// The start of the line that contains `at`, unless the line is too long. If it is the `last` one,
/// only the bytes that were not seen yet are searched.
fn line_start(window: &Window<'_>, at: usize, last: Option<LastLine>) -> Option<usize> {
    let floor = at.saturating_sub(MAX_HEADER_LINE);
    let is_same_line = |last: &LastLine| {
        (floor..=at).contains(&last.seen) && !window.before(at, last.seen).iter().any(|&b| BREAK.has(b))
    };
    match last.filter(is_same_line) {
        Some(last) => last.start.filter(|&start| start > floor || floor == 0),
        None => window.line_start(at, floor),
    }
}

/// The field that `line` is in, and how many lines before it that starts. The facts about the
/// `last` line are not looked up again.
fn field_before(
    window: &Window<'_>,
    line: Range<usize>,
    last: Option<LastLine>,
) -> Option<(EmailField, usize)> {
    let Range { mut start, mut end } = line;
    for n in 0..MAX_LINES {
        if let Some(last) = last.filter(|last| last.start == Some(start)) {
            return last.field.map(|(field, lines)| (field, lines + n)).filter(|&(_, n)| n < MAX_LINES);
        }
        let content = start + quote_prefix_len(window.before(end, start));
        // RFC 5322 §2.2.3: a line that starts with whitespace continues the field.
        if !window.before(end, content).first().is_some_and(|&b| BLANK.has(b)) {
            return Some((EmailField::of(window, content)?, n));
        }
        let before = start.checked_sub(1)?;
        end = before - usize::from(window.before(before, 0).ends_with(b"\r"));
        start = window.line_start(end, end.saturating_sub(MAX_HEADER_LINE))?;
    }
    None
}

/// The length of the quote characters that `line` starts with, each with one space at most.
fn quote_prefix_len(line: &[u8]) -> usize {
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

    #[cfg(feature = "domains")]
    #[test]
    fn names_under_public_suffixes() {
        for name in ["h.org", "H.CO.UK", "blogspot.com", "foo.香港", "abc.XN--11B4C3D", "DEΩ.uk"] {
            assert!(is_registered(name.as_bytes()), "{name}");
        }
        for name in ["h.example", "co.uk", "node.js", "a-.com", "a_b.com", "org"] {
            assert!(!is_registered(name.as_bytes()), "{name}");
        }
    }

    #[cfg(feature = "domains")]
    #[test]
    fn files_and_sentences() {
        for name in ["h.org", "allegro.com.pl", "H.ORG", "h.md.org", "news.h.com"] {
            assert!(is_evident(name.as_bytes()), "{name}");
        }
        for name in ["README.md", "setup.py", "LIBC.SO", "end.In", "rec.autos", "self.data"] {
            assert!(!is_evident(name.as_bytes()), "{name}");
        }
        for suffix in "ac am app cc in la md mk ml mov pl pm ps py rs sh so zip".split(' ') {
            for name in [format!("h.{suffix}"), format!("H.{}", suffix.to_uppercase())] {
                assert!(!is_evident(name.as_bytes()), "{name}");
                assert!(is_evident(format!("h.{name}").as_bytes()), "h.{name}");
            }
        }
        for group in "alt comp humanities misc news rec sci soc talk self this".split(' ') {
            assert!(!is_evident(format!("{group}.h.info").as_bytes()), "{group}");
            for suffix in "com edu gov net org".split(' ') {
                assert!(is_evident(format!("{group}.h.{suffix}").as_bytes()), "{group}.h.{suffix}");
            }
        }
    }

    #[test]
    fn fields_of_addresses() {
        let field = |text: &str| EmailField::of(&Window::whole(text.as_bytes()), 0);
        for name in ["From", "to", "CC", "Bcc", "Sender", "Reply-To", "Resent-Cc", "Return-Path"] {
            assert_eq!(field(&format!("{name}: a@h.org")), Some(EmailField::Emails), "{name}");
        }
        for text in ["Subject: a", "To a", "To-Do: a", "from", "In-Reply-Too: a"] {
            assert_eq!(field(text), None, "{text}");
        }
        assert_eq!(field("In-Reply-To: a"), Some(EmailField::Identifiers));
    }

    fn is_identifier(text: &str) -> bool {
        let (window, rules) = (&Window::whole(text.as_bytes()), &Rules::default());
        let cx = Surroundings { window, rules, consumed: 0, back: 0, notes: &Notes::default() };
        let at = text.find('@').unwrap() - 1;
        let first = field_around(&cx, at);
        assert_eq!(field_around(&cx, at), first, "the second time");
        first == Some(EmailField::Identifiers)
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

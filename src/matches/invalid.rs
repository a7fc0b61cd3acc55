//! The part that makes a text invalid as a URL:
//! [`FinderBuilder::invalid`](crate::FinderBuilder::invalid).
//!
//! Only the text decides. A doubtful part is valid, because documents are full of hosts that stand for others
//! (`http://HOST:PORT/`, `http://<host>/`, `http://...`), of formats (`http://h.org/%s`), and of names that
//! only look like a typing error. So a scheme or a separator is only misspelled if a host under a public
//! suffix follows.

use std::ops::Range;

use super::Match;
use super::form::Form;
use crate::bytes::class::SCHEME;
use crate::bytes::haystack::Haystack;
use crate::bytes::name::named;
use crate::suffix::is_registered;

/// The kind of a part that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InvalidKind {
    /// A misspelled scheme, `htp://h.org/`, or two schemes, `http://http://h.org/`.
    Scheme,
    /// Other characters than `://` before a host: `http//h.org/`, `http:/h.org/`, `https:://h.org/`, `http:\\h.org`.
    Separator,
    /// No host: `http:///a`.
    Host,
    /// An empty label, or a comma instead of a dot: `http://h..org/`, `http://www,h.org/`.
    Label,
    /// A label in Punycode that contains non-ASCII characters.
    Punycode,
    /// A port that is not a number, or is above 65535: `http://h.org:8o80/`.
    Port,
    /// A `%` without two hexadecimal digits: `<http://h.org/100%>`, `[a](http://h.org/%zz)`.
    Escape,
    /// A space: `[a](http://h.org/a b.html)`, which is not a link in CommonMark.
    Space,
    /// An angle bracket without its counterpart: `<http://h.org/`.
    Bracket,
}

named! {
    InvalidKind:
    /// The name: `scheme`, `separator`, `host`, `label`, `punycode`, `port`, `escape`, `space` or `bracket`.
    Scheme => "scheme",
    Separator => "separator",
    Host => "host",
    Label => "label",
    Punycode => "punycode",
    Port => "port",
    Escape => "escape",
    Space => "space",
    Bracket => "bracket",
}

/// The part that makes a text or a URL invalid: see [`Match::invalid`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    kind: InvalidKind,
    part: Range<usize>,
    expected: &'static str,
}

impl Invalid {
    /// Returns the kind of the part.
    pub fn kind(&self) -> InvalidKind {
        self.kind
    }

    /// Returns the range of the part in [`Match::as_bytes`]: byte offsets, the end exclusive. It is
    /// empty where something is missing.
    pub fn part(&self) -> Range<usize> {
        self.part.clone()
    }

    /// Returns the text that was expected instead of the part, verbatim or described in words.
    pub fn expected(&self) -> &'static str {
        self.expected
    }
}

impl<T: Haystack + ?Sized> Match<'_, T> {
    /// Returns the part that makes this URL invalid, or `None` if no part is certainly wrong.
    ///
    /// ```
    /// let finder = urlgrep::Finder::builder().invalid(true).build()?;
    /// let text = "http://h.org/ is a URL, http//h.org/a is not";
    /// let m = finder.find(text).unwrap();
    /// let invalid = m.invalid().unwrap();
    /// assert_eq!((m.as_bytes(), &m.as_bytes()[invalid.part()]), (&b"http//h.org/a"[..], &b"//"[..]));
    /// assert_eq!((invalid.kind().as_str(), invalid.expected()), ("separator", "://"));
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn invalid(&self) -> Option<Invalid> {
        let (kind, part, expected) = part_of(self.as_bytes(), self.form())?;
        Some(Invalid { kind, part, expected })
    }
}

/// A part: its kind, its range, and the expected text.
type InvalidPart = (InvalidKind, Range<usize>, &'static str);

/// The part of `text` that is not valid.
fn part_of(text: &[u8], form: Form) -> Option<InvalidPart> {
    if form == Form::Bare && text.starts_with(b"<") {
        return Some((InvalidKind::Bracket, 0..1, "\">\" after the URL"));
    }
    let skip = |from: usize, wanted: &dyn Fn(u8) -> bool| {
        from + text[from..].iter().take_while(|&&b| wanted(b)).count()
    };
    let name = skip(0, &|b| SCHEME.has(b));
    let start = match text[name..] {
        // In some notations a slash escapes the next one: `https:////h.org//a`.
        [b':', b'/', b'/', b'/', b'/', ..] => return None,
        // A colon after the slashes belongs to a login.
        [b':', b'/', b'/', b':', ..] => name + 3,
        _ => skip(name, &|b| b":/\\\xEF\xBC\x9A".contains(&b)),
    };
    let end = skip(start, &|b| !matches!(b, b'/' | b'?' | b'#' | b'\\'));
    let (scheme, authority) = (text[..name].to_ascii_lowercase(), &text[start..end]);
    if is_placeholder(authority) {
        return None;
    }
    let host = start + memchr::memrchr(b'@', authority).map_or(0, |at| at + 1);
    let colon = memchr::memchr(b':', &text[host..end]).map_or(end, |at| host + at);
    let is_of_web = matches!(&*scheme, b"http" | b"https" | b"ftp");
    let has_host = is_registered(&text[host..colon]);
    if !is_of_web {
        let meant = if has_host && text[name..start] == *b"://" { meant(&scheme) } else { None };
        return meant.map(|meant| (InvalidKind::Scheme, 0..name, meant));
    }
    if text[name..start] != *b"://" {
        let lacks_host =
            text[name..start] == *b":///" && text.get(start).is_some_and(u8::is_ascii_alphanumeric);
        // `FTP:ftp.h.org` is a label and a host.
        let is_label = text[name..start] == *b":" && scheme == b"ftp" && end == text.len();
        return match has_host {
            true => (!is_label).then_some((InvalidKind::Separator, name..start, "://")),
            false => lacks_host.then_some((InvalidKind::Host, start - 1..start - 1, "a host")),
        };
    }
    // The address bar of a browser adds a scheme to a pasted URL that has one.
    let doubled = [&b"http"[..], b"https", b"ftp"];
    let inner = authority.strip_suffix(b":").unwrap_or(authority);
    if doubled.iter().any(|name| inner.eq_ignore_ascii_case(name)) && text[end..].starts_with(b"//") {
        return Some((InvalidKind::Scheme, 0..end, "one scheme"));
    }
    if authority.is_empty() {
        return (form == Form::Attribute).then_some((InvalidKind::Host, start..start, "a host"));
    }
    let in_host = |(kind, part, expected): InvalidPart| (kind, host + part.start..host + part.end, expected);
    let space = |from: usize, to: usize| {
        memchr::memchr(b' ', &text[from..to]).map(|at| (InvalidKind::Space, from + at..from + at + 1, "%20"))
    };
    label_of(&text[host..colon])
        .map(in_host)
        .or_else(|| space(start, end))
        .or_else(|| {
            let port = colon + 1..end;
            let is_wrong = colon < end && has_host && is_wrong_port(&text[port.clone()]);
            is_wrong.then_some((InvalidKind::Port, port, "a number up to 65535"))
        })
        .or_else(|| escape_of(text, end, form))
        // Browsers take a space in an attribute for `%20`.
        .or_else(|| if form == Form::Attribute { None } else { space(end, text.len()) })
}

/// Returns true if an authority is a placeholder: it contains the punctuation of a template or a
/// pattern, or an ellipsis.
fn is_placeholder(authority: &[u8]) -> bool {
    let has = |mark: &str| memchr::memmem::find(authority, mark.as_bytes()).is_some();
    authority.iter().any(|b| b"<>{}()$*+[]|^`\"'%=&!;".contains(b)) || has("...") || has("…")
}

/// The known scheme that an unknown scheme misspells.
fn meant(scheme: &[u8]) -> Option<&'static str> {
    // A file system, and those that are defanged: `htxp`.
    let is_known = scheme == b"hftp" || scheme.contains(&b'x');
    ["http", "https", "ftp"].into_iter().find(|meant| !is_known && is_slip(scheme, meant.as_bytes()))
}

/// Returns true if `name` is `meant` with a letter doubled, left out, replaced, or exchanged with
/// the next one. The first or the last letter, or any letter of a short name, may have been
/// replaced on purpose.
fn is_slip(name: &[u8], meant: &[u8]) -> bool {
    let same = name.iter().zip(meant).take_while(|(a, b)| a == b).count();
    match (&name[same..], &meant[same..]) {
        ([a, rest @ ..], others) if rest == others => same > 0 && *a == name[same - 1],
        (others, [_, rest @ ..]) if rest == others => meant.len() > 3,
        ([a, b, rest @ ..], [c, d, others @ ..]) if rest == others && (a, b) == (d, c) => true,
        ([_, rest @ ..], [_, others @ ..]) => {
            rest == others && meant.len() > 3 && same > 0 && !rest.is_empty()
        }
        _ => false,
    }
}

/// The invalid label of a host, or the comma between two labels.
fn label_of(host: &[u8]) -> Option<InvalidPart> {
    if let Some(comma) = memchr::memchr(b',', host) {
        let with_dot = [&host[..comma], b".", &host[comma + 1..]].concat();
        let is_slip = !is_registered(&host[..comma]) && is_registered(&with_dot);
        return is_slip.then_some((InvalidKind::Label, comma..comma + 1, "."));
    }
    let mut at = 0;
    for label in host.split(|&b| b == b'.') {
        let is_punycode = label.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case(b"xn--"));
        if is_punycode && !label.is_ascii() {
            return Some((InvalidKind::Punycode, at..at + label.len(), "only ASCII after xn--"));
        }
        if label.is_empty() && at < host.len() {
            let labels: Vec<_> = host.split(|&b| b == b'.').filter(|label| !label.is_empty()).collect();
            let (part, expected) = if at == 0 { (0..1, "a label") } else { (at - 1..at + 1, ".") };
            // Two dots at the start are an ellipsis.
            let is_slip = !host.starts_with(b"..") && is_registered(&labels.join(&b'.'));
            return is_slip.then_some((InvalidKind::Label, part, expected));
        }
        at += label.len() + 1;
    }
    None
}

/// Returns true if the text after the colon of a host is a number that is too large, or is a word
/// in its place; capitals stand for a number.
fn is_wrong_port(port: &[u8]) -> bool {
    match port.iter().all(u8::is_ascii_digit) {
        true => !port.is_empty() && str::from_utf8(port).is_ok_and(|port| port.parse::<u16>().is_err()),
        false => !port.iter().all(|b| b.is_ascii_uppercase() || b"_-".contains(b)),
    }
}

/// The letters that form a conversion with `%`, as in C or in a date format.
const FORMATS: &[u8] = b"sdiuxXvqfgeEcolptTYymHMSjBbDFAaLhkIUVWwNnrR";

/// The first `%` after `from` that certainly starts neither an escape nor a conversion of a format.
fn escape_of(text: &[u8], from: usize, form: Form) -> Option<InvalidPart> {
    let is_delimited = !matches!(form, Form::Bare | Form::Prefixed);
    let (mut wrong, mut escapes) = (None, 0);
    for at in memchr::memchr_iter(b'%', &text[from..]).map(|n| from + n) {
        let rest = &text[at + 1..];
        let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let (len, is_wrong) = match rest {
            [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
                escapes += 1;
                continue;
            }
            // `escape()` of JavaScript.
            [b'u', digits @ ..] if digits.len() >= 4 && digits[..4].iter().all(u8::is_ascii_hexdigit) => {
                (6, true)
            }
            _ if word == 0 => {
                let is_end = rest.first().is_none_or(|b| b"/?&#=".contains(b));
                (1, is_delimited && is_end && text[at - 1].is_ascii_digit())
            }
            [a, b, ..] => (3, word > 1 && !FORMATS.contains(if a.is_ascii_digit() { b } else { a })),
            _ => (2, false),
        };
        let is_variable = rest.get(word) == Some(&b'%') && word > 0;
        if !is_wrong || is_variable {
            return None;
        }
        wrong = wrong.or(Some(at..at + len));
    }
    let wrong = wrong.filter(|part| is_delimited || escapes > 0 || part.len() == 6)?;
    Some((InvalidKind::Escape, wrong, "%25, or % and two hexadecimal digits"))
}

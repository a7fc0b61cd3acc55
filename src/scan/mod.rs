//! The scan: where a URL may start.
//!
//! Every URL with a scheme has a colon, which may be encoded, so the scan searches for colons and reads backwards from
//! them. It has two stages. The first, [`index`], keeps the colons of a block that may belong
//! to a URL, considering only their neighbours. The second, [`candidate`], reads the text before a
//! colon: a scheme, or the prefix `URL:`. `appendix` then decides what belongs to the URL.

pub(crate) mod defanged;
pub(crate) mod encoded;
pub(crate) mod index;

use crate::bytes::class::{
    ALPHADIGIT, AMPERSAND, APOSTROPHE, ASTERISK, AT, BLANK, CARET, Class, DOT, EQUALS, ESCAPE, EXCLAMATION,
    HIGH, HOST, HYPHEN, PLAIN, PLUS, PREFIX, QUESTION, SCHEME, SLASH, SPACE, TILDE, UNDERSCORE,
};
use crate::bytes::unicode::{Iri, LinkTerm, char_at, char_before};
use crate::bytes::window::Window;
use crate::grammar::schemes::{LONGEST, SchemeRule, Schemes};
use crate::matches::form::Implied;
use crate::simd::Simd;

/// A kind of text that can match without a scheme: [`FinderBuilder::schemeless`](crate::FinderBuilder::schemeless).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Schemeless {
    /// Hosts that start with `www.` or `ftp.`: `www.h.org/a`. They imply `http` or `ftp`.
    Hosts,
    /// Email addresses. They imply `mailto`.
    ///
    /// Message identifiers do not match: identifiers in the header fields Message-ID, References and In-Reply-To, and
    /// identifiers with a `$`.
    Emails,
    /// IPv4 addresses, which may have a port and a path: `10.0.0.1:8080/x`. They imply `http`.
    ///
    /// Networks (`10.0.0.0/8`) and version numbers of five parts do not match.
    Ips,
    /// Domain names with a public suffix, if they are whole words, with the port, path and query after them. They
    /// imply `http`.
    ///
    /// A name that is more likely a file (`README.md`, `setup.py`), a newsgroup (`rec.autos`), an
    /// attribute (`self.data`), or two sentences without a space between them (`end.In`) matches
    /// only if a path follows.
    #[cfg(feature = "domains")]
    Domains,
    /// All names under a public suffix.
    #[cfg(feature = "domains")]
    AllDomains,
}

/// The domain names without a scheme that match: see [`Schemeless`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(not(feature = "domains"), allow(dead_code))]
pub(crate) enum Domains {
    #[default]
    None,
    Names,
    All,
}

/// The targets of the scan.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScanOptions {
    pub(crate) schemes: Schemes,
    /// True if the search includes hosts that start with `www.` or `ftp.`.
    pub(crate) hosts: bool,
    /// True if the search includes email addresses.
    pub(crate) emails: bool,
    /// The domain names that match.
    pub(crate) domains: Domains,
    /// True if the search includes IPv4 addresses.
    pub(crate) ips: bool,
    /// True if the search includes defanged URLs.
    pub(crate) refang: bool,
    /// True if the search is for invalid text.
    pub(crate) invalid: bool,
    /// True if a URL may be broken directly after the colon of its scheme.
    pub(crate) broken_schemes: bool,
    pub(crate) read: TextOptions,
}

impl ScanOptions {
    /// Returns true if anchors may be bytes other than a likely colon.
    #[inline(always)]
    pub(crate) fn has_implied(&self) -> bool {
        let domains = self.domains != Domains::None;
        self.hosts || self.emails || domains || self.ips || self.refang || self.broken_schemes || self.invalid
    }
}

/// The separator between the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellSeparator {
    /// A comma or a semicolon: each row shows which.
    OfRow,
    /// A byte that is known for the whole table.
    Known(u8),
}

/// The options for reading the text around a colon.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextOptions {
    /// The non-ASCII characters that a URL may contain.
    pub(crate) iri: Iri,
    /// The separator between cells, if the text consists of rows.
    pub(crate) cells: Option<CellSeparator>,
    /// The width of the terminal that the text was copied from, in columns.
    pub(crate) width: Option<usize>,
    /// The instructions by which many bytes are compared at once.
    pub(crate) simd: Simd,
}

/// The text before a colon, or another possible start of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Candidate {
    /// The Appendix's prefix: `URL:`, or `URI:`, at `start`.
    Prefix { start: usize },
    /// A scheme.
    Scheme(Scheme),
    /// An encoded scheme or separator:
    ///
    /// - a coloured scheme;
    /// - `\://`;
    /// - `:\/\/`, as JSON may write it (`json`); or
    /// - character references or escapes: `&#58;//`, `:\u002F\u002F`, `h&#116;tp://`.
    Encoded { start: usize, json: bool },
    /// A host that starts with `www.` or `ftp.`, and the implied scheme.
    Host { start: usize, scheme: Implied },
    /// A domain name.
    Domain { start: usize },
    /// An IPv4 address.
    Ip { start: usize },
    /// An email address: `start` is its start in prose, and `atom` the start with all characters of
    /// an atom, if that is earlier.
    Email { start: Option<usize>, atom: Option<usize> },
    /// A defanged URL; without a `colon`, it is a host or an email address without a scheme.
    Defanged { start: usize, colon: bool },
    /// A web scheme before a misspelled separator: `http//`, `https:://`.
    #[cfg(feature = "domains")]
    Misspelled { start: usize },
}

/// The number of bytes in which the scan looks for the end of a host.
const HOST_LOOKAHEAD: usize = 64;

/// The length of the prefix `URL` or `URI`, without its colon.
pub(crate) const PREFIX_LEN: usize = 3;

/// The candidate before the colon, encoded colon, dot, at-sign or bracket at `anchor`, read backwards to
/// `floor` at most.
pub(crate) fn candidate(
    window: &Window<'_>,
    anchor: usize,
    floor: usize,
    wanted: &ScanOptions,
) -> Option<Candidate> {
    // The anchor is nearly always a colon, which needs less space and time than the other bytes.
    match window.get(anchor)? {
        b':' if !(wanted.refang || wanted.invalid) => colon_candidate(window, anchor, floor, wanted),
        other => implied_or_defanged(window, anchor, other, floor, wanted),
    }
}

/// The scheme or the prefix before a colon; with a width, a line may end in the scheme.
#[inline(always)]
fn colon_candidate(
    window: &Window<'_>,
    anchor: usize,
    floor: usize,
    wanted: &ScanOptions,
) -> Option<Candidate> {
    match url_before(window, anchor, floor, &wanted.schemes) {
        None if wanted.read.width.is_some() => broken_before(window, anchor, floor, &wanted.schemes),
        found => found,
    }
}

/// The candidate before `byte` at `anchor`, if the search includes URLs without a scheme
/// or defanged URLs.
#[inline(never)]
fn implied_or_defanged(
    window: &Window<'_>,
    anchor: usize,
    byte: u8,
    floor: usize,
    wanted: &ScanOptions,
) -> Option<Candidate> {
    match byte {
        b'.' => {
            let host = if wanted.hosts { host_before(window, anchor, floor, &wanted.schemes) } else { None };
            let ip = || if wanted.ips { ip_before(window, anchor, floor) } else { None };
            let names = wanted.domains != Domains::None;
            let name = || if names { domain_before(window, anchor, floor, wanted) } else { None };
            host.or_else(ip).or_else(name)
        }
        b'&' | b'\\' => encoded_before(window, anchor, floor, &wanted.schemes),
        b'@' => email_before(window, anchor, floor, wanted.read.iri),
        b':' if wanted.refang => defanged::before_colon(window, anchor, floor, wanted),
        #[cfg(feature = "domains")]
        b':' | b'/' if wanted.invalid => {
            let url = if byte == b':' { colon_candidate(window, anchor, floor, wanted) } else { None };
            url.or_else(|| misspelled_before(window, anchor, floor))
        }
        _ => defanged::before_bracket(window, anchor, floor, &wanted.schemes, wanted.read.iri),
    }
}

/// The web scheme before `//` at `at` without a colon or after a fullwidth one, before `://` and
/// another colon, or before `:\\` and a word.
#[cfg(feature = "domains")]
fn misspelled_before(window: &Window<'_>, at: usize, floor: usize) -> Option<Candidate> {
    let end = match window.get(at) {
        Some(b':') => window.skip_back(at, floor, |b| b == b':'),
        _ if window.before(at, floor).ends_with("：".as_bytes()) => at - "：".len(),
        _ => at,
    };
    let slashes = has_backslashes(window, at) || window.has(at, b"//") || end < at && window.has(at, b"://");
    let start = window.skip_back(end, floor.max(end.saturating_sub(LONGEST)), |b| b.is_ascii_alphanumeric());
    let is_web = matches!(&*window.before(end, start).to_ascii_lowercase(), b"http" | b"https" | b"ftp");
    let is_word = window.byte_before(start).is_none_or(|b| SPACE.has(b) || b"<>\"'`([{|*".contains(&b));
    (slashes && is_web && is_word).then_some(Candidate::Misspelled { start })
}

/// Returns true if `:\\` and a word are at `at`, as in `http:\\h.org`. In escaped JSON, a slash follows.
#[cfg(feature = "domains")]
pub(crate) fn has_backslashes(window: &Window<'_>, at: usize) -> bool {
    window.has(at, br":\\") && window.get(at + 3).is_some_and(|b| b.is_ascii_alphanumeric())
}

/// The scheme before the colon that is encoded at `at`: `https&#58;//h.org`.
fn encoded_before(window: &Window<'_>, at: usize, floor: usize, schemes: &Schemes) -> Option<Candidate> {
    let (_, len) = encoded::ascii_at(window, at).filter(|(byte, _)| *byte == b':')?;
    let slashes = window.has(at + len, b"//") || encoded::has_slashes(window, at + len);
    let scheme = scheme_before(window.before(at, 0), at, floor, slashes, schemes)?;
    let needs_slashes = matches!(scheme.rule, Some(SchemeRule::Host | SchemeRule::Socket | SchemeRule::Web));
    (slashes || !needs_slashes).then_some(Candidate::Encoded { start: scheme.start, json: false })
}

/// The scheme or the prefix before the colon at `colon`.
#[inline(always)]
fn url_before(window: &Window<'_>, colon: usize, floor: usize, schemes: &Schemes) -> Option<Candidate> {
    if let Some(start) = prefix_before(window, colon, floor) {
        return Some(Candidate::Prefix { start });
    }
    let next = window.get(colon + 1)?;
    let escaped = next == b'\\' && has_escaped_slashes(window, colon + 1);
    let is_encoded = |b| matches!(b, b'&' | b'\\');
    let may_hide = is_encoded(next) || next == b'/' && window.get(colon + 2).is_some_and(is_encoded);
    if may_hide && !escaped && encoded::has_slashes(window, colon + 1) {
        let scheme = scheme_before(window.before(colon, 0), colon, floor, true, schemes)?;
        return Some(Candidate::Encoded { start: scheme.start, json: false });
    }
    let slashes = escaped || next == b'/' && window.get(colon + 2) == Some(b'/');
    if slashes && window.byte_before(colon) == Some(b'\\') {
        // The colon of `http\://`, or groff's `\:` after it, before which a line may end: `ftp:\://`.
        let end = colon - 1 - usize::from(window.byte_before(colon - 1) == Some(b':'));
        let scheme = scheme_before(window.before(end, 0), end, floor, slashes, schemes)?;
        return scheme.rule.map(|_| Candidate::Encoded { start: scheme.start, json: false });
    }
    let scheme = scheme_before(window.before(colon, 0), colon, floor, slashes, schemes);
    if slashes
        && scheme.is_none_or(|scheme| scheme.rule.is_none())
        && let Some(start) = hidden_before(window, colon, floor, schemes)
        && scheme.is_none_or(|scheme| scheme.start != start)
    {
        return Some(Candidate::Encoded { start, json: escaped });
    }
    let scheme = scheme?;
    if escaped {
        return Some(Candidate::Encoded { start: scheme.start, json: true });
    }
    // Between delimiters there may be whitespace before the slashes, and a soft break in quoted-printable.
    let may_be_url = next == b'/'
        || SPACE.has(next)
        || next == b'=' && window.is_break(colon + 2)
        || match scheme.rule {
            Some(SchemeRule::Host | SchemeRule::Socket) => false,
            Some(SchemeRule::Web) => may_be_host(window, colon + 1),
            _ => true,
        };
    may_be_url.then_some(Candidate::Scheme(scheme))
}

/// Returns true if `//` is at `at` as JSON may write it, including in a string of a string.
#[inline(never)]
fn has_escaped_slashes(window: &Window<'_>, at: usize) -> bool {
    window.has(at, b"\\/\\/") || window.has(at, b"\\\\/\\\\/")
}

/// Returns true if a host that does not need `//` may be at `at`: its name starts with `www.` or
/// `ftp.`, or a path follows. It may continue after whitespace, or with non-ASCII characters.
#[inline(always)]
fn may_be_host(window: &Window<'_>, at: usize) -> bool {
    let end = window.skip(at, at + HOST_LOOKAHEAD, |b| HOST.has(b));
    let dot = at + b"www".len();
    end == at + HOST_LOOKAHEAD
        || window.get(end).is_none_or(|b| b == b'/' || SPACE.or(HIGH).has(b))
        || end > dot && window.get(dot) == Some(b'.') && (window.has(at, b"www") || window.has(at, b"ftp"))
}

/// The offset of the prefix `URL` or `URI` before `colon`, if any.
///
/// The Appendix: "it is recommended that URLs be preceeded with a prefix
/// consisting of the characters "URL:"."
#[inline]
pub(crate) fn prefix_before(window: &Window<'_>, colon: usize, floor: usize) -> Option<usize> {
    let name: &[u8; PREFIX_LEN] = window.before(colon, 0).last_chunk()?;
    // The last letter nearly always decides.
    let is_prefix = matches!(name, [b'U' | b'u', b'R' | b'r', b'L' | b'l' | b'I' | b'i']);
    let start = colon - PREFIX_LEN;
    if !is_prefix || start < floor {
        return None;
    }
    let alone = !window.byte_before(start).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'-');
    alone.then_some(start)
}

/// A scheme before a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scheme {
    /// The offset at which it starts.
    pub(crate) start: usize,
    /// The rule for the text after it, or `None` if the scheme is unknown and needs `//`.
    pub(crate) rule: Option<SchemeRule>,
}

/// The scheme that ends before `colon`, read backwards to `floor` at most.
///
/// RFC 1738 §2.1: "Scheme names consist of a sequence of characters. The lower
/// case letters "a"--"z", digits, and the characters plus ("+"), period ("."),
/// and hyphen ("-") are allowed. For resiliency, programs interpreting URLs
/// should treat upper case letters as equivalent to lower case in scheme
/// names."
///
/// The name is read from the colon to the left, because the scan searches for colons. The run of
/// scheme characters may be too long: in `seehttp://h.org` it starts with a word. So the longest
/// *known* name at the end of the run is the scheme. Without it, the scheme is the whole run,
/// provided that it starts with a letter and `//` follows the colon.
///
/// `slashes` is true if `//` follows the colon. A name that is joined to a known one with `+`
/// (`git+https`) is a separate scheme.
#[inline(always)]
fn scheme_before(
    bytes: &[u8],
    colon: usize,
    floor: usize,
    slashes: bool,
    schemes: &Schemes,
) -> Option<Scheme> {
    let floor = floor.max(colon.saturating_sub(LONGEST));
    let known = schemes.longest_suffix(bytes, floor, colon);
    let known = known.filter(|&(len, rule)| !rule.needs_word() || is_word(bytes, colon - len));
    if !slashes {
        let (len, rule) = known?;
        let start = colon - len;
        let is_tool = rule == SchemeRule::Path && bytes[..start].ends_with(b"+");
        let first = if is_tool { tool_before(bytes, floor, start) } else { None };
        return Some(Scheme { start: first.unwrap_or(start), rule: Some(rule) });
    }
    let run = colon - bytes[floor..colon].iter().rev().take_while(|&&b| SCHEME.has(b)).count();
    let first = first_name(bytes, run, colon);
    match known {
        // The only short name among those that end another one: `ne⏎ws://`.
        Some((len, SchemeRule::Socket)) if is_rest(bytes, colon - len, colon, schemes) => None,
        Some((len, rule)) if first.is_none_or(|first| !is_compound(bytes, first, colon - len, colon)) => {
            Some(Scheme { start: colon - len, rule: Some(rule) })
        }
        _ => first
            .filter(|&first| !is_rest(bytes, first, colon, schemes) && !is_program(bytes, first))
            .map(|start| Scheme { start, rule: None }),
    }
}

/// The distance before a colon at which the colours and encoded letters of a scheme may start, in bytes.
const HIDDEN: usize = 64;

/// The length of the colour, or of the erasure to the end of the line, at `at`: `ESC [`, digits and
/// semicolons, `m` or `K` (ECMA-48).
pub(crate) fn colour(window: &Window<'_>, at: usize) -> Option<usize> {
    if window.get(at) != Some(0x1B) || window.get(at + 1) != Some(b'[') {
        return None;
    }
    let end = window.skip(at + 2, at + HIDDEN, |b| b.is_ascii_digit() || b == b';');
    matches!(window.get(end), Some(b'm' | b'K')).then_some(end + 1 - at)
}

/// The scheme that ends before `colon` and `//`, if a line break is in it: `ht⏎tps`.
fn broken_before(window: &Window<'_>, colon: usize, floor: usize, schemes: &Schemes) -> Option<Candidate> {
    let line = window.skip_back(colon, floor.max(colon.saturating_sub(LONGEST)), |b| SCHEME.has(b));
    let end = window.before_break(line, floor);
    if !window.has(colon + 1, b"//") || line <= floor || !window.is_break(end) {
        return None;
    }
    let first = window.skip_back(end, floor.max(end.saturating_sub(LONGEST)), |b| b.is_ascii_alphabetic());
    let name = [window.ahead(first..end), window.ahead(line..colon)].concat();
    let (len, _) = schemes.longest_suffix(&name, 0, name.len())?;
    let start = first + name.len() - len;
    (start < end).then_some(Candidate::Encoded { start, json: false })
}

/// Returns the offset at which the colours at `at` end.
pub(crate) fn skip_colours(window: &Window<'_>, mut at: usize) -> usize {
    while let Some(len) = colour(window, at) {
        at += len;
    }
    at
}

/// Returns the offset at which the scheme before `colon`, which `//` follows, starts if there are
/// colours in it or after it, or if a letter of it is encoded: `h&#116;tp://`.
#[inline(never)]
fn hidden_before(window: &Window<'_>, colon: usize, floor: usize, schemes: &Schemes) -> Option<usize> {
    let from = floor.max(colon.saturating_sub(HIDDEN));
    memchr::memchr3(0x1B, b'&', b'\\', window.before(colon, from))?;
    let (mut text, mut offsets) = (Vec::new(), Vec::new());
    let mut at = from;
    while at < colon {
        let is_before = |len: usize| at + len <= colon;
        if let Some(len) = colour(window, at).filter(|len| is_before(*len)) {
            at += len;
            continue;
        }
        let encoded = encoded::ascii_at(window, at).filter(|(_, len)| is_before(*len));
        let (byte, len) = encoded.or(window.get(at).map(|byte| (byte, 1)))?;
        text.push(byte);
        offsets.push(at);
        at += len;
    }
    let scheme = scheme_before(&text, text.len(), 0, true, schemes)?;
    Some(offsets[scheme.start])
}

/// Returns true if the name at `first` is the rest of a known scheme that was broken: the `s` of a
/// program's `%s://` or `%(scheme)s://`, or `ht⏎tps://`, where the line before ends in the missing
/// part. A line prefix may precede it.
#[inline(never)]
fn is_rest(bytes: &[u8], first: usize, colon: usize, schemes: &Schemes) -> bool {
    let (before, name) = (&bytes[..first], &bytes[first..colon]);
    let is_margin = |b: &&u8| BLANK.or(PREFIX).has(**b);
    let margin = before.iter().rev().take(LONGEST).take_while(is_margin).count();
    let margin = &before[..first - margin];
    let line = margin.strip_suffix(b"\n").unwrap_or(margin);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let is_program = opens_conversion(before);
    // Nearly all names follow neither a margin nor a conversion.
    if line.len() == margin.len() && !is_program {
        return false;
    }
    let near = &line[line.len().saturating_sub(LONGEST)..];
    let word = near.iter().rposition(|b| !b.is_ascii_alphabetic()).map_or(near, |n| &near[n + 1..]);
    schemes.names().any(|known| {
        let (missing, rest) = known.as_bytes().split_at(known.len().saturating_sub(name.len()));
        let is_known =
            is_program && !missing.is_empty() || missing.eq_ignore_ascii_case(word) && !word.is_empty();
        is_known && rest.eq_ignore_ascii_case(name)
    })
}

/// Returns true if the letter of a program's conversion follows `text`: `%`, or `%(scheme)` of Python.
fn opens_conversion(text: &[u8]) -> bool {
    let Some(text) = text.strip_suffix(b")") else { return text.ends_with(b"%") };
    let name =
        text.iter().rev().take(LONGEST).take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    text[..text.len() - name].ends_with(b"%(")
}

/// The tools with names that precede `+http`, `+https` and `+ftp` in schemes.
#[rustfmt::skip]
const TOOLS: [&[u8]; 24] = [
    b"apt", b"bzr", b"clickhouse", b"darcs", b"dav", b"davs", b"file", b"flatpak", b"fossil", b"git", b"hg",
    b"mirror", b"oci", b"pip", b"registry", b"s3", b"sparse", b"stratum", b"svn", b"tarball", b"tor", b"trino",
    b"vcs", b"xmlrpc",
];

/// Returns true if the name at `first` is joined with `+` to the known name at `known`:
/// `git+https`.
///
/// Before `http`, `https` and `ftp` it must be the name of a tool. `wget+http` is a command.
#[inline(always)]
fn is_compound(bytes: &[u8], first: usize, known: usize, colon: usize) -> bool {
    first < known && bytes[known - 1] == b'+' && is_of_tool(bytes, first, known, colon)
}

#[inline(never)]
fn is_of_tool(bytes: &[u8], first: usize, known: usize, colon: usize) -> bool {
    let is_web = matches!(&*bytes[known..colon].to_ascii_lowercase(), b"http" | b"https" | b"ftp");
    let tool = bytes[first..known].split(|&b| b == b'+').next().unwrap_or_default();
    !is_web || TOOLS.iter().any(|name| tool.eq_ignore_ascii_case(name))
}

/// Returns the offset at which the name of a tool starts that is joined to the scheme at `known`
/// with `+`: `git+file:/a`.
#[inline(never)]
fn tool_before(bytes: &[u8], floor: usize, known: usize) -> Option<usize> {
    let name = bytes[floor..known - 1].rsplit(|b| !b.is_ascii_alphanumeric()).next()?;
    TOOLS.iter().any(|tool| name.eq_ignore_ascii_case(tool)).then(|| known - 1 - name.len())
}

/// Returns true if the name at `first` is a variable or a pattern: `$scheme://`, `s/DNS://g`.
fn is_program(bytes: &[u8], first: usize) -> bool {
    let before = &bytes[..first];
    let is_pattern = before.ends_with(b"s/") && is_word(bytes, first - 2);
    before.ends_with(b"$") || is_pattern
}

/// Returns true if no letter or digit precedes the name at `first`.
pub(crate) fn is_word(bytes: &[u8], first: usize) -> bool {
    !first.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_alphanumeric())
}

/// Returns the offset at which the longest name at the end of `run..colon` starts: at a letter with
/// no letter or digit before it.
#[inline(always)]
fn first_name(bytes: &[u8], run: usize, colon: usize) -> Option<usize> {
    (run..colon).find(|&i| bytes[i].is_ascii_alphabetic() && is_word(bytes, i))
}

/// RFC 5321 §4.5.3.1.1: "The maximum total length of a user name or other local-part is
/// 64 octets."
pub(crate) const MAX_LOCAL_PART_LEN: usize = 64;

/// The maximum length of a label in UTF-8, in bytes: RFC 1035 §2.3.4 allows 63 octets in
/// punycode, which has at least one for each character.
const MAX_LABEL_LEN: usize = 63 * 4;

/// The bytes in the local part of an email address in prose.
const LOCAL_NAME: Class = ALPHADIGIT
    .or(DOT)
    .or(UNDERSCORE)
    .or(PLUS)
    .or(HYPHEN)
    .or(EQUALS)
    .or(ESCAPE)
    .or(AMPERSAND)
    .or(APOSTROPHE)
    .or(ASTERISK)
    .or(CARET)
    .or(EXCLAMATION)
    .or(SLASH)
    .or(TILDE);

/// The bytes that join a word to a name after it, except `\`.
const JOINT: Class = PLAIN.without(CARET).or(AT).or(AMPERSAND).or(QUESTION);

/// The number of digits that may follow `www`.
const DIGITS: usize = 3;

/// The `www`, optionally with a number, or `ftp` before `dot`, if it is a whole word.
fn host_before(window: &Window<'_>, dot: usize, floor: usize, schemes: &Schemes) -> Option<Candidate> {
    let end = window.skip_back(dot, floor.max(dot.saturating_sub(DIGITS)), |b| b.is_ascii_digit());
    let start = end.checked_sub(3).filter(|&start| start >= floor)?;
    let scheme = match window.before(end, start).to_ascii_lowercase().as_slice() {
        b"www" => Implied::Http,
        b"ftp" if end == dot => Implied::Ftp,
        _ => return None,
    };
    let joined = |b: u8| b.is_ascii_alphanumeric() || b"-._@/:%".contains(&b) || b >= 0x80;
    let is_alone =
        !window.byte_before(start).is_some_and(joined) || follows_caption(window, start, floor, schemes);
    is_alone.then_some(Candidate::Host { start, scheme })
}

/// The maximum length of a caption before a host (`Web:`), in bytes.
const MAX_CAPTION_LEN: usize = 64;

/// Returns true if a caption or a tag precedes the host at `start`.
///
/// A caption is a word and a colon (`Web:`, `网址：`) that starts a line or follows a space or a
/// bracket, and is not a scheme name. A tag is an `@` without text before it.
fn follows_caption(window: &Window<'_>, start: usize, floor: usize, schemes: &Schemes) -> bool {
    let floor = floor.max(start.saturating_sub(MAX_CAPTION_LEN));
    let starts = |at: usize| {
        window.byte_before(at).is_none_or(|b| SPACE.has(b) || b"([{<\"".contains(&b))
            && (at > floor || at == 0)
    };
    let before = window.before(start, floor);
    let colon = match before {
        [.., b'@'] => return starts(start - 1),
        [.., b':'] => start - 1,
        _ if before.ends_with("：".as_bytes()) => start - "：".len(),
        _ => return false,
    };
    let word = window.skip_back(colon, floor, |b| b.is_ascii_alphanumeric() || b >= 0x80);
    word < colon && starts(word) && schemes.rule_of(window.before(colon, word)).is_none()
}

/// The IPv4 address whose first number ends before `dot`, if nothing is joined to it. `12.3.h.org` is a name.
fn ip_before(window: &Window<'_>, dot: usize, floor: usize) -> Option<Candidate> {
    let start = window.skip_back(dot, floor.max(dot.saturating_sub(DIGITS)), |b| b.is_ascii_digit());
    let of_name = |b: u8, wide: Option<char>| match b {
        0x80.. => wide.is_none_or(char::is_alphanumeric),
        _ => b.is_ascii_alphanumeric() || b == b'-',
    };
    let joined = |b: u8| b == b'.' || of_name(b, char_before(window, start, floor));
    if start == dot || window.byte_before(start).is_some_and(joined) {
        return None;
    }
    let end = window.skip(dot, dot + MAX_LABEL_LEN, |b| b.is_ascii_digit() || b == b'.');
    let is_name = window.get(end).is_some_and(|b| of_name(b, char_at(window, end)));
    (!is_name).then_some(Candidate::Ip { start })
}

/// Returns the start of the name whose first dot is at `dot`, if nothing is joined to it.
///
/// A name that starts after another dot was read from that one.
fn domain_before(window: &Window<'_>, dot: usize, floor: usize, wanted: &ScanOptions) -> Option<Candidate> {
    let iri = wanted.read.iri;
    let earliest = floor.max(dot.saturating_sub(MAX_LABEL_LEN));
    let of_label = |b| ALPHADIGIT.or(HYPHEN).has(b);
    let start = run_before(window, dot, earliest, of_label, |c| iri.link_term(c) == LinkTerm::Include);
    let first = window.get(start).filter(|&b| start < dot && b != b'-')?;
    debug_assert!(first.is_ascii_alphanumeric() || first >= 0x80);
    let joined = |b: u8| JOINT.has(b) || b == b'\\';
    let is_alone = match window.byte_before(start) {
        Some(b) if b >= 0x80 => {
            let before = char_before(window, start, 0);
            iri != Iri::Ascii && before.is_some_and(|c| iri.link_term(c) != LinkTerm::Include)
        }
        byte => !byte.is_some_and(joined),
    };
    let is_alone = is_alone
        || window.byte_before(start) != Some(b'@') && follows_caption(window, start, floor, &wanted.schemes);
    is_alone.then_some(Candidate::Domain { start })
}

/// The email address with its `@` at `at`, and where it starts: in prose at a letter or digit, elsewhere with every
/// character of an atom.
///
/// A message identifier may look like an email address, but contains a `$` or is longer.
fn email_before(window: &Window<'_>, at: usize, floor: usize, iri: Iri) -> Option<Candidate> {
    let earliest = floor.max(at.saturating_sub(MAX_LOCAL_PART_LEN));
    let of_name = |b: u8| LOCAL_NAME.has(b);
    let wide = |c: char| iri.in_local_part(c);
    let run = run_before(window, at, earliest, of_name, wide);
    let before = window.byte_before(run);
    let has_more = run > floor && before.is_some_and(is_atom_only);
    let atom = has_more.then(|| run_before(window, at, earliest, |b| of_name(b) || is_atom_only(b), wide));
    let name = window.before(at, run);
    let is_too_long = run > floor && run == earliest && before.is_some_and(of_name);
    // UTS #58 has no link where RFC 5322 has no dot-atom.
    let is_name =
        !matches!(before, Some(b'$' | b'@')) && !is_too_long && (iri != Iri::All || is_dot_atom(name));
    let first = name.iter().position(|&b| b.is_ascii_alphanumeric() || b == b'~' || b >= 0x80);
    let start = first.filter(|_| is_name).map(|first| run + first);
    (start.is_some() || atom.is_some()).then_some(Candidate::Email { start, atom })
}

/// Returns true if an atom may contain `b`, but not an email address in prose, where `b` belongs to
/// a comment, a variable, a table or code.
fn is_atom_only(b: u8) -> bool {
    matches!(b, b'#' | b'$' | b'?' | b'`' | b'{' | b'|' | b'}')
}

/// `dot-atom-text = 1*atext *("." 1*atext)` (RFC 5322 §3.2.3), as far as dots matter.
pub(crate) fn is_dot_atom(name: &[u8]) -> bool {
    !name.split(|&b| b == b'.').any(<[u8]>::is_empty)
}

/// Returns the start of the run that ends before `at` and consists of bytes that are `wanted` and
/// non-ASCII characters that are `wide`, but at least `floor`.
fn run_before(
    window: &Window<'_>,
    at: usize,
    floor: usize,
    wanted: impl Fn(u8) -> bool,
    wide: impl Fn(char) -> bool,
) -> usize {
    let mut start = at;
    loop {
        start = window.skip_back(start, floor, &wanted);
        if window.byte_before(start).is_none_or(|b| b < 0x80) {
            return start;
        }
        match char_before(window, start, floor).filter(|&c| wide(c)) {
            Some(c) => start -= c.len_utf8(),
            None => return start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scheme before the first `:` of `text`, and whether it is known.
    fn scheme(text: &str) -> Option<(&str, bool)> {
        let colon = text.find(':').unwrap();
        let slashes = text[colon + 1..].starts_with("//");
        scheme_before(text.as_bytes(), colon, 0, slashes, &Schemes::default())
            .map(|s| (&text[s.start..colon], s.rule.is_some()))
    }

    #[test]
    fn known_and_unknown() {
        assert_eq!(scheme("http://"), Some(("http", true)));
        assert_eq!(scheme("MailTo:"), Some(("MailTo", true)));
        assert_eq!(scheme("z39.50s://"), Some(("z39.50s", true)));
        assert_eq!(scheme("x-test://"), Some(("x-test", false)));
        assert_eq!(scheme("x-test:"), None);
        assert_eq!(scheme("note:"), None);
        assert_eq!(scheme("://"), None);
    }

    #[test]
    fn the_longest_known_suffix_wins() {
        assert_eq!(scheme("seehttp://"), Some(("http", true)));
        assert_eq!(scheme("seehttps://"), Some(("https", true)));
        assert_eq!(scheme("1994http://"), Some(("http", true)));
        assert_eq!(scheme("end.http://"), Some(("http", true)));
        assert_eq!(scheme("asnews:"), Some(("snews", true)));
    }

    #[test]
    fn a_compound_stays_whole() {
        assert_eq!(scheme("git+https://"), Some(("git+https", false)));
        assert_eq!(scheme("see git+ssh://"), Some(("git+ssh", false)));
        assert_eq!(scheme("1+http://"), Some(("http", true)));
        assert_eq!(scheme("Hg+HTTP://"), Some(("Hg+HTTP", false)));
        assert_eq!(scheme("wget+http://"), Some(("http", true)));
        assert_eq!(scheme("http+unix://"), Some(("http+unix", false)));
    }

    #[test]
    fn some_names_are_words_of_their_own() {
        assert_eq!(scheme("(tel:"), Some(("tel", true)));
        assert_eq!(scheme("hotel:"), None);
        assert_eq!(scheme("$scheme://"), None);
        assert_eq!(scheme("$http://"), Some(("http", true)));
    }

    #[test]
    fn the_rest_of_a_name_that_a_line_end_cut() {
        let cut = ["ht\ntps://", "see HT\r\nTPS://", "gop\nher://", "%s://", "<URL:im\nap://"];
        for text in cut {
            let colon = text.rfind("://").unwrap();
            assert_eq!(scheme_before(text.as_bytes(), colon, 0, true, &Schemes::default()), None, "{text}");
        }
        for (text, name) in [
            ("fs://", "fs"),
            ("\n\nfs://", "fs"),
            ("gone\nms://", "ms"),
            ("the ht\n\ntps://", "tps"),
            ("see it\nmaps://", "maps"),
            ("aws://", "aws"),
        ] {
            assert_eq!(scheme(text), Some((name, false)), "{text}");
        }
        assert_eq!(scheme("\nws://"), Some(("ws", true)));
    }

    #[test]
    fn a_name_starts_with_a_letter_after_no_letter_or_digit() {
        assert_eq!(scheme("3foo://"), None);
        assert_eq!(scheme("...foo://"), Some(("foo", false)));
        assert_eq!(scheme("1.foo://"), Some(("foo", false)));
        assert_eq!(scheme("_foo://"), Some(("foo", false)));
    }

    #[test]
    fn no_name_is_longer_than_the_look_back() {
        assert_eq!(scheme(&format!("{}://", "a".repeat(40))), None);
        assert_eq!(scheme(&format!("{}http://", "a".repeat(40))), Some(("http", true)));
    }

    fn address_in(text: &str, iri: Iri) -> Option<&str> {
        let at = text.rfind('@').unwrap();
        match email_before(&Window::whole(text.as_bytes()), at, 0, iri)? {
            Candidate::Email { start, .. } => start.map(|start| &text[start..at]),
            _ => None,
        }
    }

    #[test]
    fn local_parts() {
        assert_eq!(address_in("(a.b+c@", Iri::Words), Some("a.b+c"));
        assert_eq!(address_in("--a@", Iri::Words), Some("a"));
        assert_eq!(address_in("<jürgen@", Iri::Words), Some("jürgen"));
        assert_eq!(address_in("アル.ト@", Iri::Words), None);
        assert_eq!(address_in("アル.ト@", Iri::All), Some("アル.ト"));
        assert_eq!(address_in("jürgen@", Iri::Ascii), Some("rgen"));
        assert_eq!(address_in("a..b@", Iri::All), None);
        assert_eq!(address_in("a.@", Iri::All), None);
    }

    #[test]
    fn identifiers_of_messages_are_no_addresses() {
        assert_eq!(address_in("<001301c1$a0b1@", Iri::Words), None);
        assert_eq!(address_in("$user@", Iri::Words), None);
        assert_eq!(address_in(&format!("{}@", "a".repeat(64)), Iri::Words), Some(&*"a".repeat(64)));
        assert_eq!(address_in(&format!("{}@", "a".repeat(65)), Iri::Words), None);
    }

    #[test]
    fn atoms() {
        let atom_in = |text: &str| {
            let at = text.len() - 1;
            match email_before(&Window::whole(text.as_bytes()), at, 0, Iri::Words)? {
                Candidate::Email { atom, .. } => atom.map(|atom| text[atom..at].to_owned()),
                _ => None,
            }
        };
        for mark in ["#", "$", "?", "`", "{", "|", "}"] {
            let local = format!("a{mark}b.c");
            assert_eq!(atom_in(&format!("<{local}@")), Some(local));
        }
        assert_eq!(atom_in(" e$@").as_deref(), Some("e$"));
        assert_eq!(atom_in("a.b@"), None);
        assert_eq!(atom_in("a,b@"), None);
    }

    fn domain_in(text: &str, iri: Iri) -> Option<&str> {
        let dot = text.find('.').unwrap();
        let read = TextOptions { iri, ..TextOptions::default() };
        let wanted = ScanOptions { read, ..ScanOptions::default() };
        match domain_before(&Window::whole(text.as_bytes()), dot, 0, &wanted)? {
            Candidate::Domain { start } => Some(&text[start..dot]),
            _ => None,
        }
    }

    #[test]
    fn names_are_words_of_their_own() {
        for text in ["h.", "(h.", "see h.", "\"h."] {
            assert_eq!(domain_in(text, Iri::Words), Some("h"), "{text}");
        }
        for text in ["a@h.", "/h.", "_h.", "$h.", "-h.", " .", "=h."] {
            assert_eq!(domain_in(text, Iri::Words), None, "{text}");
        }
        assert_eq!(domain_in("exämple.", Iri::Words), Some("exämple"));
        assert_eq!(domain_in("exämple.", Iri::Ascii), None);
        assert_eq!(domain_in("例えh.", Iri::Words), Some("h"));
        assert_eq!(domain_in("例えh.", Iri::All), Some("例えh"));
        assert_eq!(domain_in("“h.", Iri::All), Some("h"));
        assert_eq!(domain_in(&format!("{}.", "a".repeat(300)), Iri::All), None);
    }
}

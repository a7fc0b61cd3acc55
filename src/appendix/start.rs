//! Decides where a bare URL may start, by whether the text after a scheme's colon looks like a
//! URL.
//!
//! By RFC 1738 §2.1, any scheme with a colon and any text is a URL, but in prose, `note:this` and
//! `the news: everyone knows` are not. So text that occurs only in URLs must follow the colon: `//`
//! and a host, the `@` of an email address, the dots of a newsgroup.

use std::ops::Range;

use super::label::{has_broken_punycode, is_misspelled, skip_label};
use super::opener::Opener;
use crate::bytes::class::{BREAK, HOST, INSIDE, PLUS, SCHEME, USER};
use crate::bytes::unicode::{Iri, char_at};
use crate::bytes::window::Window;
use crate::grammar::schemes::{LONGEST, SchemeRule, Schemes};
use crate::grammar::{self, host};
use crate::scan::defanged::{bracketed_at, scheme_meant};
use crate::scan::{CellSeparator, TextOptions};
use crate::simd::{ClassMembers, Simd};

/// The recognized start of a URL (scheme and host), and how the URL continues after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// The URL continues at this offset with any bytes of a URL.
    Open(usize),
    /// The URL ends at or before the first offset; the byte at the second one stops it.
    Closed(usize, usize),
}

impl Start {
    /// The offset at which the URL ends at the latest, if that is known.
    pub(crate) fn end(self) -> Option<usize> {
        match self {
            Start::Open(_) => None,
            Start::Closed(end, _) => Some(end),
        }
    }
}

/// The maximum length of a password with delimiters, in bytes.
const MAX_PASSWORD_LEN: usize = 96;

/// The maximum distance from a string to the `+` after the expression that contains it, in bytes: twice the distance in
/// the script of a statistics service that many old pages contain.
const MAX_EXPRESSION_DISTANCE: usize = 64;

/// The maximum length of a variable name, in bytes.
const MAX_VARIABLE_LEN: usize = 40;

const HOSTS: ClassMembers = ClassMembers::of(HOST);

/// The options for text between delimiters, which may contain any characters.
pub(super) const ANY_TEXT: TextOptions =
    TextOptions { iri: Iri::All, cells: None, width: None, simd: Simd::generic() };

/// Reads the text after the colon of a scheme.
pub(crate) struct AuthorityReader<'w, 'h> {
    pub(crate) window: &'w Window<'h>,
    /// The offset at which the URL is too long.
    pub(crate) limit: usize,
    pub(crate) options: &'w TextOptions,
}

impl AuthorityReader<'_, '_> {
    /// The start of the URL with its colon at `colon`, if the text after the colon shows that it is
    /// a URL.
    pub(crate) fn after_colon(&self, colon: usize, rule: Option<SchemeRule>) -> Option<Start> {
        let from = colon + 1;
        if self.get(from) == Some(b'/') && self.get(from + 1) == Some(b'/') {
            return match (rule, self.get(from + 2)) {
                (Some(SchemeRule::Path), Some(b'/')) => Some(Start::Open(from + 3)),
                (Some(SchemeRule::Path), Some(b'\\')) => self.server(from + 2),
                // `file://C:\Users`; with slashes, the drive is read as a host.
                (Some(SchemeRule::Path), Some(b'A'..=b'Z' | b'a'..=b'z'))
                    if self.window.has(from + 3, b":\\") =>
                {
                    Some(Start::Open(from + 5))
                }
                (Some(SchemeRule::Path), Some(b'.')) if self.is_framed_path(from + 2, colon) => {
                    Some(Start::Open(from + 2))
                }
                // The path may begin with two slashes: `sqlite:////tmp/a.db`.
                (_, Some(b'/')) if rule != Some(SchemeRule::Web) && self.may_lack_host(colon) => {
                    self.after_byte(from + 2, b'/').or_else(|| self.after_byte(from + 3, b'/'))
                }
                (None, _) if self.has_number_last(from + 2) => None,
                _ => self.authority(from + 2, colon),
            };
        }
        match rule? {
            SchemeRule::Host | SchemeRule::Socket | SchemeRule::Number | SchemeRule::Delimited => None,
            SchemeRule::Phone => self.phone(colon),
            SchemeRule::Doi => self
                .window
                .has(from, b"10.")
                .then_some(Start::Open(from + 3))
                .filter(|_| self.is_digit(from + 3)),
            SchemeRule::Web => self.slashless_host(from),
            SchemeRule::Mail => self.emails(from),
            SchemeRule::Address => self.email(from),
            SchemeRule::Call => self.email(from).map(|start| self.with_parameters(start)),
            SchemeRule::Group => self.email(from).or_else(|| self.group(from)),
            SchemeRule::Path => self.after_byte(from, b'/').or_else(|| self.server(from)),
            SchemeRule::Query => self.after_byte(from, b'?'),
            SchemeRule::Name => {
                let end = self.window.skip(from, self.limit, |b| b.is_ascii_alphanumeric() || b == b'-');
                if end == from { None } else { self.after_byte(end, b':') }
            }
            SchemeRule::Anything => {
                (self.is_word(from) || self.get(from) == Some(b'/')).then_some(Start::Open(from))
            }
        }
    }

    /// Returns true if the last label of the host at `from` is a number and the host is not an IPv4
    /// address. RFC 1738 §5 excludes such hosts. The paths of SVG icons look like one:
    /// `path://M1.112,32.5z`.
    fn has_number_last(&self, from: usize) -> bool {
        let is_number = |label: &[u8]| label.iter().all(u8::is_ascii_digit);
        let mut labels = self.window.ahead(from..self.host_end(from)).split(|&b| b == b'.');
        labels.next_back().is_some_and(|last| !last.is_empty() && is_number(last)) && !labels.all(is_number)
    }

    /// A Windows server after two backslashes at `from`: `file:\\\\server\\share`.
    fn server(&self, from: usize) -> Option<Start> {
        let is_server =
            self.window.has(from, b"\\\\") && self.get(from + 2).is_some_and(|b| b.is_ascii_alphabetic());
        is_server.then_some(Start::Open(from + 3))
    }

    /// Returns true if a `file:` URL in a frame has a path that goes up at `from`. Without a frame, it may be
    /// program text.
    fn is_framed_path(&self, from: usize, colon: usize) -> bool {
        let scheme = self.window.skip_back(colon, 0, |b| b.is_ascii_alphabetic());
        self.window.has(from, b"../") && Opener::of(self.window, scheme).frame().is_some()
    }

    /// Returns true if the authority after the scheme that ends at `colon` may be empty (RFC 3986
    /// §3.2.2), as in `ldap:///o=x`. It may not be empty for web schemes, schemes of one letter, or
    /// a roff escape, `\\fBx`.
    fn may_lack_host(&self, colon: usize) -> bool {
        let first = self.window.skip_back(colon, colon.saturating_sub(LONGEST), |b| SCHEME.has(b));
        let name = self.window.before(colon, first);
        name.len() > 1
            && self.window.byte_before(first) != Some(b'\\')
            && !self.is_web_scheme(colon)
            // `ESC[8m` hides text; Jenkins encodes notes in it.
            && !(name.starts_with(b"8m") && self.window.before(first, first.saturating_sub(2)) == b"\x1b[")
            && scheme_meant(name).is_none()
    }

    /// The start of a URL without delimiters, if the text after the colon shows that it is a URL.
    /// By UTS #58, an email address does not match if a dot in its local part is out of place.
    pub(crate) fn bare_after_colon(&self, colon: usize, rule: Option<SchemeRule>) -> Option<Start> {
        let start = self.after_colon(colon, rule);
        let is_strict = self.options.iri == Iri::All && rule == Some(SchemeRule::Mail);
        if is_strict && start.is_some() && !self.has_sound_dots(colon + 1) { None } else { start }
    }

    /// Returns true if the local part at `from` does not start or end with a dot, or contain two in
    /// a row.
    fn has_sound_dots(&self, from: usize) -> bool {
        let end = self.options.iri.skip_local_part(self.window, from, self.limit);
        !self.window.ahead(from..end).split(|&b| b == b'.').any(<[u8]>::is_empty)
    }

    /// An evident host directly after the colon: it starts with `www.` or `ftp.`, or a path follows
    /// its labels.
    fn slashless_host(&self, from: usize) -> Option<Start> {
        let is_evident = self.window.has(from, b"www.")
            || self.window.has(from, b"ftp.")
            || self.get(self.host_end(from)) == Some(b'/');
        match self.dotted_host(from, 2).filter(|_| is_evident)? {
            // Without slashes, a login is not read, because each `http:` of `http:www.ahttp:www.a`
            // would be read to the end of the text.
            Start::Open(end) if self.get(end) == Some(b':') && !self.is_digit(end + 1) => {
                Some(Start::Closed(end, end))
            }
            start => Some(start),
        }
    }

    fn get(&self, at: usize) -> Option<u8> {
        self.window.get(at)
    }

    /// A word after `byte` at `at`.
    fn after_byte(&self, at: usize, byte: u8) -> Option<Start> {
        (self.get(at) == Some(byte) && self.is_word(at + 1)).then_some(Start::Open(at + 1))
    }

    /// A telephone number in prose: `+` and a digit after `tel`, which signatures write with a capital.
    fn phone(&self, colon: usize) -> Option<Start> {
        let is_scheme = self.window.before(colon, 0).ends_with(b"tel");
        let is_number = self.get(colon + 1) == Some(b'+') && self.is_digit(colon + 2);
        (is_scheme && is_number).then_some(Start::Open(colon + 3))
    }

    fn is_digit(&self, at: usize) -> bool {
        self.get(at).is_some_and(|b| b.is_ascii_digit())
    }

    /// Returns true if something other than punctuation starts at `at`.
    fn is_word(&self, at: usize) -> bool {
        match self.get(at) {
            Some(b'%' | b'~' | b'_') => true,
            Some(b'.' | b'-' | b'+') => self.get(at + 1).is_some_and(|b| b.is_ascii_alphanumeric()),
            byte => byte.is_some_and(|b| b.is_ascii_alphanumeric()),
        }
    }

    /// Returns the text after `//` (RFC 1738 §3.1): `user:password@host:port`. The scheme ends at
    /// `colon`.
    fn authority(&self, from: usize, colon: usize) -> Option<Start> {
        let run = self.host_end(from);
        if self.get(run) == Some(b':') && self.is_web_scheme(colon) && self.is_bare_ipv6(from) {
            return None;
        }
        if self.get(run) == Some(b',') && self.is_web_scheme(colon) {
            let rest = self.window.ahead(run + 1..self.host_end(run + 1));
            if is_misspelled(self.window.ahead(from..run), rest) {
                return None;
            }
        }
        match self.get(run) {
            // Nearly every authority is only a host.
            None | Some(b'/' | b'?' | b'#' | b' ' | b'\n' | b'\r' | b'>' | b'"') => self.host(from, run),
            _ => {
                let host = self.after_login(from);
                // A variable as the user or the password: `http://user:$pw@h.org/`.
                let starts = |part: &[u8]| matches!(part, [b'$', b'A'..=b'Z' | b'a'..=b'z' | b'_', ..]);
                if self.window.ahead(from..host).split(|&b| b == b':').any(starts) {
                    return None;
                }
                if self.get(host) == Some(b'[') {
                    return self.ip_literal(host).map(|start| self.with_port(start, host, colon));
                }
                let end = self.escaped_end(host);
                // `http://user@$host/` contains a login but no host.
                let at = self.window.skip(end, self.limit, |b| USER.has(b));
                let is_user = self.get(at) == Some(b'@') && !self.window.ahead(host..at).contains(&b'.');
                let start = if is_user { None } else { self.host(host, end) }?;
                let is_partial = matches!(start, Start::Closed(_, stop) if is_partial(self.window, stop));
                let is_whole = !is_partial && !self.has_variable(end);
                is_whole.then(|| match start {
                    Start::Closed(end, at)
                        if end == at && self.get(at) == Some(b',') && !self.is_web_scheme(colon) =>
                    {
                        self.after_hosts(end)
                    }
                    start => self.with_port(start, host, colon),
                })
            }
        }
    }

    /// Returns true if an IPv6 address without brackets is at `from`: the text before its first
    /// colon is not a host.
    fn is_bare_ipv6(&self, from: usize) -> bool {
        let end = self.window.skip(from, self.limit, |b| b.is_ascii_hexdigit() || b == b':');
        let email = self.window.ahead(from..end);
        email.iter().filter(|&&b| b == b':').count() > 2 && self.get(end) != Some(b'@')
    }

    /// Extends `start` by the port of the host at `host`; the scheme ends at `colon`. In a web URL,
    /// a port consists of digits and ends before any other `:`. Other URLs may contain a name
    /// there, and several hosts.
    pub(super) fn with_port(&self, start: Start, host: usize, colon: usize) -> Start {
        let Start::Open(end) = start else { return start };
        if self.get(end) != Some(b':') {
            return start;
        }
        let port = self.window.skip(end + 1, self.limit, |b| b.is_ascii_digit());
        match self.get(port) {
            Some(_) if port >= self.limit => Start::Closed(port, port),
            Some(b'/' | b'?' | b'#') => match glued_scheme(self.window, host, end) {
                Some(other) => Start::Closed(other, other),
                None => start,
            },
            // A password may contain delimiters. It must be part of the URL, because otherwise
            // hiding it would be pointless.
            Some(_) if self.has_at_sign(port) => start,
            _ if !self.is_web_scheme(colon) => self.after_names(end, host),
            _ => self.at_port(end, port, host),
        }
    }

    /// Returns true if the URL is too long at `at`, where more of it may follow.
    fn is_too_long_at(&self, at: usize) -> bool {
        at >= self.limit && self.get(at).is_some()
    }

    /// Returns the end of a URL after the digits up to `port`, or after the host, which ends at
    /// `end`.
    fn at_port(&self, end: usize, port: usize, host: usize) -> Start {
        if port > end + 1 {
            return Start::Closed(port, port);
        }
        Start::Closed(self.window.skip_back(end, host, |b| matches!(b, b'.' | b'-')), end)
    }

    /// The start of a URL with a name after the colon at `end`, which ends the host at `host`, such as
    /// `docker://nginx:latest` and `git+ssh://git@h.org:npm/cli.git`, or with other hosts after a comma:
    /// `mongodb://h1:27017,h2:27017`.
    fn after_names(&self, end: usize, host: usize) -> Start {
        let after = self.name_end(end);
        if after <= end { self.at_port(end, end, host) } else { self.after_hosts(after) }
    }

    /// The start of a URL with a host that ends at `end`, with its port, and with the hosts after a comma.
    fn after_hosts(&self, end: usize) -> Start {
        let (mut after, mut at) = (end, end);
        while at < self.limit
            && self.get(at) == Some(b',')
            && let Some(next) = self.other_host_end(at + 1)
        {
            let has_port = self.window.ahead(at..next).contains(&b':');
            // A host without a port, followed by another host, belongs to the URL only if that other host does.
            if has_port || next >= self.limit || self.get(next) != Some(b',') {
                after = next;
            }
            at = next;
        }
        match self.get(after) {
            Some(b'/' | b'?' | b'#') => Start::Open(after),
            _ => Start::Closed(after, after),
        }
    }

    /// Returns the offset at which the name after the colon at `colon` ends, or the offset at which the URL
    /// becomes too long.
    fn name_end(&self, colon: usize) -> usize {
        let name = self.window.skip(colon + 1, self.limit, |b| HOST.has(b) || matches!(b, b':' | b'~'));
        if self.is_too_long_at(name) {
            return name;
        }
        self.window.skip_back(name, colon, |b| matches!(b, b'.' | b'-' | b':'))
    }

    /// Returns the offset at which the host at `from` ends, with its port, if any, or a dot and a path or another host
    /// after it; or the offset at which the URL becomes too long.
    fn other_host_end(&self, from: usize) -> Option<usize> {
        if self.get(from) == Some(b'[') {
            let (Start::Open(end) | Start::Closed(end, _)) = self.ip_literal(from)?;
            return Some(if self.get(end) == Some(b':') { self.name_end(end) } else { end });
        }
        let end = self.host_end(from);
        if self.is_too_long_at(end) {
            return Some(end);
        }
        let host = self.window.ahead(from..end);
        labels(host).ok()?;
        match self.get(end) {
            Some(b':') if self.is_digit(end + 1) => Some(self.name_end(end)),
            Some(b'/' | b'?' | b',') if host.contains(&b'.') => Some(end),
            _ => None,
        }
    }

    /// Returns true if the scheme that ends at `colon` is a web scheme, optionally after the name of a tool
    /// (`git+https`) or after the letters of a sentence.
    fn is_web_scheme(&self, colon: usize) -> bool {
        let first =
            self.window.skip_back(colon, colon.saturating_sub(LONGEST), |b| b.is_ascii_alphanumeric());
        let name = self.window.before(colon, first).to_ascii_lowercase();
        matches!(&*name, b"ftp" | b"ws" | b"wss") || name.ends_with(b"http") || name.ends_with(b"https")
    }

    /// Returns true if a program variable follows the host that ends at `end`: `http://h.org$path`,
    /// `http://h.org{path}/a`, `http://h.org:$port/`. By themselves, braces may contain a text command.
    fn has_variable(&self, end: usize) -> bool {
        let at = end + usize::from(self.get(end) == Some(b':'));
        let name = self
            .window
            .skip(at + 1, self.limit.min(at + MAX_VARIABLE_LEN), |b| b.is_ascii_alphanumeric() || b == b'_');
        match self.get(at) {
            Some(b'$') => {
                self.get(at + 1).is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'{'))
            }
            Some(b'{') => {
                let closes = || self.get(name + 1) == Some(b')');
                name > at + 1 && self.get(name) == Some(b'}') && (self.ends_host(name + 1) || closes())
            }
            _ => self.window.has(at, b"\\$"),
        }
    }

    /// Returns the offset at which the host starts: after a login, or at `from` without one.
    ///
    /// The login ends at the last `@` that a host may follow, because some user names contain an
    /// `@`.
    fn after_login(&self, from: usize) -> usize {
        let mut host = from;
        // The next cell may be an email address.
        let separates = |b: u8| match self.options.cells {
            Some(CellSeparator::OfRow) => matches!(b, b',' | b';'),
            known => known == Some(CellSeparator::Known(b)),
        };
        loop {
            let mut end = host;
            loop {
                let run = self.window.skip(end, self.limit, |b| USER.has(b) && !separates(b));
                end = self.options.iri.skip_letters(self.window, run, self.limit);
                if end == run {
                    break;
                }
            }
            if self.get(end) != Some(b'@') || !self.may_start_host(end + 1) {
                return host;
            }
            host = end + 1;
        }
    }

    /// Returns true if the byte at `at` may be the first of a host.
    fn may_start_host(&self, at: usize) -> bool {
        let wide = self.options.iri != Iri::Ascii;
        self.get(at).is_some_and(|b| HOST.has(b) || matches!(b, b'[' | b'%') || wide && b >= 0x80)
    }

    /// Returns true if an `@` follows in the word that continues at `at`.
    fn has_at_sign(&self, at: usize) -> bool {
        let end = self.window.skip(at, self.limit.min(at + MAX_PASSWORD_LEN), |b| INSIDE.has(b));
        memchr::memchr(b'@', self.window.ahead(at..end)).is_some()
    }

    /// The IPv6 address in the brackets (RFC 3986 §3.2.2) that open at `from`, with or without a
    /// zone (RFC 6874).
    fn ip_literal(&self, from: usize) -> Option<Start> {
        let in_address = |b: u8| b.is_ascii_hexdigit() || matches!(b, b':' | b'.');
        let email = self.window.skip(from + 1, self.limit, in_address);
        let end = match self.get(email) {
            Some(b'%') => {
                self.window.skip(email + 1, self.limit, |b| HOST.has(b) || matches!(b, b'%' | b'~'))
            }
            _ => email,
        };
        let closed = self.get(end) == Some(b']') && end < self.limit;
        if !closed || !host::plausible(self.window.ahead(from..end + 1)) {
            return None;
        }
        Some(if self.ends_host(end + 1) { Start::Open(end + 1) } else { Start::Closed(end + 1, end + 1) })
    }

    /// The host from `from` to `run`. Its labels are not empty and do not start with a hyphen.
    fn host(&self, from: usize, run: usize) -> Option<Start> {
        let window = self.window;
        let end = match window.byte_before(run) {
            Some(b'.') => window.skip_back(run, from, |b| b == b'.'),
            _ => run,
        };
        let host = window.ahead(from..end);
        // Nearly every host is ASCII, and so is the text after it.
        let is_wide = !host.is_ascii() || self.get(run).is_some_and(|b| b >= 0x80);
        if is_wide && has_broken_punycode(host, self.get(run)) {
            return None;
        }
        self.host_of(from..end, run, labels(host).ok()?)
    }

    /// Returns the offset of the byte that makes the text after the `//` at `colon` an invalid
    /// host: the first invalid byte, or the end of the host.
    pub(crate) fn host_flaw(&self, colon: usize) -> usize {
        let host = self.after_login(colon + b"://".len());
        if self.get(host) == Some(b'[') {
            return host;
        }
        let run = self.escaped_end(host);
        let end = self.window.skip_back(run, host, |b| b == b'.');
        let Err(flaw) = labels(self.window.ahead(host..end)) else {
            let user = self.window.skip(run, self.limit, |b| USER.has(b));
            return if self.get(user) == Some(b'@') { user + 1 } else { run };
        };
        host + flaw
    }

    /// The host in `host`, with `labels` labels, which ends at `run`, including dots.
    fn host_of(&self, host: Range<usize>, run: usize, labels: usize) -> Option<Start> {
        let Range { start: from, end } = host;
        let (window, dots) = (self.window, run - end);
        if labels == 1 && self.is_program(run, dots) {
            return None;
        }
        // A template: `https://a.{Region}.h.org`.
        let is_tag = || self.get(run) == Some(b'<') && self.get(run + 1) == Some(b'/');
        if dots > 0 && matches!(self.get(run), Some(b'{' | b'$' | b'<')) && !is_tag() {
            return None;
        }
        if self.ends_host(run) {
            return (dots <= 1).then_some(Start::Open(run));
        }
        Some(Start::Closed(window.skip_back(end, from, |b| matches!(b, b'-' | b'_')), run))
    }

    /// The host at `from`, if it has at least `min_labels` labels.
    pub(crate) fn dotted_host(&self, from: usize, min_labels: usize) -> Option<Start> {
        let run = self.host_end(from);
        let end = self.window.skip_back(run, from, |b| b == b'.');
        let name = self.window.ahead(from..end);
        let labels = labels(name).ok()?;
        if labels < min_labels || run >= self.limit {
            return None;
        }
        let last = name.iter().rposition(|&b| b == b'.').map_or(0, |dot| dot + 1);
        let named = !name[last..].iter().all(u8::is_ascii_digit);
        if named { self.host_of(from..end, run, labels) } else { None }
    }

    /// Returns the offset at which the run of host bytes ends.
    fn host_end(&self, from: usize) -> usize {
        let mut end = from;
        loop {
            let run = self.options.simd.skip(self.window, end, self.limit, &HOSTS);
            // Nearly every host is ASCII.
            if self.get(run).is_none_or(|b| b < 0x80) {
                return run;
            }
            end = self.options.iri.skip_letters(self.window, run, self.limit);
            if end == run && self.options.iri == Iri::Words {
                end = skip_label(self.window, from, run, self.limit);
            }
            if end == run {
                return end;
            }
        }
    }

    /// Returns the offset at which the run of host bytes, including escapes, ends (RFC 3986
    /// §3.2.2). It may be the path of a socket: `%2Fvar%2Frun%2Fldapi`.
    fn escaped_end(&self, from: usize) -> usize {
        let mut end = self.host_end(from);
        let is_slash = |at| self.window.has(at, b"%2F") || self.window.has(at, b"%2f");
        let is_path = end == from && is_slash(from);
        while end < self.limit && (self.is_escape(end) || is_path && is_slash(end)) {
            end = self.host_end(end + 1);
        }
        end
    }

    /// Returns true if an escaped host byte is at `at`.
    fn is_escape(&self, at: usize) -> bool {
        self.get(at) == Some(b'%')
            && self.get(at + 2).is_some()
            && host::begins_with_escape(self.window.ahead(at..at + 3))
    }

    /// Returns true if the byte at `at` continues a URL after its host.
    fn ends_host(&self, at: usize) -> bool {
        matches!(self.get(at), Some(b'/' | b':' | b'?' | b'#'))
    }

    /// Returns true if the host with one label before `at`, and `dots` dots after it, is a
    /// placeholder of a program: `"http://www." + host`, `http://host:%d/`.
    fn is_program(&self, at: usize, dots: usize) -> bool {
        let port = self.get(at) == Some(b':') && !self.get(at + 1).is_some_and(|b| b.is_ascii_digit());
        match self.get(at + usize::from(port)) {
            Some(b'\\') => !self.ends_string(at + usize::from(port)),
            Some(b'*') => !is_closed(self.window, at, b'*'),
            Some(b'$' | b'{' | b'%' | b'[' | b'(') => true,
            Some(b'<') => port && self.is_placeholder(at + 1),
            Some(b'"' | b'\'' | b'`') => dots > 0 || self.has_rest_in_string(at + 1),
            Some(b']') => dots > 0 && self.is_word(at + 1),
            _ => false,
        }
    }

    /// Returns true if a string that begins with a dot is added to the one that ends before `at`,
    /// or to an expression that contains it: `(is_safe ? "https://ssl" : "http://www") +
    /// ".h.org/"`.
    fn has_rest_in_string(&self, at: usize) -> bool {
        let line = self.window.ahead(at..self.window.line_end(at, at + MAX_EXPRESSION_DISTANCE));
        line.split(|&b| b == b'+')
            .skip(1)
            .any(|term| matches!(term.trim_ascii_start(), [b'"' | b'\'' | b'`', b'.', ..]))
    }

    /// Returns true if the angle bracket at `at` opens a placeholder for a password: `root:<password>@`.
    fn is_placeholder(&self, at: usize) -> bool {
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b"_- ".contains(&b);
        let end = self.window.skip(at + 1, self.limit.min(at + MAX_VARIABLE_LEN), is_word);
        self.window.has(end, b">@")
    }

    /// Returns true if the backslash at `at` starts an escaped line break or quotation mark, and
    /// the string ends after it, or continues with another escape, a quotation mark or a capital.
    /// Before other text, it belongs to a pattern.
    fn ends_string(&self, at: usize) -> bool {
        matches!(self.get(at + 1), Some(b'n' | b'r' | b't' | b'"'))
            && self
                .get(at + 2)
                .is_none_or(|b| b"\\\"'`".contains(&b) || b.is_ascii_uppercase() || BREAK.has(b))
    }

    /// Email addresses, separated by commas (RFC 6068 §2).
    fn emails(&self, from: usize) -> Option<Start> {
        let mut start = self.email(from)?;
        while let Start::Closed(end, stop) = start
            && end == stop
            && self.get(end) == Some(b',')
            && let Some(next) = self.email(end + 1)
        {
            start = next;
        }
        Some(start)
    }

    /// The domain literal (RFC 822 §6.2.3) with its opening bracket at `from`.
    fn domain_literal(&self, from: usize) -> Option<Start> {
        let inside = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b':' | b'.' | b'-');
        let end = self.window.skip(from + 1, self.limit, inside);
        (end > from + 1 && self.get(end) == Some(b']')).then_some(Start::Closed(end + 1, end + 1))
    }

    /// An email address (§3.5) or a message identifier (§3.6): `x@host`.
    fn email(&self, from: usize) -> Option<Start> {
        let at = self.options.iri.skip_local_part(self.window, from, self.limit);
        if at == from || self.get(at) != Some(b'@') {
            return None;
        }
        if self.get(at + 1) == Some(b'[') {
            return self.domain_literal(at + 1);
        }
        match self.host(at + 1, self.escaped_end(at + 1))? {
            Start::Open(end) if self.get(end) == Some(b'?') => Some(Start::Open(end)),
            Start::Open(end) => Some(Start::Closed(end, end)),
            closed => Some(closed),
        }
    }

    /// The call address in `start`, with its port, parameters and header fields (RFC 3261 §19.1.1).
    fn with_parameters(&self, start: Start) -> Start {
        let Start::Closed(end, at) = start else { return start };
        let digits = self.window.skip(at + 1, self.limit, |b| b.is_ascii_digit());
        if self.get(at) == Some(b':') && self.is_too_long_at(digits) {
            return Start::Closed(digits, digits);
        }
        let port = if self.get(at) == Some(b':') && digits > at + 1 { digits } else { at };
        let has_parameters = matches!(self.get(port), Some(b';' | b'?'))
            && self.get(port + 1).is_some_and(|b| b.is_ascii_alphanumeric());
        match end == at {
            true if has_parameters => Start::Open(port),
            true => Start::Closed(port, port),
            false => start,
        }
    }

    /// A newsgroup (§3.6): "a period-delimited hierarchical name, such as
    /// "comp.infosystems.www.misc"".
    fn group(&self, from: usize) -> Option<Start> {
        let end = self.window.skip(from, self.limit, |b| HOST.or(PLUS).has(b));
        let name = self.window.ahead(from..end);
        let last = name.iter().rposition(|&b| b != b'.')?;
        let dotted = name[0].is_ascii_alphabetic() && name[..last].contains(&b'.');
        dotted.then_some(Start::Closed(from + last + 1, end))
    }
}

/// Returns the offset of the `http` or `https` before `colon`, if it directly follows a letter, a
/// digit or `!:` of the URL that contains the text from `from` on: another URL follows without a
/// space.
///
/// A URL within a URL follows `/`, `=` or the like, or an escape: `%3Fhttp://`, or `=3Dhttp://` in quoted-printable.
#[cold]
#[inline(never)]
pub(super) fn glued_scheme(window: &Window<'_>, from: usize, colon: usize) -> Option<usize> {
    let url = window.ahead(from..colon);
    let ends = |scheme: &&[u8]| {
        url.len() > scheme.len() && url[url.len() - scheme.len()..].eq_ignore_ascii_case(scheme)
    };
    let scheme = [&b"https"[..], b"http"].into_iter().find(ends)?;
    let before = &url[..url.len() - scheme.len()];
    let is_escape =
        matches!(before, [.., b'%' | b'=', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
    // Textile: an image that is a link, `!http://h.org/a.png!:http://h.org/`.
    let follows =
        before.last().is_some_and(u8::is_ascii_alphanumeric) && !is_escape || before.ends_with(b"!:");
    (follows && window.has(colon, b"://")).then(|| from + before.len())
}

/// Returns true if `url` is a Windows file name: with a drive, or a server after two
/// backslashes.
pub(super) fn is_windows_file(url: &[u8]) -> bool {
    let Some(rest) = url.get(5..).filter(|_| url[..5].eq_ignore_ascii_case(b"file:")) else { return false };
    let slashes = rest.iter().take_while(|&&b| b == b'/').count();
    match &rest[slashes..] {
        [b'\\', b'\\', first, ..] => first.is_ascii_alphabetic(),
        [drive, b':', b'\\', ..] if slashes == 2 => drive.is_ascii_alphabetic(),
        [drive, b':' | b'|', b'/' | b'\\', ..] => drive.is_ascii_alphabetic() && slashes != 1 && slashes != 2,
        _ => false,
    }
}

/// Returns true if the byte `b` at `at` closes a group of words that the same character opens on the
/// line.
fn is_closed(window: &Window<'_>, at: usize, b: u8) -> bool {
    let opener = Opener::of(window, at);
    opener.opens_group(b) || opener.has_url_after(b)
}

/// Returns true if the host that ends at `at` is incomplete: it continues after a bracketed character
/// (`http://h[.]org/`), an ellipsis replaces its rest, or a browser reads `℀` as `a/c`.
fn is_partial(window: &Window<'_>, at: usize) -> bool {
    bracketed_at(window, at).is_some_and(|bracketed| matches!(bracketed.means, "." | ":"))
        || matches!(char_at(window, at), Some('…' | '\u{2100}'..='\u{214F}'))
}

/// Returns true if no colon or a valid port follows the host that ends at `host`. Otherwise,
/// returns true if the grammar accepts `url`, which ends at `end`: it may read another host in
/// `http://h.org:80{@/`.
#[inline]
pub(super) fn is_sound(window: &Window<'_>, host: usize, end: usize, url: &[u8]) -> bool {
    let has_port = match window.ahead(host.min(end)..end) {
        [b':', port @ ..] => {
            let digits = port.iter().take_while(|b| b.is_ascii_digit()).count();
            matches!(port.get(digits), None | Some(b'/' | b'?' | b'#'))
        }
        _ => true,
    };
    has_port || grammar::assess(url).is_ok()
}

/// Returns the number of labels in a host.
///
/// # Errors
///
/// The offset of the first byte of a label that is empty or starts with a hyphen; the length if no
/// label contains a letter or digit.
fn labels(host: &[u8]) -> Result<usize, usize> {
    let (mut labels, mut wordy, mut before) = (1, false, b'.');
    for (at, &byte) in host.iter().enumerate() {
        match byte {
            b'.' | b'-' if before == b'.' => return Err(at),
            b'.' => labels += 1,
            b'-' | b'_' => {}
            _ => wordy = true,
        }
        before = byte;
    }
    if wordy && before != b'.' { Ok(labels) } else { Err(host.len()) }
}

/// The start of `url` with the scheme that ends at `colon`, if `url` would match in free text as
/// well, or is a telephone number between delimiters.
pub(super) fn rule_met(url: &[u8], colon: usize, schemes: &Schemes) -> Option<Start> {
    let rest = &url[colon + 1..];
    match schemes.rule_of(&url[..colon]) {
        _ if rest.starts_with(b"//") => Some(Start::Open(colon + 3)),
        None => None,
        Some(SchemeRule::Phone | SchemeRule::Number) => {
            let number = rest.strip_prefix(b"+").or(rest.strip_prefix(b"-")).unwrap_or(rest);
            number.first().is_some_and(u8::is_ascii_digit).then_some(Start::Open(colon + 1))
        }
        Some(SchemeRule::Delimited) => rest
            .first()
            .is_some_and(|&b| b == b'+' || b.is_ascii_alphanumeric())
            .then_some(Start::Open(colon + 1)),
        Some(SchemeRule::Group) if rest == b"*" => Some(Start::Closed(url.len(), url.len())),
        rule => {
            let reader =
                AuthorityReader { window: &Window::whole(url), limit: url.len(), options: &ANY_TEXT };
            reader.after_colon(colon, rule)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: TextOptions =
        TextOptions { iri: Iri::Ascii, cells: None, width: None, simd: Simd::generic() };

    /// The part of `text` that shows that it is a URL.
    fn start(text: &str) -> Option<&str> {
        let colon = text.find(':').unwrap();
        let schemes = Schemes::default();
        let rule = schemes.rule_of(&text.as_bytes()[..colon]);
        let reader =
            AuthorityReader { window: &Window::whole(text.as_bytes()), limit: text.len(), options: &OPTIONS };
        match reader.after_colon(colon, rule)? {
            Start::Open(end) | Start::Closed(end, _) => Some(&text[..end]),
        }
    }

    #[test]
    fn a_host_ends_where_it_must() {
        assert_eq!(start("http://h.org/a"), Some("http://h.org"));
        assert_eq!(start("http://h.org[1]"), Some("http://h.org"));
        assert_eq!(start("http://h.org..."), Some("http://h.org"));
        assert_eq!(start("http://h.org./a"), Some("http://h.org."));
        assert_eq!(start("http://h.org.:80/"), Some("http://h.org."));
        assert_eq!(start("http://h.org../a"), None);
        assert_eq!(start("http://h.org..:80/"), None);
        assert_eq!(start("http://h.org..?a"), None);
        assert_eq!(start("http://h.org-"), Some("http://h.org"));
        assert_eq!(start("http://h.org_"), Some("http://h.org"));
        assert_eq!(start("http://[::1]:80/a"), Some("http://[::1]"));
        assert_eq!(start("ftp://u:p@h.org:21/"), Some("ftp://u:p@h.org"));
        assert_eq!(start("ftp://@host.com/"), Some("ftp://@host.com"));
        assert_eq!(start("ftp://me@work.com@h.org/"), Some("ftp://me@work.com@h.org"));
        assert_eq!(start("http://h.org@{bold}"), Some("http://h.org"));
        assert_eq!(start("http://user@$host/"), None);
        assert_eq!(start("http://h.org:Title"), Some("http://h.org"));
        assert_eq!(start("http://h.org:80's"), Some("http://h.org:80"));
        assert_eq!(start("http://[::1]:80x"), Some("http://[::1]:80"));
        assert_eq!(start("git+ssh://git@h.org:npm/cli.git"), Some("git+ssh://git@h.org:npm"));
        assert_eq!(start("http://www[.]h.org/"), None);
        assert_eq!(start("http://a.c℀.h.org/"), None);
        assert_eq!(start("http://h.org[1]"), Some("http://h.org"));
    }

    #[test]
    fn a_host_may_have_escapes() {
        assert_eq!(start("http://%77ww.h%2Eorg/a"), Some("http://%77ww.h%2Eorg"));
        assert_eq!(start("http://www.a.org@%68.org"), Some("http://www.a.org@%68.org"));
        assert_eq!(start("mailto:a@us%2Djapan.org?b"), Some("mailto:a@us%2Djapan.org"));
        assert_eq!(start("mailto:a@h.org%20(A)"), Some("mailto:a@h.org"));
        assert_eq!(start("http://h.org%2Fa"), Some("http://h.org"));
        assert_eq!(start("http://%s.h.org/"), None);
        assert_eq!(start("http://h%20x"), None);
        assert_eq!(start("http://%7"), None);
    }

    #[test]
    fn authorities_of_other_schemes() {
        for (text, expected) in [
            ("kafka://k1:9092,k2:9092", "kafka://k1:9092,k2:9092"),
            ("db://u:p@h1.org:1,h2.org/a", "db://u:p@h1.org:1,h2.org"),
            ("db://h1.org:1,h2,", "db://h1.org:1"),
            ("db://h1.org:1,h2/a", "db://h1.org:1"),
            ("db://h1.org:1,h2?a", "db://h1.org:1"),
            ("db://h1.org:1,h2:2/a", "db://h1.org:1,h2:2"),
            ("db://h1.org:1,h2.org?a", "db://h1.org:1,h2.org"),
            ("db://h1.org:1,h2.org", "db://h1.org:1"),
            ("db://h1.org,h2.org/a", "db://h1.org,h2.org"),
            ("db://h1.org,h2.org,h3.org/a", "db://h1.org,h2.org,h3.org"),
            ("db://h1.org,h2.org,h3/a", "db://h1.org"),
            ("db://h1,h2:2", "db://h1,h2:2"),
            ("git+http://h1.org,h2.org/a", "git+http://h1.org"),
            ("docker://nginx:latest.", "docker://nginx:latest"),
            ("file://ab:cd:ef:12/a", "file://ab:cd:ef:12"),
            ("db://u:p@name:port/a", "db://u:p@name:port"),
            ("db://h: x", "db://h"),
            ("see-http://h.org:a", "see-http://h.org"),
            ("http://h.org:80,g.org:80/", "http://h.org:80"),
        ] {
            assert_eq!(start(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_million_hosts() {
        let text = format!("db://h:1{}", ",h:1".repeat(1_000_000));
        assert_eq!(start(&text), Some(&*text));
    }

    #[test]
    fn zones_of_addresses() {
        assert_eq!(start("http://[fe80::a%25eth0]/"), Some("http://[fe80::a%25eth0]"));
        assert_eq!(start("http://[fe80::a%eth0]:80/"), Some("http://[fe80::a%eth0]"));
        assert_eq!(start("http://[fe80::a%]/"), None);
    }

    #[test]
    fn variables_after_a_host() {
        for text in [
            "http://h.org$path",
            "http://h.org{path}/a",
            "http://h.org:{port}/",
            "http://h.org:$port/",
            "http://h.org\\$!:a",
            "http://h.org${a}",
            "http://u:$pw@h.org/",
            "http://$u@h.org/",
        ] {
            assert_eq!(start(text), None, "{text}");
        }
        assert_eq!(start("http://h.org$"), Some("http://h.org"));
        assert_eq!(start("http://h.org{a b}"), Some("http://h.org"));
    }

    #[test]
    fn labels_are_counted() {
        for (host, expected) in [
            ("h", Some(1)),
            ("h.org", Some(2)),
            ("a-.b", Some(2)),
            ("_a", Some(1)),
            ("a.b.c.d.e.f", Some(6)),
            ("12345678.a", Some(2)),
            ("", None),
            ("a..b", None),
            (".a", None),
            ("a.", None),
            ("-a.b", None),
            ("a.-b", None),
            ("1234567.-", None),
            ("__", None),
        ] {
            assert_eq!(labels(host.as_bytes()).ok(), expected, "{host}");
        }
        for (host, flaw) in [("", 0), ("a..b", 2), (".a", 0), ("a.", 2), ("-a.b", 0), ("a.-b", 2), ("__", 2)]
        {
            assert_eq!(labels(host.as_bytes()), Err(flaw), "{host}");
        }
    }

    /// The offset of the byte for which the URL `text` has no host.
    #[test]
    fn the_byte_that_no_host_has() {
        for (text, flaw) in [
            ("http://", 7),
            ("http:///", 7),
            ("http://-h.org/", 7),
            ("http://a..b/", 9),
            ("http://a.-b/", 9),
            ("http://[1]/", 7),
            ("http://h{a}", 8),
            ("http://user@$host/", 12),
            ("http://u@-h.org/", 9),
        ] {
            let window = &Window::whole(text.as_bytes());
            let reader = AuthorityReader { window, limit: text.len(), options: &OPTIONS };
            assert_eq!((start(text), reader.host_flaw(4)), (None, flaw), "{text}");
        }
    }

    #[test]
    fn no_host_at_all() {
        for text in [
            "http://",
            "http:///",
            "http://.",
            "http://--",
            "http://-h.org",
            "http://a..b/",
            "http://[1]/",
            "http://[12:30]",
            "std://",
        ] {
            assert_eq!(start(text), None, "{text}");
        }
    }

    #[test]
    fn one_label_may_be_a_piece_of_a_program() {
        assert_eq!(start("http://box:8080"), Some("http://box:8080"));
        assert_eq!(start("http://intranet,"), Some("http://intranet"));
        for text in [
            "http://www.\"",
            "http://groups\\.h",
            "http://h{a}",
            "http://h:%d/",
            "http://www.$x",
            "http://ssl.'",
        ] {
            assert_eq!(start(text), None, "{text}");
        }
    }

    #[test]
    fn schemes_without_slashes() {
        assert_eq!(start("mailto:a.b@h.org."), Some("mailto:a.b@h.org"));
        assert_eq!(start("mailto:a@h.org?subject=x"), Some("mailto:a@h.org"));
        assert_eq!(start("news:comp.lang.c++,"), Some("news:comp.lang.c++"));
        assert_eq!(start("news:1994Nov1.123@h.org"), Some("news:1994Nov1.123@h.org"));
        assert_eq!(start("news:everyone"), None);
        assert_eq!(start("file:///"), Some("file:///"));
        assert_eq!(start("file:/etc"), Some("file:/"));
        assert_eq!(start("file:/"), None);
        assert_eq!(start("urn:isbn:0451450523"), Some("urn:isbn:"));
        assert_eq!(start("tel:+44"), Some("tel:+4"));
        assert_eq!(start("tel:44"), None);
        assert_eq!(start("sms:+44"), None);
        assert_eq!(start("doi:10.1000/182"), Some("doi:10."));
        assert_eq!(start("doi:later"), None);
        assert_eq!(start("sip:a@h.org:5060;x=y"), Some("sip:a@h.org:5060"));
        assert_eq!(start("sip:a@h.org; x"), Some("sip:a@h.org"));
        // A port has a digit (RFC 3261 §25.1).
        assert_eq!(start("sip:a@h.org:"), Some("sip:a@h.org"));
        assert_eq!(start("sip:a@h.org:;x=y"), Some("sip:a@h.org"));
        assert_eq!(start("sip:a@h.org:?x=y"), Some("sip:a@h.org"));
        assert_eq!(start("sip:a@h.org:x"), Some("sip:a@h.org"));
        assert_eq!(start("sip:a@h.org:5"), Some("sip:a@h.org:5"));
    }
}

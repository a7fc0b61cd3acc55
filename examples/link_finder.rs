//! The interface of the crate linkify, implemented with this crate. A program that uses linkify changes one line,
//! `use linkify::{LinkFinder, LinkKind};`.
//!
//! `cargo run --features domains --example link_finder <text.txt`
//!
//! It passes 77 of linkify's 82 tests, and all 145 tests of lychee, which uses linkify, that extract links. Differences:
//!
//! - A delimited URL that is broken across lines is one link, whose text contains the line breaks.
//! - The brackets of `<URL:…>` and the closing punctuation of Markdown, quotations and tables do not belong to a link.
//! - With `url_can_be_iri(false)`, a host that contains other characters than ASCII is not a link: `¡¢example.com`.
//! - `'` ends a host: `https://a.com'https://b.com` is two links, `https://h.org'a@h.org` has no user, and `x://1'2`
//!   contains the link `x://1`.
//! - An email address begins with a letter or a digit; punctuation such as `{` and `|` before it does not belong to it.
//! - Without a scheme, a name is a link if it ends in a public suffix (feature `domains`).
//! - The text is searched 64 KiB at a time.
//!
//! As in linkify, a link contains `//` or is an email address, without `mailto:`. Links that only linkify recognises are
//! added here, and not in the library: see [`LinkFinder::between`] and [`accepts`].

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::ops::Range;

use urlgrep::{Finder, Match, Scanner, Schemeless};

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    print(&text, &mut io::stdout().lock())
}

/// Prints the links of a text and their kinds.
pub fn print(text: &str, out: &mut impl Write) -> io::Result<()> {
    for link in LinkFinder::new().links(text) {
        writeln!(out, "{:?} {}", link.kind(), link.as_str())?;
    }
    Ok(())
}

/// The kind of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkKind {
    /// `http://h.org/`
    Url,
    /// `a@h.org`
    Email,
}

/// A link in a text.
#[derive(Debug)]
pub struct Link<'t> {
    text: &'t str,
    range: Range<usize>,
    kind: LinkKind,
}

impl<'t> Link<'t> {
    /// Where it starts.
    pub fn start(&self) -> usize {
        self.range.start
    }

    /// Where it ends, exclusive.
    pub fn end(&self) -> usize {
        self.range.end
    }

    /// Its text.
    pub fn as_str(&self) -> &'t str {
        &self.text[self.range.clone()]
    }

    /// Its kind.
    pub fn kind(&self) -> &LinkKind {
        &self.kind
    }
}

/// A link, or the text between two.
#[derive(Debug)]
pub struct Chunk<'t> {
    text: &'t str,
    range: Range<usize>,
    kind: Option<LinkKind>,
}

impl<'t> Chunk<'t> {
    /// Where it starts.
    pub fn start(&self) -> usize {
        self.range.start
    }

    /// Where it ends, exclusive.
    pub fn end(&self) -> usize {
        self.range.end
    }

    /// Its text.
    pub fn as_str(&self) -> &'t str {
        &self.text[self.range.clone()]
    }

    /// The kind of the link, if it is one.
    pub fn kind(&self) -> Option<&LinkKind> {
        self.kind.as_ref()
    }
}

/// Finds links.
#[derive(Clone, Debug)]
pub struct LinkFinder {
    finder: Finder,
    email: bool,
    email_domain_must_have_dot: bool,
    url: bool,
    url_must_have_scheme: bool,
    url_can_be_iri: bool,
}

impl Default for LinkFinder {
    fn default() -> LinkFinder {
        LinkFinder::new()
    }
}

impl LinkFinder {
    /// A finder of URLs with a scheme, and of mail addresses.
    pub fn new() -> LinkFinder {
        let mut finder = LinkFinder {
            finder: Finder::new(),
            email: true,
            email_domain_must_have_dot: true,
            url: true,
            url_must_have_scheme: true,
            url_can_be_iri: true,
        };
        finder.build();
        finder
    }

    /// Sets whether the domain of an email address must contain a dot: if true, `a@localhost` is not a link.
    pub fn email_domain_must_have_dot(&mut self, value: bool) -> &mut LinkFinder {
        self.email_domain_must_have_dot = value;
        self
    }

    /// Sets whether a URL must have a scheme: if true, `h.org/a` is not a link.
    pub fn url_must_have_scheme(&mut self, value: bool) -> &mut LinkFinder {
        self.url_must_have_scheme = value;
        self.build();
        self
    }

    /// Sets whether a URL may contain non-ASCII characters.
    pub fn url_can_be_iri(&mut self, value: bool) -> &mut LinkFinder {
        self.url_can_be_iri = value;
        self.build();
        self
    }

    /// Limits the links to these kinds.
    pub fn kinds(&mut self, kinds: &[LinkKind]) -> &mut LinkFinder {
        (self.email, self.url) = (kinds.contains(&LinkKind::Email), kinds.contains(&LinkKind::Url));
        self.build();
        self
    }

    fn build(&mut self) {
        let iri = if self.url_can_be_iri { urlgrep::Iri::All } else { urlgrep::Iri::Ascii };
        let hosts = [Schemeless::Hosts, Schemeless::AllDomains];
        let builder = Finder::builder()
            .iri(iri)
            .schemeless(self.email.then_some(Schemeless::Emails))
            .schemeless(hosts.into_iter().filter(|_| !self.url_must_have_scheme));
        self.finder = builder.build().expect("these options are always valid");
    }

    /// Returns the links of a text.
    pub fn links<'t>(&self, text: &'t str) -> Links<'t> {
        let (scanner, found) = (self.finder.scanner(), VecDeque::new());
        Links { finder: self.clone(), text, scanner: Some(scanner), read: 0, found, at: 0 }
    }

    /// Returns the links of a text, and the text between them.
    pub fn spans<'t>(&self, text: &'t str) -> Chunks<'t> {
        Chunks { text, at: 0, links: self.links(text), next: None }
    }

    /// Returns the link of a match, or `None` if linkify would not return one.
    fn link<'t>(&self, text: &'t str, matched: &Match<'_>) -> Option<Link<'t>> {
        let mut pieces = matched.pieces().map(|piece| piece.start as usize..piece.end as usize);
        let first = pieces.next()?;
        let range = first.start..pieces.last().map_or(first.end, |last| last.end);
        let url = &text[range.clone()];
        if matched.scheme() == "mailto" {
            let start = range.start + if url.starts_with("mailto:") { "mailto:".len() } else { 0 };
            // The link of `mailto:a@h.org,b@h.org?subject=c` is the first email address.
            let end = text[start..range.end].find(['?', ',']).map_or(range.end, |len| start + len);
            let domain = text[start..end].rsplit('@').next()?;
            let is_link = self.email && (domain.contains('.') || !self.email_domain_must_have_dot);
            return is_link.then_some(Link { text, range: start..end, kind: LinkKind::Email });
        }
        let has_slashes = url.contains("://") || !url.contains(':') || !self.url_must_have_scheme;
        let range = range.start..end(text, &range);
        let is_link = self.url && has_slashes && accepts(&text[range.clone()]);
        is_link.then_some(Link { text, range, kind: LinkKind::Url })
    }

    /// Appends the links that only linkify recognises, in the text between two matches: an IPv4 address without a scheme;
    /// any host, or no host, after an unknown scheme and `//`; and email addresses without a dot, or after a dot.
    fn between<'t>(&self, text: &'t str, range: Range<usize>, found: &mut VecDeque<Link<'t>>) {
        let mut at = range.start;
        for (place, mark) in text[range.clone()].match_indices([':', '@', '.']) {
            let place = range.start + place;
            let (link, kind) = match mark {
                "@" if self.email => {
                    (address(text, place, !self.email_domain_must_have_dot), LinkKind::Email)
                }
                ":" if self.url => (unknown(text, place), LinkKind::Url),
                "." if self.url && !self.url_must_have_scheme => (numbers(text, place), LinkKind::Url),
                _ => continue,
            };
            let Some(link) = link.filter(|link| at <= link.start && link.end <= range.end) else { continue };
            at = link.end;
            found.push_back(Link { text, range: link, kind });
        }
    }
}

/// The number of bytes that are searched at a time.
const READ: usize = 1 << 16;

/// The punctuation that ends a sentence, or emphasis.
const MARKS: &[char] = &['.', ',', ':', ';', '?', '!', '*'];

/// Returns the offset at which linkify ends a URL that the library matched at `range`: before `*`, before a hyphen after
/// the host, and after pairs of `'` if no `'` is open before it.
fn end(text: &str, range: &Range<usize>) -> usize {
    let url = &text[range.clone()];
    let host = authority(url);
    if host.ends_with('-') {
        let before = url.find("://").map_or(0, |at| at + "://".len());
        return range.start + before + host.trim_end_matches('-').len();
    }
    if url.ends_with('*') {
        return range.start + url.trim_end_matches(MARKS).len();
    }
    let quotes = text[range.end..].bytes().take_while(|byte| *byte == b'\'').count();
    let is_open = text[..range.start].ends_with('\'') || url.matches('\'').count() % 2 == 1;
    range.end + if is_open { 0 } else { quotes / 2 * 2 }
}

/// Returns the user, host and port of a URL.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Returns true if linkify accepts the authority of a URL: it contains at most one `@`, no label begins or ends with a
/// hyphen, and the last label is a number only in an IPv4 address.
fn accepts(url: &str) -> bool {
    let authority = authority(url);
    let host = authority.rsplit('@').next().unwrap_or_default();
    if host.starts_with('[') {
        return true;
    }
    let labels: Vec<&str> =
        host.split(':').next().unwrap_or_default().trim_end_matches('.').split('.').collect();
    let is_number = |label: &&str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit());
    let is_address = labels.len() == 4 && labels.iter().all(&is_number);
    let ends_in_number = labels.len() > 1 && labels.last().is_some_and(is_number);
    authority.matches('@').count() < 2
        && labels.iter().all(|label| !label.starts_with('-') && !label.ends_with('-'))
        && (is_address || !ends_in_number)
}

/// Returns the URL of an unknown scheme whose colon is at `colon`, and whose host the library rejects, because it starts
/// with punctuation or a digit.
fn unknown(text: &str, colon: usize) -> Option<Range<usize>> {
    let rest = text[colon..].strip_prefix("://")?;
    let name = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let scheme =
        text[..colon].rsplit(|c| !name(c)).next()?.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let start = colon - scheme.len();
    let is_known = ["http", "https", "ftp", "ssh"].contains(&scheme);
    let is_cut = text[..start].ends_with(|c: char| c.is_ascii_digit() || c == '@');
    let is_host = !rest.starts_with(|c: char| c.is_ascii_digit() || c == '+' || c == '.');
    let end = rest
        .find(|c: char| c.is_whitespace() || c.is_control() || "<>\"'`|{}\\^".contains(c))
        .unwrap_or(rest.len());
    let url = rest[..end].trim_end_matches(MARKS);
    let is_link = !scheme.is_empty() && !is_known && !is_cut && !is_host && !url.is_empty();
    is_link.then_some(start..colon + "://".len() + url.len())
}

/// Returns the IPv4 address whose first dot is at `dot`, with a port and a path.
fn numbers(text: &str, dot: usize) -> Option<Range<usize>> {
    let start = text[..dot].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let len = text[start..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len() - start);
    let host = text[start..start + len].trim_end_matches('.');
    let is_number = |part: &str| (1..=3).contains(&part.len());
    let is_address = host.split('.').count() == 4 && host.split('.').all(is_number);
    let rest = &text[start + host.len()..];
    let is_part = |c: char| c.is_alphanumeric() || "@-_./:".contains(c);
    let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || "@-_".contains(c));
    if !is_address || goes_on || text[..start].ends_with(is_part) {
        return None;
    }
    let is_end = |c: char| c.is_whitespace() || c.is_control() || "<>()[]{}\"'`|\\^".contains(c);
    let path = if rest.starts_with(['/', ':', '?']) { rest.find(is_end).unwrap_or(rest.len()) } else { 0 };
    let path = rest[..path].trim_end_matches(MARKS);
    Some(start..start + host.len() + path.len())
}

/// Returns the email address whose `@` is at `at`.
fn address(text: &str, at: usize, may_be_dotless: bool) -> Option<Range<usize>> {
    let is_atom = |c: char| c.is_alphanumeric() || "_%+-".contains(c);
    let mut user = text[..at].rsplit(|c| !is_atom(c) && c != '.').next()?;
    // The user starts after the last two dots in a row, and neither begins nor ends with a dot.
    user = user.rsplit("..").next()?.trim_start_matches('.');
    let start = at - user.len();
    let rest = &text[at + 1..];
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '.').unwrap_or(rest.len());
    let domain = rest[..end].trim_end_matches(['.', '-']);
    let labels: Vec<&str> = domain.split('.').collect();
    let is_label = |label: &&str| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-');
    let suffix = labels.last()?.chars().take_while(char::is_ascii_alphabetic).count();
    let is_domain = labels.iter().all(is_label) && if labels.len() > 1 { suffix > 1 } else { may_be_dotless };
    let is_alone = !text[..start].ends_with('@') && !rest[domain.len()..].starts_with('@');
    (!user.is_empty() && !user.ends_with('.') && is_domain && is_alone)
        .then_some(start..at + 1 + domain.len())
}

/// The links of a text, in order.
#[derive(Debug)]
pub struct Links<'t> {
    finder: LinkFinder,
    text: &'t str,
    /// `None` after the end of the text.
    scanner: Option<Scanner>,
    /// The number of bytes that were searched.
    read: usize,
    /// Links that were found and not yet yielded.
    found: VecDeque<Link<'t>>,
    /// The end of the last match.
    at: usize,
}

impl<'t> Links<'t> {
    /// Searches the next part of the text; at the end of the text, the bytes that the scanner still holds.
    fn search(&mut self, scanner: &mut Scanner) {
        let Links { finder, text, read, found, at, .. } = self;
        let each = |matched: Match<'_>| {
            let span = matched.span();
            let link = finder.link(text, &matched).filter(|link| link.start() >= *at);
            finder.between(text, *at..link.as_ref().map_or(span.start as usize, Link::start).max(*at), found);
            *at = link.as_ref().map_or(span.end as usize, Link::end).max(*at);
            found.extend(link);
        };
        let end = text.len().min(*read + READ);
        if *read == end {
            scanner.finish(each);
            finder.between(text, *at..text.len(), found);
        } else {
            scanner.push(&text.as_bytes()[*read..end], each);
            *read = end;
        }
    }
}

impl<'t> Iterator for Links<'t> {
    type Item = Link<'t>;

    fn next(&mut self) -> Option<Link<'t>> {
        while self.found.is_empty() {
            let mut scanner = self.scanner.take()?;
            let is_end = self.read == self.text.len();
            self.search(&mut scanner);
            self.scanner = Some(scanner).filter(|_| !is_end);
        }
        self.found.pop_front()
    }
}

/// The links of a text and the text between them, in order.
#[derive(Debug)]
pub struct Chunks<'t> {
    text: &'t str,
    /// The end of the last chunk.
    at: usize,
    links: Links<'t>,
    /// The link after the text that was the last chunk.
    next: Option<Link<'t>>,
}

impl<'t> Iterator for Chunks<'t> {
    type Item = Chunk<'t>;

    fn next(&mut self) -> Option<Chunk<'t>> {
        let link = self.next.take().or_else(|| self.links.next());
        let (range, kind) = match link {
            Some(link) if link.start() > self.at => {
                let range = self.at..link.start();
                self.next = Some(link);
                (range, None)
            }
            Some(link) => (link.range, Some(link.kind)),
            None if self.at < self.text.len() => (self.at..self.text.len(), None),
            None => return None,
        };
        self.at = range.end;
        Some(Chunk { text: self.text, range, kind })
    }
}

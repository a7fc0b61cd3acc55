//! The types of the crate linkify over this one, for a program that uses those: it changes one line,
//! `use linkify::{LinkFinder, LinkKind};`.
//!
//! `cargo run --features domains --example link_finder <text.txt`
//!
//! Of the 82 tests of linkify 77 pass, and of lychee, which uses it, all 145 that extract links. What differs:
//!
//! - A URL that lines break between delimiters is a single link, whose text has the line breaks in it.
//! - The brackets of `<URL:…>` and the closing marks of Markdown, quotations and tables are no part of a link.
//! - A host is in one script, whole or not at all: `¡¢example.com` is no link with `url_can_be_iri(false)`.
//! - `'` ends a host: `https://a.com'https://b.com` is two links, `https://h.org'a@h.org` has no user, and of `x://1'2` the
//!   link is `x://1`.
//! - An address begins with a letter or a digit, and marks such as `{` and `|` before it are not in it.
//! - Without a scheme, a name is a link if its suffix is one of the public suffix list (feature `domains`).
//! - The links of 64 KiB are searched at a time.
//!
//! As in linkify, a link has `//` or is a mail address, without `mailto:`. What only linkify takes for a link is added
//! here, and not in the library: see [`LinkFinder::between`] and [`accepts`].

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::ops::Range;

use urlgrep::{Finder, Match, Scanner, Schemeless};

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    print(&text, &mut io::stdout().lock())
}

/// Prints the links of a text, and what kind each is.
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

    /// Whether `a@localhost` is no link.
    pub fn email_domain_must_have_dot(&mut self, value: bool) -> &mut LinkFinder {
        self.email_domain_must_have_dot = value;
        self
    }

    /// Whether `h.org/a` is no link.
    pub fn url_must_have_scheme(&mut self, value: bool) -> &mut LinkFinder {
        self.url_must_have_scheme = value;
        self.build();
        self
    }

    /// Whether a URL may have characters beyond ASCII.
    pub fn url_can_be_iri(&mut self, value: bool) -> &mut LinkFinder {
        self.url_can_be_iri = value;
        self.build();
        self
    }

    /// Only these kinds are links.
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

    /// The links of a text.
    pub fn links<'t>(&self, text: &'t str) -> Links<'t> {
        let (scanner, found) = (self.finder.scanner(), VecDeque::new());
        Links { finder: self.clone(), text, scanner: Some(scanner), read: 0, found, at: 0 }
    }

    /// The links of a text, and the text between them.
    pub fn spans<'t>(&self, text: &'t str) -> Chunks<'t> {
        Chunks { text, at: 0, links: self.links(text), next: None }
    }

    /// The link that a match is, if it is one.
    fn link<'t>(&self, text: &'t str, matched: &Match<'_>) -> Option<Link<'t>> {
        let mut pieces = matched.pieces().map(|piece| piece.start as usize..piece.end as usize);
        let first = pieces.next()?;
        let range = first.start..pieces.last().map_or(first.end, |last| last.end);
        let url = &text[range.clone()];
        if matched.scheme() == "mailto" {
            let start = range.start + if url.starts_with("mailto:") { "mailto:".len() } else { 0 };
            // Of mailto:a@h.org,b@h.org?subject=c it is the first address.
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

    /// What only linkify takes for a link, in text between two matches: numbers instead of a host, without a scheme; any name,
    /// or none, after an unknown scheme and `//`; and addresses without a dot, or after one.
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

/// How much is searched at a time.
const READ: usize = 1 << 16;

/// What ends a sentence, or emphasis.
const MARKS: &[char] = &['.', ',', ':', ';', '?', '!', '*'];

/// Where the link ends of a URL that the library matched at `range`: before `*`, before a hyphen after the host, and after
/// pairs of `'` if no such mark is before it.
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

/// User, host and port of a URL.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Whether linkify takes the authority of a URL for one: with one `@` at most, labels that no hyphen begins or ends, and a last
/// label that is a number only in an address of four.
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

/// The URL of a scheme that is not one of the web's, whose colon is at `colon`, and whose host is none: it starts with a mark
/// or a digit.
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

/// The four numbers whose first dot is at `dot`, with a port and a path.
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

/// The mail address whose `@` is at `at`.
fn address(text: &str, at: usize, may_be_dotless: bool) -> Option<Range<usize>> {
    let is_atom = |c: char| c.is_alphanumeric() || "_%+-".contains(c);
    let mut user = text[..at].rsplit(|c| !is_atom(c) && c != '.').next()?;
    // After the last two dots, and no dot at an end.
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

/// The links of a text, in their order.
#[derive(Debug)]
pub struct Links<'t> {
    finder: LinkFinder,
    text: &'t str,
    /// `None` after the end of the text.
    scanner: Option<Scanner>,
    /// How much of the text was searched.
    read: usize,
    /// Links that were found and not yet yielded.
    found: VecDeque<Link<'t>>,
    /// The end of the last match.
    at: usize,
}

impl<'t> Links<'t> {
    /// Searches more of the text; at its end, all that is left.
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

/// The links of a text and what is between them, in their order.
#[derive(Debug)]
pub struct Chunks<'t> {
    text: &'t str,
    /// The end of the last span.
    at: usize,
    links: Links<'t>,
    /// The link after the text that was the last span.
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

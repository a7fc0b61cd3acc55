//! The types of the crate linkify over this one, for a program that uses those: it changes one line,
//! `use linkify::{LinkFinder, LinkKind};`.
//!
//! `cargo run --features domains --example link_finder <text.txt`
//!
//! What differs is what the text says: a URL ends where a careful reader would end it. So one that lines break between
//! delimiters is a single link, whose text has the line breaks in it; the brackets of `<URL:…>` and the closing marks
//! of Markdown, quotations and tables are no part of a link; `'` and `*` at its end are not either; and a host is not cut
//! where another script follows. Without a scheme, an IPv4 address is no link, nor is a mail address without a dot. As
//! in linkify, a link has `//` or is a mail address, without `mailto:`.

use std::io::{self, Read, Write};
use std::ops::Range;

use urlgrep::{FindIter, Finder, Match};

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
pub struct Span<'t> {
    text: &'t str,
    range: Range<usize>,
    kind: Option<LinkKind>,
}

impl<'t> Span<'t> {
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
        let builder = Finder::builder().addresses(self.email).hosts(!self.url_must_have_scheme).iri(iri);
        #[cfg(feature = "domains")]
        let builder = match self.url_must_have_scheme {
            true => builder,
            false => builder.domains(urlgrep::Domains::All),
        };
        self.finder = builder.build().expect("these options are always valid");
    }

    /// The links of a text.
    pub fn links<'f, 't>(&'f self, text: &'t str) -> Links<'f, 't> {
        Links { finder: self, text, matches: self.finder.find_iter(text) }
    }

    /// The links of a text, and the text between them.
    pub fn spans<'f, 't>(&'f self, text: &'t str) -> Spans<'f, 't> {
        Spans { text, at: 0, links: self.links(text), next: None }
    }

    /// The link that a match is, if it is one.
    fn link<'t>(&self, text: &'t str, matched: &Match<'_>) -> Option<Link<'t>> {
        let mut pieces = matched.ranges();
        let first = pieces.next()?;
        let range = first.start..pieces.last().map_or(first.end, |last| last.end);
        let url = &text[range.clone()];
        if matched.scheme() == "mailto" {
            let start = range.start + if url.starts_with("mailto:") { "mailto:".len() } else { 0 };
            let domain = text[start..range.end].rsplit('@').next()?;
            let is_link = self.email && (domain.contains('.') || !self.email_domain_must_have_dot);
            return is_link.then_some(Link { text, range: start..range.end, kind: LinkKind::Email });
        }
        let has_slashes = url.contains("://") || !url.contains(':') || !self.url_must_have_scheme;
        (self.url && has_slashes).then_some(Link { text, range, kind: LinkKind::Url })
    }
}

/// The links of a text, in their order.
#[derive(Debug)]
pub struct Links<'f, 't> {
    finder: &'f LinkFinder,
    text: &'t str,
    matches: FindIter<'f, 't>,
}

impl<'t> Iterator for Links<'_, 't> {
    type Item = Link<'t>;

    fn next(&mut self) -> Option<Link<'t>> {
        self.matches.by_ref().find_map(|matched| self.finder.link(self.text, &matched))
    }
}

/// The links of a text and what is between them, in their order.
#[derive(Debug)]
pub struct Spans<'f, 't> {
    text: &'t str,
    /// The end of the last span.
    at: usize,
    links: Links<'f, 't>,
    /// The link after the text that was the last span.
    next: Option<Link<'t>>,
}

impl<'t> Iterator for Spans<'_, 't> {
    type Item = Span<'t>;

    fn next(&mut self) -> Option<Span<'t>> {
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
        Some(Span { text: self.text, range, kind })
    }
}

//! Caches the output for earlier matches, because printing a match usually takes longer than
//! finding it, and much of the output repeats the output for previous matches.
//!
//! All matches must be printed in one format.

use std::ops::Range;

use urlgrep::table::{Head, Row, Scope};

use crate::sheet::Sheet;
use crate::spelling::Spelling;
use crate::view::View;

/// A cache that is kept from match to match.
#[derive(Debug, Default)]
pub struct Memo {
    /// The header of the last match's message, which must be cleared before the message's memory is reused.
    pub head: Head,
    /// The output for it.
    head_texts: Texts,
    /// The URLs that were printed last. Each has one position; the next one there replaces it.
    ///
    /// Most messages of a list have the same links in their footer: in a large archive, more than half of
    /// the matches repeat one of the previous few hundred URLs. Parsing and grading a URL takes a quarter of
    /// the time of a match.
    urls: Vec<UrlText>,
}

impl Memo {
    /// Prints a match by `print`, which writes the steps of a format.
    pub(crate) fn print(&mut self, out: &mut Sheet, view: &View<'_>, print: impl FnOnce(&mut Writer<'_>)) {
        let Memo { head, head_texts, urls } = self;
        if head.read(view.matched) {
            head_texts.clear();
        }
        let href = view.matched.href();
        let implied = href.len() - view.matched.as_bytes().len();
        urls.resize_with(URLS, UrlText::default);
        let url = &mut urls[cache_slot(&href)];
        if url.href != *href || url.implied != implied {
            url.texts.clear();
            url.href.clear();
            url.href.extend_from_slice(&href);
            url.implied = implied;
        }
        print(&mut Writer { out, row: &view.row(head), spelling: view.spelling, head_texts, url });
        if url.href.len() > MAX_URL {
            *url = UrlText::default();
        }
    }
}

/// Writes the steps of a match.
pub(crate) struct Writer<'w> {
    pub(crate) out: &'w mut Sheet,
    pub(crate) row: &'w Row<'w>,
    pub(crate) spelling: Spelling,
    head_texts: &'w mut Texts,
    url: &'w mut UrlText,
}

impl Writer<'_> {
    /// Writes a step whose text is the same for all matches of a URL, or else in a message: header
    /// fields are decoded and escaped once. If it has not been written for an earlier match,
    /// `write` does so.
    #[inline]
    pub(crate) fn cached(&mut self, scope: Scope, step: usize, write: impl FnOnce(&mut Self)) {
        let texts = if scope == Scope::Url { &self.url.texts } else { &*self.head_texts };
        if let Some(part) = texts.part(step) {
            return self.out.text.extend_from_slice(part);
        }
        let start = self.out.text.len();
        write(self);
        let texts = if scope == Scope::Url { &mut self.url.texts } else { &mut *self.head_texts };
        texts.remember(step, &self.out.text[start..]);
    }
}

/// The number of URLs that are cached.
const URLS: usize = 256;

/// The maximum length of a URL that is cached, in bytes.
const MAX_URL: usize = 512;

/// The output for a URL, which is the same for all of its matches.
#[derive(Debug, Default)]
struct UrlText {
    /// The URL with its scheme, and the length of the scheme if it is implied.
    href: Vec<u8>,
    implied: usize,
    texts: Texts,
}

/// The texts of the steps of a format.
#[derive(Debug, Default)]
struct Texts {
    text: Vec<u8>,
    /// The range of each step's text; empty if it has not been written.
    parts: Vec<Range<usize>>,
}

/// Returns the cache slot of a URL, by its hash.
fn cache_slot(url: &[u8]) -> usize {
    let mix = |hash: u64, eight: &[u8; 8]| {
        (hash.rotate_left(5) ^ u64::from_le_bytes(*eight)).wrapping_mul(0x517C_C1B7_2722_0A95)
    };
    let (words, _) = url.as_chunks();
    let hash = words.iter().chain(url.last_chunk()).fold(url.len() as u64, mix);
    (hash >> 32) as usize % URLS
}

impl Texts {
    fn clear(&mut self) {
        self.text.clear();
        self.parts.clear();
    }

    /// The text of a step, if it has been written.
    fn part(&self, step: usize) -> Option<&[u8]> {
        let part = self.parts.get(step).filter(|part| !part.is_empty())?;
        Some(&self.text[part.clone()])
    }

    /// Caches the text of a step.
    fn remember(&mut self, step: usize, text: &[u8]) {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.parts.resize(self.parts.len().max(step + 1), 0..0);
        self.parts[step] = start..self.text.len();
    }
}

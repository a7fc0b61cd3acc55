//! What is printed of a URL, whichever of its matches it is.
//!
//! Most messages of a list have the same links in their footer: in a large archive more than half of the
//! matches are of one of the few hundred URLs before. To take these apart and to grade them takes a
//! quarter of the time of a match.

use std::mem;

use super::super::sheet::Sheet;
use super::super::view::View;

/// How many URLs are remembered.
const URLS: usize = 256;

/// The length of the longest URL that is remembered, in bytes.
const LONGEST: usize = 512;

/// The URLs that were printed last. Each has one place; the next one there replaces it.
#[derive(Debug, Default)]
pub struct Urls(Vec<UrlJson>);

/// What is printed of a URL as JSON.
#[derive(Debug, Default)]
pub struct UrlJson {
    /// The URL with its scheme, and the length of that if it is implied.
    href: Vec<u8>,
    implied: usize,
    json: Sheet,
    /// Where its members end, and the grade with its reason. The rest are the warnings.
    ends: (usize, usize),
}

impl Urls {
    /// Removes what is remembered of the URL of a match; [empty](UrlJson::is_empty) if it is nothing.
    pub fn take(&mut self, view: &View<'_>) -> UrlJson {
        let matched = view.hit.matched();
        let href = matched.href();
        let implied = href.len() - matched.as_bytes().len();
        if self.0.is_empty() {
            self.0.resize_with(URLS, UrlJson::default);
        }
        let mut url = mem::take(&mut self.0[place(&href)]);
        if url.href != *href || url.implied != implied {
            url.json.clear();
            url.href.clear();
            url.href.extend_from_slice(&href);
            url.implied = implied;
        }
        url
    }

    /// Remembers a URL.
    pub fn put(&mut self, url: UrlJson) {
        if url.href.len() <= LONGEST {
            let place = place(&url.href);
            self.0[place] = url;
        }
    }
}

/// The place of a URL.
fn place(url: &[u8]) -> usize {
    let mix = |hash: u64, eight: &[u8; 8]| {
        (hash.rotate_left(5) ^ u64::from_le_bytes(*eight)).wrapping_mul(0x517C_C1B7_2722_0A95)
    };
    let (words, _) = url.as_chunks();
    let hash = words.iter().chain(url.last_chunk()).fold(url.len() as u64, mix);
    (hash >> 32) as usize % URLS
}

impl UrlJson {
    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.json.text.is_empty()
    }

    /// Writes the three parts.
    pub fn write(&mut self, parts: [&dyn Fn(&mut Sheet); 3]) {
        let [members, grade, warnings] = parts;
        members(&mut self.json);
        self.ends.0 = self.json.text.len();
        grade(&mut self.json);
        self.ends.1 = self.json.text.len();
        warnings(&mut self.json);
    }

    /// The members that say what the URL is.
    pub fn members(&self) -> &[u8] {
        &self.json.text[..self.ends.0]
    }

    /// The grade, and its reason.
    pub fn grade(&self) -> &[u8] {
        &self.json.text[self.ends.0..self.ends.1]
    }

    /// The warnings.
    pub fn warnings(&self) -> &[u8] {
        &self.json.text[self.ends.1..]
    }
}

//! The URLs within a URL: in its path, its parameters and its fragment, as written, percent-encoded or in base64.
//!
//! A URL in a path is the rest of it with the query, as in `https://web.archive.org/web/2020/http://h.org/?a=b`. A
//! parameter ends at `&`, so a URL there has all of its own parameters only if it is encoded.

use std::ops::Range;

use memchr::memmem;

use super::{ENCODED, as_url, base64, is_target};
use crate::grammar;

/// The number of URLs that may lie in each other, besides the outermost.
const MAX_DEPTH: usize = 3;

/// The beginnings of `http://` and `https://` in base64, up to the first character that depends on the next byte.
const BASE64: [&[u8]; 2] = [b"aHR0cDovL", b"aHR0cHM6Ly"];

/// A URL within another.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NestedUrl {
    pub(crate) url: Vec<u8>,
    /// The bytes of the outermost URL that encode it.
    pub(crate) range: Range<usize>,
}

/// Returns the URLs within `url`, each before the URLs within itself. Runs in time linear in the length.
pub(crate) fn nested(url: &[u8]) -> Vec<NestedUrl> {
    let mut found = Vec::new();
    // Most URLs have none, and a text takes memory. In base64, `http` and `https` both contain `HR0c`.
    let has = |at: usize, text: &[u8]| url[at..].starts_with(text);
    if memchr::memchr(b'%', url).is_none()
        && memchr::memchr_iter(b':', url).skip(1).all(|at| !has(at, b"://"))
        && memchr::memchr_iter(b'H', url).all(|at| !has(at, b"HR0c"))
    {
        return found;
    }
    DecodedPart { bytes: url.to_vec(), sources: (0..url.len()).map(|at| at..at + 1).collect() }
        .urls(1, &mut found);
    found
}

/// Bytes of the outermost URL, decoded, and the bytes that encode each of them.
struct DecodedPart {
    bytes: Vec<u8>,
    sources: Vec<Range<usize>>,
}

impl DecodedPart {
    fn part(&self, range: Range<usize>) -> DecodedPart {
        DecodedPart { bytes: self.bytes[range.clone()].to_vec(), sources: self.sources[range].to_vec() }
    }

    /// Adds the URLs within the text, which is a URL.
    fn urls(&self, depth: usize, found: &mut Vec<NestedUrl>) {
        let rest = grammar::split(&self.bytes).filter(|split| split.authority.is_some());
        let Some(rest) = rest.map(|split| split.rest) else { return };
        let (mut start, len) = (self.bytes.len() - rest.len(), self.bytes.len());
        let fragment = memchr::memchr(b'#', rest).map_or(len, |at| start + at);
        let path = memchr::memchr(b'?', &self.bytes[start..fragment]).map_or(fragment, |at| start + at);
        if let Some(at) = scheme(&self.bytes[start..path]) {
            self.part(start + at..fragment).value(depth, found);
            start = fragment;
        }
        while start < len {
            let marks: &[u8] = if start < path { b"/?#" } else { b"?&#" };
            let end = self.bytes[start..].iter().position(|b| marks.contains(b)).map_or(len, |at| start + at);
            let value = &self.bytes[start..end];
            if value.contains(&b'%') || scheme(value).is_some() || in_base64(value).is_some() {
                self.part(start..end).value(depth, found);
            }
            start = end + 1;
        }
    }

    /// Adds the URL with which the text, a value, ends, and the URLs within it.
    fn value(mut self, depth: usize, found: &mut Vec<NestedUrl>) {
        for _ in 0..=ENCODED {
            if let Some(start) = scheme(&self.bytes) {
                let inner = self.part(start..self.bytes.len());
                let url = as_url(&inner.bytes);
                if is_target(&url) {
                    let range = inner.sources[0].start..inner.sources[inner.sources.len() - 1].end;
                    found.push(NestedUrl { url, range });
                    if depth < MAX_DEPTH {
                        inner.urls(depth + 1, found);
                    }
                }
                return;
            }
            let decoded = match in_base64(&self.bytes) {
                Some(range) => self.base64_decoded(range),
                None => self.percent_decoded(),
            };
            let Some(decoded) = decoded else { return };
            self = decoded;
        }
    }

    fn base64_decoded(&self, range: Range<usize>) -> Option<DecodedPart> {
        let bytes = base64(&self.bytes[range.clone()])?;
        // Four characters encode three bytes.
        let of = |n: usize| &self.sources[range.start + n];
        let sources = (0..bytes.len()).map(|n| of(n * 4 / 3).start..of((n * 8 + 7) / 6).end);
        Some(DecodedPart { sources: sources.collect(), bytes })
    }

    fn percent_decoded(&self) -> Option<DecodedPart> {
        let mut decoded = DecodedPart { bytes: Vec::new(), sources: Vec::new() };
        let mut at = 0;
        while at < self.bytes.len() {
            let octet = grammar::octet_of_escape(&self.bytes[at..]);
            let end = at + if octet.is_some() { 3 } else { 1 };
            decoded.bytes.push(octet.unwrap_or(self.bytes[at]));
            decoded.sources.push(self.sources[at].start..self.sources[end - 1].end);
            at = end;
        }
        (decoded.bytes.len() < self.bytes.len()).then_some(decoded)
    }
}

/// Returns the offset of the first scheme that `//` follows.
fn scheme(text: &[u8]) -> Option<usize> {
    memmem::find_iter(text, b"://").find_map(|colon| {
        let start = text[..colon].iter().rposition(|b| !b.is_ascii_alphabetic()).map_or(0, |at| at + 1);
        (start < colon).then_some(start)
    })
}

/// Returns the range of the first URL in base64.
fn in_base64(text: &[u8]) -> Option<Range<usize>> {
    let start = BASE64.into_iter().filter_map(|mark| memmem::find(text, mark)).min()?;
    let is_in = |b: &u8| b.is_ascii_alphanumeric() || b"+/-_".contains(b);
    let len = text[start..].iter().take_while(|b| is_in(b)).count();
    // A single character more encodes no byte.
    Some(start..start + len - usize::from(len % 4 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &[(&str, &str)]) {
        let found = nested(url.as_bytes());
        let found: Vec<_> = found
            .iter()
            .map(|nested| (str::from_utf8(&nested.url).unwrap(), &url[nested.range.clone()]))
            .collect();
        assert_eq!(found, expected, "{url}");
    }

    #[test]
    fn in_paths() {
        let archived = "http://h.org/?a=b&c=d";
        check("https://web.archive.org/web/2020/http://h.org/?a=b&c=d#e", &[(archived, archived)]);
        check("https://i.org/r/http%3A%2F%2Fh.org%2Fa/b", &[("http://h.org/a", "http%3A%2F%2Fh.org%2Fa")]);
        check("https://i.org/a:b/c://d", &[]);
        // The query belongs to the URL in the path, the fragment does not; each URL is found once.
        let outer = "http://h.org/?u=http%3A%2F%2Fk.org";
        for rest in ["", "#e"] {
            check(
                &format!("https://i.org/{outer}{rest}"),
                &[(outer, outer), ("http://k.org", "http%3A%2F%2Fk.org")],
            );
        }
        check(
            "https://i.org/http://h.org/#u=http://k.org",
            &[("http://h.org/", "http://h.org/"), ("http://k.org", "http://k.org")],
        );
    }

    #[test]
    fn in_parameters_and_fragments() {
        check("https://i.org/?u=http://h.org/a&v=1", &[("http://h.org/a", "http://h.org/a")]);
        check("https://i.org/?a?u=ftp://h.org/a", &[("ftp://h.org/a", "ftp://h.org/a")]);
        check("https://i.org/#/r?u=HTTP://h.org", &[("HTTP://h.org", "HTTP://h.org")]);
        check(
            "https://i.org/?http%3A%2F%2Fh.org%2F%3Fa%26b%20c&v=https%253a%252f%252fk.org#d",
            &[
                ("http://h.org/?a&b%20c", "http%3A%2F%2Fh.org%2F%3Fa%26b%20c"),
                ("https://k.org", "https%253a%252f%252fk.org"),
            ],
        );
        for url in [
            "https://i.org/?u=http://h",
            "https://i.org/?u=%2F%2Fh.org",
            "https://i.org/",
            "mailto:a?http://h.org",
        ] {
            check(url, &[]);
        }
    }

    #[test]
    fn in_base64() {
        let encoded = "aHR0cDovL2gub3JnLz9hPj4";
        check(&format!("https://i.org/?u=a1{encoded}=&v"), &[("http://h.org/?a%3E%3E", encoded)]);
        check(&format!("https://i.org/r/{encoded}%3D/a"), &[("http://h.org/?a%3E%3E", encoded)]);
        check(
            &format!("https://i.org/r/{encoded}ab/a"),
            &[("http://h.org/?a%3E%3E%1A", "aHR0cDovL2gub3JnLz9hPj4a")],
        );
        // http://h.org/?u=http%3A%2F%2Fk.org&v
        let outer = "aHR0cDovL2gub3JnLz91PWh0dHAlM0ElMkYlMkZrLm9yZyZ2";
        check(
            &format!("https://i.org/?{outer}"),
            &[("http://h.org/?u=http%3A%2F%2Fk.org&v", outer), ("http://k.org", "Wh0dHAlM0ElMkYlMkZrLm9yZy")],
        );
        check("https://i.org/?aHR0cDovL", &[]);
    }

    #[test]
    fn three_levels() {
        let levels = |n| (1..=n).fold(String::new(), |url, n| format!("http://h{n}.org/{url}"));
        let found: Vec<_> = nested(levels(5).as_bytes()).into_iter().map(|nested| nested.url).collect();
        assert_eq!(found, [levels(4), levels(3), levels(2)].map(String::into_bytes));
        let encoded = |n| {
            (0..n).fold("http://h.org/".to_owned(), |url, _| {
                url.replace('%', "%25").replace(':', "%3A").replace('/', "%2F")
            })
        };
        assert_eq!(nested(format!("http://i.org/{}", encoded(3)).as_bytes()).len(), 1);
        assert_eq!(nested(format!("http://i.org/{}", encoded(4)).as_bytes()).len(), 0);
    }
}

//! Brackets within the parts of a URL, by Unicode Technical Standard #58.
//!
//! There a closing bracket ends the link unless it closes the bracket that was opened
//! last, in the same part: a segment of the path, a name or value of the query, the
//! fragment. By default brackets are only counted, in [`super::end`].

use crate::bytes::unicode::{closes, opens};

/// What separates the text directives of a fragment from the rest of it.
const DIRECTIVE: &str = ":~:";

/// A part of a URL after its host.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Query,
    Fragment,
    Directive,
}

/// The offset of the first bracket in `url`, which is what follows the host, that closes
/// none of its part.
pub(super) fn unmatched(url: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(url).ok()?;
    let mut open = Vec::new();
    let mut part = Part::Path;
    for (at, c) in text.char_indices() {
        if let Some(next) = part.after(c, &text[at..]) {
            part = next;
            open.clear();
        } else if let Some(opening) = closes(c) {
            if open.pop() != Some(opening) {
                return Some(at);
            }
        } else if opens(c) {
            open.push(c);
        }
    }
    None
}

impl Part {
    /// The part that starts at `c`, with which `rest` starts.
    fn after(self, c: char, rest: &str) -> Option<Part> {
        match (self, c) {
            (Part::Path, '/') => Some(Part::Path),
            (Part::Path, '?') | (Part::Query, '&' | '=') => Some(Part::Query),
            (Part::Path | Part::Query, '#') => Some(Part::Fragment),
            (Part::Fragment, ':') if rest.starts_with(DIRECTIVE) => Some(Part::Directive),
            (Part::Directive, '&' | '=' | ',') => Some(Part::Directive),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_match_within_a_part() {
        for url in ["/a(b)c/d", "/a[(b)]?a=(b)&(c)=d#e:~:text=(f)", "?a=[(b)]", "#a/(b?c=d)", "/a(", "/「a」"]
        {
            assert_eq!(unmatched(url.as_bytes()), None, "{url}");
        }
        for (url, at) in [
            ("/a[(b])c", 5),
            ("/a(b/c)d", 6),
            ("?a(=)b", 4),
            ("?a=b(&)c", 6),
            ("#a(b:~:text=c)d", 13),
            ("/a)", 2),
            ("/「a』", 5),
        ] {
            assert_eq!(unmatched(url.as_bytes()), Some(at), "{url}");
        }
    }
}

//! `format=flowed` (RFC 3676): paragraphs whose lines end in a space where they may
//! be joined again.
//!
//! A line is its quote characters, optionally a stuffed space, and its text. It
//! flows into the next line if its text ends in a space and is not the signature
//! separator `-- `, and if the next line has as many quote characters, is not a separator and
//! not empty.
//!
//! With `DelSp=yes` the space was added, and is removed with the line break, the next line's quote
//! prefix, and its stuffed space: the two lines are joined without a guess. With `DelSp=no` the
//! space is part of the text, and ends a URL. The break is kept, and the rules for line breaks
//! decide whether a URL continues after it.
//!
//! A stuffed space is removed unless a quote character precedes it. After a quote character it is
//! kept, as every reader displays it; so a text that is all quoted is not copied.

use memchr::memchr;

use super::folded::Unfolded;

/// Undoes `format=flowed`; `None` if there is nothing to undo.
pub(crate) fn unflow(bytes: &[u8], delsp: bool) -> Option<Unfolded> {
    if !lines(bytes).any(|line| line.stuffed() || (delsp && line.flows(bytes))) {
        return None;
    }
    let mut flowed = Unfolded::default();
    let mut lines = lines(bytes).peekable();
    let mut continues = false;
    while let Some(line) = lines.next() {
        let start = if continues || line.stuffed() { line.text } else { line.start };
        continues = delsp && line.flows(bytes) && lines.peek().is_some_and(|next| line.permits(next, bytes));
        match continues {
            true => flowed.join(bytes, start..line.end - 1),
            false => flowed.decoded.copy(bytes, start..line.next),
        }
    }
    Some(flowed)
}

/// A line of the text, as offsets in it.
struct FlowedLine {
    start: usize,
    /// The number of quote characters that it begins with.
    depth: usize,
    /// The offset at which its text begins, after the quote characters and a stuffed space.
    text: usize,
    /// The offset at which its text ends, and where the next line begins.
    end: usize,
    next: usize,
}

impl FlowedLine {
    /// Returns true if it begins with a stuffed space, without a quote character.
    fn stuffed(&self) -> bool {
        self.depth == 0 && self.text > self.start
    }

    /// Returns true if it flows into the next line, if that permits it.
    fn flows(&self, bytes: &[u8]) -> bool {
        let text = &bytes[self.text..self.end];
        text.ends_with(b" ") && text != SEPARATOR
    }

    /// Returns true if `next` permits it to flow.
    fn permits(&self, next: &FlowedLine, bytes: &[u8]) -> bool {
        let text = &bytes[next.text..next.end];
        next.depth == self.depth && !text.is_empty() && text != SEPARATOR
    }
}

/// RFC 3676 §4.3: "a line consisting of DASH DASH SP is neither fixed nor flowed".
const SEPARATOR: &[u8] = b"-- ";

/// The lines of a text, which end in a line feed, with or without a carriage return.
fn lines(bytes: &[u8]) -> impl Iterator<Item = FlowedLine> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = next;
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let feed = memchr(b'\n', rest);
        let line = &rest[..feed.unwrap_or(rest.len())];
        let line = if feed.is_some() { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
        let depth = line.iter().take_while(|&&b| b == b'>').count();
        let stuffed = usize::from(line.get(depth) == Some(&b' '));
        next += feed.map_or(rest.len(), |feed| feed + 1);
        Some(FlowedLine { start, depth, text: start + depth + stuffed, end: start + line.len(), next })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The text with `DelSp=yes`, with a `^` at each join.
    fn joined(text: &str) -> Option<String> {
        let flowed = unflow(text.as_bytes(), true)?;
        let mut text = String::from_utf8(flowed.decoded.bytes).unwrap();
        for &join in flowed.joins.iter().rev() {
            text.insert(join, '^');
        }
        Some(text)
    }

    fn unstuffed(text: &str) -> Option<String> {
        let flowed = unflow(text.as_bytes(), false)?;
        assert!(flowed.joins.is_empty());
        Some(String::from_utf8(flowed.decoded.bytes).unwrap())
    }

    #[test]
    fn lines_that_flow_are_joined_exactly() {
        assert_eq!(
            joined("http://h.org/one/ \r\ntwo.html is\r\nit\r\n").unwrap(),
            "http://h.org/one/^two.html is\r\nit\r\n"
        );
        assert_eq!(joined("a \nb \nc").unwrap(), "a^b^c");
        // One space is removed, not two.
        assert_eq!(joined("a  \nb").unwrap(), "a ^b");
    }

    #[test]
    fn quoted_lines() {
        assert_eq!(joined("> http://h.org/a/ \n> b.html\n").unwrap(), "> http://h.org/a/^b.html\n");
        assert_eq!(joined(">> a \n>>b\n> c\n").unwrap(), ">> a^b\n> c\n");
    }

    #[test]
    fn lines_of_other_depths_are_not_joined() {
        assert_eq!(joined("> a \nb \n>c \n").unwrap(), "> a \nb \n>c \n");
        // Only marks without a space between them count.
        assert_eq!(joined("> > a \n>> b\n").unwrap(), "> > a \n>> b\n");
    }

    #[test]
    fn the_signature_separator_does_not_flow() {
        assert_eq!(joined("a \n-- \nb \nc").unwrap(), "a \n-- \nb^c");
        assert_eq!(joined("> a \n> -- \n> b \n>c").unwrap(), "> a \n> -- \n> b^c");
    }

    #[test]
    fn nothing_flows_into_an_empty_line() {
        assert_eq!(joined("a \n\nb \n>\n").unwrap(), "a \n\nb \n>\n");
        assert_eq!(joined("a ").unwrap(), "a ");
    }

    #[test]
    fn stuffed_spaces() {
        assert_eq!(joined(" From a \n >b\n  c\n").unwrap(), "From a^>b\n c\n");
        assert_eq!(unstuffed(" From a \n >b\r\n> c\n").unwrap(), "From a \n>b\r\n> c\n");
    }

    #[test]
    fn without_delsp_breaks_stay() {
        assert_eq!(unstuffed(" a \nb\n").unwrap(), "a \nb\n");
        assert_eq!(unstuffed("> a \n> b\n"), None);
    }

    #[test]
    fn nothing_to_undo() {
        assert_eq!(joined("a\nb\n> c\n\n-- \nd\n"), None);
        assert_eq!(joined(""), None);
    }

    #[test]
    fn joined_text_knows_where_it_came_from() {
        let flowed = unflow(b"> a/ \r\n> b\r\n", true).unwrap();
        assert_eq!(flowed.decoded.bytes, b"> a/b\r\n");
        assert_eq!(flowed.joins, [4]);
        assert_eq!(flowed.decoded.map.sources(2..5), [2..4, 9..10]);
    }

    /// Divides `text` into lines as a mailer does, and quotes and stuffs them.
    fn flow(text: &str, width: usize, depth: usize) -> String {
        let chunks: Vec<&[u8]> = text.as_bytes().chunks(width).collect();
        let lines =
            chunks.iter().map(|chunk| format!("{} {}", ">".repeat(depth), str::from_utf8(chunk).unwrap()));
        lines.collect::<Vec<_>>().join(" \r\n")
    }

    proptest! {
        #[test]
        fn there_and_back(text in "[a-z/:> ]{31,90}[a-z]", width in 4_usize..30, depth in 0_usize..3) {
            let source = flow(&text, width, depth);
            let flowed = unflow(source.as_bytes(), true).unwrap_or_else(|| panic!("{source}"));
            let start = if depth == 0 { 0 } else { depth + 1 };
            prop_assert_eq!(&flowed.decoded.bytes[start..], text.as_bytes());
            let joins: Vec<usize> = (1..text.len().div_ceil(width)).map(|n| start + n * width).collect();
            prop_assert_eq!(flowed.joins, joins);
        }

        #[test]
        fn only_spaces_marks_and_breaks_are_lost(text in "[a> \\r\\n-]{0,60}", delsp in any::<bool>()) {
            if let Some(flowed) = unflow(text.as_bytes(), delsp) {
                let letters = |bytes: &[u8]| bytes.iter().filter(|b| b.is_ascii_lowercase()).count();
                prop_assert_eq!(letters(&flowed.decoded.bytes), letters(text.as_bytes()));
                for at in 0..flowed.decoded.bytes.len() {
                    let sources = flowed.decoded.map.sources(at..at + 1);
                    prop_assert_eq!(text.as_bytes()[sources[0].start], flowed.decoded.bytes[at]);
                }
                prop_assert!(flowed.joins.is_sorted());
            }
        }
    }
}

//! Characters beyond ASCII in bare URLs, on request.
//!
//! RFC 1738 §2.2: "The octets 80-FF hexadecimal are not used in US-ASCII". They are in
//! use all the same, and browsers accept them. Unicode Technical Standard #58 says
//! where such a link ends: before a *hard* character (a space, a control character) and
//! before a *closing* bracket that is not open. A *soft* character (the punctuation of
//! a sentence) belongs to the link only if the link continues after it.
//!
//! # Incomplete support
//!
//! UTS #58 pairs each closing bracket with the opening one of the same shape. Here all
//! brackets beyond ASCII are counted together.

mod table;

use crate::bytes::window::Window;

/// What a character beyond ASCII does to a link: Link_Term in UTS #58.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkTerm {
    /// It belongs to the link.
    Include,
    /// It belongs to the link if more follows.
    Soft,
    Open,
    /// It belongs to the link if a bracket is open.
    Close,
    /// The link ends before it.
    Hard,
}

/// What `c` does to a link.
pub(crate) fn link_term(c: char) -> LinkTerm {
    if is_hard(c) {
        LinkTerm::Hard
    } else if contains(table::SOFT, c) {
        LinkTerm::Soft
    } else if contains(table::OPEN, c) {
        LinkTerm::Open
    } else if contains(table::CLOSE, c) {
        LinkTerm::Close
    } else {
        LinkTerm::Include
    }
}

/// Whether `c` is a space, a control character, a control of the writing direction,
/// for private use, or not a character.
fn is_hard(c: char) -> bool {
    let directs =
        matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..);
    let none = matches!(c, '\u{FDD0}'..='\u{FDEF}') || c as u32 & 0xFFFE == 0xFFFE;
    c.is_whitespace() || c.is_control() || directs || private || none
}

fn contains(ranges: &[(u32, u32)], c: char) -> bool {
    let after = ranges.partition_point(|&(first, _)| first <= c as u32);
    after > 0 && c as u32 <= ranges[after - 1].1
}

/// The character of more than one byte that starts at `at`; `None` if the bytes there
/// are not UTF-8.
pub(crate) fn char_at(window: &Window<'_>, at: usize) -> Option<char> {
    let len = match window.get(at)? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    window.get(at + len - 1)?;
    std::str::from_utf8(window.ahead(at..at + len)).ok()?.chars().next()
}

/// The character of more than one byte that ends at `end` and does not start before
/// `floor`.
pub(crate) fn char_before(window: &Window<'_>, end: usize, floor: usize) -> Option<char> {
    let start = window.skip_back(end, floor.max(end.saturating_sub(3)), |b| (0x80..0xC0).contains(&b));
    let start = start.checked_sub(1).filter(|&start| start >= floor)?;
    char_at(window, start).filter(|c| start + c.len_utf8() == end)
}

/// Where the run of letters and digits beyond ASCII at `at` ends; `at` if there is
/// none.
pub(crate) fn skip_letters(window: &Window<'_>, mut at: usize, limit: usize) -> usize {
    while at < limit
        && let Some(c) = char_at(window, at).filter(|&c| link_term(c) == LinkTerm::Include)
    {
        at += c.len_utf8();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_characters_do() {
        for (c, term) in [
            ('é', LinkTerm::Include),
            ('日', LinkTerm::Include),
            ('\u{301}', LinkTerm::Include),
            ('。', LinkTerm::Soft),
            ('’', LinkTerm::Soft),
            ('「', LinkTerm::Open),
            ('」', LinkTerm::Close),
            ('\u{A0}', LinkTerm::Hard),
            ('\u{3000}', LinkTerm::Hard),
            ('\u{202E}', LinkTerm::Hard),
            ('\u{FFFF}', LinkTerm::Hard),
        ] {
            assert_eq!(link_term(c), term, "{c:?}");
        }
    }

    #[test]
    fn tables_are_in_order() {
        for table in [table::SOFT, table::OPEN, table::CLOSE] {
            assert!(table.iter().all(|&(first, last)| first <= last));
            assert!(table.is_sorted_by(|a, b| a.1 < b.0));
        }
    }

    #[test]
    fn characters_forwards_and_backwards() {
        let window = Window::whole("a日b\u{1F600}\u{e9}".as_bytes());
        assert_eq!(char_at(&window, 1), Some('日'));
        assert_eq!(char_at(&window, 2), None);
        assert_eq!(char_before(&window, 4, 0), Some('日'));
        assert_eq!(char_before(&window, 4, 2), None);
        assert_eq!(char_before(&window, 9, 0), Some('\u{1F600}'));
        assert_eq!(char_before(&window, 11, 0), Some('é'));
        assert_eq!(char_at(&Window::whole(b"\xE9 "), 0), None);
        assert_eq!(char_at(&Window::whole(b"\xE9\xA0"), 0), None);
    }
}

//! Runs: words of scripts that do not separate words with spaces, in a URL.
//!
//! Han, kana, Hangul, Thai, Lao, Khmer and Burmese end a URL, because the sentence continues without a
//! space: `http://h.org見て`. But page titles and file names use such scripts as well:
//! `https://zh.wikipedia.org/wiki/新加坡`. The text around a run distinguishes the two.
//!
//! | evidence that a run belongs | evidence that it does not |
//! |---|---|
//! | it starts directly after a character that separates the words of URLs, or after `Category:` | it starts after a letter, a digit or a full stop, and no file extension ends the word |
//! | the word continues to a space, a bracket or the end of the line | prose continues after full-width punctuation |
//! | | it starts with a particle of Japanese, or is a particle or an ending of Korean |
//! | | it follows the slash of a host, and the line has such letters before the URL |
//!
//! In a [frame](Opener::frame), a run always belongs to the URL. If it starts after a character
//! that separates words, the URL without it is an alternative.
//!
//! # Punctuation within words
//!
//! Dashes, apostrophes and symbols end a sentence's words and are also within the words of URLs:
//! `/wiki/Wave–particle_duality`, `/coffee-☕-time.html`. The neighbours of such
//! [punctuation](punctuation_end) distinguish them.
//!
//! | punctuation | it belongs to the URL between |
//! |---|---|
//! | `’`, hyphens and `–`, `−`, `·` | two letters or digits, or next to `_` or `-`; a dash not after a file name |
//! | `—` | two of `_` and `-` |
//! | letters that are one sign, such as `№` | anything and a letter or digit |
//! | other symbols | two characters of URLs, one of them `_`, `-`, `=` or `&` |
//!
//! In a frame, such punctuation always belongs to the URL, and so do quotation marks and brackets,
//! which end a URL elsewhere. Directly before another URL, it never belongs. The URL up to the first
//! such punctuation is an alternative.

use std::ops::Range;

use super::line::starts_url;
use super::opener::{Frame, Opener};
use crate::bytes::class::{BREAK, PLAIN};
use crate::bytes::file_kind::names_known_file;
use crate::bytes::unicode::{Iri, LinkTerm, char_at, char_before, is_run_letter as is_run, is_space};
use crate::bytes::window::Window;
use crate::grammar::schemes::LONGEST;

/// The characters after which a word starts in a URL.
const WORD_SEPARATORS: &[u8] = b"/=_-#(+";

/// The particles with which Japanese sentences continue after a name.
const PARTICLES: [&str; 21] = [
    "を",
    "から",
    "まで",
    "より",
    "には",
    "では",
    "です",
    "でした",
    "でも",
    "にて",
    "として",
    "という",
    "との",
    "への",
    "での",
    "とは",
    "とか",
    "って",
    "について",
    "によ",
    "などの",
];

/// The characters with which Japanese sentences continue before kanji.
const BEFORE_KANJI: [char; 9] = ['と', 'や', 'も', 'に', 'へ', 'で', 'が', 'は', 'の'];

/// The words of one run that follow a name in Korean.
const ENDINGS: [&str; 44] = [
    "에서",
    "에",
    "를",
    "을",
    "은",
    "는",
    "이",
    "가",
    "로",
    "으로",
    "와",
    "과",
    "의",
    "도",
    "만",
    "입니다",
    "이다",
    "에게",
    "부터",
    "까지",
    "처럼",
    "보다",
    "라고",
    "이라고",
    "하고",
    "에서는",
    "에서의",
    "에는",
    "에도",
    "으로부터",
    "로부터",
    "였다",
    "이며",
    "이고",
    "인",
    "랑",
    "이랑",
    "라는",
    "이라는",
    "에서도",
    "로는",
    "으로는",
    "에서만",
    "해",
];

/// The punctuation of these scripts that joins words, such as `・` in names.
const JOINTS: [char; 3] = ['・', '･', '＆'];

/// The brackets in titles.
const BRACKETS: [(char, char); 4] = [('【', '】'), ('《', '》'), ('「', '」'), ('“', '”')];

/// The maximum length of the word that contains a run, in bytes. Without it, each URL of a line
/// without spaces would read all text after it.
const LONGEST_WORD: usize = 256;

/// The possible readings of a URL that contains a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunReadings {
    /// The offset at which the word that contains the run ends.
    pub(super) end: usize,
    /// The offset at which the run starts.
    pub(super) start: usize,
    /// True if there is evidence that the run belongs to the URL.
    pub(super) belongs: bool,
}

/// Reads the run at `at` of the URL that starts at `url` and has a host that ends at `host`. Returns
/// `None` if no word of the URL starts there.
#[inline(never)]
pub(super) fn read(
    window: &Window<'_>,
    url: usize,
    host: usize,
    at: usize,
    limit: usize,
) -> Option<RunReadings> {
    let opener = Opener::of(window, url);
    let (frame, starts_word) = (opener.frame(), starts_word(window, host, at));
    if at <= host || frame.is_none() && !starts_word && !continues_word(window, host, at) {
        return None;
    }
    if let Some(end) = frame.and_then(|frame| end_in_frame(window, frame, at, limit)) {
        return Some(RunReadings { end, start: at, belongs: true });
    }
    let word = RunWord::read(window, at, limit, None);
    let is_root = at == host + 1;
    let is_prose = is_root && !word.names_file(window) && opener.has_run();
    let belongs = word.is_closed && !is_prose && !is_particle(window, at, word.run_end);
    let is_word = starts_word || belongs && continues_word(window, host, at) && word.names_file(window);
    is_word.then_some(RunReadings { end: word.range.end, start: at, belongs })
}

/// Returns the offset at which the word at `at` ends, if the `frame` of its URL closes there.
fn end_in_frame(window: &Window<'_>, frame: Frame, at: usize, limit: usize) -> Option<usize> {
    let word = RunWord::read(window, at, limit, Some(frame));
    // An apostrophe may be within a word.
    let is_quoted = frame == Frame::Closing("'");
    let end = window.skip(at, word.range.end, |b| !is_quoted || b != b'\'');
    (end > at && frame.closes(window, end)).then_some(end)
}

/// Returns the offset at which the punctuation at `at` ends, if it is within a word of the URL that starts at `url`
/// and whose host ends at `host`.
#[inline(never)]
pub(super) fn punctuation_end(
    window: &Window<'_>,
    url: usize,
    host: usize,
    at: usize,
    limit: usize,
) -> Option<usize> {
    let first = char_at(window, at).filter(|&c| is_infix(c) || needs_frame(c))?;
    let end = end_of_punctuation(window, at, first, limit);
    let (before, after) = (window.byte_before(at), window.get(end));
    let is_word = |c: char| is_run(c) || Iri::Words.link_term(c) == LinkTerm::Include;
    let is_letter = |byte: Option<u8>, c: Option<char>| {
        byte.is_some_and(|b| b.is_ascii_alphanumeric()) || c.is_some_and(is_word)
    };
    let (starts, ends) =
        (is_letter(after, char_at(window, end)), is_letter(before, char_before(window, at, host)));
    let is_joint = |byte: Option<u8>| matches!(byte, Some(b'_' | b'-'));
    let follows = starts || after.is_some_and(|b| b == b'&' || b == b'?' || PLAIN.has(b));
    let belongs = match first {
        _ if needs_frame(first) => false,
        '—' => is_joint(before) && is_joint(after),
        '’' | '·' => starts && ends || follows && (is_joint(before) || is_joint(after)),
        _ if is_joiner(first) => {
            let is_within = starts && ends || follows && (is_joint(before) || is_joint(after));
            is_within && !names_known_file(window.before(at, url))
        }
        '\u{2100}'..='\u{214F}' if starts => true,
        // Text from PDF may have these for the `~` of a user's directory.
        '˜' | '∼' if before == Some(b'/') => starts,
        // A path segment does not end with an ampersand.
        _ if before == Some(b'/') => is_joint(after),
        _ => {
            follows && [before, after].iter().any(|byte| is_joint(*byte) || matches!(byte, Some(b'=' | b'&')))
        }
    };
    let is_in_frame = || {
        Opener::of(window, url).frame().is_some_and(|frame| {
            !frame.closes(window, at) && end_in_frame(window, frame, at, limit).is_some()
        })
    };
    (at > host && !starts_url(window.ahead(end..end + LONGEST + b"://".len())) && (belongs || is_in_frame()))
        .then_some(end)
}

/// Returns the offset at which the punctuation ends that starts with `first` at `at`. An emoji may
/// consist of several characters.
fn end_of_punctuation(window: &Window<'_>, at: usize, first: char, limit: usize) -> usize {
    let mut end = at + first.len_utf8();
    let continues_emoji = |c: char| is_symbol(c) && is_symbol(first) || is_selector(c);
    while end < limit.min(at + LONGEST_WORD)
        && let Some(c) = char_at(window, end).filter(|&c| continues_emoji(c))
    {
        end += c.len_utf8();
    }
    end
}

/// Returns true if `c` joins words: an apostrophe, a hyphen, a dash, a minus, or the middle dot.
fn is_joiner(c: char) -> bool {
    matches!(c, '’' | '\u{2010}'..='\u{2013}' | '−' | '·')
}

/// Returns true if `c` is punctuation that may be within a word.
fn is_infix(c: char) -> bool {
    is_joiner(c) || c == '—' || is_symbol(c)
}

/// Returns true if `c` is a quotation mark or a bracket, which a URL contains only within a frame.
fn needs_frame(c: char) -> bool {
    matches!(c, '«' | '»' | '“' | '”' | '„' | '‘' | '〈'..='】' | '（' | '）')
}

/// Returns true if `c` is a sign, and neither a letter, a bracket nor the punctuation of a
/// sentence.
fn is_symbol(c: char) -> bool {
    Iri::All.link_term(c) == LinkTerm::Include
        && !matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}')
        && !is_joiner(c)
        && c != '—'
        && !is_run(c)
        && !c.is_alphabetic()
        && Iri::Words.link_term(c) != LinkTerm::Include
}

/// Returns true if `c` changes the look of the emoji before it, or joins it to the next one.
fn is_selector(c: char) -> bool {
    matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{200D}')
}

/// Returns true if a word of the URL, whose host ends at `host`, starts with the character at `at`.
fn starts_word(window: &Window<'_>, host: usize, at: usize) -> bool {
    let Some(c) = char_at(window, at) else { return false };
    let opens = || BRACKETS.iter().any(|&(open, _)| open == c) && precedes_word(window, at + c.len_utf8());
    match window.byte_before(at) {
        Some(b'/' | b'=' | b'_') if opens() => true,
        Some(b) if WORD_SEPARATORS.contains(&b) => is_run(c),
        Some(b':') => is_run(c) && is_namespace(window, host, at - 1),
        Some(b'0'..=b'9') => "年月日년월일".contains(c) && is_number(window, host, at),
        _ => false,
    }
}

/// Returns true if a letter or a digit is at `at`, after a bracket that may open a title. The `“` of `„http://h.org/“`
/// closes a quotation.
fn precedes_word(window: &Window<'_>, at: usize) -> bool {
    char_at(window, at).is_some_and(|c| {
        c.is_ascii_alphanumeric() || is_run(c) || Iri::Words.link_term(c) == LinkTerm::Include
    })
}

/// Returns true if the run at `at` continues a word with a letter or digit before it unless the
/// word already has a file extension.
fn continues_word(window: &Window<'_>, host: usize, at: usize) -> bool {
    let is_run = char_at(window, at).is_some_and(is_run);
    let before = window.skip_back(at, host, |b| b.is_ascii_alphanumeric());
    is_run && before < at && window.byte_before(before) != Some(b'.')
}

/// Returns true if a capitalised word or a run precedes the colon: `Category:`.
fn is_namespace(window: &Window<'_>, host: usize, colon: usize) -> bool {
    let start = window.skip_back(colon, host, |b| b.is_ascii_alphanumeric());
    let capital = window.get(start).is_some_and(|b| b.is_ascii_uppercase());
    capital && start < colon || char_before(window, colon, host).is_some_and(is_run)
}

/// Returns true if one to four digits before `at` follow a slash or an underscore, as before an
/// East Asian counter.
fn is_number(window: &Window<'_>, host: usize, at: usize) -> bool {
    let start = window.skip_back(at, host, |b| b.is_ascii_digit());
    at - start <= 4 && matches!(window.byte_before(start), Some(b'/' | b'_'))
}

/// A word that starts with a run.
struct RunWord {
    range: Range<usize>,
    /// The offset at which the run ends that the word starts with.
    run_end: usize,
    /// True if the text after the word ends a URL as well, and does not continue a sentence.
    is_closed: bool,
}

impl RunWord {
    /// The word at `start`, which may contain punctuation if it is in a `frame`.
    fn read(window: &Window<'_>, start: usize, limit: usize, frame: Option<Frame>) -> Self {
        let mut word = RunWord { range: start..start, run_end: start, is_closed: false };
        let mut in_run = true;
        let (mut open, mut groups) = (Vec::new(), 0);
        let mut at = start;
        let limit = limit.min(start + LONGEST_WORD);
        while at < limit {
            let Some(byte) = window.get(at) else {
                word.is_closed = true;
                break;
            };
            let is_part = match byte {
                // The word ends before another URL, and before a comma after which the sentence continues.
                ..0x80 => match byte {
                    ..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'\\' | b'|' => false,
                    b'(' => {
                        groups += 1;
                        true
                    }
                    // A frame ends after its groups: `](http://h.org/新(二))`.
                    b')' if groups > 0 => {
                        groups -= 1;
                        frame.is_some()
                    }
                    b')' | b']' | b'}' => frame.is_some_and(|frame| !frame.closes(window, at)),
                    b':' => !window.has(at, b"://"),
                    b',' | b';' | b'!' => {
                        let closes = || frame.is_some_and(|frame| frame.closes(window, at + 1));
                        window.get(at + 1).is_none_or(|b| b < 0x80) || closes()
                    }
                    _ => true,
                },
                _ => char_at(window, at).is_some_and(|c| {
                    continues(window, at, c, &mut open)
                        || frame.is_some_and(|frame| {
                            is_infix(c) || is_selector(c) || needs_frame(c) && !frame.closes(window, at)
                        })
                }),
            };
            if !is_part {
                word.is_closed = ends(window, at, byte);
                break;
            }
            in_run &= byte >= 0x80;
            at += char_at(window, at).map_or(1, char::len_utf8);
            if in_run {
                word.run_end = at;
            }
        }
        word.range.end = at;
        word
    }

    /// Returns true if the word ends in a dot and a few letters.
    fn names_file(&self, window: &Window<'_>) -> bool {
        let word = window.ahead(self.range.clone());
        let extension = word.iter().rposition(|&b| b == b'.').map_or(&[][..], |dot| &word[dot + 1..]);
        (2..=5).contains(&extension.len()) && extension.iter().all(u8::is_ascii_alphanumeric)
    }
}

/// Returns true if the word continues with `c` at `at`. `open` contains the brackets that the word
/// has opened.
fn continues(window: &Window<'_>, at: usize, c: char, open: &mut Vec<char>) -> bool {
    let after_run = || char_before(window, at, 0).is_some_and(is_run);
    if let Some(&(_, close)) = BRACKETS.iter().find(|&&(open, _)| open == c) {
        let opens = (after_run() || matches!(window.byte_before(at), Some(b'/' | b'=' | b'_')))
            && precedes_word(window, at + c.len_utf8());
        if opens {
            open.push(close);
        }
        return opens;
    }
    if open.last() == Some(&c) {
        open.pop();
        return true;
    }
    match JOINTS.contains(&c) || is_joiner(c) {
        true => after_run() && char_at(window, at + c.len_utf8()).is_some_and(is_run),
        false => is_run(c) || Iri::Words.link_term(c) == LinkTerm::Include,
    }
}

/// Returns true if the text at `at` ends a word instead of continuing a sentence.
fn ends(window: &Window<'_>, at: usize, byte: u8) -> bool {
    if byte < 0x80 {
        return !b":,;!".contains(&byte);
    }
    let Some(c) = char_at(window, at) else { return false };
    let after = at + c.len_utf8();
    match c {
        '。' | '！' | '？' => window.get(after).is_none_or(|b| BREAK.has(b)),
        _ => is_space(c) || matches!(Iri::All.link_term(c), LinkTerm::Open | LinkTerm::Close),
    }
}

/// Returns true if the run in `at..end` starts with a word that continues a sentence after a URL.
fn is_particle(window: &Window<'_>, at: usize, end: usize) -> bool {
    let Ok(run) = std::str::from_utf8(window.ahead(at..end)) else { return false };
    if ENDINGS.contains(&run) || PARTICLES.iter().any(|particle| run.starts_with(particle)) {
        return true;
    }
    let mut chars = run.chars();
    let (Some(first), next) = (chars.next(), chars.next()) else { return false };
    let is_kanji = |c| matches!(c, '\u{3400}'..='\u{9FFF}' | '々');
    match (first, next) {
        ('の', Some('\u{30A1}'..='\u{30FC}')) | ('と' | 'や' | 'も', None) => true,
        (_, Some(next)) => BEFORE_KANJI.contains(&first) && is_kanji(next),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The URL in `text`, which starts with `h`, as far as the first run goes, if it belongs.
    fn url(text: &str) -> Option<&str> {
        let start = text.find("http")?;
        let host = start + text[start..].find("org")? + 3;
        let at = start + text[start..].find(|c: char| is_run(c) || c == '【')?;
        let reading = read(&Window::whole(text.as_bytes()), start, host, at, text.len() + 1)?;
        reading.belongs.then(|| &text[start..reading.end])
    }

    #[test]
    fn words_of_urls() {
        for text in [
            "http://h.org/新加坡",
            "http://h.org/w/アメリカ",
            "http://h.org/w/กูเกิล",
            "http://h.org/w/ဗမာ",
            "http://h.org/?q=東京&l=ja",
            "http://h.org/A:新加坡",
            "http://h.org/w/1998年",
            "http://h.org/w/【孩子】们",
            "http://h.org/w/弗拉基米尔·普京",
            "http://h.org/w/은행",
            "http://h.org/w/のび太",
            "http://h.org/CCTV新闻.png",
        ] {
            assert_eq!(url(text), Some(text), "{text}");
        }
        assert_eq!(url("http://h.org/w/新加坡 x"), Some("http://h.org/w/新加坡"));
        assert_eq!(url("http://h.org/w/新加坡。\n"), Some("http://h.org/w/新加坡"));
        assert_eq!(url("(http://h.org/w/新加坡)"), Some("http://h.org/w/新加坡"));
        assert_eq!(url("http://h.org/w/新加坡（二）"), Some("http://h.org/w/新加坡"));
    }

    #[test]
    fn words_of_sentences() {
        for text in [
            "http://h.org見て",
            "http://h.org/w見て",
            "http://h.org/w:這",
            "http://h.org/w/を見て",
            "http://h.org/w/の説明",
            "http://h.org/w/에서",
            "http://h.org/w/新加坡。x",
            "http://h.org/w/新加坡，x",
            "http://h.org/w/新加坡,是",
            "看http://h.org/新加坡",
            "http://h.org/12345年",
            "http://h.org/w/新http://h.org/",
            "http://h.org/w新闻",
            "http://h.org/a.png和b.png",
            "http://h.org/wを見て.txt",
        ] {
            assert_eq!(url(text), None, "{text}");
        }
        assert_eq!(url("看http://h.org/新加坡.pdf"), Some("http://h.org/新加坡.pdf"));
    }
}

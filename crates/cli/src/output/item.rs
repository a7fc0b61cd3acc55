//! A match as an item of the menu, and how items get there.
//!
//! All texts of an item are escaped, because they come from the input: they do not contain
//! characters that are invisible or move the cursor.
//!
//! An item contains the sentence around its URL. A line of mail is not a sentence: lines break
//! anywhere, and a sentence can share its line with another. So the lines before and after the URL
//! are joined, and end where a sentence or a paragraph ends. This only helps a reader to choose; it
//! does not matter where exactly an excerpt ends.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use memchr::memmem;
use urlgrep::archive::Role;
use urlgrep::grammar;
use urlgrep::{Context as InArchive, Match};
use urlgrep_print::context::Context;
use urlgrep_print::escape::Escaped;
use urlgrep_print::view::is_in_attribute;

use super::page::{self, Page, PagePosition, shown};
use super::{View, around, clip};

/// The maximum number of items that wait for the menu.
const WAITING: usize = 4096;

/// The maximum number of bytes before and after a URL that are read for its sentence.
const REACH: usize = 400;

/// The replacement of the URL in its sentence.
const URL: &str = "\u{2026}";

/// Texts that occur only in URLs.
const SIGNS: [&[u8]; 3] = [b"://", b"mailto:", b"www."];

/// A match, as the menu shows and opens it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The URL, and then its other readings.
    pub readings: Vec<Reading>,
    /// The role of the URL for a reader.
    pub role: Role,
    /// The link text, or the description of its image, if it adds something to the URL. Never the
    /// text of another link.
    pub text: Box<str>,
    /// The sentence around a URL that is written in a text.
    pub sentence: Box<str>,
    /// The warnings about the URL, in words.
    pub warnings: Box<str>,
    /// The subject of the message.
    pub subject: Box<str>,
    /// The file; empty for standard input.
    pub path: Box<str>,
    /// The line, if lines are counted.
    pub line: Option<u64>,
    /// The message, or the lines around the URL. Items of one message share it.
    pub page: Arc<Page>,
    /// The positions of the URL, or of its link's text, on the page.
    pub places: Vec<PagePosition>,
}

/// A URL, or another reading of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    pub shown: Box<str>,
    /// The URL to open or copy: visible ASCII that starts with a scheme.
    pub target: Box<str>,
    /// True if a program that opens its scheme only displays something.
    pub opens: bool,
}

impl Item {
    /// Returns the item of a match. `page` is the page of the match's text, once it is made.
    pub fn of(view: &View<'_>, page: &mut Option<Arc<Page>>) -> Item {
        let urls = std::iter::once(view.url().into_owned()).chain(view.alternatives());
        let readings: Vec<_> = urls.map(|url| Reading::of(view, &url)).collect();
        let text = view.matched.context().and_then(|context| context.link_text());
        let text = clip(text.map_or_else(String::new, |text| words(&text)));
        let says_more = readings.iter().all(|reading| !reading.is_spelled(&text));
        let sentence = |Context { text, span, .. }: &Context<'_>| {
            let (before, after) = around::value(view, &text[..span.start], &text[span.end..]);
            let (before, after) = (last(before), first(after));
            let (before, after) = around::seen(view, before, after);
            sentence(&before, &after)
        };
        let written = view.context.filter(|_| !is_in_attribute(view.matched));
        let names: Vec<_> = view.matched.warnings().iter().map(|warning| warning.description()).collect();
        let path = view.path();
        let subject = view.matched.context().and_then(|context| {
            // A page in a web archive has a URL instead.
            let page = || context.record().and_then(|record| record.uri()).map(str::to_owned);
            context.envelope().and_then(|envelope| envelope.subject()).or_else(page)
        });
        let (page, places) = page_of(view, page);
        Item {
            readings,
            role: view.matched.role(),
            text: if says_more { text.into() } else { Box::default() },
            sentence: written.map_or_else(String::new, sentence).into(),
            warnings: names.join(", ").into(),
            subject: clip(subject.map_or_else(String::new, |subject| words(subject.as_bytes()))).into(),
            path: if *path == b"-"[..] { Box::default() } else { words(&path).into() },
            line: view.matched.position().map(|position| position.line),
            page,
            places,
        }
    }

    /// Returns the URL, which is the first reading.
    pub fn url(&self) -> &str {
        self.readings.first().map_or("", |url| &url.shown)
    }

    /// Returns the file and the line, as far as they are known.
    pub fn place(&self) -> String {
        match self.line {
            Some(line) if self.path.is_empty() => format!("line {line}"),
            Some(line) => format!("{}:{line}", self.path),
            None => self.path.to_string(),
        }
    }

    /// Adds the lines that precede its part.
    pub fn add_lines(&mut self, lines: u64) {
        self.line = self.line.map(|line| line + lines);
    }

    /// Returns the approximate size in bytes after an item that may share its page.
    pub fn len_after(&self, last: Option<&Item>) -> usize {
        let readings = self.readings.iter().map(|of| size_of::<Reading>() + of.shown.len() + of.target.len());
        let is_shared = last.is_some_and(|last| Arc::ptr_eq(&last.page, &self.page));
        let page = if is_shared { 0 } else { self.page.len() };
        let texts =
            [&self.text, &self.sentence, &self.warnings, &self.subject, &self.path].map(|text| text.len());
        let places = self.places.len() * size_of::<PagePosition>();
        size_of::<Item>() + page + places + readings.chain(texts).sum::<usize>()
    }
}

impl Reading {
    fn of(view: &View<'_>, url: &[u8]) -> Reading {
        let target = String::from_utf8_lossy(&view.target(url)).into_owned();
        // Each reading has its own scheme: the scheme of an inner URL may differ.
        let opens = target.split_once(':').is_some_and(|(scheme, _)| grammar::opens_safely(scheme));
        Reading { shown: Escaped(url).to_string().into(), target: target.into(), opens }
    }

    /// Returns true if a text is this URL, with or without the parts that a reader leaves out.
    fn is_spelled(&self, text: &str) -> bool {
        let text = bare(text);
        !text.is_empty() && (text == bare(&self.shown) || text == bare(&self.target))
    }
}

/// A URL without the parts that a reader leaves out: `http://`, `mailto:`, a slash at the end.
fn bare(url: &str) -> &str {
    let known = ["http://", "https://", "mailto:"].into_iter().find_map(|start| url.strip_prefix(start));
    let url = known.unwrap_or(url);
    url.strip_suffix('/').unwrap_or(url)
}

/// The page that contains the URL, and its position there. A missing page is made.
fn page_of(view: &View<'_>, page: &mut Option<Arc<Page>>) -> (Arc<Page>, Vec<PagePosition>) {
    let matched = view.matched;
    if let Some(context) = matched.context().filter(|context| context.at() < page::LIMIT)
        && let Some(text) = context.text()
    {
        let page = page.get_or_insert_with(|| Arc::new(Page::of(text)));
        return (Arc::clone(page), page.places(text.as_bytes(), range(matched, context, text.as_bytes())));
    }
    let Some(context) = view.context else { return Default::default() };
    let page = Page::new(Vec::new(), context.text);
    let places = page.places(context.text, context.span.clone());
    (Arc::new(page), places)
}

/// Returns the range of the URL, or of its link's text, in its text.
fn range(matched: &Match<'_>, context: InArchive<'_>, text: &[u8]) -> Range<usize> {
    if context.attribute().is_none() {
        return matched.in_text().range();
    }
    let at = context.at();
    let text = &text[at.min(text.len())..];
    let len = len_of(&context.link_text().unwrap_or_default(), text);
    // A paragraph begins after the end of the one before.
    let blank = text[..len].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    at + blank..at + len
}

/// The length of a `label` at the start of a text, with any whitespace between its words; 0 if the
/// text does not start with it.
fn len_of(label: &[u8], text: &[u8]) -> usize {
    let mut wanted = label.iter().filter(|byte| !byte.is_ascii_whitespace());
    let mut last = 0;
    for (at, byte) in text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace()) {
        match wanted.next() {
            Some(next) if next == byte => last = at + 1,
            Some(_) => return 0,
            None => break,
        }
    }
    last
}

/// Bytes on one line, with one space for any whitespace between words.
fn words(bytes: &[u8]) -> String {
    shown(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sentence with `before` and `after` around a URL. It is empty unless letters or digits
/// surround the URL.
fn sentence(before: &[u8], after: &[u8]) -> String {
    let (before, after) = own(before, after);
    let (before, after) = (flow(before, true), flow(after, false));
    // Keep only the last sentence of `before`, because a URL may continue it.
    let paragraph = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let before = &paragraph[ends(paragraph).last().unwrap_or(0)..];
    // The sentence that continued before `after`.
    let paragraph = &after[..after.find('\n').unwrap_or(after.len())];
    let after = &paragraph[..ends(paragraph).next().unwrap_or(paragraph.len())];
    if !before.chars().chain(after.chars()).any(char::is_alphanumeric) {
        return String::new();
    }
    let sentence = format!("{before}{URL}{after}");
    // A long word of punctuation is a line that someone drew.
    let has_text = |char: char| char.is_alphanumeric() || URL.contains(char);
    let is_word = |word: &&str| word.chars().count() <= 3 || word.contains(has_text);
    sentence.split_whitespace().filter(is_word).collect::<Vec<_>>().join(" ")
}

/// Returns the text before and after a URL that does not belong to another URL: it starts after the
/// URL before it, and ends where the line, or else the word, of the next URL starts.
fn own<'t>(before: &'t [u8], after: &'t [u8]) -> (&'t [u8], &'t [u8]) {
    let space = |byte: &u8| byte.is_ascii_whitespace();
    let last = SIGNS.iter().filter_map(|sign| memmem::rfind(before, sign)).max();
    let start = last.map_or(0, |at| at + before[at..].iter().position(space).unwrap_or(before.len() - at));
    let next = SIGNS.iter().filter_map(|sign| memmem::find(after, sign)).min();
    let line = |at: usize| memchr::memrchr(b'\n', &after[..at]);
    let word = |at: usize| after[..at].iter().rposition(space).unwrap_or(0);
    let end = next.map_or(after.len(), |at| line(at).unwrap_or_else(|| word(at)));
    (&before[start..], &after[..end])
}

/// The last bytes of a text, from the start of a character.
fn last(text: &[u8]) -> &[u8] {
    let mut start = text.len().saturating_sub(REACH);
    while start > 0 && is_within(text, start) {
        start += 1;
    }
    &text[start..]
}

/// The first bytes of a text, to the end of a character.
fn first(text: &[u8]) -> &[u8] {
    let mut end = text.len().min(REACH);
    while end > 0 && is_within(text, end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns true if the byte at `at` continues a character of UTF-8.
fn is_within(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80)
}

/// The escaped lines, without their quote prefixes. A line break is a space, and an empty line a
/// line break. `starts_line` is true if the text starts a line instead of continuing the URL's
/// line.
fn flow(text: &[u8], starts_line: bool) -> String {
    let mut flow = String::new();
    let last = memchr::memchr_iter(b'\n', text).count();
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let is_mark = |byte: &&u8| matches!(byte, b'>' | b'|' | b' ' | b'\t' | b'\r');
        let marks = line.iter().take_while(is_mark).count();
        let line = if number > 0 || starts_line { &line[marks..] } else { line };
        match number {
            0 => {}
            // The last line is not empty: the URL is on it, or the text was shortened.
            _ if line.is_empty() && number < last => flow.push('\n'),
            _ => flow.push(' '),
        }
        flow.push_str(&shown(line));
    }
    flow
}

/// Returns the ends of sentences in a paragraph that continues: after punctuation and closing
/// brackets, before a space and a character that is not in lower case ("e.g. this" continues).
fn ends(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices(['.', '!', '?', '\u{3002}']).filter_map(|(at, mark)| {
        let after = at + mark.len();
        let rest = &text[after..];
        let next = rest.trim_start_matches([')', ']', '"', '\'', '\u{201d}', '\u{2019}']);
        let end = text.len() - next.len();
        if mark == "\u{3002}" {
            return Some(end);
        }
        let word = next.trim_start().chars().next();
        (next.starts_with(' ') && word.is_some_and(|char| !char.is_lowercase())).then_some(end)
    })
}

/// An event from a search for the menu.
#[derive(Debug)]
pub enum ItemEvent {
    Item(Box<Item>),
    /// An error, as it is printed.
    Error(String),
}

/// The end of a channel that a search has. A search that is faster than the menu waits while too many items are on the way.
pub type ItemSender = SyncSender<ItemEvent>;

/// Returns a channel from a search to the menu.
pub fn channel() -> (ItemSender, Receiver<ItemEvent>) {
    sync_channel(WAITING)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(before: &str, after: &str) -> String {
        sentence(last(before.as_bytes()), first(after.as_bytes()))
    }

    #[test]
    fn a_sentence_ends_where_the_next_one_starts() {
        assert_eq!(around("One. The FAQ (", ") is at home. Two."), "The FAQ (\u{2026}) is at home.");
        assert_eq!(around("Is it? Yes! See e.g. ", ", i.e. that"), "See e.g. \u{2026}, i.e. that");
        assert_eq!(around("He said \"no.\" Look at ", " there"), "Look at \u{2026} there");
        assert_eq!(around("\u{6587}\u{3002}\u{5b57}", "\u{3002}\u{6587}"), "\u{5b57}\u{2026}\u{3002}");
    }

    #[test]
    fn lines_are_joined_and_paragraphs_are_not() {
        assert_eq!(
            around("Hello\n\nthe list\nof all\n", "\nis long\n\nBye"),
            "the list of all \u{2026} is long"
        );
        assert_eq!(around("> a\n> > b\n> ", "\n> c\n>\n> d"), "a b \u{2026} c");
        assert_eq!(around("a\r\n\r\nb\tc\r\n", "\r\n"), "b c \u{2026}");
    }

    /// The words of another URL are not shown with this one.
    #[test]
    fn a_sentence_has_one_url() {
        assert_eq!(around("[1] http://h.org/a\n[2] ", "\n[3] ftp://h.org/c\n"), "[2] \u{2026}");
        assert_eq!(around("Write to ", " or see www.h.org now."), "Write to \u{2026} or see");
        assert_eq!(around("Write to mailto:a@h.org or see ", " now."), "or see \u{2026} now.");
        assert_eq!(around("Facebook http://f.org/ Unsubscribe http://u.org/ ", ""), "");
    }

    #[test]
    fn lines_that_are_drawn_are_no_words() {
        assert_eq!(around(": :____\n-- Buy at <", ">... now\n+----+\n"), ": -- Buy at <\u{2026}>... now");
    }

    #[test]
    fn nothing_but_marks_is_no_sentence() {
        assert_eq!(around(" * <", ">, "), "");
        assert_eq!(around("", ""), "");
    }

    #[test]
    fn a_text_that_is_the_url_says_nothing() {
        let reading = Reading {
            shown: "http://h.org/\u{e9}/".into(),
            target: "http://h.org/%C3%A9/".into(),
            opens: true,
        };
        for text in ["http://h.org/\u{e9}/", "h.org/\u{e9}", "https://h.org/%C3%A9"] {
            assert!(reading.is_spelled(text), "{text}");
        }
        for text in ["", "h.org", "http://x.org/\u{e9}/", "Read"] {
            assert!(!reading.is_spelled(text), "{text}");
        }
        let address =
            Reading { shown: "mailto:a@h.org".into(), target: "mailto:a@h.org".into(), opens: true };
        assert!(address.is_spelled("a@h.org") && !address.is_spelled("a"));
    }

    #[test]
    fn where_a_label_ends() {
        for (label, text, len) in [
            ("the FAQ", "the\n FAQ first", 8),
            ("the FAQ", "the", 3),
            ("A picture", "Next", 0),
            ("", "Next", 0),
        ] {
            assert_eq!(len_of(label.as_bytes(), text.as_bytes()), len, "{text}");
        }
    }

    #[test]
    fn controls_are_escaped_and_characters_are_whole() {
        assert_eq!(around("a\u{202e}b ", "\u{1b}[2J"), "a\\xE2\\x80\\xAEb \u{2026}\\x1B[2J");
        let long = "\u{fc}".repeat(500);
        assert_eq!(
            around(&format!("{long} "), &long).chars().filter(|&char| char == '\u{fc}').count(),
            199 + 200
        );
        assert_eq!(
            around(&long, &format!("a{long}")).chars().filter(|&char| char == '\u{fc}').count(),
            200 + 199
        );
    }
}

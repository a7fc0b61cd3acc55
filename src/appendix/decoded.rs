//! Decodes a URL that the text escapes, with a map back to the source.
//!
//! An escaped URL is decoded up to the first byte that cannot be in a URL, and the result is read
//! like any other bare URL.
//!
//! Each step doubles the decoded length, so the cost is linear in the URL and not in the text after
//! it.

use std::ops::Range;

use crate::bytes::class::{Class, INSIDE};
use crate::bytes::window::Window;

/// The meaning of the bytes at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The number of bytes that encode the meaning.
    pub(super) len: usize,
    /// The meaning in UTF-8.
    bytes: [u8; 8],
    meaning_len: usize,
    doubt: Doubt,
}

/// The doubt about a decoded byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// The notation is evident.
    None,
    /// The text may mean the bytes as written.
    Entity,
    /// The URL may end here.
    End,
    /// The URL may end at this line break.
    Break,
}

impl Meaning {
    pub(super) fn new(len: usize, means: &[u8]) -> Self {
        let mut bytes = [0; 8];
        bytes[..means.len()].copy_from_slice(means);
        Meaning { len, bytes, meaning_len: means.len(), doubt: Doubt::None }
    }

    pub(super) fn char(len: usize, c: char) -> Self {
        Meaning::new(len, c.encode_utf8(&mut [0; 4]).as_bytes())
    }

    /// Returns true if the meaning equals `bytes`.
    pub(super) fn is(&self, bytes: &[u8]) -> bool {
        self.means() == bytes
    }

    fn means(&self) -> &[u8] {
        &self.bytes[..self.meaning_len]
    }

    pub(super) fn with_doubt(self, doubt: Doubt) -> Self {
        Meaning { doubt, ..self }
    }
}

/// Bytes of a decoded text in a row, and the range of the source that encodes them. If both are
/// equally long, each byte stands for itself.
#[derive(Clone, Debug)]
struct DecodedRun {
    text: usize,
    source: Range<usize>,
}

/// The number of bytes before a URL that are kept. No rule reads more of them to find the end.
const MAX_BEFORE: usize = 640;

/// The number of bytes that are decoded at first.
const FIRST_STEP: usize = 64;

/// Decodes the text from `from` on until `read_url` has enough of it, and returns its result. Returns `None` if it needs
/// text at or after `limit`. `decode` continues the text up to an offset.
pub(super) fn as_far_as_needed<T>(
    source: &Window<'_>,
    from: usize,
    limit: usize,
    decode: impl Fn(&mut DecodedText, usize),
    read_url: impl Fn(&DecodedText, &Window<'_>) -> T,
) -> Option<T> {
    let (mut len, mut decoded) = (FIRST_STEP, DecodedText::new(source, from));
    loop {
        let to = limit.min(from.saturating_add(len));
        decode(&mut decoded, to);
        let window = Window::new(&decoded.text, decoded.is_whole).like(source);
        let read = read_url(&decoded, &window);
        if !window.take_needs_more() {
            return Some(read);
        }
        if to == limit {
            return None;
        }
        len *= 2;
    }
}

/// A text that was decoded.
pub(super) struct DecodedText {
    /// The byte before the URL, the URL, and the byte after it.
    pub(super) text: Vec<u8>,
    /// The offset in `text` at which the URL starts.
    pub(super) start: usize,
    /// True if `text` contains the byte that ends the URL.
    pub(super) is_whole: bool,
    /// True if something was decoded in the scheme or the authority.
    pub(super) is_head_decoded: bool,
    /// The offset of the first byte of the source that is not decoded, and whether it is in the scheme or the
    /// authority.
    at: usize,
    is_in_head: bool,
    runs: Vec<DecodedRun>,
    pub(super) has_entity: bool,
    pub(super) may_end: bool,
    /// The length of `text` before each decoded line break.
    pub(super) breaks: Vec<usize>,
}

impl DecodedText {
    /// The text before `from`, where the URL starts. Nothing is decoded yet.
    pub(super) fn new(window: &Window<'_>, from: usize) -> Self {
        let before = window.before(from, from.saturating_sub(MAX_BEFORE));
        let (mut text, start) = (Vec::with_capacity(before.len() + FIRST_STEP), before.len());
        text.extend_from_slice(before);
        let (is_whole, is_head_decoded, at, is_in_head) = (false, false, from, true);
        let (runs, has_entity, may_end) = (Vec::with_capacity(8), false, false);
        DecodedText {
            text,
            start,
            is_whole,
            is_head_decoded,
            at,
            is_in_head,
            runs,
            has_entity,
            may_end,
            breaks: Vec::new(),
        }
    }

    /// Decodes up to the first byte that no URL contains, or up to `limit`; with `head_only`, only the scheme and the
    /// authority. A `plain` byte after another plain byte is literal. `meaning` returns
    /// the text that is encoded at an offset, after a text that was decoded, and whether that is in
    /// the scheme or the authority.
    pub(super) fn decode(
        &mut self,
        window: &Window<'_>,
        limit: usize,
        head_only: bool,
        plain: Class,
        meaning: impl Fn(usize, &[u8], bool) -> Option<Meaning>,
    ) {
        self.text.reserve(limit.saturating_sub(self.at));
        while self.at < limit && !self.is_whole {
            let at = self.at;
            let follows_plain = self.text[self.start..].last().is_some_and(|&b| plain.has(b));
            let run = at..if follows_plain { window.skip(at, limit, |b| plain.has(b)) } else { at };
            if !run.is_empty() {
                self.at = run.end;
                self.push(window.ahead(run.clone()), run);
                continue;
            }
            if let Some(meaning) = meaning(at, &self.text[self.start..], self.is_in_head) {
                self.is_head_decoded |= self.is_in_head;
                self.is_in_head &= meaning.means() != b":" || !self.ends_head(b':');
                self.push_meaning(window, &meaning, at);
                self.at += meaning.len;
            } else if let Some(byte) = window.get(at) {
                self.is_in_head &= !self.ends_head(byte);
                // The byte after a backslash matters as well.
                let is_after = self.text[self.start..].ends_with(b"\\");
                self.push(&[byte], at..at + 1);
                self.is_whole = !INSIDE.has(byte) || is_after;
                self.at += 1;
            } else {
                self.is_whole = true;
            }
            self.is_whole |= head_only && !self.is_in_head;
        }
    }

    /// Adds the text that is encoded at `at`. If the encoding contains it verbatim, only these bytes are mapped.
    fn push_meaning(&mut self, window: &Window<'_>, meaning: &Meaning, at: usize) {
        self.has_entity |= meaning.doubt == Doubt::Entity;
        self.may_end |= meaning.doubt == Doubt::End;
        if meaning.doubt == Doubt::Break {
            self.breaks.push(self.text.len());
        }
        let means = meaning.means();
        if means.is_empty() {
            return;
        }
        let source = at..at + meaning.len;
        let encoded = window.ahead(source.clone());
        let found = match means {
            [byte] => encoded.iter().position(|encoded| encoded == byte),
            _ => encoded.windows(means.len()).position(|bytes| bytes == means),
        };
        match found {
            Some(n) => self.push(means, at + n..at + n + means.len()),
            None => self.push(means, source),
        }
    }

    /// Adds the meaning of the bytes at `source`.
    fn push(&mut self, means: &[u8], source: Range<usize>) {
        let text = self.text.len();
        self.text.extend_from_slice(means);
        if let Some(last) = self.runs.last_mut()
            && last.source.end == source.start
            && last.source.len() == text - last.text
            && means.len() == source.len()
        {
            last.source.end = source.end;
            return;
        }
        self.runs.push(DecodedRun { text, source });
    }

    /// Returns true if `byte`, which follows, ends the authority: the slashes after the scheme do
    /// not. Without slashes, a colon ends it; otherwise `cid:cid:cid:` would take quadratic time.
    fn ends_head(&self, byte: u8) -> bool {
        let url = &self.text[self.start..];
        let after_scheme = || memchr::memchr(b':', url).map(|colon| &url[colon + 1..]);
        match byte {
            b'?' | b'#' => true,
            b'/' => !matches!(after_scheme(), Some(b"" | b"/")),
            b':' => after_scheme().is_some_and(|rest| !rest.starts_with(b"/")),
            _ => false,
        }
    }

    /// The ranges of the source that encode the text up to `end`, in order.
    pub(super) fn source_pieces(&self, end: usize) -> Vec<Range<usize>> {
        let mut source_pieces: Vec<Range<usize>> = Vec::new();
        for (n, run) in self.runs.iter().enumerate().filter(|(_, run)| run.text < end) {
            let next = self.runs.get(n + 1).map_or(self.text.len(), |next| next.text);
            let source = match next - run.text {
                0 => continue,
                len if len == run.source.len() => {
                    run.source.start..run.source.start + len.min(end - run.text)
                }
                _ => run.source.clone(),
            };
            match source_pieces.last_mut() {
                Some(last) if last.end == source.start => last.end = source.end,
                _ => source_pieces.push(source),
            }
        }
        source_pieces
    }

    /// Returns the offset at which the source of the text before `end` ends.
    pub(super) fn end_in_source(&self, end: usize) -> usize {
        self.source_pieces(end).last().map_or(0, |last| last.end)
    }
}

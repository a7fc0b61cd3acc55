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
    meant: usize,
    kind: Defect,
}

/// A possible defect of a decoded byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Defect {
    /// None: the notation is evident.
    Exact,
    /// The text may mean the bytes as they are.
    Entity,
    /// The URL may end here.
    Mark,
    /// The URL may end where its line does.
    Break,
}

impl Meaning {
    pub(super) fn new(len: usize, means: &[u8]) -> Self {
        let mut bytes = [0; 8];
        bytes[..means.len()].copy_from_slice(means);
        Meaning { len, bytes, meant: means.len(), kind: Defect::Exact }
    }

    pub(super) fn char(len: usize, c: char) -> Self {
        Meaning::new(len, c.encode_utf8(&mut [0; 4]).as_bytes())
    }

    /// Returns true if the meaning equals `bytes`.
    pub(super) fn is(&self, bytes: &[u8]) -> bool {
        self.means() == bytes
    }

    fn means(&self) -> &[u8] {
        &self.bytes[..self.meant]
    }

    pub(super) fn of_kind(self, kind: Defect) -> Self {
        Meaning { kind, ..self }
    }
}

/// Bytes of a decoded text in a row, and the range of the source that encodes them. If both are
/// equally long, each byte stands for itself.
#[derive(Clone, Debug)]
struct DecodedRun {
    text: usize,
    source: Range<usize>,
}

/// The amount of text before a URL that decides where it ends, which is more than any rule reads.
const BEFORE: usize = 640;

/// The number of bytes that are decoded at first.
const FIRST: usize = 64;

/// Decodes the text from `from` on until `read_url` has enough of it, and returns its result. Returns `None` if it needs
/// text at or after `limit`. `decode` continues the text up to an offset.
pub(super) fn as_far_as_needed<T>(
    source: &Window<'_>,
    from: usize,
    limit: usize,
    decode: impl Fn(&mut DecodedText, usize),
    read_url: impl Fn(&DecodedText, &Window<'_>) -> T,
) -> Option<T> {
    let (mut len, mut decoded) = (FIRST, DecodedText::new(source, from));
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
    /// The offset at which the URL starts in it.
    pub(super) start: usize,
    /// True if `text` contains the byte that ends the URL.
    pub(super) is_whole: bool,
    /// True if something was decoded in the scheme or the authority.
    pub(super) in_head: bool,
    /// The offset of the first byte of the source that is not decoded, and whether it is in the scheme or the
    /// authority.
    at: usize,
    at_head: bool,
    runs: Vec<DecodedRun>,
    pub(super) has_entity: bool,
    pub(super) has_mark: bool,
    /// The text before each break of a line.
    pub(super) breaks: Vec<usize>,
}

impl DecodedText {
    /// The text before `from`, where the URL starts.
    pub(super) fn new(window: &Window<'_>, from: usize) -> Self {
        let before = window.before(from, from.saturating_sub(BEFORE));
        let (mut text, start) = (Vec::with_capacity(before.len() + FIRST), before.len());
        text.extend_from_slice(before);
        let (is_whole, in_head, at, at_head) = (false, false, from, true);
        let (runs, has_entity, has_mark) = (Vec::with_capacity(8), false, false);
        DecodedText {
            text,
            start,
            is_whole,
            in_head,
            at,
            at_head,
            runs,
            has_entity,
            has_mark,
            breaks: Vec::new(),
        }
    }

    /// Decodes up to the first byte that no URL contains, or up to `limit`; with `head`, only the scheme and the
    /// authority. A `plain` byte after another plain byte is literal. `meaning` returns
    /// the text that is encoded at an offset, after a text that was decoded, and whether that is in
    /// the scheme or the authority.
    pub(super) fn decode(
        &mut self,
        window: &Window<'_>,
        limit: usize,
        head: bool,
        plain: Class,
        meaning: impl Fn(usize, &[u8], bool) -> Option<Meaning>,
    ) {
        self.text.reserve(limit.saturating_sub(self.at));
        while self.at < limit && !self.is_whole {
            let at = self.at;
            let goes_on = self.text[self.start..].last().is_some_and(|&b| plain.has(b));
            let run = at..if goes_on { window.skip(at, limit, |b| plain.has(b)) } else { at };
            if !run.is_empty() {
                self.at = run.end;
                self.push(window.ahead(run.clone()), run);
                continue;
            }
            if let Some(meaning) = meaning(at, &self.text[self.start..], self.at_head) {
                self.in_head |= self.at_head;
                self.at_head &= meaning.means() != b":" || !self.ends_head(b':');
                self.push_meaning(window, &meaning, at);
                self.at += meaning.len;
            } else if let Some(byte) = window.get(at) {
                self.at_head &= !self.ends_head(byte);
                // The byte after a backslash matters as well.
                let is_after = self.text[self.start..].ends_with(b"\\");
                self.push(&[byte], at..at + 1);
                self.is_whole = !INSIDE.has(byte) || is_after;
                self.at += 1;
            } else {
                self.is_whole = true;
            }
            self.is_whole |= head && !self.at_head;
        }
    }

    /// Adds the text at `at`. If the encoding contains the decoded bytes, only they are mapped.
    fn push_meaning(&mut self, window: &Window<'_>, meaning: &Meaning, at: usize) {
        self.has_entity |= meaning.kind == Defect::Entity;
        self.has_mark |= meaning.kind == Defect::Mark;
        if meaning.kind == Defect::Break {
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
    pub(super) fn segments(&self, end: usize) -> Vec<Range<usize>> {
        let mut segments: Vec<Range<usize>> = Vec::new();
        for (n, run) in self.runs.iter().enumerate().filter(|(_, run)| run.text < end) {
            let next = self.runs.get(n + 1).map_or(self.text.len(), |next| next.text);
            let source = match next - run.text {
                0 => continue,
                len if len == run.source.len() => {
                    run.source.start..run.source.start + len.min(end - run.text)
                }
                _ => run.source.clone(),
            };
            match segments.last_mut() {
                Some(last) if last.end == source.start => last.end = source.end,
                _ => segments.push(source),
            }
        }
        segments
    }

    /// Returns the offset at which the source of the text before `end` ends.
    pub(super) fn place(&self, end: usize) -> usize {
        self.segments(end).last().map_or(0, |last| last.end)
    }
}

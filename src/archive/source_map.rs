//! Decoded text, and the way back from it to its source.
//!
//! Every decoder writes a [`Decoded`]: the bytes that a reader of the mail would
//! see, and a [`SourceMap`] that says which bytes of the source encode each of them.
//! The map is a list of runs. In a run, a fixed number of bytes of text is encoded by a
//! fixed number of bytes of source: one by one where nothing was encoded, one by three
//! in the `=3D` of quoted-printable, three by four in a line of base64. A byte that
//! shares bytes of the source with another has all those that hold any bit of it.
//!
//! Where one decoder works on the text of another (HTML in quoted-printable), each has
//! its map, and a range is mapped through them one after the other.

use std::ops::Range;

/// The output of a decoder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) map: SourceMap,
}

impl Decoded {
    /// Appends the bytes at `range` of `source` verbatim.
    pub(crate) fn copy(&mut self, source: &[u8], range: Range<usize>) {
        self.map.add(self.bytes.len(), range.clone(), range.len());
        self.bytes.extend_from_slice(&source[range]);
    }

    /// Appends `text`, which `source` encodes; each byte of it takes as much
    /// of `source` as every other.
    pub(crate) fn put(&mut self, text: &[u8], source: Range<usize>) {
        self.map.add(self.bytes.len(), source, text.len());
        self.bytes.extend_from_slice(text);
    }

    /// A part of the text, with the source of that part.
    pub(crate) fn slice(&self, range: Range<usize>) -> Decoded {
        let mut slice = Decoded::default();
        slice.append_part(self, range);
        slice
    }

    /// The same text, decoded from a source that is the text of `outer`, with the source of that.
    pub(crate) fn through(&self, outer: &Decoded) -> Decoded {
        let mut through = Decoded::default();
        for (text, source) in self.map.parts(0..self.bytes.len()) {
            if text.len() == source.len() {
                through.append_part(outer, source);
            } else {
                through.put(&self.bytes[text], outer.map.hull(source));
            }
        }
        through
    }

    /// Appends `range` of `other`, whose source is part of this source.
    pub(crate) fn append_part(&mut self, other: &Decoded, range: Range<usize>) {
        for (text, source) in other.map.parts(range) {
            self.put(&other.bytes[text], source);
        }
    }
}

impl Decoded {
    /// The same text, if its source begins at `at` of a longer one.
    pub(crate) fn moved(mut self, at: usize) -> Self {
        self.map.runs.iter_mut().for_each(|run| run.source += at);
        self
    }

    /// Appends `other`, whose source comes after that of this one.
    pub(crate) fn append(&mut self, other: Decoded) {
        let at = self.bytes.len();
        let moved = |run: Run| Run { text: (run.text.0 + at, run.text.1 + at), ..run };
        self.map.runs.extend(other.map.runs.into_iter().map(moved));
        self.bytes.extend(other.bytes);
    }
}

/// The map from a text to its source.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    /// In the order of the text; the first begins at 0.
    pub(super) runs: Vec<Run>,
}

/// In [`Run::per`]: every byte of text is of all bytes of source.
const OPAQUE: usize = 0;

/// A run of text with a fixed ratio of text to source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Where it begins and ends in the text.
    text: (usize, usize),
    /// Where it begins in the source.
    source: usize,
    /// `per.0` bytes of source are `per.1` bytes of text.
    per: (usize, usize),
}

impl Run {
    /// The source of a part of this run.
    fn source_of(&self, part: Range<usize>) -> Range<usize> {
        let (source, text) = self.per;
        if text == OPAQUE {
            return self.source..self.source + source;
        }
        let [from, to] = [part.start, part.end].map(|at| (at - self.text.0) * source);
        self.source + from / text..self.source + to.div_ceil(text)
    }

    fn source_end(&self) -> usize {
        let (source, text) = self.per;
        match text {
            OPAQUE => self.source + source,
            // Most runs; a division costs more than all the rest.
            1 => self.source + (self.text.1 - self.text.0) * source,
            _ => self.source_of(self.text.0..self.text.1).end,
        }
    }
}

impl SourceMap {
    /// The map of `text` bytes that all of the `source` bytes encode, and none of these alone.
    pub(super) fn opaque(text: usize, source: usize) -> Self {
        SourceMap { runs: vec![Run { text: (0, text), source: 0, per: (source, OPAQUE) }] }
    }

    /// The map of a text that is this part of its source.
    pub(super) fn part(range: Range<usize>) -> Self {
        let mut map = SourceMap::default();
        map.add(0, range.clone(), range.len());
        map
    }

    /// Adds `len` bytes of text at `at`, the end of the text, which `source` encodes.
    pub(crate) fn add(&mut self, at: usize, source: Range<usize>, len: usize) {
        if len == 0 {
            return;
        }
        let per = if source.len() == len { (1, 1) } else { (source.len(), len) };
        match self.runs.last_mut() {
            Some(last) if last.per == per && last.source_end() == source.start => {
                last.text.1 += len;
                return;
            }
            Some(_) => {}
            // Most links of a page have one run, and there may be many links.
            None => self.runs.reserve_exact(1),
        }
        self.runs.push(Run { text: (at, at + len), source: source.start, per });
    }

    /// The ranges of the source that encode `range` of the text.
    pub(crate) fn sources(&self, range: Range<usize>) -> Vec<Range<usize>> {
        merged(self.parts(range).map(|(_, source)| source))
    }

    /// The range from the beginning of the first of these ranges to the end of the last; empty
    /// if there is none.
    pub(crate) fn hull(&self, range: Range<usize>) -> Range<usize> {
        let mut sources = self.parts(range).map(|(_, source)| source).filter(|source| !source.is_empty());
        let first = sources.next().unwrap_or_default();
        first.start..sources.fold(first.end, |end, source| end.max(source.end))
    }

    /// The runs in `range` of the text: the part of the text, and its source.
    fn parts(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let first = self.runs.partition_point(|run| run.text.1 <= range.start);
        let runs = self.runs[first..].iter().take_while(move |run| run.text.0 < range.end);
        runs.map(move |run| {
            let part = range.start.max(run.text.0)..range.end.min(run.text.1);
            (part.clone(), run.source_of(part))
        })
    }
}

/// The same ranges, empty ones left out and those that touch or overlap merged.
pub(super) fn merged<N: Copy + Ord>(ranges: impl Iterator<Item = Range<N>>) -> Vec<Range<N>> {
    let mut merged: Vec<Range<N>> = Vec::new();
    for range in ranges.filter(|range| !range.is_empty()) {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

//! Files with holes, of which only the rest is in the archive.

use std::io;

use crate::archive::container::budget::Budget;

/// A part of a file that is not a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// Where the holes of a file are described.
#[derive(Debug)]
pub(super) enum Sparse {
    /// It has none.
    No,
    /// Here: its segments, and its length with the holes.
    Map { segments: Vec<Segment>, length: u64 },
    /// At the beginning of the data.
    MapInData { length: u64 },
    /// In a way that is not known.
    Unknown,
}

/// A file with holes: what of it comes next.
#[derive(Debug, Default)]
pub(super) struct Holes {
    /// The segments that have not been read, the last one first.
    segments: Vec<Segment>,
    /// How many bytes of the file have been read, and how many there are.
    at: u64,
    length: u64,
}

/// What comes next in a file with holes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Zeros(u64),
    Data(u64),
}

impl Holes {
    /// A file of `length` bytes, of which `stored` are in the archive; `None` if the
    /// segments contradict that.
    pub(super) fn new(mut segments: Vec<Segment>, length: u64, stored: u64) -> Option<Holes> {
        let (mut end, mut sum) = (0_u64, 0_u64);
        for segment in &segments {
            if segment.offset < end {
                return None;
            }
            end = segment.offset.checked_add(segment.length)?;
            sum += segment.length;
        }
        segments.retain(|segment| segment.length > 0);
        segments.reverse();
        (end <= length && sum <= stored).then_some(Holes { segments, at: 0, length })
    }

    /// What comes next; nothing at the end is no data.
    pub(super) fn next(&self) -> Next {
        match self.segments.last() {
            Some(segment) if segment.offset > self.at => Next::Zeros(segment.offset - self.at),
            Some(segment) => Next::Data(segment.length - (self.at - segment.offset)),
            None if self.length > self.at => Next::Zeros(self.length - self.at),
            None => Next::Data(0),
        }
    }

    /// Advances by `len` bytes, which came next.
    pub(super) fn advance(&mut self, len: usize) {
        self.at += len as u64;
        if self.segments.last().is_some_and(|segment| segment.offset + segment.length <= self.at) {
            self.segments.pop();
        }
    }
}

/// Writes the zeros of a hole of `hole` bytes to `buf`; returns how many.
pub(super) fn zeros(buf: &mut [u8], hole: u64, budget: &Budget) -> io::Result<usize> {
    let len = usize::try_from(hole).map_or(buf.len(), |hole| hole.min(buf.len()));
    budget.spend(len)?;
    buf[..len].fill(0);
    Ok(len)
}

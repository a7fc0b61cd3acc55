//! The records before a header in which a field has no room (POSIX pax), each
//! `LENGTH KEY=VALUE` and a line break.

use std::io;

use crate::archive::container::budget::Budget;
use crate::archive::container::format::decimal;

/// The facts about the next member that precede its header.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PaxRecords {
    pub(super) name: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    /// The name, if the member has holes: its header has another.
    sparse_name: Option<Vec<u8>>,
    /// The length of a file with holes.
    length: Option<u64>,
    /// Offsets and lengths in turn.
    map: Vec<u64>,
    version: Option<(u64, u64)>,
}

impl PaxRecords {
    /// Adds the records of a header; `None` if they are not valid.
    pub(super) fn add(&mut self, mut records: &[u8]) -> Option<()> {
        while let [b'0'..=b'9', ..] = records {
            let space = memchr::memchr(b' ', records)?;
            let len = usize::try_from(decimal(&records[..space])?).ok()?;
            let record = records.get(space + 1..len)?.strip_suffix(b"\n")?;
            let (key, value) = record.split_at(memchr::memchr(b'=', record)?);
            self.record(key, &value[1..])?;
            records = &records[len..];
        }
        records.iter().all(|&b| b == 0).then_some(())
    }

    fn record(&mut self, key: &[u8], value: &[u8]) -> Option<()> {
        let (major, minor) = self.version.unwrap_or_default();
        match key {
            // A value without bytes deletes an earlier one.
            b"path" => self.name = (!value.is_empty()).then(|| value.to_vec()),
            b"size" if value.is_empty() => self.size = None,
            b"size" => self.size = Some(decimal(value)?),
            b"GNU.sparse.name" => self.sparse_name = Some(value.to_vec()),
            b"GNU.sparse.size" | b"GNU.sparse.realsize" => self.length = Some(decimal(value)?),
            b"GNU.sparse.offset" | b"GNU.sparse.numbytes" => self.map.push(decimal(value)?),
            b"GNU.sparse.map" => {
                let numbers = value.split(|&b| b == b',').filter(|number| !number.is_empty());
                self.map = numbers.map(decimal).collect::<Option<_>>()?;
            }
            b"GNU.sparse.major" => self.version = Some((decimal(value)?, minor)),
            b"GNU.sparse.minor" => self.version = Some((major, decimal(value)?)),
            _ => {}
        }
        Some(())
    }

    /// The name of the member, if its header does not have it.
    pub(super) fn take_name(&mut self) -> Option<Vec<u8>> {
        self.sparse_name.take().or(self.name.take())
    }

    /// The holes of the member.
    pub(super) fn sparse(&self) -> Sparse {
        let Some(length) = self.length else { return Sparse::No };
        match self.version {
            Some((1, 0)) => Sparse::MapInData { length },
            None | Some((0, _)) => {
                let segments = self.map.chunks_exact(2);
                let segments = segments.map(|pair| Segment { offset: pair[0], length: pair[1] }).collect();
                Sparse::Map { segments, length }
            }
            Some(_) => Sparse::Unknown,
        }
    }
}

// Files with holes, of which only the rest is in the archive.

/// A part of a file that is not a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// The position of the description of a file's holes.
#[derive(Debug)]
pub(super) enum Sparse {
    /// The file has no holes.
    No,
    /// Known: the segments of the file, and its length with the holes.
    Map { segments: Vec<Segment>, length: u64 },
    /// At the beginning of the data.
    MapInData { length: u64 },
    /// In a way that is not known.
    Unknown,
}

/// A file with holes, and its next part.
#[derive(Debug, Default)]
pub(super) struct Holes {
    /// The segments that have not been read, the last one first.
    segments: Vec<Segment>,
    /// The number of bytes of the file that have been read, and their total.
    at: u64,
    length: u64,
}

/// The next part of a file with holes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextPart {
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

    /// Returns the next part; a hole at the end is not data.
    pub(super) fn next(&self) -> NextPart {
        match self.segments.last() {
            Some(segment) if segment.offset > self.at => NextPart::Zeros(segment.offset - self.at),
            Some(segment) => NextPart::Data(segment.length - (self.at - segment.offset)),
            None if self.length > self.at => NextPart::Zeros(self.length - self.at),
            None => NextPart::Data(0),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records() {
        let mut records = PaxRecords::default();
        assert_eq!(records.add(b"12 path=a/b\n16 size=1234567\n8 x=y=z\n\0\0"), Some(()));
        assert_eq!(records.size, Some(1_234_567));
        assert_eq!(records.take_name().as_deref(), Some(&b"a/b"[..]));
    }

    /// The path of a member with holes is one that GNU tar made up.
    #[test]
    fn the_name_of_a_member_with_holes() {
        let [path, name] = ["26 path=GNUSparseFile.0/s\n", "21 GNU.sparse.name=s\n"];
        for block in [[path, name], [name, path]] {
            let mut records = PaxRecords::default();
            assert_eq!(records.add(block.concat().as_bytes()), Some(()));
            assert_eq!(records.take_name().as_deref(), Some(&b"s"[..]));
        }
    }

    #[test]
    fn records_that_are_not_valid() {
        for bad in [&b"99 path=a\n"[..], b"10 path\n", b"4 a=b\n", b"x", b"9 size=a\n", b"1 path=a\n", b"12"]
        {
            assert_eq!(PaxRecords::default().add(bad), None, "{}", bad.escape_ascii());
        }
    }

    /// Segments in order, within the length, and as long as the data that the archive has.
    #[test]
    fn segments_that_contradict_each_other() {
        let is_valid = |segments: &[(u64, u64)], length, stored| {
            let segments = segments.iter().map(|&(offset, length)| Segment { offset, length }).collect();
            Holes::new(segments, length, stored).is_some()
        };
        for (segments, length, stored, valid) in [
            (&[(0, 2), (2, 3)][..], 5, 5, true),
            (&[(0, 2), (2, 3)], 4, 5, false),
            (&[(0, 2), (2, 3)], 5, 4, false),
            (&[(0, 2), (1, 3)], 5, 5, false),
            (&[(2, 2), (0, 2)], 5, 5, false),
            (&[(5, 0)], 5, 0, true),
            (&[(6, 0)], 5, 0, false),
            (&[(1, u64::MAX)], u64::MAX, u64::MAX, false),
            (&[], 0, 0, true),
        ] {
            assert_eq!(is_valid(segments, length, stored), valid, "{segments:?} {length} {stored}");
        }
    }

    /// No more zeros than fit, and no more than the hole has.
    #[test]
    fn the_zeros_of_a_hole() {
        for (hole, len) in [(0, 0), (3, 3), (4, 4), (5, 4), (u64::from(u32::MAX) + 2, 4), (u64::MAX, 4)] {
            let mut buf = [1; 4];
            assert_eq!(zeros(&mut buf, hole, &Budget::default()).unwrap(), len, "{hole}");
            assert!(buf.iter().enumerate().all(|(at, &byte)| byte == u8::from(at >= len)), "{hole}: {buf:?}");
        }
    }
}

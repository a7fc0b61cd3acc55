//! The layers of an input: containers in containers, and compressed files in them.
//!
//! ```text
//!   a.zip!/b.tar.gz!/c.mbox:   input ──► zip ──► gzip ──► tar ──► c.mbox
//! ```
//!
//! A layer reads the output of the layer below. There are at most
//! [`MAX_LAYERS`](crate::archive::limits::MAX_LAYERS) of them.

use std::io::{self, Read};
use std::ops::Range;

use super::binary::{self, Binary};
use super::budget::Budget;
use super::compress::compression::{self, Compression};
use super::compress::decompressed::Decompressed;
use super::compress::peek::PeekReader;
use super::compress::step::WINDOW;
use super::tar::Tar;
use super::zip::Zip;
use super::{Member, tar, zip};

/// A layer. As a [`Read`]er it yields its data: the data of the current member, if it is a
/// container.
pub(super) struct Layer<R: Read> {
    source: LayerSource<R>,
    /// The number of layers, including this one but not the input.
    pub(super) depth: usize,
    /// The number of layers that decompress.
    decompress: usize,
    /// The largest window of its decoder, in bytes.
    window: u64,
    budget: Budget,
}

enum LayerSource<R: Read> {
    Input(R),
    Compressed(Box<Decompressed<Layer<R>>>),
    Zip(Box<Zip<Layer<R>>>),
    Tar(Box<Tar<Layer<R>>>),
}

impl<R: Read> Layer<R> {
    pub(super) fn new(input: R) -> Self {
        let source = LayerSource::Input(input);
        Layer { source, depth: 0, decompress: 0, window: WINDOW, budget: Budget::default() }
    }

    /// A layer of a decompressed file, or of the rest of one, which `offset` bytes precede.
    pub(super) fn compressed(input: PeekReader<Self>, compression: Compression, offset: u64) -> Self {
        Layer::above(input, 1, |input, window, _| {
            LayerSource::Compressed(Box::new(Decompressed::new(input, compression, window, offset)))
        })
    }

    /// A layer of the zip members.
    pub(super) fn zip(input: PeekReader<Self>) -> Self {
        Layer::above(input, 1, |input, window, _| LayerSource::Zip(Box::new(Zip::new(input, window))))
    }

    /// A layer of the tar members with their first header in `part`; `input` starts there.
    pub(super) fn tar(input: PeekReader<Self>, part: Range<u64>) -> Self {
        Layer::above(input, 0, |input, _, budget| LayerSource::Tar(Box::new(Tar::new(input, part, budget))))
    }

    /// A layer above another. A layer with a large window halves the limit for the layers above, so
    /// that all together need at most twice the memory of one.
    fn above(
        input: PeekReader<Self>,
        decompress: usize,
        source: impl FnOnce(PeekReader<Self>, u64, Budget) -> LayerSource<R>,
    ) -> Self {
        let below = input.get_ref();
        let (depth, decompress) = (below.depth + 1, below.decompress + decompress);
        let window = if below.has_large_window() { below.window / 2 } else { below.window };
        let budget = below.budget.clone();
        Layer { source: source(input, window, budget.clone()), depth, decompress, window, budget }
    }

    fn has_large_window(&self) -> bool {
        match &self.source {
            LayerSource::Compressed(file) => file.has_large_window(),
            LayerSource::Zip(archive) => archive.has_large_window(),
            LayerSource::Input(_) | LayerSource::Tar(_) => false,
        }
    }

    /// The container whose current member is read through this layer; `None` without a container.
    pub(super) fn into_container(self) -> Option<Self> {
        let mut layer = self;
        loop {
            layer = match layer.source {
                LayerSource::Input(_) => return None,
                LayerSource::Compressed(file) => file.into_inner(),
                LayerSource::Zip(_) | LayerSource::Tar(_) => return Some(layer),
            };
        }
    }

    /// Returns true if an error within a member came from this container, which then cannot be read
    /// further.
    pub(super) fn is_over(&self) -> bool {
        match &self.source {
            LayerSource::Zip(archive) => archive.failed,
            LayerSource::Tar(archive) => archive.over,
            LayerSource::Input(_) | LayerSource::Compressed(_) => false,
        }
    }

    /// Returns the error that ended this container while a member was skipped.
    pub(super) fn skipped_error(&self) -> Option<io::Error> {
        // A zip archive finds the error again.
        let LayerSource::Tar(archive) = &self.source else { return None };
        archive.over.then(|| archive.truncated())
    }

    /// The next member of this container. After an error of kind
    /// [`InvalidData`](io::ErrorKind::InvalidData) further members may follow.
    pub(super) fn next(&mut self) -> Option<io::Result<Member>> {
        match &mut self.source {
            LayerSource::Zip(archive) => archive.next(),
            LayerSource::Tar(archive) => archive.next(),
            LayerSource::Input(_) | LayerSource::Compressed(_) => None,
        }
    }

    /// The outer container of this container, or `None` if it is not a member.
    pub(super) fn into_outer(self) -> Option<Self> {
        match self.source {
            LayerSource::Zip(archive) => archive.into_inner().into_container(),
            LayerSource::Tar(archive) => archive.into_inner().into_container(),
            LayerSource::Input(_) | LayerSource::Compressed(_) => None,
        }
    }
}

impl<R: Read> Read for Layer<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = match &mut self.source {
            LayerSource::Input(input) => {
                let len = input.read(buf)?;
                self.budget.add(len);
                return Ok(len);
            }
            LayerSource::Compressed(file) => file.read(buf)?,
            LayerSource::Zip(archive) => archive.read(buf)?,
            LayerSource::Tar(archive) => return archive.read(buf),
        };
        if self.decompress > 1 {
            self.budget.spend(len)?;
        }
        Ok(len)
    }
}

// The kind of a file, determined by its first bytes, before its text is examined.

/// The number of bytes that decide, except in some disk images.
const KIND_HEAD: usize = 512;

/// The kind of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LayerKind {
    Compressed(Compression),
    Zip,
    Tar,
    /// A known file that is not text, and its format.
    Binary(Binary),
    /// Text, or unknown.
    Plain,
}

impl LayerKind {
    /// The kind of a file that begins with `head`, unless that is the line before a news batch.
    fn of(head: &[u8]) -> LayerKind {
        if let Some(compression) = Compression::of(head) {
            LayerKind::Compressed(compression)
        } else if zip::begins(head) {
            LayerKind::Zip
        } else if tar::begins(head) {
            LayerKind::Tar
        } else {
            binary::recognise(head).map_or(LayerKind::Plain, LayerKind::Binary)
        }
    }

    /// The kind of a file with all its first bytes in `head`, after the line before a compressed
    /// news batch.
    pub(crate) fn of_head(head: &[u8]) -> LayerKind {
        match (LayerKind::of(head), compression::batch_line_end(head)) {
            (LayerKind::Plain, Some(end)) => LayerKind::of_head(&head[end..]),
            (kind, _) => kind,
        }
    }

    /// The kind of a file. Skips the line before a compressed news batch.
    ///
    /// The kind depends on the first bytes, not on how many a read returns. This waits only for the
    /// bytes that matter, because a person may be typing. An error ends these bytes, and is
    /// returned when the file is read that far.
    pub(crate) fn recognise<R: Read>(input: &mut PeekReader<R>) -> LayerKind {
        loop {
            let head = input.peek_while(KIND_HEAD, |head| {
                compression::may_begin(head)
                    || zip::may_begin(head)
                    || tar::may_begin(head)
                    || binary::may_begin(head)
            });
            match LayerKind::of(head) {
                LayerKind::Plain => {}
                kind => return kind,
            }
            if binary::may_be_disk(head) {
                let head = input.peek_while(binary::DISK, |_| true);
                return binary::recognise(head).map_or(LayerKind::Plain, LayerKind::Binary);
            }
            if !compression::skip_batch_line(input) {
                return LayerKind::Plain;
            }
        }
    }
}

/// Returns the kind of the file that `input` yields; `None` if a line before a compressed news batch is skipped.
///
/// # Errors
///
/// Returns an error if the first bytes cannot be read.
pub(crate) fn outline<R: Read>(input: R) -> io::Result<Option<LayerKind>> {
    let mut input = PeekReader::new(input);
    let kind = LayerKind::recognise(&mut input);
    input.take_error().map_or(Ok(()), Err)?;
    Ok(Some(kind).filter(|_| input.offset() == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An input whose first byte cannot be read has no kind.
    #[test]
    fn an_error_in_the_first_bytes() {
        struct Fails;

        impl Read for Fails {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::PermissionDenied.into())
            }
        }

        let error = outline(Fails).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        // After other bytes, reading returns the error.
        for head in [&b"\x1f"[..], b"PK", b"a"] {
            let kind = outline(head.chain(Fails)).unwrap();
            assert!(matches!(kind, Some(LayerKind::Plain)), "{head:?}: {kind:?}");
        }
    }
}

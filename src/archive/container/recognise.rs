//! What a file is, by its first bytes, before its text is looked at.

use std::io::{self, Read};

use super::binary;
use super::compress::compression::{self, Compression};
use super::compress::peek::PeekReader;
use super::{tar, zip};

/// How many bytes decide, but for some disk images.
const HEAD: usize = 512;

/// What a file is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Compressed(Compression),
    Zip,
    Tar,
    /// A known file that is not text, and what it is.
    Binary(&'static str),
    /// Text, or unknown.
    Plain,
}

impl Kind {
    /// The kind of a file. Skips the line before a compressed batch of news.
    ///
    /// It depends on the first bytes, and not on how many a read returns. It waits for no
    /// more bytes than count: a person may be typing. An error ends these bytes, and is
    /// returned when the file is read that far.
    pub(super) fn recognise<R: Read>(input: &mut PeekReader<R>) -> Kind {
        loop {
            let head = input.peek_while(HEAD, |head| {
                compression::may_begin(head)
                    || zip::may_begin(head)
                    || tar::may_begin(head)
                    || binary::may_begin(head)
            });
            if let Some(compression) = Compression::of(head) {
                return Kind::Compressed(compression);
            }
            if zip::begins(head) {
                return Kind::Zip;
            }
            if tar::begins(head) {
                return Kind::Tar;
            }
            if let Some(what) = binary::what(head) {
                return Kind::Binary(what);
            }
            if binary::may_be_disk(head) {
                let head = input.peek_while(binary::DISK, |_| true);
                return binary::what(head).map_or(Kind::Plain, Kind::Binary);
            }
            if !compression::skip_batch_line(input) {
                return Kind::Plain;
            }
        }
    }
}

/// How a file as a whole is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outline {
    /// Verbatim, as one file that is text or unknown.
    File,
    /// As a tar archive that is not compressed.
    Tar,
    /// In another way.
    Other,
}

/// How the file that `input` yields is read.
///
/// # Errors
///
/// If the first bytes cannot be read.
pub(crate) fn outline<R: Read>(input: R) -> io::Result<Outline> {
    let mut input = PeekReader::new(input);
    let kind = Kind::recognise(&mut input);
    if let Some(error) = input.take_error() {
        return Err(error);
    }
    Ok(match kind {
        // The line before a compressed batch of news is skipped.
        _ if input.offset() > 0 => Outline::Other,
        Kind::Plain => Outline::File,
        Kind::Tar => Outline::Tar,
        Kind::Compressed(_) | Kind::Zip | Kind::Binary(_) => Outline::Other,
    })
}

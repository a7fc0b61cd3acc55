//! The limits of a message and of the archives around it, so that no input takes unbounded time or memory.
//!
//! The limits of one format are in its file. `docs/design/hostile-input.md` lists all of them.

/// The maximum number of archives and compressed files around a file, one inside another. A compressed tar archive is
/// two layers.
pub const MAX_LAYERS: usize = 8;

/// The number of bytes that any input may expand to in nested archives: 1 GiB.
pub(crate) const FREE_OUTPUT: u64 = 1 << 30;

/// The number of further bytes for each byte of the input. Deflate reaches 1032, and bzip2 and xz
/// reach more, but only with runs of one byte. Text compresses far less, even twice, so only a file
/// of more than 1 GiB of such runs fails.
pub(crate) const OUTPUT_RATIO: u64 = 1000;

/// The maximum length of a message that is yielded as a whole, in bytes: 16 MiB.
///
/// A longer message is yielded in pieces, as several messages with the same
/// [index](crate::archive::Message::index) and envelope. A part that does not fit into one piece is
/// in several pieces, and each is decoded. A piece ends at an empty line of the decoded text, which
/// no URL can span, or if it contains none, at a line break.
pub const MAX_MESSAGE_LEN: usize = 16 * 1024 * 1024;

/// The lengths that decide where a message is split, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// The maximum length of a message that is parsed as a whole, and of a piece.
    pub(crate) message: usize,
    /// The number of bytes at the end of a piece that are left to the next one.
    pub(crate) margin: usize,
    /// The number of bytes before these in which the best position for a split is searched.
    pub(crate) choice: usize,
    /// The number of nested documents that continue in the next piece.
    pub(crate) depth: usize,
}

/// The maximum depth of nested parts; deeper parts are read as text.
pub const MAX_DEPTH: usize = 100;

/// The maximum number of layers above a message of the file. Each is decoded from the one below it,
/// and all are in memory.
pub(crate) const MAX_NESTED: usize = 3;

/// The number of bytes of layers that are kept before no other layer is opened, because the
/// archives in a message may contain many messages.
pub(crate) const MAX_KEPT: usize = 4 * MAX_BODY_LEN;

/// The memory besides its bytes that an archive or a converted document may take until the end of the message: its
/// decoder is freed, but allocators do not reuse the gap between bytes that are kept.
pub(crate) const DECODER: usize = 16 * 1024;

/// The maximum length of a body after decoding its content coding, in bytes: 16 MiB.
pub(crate) const MAX_BODY_LEN: usize = 16 * 1024 * 1024;

/// The maximum total size of an attachment's files, in MiB.
pub(crate) const MAX_FILES_MIB: usize = 16 * (MAX_BODY_LEN >> 20);

/// The maximum length of most files that are converted as a whole, in bytes. They are read into memory.
pub(crate) const MAX_CONVERTED_LEN: usize = 32 * 1024 * 1024;

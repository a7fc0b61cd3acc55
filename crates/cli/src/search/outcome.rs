//! The outcomes that the search of an input passes to the output.

use std::ops::ControlFlow;
use std::path::PathBuf;

use urlgrep::archive::{Binary, Undecoded};

use crate::error;
use crate::output::batch::Batch;
use crate::output::stats::ByRole;

/// An outcome of a search. The batch may be borrowed, for its memory.
pub enum Outcome<B = Batch> {
    /// Matches of a file, which is an input or a member of one.
    Matches(B, FileKind),
    /// An archive within an input could not be read further, or is damaged.
    Failure(anyhow::Error),
    /// The end of the file of this name, or of a part of it.
    FileEnd(PathBuf, FileSummary),
    /// The end of a piece: whether its input cannot be read further, or why it could not be opened.
    PieceEnd(anyhow::Result<bool>),
}

/// Receives the outcomes of a search, which ends when it breaks.
pub type Receive<'r> = dyn FnMut(Outcome<&mut Batch>) -> ControlFlow<()> + 'r;

/// The kind of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileKind {
    /// An input that the user named.
    #[default]
    Input,
    /// An input below a directory.
    Entry,
    /// An archive member.
    Member,
}

/// The facts about a file after its end.
#[derive(Debug, Default)]
pub struct FileSummary {
    pub kind: FileKind,
    /// The number of its messages.
    pub messages: u64,
    /// The matches that the options leave out, with `--stats`.
    pub left_out: ByRole,
    /// The number of its lines, if it is a part and lines are counted.
    pub lines: u64,
    /// The number of its bytes, if it is a part whose offsets count from its start.
    pub bytes: u64,
    /// True if it is the whole rest of the file, and the parts that were planned after it are
    /// dropped.
    pub is_rest: bool,
    /// The known format of the file, if it was not read because the format is unsupported.
    pub unsupported: Option<Binary>,
    /// The reason why it could not be read to the end.
    pub failure: Option<anyhow::Error>,
    /// The archive of which it is a member, if that can be read no further for the same reason.
    pub archive: Option<PathBuf>,
    /// The bodies of it that were not decoded.
    pub undecoded: Option<Box<Undecoded>>,
    /// A warning.
    pub note: Option<anyhow::Error>,
}

impl FileSummary {
    /// Adds the summary of the next part of the file.
    pub fn add(&mut self, mut next: FileSummary) {
        next.failure.iter_mut().for_each(|failure| error::move_by(failure, self.bytes));
        if let Some(undecoded) = next.undecoded {
            self.undecoded.get_or_insert_default().add(*undecoded, self.bytes);
        }
        self.kind = next.kind;
        self.messages += next.messages;
        self.left_out.add(next.left_out);
        self.lines += next.lines;
        self.bytes += next.bytes;
        self.unsupported = self.unsupported.or(next.unsupported);
        self.failure = self.failure.take().or(next.failure);
        self.archive = self.archive.take().or(next.archive);
        self.note = self.note.take().or(next.note);
    }
}

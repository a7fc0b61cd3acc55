//! What the threads send to each other.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{Receiver, Sender};

use super::budget::Share;
use crate::input::Input;
use crate::input::chunk::Chunk;
use crate::output::batch::Batch;
use crate::search::event::{FileKind, FileSummary};

/// An event that a worker sends to the output.
pub enum WorkerEvent {
    /// Matches of a file. They count as waiting until the share is dropped, as other events do.
    Matches(Batch, Share, FileKind),
    /// An error of an archive, which may have further files.
    Failure(anyhow::Error, Share),
    /// The end of the file of this name, which is an input or a member of one.
    FileEnd(PathBuf, FileSummary, Share),
    /// The end of an input, and why it could not be opened or read to the end.
    InputEnd(Option<anyhow::Error>),
}

/// A group of inputs, or a chunk of one, as the output sees it.
pub struct Turn {
    /// The names of the inputs; empty for an error of the walk.
    pub names: Vec<PathBuf>,
    /// The events of all inputs, in order.
    pub events: Receiver<Vec<WorkerEvent>>,
    /// The number of files whose search can end, because no more matches of them are
    /// wanted.
    pub finished: Arc<AtomicUsize>,
    /// Whether the next turn is another chunk of the same input.
    pub continues: bool,
}

/// A group of inputs, or a chunk of one, as a worker sees it.
pub struct Job {
    /// The number of the turn.
    pub turn: u64,
    pub tasks: Vec<Task>,
    pub events: Sender<Vec<WorkerEvent>>,
    pub finished: Arc<AtomicUsize>,
}

/// What a worker searches.
pub enum Task {
    Input(anyhow::Result<Input>),
    Chunk(Chunk),
}

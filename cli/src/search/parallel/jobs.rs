//! What the threads send to each other, and the thread that walks the directories and hands out jobs.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};

use super::budget::Share;
use crate::input::{Input, Next, Piece};
use crate::output::batch::Batch;
use crate::search::event::{FileKind, FileSummary};
use crate::search::work::Work;

/// The number of files in a group, at most.
const MAX_GROUP: usize = 16;

/// The length of a file in a group, at most, in bytes.
const SMALL: u64 = 64 * 1024;

/// An event that a worker sends to the output.
pub enum WorkerEvent {
    /// Matches of a file. They count as waiting until the share is dropped, as other events do.
    Matches(Batch, Share, FileKind),
    /// An error of an archive, which may have further files.
    Failure(anyhow::Error, Share),
    /// The end of the file of this name, which is an input or a member of one, or of a part of it.
    FileEnd(PathBuf, FileSummary, Share),
    /// The end of a piece, why it could not be opened, and whether its input can be read no further.
    PieceEnd { failure: Option<anyhow::Error>, is_over: bool },
}

/// A group of inputs, or a piece of one, as the output sees it.
pub struct Turn {
    /// The names of the inputs; empty for an error of the walk.
    pub names: Vec<PathBuf>,
    /// The events of all pieces, in order.
    pub events: Receiver<Vec<WorkerEvent>>,
    /// The number of files whose search can end, because no more matches of them are
    /// wanted.
    pub finished: Arc<AtomicUsize>,
    /// What the next turn is.
    pub next: Next,
}

/// A group of inputs, or a piece of one, as a worker sees it.
pub struct Job {
    /// The number of the turn.
    pub turn: u64,
    /// The pieces, or errors of the walk.
    pub pieces: Vec<anyhow::Result<Piece>>,
    pub events: Sender<Vec<WorkerEvent>>,
    pub finished: Arc<AtomicUsize>,
}

/// The thread that hands out jobs. Its methods return none when the output wants no
/// more.
pub struct HandOut {
    turns: SyncSender<Turn>,
    jobs: SyncSender<Job>,
    /// The number of the next turn.
    turn: u64,
    /// Small files that are not handed out yet.
    group: Vec<anyhow::Result<Piece>>,
}

impl HandOut {
    pub fn new(turns: SyncSender<Turn>, jobs: SyncSender<Job>) -> HandOut {
        HandOut { turns, jobs, turn: 0, group: Vec::new() }
    }

    /// Hands out all inputs.
    pub fn run(mut self, work: &Work) -> Option<()> {
        work.roots.inputs().try_for_each(|input| self.input(work, input))?;
        self.send_group()
    }

    fn input(&mut self, work: &Work, input: anyhow::Result<Input>) -> Option<()> {
        // A pipe has no length. It may block, so it is alone in its group.
        let small = input.as_ref().is_ok_and(|input| input.len().is_some_and(|len| len <= SMALL));
        if small && self.group.len() < MAX_GROUP {
            self.group.push(input.map(Piece::whole));
            return Some(());
        }
        self.send_group()?;
        match input {
            Ok(input) => work.pieces(input).try_for_each(|piece| self.send(vec![Ok(piece)])),
            Err(error) => self.send(vec![Err(error)]),
        }
    }

    fn send_group(&mut self) -> Option<()> {
        let group = std::mem::take(&mut self.group);
        if group.is_empty() { Some(()) } else { self.send(group) }
    }

    /// Sends a turn to the output and the job to the workers.
    fn send(&mut self, pieces: Vec<anyhow::Result<Piece>>) -> Option<()> {
        let name = |piece: &Piece| piece.input.name().to_owned();
        let names = pieces.iter().map(|piece| piece.as_ref().map(name).unwrap_or_default()).collect();
        let next =
            pieces.last().and_then(|piece| piece.as_ref().ok()).map_or(Next::Input, |piece| piece.next);
        let (sender, events) = mpsc::channel();
        let finished = Arc::new(AtomicUsize::new(0));
        let job = Job { turn: self.turn, pieces, events: sender, finished: Arc::clone(&finished) };
        self.turn += 1;
        self.turns.send(Turn { names, events, finished, next }).ok()?;
        self.jobs.send(job).ok()
    }
}

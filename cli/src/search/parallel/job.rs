//! What the threads send to each other.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};

use super::budget::Share;
use crate::input::Input;
use crate::input::chunk::Chunk;
use crate::input::parts::Stream;
use crate::input::sections::Section;
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
    Section(Section),
    /// The next part of a compressed file. The thread that searches it hands out the rest.
    Part(Box<Stream>, Queue),
    /// The end of the file of this path, all parts of which are handed out.
    End(PathBuf),
}

/// Where turns and their jobs are sent. Its methods return none when the output wants no more.
#[derive(Clone)]
pub struct Queue {
    turns: SyncSender<Turn>,
    jobs: SyncSender<Job>,
    /// The number of the next turn.
    turn: u64,
}

impl Queue {
    pub fn new(turns: SyncSender<Turn>, jobs: SyncSender<Job>) -> Queue {
        Queue { turns, jobs, turn: 0 }
    }

    /// Hands out the next part of a stream, which is the only input. The worker that gets it
    /// continues with the rest: by [`part`](Self::part), or by [`end`](Self::end) if there is none.
    pub fn part(mut self, stream: Box<Stream>) -> Option<()> {
        let names = vec![stream.path().to_owned()];
        let (turn, job) = self.turn(names, Vec::new(), true);
        let (turns, jobs) = (self.turns.clone(), self.jobs.clone());
        turns.send(turn).ok()?;
        jobs.send(Job { tasks: vec![Task::Part(stream, self)], ..job }).ok()
    }

    /// Hands out the end of a stream.
    pub fn end(mut self, path: PathBuf) -> Option<()> {
        self.send(vec![path.clone()], vec![Task::End(path)], false)
    }

    /// Sends a turn to the output and the job to the workers.
    pub fn send(&mut self, names: Vec<PathBuf>, tasks: Vec<Task>, continues: bool) -> Option<()> {
        let (turn, job) = self.turn(names, tasks, continues);
        self.turns.send(turn).ok()?;
        self.jobs.send(job).ok()
    }

    /// The next turn and its job.
    fn turn(&mut self, names: Vec<PathBuf>, tasks: Vec<Task>, continues: bool) -> (Turn, Job) {
        let (sender, events) = mpsc::channel();
        let finished = Arc::new(AtomicUsize::new(0));
        let job = Job { turn: self.turn, tasks, events: sender, finished: Arc::clone(&finished) };
        self.turn += 1;
        (Turn { names, events, finished, continues }, job)
    }
}

//! Several inputs at a time, printed as if it were one after the other.
//!
//! One thread goes through the directories. For each input it makes a channel:
//! one end goes to the workers, who search one input each and send what they
//! find; the other end goes to the output, which reads the channels in the order
//! of the inputs, each to its end. What waits in the channels is limited by a
//! [budget](crate::budget).
//!
//! A large text goes to the workers in [pieces](crate::divide), each of which is
//! an input of its own, but for where it begins. On which line that is depends on
//! the pieces before: each worker counts the lines of its piece first, waits for
//! the number of those before, and hands on the sum.
//!
//! Nobody waits for the threads: when all is printed, or nobody wants more, the
//! process ends, even if a worker sits before a pipe that says nothing.

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::batch::Batch;
use crate::budget::{Budget, Share};
use crate::divide;
use crate::printer::{Base, Part};
use crate::progress::{Counted, Counters};
use crate::search::Search;
use crate::walk::{FileId, Input, Roots, failure};

/// How many inputs may be searched before it is their turn.
const AHEAD: usize = 1024;

/// What there is to do, for all threads.
pub struct Work {
    pub search: Search,
    pub roots: Arc<Roots>,
    /// The output, which is not searched.
    pub stdout: Option<FileId>,
    pub counters: Arc<Counters>,
}

impl Work {
    /// Opens an input.
    pub fn open(&self, input: anyhow::Result<Input>) -> anyhow::Result<(impl Read + use<>, Input)> {
        let input = input?;
        let reader = input.open(self.stdout.as_ref())?;
        Ok((Counted { reader, counters: Arc::clone(&self.counters) }, input))
    }

    /// The pieces of an input, if it is so large that it is worth it and can be
    /// cut.
    fn pieces<'i>(&self, input: &'i anyhow::Result<Input>) -> Option<(&'i Path, Vec<Range<u64>>)> {
        let Ok(input @ Input::File(path)) = input else { return None };
        // Whatever is wrong with the file is told when it is searched.
        let fit = self.search.divisible && divide::is_large(path) && input.open(self.stdout.as_ref()).is_ok();
        let pieces = fit.then(|| divide::pieces(path).ok()).flatten()?;
        (pieces.len() > 1).then_some((path, pieces))
    }
}

/// What is said of an input.
pub enum Said {
    /// This was found. As long as it is kept, it counts as waiting.
    Found(Batch, Share),
    /// It could not be opened.
    Closed(anyhow::Error),
    /// That was all, and why the rest could not be read.
    End(Option<anyhow::Error>),
}

/// An input, or a piece of one, whose turn comes.
pub struct Turn {
    /// The name, if it is an input and not an error.
    pub name: PathBuf,
    pub said: Receiver<Said>,
    /// Whether another piece of the same input follows.
    pub more: bool,
}

struct Job {
    turn: u64,
    task: Task,
    said: Sender<Said>,
}

enum Task {
    Whole(anyhow::Result<Input>),
    Piece(Piece),
}

struct Piece {
    path: PathBuf,
    range: Range<u64>,
    /// How many lines stand before it.
    before: Receiver<u64>,
    /// Who wants to know how many stand before what follows it.
    behind: Sender<u64>,
}

/// The inputs in their order, searched by so many threads, and the budget that
/// wants to know whose turn it is.
pub fn start(work: Work, threads: usize) -> (Receiver<Turn>, Arc<Budget>) {
    let work = Arc::new(work);
    let budget = Arc::new(Budget::default());
    let (to_output, turns) = mpsc::sync_channel(AHEAD);
    let (to_workers, jobs) = mpsc::sync_channel(AHEAD);
    let jobs = Arc::new(Mutex::new(jobs));
    for _ in 0..threads {
        let mut worker =
            Worker { work: Arc::clone(&work), budget: Arc::clone(&budget), room: Search::room() };
        let jobs = Arc::clone(&jobs);
        thread::spawn(move || worker.run(&jobs));
    }
    thread::spawn(move || HandOut { to_output, to_workers, turn: 0 }.all(&work));
    (turns, budget)
}

/// Who goes through the directories.
struct HandOut {
    to_output: SyncSender<Turn>,
    to_workers: SyncSender<Job>,
    turn: u64,
}

impl HandOut {
    /// Hands out all inputs, or as many as somebody wants.
    fn all(mut self, work: &Work) {
        for input in work.roots.inputs() {
            let sent = match work.pieces(&input) {
                Some((path, pieces)) => self.pieces(path, pieces),
                None => {
                    let name = input.as_ref().map(|input| input.name().to_owned()).unwrap_or_default();
                    self.send(name, Task::Whole(input), false)
                }
            };
            if sent.is_none() {
                return;
            }
        }
    }

    fn pieces(&mut self, path: &Path, pieces: Vec<Range<u64>>) -> Option<()> {
        let (first, mut before) = mpsc::channel();
        first.send(0).ok()?;
        let last = pieces.len() - 1;
        for (n, range) in pieces.into_iter().enumerate() {
            let (behind, next) = mpsc::channel();
            let before = std::mem::replace(&mut before, next);
            let piece = Piece { path: path.to_owned(), range, before, behind };
            self.send(path.to_owned(), Task::Piece(piece), n < last)?;
        }
        Some(())
    }

    /// Sends both ends of a channel; nothing if nobody wants more.
    fn send(&mut self, name: PathBuf, task: Task, more: bool) -> Option<()> {
        let (said, heard) = mpsc::channel();
        let job = Job { turn: self.turn, task, said };
        self.turn += 1;
        self.to_output.send(Turn { name, said: heard, more }).ok()?;
        self.to_workers.send(job).ok()
    }
}

/// Who searches one input after the other.
struct Worker {
    work: Arc<Work>,
    budget: Arc<Budget>,
    room: Box<[u8]>,
}

impl Worker {
    fn run(&mut self, jobs: &Mutex<Receiver<Job>>) {
        loop {
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Job { turn, task, said }) = job else {
                return;
            };
            let last = match task {
                Task::Whole(input) => self.whole(input, turn, &said),
                Task::Piece(piece) => self.piece(&piece, turn, &said),
            };
            let _ = said.send(last);
        }
    }

    fn whole(&mut self, input: anyhow::Result<Input>, turn: u64, said: &Sender<Said>) -> Said {
        match self.work.open(input) {
            Err(error) => Said::Closed(error),
            Ok((mut reader, input)) => {
                let part = Part { name: input.name(), base: Base::default() };
                Said::End(self.search(&part, &mut reader, turn, said))
            }
        }
    }

    fn piece(&mut self, piece: &Piece, turn: u64, said: &Sender<Said>) -> Said {
        let opened = self.base(piece).and_then(|base| Ok((base, divide::open(&piece.path, &piece.range)?)));
        Said::End(match opened {
            Err(error) => Some(failure(&piece.path, error)),
            Ok((base, reader)) => {
                let mut reader = Counted { reader, counters: Arc::clone(&self.work.counters) };
                self.search(&Part { name: &piece.path, base }, &mut reader, turn, said)
            }
        })
    }

    /// Where a piece begins.
    fn base(&mut self, piece: &Piece) -> io::Result<Base> {
        let mut lines = 0;
        if self.work.search.placed {
            let own = divide::count_lines(divide::open(&piece.path, &piece.range)?, &mut self.room)?;
            // If that is not known, the piece before could not be read, and this
            // one is not wanted.
            lines = piece.before.recv().unwrap_or(0);
            let _ = piece.behind.send(lines + own);
        }
        let offset = usize::try_from(piece.range.start).map_err(io::Error::other)?;
        Ok(Base { offset, lines })
    }

    fn search(
        &mut self,
        part: &Part<'_>,
        reader: &mut dyn Read,
        turn: u64,
        said: &Sender<Said>,
    ) -> Option<anyhow::Error> {
        self.work.search.run(part, reader, &mut self.room, |batch| {
            if batch.finds.is_empty() {
                return ControlFlow::Continue(());
            }
            let batch = std::mem::take(batch);
            let share = self.budget.take(turn, batch.size());
            // Whoever does not listen wants no more of it.
            match said.send(Said::Found(batch, share)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })
    }
}

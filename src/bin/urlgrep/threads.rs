//! Several inputs at a time, printed as if it were one after the other.
//!
//! One thread goes through the directories. For each input it makes a channel:
//! one end goes to the workers, who search one input each and send what they
//! find; the other end goes to the output, which reads the channels in the order
//! of the inputs, each to its end. What waits in the channels is limited by a
//! [budget](crate::budget).
//!
//! Small files go to the workers in groups, and what is found in one group comes
//! back in few messages: to wake a thread takes longer than to search a mail.
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
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// How many groups of inputs may be searched before it is their turn.
const AHEAD: usize = 256;

/// How many files are in a group at most.
const GROUP: usize = 16;

/// How long a file is at most that is in a group with others, in bytes.
const SMALL: u64 = 64 * 1024;

/// How much is found before it is sent, in bytes, if others of the group are
/// still to be searched.
const MESSAGE: usize = 64 * 1024;

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

    /// The pieces of an input of so many bytes, if it is worth it and can be cut.
    fn pieces(&self, input: &Input, len: u64) -> Option<Vec<Range<u64>>> {
        // Whatever is wrong with the file is told when it is searched.
        let fit = self.search.divisible && divide::is_large(len) && input.open(self.stdout.as_ref()).is_ok();
        let pieces = fit.then(|| divide::pieces(input.name()).ok()).flatten()?;
        (pieces.len() > 1).then_some(pieces)
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

/// A group of inputs, or a piece of one, whose turn comes.
pub struct Turn {
    /// Their names; empty for what is an error and no input.
    pub names: Vec<PathBuf>,
    /// What is said of one after the other.
    pub said: Receiver<Vec<Said>>,
    /// How many of the inputs need not be searched any further.
    pub done: Arc<AtomicUsize>,
    /// Whether another piece of the same input follows.
    pub more: bool,
}

struct Job {
    turn: u64,
    tasks: Vec<Task>,
    said: Sender<Vec<Said>>,
    done: Arc<AtomicUsize>,
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
    thread::spawn(move || HandOut { to_output, to_workers, turn: 0, group: Vec::new() }.all(&work));
    (turns, budget)
}

/// Who goes through the directories.
struct HandOut {
    to_output: SyncSender<Turn>,
    to_workers: SyncSender<Job>,
    turn: u64,
    /// Small files that have yet to be handed out.
    group: Vec<(PathBuf, Task)>,
}

impl HandOut {
    /// Hands out all inputs, or as many as somebody wants.
    fn all(mut self, work: &Work) {
        for input in work.roots.inputs() {
            if self.one(work, input).is_none() {
                return;
            }
        }
        let _ = self.send_group();
    }

    fn one(&mut self, work: &Work, input: anyhow::Result<Input>) -> Option<()> {
        let name = input.as_ref().map(|input| input.name().to_owned()).unwrap_or_default();
        // A pipe, which may say nothing for long, has no length.
        let len = input.as_ref().ok().and_then(Input::len);
        let small = len.is_some_and(|len| len <= SMALL);
        if !small || self.group.len() >= GROUP {
            self.send_group()?;
        }
        if let (Ok(input), Some(len)) = (&input, len)
            && let Some(pieces) = work.pieces(input, len)
        {
            return self.pieces(&name, pieces);
        }
        self.group.push((name, Task::Whole(input)));
        if small { Some(()) } else { self.send_group() }
    }

    fn send_group(&mut self) -> Option<()> {
        let (names, tasks): (Vec<_>, Vec<_>) = self.group.drain(..).unzip();
        if names.is_empty() { Some(()) } else { self.send(names, tasks, false) }
    }

    fn pieces(&mut self, path: &Path, pieces: Vec<Range<u64>>) -> Option<()> {
        let (first, mut before) = mpsc::channel();
        first.send(0).ok()?;
        let last = pieces.len() - 1;
        for (n, range) in pieces.into_iter().enumerate() {
            let (behind, next) = mpsc::channel();
            let before = std::mem::replace(&mut before, next);
            let piece = Piece { path: path.to_owned(), range, before, behind };
            self.send(vec![path.to_owned()], vec![Task::Piece(piece)], n < last)?;
        }
        Some(())
    }

    /// Sends both ends of a channel; nothing if nobody wants more.
    fn send(&mut self, names: Vec<PathBuf>, tasks: Vec<Task>, more: bool) -> Option<()> {
        let (said, heard) = mpsc::channel();
        let done = Arc::new(AtomicUsize::new(0));
        let job = Job { turn: self.turn, tasks, said, done: Arc::clone(&done) };
        self.turn += 1;
        self.to_output.send(Turn { names, said: heard, done, more }).ok()?;
        self.to_workers.send(job).ok()
    }
}

/// What a worker has to say of a group.
struct Outbox {
    turn: u64,
    said: Sender<Vec<Said>>,
    waiting: Vec<Said>,
    /// How many bytes wait.
    bytes: usize,
    /// How many may wait.
    most: usize,
    done: Arc<AtomicUsize>,
}

impl Outbox {
    /// Says something of so many bytes, and says whether anybody listens.
    fn say(&mut self, said: Said, bytes: usize) -> ControlFlow<()> {
        self.waiting.push(said);
        self.bytes += bytes;
        if self.bytes >= self.most { self.send() } else { ControlFlow::Continue(()) }
    }

    fn send(&mut self) -> ControlFlow<()> {
        self.bytes = 0;
        match self.said.send(std::mem::take(&mut self.waiting)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// Who searches one group after the other.
struct Worker {
    work: Arc<Work>,
    budget: Arc<Budget>,
    room: Box<[u8]>,
}

impl Worker {
    fn run(&mut self, jobs: &Mutex<Receiver<Job>>) {
        loop {
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Job { turn, tasks, said, done }) = job else {
                return;
            };
            // Of one input alone, whatever is known is said.
            let most = if tasks.len() > 1 { MESSAGE } else { 0 };
            let mut outbox = Outbox { turn, said, waiting: Vec::new(), bytes: 0, most, done };
            for (n, task) in tasks.into_iter().enumerate() {
                let last = match task {
                    Task::Whole(input) => self.whole(input, n, &mut outbox),
                    Task::Piece(piece) => self.piece(&piece, n, &mut outbox),
                };
                let _ = outbox.say(last, 0);
            }
            let _ = outbox.send();
        }
    }

    fn whole(&mut self, input: anyhow::Result<Input>, n: usize, outbox: &mut Outbox) -> Said {
        match self.work.open(input) {
            Err(error) => Said::Closed(error),
            Ok((mut reader, input)) => {
                let part = Part { name: input.name(), base: Base::default() };
                Said::End(self.search(&part, &mut reader, n, outbox))
            }
        }
    }

    fn piece(&mut self, piece: &Piece, n: usize, outbox: &mut Outbox) -> Said {
        let opened = self.base(piece).and_then(|base| Ok((base, divide::open(&piece.path, &piece.range)?)));
        Said::End(match opened {
            Err(error) => Some(failure(&piece.path, error)),
            Ok((base, reader)) => {
                let mut reader = Counted { reader, counters: Arc::clone(&self.work.counters) };
                self.search(&Part { name: &piece.path, base }, &mut reader, n, outbox)
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

    /// Searches the input that is the `n`th of its group.
    fn search(
        &mut self,
        part: &Part<'_>,
        reader: &mut dyn Read,
        n: usize,
        outbox: &mut Outbox,
    ) -> Option<anyhow::Error> {
        self.work.search.run(part, reader, &mut self.room, |batch| {
            if outbox.done.load(Ordering::Relaxed) > n {
                return ControlFlow::Break(());
            }
            if batch.finds.is_empty() {
                return ControlFlow::Continue(());
            }
            let batch = std::mem::take(batch);
            let bytes = batch.size();
            let share = self.budget.take(outbox.turn, bytes);
            // Whoever does not listen wants no more of it.
            outbox.say(Said::Found(batch, share), bytes)
        })
    }
}

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
//! A large text or mbox goes to the workers in [pieces](crate::divide), each of
//! which is an input of its own, but for where it begins. On which line that is, and
//! in which message, depends on the pieces before: if somebody wants to know, each
//! worker counts those of its piece first, waits for the number of those before,
//! and hands on the sum.
//!
//! Nobody waits for the threads: when all is printed, or nobody wants more, the
//! process ends, even if a worker sits before a pipe that says nothing.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use urlgrep::Scanner;

use crate::batch::Batch;
use crate::budget::{Budget, Share};
use crate::divide;
use crate::evidence::Evidence;
use crate::printer::Base;
use crate::progress::{Counted, Counters};
use crate::search::{Ended, Event, Search};
use crate::walk::{FileId, Input, Roots, failure};

/// How many groups of inputs may be searched before it is their turn.
const AHEAD: usize = 256;

/// How many files are in a group at most.
const GROUP: usize = 16;

/// How long a file is at most that is in a group with others, in bytes.
const SMALL: u64 = 64 * 1024;

/// How much is found before it is sent, in bytes.
const MESSAGE: usize = 64 * 1024;

/// How long it may wait if it is less.
const DELAY: Duration = Duration::from_millis(20);

/// What there is to do, for all threads.
pub struct Work {
    pub search: Search,
    pub roots: Arc<Roots>,
    /// The output, which is not searched.
    pub stdout: Option<FileId>,
    pub counters: Arc<Counters>,
}

impl Work {
    /// The same work, only to gather evidence.
    pub fn only_to(&self, gather: Evidence) -> Work {
        Work {
            search: self.search.only_to(gather),
            roots: Arc::clone(&self.roots),
            stdout: self.stdout.clone(),
            counters: Arc::clone(&self.counters),
        }
    }

    /// Opens an input.
    pub fn open(&self, input: anyhow::Result<Input>) -> anyhow::Result<(impl Read + use<>, Input)> {
        let input = input?;
        let reader = input.open(self.stdout.as_ref())?;
        Ok((Counted { reader, counters: Arc::clone(&self.counters) }, input))
    }

    /// The pieces of an input of so many bytes, if it is worth it and can be cut.
    fn pieces(&self, input: &Input, len: u64) -> Option<Vec<divide::Piece>> {
        // Whatever is wrong with the file is told when it is searched.
        let path = input.name();
        let fit = divide::is_large(len) && input.open(self.stdout.as_ref()).is_ok();
        let format = fit.then(|| self.search.divisible(path)).flatten()?;
        let pieces = divide::pieces(path, format).ok()?;
        (pieces.len() > 1).then_some(pieces)
    }
}

/// What is said of an input.
pub enum Said {
    /// This was found in a file. As long as the share is kept, it counts as
    /// waiting.
    Match(Batch, Share, File),
    /// A file of this name has ended: the input itself, or one in it.
    FileEnd(PathBuf, Ended),
    /// The input has ended, and this is why it could not be opened, or not be read
    /// to its end.
    End(Option<anyhow::Error>),
}

/// What a file is.
#[derive(Clone, Copy, Debug)]
pub enum File {
    /// An input.
    Input,
    /// One of the files in an input.
    Member,
}

/// A group of inputs, or a piece of one, whose turn comes.
pub struct Turn {
    /// Their names; empty for what is an error and no input.
    pub names: Vec<PathBuf>,
    /// What is said of one after the other.
    pub said: Receiver<Vec<Said>>,
    /// How many of the files in them need not be searched any further.
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
    piece: divide::Piece,
    /// What stands before it.
    before: Receiver<Base>,
    /// Who wants to know what stands before what follows it.
    behind: Sender<Base>,
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
        let (work, budget, jobs) = (Arc::clone(&work), Arc::clone(&budget), Arc::clone(&jobs));
        thread::spawn(move || {
            let scanner = work.search.scanner();
            Worker { work: &work, budget: &budget, scanner }.run(&jobs);
        });
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
            return self.pieces(pieces);
        }
        self.group.push((name, Task::Whole(input)));
        if small { Some(()) } else { self.send_group() }
    }

    fn send_group(&mut self) -> Option<()> {
        let (names, tasks): (Vec<_>, Vec<_>) = self.group.drain(..).unzip();
        if names.is_empty() { Some(()) } else { self.send(names, tasks, false) }
    }

    fn pieces(&mut self, pieces: Vec<divide::Piece>) -> Option<()> {
        let (first, mut before) = mpsc::channel();
        first.send(Base::default()).ok()?;
        let last = pieces.len() - 1;
        for (n, piece) in pieces.into_iter().enumerate() {
            let (behind, next) = mpsc::channel();
            let before = std::mem::replace(&mut before, next);
            let name = piece.path.clone();
            let task = Task::Piece(Piece { piece, before, behind });
            self.send(vec![name], vec![task], n < last)?;
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
    /// How long they may wait.
    delay: Duration,
    /// When something was sent.
    sent: Instant,
    /// How many files have ended.
    files: usize,
    /// Of how many nothing more is wanted.
    done: Arc<AtomicUsize>,
}

impl Outbox {
    /// Tells what happens in a search, and says whether it is to go on.
    fn tell(&mut self, event: Event<'_>, budget: &Arc<Budget>) -> ControlFlow<()> {
        match event {
            Event::Match { .. } if self.done.load(Ordering::Relaxed) > self.files => ControlFlow::Break(()),
            Event::Match { batch, .. } if batch.count == 0 => ControlFlow::Continue(()),
            Event::Match { batch, member } => {
                let batch = std::mem::take(batch);
                let bytes = batch.size();
                let share = budget.take(self.turn, bytes);
                let file = if member { File::Member } else { File::Input };
                self.say(Said::Match(batch, share, file), bytes)
            }
            Event::End { name, ended } => {
                self.files += 1;
                self.say(Said::FileEnd(name.to_owned(), ended), 0)
            }
        }
    }

    /// Says something of so many bytes, at once if somebody may have waited for
    /// it, and says whether anybody listens.
    fn say(&mut self, said: Said, bytes: usize) -> ControlFlow<()> {
        self.waiting.push(said);
        self.bytes += bytes;
        if self.bytes >= MESSAGE || self.sent.elapsed() >= self.delay {
            self.send()
        } else {
            ControlFlow::Continue(())
        }
    }

    fn send(&mut self) -> ControlFlow<()> {
        (self.bytes, self.sent) = (0, Instant::now());
        match self.said.send(std::mem::take(&mut self.waiting)) {
            Ok(()) => ControlFlow::Continue(()),
            // Whoever does not listen wants no more.
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// Who searches one group after the other.
struct Worker<'w> {
    work: &'w Work,
    budget: &'w Arc<Budget>,
    scanner: Scanner<'w>,
}

impl Worker<'_> {
    fn run(&mut self, jobs: &Mutex<Receiver<Job>>) {
        loop {
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Job { turn, tasks, said, done }) = job else {
                return;
            };
            let (waiting, sent) = (Vec::new(), Instant::now());
            // A pipe may say nothing more for long.
            let is_pipe = matches!(&tasks[..], [Task::Whole(Ok(input))] if input.len().is_none());
            let delay = if is_pipe { Duration::ZERO } else { DELAY };
            let mut outbox = Outbox { turn, said, waiting, bytes: 0, delay, sent, files: 0, done };
            for task in tasks {
                let last = match task {
                    Task::Whole(input) => self.whole(input, &mut outbox),
                    Task::Piece(piece) => self.piece(&piece, &mut outbox),
                };
                let _ = outbox.say(last, 0);
            }
            let _ = outbox.send();
        }
    }

    fn whole(&mut self, input: anyhow::Result<Input>, outbox: &mut Outbox) -> Said {
        match self.work.open(input) {
            Err(error) => Said::End(Some(error)),
            Ok((mut reader, input)) => {
                let (search, budget) = (&self.work.search, self.budget);
                Said::End(search.run(input.name(), &mut reader, &mut self.scanner, &mut |event| {
                    outbox.tell(event, budget)
                }))
            }
        }
    }

    fn piece(&mut self, task: &Piece, outbox: &mut Outbox) -> Said {
        let piece = &task.piece;
        let opened = self.base(task).and_then(|base| Ok((base, piece.open()?, piece.behind()?)));
        let (search, budget) = (&self.work.search, self.budget);
        match opened {
            Err(error) => {
                let failure = Some(failure(&piece.path, error));
                let ended = Ended { failure, ..Ended::default() };
                let _ = outbox.tell(Event::End { name: &piece.path, ended }, budget);
            }
            Ok((base, reader, behind)) => {
                let counters = Arc::clone(&self.work.counters);
                let mut reader = Counted { reader, counters }.chain(behind);
                search.piece(piece, base, &mut reader, &mut self.scanner, &mut |event| {
                    outbox.tell(event, budget)
                });
            }
        }
        Said::End(None)
    }

    /// What stands before a piece, as far as it has to be known.
    fn base(&self, Piece { piece, before, behind }: &Piece) -> io::Result<Base> {
        let &Search { placed, numbered, .. } = &self.work.search;
        let mut base = Base::default();
        if placed || numbered {
            let own = piece.count(numbered)?;
            // If that is not known, the piece before could not be read, and this
            // one is not wanted.
            base = before.recv().unwrap_or_default();
            let (lines, messages) = (base.lines + own.lines, base.messages + own.messages);
            let _ = behind.send(Base { lines, messages, ..base });
        }
        base.offset = usize::try_from(piece.range.start).map_err(io::Error::other)?;
        Ok(base)
    }
}

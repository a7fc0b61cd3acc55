//! The thread that walks the directories and hands out jobs.

use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

use super::job::{Job, Queue, Task, Turn};
use crate::input::Input;
use crate::input::chunk::Chunk;
use crate::input::sections::Sections;
use crate::search::work::Work;

/// The number of files in a group, at most.
const MAX_GROUP: usize = 16;

/// The length of a file in a group, at most, in bytes.
const SMALL: u64 = 64 * 1024;

/// The thread that hands out jobs. Its methods return none when the output wants no
/// more.
pub struct HandOut {
    queue: Queue,
    /// Small files that are not handed out yet.
    group: Vec<(PathBuf, Task)>,
}

impl HandOut {
    pub fn new(turns: SyncSender<Turn>, jobs: SyncSender<Job>) -> HandOut {
        HandOut { queue: Queue::new(turns, jobs), group: Vec::new() }
    }

    /// Hands out all inputs.
    pub fn run(mut self, work: &Work) -> Option<()> {
        work.roots.inputs().try_for_each(|input| self.input(work, input))?;
        self.send_group()
    }

    fn input(&mut self, work: &Work, input: anyhow::Result<Input>) -> Option<()> {
        let name = input.as_ref().map(|input| input.name().to_owned()).unwrap_or_default();
        // A pipe has no length. It may block, so it is alone in its group.
        let len = input.as_ref().ok().and_then(Input::len);
        let small = len.is_some_and(|len| len <= SMALL);
        if !small || self.group.len() >= MAX_GROUP {
            self.send_group()?;
        }
        if let (Ok(input), Some(len)) = (&input, len)
            && let Some(chunks) = work.chunks(input, len)
        {
            return self.chunks(chunks);
        }
        if let (Ok(input), Some(len)) = (&input, len)
            && let Some(sections) = work.sections(input, len)
        {
            return self.sections(sections);
        }
        if let Ok(input) = &input
            && let Some(stream) = work.stream(input)
        {
            return self.queue.clone().part(Box::new(stream));
        }
        self.group.push((name, Task::Input(input)));
        if small { Some(()) } else { self.send_group() }
    }

    fn send_group(&mut self) -> Option<()> {
        let (names, tasks): (Vec<_>, Vec<_>) = self.group.drain(..).unzip();
        if names.is_empty() { Some(()) } else { self.queue.send(names, tasks, false) }
    }

    fn sections(&mut self, mut sections: Sections) -> Option<()> {
        sections.try_for_each(|section| {
            let continues = !section.is_last();
            self.queue.send(vec![section.path.clone()], vec![Task::Section(section)], continues)
        })
    }

    fn chunks(&mut self, mut chunks: impl Iterator<Item = Chunk>) -> Option<()> {
        chunks.try_for_each(|chunk| {
            // The files of a tar archive end where a chunk does.
            let continues = !chunk.is_last() && chunk.format.is_some();
            self.queue.send(vec![chunk.path.clone()], vec![Task::Chunk(chunk)], continues)
        })
    }
}

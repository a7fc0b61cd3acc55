//! `--report`: all matches of a search as one HTML page.
//!
//! The page contains the matches as data, and a script that counts and draws them.
//! A match is written at once, so memory does not depend on their number.
//!
//! The data is in blocks of JSON, because browsers limit the length of a string.
//! Each block is an array of entries. A string is the path of the matches after it,
//! an object is their message, null says that they are in none, and an array is a
//! [match](link). Path and message are written when they change.
//!
//! Nothing in the input can end the block that contains it: everything but visible
//! ASCII, and `<`, `>` and `&`, is written as `\uNNNN`.
//!
//! The page is written to another file in the same directory, which is moved to the
//! [destination] when the page is complete. So there is never half a page. On Linux that
//! file is [unnamed] until then, and a signal leaves nothing. Elsewhere its name is that
//! of the page, the process ID and `.part`.

mod destination;
mod excerpt;
mod link;
mod unnamed;

use std::fs::{self, File};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

use anyhow::anyhow;
use serde_json::{Value, json};

use crate::error::{failure, is_closed_pipe};
use crate::escape::Escaped;
use crate::input::{FileId, Roots};
use destination::Destination;
pub use excerpt::EXCERPT;
pub use link::Link;
use link::ascii;

/// The template of the page.
const PAGE: &str = include_str!("page/report.html");
const STYLE: &str = include_str!("page/report.css");

/// The script: each file uses those before it.
const SCRIPT: [&str; 9] = [
    include_str!("page/data.js"),
    include_str!("page/state.js"),
    include_str!("page/counts.js"),
    include_str!("page/time.js"),
    include_str!("page/chart.js"),
    include_str!("page/bars.js"),
    include_str!("page/table.js"),
    include_str!("page/details.js"),
    include_str!("page/export.js"),
];

/// What the script does when the page is opened.
const START: &str = include_str!("page/page.js");

/// The name of standard output.
const STDOUT: &str = "-";

/// The start of every report of every version, which tells it from other files.
const MARK: &str = concat!(
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta name=\"generator\" content=\"urlgrep "
);

/// Where the data goes, and the rest.
const DATA: &str = "<!-- data -->";
const VERSION_HERE: &str = "<!-- version -->";
const STYLE_HERE: &str = "/* style */";
const SCRIPT_HERE: &str = "/* script */";

/// The minimum size of a block of data but the last, in bytes.
const BLOCK: usize = 1 << 20;

/// The number of searched paths that are named, at most.
const NAMES: usize = 4;

/// A report that is being written.
#[derive(Debug)]
pub struct Report {
    /// Where the page is moved; `None` if it is written to standard output.
    destination: Option<Destination>,
    out: BufWriter<Sink>,
    /// The first error.
    written: io::Result<()>,
    /// The size of the current block in bytes.
    block: usize,
    /// The last path and message that were written.
    path: Box<str>,
    message: Box<str>,
    /// The paths that were searched.
    about: Value,
    files: u64,
    messages: u64,
}

impl Report {
    /// Starts a report on `roots`, which is written to `path` and not searched.
    ///
    /// # Errors
    ///
    /// If there is a file at `path` that must not be replaced, or the report cannot be
    /// written.
    pub fn create(path: &Path, roots: &mut Roots) -> anyhow::Result<Report> {
        let (destination, sink) = match path == Path::new(STDOUT) {
            true => (None, Sink::Stdout(io::stdout())),
            false => {
                let destination = Destination::new(path, roots)?;
                let file = destination.create().map_err(|error| failure(path, error))?;
                roots.exclude(destination.earlier().into_iter().chain(FileId::of(&file)));
                (Some(destination), Sink::File(file))
            }
        };
        let names: Vec<_> = roots.names().take(NAMES).map(|name| Escaped::path(name).to_string()).collect();
        let under = Escaped::path(&roots.common_directory()).to_string();
        let about = json!({ "names": names, "more": roots.names().skip(NAMES).count(), "under": under });
        let mut report = Report {
            destination,
            out: BufWriter::new(sink),
            written: Ok(()),
            block: 0,
            path: Box::default(),
            message: Box::default(),
            about,
            files: 0,
            messages: 0,
        };
        let (before, _) = template();
        let version = env!("CARGO_PKG_VERSION");
        report.write(&before.replace(VERSION_HERE, version).replace(STYLE_HERE, STYLE));
        Ok(report)
    }

    /// Adds a match.
    pub fn add(&mut self, link: &Link) {
        if self.path != link.path {
            self.entry(&link.path);
            self.path = link.path.clone();
            self.message = "null".into();
            self.entry("null");
        }
        if self.message != link.message {
            self.entry(&link.message);
            self.message = link.message.clone();
        }
        self.entry(&link.row);
        if self.block >= BLOCK {
            self.end_block();
        }
    }

    /// Counts a file and its messages.
    pub fn add_file(&mut self, messages: u64) {
        self.files += 1;
        self.messages += messages;
    }

    fn entry(&mut self, entry: &str) {
        match self.block {
            0 => self.write("<script type=\"application/json\" class=\"links\">[\n"),
            _ => self.write(",\n"),
        }
        self.write(entry);
        self.block += entry.len();
    }

    fn end_block(&mut self) {
        if self.block > 0 {
            self.write("\n]</script>\n");
            self.block = 0;
        }
    }

    /// Writes text, unless there was an error. An error does not stop the search: its
    /// matches are also printed.
    fn write(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = self.out.write_all(text.as_bytes());
        }
    }

    /// Completes the page and moves it to its destination.
    ///
    /// # Errors
    ///
    /// If it could not be written or moved.
    pub fn end(mut self) -> anyhow::Result<()> {
        self.end_block();
        self.about["files"] = self.files.into();
        self.about["messages"] = self.messages.into();
        let about = ascii(&self.about);
        self.write(&format!("<script type=\"application/json\" id=\"about\">{about}</script>"));
        let (_, after) = template();
        self.write(&after.replace(SCRIPT_HERE, &(SCRIPT.concat() + START)));
        let written = std::mem::replace(&mut self.written, Ok(()));
        let written = written.and_then(|()| self.out.flush()).map_err(anyhow::Error::from);
        match (&self.destination, self.out.get_ref()) {
            (Some(destination), Sink::File(file)) => {
                let published = written.and_then(|()| destination.publish(file));
                published.map_err(|error| failure(destination.path(), error))
            }
            // Nobody reads on: urlgrep --report - | head
            _ if written.as_ref().is_err_and(is_closed_pipe) => Ok(()),
            _ => written.map_err(|error| failure(Path::new("standard output"), error)),
        }
    }

    /// The error for a report that is not complete because the search failed.
    pub fn not_written(path: &Path, reason: &anyhow::Error) -> anyhow::Error {
        failure(path, anyhow!("not written: {reason:#}"))
    }
}

impl Drop for Report {
    /// Removes the file in which the page was written, unless it was moved.
    fn drop(&mut self) {
        if let Some(destination) = &self.destination {
            let _ = fs::remove_file(&destination.part);
        }
    }
}

/// What a page is written to.
#[derive(Debug)]
enum Sink {
    File(File),
    Stdout(Stdout),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::File(file) => file.write(bytes),
            Sink::Stdout(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::File(file) => file.flush(),
            Sink::Stdout(stdout) => stdout.flush(),
        }
    }
}

/// The page before and after the data.
fn template() -> (&'static str, &'static str) {
    PAGE.split_once(DATA).unwrap_or((PAGE, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_starts_with_the_mark() {
        assert!(PAGE.starts_with(&format!("{MARK}{VERSION_HERE}\">\n")));
    }
}

//! `--report`: all finds of a run on one page, which any browser draws.
//!
//! The page carries the finds as data, and a script that counts and draws them.
//! So nothing of a find is kept here once it is written, and memory does not
//! depend on how many there are.
//!
//! The data stands in blocks of JSON, so that no browser has to read it as one
//! string. Each is an array of entries. A string is the path of the file that the
//! links behind it are in, an object is their message, null says that they are in
//! none, and an array is a [link](link). Path and message are written when they
//! change.
//!
//! Nothing of the input can end the block that it stands in: everything but
//! visible ASCII, and `<`, `>` and `&`, is written as `\uNNNN`.
//!
//! The page is written beside its place, under another name, and takes its place
//! when it is complete. So there is never half a page. If a signal ends the run,
//! that other file stays: its name is that of the page, the number of the process,
//! and `.part`.

mod destination;
mod link;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::anyhow;
use serde_json::{Value, json};

use crate::escape::Shown;
use crate::walk::{FileId, Roots, failure};
use destination::Destination;
pub use link::Link;
use link::ascii;

/// The page, without what is put into it.
const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: [&str; 3] = [include_str!("links.js"), include_str!("charts.js"), include_str!("table.js")];

/// How every report begins, whatever the version: by this one is told from other
/// files.
const MARK: &str = concat!(
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta name=\"generator\" content=\"urlgrep "
);

/// Where the data goes, and the others.
const DATA: &str = "<!-- data -->";
const VERSION_HERE: &str = "<!-- version -->";
const STYLE_HERE: &str = "/* style */";
const SCRIPT_HERE: &str = "/* script */";

/// How long a block of data is at least, but for the last one, in bytes.
const BLOCK: usize = 1 << 20;

/// How many of the paths that were searched are named.
const NAMES: usize = 4;

/// A page that is being written.
#[derive(Debug)]
pub struct Page {
    destination: Destination,
    out: BufWriter<File>,
    /// Whether all could be written so far.
    written: io::Result<()>,
    /// How much there is in this block.
    block: usize,
    /// What the links to come are in, as it was written.
    path: Box<str>,
    message: Box<str>,
    /// What was searched.
    about: Value,
    files: u64,
    messages: u64,
}

impl Page {
    /// A page that goes to `path`, about what is found below `roots`, which is
    /// searched without it.
    ///
    /// # Errors
    ///
    /// If it cannot be written there.
    pub fn create(path: &Path, roots: &mut Roots) -> anyhow::Result<Page> {
        let destination = Destination::new(path, roots)?;
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).open(&destination.part);
        let file = file.map_err(|error| failure(path, error))?;
        let names: Vec<_> = roots.names().take(NAMES).map(|name| Shown::path(name).to_string()).collect();
        let about = json!({ "names": names, "more": roots.names().skip(NAMES).count() });
        roots.leave_out(destination.earlier().into_iter().chain(FileId::of(&file)));
        let mut page = Page {
            destination,
            out: BufWriter::new(file),
            written: Ok(()),
            block: 0,
            path: Box::default(),
            message: Box::default(),
            about,
            files: 0,
            messages: 0,
        };
        let (before, _) = around_data();
        let version = env!("CARGO_PKG_VERSION");
        page.write(&before.replace(VERSION_HERE, version).replace(STYLE_HERE, STYLE));
        Ok(page)
    }

    /// Adds a find.
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

    /// Counts a file that was searched, and the messages in it.
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

    /// Writes, unless something went wrong before. What is wrong with the page is
    /// no reason not to print the rest of the finds.
    fn write(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = self.out.write_all(text.as_bytes());
        }
    }

    /// Ends the page, and puts it in its place.
    ///
    /// # Errors
    ///
    /// If it could not be written.
    pub fn end(mut self) -> anyhow::Result<()> {
        self.end_block();
        self.about["files"] = self.files.into();
        self.about["messages"] = self.messages.into();
        let about = ascii(&self.about);
        self.write(&format!("<script type=\"application/json\" id=\"about\">{about}</script>"));
        let (_, behind) = around_data();
        self.write(&behind.replace(SCRIPT_HERE, &SCRIPT.concat()));
        let written = std::mem::replace(&mut self.written, Ok(()));
        let written = written.and_then(|()| self.out.flush()).map_err(anyhow::Error::from);
        let published = written.and_then(|()| self.destination.publish(self.out.get_ref()));
        published.map_err(|error| failure(self.destination.path(), error))
    }

    /// Says that the page is not there because a run ended before its end, and
    /// why that was.
    pub fn missing(path: &Path, reason: &anyhow::Error) -> anyhow::Error {
        failure(path, anyhow!("not written: {reason:#}"))
    }
}

impl Drop for Page {
    /// Removes what is not complete; there is nothing left of what is.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.destination.part);
    }
}

/// What stands before the data, and what behind it.
fn around_data() -> (&'static str, &'static str) {
    PAGE.split_once(DATA).unwrap_or((PAGE, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_begins_with_the_mark() {
        assert!(PAGE.starts_with(&format!("{MARK}{VERSION_HERE}\">\n")));
    }
}

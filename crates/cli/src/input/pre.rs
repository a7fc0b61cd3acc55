//! `--pre`: the output of a command instead of a file.
//!
//! The command is written as a [`CommandLine`], whose operand is the path of the file. Leading words
//! with a `*` are the globs of its files. A program whose name contains `*` needs a path without one.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};

use ignore::overrides::Override;

use super::command::{CommandLine, words};
use super::walk::globs;

/// A command that converts files to text, and the files that it is for.
#[derive(Debug)]
pub struct Preprocessor {
    command: CommandLine,
    globs: Option<Override>,
}

impl Preprocessor {
    /// Parses a command: globs, a program and its arguments. Without globs, the command is for all files.
    ///
    /// # Errors
    ///
    /// Returns an error if it has no program, a quotation mark is not closed, or a glob is not valid.
    pub fn new(command: &OsStr) -> Result<Self, String> {
        let named = |error| format!("--pre: {error}");
        let words = words(command).map_err(named)?;
        let is_glob = |word: &&Vec<u8>| word.contains(&b'*');
        let patterns =
            words.iter().take_while(is_glob).map(|word| String::from_utf8_lossy(word).into_owned());
        let patterns: Vec<_> = patterns.collect();
        let command = CommandLine::of_words(&words[patterns.len()..]).map_err(named)?;
        Ok(Preprocessor { command, globs: globs("--pre", &patterns)? })
    }

    /// Returns true if the command is for this file.
    pub fn is_for(&self, path: &Path) -> bool {
        self.globs.as_ref().is_none_or(|globs| !globs.matched(path, false).is_ignore())
    }

    /// Returns the output of the command for a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened, or the command cannot be started.
    pub fn open(&self, path: &Path) -> io::Result<CommandOutput> {
        let mut command = self.command.command(as_operand(path).as_os_str());
        command.stdin(File::open(path)?).stdout(Stdio::piped());
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("--pre: {}: {error}", self.command.program.display()))
        };
        let mut child = command.spawn().map_err(named)?;
        let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let program = self.command.program.display().to_string();
        Ok(CommandOutput { stdout, child, program, ended: false })
    }
}

/// The path, written so that no command takes it for an option.
fn as_operand(path: &Path) -> PathBuf {
    let is_like_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    if is_like_option { Path::new(".").join(path) } else { path.into() }
}

/// The output of a command. An error after it reports that the command failed.
pub struct CommandOutput {
    stdout: ChildStdout,
    child: Child,
    program: String,
    ended: bool,
}

impl Read for CommandOutput {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.stdout.read(room)?;
        if len > 0 || room.is_empty() || std::mem::replace(&mut self.ended, true) {
            return Ok(len);
        }
        let status = self.child.wait()?;
        match status.success() {
            true => Ok(0),
            false => Err(io::Error::other(format!("--pre: {} failed ({status})", self.program))),
        }
    }
}

impl Drop for CommandOutput {
    fn drop(&mut self) {
        // The rest of the output is not wanted.
        if !self.ended {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_no_option() {
        assert_eq!(as_operand(Path::new("-a")), Path::new("./-a"));
        assert_eq!(as_operand(Path::new("a/-b")), Path::new("a/-b"));
    }

    #[test]
    fn commands_that_are_none() {
        for command in ["", " ", "p 'a", "*.pdf", "*.[ p"] {
            let error = Preprocessor::new(OsStr::new(command)).unwrap_err();
            assert!(error.starts_with("--pre: "), "{command}: {error}");
        }
    }
}

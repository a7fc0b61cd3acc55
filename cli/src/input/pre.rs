//! `--pre`: the output of a command instead of a file.
//!
//! The command is a program and its arguments. No shell is started: the words of the command are separated here,
//! by blanks, and marks keep blanks in a word, as in a shell. Between `'` every byte is itself; between `"` a
//! backslash escapes `"` and `\`. Outside of both a backslash is a byte like others, as paths of Windows have it.
//! `{}` is the path of the file, in as many words as it is; without it the path is the last argument.
//!
//! The command is split once, before the first file; the path is never split, and so it may have any bytes.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use ignore::overrides::Override;
use memchr::memmem;

use super::path_from_bytes;

/// A command that makes text of files, and the files that it is for.
#[derive(Debug)]
pub struct Preprocessor {
    program: OsString,
    arguments: Vec<Pieces>,
    globs: Option<Override>,
}

impl Preprocessor {
    /// The command is for all files without globs.
    ///
    /// # Errors
    ///
    /// If it has no program, or a quotation mark is not closed.
    pub fn new(command: &OsStr, globs: Option<Override>) -> Result<Self, String> {
        let words = words(command.as_encoded_bytes())?;
        let (program, arguments) =
            words.split_first().ok_or("--pre: a command was expected, and there is none")?;
        let program = path_from_bytes(program).map_err(|error| format!("--pre: {error}"))?;
        let mut arguments = arguments.iter().map(|word| pieces(word)).collect::<Result<Vec<_>, _>>()?;
        if !arguments.iter().any(|pieces| pieces.len() > 1) {
            arguments.push(vec![OsString::new(); 2]);
        }
        Ok(Preprocessor { program, arguments, globs })
    }

    /// Whether the command is for this file.
    pub fn is_for(&self, path: &Path) -> bool {
        self.globs.as_ref().is_none_or(|globs| !globs.matched(path, false).is_ignore())
    }

    /// The output of the command for a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or the command cannot be started.
    pub fn open(&self, path: &Path) -> io::Result<CommandOutput> {
        let operand = as_operand(path);
        let mut command = Command::new(&self.program);
        command.args(self.arguments.iter().map(|word| with_path(word, &operand)));
        command.stdin(File::open(path)?).stdout(Stdio::piped());
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("--pre: {}: {error}", self.program.display()))
        };
        let mut child = command.spawn().map_err(named)?;
        let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(CommandOutput { stdout, child, ended: false })
    }
}

/// What stands for the path.
const PATH: &[u8] = b"{}";

/// The texts of a word, between which the path is.
type Pieces = Vec<OsString>;

fn pieces(word: &[u8]) -> Result<Pieces, String> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for at in memmem::find_iter(word, PATH).chain([word.len()]) {
        let piece = path_from_bytes(&word[start..at]).map_err(|error| format!("--pre: {error}"))?;
        pieces.push(piece);
        start = (at + PATH.len()).min(word.len());
    }
    Ok(pieces)
}

/// An argument, with `path` between its pieces.
fn with_path(pieces: &Pieces, path: &Path) -> OsString {
    pieces.join(path.as_os_str())
}

/// The words of a command.
fn words(command: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut bytes = command.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b' ' | b'\t' | b'\n' => words.extend(word.take()),
            b'\'' | b'"' => quoted(byte, &mut bytes, word.get_or_insert_default())?,
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Appends the bytes up to the closing `mark`.
fn quoted(mark: u8, bytes: &mut std::slice::Iter<'_, u8>, word: &mut Vec<u8>) -> Result<(), String> {
    while let Some(&byte) = bytes.next() {
        match (byte, bytes.as_slice().first()) {
            _ if byte == mark => return Ok(()),
            (b'\\', Some(&next @ (b'"' | b'\\'))) if mark == b'"' => {
                word.push(next);
                bytes.next();
            }
            _ => word.push(byte),
        }
    }
    let mark = char::from(mark);
    Err(format!(
        "--pre: the quotation mark {mark} is not closed; to have it in a word, put it between others"
    ))
}

/// The path, written so that no command takes it for an option.
fn as_operand(path: &Path) -> PathBuf {
    let is_like_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    if is_like_option { Path::new(".").join(path) } else { path.into() }
}

/// The output of a command. An error after it says that the command failed.
pub struct CommandOutput {
    stdout: ChildStdout,
    child: Child,
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
            false => Err(io::Error::other(format!("--pre: the command failed ({status})"))),
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

    fn called(command: &str, path: &str) -> Vec<String> {
        let pre = Preprocessor::new(OsStr::new(command), None).unwrap();
        let arguments = pre.arguments.iter().map(|pieces| with_path(pieces, &as_operand(Path::new(path))));
        std::iter::once(pre.program.clone())
            .chain(arguments)
            .map(|word| word.into_string().unwrap())
            .collect()
    }

    #[test]
    fn where_the_path_is() {
        assert_eq!(called("cat", "a b"), ["cat", "a b"]);
        assert_eq!(called("pdftotext {} -", "a b.pdf"), ["pdftotext", "a b.pdf", "-"]);
        assert_eq!(called(" p  --in={} '{}{}' ", "a"), ["p", "--in=a", "aa"]);
        assert_eq!(called("p -x", "{}"), ["p", "-x", "{}"]);
        assert_eq!(called("p {} -", "-a"), ["p", "./-a", "-"]);
    }

    #[test]
    fn words_with_marks() {
        assert_eq!(called("'a b' \"c d\"'e' \"\"", "x"), ["a b", "c de", "", "x"]);
        assert_eq!(
            called(r#"p "\" \ \a" '\"' $HOME *;"#, "x"),
            ["p", r#"" \ \a"#, r#"\""#, "$HOME", "*;", "x"]
        );
        assert_eq!(called(r"C:\bin\p.exe {}", "x"), [r"C:\bin\p.exe", "x"]);
    }

    #[test]
    fn commands_that_are_none() {
        for command in ["", " ", "p 'a", "p \"a\\\""] {
            let error = Preprocessor::new(OsStr::new(command), None).unwrap_err();
            assert!(error.starts_with("--pre: "), "{command}: {error}");
        }
    }
}

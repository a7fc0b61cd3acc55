//! Commands that the user writes: a program and its arguments, one of which contains the operand.
//!
//! No shell is started. Spaces separate the words of the command, and quotation marks keep spaces in
//! a word, as in a shell. Between `'`, every byte is literal; between `"`, a backslash escapes `"` and
//! `\`. Outside of quotation marks, a backslash is literal, because Windows paths contain it. `{}`
//! stands for the operand (a path or a URL), and may occur in several words; without `{}`, the
//! operand is the last argument.
//!
//! The command is split before the operand is inserted, so the operand may contain any bytes.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use memchr::memmem;

use super::path_from_bytes;

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    pub program: OsString,
    arguments: Vec<Word>,
}

/// The pieces of a word. The operand is inserted between them.
pub type Word = Vec<OsString>;

/// The placeholder of the operand.
const OPERAND: &[u8] = b"{}";

impl CommandLine {
    /// Returns the command in a text.
    ///
    /// # Errors
    ///
    /// Returns an error if it has no program, or a quotation mark is not closed.
    pub fn parse(command: &OsStr) -> Result<CommandLine, String> {
        CommandLine::of_words(&words(command)?)
    }

    /// Returns the command whose words these are.
    ///
    /// # Errors
    ///
    /// Returns an error if `words` is empty.
    pub fn of_words(words: &[Vec<u8>]) -> Result<CommandLine, String> {
        let (program, arguments) = words.split_first().ok_or("expected a command, found an empty string")?;
        let program = path_from_bytes(program).map_err(|error| error.to_string())?;
        let arguments = arguments.iter().map(|word| pieces(word)).collect::<Result<Vec<_>, _>>()?;
        Ok(CommandLine::new(program, arguments))
    }

    /// Returns a command; if no argument has the operand, it is the last one.
    pub fn new(program: OsString, mut arguments: Vec<Word>) -> CommandLine {
        if !arguments.iter().any(|pieces| pieces.len() > 1) {
            arguments.push(vec![OsString::new(); 2]);
        }
        CommandLine { program, arguments }
    }

    /// Returns the command for an operand. The operand must not start with `-`, because a program would
    /// read it as an option.
    pub fn command(&self, operand: &OsStr) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.arguments.iter().map(|pieces| pieces.join(operand)));
        command
    }
}

fn pieces(word: &[u8]) -> Result<Word, String> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for at in memmem::find_iter(word, OPERAND).chain([word.len()]) {
        pieces.push(path_from_bytes(&word[start..at]).map_err(|error| error.to_string())?);
        start = (at + OPERAND.len()).min(word.len());
    }
    Ok(pieces)
}

/// Returns the words of a command.
///
/// # Errors
///
/// Returns an error if a quotation mark is not closed.
pub fn words(command: &OsStr) -> Result<Vec<Vec<u8>>, String> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut bytes = command.as_encoded_bytes().iter();
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
    Err(format!("unclosed quotation mark ({mark}); to use it literally, put it inside other quotation marks"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(command: &str, operand: &str) -> Vec<String> {
        let line = CommandLine::parse(OsStr::new(command)).unwrap();
        let command = line.command(OsStr::new(operand));
        let words = [command.get_program()].into_iter().chain(command.get_args());
        words.map(|word| word.to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn where_the_operand_is() {
        assert_eq!(called("cat", "a b"), ["cat", "a b"]);
        assert_eq!(called("pdftotext {} -", "a b.pdf"), ["pdftotext", "a b.pdf", "-"]);
        assert_eq!(called(" p  --in={} '{}{}' ", "a"), ["p", "--in=a", "aa"]);
        assert_eq!(called("p -x", "{}"), ["p", "-x", "{}"]);
    }

    #[test]
    fn words_with_marks() {
        assert_eq!(called("'a b' \"c d\"'e' \"\"", "x"), ["a b", "c de", "", "x"]);
        assert_eq!(
            called(r#"p "\" \ \a" '\"' $HOME *;"#, "x"),
            ["p", r#"" \ \a"#, r#"\""#, "$HOME", "*;", "x"]
        );
        assert_eq!(called(r"C:\bin\p.exe {}", "x"), [r"C:\bin\p.exe", "x"]);
        // A backslash is escaped as well, and only between double quotation marks.
        assert_eq!(
            called(r#"p "a\\b" "\\" "\\\"" "\\\\" '\\' a\\b"#, "x"),
            ["p", r"a\b", r"\", r#"\""#, r"\\", r"\\", r"a\\b", "x"]
        );
    }

    #[test]
    fn commands_that_are_none() {
        for command in ["", " ", "p 'a", "p \"a\\\""] {
            assert!(CommandLine::parse(OsStr::new(command)).is_err(), "{command}");
        }
    }
}

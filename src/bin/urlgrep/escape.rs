//! Bytes from elsewhere, as a terminal may see them.
//!
//! File names and URLs can hold anything, and a terminal obeys some of it. So
//! the control characters, those above ASCII included, are written as `\xNN`,
//! and so is what is not UTF-8. A backslash is left alone: what is shown is for
//! eyes, not for reading back.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;

/// Bytes that show what a terminal would obey or could not show as `\xNN`.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(pub &'a [u8]);

impl<'a> Shown<'a> {
    /// A path, to be shown.
    pub fn path(path: &'a Path) -> Self {
        Shown(bytes(path))
    }

    /// How many characters come before the one that the byte at `offset`
    /// belongs to.
    ///
    /// On a terminal that is the column, save for the characters of East Asia
    /// that take two.
    pub fn column(self, offset: usize) -> usize {
        let mut at = 0;
        let before = pieces(self.0).take_while(|piece| {
            at += piece.len();
            at <= offset
        });
        before.map(Piece::width).sum()
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pieces(self.0).try_for_each(|piece| match piece {
            Piece::Plain(char) => fmt::Write::write_char(f, char),
            Piece::Control(char) => {
                let mut buffer = [0; 4];
                let mut bytes = char.encode_utf8(&mut buffer).bytes();
                bytes.try_for_each(|byte| write!(f, "\\x{byte:02X}"))
            }
            Piece::Broken(byte) => write!(f, "\\x{byte:02X}"),
        })
    }
}

/// What is shown as one.
#[derive(Clone, Copy)]
enum Piece {
    Plain(char),
    Control(char),
    /// A byte that is not UTF-8.
    Broken(u8),
}

impl Piece {
    /// How many bytes it is.
    fn len(&self) -> usize {
        match self {
            Piece::Plain(char) | Piece::Control(char) => char.len_utf8(),
            Piece::Broken(_) => 1,
        }
    }

    /// How many characters show it.
    fn width(self) -> usize {
        match self {
            Piece::Plain(_) => 1,
            Piece::Control(char) => r"\xNN".len() * char.len_utf8(),
            Piece::Broken(_) => r"\xNN".len(),
        }
    }
}

fn pieces(bytes: &[u8]) -> impl Iterator<Item = Piece> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let chars = chunk.valid().chars().map(|char| match char.is_control() {
            true => Piece::Control(char),
            false => Piece::Plain(char),
        });
        chars.chain(chunk.invalid().iter().map(|&byte| Piece::Broken(byte)))
    })
}

/// The bytes of a path.
pub fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Bytes that are a name, as part of a path.
pub fn os_string(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec());
    #[cfg(not(unix))]
    return String::from_utf8_lossy(bytes).into_owned().into();
}

/// Adds `bytes` to what is printed: as they are if it is not for eyes, so that
/// programs behind a pipe get the names of the files.
pub fn add(out: &mut Vec<u8>, bytes: &[u8], eyes: bool) {
    match eyes {
        true => out.extend_from_slice(Shown(bytes).to_string().as_bytes()),
        false => out.extend_from_slice(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_dangerous_or_broken_is_escaped() {
        for (bytes, shown) in [
            (&b"a\\b c"[..], "a\\b c"),
            ("b\u{fc}cher".as_bytes(), "b\u{fc}cher"),
            (b"a\x1b[2Jb\n\x7f", "a\\x1B[2Jb\\x0A\\x7F"),
            ("\u{9b}2J".as_bytes(), "\\xC2\\x9B2J"),
            (b"\x9b2J\xff", "\\x9B2J\\xFF"),
            (b"\xe3\x81", "\\xE3\\x81"),
        ] {
            assert_eq!(Shown(bytes).to_string(), shown);
        }
    }

    #[test]
    fn columns_are_those_of_what_is_shown() {
        let shown = Shown("b\u{fc}\u{9b}\x01.".as_bytes());
        let columns: Vec<_> = (0..=7).map(|offset| shown.column(offset)).collect();
        assert_eq!(columns, [0, 1, 1, 2, 2, 10, 14, 15]);
        assert_eq!(Shown(b"\xffa").column(1), 4);
    }

    #[test]
    fn behind_a_pipe_bytes_are_bytes() {
        let mut out = Vec::new();
        add(&mut out, b"\x1b\xff", false);
        add(&mut out, b"\x1b\xff", true);
        assert_eq!(out, b"\x1b\xff\\x1B\\xFF");
    }
}

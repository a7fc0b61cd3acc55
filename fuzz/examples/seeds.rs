//! Writes the first inputs of every target into `fuzz/corpus`: the cases of
//! `tests/data`, the texts in `corpora`, the URLs in both, and what is kept in
//! `fuzz/regressions`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How much of a text makes one input, in bytes, and how many inputs it makes at
/// most. Short ones are tried more often.
const PIECE: usize = 400;
const PIECES: usize = 8;

/// How to search, as `laws::input` reads it: plainly; for everything; with
/// guesses; what is long; and the text after filler.
const HEADS: [&[u8; 12]; 5] =
    [b"000000000000", b"270020A7D310", b"800010000000", b"6150400PqxQ0", b"380050Zab0zz"];

/// How C calls, as `border` reads it: plainly; for everything, at the screen of a terminal; and at the limits.
const CALLS: [&[u8; 24]; 3] = [
    b"\0\x01\0\0\0\x80\x03\x10\x10\x40\x70\xA0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"\x1F\x02\x02\x01\0\x50\x80\x02\x05\x20\x50\x80\xB0\0\0\0\0\0\0\0\0\0\0\0",
    b"\xFF\x02\0\0\0\xC0\xC0\x03\x80\x01\xC0\xD0\xD8\xE0\xF0\0\0\0\0\0\0\0\0\0",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The texts, each with a name.
fn texts() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut texts = Vec::new();
    let tables = files(&root().join("tests/data"))?.into_iter();
    for file in tables.filter(|file| file.extension().is_some_and(|is| is == "toml")) {
        let table: toml::Table = fs::read_to_string(&file)?.parse().map_err(io::Error::other)?;
        let cases = table["case"].as_array().into_iter().flatten();
        texts.extend(cases.filter_map(input).enumerate().map(|(n, input)| (name(&file, n), input)));
    }
    for folder in files(&root().join("corpora"))?.into_iter().filter(|path| path.is_dir()) {
        for file in files(&folder)? {
            let text = fs::read(&file)?;
            let pieces = text.chunks(PIECE).take(PIECES).enumerate();
            texts.extend(pieces.map(|(n, piece)| (name(&file, n), piece.to_vec())));
        }
    }
    Ok(texts)
}

/// The text of a case, which may be written in hexadecimal digits.
fn input(case: &toml::Value) -> Option<Vec<u8>> {
    if let Some(text) = case.get("input") {
        return Some(text.as_str()?.into());
    }
    let digits: Vec<char> =
        case.get("input_hex")?.as_str()?.chars().filter(|c| c.is_ascii_hexdigit()).collect();
    let byte = |pair: &[char]| u8::from_str_radix(&String::from_iter(pair), 16).ok();
    digits.chunks(2).map(byte).collect()
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

fn name(file: &Path, n: usize) -> String {
    format!("{}-{n}", file.file_name().unwrap_or_default().display())
}

/// Writes an input of a target.
fn write(target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = root().join("fuzz/corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}

fn main() -> io::Result<()> {
    for (name, text) in texts()? {
        for (n, head) in HEADS.iter().enumerate() {
            let input = [&head[..], &text].concat();
            write("extract", &format!("{name}-{n}"), &input)?;
            write("program", &format!("{name}-{n}"), &input)?;
            let contained = [&head[..5], &[b'0' + n as u8], &head[6..], &text].concat();
            write("archive", &format!("{name}-{n}"), &contained)?;
        }
        for (n, call) in CALLS.iter().enumerate() {
            write("border", &format!("{name}-{n}"), &[&call[..], &text].concat())?;
        }
        for (n, found) in urlgrep::find_iter(&text).enumerate() {
            write("grammar", &format!("{name}-{n}"), found.as_bytes())?;
        }
    }
    for folder in files(&root().join("fuzz/regressions")).unwrap_or_default() {
        let target = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for file in files(&folder)? {
            write(&target, &name(&file, 0), &fs::read(&file)?)?;
        }
    }
    Ok(())
}

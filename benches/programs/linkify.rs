//! The crate linkify as a program, to be measured beside this one.
//!
//! `linkify FILE` prints each URL that the crate finds, one a line. It is
//! written for speed, as far as the crate allows: large blocks are read into one
//! buffer and cut at a line end, because no link of linkify spans one;
//! nothing is copied but the rest of a line; and the output is buffered. The
//! crate takes strings only, so a block is checked to be UTF-8, and only if it
//! is not, it is copied with its damage replaced.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use linkify::{LinkFinder, LinkKind};

/// How many bytes are read at a time, and gathered before they are written.
const BLOCK: usize = 256 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: linkify FILE")?;
    let mut out = BufWriter::with_capacity(BLOCK, io::stdout().lock());
    search(File::open(path)?, &mut out)?;
    out.flush()?;
    Ok(())
}

/// Prints every link in `input`.
fn search(mut input: impl Read, out: &mut impl Write) -> io::Result<()> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let mut buffer = vec![0; BLOCK];
    let mut filled = 0;
    loop {
        if filled == buffer.len() {
            buffer.resize(2 * filled, 0);
        }
        let len = input.read(&mut buffer[filled..])?;
        let before = filled;
        filled += len;
        if len == 0 {
            return print(&finder, &buffer[..filled], out);
        }
        if let Some(end) = memchr::memrchr(b'\n', &buffer[before..filled]) {
            let end = before + end + 1;
            print(&finder, &buffer[..end], out)?;
            buffer.copy_within(end..filled, 0);
            filled -= end;
        }
    }
}

fn print(finder: &LinkFinder, lines: &[u8], out: &mut impl Write) -> io::Result<()> {
    for link in finder.links(&String::from_utf8_lossy(lines)) {
        out.write_all(link.as_str().as_bytes())?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

//! Where a section can start: at a message of an mbox, or after an empty line of a text.
//!
//! Two threads look for the start of a section: the one that searches it, and the one that searches
//! the section before. They find the same one, since both look at the same bytes: those that follow
//! an entry.

use std::io::{self, Read};

use urlgrep::archive::{Files, Format, LOOKAHEAD, ReadOptions, Reader};

use crate::input::parts::{HEAD, next_start};

/// How far after an entry a section may start, in bytes.
pub const WINDOW: usize = 256 * 1024;

/// Where the section at an entry starts, if `bytes`, which follow that, show it.
pub fn first_start(format: Format, bytes: &[u8]) -> Option<usize> {
    let start = match format {
        Format::Mbox => {
            let text = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n'))?;
            next_start(bytes, text + 1).filter(|start| start + LOOKAHEAD <= bytes.len())
        }
        _ => {
            let ends = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
            ends.map(|end| &bytes[..end]).find(|text| ends_in_empty_line(text)).map(<[u8]>::len)
        }
    };
    start.filter(|&start| start <= WINDOW)
}

fn ends_in_empty_line(text: &[u8]) -> bool {
    text.ends_with(b"\n\n") || text.ends_with(b"\n\r\n")
}

/// The format of the file that is compressed in another one, if that can be searched in sections.
/// This may be none for a file that begins like something else.
pub fn format(files: &mut Files<impl Read>, options: &ReadOptions) -> io::Result<Option<Format>> {
    let mut head = Vec::new();
    files.file().take(HEAD).read_to_end(&mut head)?;
    let mut reader = Reader::new(&head[..]).with_options(options);
    let format = reader.format();
    let is_cut = matches!(format, Format::Mbox | Format::Text) && !reader.is_recoded();
    let divisible = is_cut && is_file(&head, options)? && first_start(format, &head).is_some();
    Ok(divisible.then_some(format))
}

/// Whether bytes are those of a file of text or mail, and not of an archive of such files.
fn is_file(head: &[u8], options: &ReadOptions) -> io::Result<bool> {
    let mut files = Files::new(head)?;
    let Some(mut file) = files.next_file()? else { return Ok(false) };
    if file.name().is_some() || (file.binary().is_some() && options.format.is_none()) {
        return Ok(false);
    }
    let mut first = [0; 64];
    let len = file.read(&mut first)?;
    Ok(head.starts_with(&first[..len]))
}

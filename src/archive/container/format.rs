//! The format of an input, recognised by its first lines.
//!
//! The name of a file does not count: it is unreliable, and a pipe has none.
//!
//! | the input begins with | format |
//! |---|---|
//! | a separator of an mbox and a header field | [`Mbox`](Format::Mbox) |
//! | `#! rnews N` | [`Rnews`](Format::Rnews) |
//! | a line of four bytes 0x01 and a message | [`Mmdf`](Format::Mmdf) |
//! | `BABYL OPTIONS:` | [`Babyl`](Format::Babyl) |
//! | `*mbx*` and CRLF | [`Mbx`](Format::Mbx) |
//! | a number alone on a line, and header fields as below | [`Emlx`](Format::Emlx) |
//! | a line of 73 `=` and a field `Date` | [`Listserv`](Format::Listserv) |
//! | header fields, two of which only mail and news have, after a first line that may be anything | [`Mail`](Format::Mail) |
//! | a line `WARC/1.0`, or one of ARC with URL, address, date, type and length | [`Warc`](Format::Warc) |
//! | tags or a document type of HTML, after comments or not | [`Html`](Format::Html) |
//! | an XML declaration or a document type, and no tag of HTML after it; a tag that is not a word in brackets | [`Xml`](Format::Xml) |
//! | `BEGIN:VCALENDAR` or `BEGIN:VCARD` | [`Calendar`](Format::Calendar) |
//! | `dn:` and a name with a `=`, after a line `version:` or not | [`Ldif`](Format::Ldif) |
//! | `// <!-- <mdb:mork:z` | [`Mork`](Format::Mork) |
//! | anything else | [`Text`](Format::Text) |
//!
//! Empty lines and a byte order mark before these are skipped. An input in UTF-16 or UTF-32
//! by its mark has been [recoded](crate::archive::Reader::is_recoded), and so has mail
//! whose lines end with a carriage return alone.

use super::gap::Gap;
use super::mail::{self, Verdict};
use super::markup::{self, Markup};
use super::{babyl, calendar, emlx, ldif, listserv, mbox, mbx, mmdf, mork, rnews, warc};

/// How many bytes of an input are looked at.
const ENOUGH: usize = 64 * 1024;

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Text without structure.
    Text,
    /// One message: a file of a Maildir, of an MH folder, of a news spool.
    Mail,
    /// Messages, each after a `From ` line (RFC 4155 and its predecessors).
    Mbox,
    /// A batch of news articles, each after a `#! rnews` line.
    Rnews,
    /// A page of HTML.
    Html,
    /// Messages, each between two lines of four bytes 0x01: MMDF.
    Mmdf,
    /// Messages of RMAIL, the mail reader of Emacs.
    Babyl,
    /// Messages, each after a line with its length: the format `mbx` of the IMAP server of
    /// the University of Washington.
    Mbx,
    /// One message after a line with its length, and a property list: a file of Apple Mail.
    Emlx,
    /// The records of a web archive: WARC (ISO 28500), also WET and WAT, or ARC. Each is a
    /// message, whose [record](crate::archive::Message::record) says what it is of.
    ///
    /// Bodies are read by their media type, after their transfer coding and content codings are
    /// undone; of HTTP fields only Link and Location. Not read are the heads of records, requests, and
    /// records that describe the file (`warcinfo`).
    Warc,
    /// Calendars (RFC 5545) or cards (RFC 6350).
    Calendar,
    /// XML, or a fragment of it or of HTML: text in which `&amp;` is an `&`. Tags, attributes
    /// and comments are text, too: any of them may have a URL.
    Xml,
    /// Messages of LISTSERV, each after a line of 73 `=`.
    Listserv,
    /// Entries of a directory or an address book (RFC 2849): folded lines, and values in
    /// base64.
    Ldif,
    /// A database of Mozilla as text: an index or an address book of Thunderbird, the
    /// history of an old browser.
    Mork,
}

/// The byte order mark in UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The formats that a mark of their own begins.
const MARKED: [(Format, Begins); 8] = [
    (Format::Mmdf, mmdf::begins),
    (Format::Babyl, babyl::begins),
    (Format::Mbx, mbx::begins),
    (Format::Emlx, emlx::begins),
    (Format::Warc, warc::begins),
    (Format::Listserv, listserv::begins),
    (Format::Ldif, ldif::begins),
    (Format::Mork, mork::begins),
];

/// Whether an input that begins with these bytes has a format; `true` says that no more
/// bytes follow.
type Begins = fn(&[u8], bool) -> Verdict;

/// The format of an input that begins with `bytes`; `None` if more bytes are needed to
/// tell. `last` says that no more bytes follow.
pub(crate) fn recognise(bytes: &[u8], last: bool) -> Option<Format> {
    let last = last || bytes.len() >= ENOUGH;
    let start = beginning(bytes);
    let rest = &bytes[start..];
    if !last && (rest.is_empty() || may_be_bom(bytes)) {
        return None;
    }
    if rest.starts_with(b"<") {
        return markup::recognise(rest, last).map(of_markup);
    }
    for (format, begins) in MARKED {
        match begins(rest, last) {
            Verdict::Yes => return Some(format),
            Verdict::Unknown => return None,
            Verdict::No => {}
        }
    }
    let cut = !rest.contains(&b'\n') && !last;
    if (rest.starts_with(b"#! rnews ") || b"#! rnews ".starts_with(rest)) && cut {
        return None;
    }
    if rnews::begins(rest) {
        return Some(Format::Rnews);
    }
    match calendar::begins(rest, last) {
        Verdict::Yes => return Some(Format::Calendar),
        Verdict::Unknown if !last => return None,
        Verdict::Unknown | Verdict::No => {}
    }
    match mbox::separates(rest, 0) {
        Verdict::Yes => return Some(Format::Mbox),
        Verdict::Unknown if !last => return None,
        Verdict::Unknown | Verdict::No => {}
    }
    match mail::begins(rest, last) {
        Verdict::Yes => Some(Format::Mail),
        Verdict::No => Some(Format::Text),
        Verdict::Unknown => None,
    }
}

fn of_markup(markup: Markup) -> Format {
    match markup {
        Markup::Html => Format::Html,
        Markup::Xml => Format::Xml,
        Markup::No => Format::Text,
    }
}

/// Where the first line begins that is not skipped.
fn beginning(bytes: &[u8]) -> usize {
    let bom = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    bom + line_ends(&bytes[bom..])
}

/// The bytes before the first message: empty lines, and a byte order mark if these are the
/// first bytes of the input; `None` if more bytes are needed.
pub(crate) fn gap(bytes: &[u8], first: bool, last: bool) -> Option<Gap> {
    if first && !last && may_be_bom(bytes) {
        return None;
    }
    let len = if first { beginning(bytes) } else { line_ends(bytes) };
    Some(Gap { len, ended: last || len < bytes.len() })
}

/// The length of the line ends that `bytes` begin with.
fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&b| matches!(b, b'\r' | b'\n')).count()
}

/// Whether more bytes could make `bytes` a byte order mark.
fn may_be_bom(bytes: &[u8]) -> bool {
    BOM.starts_with(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks the format of a text, and that no part of the text has another.
    #[track_caller]
    fn check(text: &str, format: Format) {
        let bytes = text.as_bytes();
        assert_eq!(recognise(bytes, true), Some(format), "{text:?}");
        for cut in 0..bytes.len() {
            let early = recognise(&bytes[..cut], false);
            assert!(early.is_none() || early == Some(format), "{cut} bytes of {text:?}: {early:?}");
        }
    }

    #[test]
    fn mbox_and_batches() {
        check("From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\n\nb", Format::Mbox);
        check("\n\nFrom -3405672143\nFrom: a@h.org\n\nb", Format::Mbox);
        check("#! rnews 128\nPath: x!y\n", Format::Rnews);
        check("#! rnews is what it is\n", Format::Text);
    }

    #[test]
    fn mailboxes_with_marks() {
        check("\x01\x01\x01\x01\nFrom a@h.org\nTo: b\n", Format::Mmdf);
        check("\x01\x01\x01\x01 is how it begins\n", Format::Text);
        check("BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\x1f\x0c\n1,,\nTo: a\n", Format::Babyl);
        check("BABYL OPTIONS: are obsolete\n", Format::Text);
        check("*mbx*\r\n0123456700000001\r\n", Format::Mbx);
        check("*mbx*\nnot in CRLF", Format::Text);
        check("18      \nTo: a\nSubject: b\n\nc", Format::Emlx);
        check("18\nand\nSubject: b\n\nTo: c\n", Format::Text);
    }

    #[test]
    fn messages() {
        check("From: a@h.org\nX-Y: z\nSubject: b\n\nc", Format::Mail);
        check("\u{feff}Received: from h.org\n by h.org\nMessage-ID: <1@h.org>\n\nc", Format::Mail);
        check("garb\u{e4}ge\nReturn-Path: <a@h.org>\nSubject: b\n\n", Format::Mail);
        check("From a@h.org\nReturn-Path: <a@h.org>\nSubject: b\n\n", Format::Mbox);
        check("X-A: b\nX-C: d\n\nFrom: a\nTo: b\n", Format::Text);
    }

    #[test]
    fn calendars() {
        check("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", Format::Calendar);
        check("\u{feff}begin:vcard\nN:a\n", Format::Calendar);
        check("BEGIN:VEVENT\n", Format::Text);
        check("BEGIN: From: a\nTo: b\n", Format::Text);
    }

    #[test]
    fn a_damaged_first_line() {
        check("From-a\n b c\nMessage-ID: <1@h.org>\nDate: today\n", Format::Mail);
    }

    #[test]
    fn text_that_resembles_another_format() {
        check("From here to there", Format::Text);
        check("Subject: this is a memo\n\nTo: do", Format::Text);
        check("Note: http://h.org/\nand so on\n", Format::Text);
        check("int main(void)\n", Format::Text);
        check("", Format::Text);
        check("\n\n", Format::Text);
        check("< 3", Format::Text);
        check("<URL:http://h.org/>", Format::Text);
        check("<headline>", Format::Text);
    }

    #[test]
    fn pages() {
        check("<html><body>", Format::Html);
        check("\n<!-- MHonArc v2.6 -->\n<!DOCTYPE HTML PUBLIC \"x\">", Format::Html);
        check("<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html>", Format::Html);
        check("<TITLE>x</TITLE>\n", Format::Html);
        check("<!-- a comment without end", Format::Text);
    }

    proptest! {
        #[test]
        fn more_bytes_do_not_change_the_format(
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "\n", "\r\n", " ", ":", "From", "From ", "a@h.org", " Fri Mar  2 10:11:12 2001", "-1234", "To", "garb",
                    "Subject: b", "\n ", "\u{1b}", "#! rnews ", "12", "BEGIN:VCARD", "<", "html", "!--", "-->", "\u{feff}", ">From ", "\u{e4}",
                    "\x01\x01\x01\x01", "BABYL OPTIONS:", "\x1f", "*mbx*", "42",
                ]),
                0..12,
            ),
        ) {
            let text = words.concat();
            let bytes = text.as_bytes();
            let whole = recognise(bytes, true);
            for cut in 0..=bytes.len() {
                let early = recognise(&bytes[..cut], false);
                prop_assert!(early.is_none() || early == whole, "{} bytes: {:?}, then {:?}", cut, early, whole);
            }
        }
    }

    #[test]
    fn lines_without_end() {
        let text = "a".repeat(2 * ENOUGH);
        assert_eq!(recognise(text.as_bytes(), false), Some(Format::Text));
        let head = format!("X-Long:{}", "\n b".repeat(ENOUGH));
        assert_eq!(recognise(head.as_bytes(), false), Some(Format::Text));
    }
}

//! Structures that are nested a million times, or as often as fits 16 MB, on a small stack: nothing recurses on the
//! depth of its input.

use std::io::Read;
use std::thread;

use urlgrep::archive::{Archive, Attachments, Format, ReadOptions, Reader};
use urlgrep::{Finder, Join, Schemeless};

const TIMES: usize = 1_000_000;

const MOST: usize = 16_000_000;

/// `open` as often as that, and then `middle`, and `close` as often.
fn nested(open: &str, middle: &str, close: &str) -> Vec<u8> {
    let times = TIMES.min(MOST / (open.len() + close.len()).max(1));
    [open.repeat(times).as_bytes(), middle.as_bytes(), close.repeat(times).as_bytes()].concat()
}

/// Runs on a thread with a stack of 256 KB, which a debug build needs more of than others.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap();
}

/// Searches a text, and the file as an archive.
fn search(name: &'static str, file: Vec<u8>, format: Option<Format>) {
    on_a_small_stack(move || {
        let builder =
            Finder::builder().join(Join::Likely).schemeless([Schemeless::Hosts, Schemeless::Emails]);
        let builder = builder.schemeless([Schemeless::AllDomains]);
        let finder = builder.build().unwrap();
        if format.is_none() {
            let text = &file[..file.len().min(2_000_000)];
            assert!(finder.find_iter(text).count() <= text.len(), "{name}");
        }
        let options = ReadOptions { format, attachments: Attachments::All, ..ReadOptions::default() };
        let archive = Archive::new(&file[..]).unwrap().with_options(&options);
        assert!(finder.find_in_archive(archive).count() <= file.len(), "{name}");
    });
}

#[test]
fn texts() {
    for (name, open, close) in [
        ("brackets", "(", ")"),
        ("brackets of a URL", "http://h.org/(", ")"),
        ("angles", "<http://h.org/", ">"),
        ("wrappers", "<URL:http://h.org/ ", ">"),
        ("quotation marks", "\"http://h.org/", "\""),
        ("leaders", "> ", "\n"),
        ("schemes", "http:", "//h.org/"),
        ("hosts", "a.", "b@"),
        ("spaces", "<mailto: ", "a@h.org>"),
    ] {
        search(name, nested(open, "http://h.org/", close), None);
    }
}

#[test]
fn messages() {
    let head = "From: a\nMessage-ID: <1@h.org>\n";
    let multipart = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
    for (name, open, close) in [
        ("multiparts", multipart, "\n--b--\n"),
        ("messages", "Content-Type: message/rfc822\n\n", ""),
        ("comments", "Subject: (((((((((((((((((((((((((((((((((", ")"),
        ("comments in fields", "Content-Transfer-Encoding: (((((((((((((((((((((((((((\n ((((", "\n ))))"),
        ("encoded words", "Subject: =?utf-8?q?=?utf-8?q?", "?= "),
        ("folds", "Subject: a\n ", "\n "),
        (
            "digests",
            "\n----------------------------------------------------------------------\n\nFrom: a\nDate: b\n\n",
            "\n",
        ),
        ("files in the text", "\nbegin 644 a\n", "\nend\n"),
    ] {
        let file = [head.as_bytes(), &nested(open, "http://h.org/", close)].concat();
        search(name, file, Some(Format::Mail));
    }
}

#[test]
fn pages_and_documents() {
    for (name, open, close, format) in [
        ("elements", "<div>", "</div>", Format::Html),
        ("links", "<a href='http://h.org/'>", "</a>", Format::Html),
        ("documents in attributes", "<iframe srcdoc=\"", "\">", Format::Html),
        ("comments", "<!--", "-->", Format::Html),
        ("references", "&amp;", ";", Format::Html),
        ("paragraphs", "<w:p><w:t>", "</w:t></w:p>", Format::Office),
        ("fields", "<w:fldChar w:fldCharType='begin'/><w:instrText>", "</w:instrText>", Format::Office),
        ("calendars", "BEGIN:VCALENDAR\n ", "END:VCALENDAR\n", Format::Calendar),
        ("folded lines", "dn:: YQ\n ", "==\n", Format::Ldif),
        ("escapes", "\\", "$41", Format::Mork),
        ("arrays", "[", "]", Format::Json),
        ("objects", "{\"a.\":", "}", Format::Json),
        ("strings that do not end", "{\"a.\n", "", Format::Json),
        ("escapes of JSON", "\"\\u0041\\/", "", Format::Json),
    ] {
        search(name, nested(open, "http://h.org/", close), Some(format));
    }
    let rtf = [
        &b"From: a\nMessage-ID: <1@h.org>\nContent-Type: text/rtf\n\n{\\rtf1 "[..],
        &nested("{\\b ", "http://h.org/", "}"),
    ]
    .concat();
    search("groups of RTF", rtf, Some(Format::Mail));
}

#[test]
fn compressed_files() {
    search("batches", nested("#! cunbatch\n", "http://h.org/", ""), None);
    search("batches of articles", nested("#! rnews 20\n", "http://h.org/", ""), None);
    let mut file = b"http://h.org/".to_vec();
    for _ in 0..1000 {
        let mut gzip = flate2::read::GzEncoder::new(&file[..], flate2::Compression::none());
        let mut outer = Vec::new();
        gzip.read_to_end(&mut outer).unwrap();
        file = outer;
    }
    on_a_small_stack(move || {
        // It ends with an error, since there are too many layers.
        let matches: Vec<_> = Finder::new().find_in_archive(Archive::new(&file[..]).unwrap()).collect();
        assert!(matches.iter().all(Result::is_err) && !matches.is_empty());
    });
}

#[test]
fn mailboxes() {
    let separator = "From a@h.org Fri Mar  2 10:11:12 2001\n";
    for (name, open, format) in [
        ("separators", separator, Format::Mbox),
        ("escaped separators", ">From a\n", Format::Mbox),
        ("delimiters", "\u{1}\u{1}\u{1}\u{1}\n", Format::Mmdf),
        ("lines", &format!("{}\nDate: a\n", "=".repeat(73)), Format::Listserv),
        ("labels", "\u{1f}\u{c}\n", Format::Babyl),
        ("records", "WARC/1.0\r\n\r\n", Format::Warc),
    ] {
        let file = nested(open, "http://h.org/", "");
        on_a_small_stack(move || {
            let mut reader = Reader::new(&file[..]).with_format(format);
            let mut texts = 0;
            while let Some(message) = reader.next_message().unwrap() {
                texts += message.texts().count();
            }
            assert!(texts <= file.len(), "{name}");
        });
    }
}

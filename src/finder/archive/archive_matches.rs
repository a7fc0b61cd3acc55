//! The matches in an archive: its files, their messages, and the texts in them.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read};
use std::iter::FusedIterator;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::archive::internal::Note;
use crate::archive::{self, Archive, Format, Reader};
use crate::finder::Finder;
use crate::matches::Match;

impl Finder {
    /// Returns the URLs in a file: a mail or news archive, a zip or tar archive, an Outlook mailbox,
    /// an HTML page or plain text. The file may be compressed. URLs in header fields, images, scripts
    /// and namespaces match as well: see the [role](Match::role) of a URL.
    ///
    /// Memory depends on the longest message, and on the matches in one message.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened, or its first bytes cannot be read. Other errors are
    /// items of the iterator, after the matches before them, and other matches may follow.
    /// All errors name the file. An image, a sound or a program in a zip or tar archive is skipped; a member that may hold
    /// text in an unsupported format is an error.
    ///
    /// # Example
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// # let path = dir.path().join("mbox");
    /// # std::fs::write(&path, "From a@h.org Fri Mar  2 10:11:12 2001\nMessage-ID: <1@h.org>\n\nhttp://h.org/\n")?;
    /// let finder = urlgrep::Finder::new();
    /// for m in finder.archive(&path)? {
    ///     let m = m?;
    ///     assert_eq!(m.as_bytes(), b"http://h.org/");
    ///     assert_eq!(m.span(), 61..74);
    ///     assert_eq!(m.context().and_then(|context| context.envelope()).and_then(|envelope| envelope.id()).as_deref(), Some("1@h.org"));
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn archive(&self, path: impl AsRef<Path>) -> io::Result<ArchiveMatches> {
        Ok(self.find_in_archive(archive::open(path)?))
    }

    /// Returns the URLs in a mail or news message: a file of a Maildir, an article, a message from
    /// an IMAP server.
    ///
    /// Yields the same matches as [`archive`](Finder::archive) for a file with these bytes, but
    /// treats the whole text as one message, regardless of its first line. It costs one pass over
    /// the message, and memory for its matches and its longest part.
    ///
    /// # Example
    ///
    /// ```
    /// let message = b"Subject: a link\nContent-Transfer-Encoding: base64\n\naHR0cDovL2gub3JnLw==\n";
    /// for m in urlgrep::Finder::new().find_in_mail(message) {
    ///     assert_eq!(m.to_str(), Some("http://h.org/"));
    ///     assert_eq!(&message[m.range()], b"aHR0cDovL2gub3JnLw");
    ///     assert_eq!(m.context().and_then(|context| context.envelope()).and_then(|envelope| envelope.subject()).as_deref(), Some("a link"));
    /// }
    /// ```
    pub fn find_in_mail(&self, message: &[u8]) -> impl Iterator<Item = Match<'static>> + use<> {
        let reader = Reader::new(message).with_format(Format::Mail).counting_lines(self.counts_lines());
        let (mut reader, mut matches) = (reader, Vec::new());
        // Reading a slice cannot fail.
        while let Ok(Some(message)) = reader.next_message() {
            let _ = self.find_in_message(&message, |m| {
                matches.push(m.clone().into_owned());
                ControlFlow::Continue(())
            });
        }
        matches.into_iter()
    }

    /// Returns the URLs in an open archive, for example one with options or a
    /// [range](archive::open_range).
    ///
    /// Otherwise it works like [`archive`](Finder::archive).
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::Finder;
    /// use urlgrep::archive::{Archive, ReadOptions};
    ///
    /// let options = ReadOptions { headers: false, ..ReadOptions::default() };
    /// let archive = Archive::new(&b"From: a\nSubject: http://h.org/a\n\nhttp://h.org/b\n"[..])?;
    /// let matches = Finder::new().find_in_archive(archive.with_options(&options));
    /// let urls: Result<Vec<_>, _> = matches.map(|m| m.map(|m| m.to_string())).collect();
    /// assert_eq!(urls?, ["http://h.org/b"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn find_in_archive<R: Read>(&self, archive: Archive<R>) -> ArchiveMatches<R> {
        let archive = archive.counting_lines(self.counts_lines());
        ArchiveMatches { finder: self.clone(), archive, matches: VecDeque::new(), ended: false }
    }
}

/// The URLs in an archive.
///
/// Made by [`Finder::archive`] and [`Finder::find_in_archive`]. It owns all that it needs, so that
/// a struct can hold it.
#[derive(Debug)]
pub struct ArchiveMatches<R: Read = fs::File> {
    finder: Finder,
    archive: Archive<R>,
    /// The rest of the matches of the current message.
    matches: VecDeque<Match<'static>>,
    ended: bool,
}

impl<R: Read> ArchiveMatches<R> {
    /// Returns the archive, for example to ask for the bodies that were [not
    /// decoded](Archive::undecoded) so far.
    pub fn archive(&self) -> &Archive<R> {
        &self.archive
    }

    /// Takes the notes so far about skipped parts of the archive's files.
    #[doc(hidden)]
    pub fn take_notes(&mut self) -> impl Iterator<Item = Note> + use<R> {
        self.archive.take_notes()
    }

    /// Searches the next message; `false` after the last.
    fn search(&mut self) -> io::Result<bool> {
        let Some(message) = self.archive.next_message()? else {
            return Ok(false);
        };
        let matches = &mut self.matches;
        let _ = self.finder.find_in_message(&message, |m| {
            matches.push_back(m.clone().into_owned());
            ControlFlow::Continue(())
        });
        let member: Option<Arc<[u8]>> = self.archive.member().map(Arc::from);
        self.matches.iter_mut().for_each(|m| m.set_member(member.clone()));
        Ok(true)
    }
}

impl<R: Read> Iterator for ArchiveMatches<R> {
    type Item = io::Result<Match<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.matches.is_empty() && !self.ended {
            match self.search() {
                Ok(more) => self.ended = !more,
                Err(error) => return Some(Err(error)),
            }
        }
        self.matches.pop_front().map(Ok)
    }
}

impl<R: Read> FusedIterator for ArchiveMatches<R> {}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::io::Write;

    use super::*;
    use crate::bytes::position::Position;

    const MBOX: &str = "From a@h.org Fri Mar  2 10:11:12 2001\nSubject: one\nList-Post: <http://h.org/\n a>\n\n\
        > http://h.org/foo-\nbar <http://h.org/foo-\nbar>\n\n\
        From a@h.org Fri Mar  2 10:11:12 2001\nSubject: two\nContent-Type: text/html\n\n<a href=http://h.org/b>c</a>\n";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    }

    /// A name that is repeated with each match is short.
    #[test]
    fn long_names_of_members() {
        let name = |end| "n".repeat(60_000) + end;
        let file =
            [member(&name("a"), 0, b"http://h.org/a"), member(&name("b"), 0, b"http://h.org/b")].concat();
        let names: Vec<_> = matches(&[&file[..], b"PK\x05\x06", &[0; 18]].concat())
            .into_iter()
            .map(|m| m.unwrap().context().unwrap().member().unwrap().to_vec())
            .collect();
        assert_eq!((names.len(), names[0].len(), names[1].len()), (2, 1024, 1024));
        assert!(names[0] != names[1] && names[1].ends_with(b"nb"));
    }

    /// A stored zip member.
    fn member(name: &str, flags: u16, bytes: &[u8]) -> Vec<u8> {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let mut member = b"PK\x03\x04\x14\0".to_vec();
        member.extend(flags.to_le_bytes());
        member.extend([0; 6]);
        let len = bytes.len() as u32;
        member.extend([crc.sum(), len, len, name.len() as u32].into_iter().flat_map(u32::to_le_bytes));
        [&member, name.as_bytes(), bytes].concat()
    }

    fn matches(file: &[u8]) -> Vec<Result<Match<'static>, String>> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, file).unwrap();
        let finder = Finder::builder().line_numbers(true).build().unwrap();
        let all = finder.archive(&path).unwrap();
        let name = dir.path().display().to_string();
        all.map(|m| m.map_err(|error| error.to_string().replace(&name, ""))).collect()
    }

    #[test]
    fn owned_matches_are_those_of_the_texts() {
        let finder = Finder::builder().line_numbers(true).build().unwrap();
        let mut reader = archive::Reader::new(MBOX.as_bytes()).counting_lines(true);
        let mut owned = matches(MBOX.as_bytes()).into_iter();
        while let Some(message) = reader.next_message().unwrap() {
            for text in message.texts() {
                for m in finder.find_in(&text) {
                    let own = owned.next().unwrap().unwrap();
                    assert_eq!(own.as_bytes(), m.as_bytes());
                    assert_eq!(own, m.clone());
                    assert_eq!((own.position(), own.joined()), (m.position(), m.joined()));
                    assert_eq!(
                        (own.context().unwrap().header(), own.context().unwrap().attribute()),
                        (m.context().unwrap().header(), m.context().unwrap().attribute())
                    );
                    assert_eq!(own.context().unwrap().link_text(), m.context().unwrap().link_text());
                    assert_eq!(own.context().unwrap().quote_depth(), m.context().unwrap().quote_depth());
                    assert_eq!(
                        (own.context().unwrap().part(), own.context().unwrap().message_index()),
                        (text.part(), text.message_index())
                    );
                    assert_eq!(
                        own.context().unwrap().content_type().as_deref(),
                        text.content_type().as_deref()
                    );
                    let subject = text.envelope().and_then(|envelope| envelope.subject());
                    assert_eq!(
                        own.context().unwrap().envelope().and_then(|envelope| envelope.subject()),
                        subject
                    );
                }
            }
        }
        assert!(owned.next().is_none());
    }

    #[test]
    fn owned_matches_share_what_they_are_in() {
        let page = b"Content-Type: text/html; name=a.html\n\n<!-- http://h.org/a http://h.org/b -->\
            <!-- http://h.org/c http://h.org/d -->";
        let found: Vec<_> = Finder::new().find_in_mail(page).collect();
        let all = 0..found.len();
        let context = |n: usize| found[n].context().unwrap();
        let attributes: Vec<_> = all.clone().map(|n| context(n).attribute().map(<[u8]>::as_ptr)).collect();
        let of = |url: &str| found.iter().position(|m| m.as_bytes() == url.as_bytes()).unwrap();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| attributes[of(&format!("http://h.org/{name}"))]);
        assert!(a.is_some() && c.is_some() && a != c, "{attributes:?}");
        assert_eq!((a, c), (b, d));
        let names: Vec<_> = all.map(|n| context(n).filename().unwrap().as_ptr()).collect();
        assert!(names.iter().all(|name| *name == names[0]));
    }

    #[test]
    fn members_of_a_zip_archive() {
        let members = [
            member("a.mbox", 0, MBOX.as_bytes()),
            member("b.gz", 0, &gzip(b"http://h.org/b")),
            member("c", 1, b"encrypted"),
            member("d", 0, b"http://h.org/d"),
        ];
        let file = [&members.concat()[..], b"PK\x05\x06", &[0; 18]].concat();
        let (found, errors): (Vec<_>, Vec<_>) = matches(&file).into_iter().partition(Result::is_ok);
        let found: Vec<_> = found.into_iter().flatten().collect();
        let members: Vec<_> =
            found.iter().map(|m| str::from_utf8(m.context().unwrap().member().unwrap()).unwrap()).collect();
        let in_mbox = matches(MBOX.as_bytes()).len();
        assert_eq!(members[in_mbox - 1..], ["a.mbox", "b.gz", "d"]);
        assert_eq!(found[in_mbox].position(), Some(Position { line: 1, column: 1 }));
        let errors: Vec<_> = errors.into_iter().filter_map(Result::err).collect();
        assert_eq!(errors, ["/file!/c: unsupported zip member: it is encrypted"]);
    }

    /// Beyond 64 times its length and 1 MiB the relative links of a document are as written, and it is noted once.
    #[test]
    fn relative_links_to_a_long_base() {
        let finder = Finder::new();
        let base = |len| format!("http://h.org/{}/", "b".repeat(len - "http://h.org//".len()));
        let links = "<a href=/a:b>".repeat(2000);
        let long = format!("<!DOCTYPE html><html><base href='{}'>{links}", base(60_000));
        // The last link fills the limit.
        let is_full =
            |pad: &usize| (64 * (long.len() + pad) + (1 << 20)).is_multiple_of(60_000 + "/a:b".len());
        let full = format!("{long}{}", " ".repeat((0..).find(is_full).unwrap()));
        let pages = [
            (full, true),
            (long, true),
            (
                format!(
                    "From: a@h.org\nTo: b@h.org\nDate: Mon, 15 Mar 2021 10:00:00 +0000\nMIME-Version: 1.0\n\
                     Content-Type: text/html\nContent-Location: {}\n\n{links}",
                    base(60_000)
                ),
                true,
            ),
            (format!("<!DOCTYPE html><html><base href='{}'>{links}", base(600)), false),
        ];
        for (page, is_long) in pages {
            let document = page.rfind("\n\n").map_or(page.len(), |at| page.len() - at - 2);
            let room = 64 * document + (1 << 20);
            let mut found = finder.find_in_archive(Archive::new(page.as_bytes()).unwrap());
            let urls: Vec<_> =
                found.by_ref().map(Result::unwrap).filter(|m| m.as_bytes().len() < 100).collect();
            let resolved = urls.iter().filter(|m| m.as_bytes() == b"http://h.org/a:b").count();
            let note = found.archive().undecoded().map(ToString::to_string).unwrap_or_default();
            let expected = if is_long { room / (60_000 + "/a:b".len()) } else { 2000 };
            assert_eq!(
                (urls.len(), resolved, note.contains("a very long base URL")),
                (2000, expected, is_long),
                "{note}"
            );
            assert!(
                !note.contains(" more)")
                    && found.archive().undecoded().is_none_or(|note| !note.is_whole_file())
            );
            for m in &urls[resolved..] {
                assert_eq!((m.as_bytes(), m.grade().as_str(), &*m.scheme()), (&b"/a:b"[..], "lenient", ""));
                assert_eq!((m.host(), &page[m.range()]), (None, "/a:b"));
            }
        }
    }

    /// The length of the URL that a link means decides, not the length of the base. A record's URL
    /// is whole where it is a base, and 8 KiB in the fields of a match.
    #[test]
    fn relative_links_whose_urls_are_too_long() {
        let links =
            "<a href=r><a href=/abs><a href=?q><a href=//i.org/x><a href=../up><a href=http://j.org/>";
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{links}");
        let pages: [&dyn Fn(&str) -> String; 4] = [
            &|base| format!("<!DOCTYPE html><html><base href='{base}'>{links}"),
            &|base| format!("From: a@h.org\nContent-Type: text/html\nContent-Location: {base}\n\n{links}"),
            &|base| {
                format!(
                    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {base}\r\nContent-Type: application/http; \
                     msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
                    http.len()
                )
            },
            &|base| {
                format!(
                    "filedesc://a.arc 0.0.0.0 20010302101112 text/plain 6\n1 0 A\n\n\
                     {base} 1.2.3.4 20010302101112 text/html {}\n{http}\n",
                    http.len()
                )
            },
        ];
        // The length of the URL of `r`; 64 KiB is the most.
        for (n, page) in pages.iter().enumerate() {
            for len in [8100, 8192, 8193, 60_000, 65_000, 65_535, 65_536, 65_537, 65_538, 200_000] {
                // The head of a record has at most 64 KiB.
                if n > 1 && len > 65_000 {
                    continue;
                }
                let base = format!("http://h.org/a/{}/", "b".repeat(len - "http://h.org/a//r".len()));
                let finder = Finder::new();
                let page = page(&base);
                let mut found = finder.find_in_archive(Archive::new(page.as_bytes()).unwrap());
                let matches: Vec<_> =
                    found.by_ref().map(Result::unwrap).filter(|m| m.role().as_str() == "link").collect();
                let urls: Vec<_> = matches.iter().map(|m| m.to_string()).collect();
                let is_short = |url: &str| url.len() <= 65_536;
                let meant = |link: &str| Some(format!("{base}{link}")).filter(|url| is_short(url));
                let expected = [
                    meant("r").unwrap_or("r".to_owned()),
                    "http://h.org/abs".to_owned(),
                    meant("?q").unwrap_or("?q".to_owned()),
                    "http://i.org/x".to_owned(),
                    "http://h.org/a/up".to_owned(),
                    "http://j.org/".to_owned(),
                ];
                assert!(urls == expected, "{n} {len}");
                for m in matches.iter().filter(|m| m.as_bytes().len() < 3) {
                    assert_eq!((m.grade().as_str(), &*m.scheme()), ("lenient", ""));
                }
                let note = found.archive().undecoded().map(ToString::to_string).unwrap_or_default();
                let (is_noted, is_one) = (note.contains("a very long base URL"), !note.contains(" more)"));
                assert_eq!((is_noted, is_one), (meant("?q").is_none(), true), "{n} {len} {note}");
                if n > 1 {
                    let uri = matches[0].context().unwrap().record().unwrap().uri().unwrap();
                    assert_eq!(uri, &base[..base.len().min(8192)]);
                }
            }
        }
    }

    /// SECURITY.md: the URLs of a document take at most 65 times its length and 1 MiB.
    #[test]
    fn output_is_bounded() {
        let links: [fn(usize) -> String; 3] = [
            |n| "<a href=a>".repeat(n),
            |n| format!("<a href=x ping='{}'>b</a>", "a ".repeat(n)),
            |n| format!("<img srcset='{}'>", "a 1x,".repeat(n)),
        ];
        for (base, count) in
            [(20, 9000), (1000, 1), (1500, 700), (30_000, 10), (30_000, 15_000), (65_000, 5000)]
        {
            for links in links {
                let base = "b".repeat(base);
                let page = format!("<!DOCTYPE html><html><base href='http://h.org/{base}/'>{}", links(count));
                let found = Finder::new().find_in_archive(Archive::new(page.as_bytes()).unwrap());
                let lens: Vec<_> = found.map(|m| m.unwrap().as_bytes().len()).collect();
                let len: usize = lens.iter().sum();
                assert!(lens.len() >= count, "{} links", lens.len());
                assert!(len <= 65 * page.len() + (1 << 20), "{len} bytes of {}", page.len());
            }
        }
    }

    /// The parts of a message share its base, but not what its length allows.
    #[test]
    fn many_parts_with_one_base() {
        let part = "--A\nContent-Type: text/html\n\n<a href=a>\n".repeat(100);
        let base = "b".repeat(60_000);
        let mail = format!(
            "From: a\nContent-Type: multipart/mixed; boundary=A\nContent-Location: http://h.org/{base}/\n\n{part}--A--\n"
        );
        let found = Finder::new().find_in_archive(Archive::new(mail.as_bytes()).unwrap());
        let len: usize = found.map(|m| m.unwrap().as_bytes().len()).sum();
        assert!(len < 4 * mail.len(), "{len}");
    }

    #[test]
    fn a_damaged_file() {
        let mut file = gzip(MBOX.as_bytes());
        assert_eq!(matches(&file).len(), matches(MBOX.as_bytes()).len());
        file.truncate(file.len() - 8);
        let damaged = matches(&file);
        let error = damaged.last().unwrap().as_ref().unwrap_err();
        assert!(error.starts_with("/file: truncated gzip data"), "{error}");
        assert!(damaged.len() > 1);
    }

    #[test]
    fn threads_can_share_them() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<Match<'static>>();
        is_shared::<archive::Text<'static>>();
        is_shared::<archive::Message<'static>>();
        is_shared::<crate::Scanner>();
        is_shared::<crate::Match<'static>>();
        fn is_sent<T: Send>() {}
        is_sent::<ArchiveMatches>();
    }

    #[test]
    fn a_file_that_does_not_exist() {
        let error = Finder::new().archive("no/such/file").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.to_string().starts_with("no/such/file: "), "{error}");
        assert!(error.source().is_none());
    }
}

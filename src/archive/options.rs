//! The options for reading an archive.

use crate::bytes::name::named;

use super::container::format::Format;

/// The options for reading an archive, with a [`Reader`](super::Reader) or an
/// [`Archive`](super::Archive).
///
/// Later versions may add fields, so set only the fields that you change, and take the others from
/// [`ReadOptions::default`].
///
/// # Example
///
/// ```
/// use urlgrep::archive::{ReadOptions, Reader};
///
/// let options = ReadOptions { headers: false, ..ReadOptions::default() };
/// let mail = &b"Subject: http://h.org/a\nFrom: a\n\nhttp://h.org/b\n"[..];
/// let mut reader = Reader::new(mail).with_options(&options);
/// let message = reader.next_message()?.unwrap();
/// let texts: Vec<_> = message.texts().map(|text| text.as_bytes().to_vec()).collect();
/// assert_eq!(texts, [b"http://h.org/b\n"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format of all files. By default, the format of each file is detected from its first bytes.
    pub format: Option<Format>,
    /// The attachments that are read. By default, these are attachments that a person can open and
    /// read: [`Attachments::Documents`].
    pub attachments: Attachments,
    /// True if header fields are read. On by default.
    ///
    /// Fields that only trace or identify a message, or that are for programs, are never
    /// read: Received, Return-Path, Path, Message-ID and others with the same value
    /// (X-Message-ID, X-MS-TNEF-Correlator, …), References, In-Reply-To, Content-ID,
    /// Content-Class, Control, Supersedes, Thread-Index, Feedback-ID, Xref, X-UIDL, X-Face,
    /// X-Evolution-Source, the authentication results, and signatures (DKIM, ARC, DomainKey).
    pub headers: bool,
    /// True if the hidden content of a page is read: comments, scripts, style sheets, namespaces,
    /// and attributes that are neither links nor images
    /// ([`Role::Resource`](super::Role::Resource)). On by default.
    pub resources: bool,
    /// True to remove a dot from each line that begins with two (RFC 3977 §3.1.1, RFC 5321 §4.5.2).
    /// Off by default.
    pub dot_stuffing: bool,
    /// The URL against which relative links in HTML are resolved, if neither a `<base>` nor a
    /// [record](super::Message::record) specifies one. Without a URL, they are left out.
    pub base_url: Option<Box<str>>,
    /// True if lines are counted, for [`Text::position`](super::Text::position). Off by
    /// default; costs a pass over the input.
    pub line_numbers: bool,
    /// True to record which bytes of the file encode each byte of a decoded text. On by default.
    ///
    /// Without it, the [range](crate::Match::range), the [pieces](crate::Match::pieces) and the
    /// [position](crate::Match::position) of a URL in such a text may refer to everything that
    /// encodes the text, such as a quoted-printable body. Text that needs no decoding has its
    /// offsets. The search is faster in pages, encoded bodies and JSON, and yields the same URLs.
    ///
    /// ```
    /// use urlgrep::Finder;
    /// use urlgrep::archive::{ReadOptions, Reader};
    ///
    /// let mail = b"From: a\nContent-Transfer-Encoding: quoted-printable\n\nsee http://h.org/?a=3D1\n";
    /// for (offsets, range) in [(true, 57..76), (false, 53..77)] {
    ///     let options = ReadOptions { offsets, ..ReadOptions::default() };
    ///     let mut reader = Reader::new(&mail[..]).with_options(&options);
    ///     let message = reader.next_message()?.unwrap();
    ///     let body = message.texts().last().unwrap();
    ///     let found = Finder::new().find_in(&body).next().unwrap();
    ///     assert_eq!(found.to_string(), "http://h.org/?a=1");
    ///     assert_eq!(found.range(), range);
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub offsets: bool,
    /// True to find records in JSON, XML and chats: their dates and authors, and the paths of JSON strings. On by default.
    ///
    /// Until you ask a match for its [envelope](super::Text::envelope) or its
    /// [key](crate::Context::key), this option only makes the search record offsets in JSON and XML.
    pub records: bool,
    /// The keys of [records](Self::records) that are kept: see [`Context::record_value`](crate::Context::record_value).
    /// Empty by default.
    pub keep: Vec<Box<str>>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            format: None,
            attachments: Attachments::Documents,
            headers: true,
            resources: true,
            dot_stuffing: false,
            base_url: None,
            line_numbers: false,
            offsets: true,
            records: true,
            keep: Vec::new(),
        }
    }
}

/// The attachments of a message that are read. An attachment is a part whose declared type is not a text type, or whose
/// Content-Disposition is `attachment` (RFC 2183).
///
/// If such a part contains text, its first bytes determine how it is read. The body of an S/MIME or Outlook message
/// (`winmail.dat`) is not an attachment, but the files in that body are.
///
/// ```
/// use urlgrep::archive::Attachments;
///
/// assert_eq!("all".parse(), Ok(Attachments::All));
/// assert_eq!(Attachments::Documents.to_string(), "documents");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Attachments {
    /// Skips attachments.
    None,
    /// Searches text, pages, messages, calendars, office documents, and archives of such files.
    /// Reports a document or an archive of another format as [`Undecoded`](super::Undecoded), and
    /// skips images, audio, video and programs.
    #[default]
    Documents,
    /// Searches all attachments, and the bytes of those that are neither text nor a document.
    All,
}

named! {
    Attachments, FromStr:
    /// Returns the name: `none`, `documents` or `all`.
    None => "none",
    Documents => "documents",
    All => "all",
}

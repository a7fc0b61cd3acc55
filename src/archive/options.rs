//! How an archive is read.

use super::container::format::Format;

/// How an archive is read, by a [`Reader`](super::Reader) or an [`Archive`](super::Archive).
///
/// Fields may be added: name the ones to change, and take the others from the default.
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
    /// The format of all files, whatever their first bytes are. By default these say it.
    pub format: Option<Format>,
    /// Whether parts that are not text are read, decoded: images, programs and the like.
    /// Off by default.
    pub attachments: bool,
    /// Whether header fields are read. On by default.
    ///
    /// Fields that only trace or identify a message, or that are for programs, are never
    /// read: Received, Return-Path, Path, Message-ID and others with the same value
    /// (X-Message-ID, X-MS-TNEF-Correlator, …), References, In-Reply-To, Content-ID,
    /// Content-Class, Control, Supersedes, Thread-Index, Feedback-ID, Xref, X-UIDL, X-Face,
    /// X-Evolution-Source, the authentication results, and signatures (DKIM, ARC, DomainKey).
    pub headers: bool,
    /// Whether a line that begins with two dots loses one (RFC 3977 §3.1.1, RFC 5321
    /// §4.5.2). Off by default.
    pub dot_stuffing: bool,
    /// The address that relative links in HTML are resolved against, if neither a
    /// `<base>` nor a [record](super::Message::record) has one. Without it they are left out.
    pub base_url: Option<Box<str>>,
    /// Whether lines are counted, for [`Text::position`](super::Text::position). Off by
    /// default; costs a pass over the input.
    pub line_numbers: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            format: None,
            attachments: false,
            headers: true,
            dot_stuffing: false,
            base_url: None,
            line_numbers: false,
        }
    }
}

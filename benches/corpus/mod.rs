//! Batch to measure on, generated anew for every run and the same every time.
//!
//! Each comes with the number of URLs that was put into it. The number is
//! counted while the text is written, never by searching it, so a bench that
//! compares it with the number of matches is a test as well.
//!
//! | corpus | imitates | colons and `://` in a KB |
//! |---|---|---|
//! | [`mail`](mail::mail) | mailing lists of the 1990s | 6.7 and 0.2 |
//! | [`sparse`](source::sparse) | a kernel's C with comments | 1.7 and 0.05 |
//! | [`log`](log::log) | a web server's access log with referrers | 25 and 5.7 |
//! | [`dense`](log::dense) | a list, one URL a line | 23 and 22 |
//!
//! [`mime::messages`] is mail of today, which is decoded before it is searched, [`hostile`] has the adversarial
//! texts, and [`patterns`] those that are generated.

pub mod hostile;
pub mod log;
pub mod mail;
pub mod mime;
pub mod patterns;
pub mod random;
pub mod source;
pub mod urls;

/// A text and what is in it.
pub struct Corpus {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    /// How many URLs were put in.
    pub urls: usize,
}

impl Corpus {
    fn new(name: &'static str, text: String, urls: usize) -> Self {
        Corpus { name, bytes: text.into_bytes(), urls }
    }

    /// The same as a string; every corpus is ASCII.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("a corpus is ASCII")
    }
}

/// The generators of the ordinary texts, from a size in bytes. A text ends
/// with the item that reaches the size.
pub const ORDINARY: [fn(usize) -> Corpus; 4] = [mail::mail, source::sparse, log::log, log::dense];

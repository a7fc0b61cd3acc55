//! How an input is decoded.

use std::io::{self, Read};

use urlgrep::archive::{Format, Reader};

/// How an input is decoded.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format; if none is given, it is detected.
    pub format: Option<Format>,
    /// Whether parts of mail that are not text are searched.
    pub attachments: bool,
    /// Whether header fields of mail are searched.
    pub headers: bool,
    /// Whether the dots that NNTP and SMTP insert are removed.
    pub dot_stuffing: bool,
    /// The address that relative links are resolved against.
    pub base_url: Option<String>,
    /// Whether lines are counted, which costs a pass over the text.
    pub line_numbers: bool,
}

impl ReadOptions {
    /// A reader of an input.
    pub fn reader<R: Read>(&self, input: R) -> Reader<R> {
        self.reader_after(Reader::new(io::empty()), input)
    }

    /// A reader of an input, in the memory of an earlier one.
    pub fn reader_after<R: Read>(&self, earlier: Reader<impl Read>, input: R) -> Reader<R> {
        let mut reader = earlier
            .with_input(input)
            .attachments(self.attachments)
            .headers(self.headers)
            .dot_stuffing(self.dot_stuffing)
            .line_numbers(self.line_numbers);
        if let Some(base) = &self.base_url {
            reader = reader.base_url(&**base);
        }
        match self.format {
            Some(format) => reader.with_format(format),
            None => reader,
        }
    }
}

//! How inputs are read.

use std::io::Read;

use urlgrep::archive::{Format, Reader};

/// How an input is read, as is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// What it is, unless that is to be seen from it.
    pub format: Option<Format>,
    pub attachments: bool,
    pub headers: bool,
    pub dot_stuffing: bool,
    pub line_numbers: bool,
}

impl Reading {
    /// A reader of an input.
    pub fn reader<R: Read>(self, input: R) -> Reader<R> {
        let reader = Reader::new(input)
            .attachments(self.attachments)
            .headers(self.headers)
            .dot_stuffing(self.dot_stuffing)
            .line_numbers(self.line_numbers);
        match self.format {
            Some(format) => reader.with_format(format),
            None => reader,
        }
    }
}

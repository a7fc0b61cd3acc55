//! `--explain --at`: why no URL is at a position.
//!
//! The library explains it for the text around the position. A text is read in chunks for that, as
//! messages are.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use urlgrep::Explanation;
use urlgrep::archive::Message;
use urlgrep::table::Row;
use urlgrep_print::escape::{self, Escaped};
use urlgrep_print::explain;

use super::select::Place;
use super::settings::Search;

/// The reason why no URL is at a position of a file, as far as it is known.
pub struct Refusal<'s> {
    search: &'s Search,
    name: PathBuf,
    place: Place,
    /// The reason, if the position is in a message.
    sentence: Option<String>,
}

impl<'s> Refusal<'s> {
    /// Returns the collector for the file `name`, which is read next, or `None` if the reason is not asked
    /// for.
    pub fn new(search: &'s Search, name: &Path) -> Option<Refusal<'s>> {
        let place = search.options.at.filter(|_| search.options.why_not)?;
        Some(Refusal { search, name: name.to_owned(), place, sentence: None })
    }

    /// Reads the message that contains the position, which is the offset `at`. It is searched or not.
    pub fn message(&mut self, message: &Message<'_>, at: u64, searched: bool) {
        if self.sentence.is_some() {
            return;
        }
        if !searched {
            let why = match message.envelope().is_some() || message.record().is_some() {
                true => "the options do not select the message at this position",
                false => "the options select messages, but the file contains no messages",
            };
            self.sentence = Some(why.to_owned());
            return;
        }
        let of_text = message.texts().find_map(|text| {
            let explanation = self.search.options.finder.explain_in(&text, at)?;
            // A text that is not decoded has as many bytes as the file.
            let Range { start, end } = message.span();
            let is_verbatim = text.as_bytes().len() as u64 == end - start;
            Some(self.sentence(&explanation, is_verbatim.then_some(start)))
        });
        self.sentence = of_text.or_else(|| {
            let place =
                "a relative link, markup, encoded data, a skipped header field or part, or between messages";
            Some(format!("this position is not searched: it is {place}"))
        });
    }

    /// Returns the sentence of an explanation. If there is a match, the options do not select it. `base` is the offset
    /// of the text in the file, if it is not decoded.
    fn sentence(&self, explanation: &Explanation<'_>, base: Option<u64>) -> String {
        let refusal = || {
            let matched = explanation.matched()?;
            let row = Row::new(matched).with_path(escape::bytes(&self.name));
            self.search.select.refusal(matched, || row)
        };
        let Some(why) = explanation.why_not() else {
            return match refusal() {
                Some(options) => format!("{explanation}, and is not selected ({options})"),
                None => explanation.to_string(),
            };
        };
        let why = explain::why_not(why);
        match explanation.out_of_place().zip(base) {
            Some((at, base)) => format!("{why} at byte {}", base + at as u64),
            None => why,
        }
    }

    /// Returns the note about the file; `None` if it is a `member` of an archive, and ends before the position.
    pub fn note(self, member: bool) -> Option<anyhow::Error> {
        let ended = || match self.place {
            _ if member => None,
            Place::Offset(at) => Some(format!("the file ends before byte {at}")),
            Place::Column { line, column } => Some(format!("line {line} has no column {column}")),
        };
        let sentence = self.sentence.or_else(ended)?;
        Some(anyhow!("{}:{}: no URL: {sentence}", Escaped::path(&self.name), self.place))
    }
}

impl Place {
    /// The offset in the file, if the position is in `message`.
    pub fn offset_in(self, message: &Message<'_>) -> Option<u64> {
        let Range { start, end } = message.span();
        let (line, column) = match self {
            Place::Offset(at) => return (start..end).contains(&at).then_some(at),
            Place::Column { line, column } => (line, column),
        };
        let text = message.texts().next()?;
        let position = |at| text.position(at).map(|position| (position.line, position.column));
        let (mut first, mut after) = (start, end);
        while first < after {
            let middle = first.midpoint(after);
            if position(middle)? < (line, column) { first = middle + 1 } else { after = middle }
        }
        (first < end && position(first)? == (line, column)).then_some(first)
    }
}

//! What belongs to a URL: "Recommendations for URLs in Context".
//!
//! | module | what of the Appendix of RFC 1738 |
//! |---|---|
//! | [`delimited`] | "a separate syntactic wrapper that delimits the URL" |
//! | [`rejoin`] | "The whitespace should be ignored when extracting the URL" |
//! | [`leader`] | what quoting does to a broken URL |
//! | [`hyphen`] | "the hyphen may or may not actually be part of the URL" |
//! | [`bare`], [`start`], [`end`] | URLs without a wrapper |
//! | [`implied`] | hosts and mail addresses without a scheme |
//! | [`iri`] | characters beyond ASCII, by UTS #58 |
//! | [`guess`] | bare URLs that a line end cut |
//!
//! [`read`] takes a candidate of the scan and gives what is found there, or
//! says that nothing is.

pub(crate) mod bare;
pub(crate) mod delimited;
pub(crate) mod end;
pub(crate) mod guess;
pub(crate) mod implied;
pub(crate) mod iri;
pub(crate) mod leader;
pub(crate) mod rejoin;
pub(crate) mod start;

use crate::bytes::window::{LOOK_BACK, Window};
use crate::found::readings::Hyphen;
use crate::found::{Form, Match};
use crate::plain;
use crate::scan::{Candidate, ScanOptions};

/// Which URLs are put together from several lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// None: a URL ends where its line does.
    None,
    /// Those between delimiters, as the Appendix of RFC 1738 has it.
    #[default]
    Delimited,
    /// Bare ones too, on evidence: the line is about as long as the text is
    /// wide, the URL runs to its end, and the next line goes on with what is
    /// neither prose nor another URL. Such a find is
    /// [`Joined::Guess`](crate::Joined::Guess), and what stands on the first
    /// line alone is one of its [alternatives](crate::Match::alternatives).
    Likely,
}

/// By what rules a text is read.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) wanted: ScanOptions,
    pub(crate) join: Join,
    pub(crate) hyphen: Hyphen,
    /// How long a URL may be in the text, in bytes, delimiters included.
    pub(crate) max_len: usize,
    /// Whether a bare URL may have characters beyond ASCII.
    pub(crate) iri: bool,
}

impl Rules {
    /// Whether [plain](crate::plain) URLs are what they seem: nothing may
    /// be joined to them, and none can be too long.
    pub(crate) fn take_plain(&self) -> bool {
        self.join != Join::Likely && self.max_len >= plain::LONGEST && self.wanted.schemes.have_plain()
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            wanted: ScanOptions::default(),
            join: Join::default(),
            hyphen: Hyphen::default(),
            max_len: 64 * 1024,
            iri: false,
        }
    }
}

/// What became of a candidate.
#[derive(Debug)]
pub(crate) enum Outcome<'h> {
    Nothing,
    Match(Match<'h>),
    /// A URL that has not ended at this offset, and is too long.
    TooLong(usize),
}

/// The text around a candidate.
pub(crate) struct Context<'w, 'h> {
    pub(crate) window: &'w Window<'h>,
    pub(crate) rules: &'w Rules,
    /// What stands before this belongs to an earlier find.
    pub(crate) taken: usize,
    /// What stands before this is not looked at.
    pub(crate) back: usize,
}

/// What is found at `candidate`, whose colon is at `colon`, where everything
/// before `taken` belongs to earlier finds.
pub(crate) fn read<'h>(
    window: &Window<'h>,
    rules: &Rules,
    candidate: Candidate,
    colon: usize,
    taken: usize,
) -> Outcome<'h> {
    let cx = Context { window, rules, taken, back: colon.saturating_sub(LOOK_BACK) };
    match candidate {
        Candidate::Prefix { start } => match delimited::wrapper(&cx, start, colon) {
            Some(found) => Outcome::Match(found),
            None => Outcome::Nothing,
        },
        Candidate::Scheme(scheme) => match delimited::angle_or_quote(&cx, &scheme) {
            Some(found) => Outcome::Match(found),
            None => bare::read(&cx, &scheme, colon),
        },
        Candidate::Host { start, scheme } => implied::host(&cx, start, scheme),
        Candidate::Address { start } => implied::address(&cx, start, colon),
    }
}

/// The URL that `value` is, an attribute of HTML; `None` if it is relative or
/// something else.
#[cfg(feature = "archive")]
pub(crate) fn attribute<'h>(value: &'h [u8], rules: &Rules) -> Option<Match<'h>> {
    let fits = value.len() <= rules.max_len && !value.iter().any(|&b| b <= b' ' || b == 0x7F);
    let is_url = fits && delimited::is_evident_url(value, rules);
    is_url.then(|| Match::whole(value, 0..value.len(), 0..value.len(), Form::Href))
}

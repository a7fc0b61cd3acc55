//! Determines which text belongs to a URL: the Appendix of RFC 1738, "Recommendations for URLs in
//! Context".
//!
//! | module | subject |
//! |---|---|
//! | [`delimited`] | "a separate syntactic wrapper that delimits the URL" |
//! | [`rejoin`] | "The whitespace should be ignored when extracting the URL" |
//! | [`line_prefix`] | the quote and comment characters before the lines of a broken URL |
//! | [`bare`], [`start`], [`end`] | URLs without delimiters |
//! | [`opener`] | delimiters that open before a bare URL, as evidence for its end |
//! | [`delimited_rows`] | the lines of a table, as evidence for its end |
//! | [`unspaced_scripts`] | the runs of a bare URL, and the punctuation within words |
//! | [`notation`], [`decoded`] | escaped URLs: in JSON, in TeX, with character references or colours |
//! | [`terminal`] | bare URLs that a terminal of known width broke, which are read as a notation |
//! | [`defanged`] | defanged URLs, such as `hxxp://h[.]org` |
//! | [`latin`] | letters of windows-1252 in texts that are not UTF-8 |
//! | [`label`] | labels of hosts in other scripts |
//! | [`doi`] | old DOIs, which have angle brackets |
//! | `invalid` | text that looks like a URL and is not one |
//! | [`implied`] | hosts, domain names and email addresses without a scheme |
//! | `attribute` | the values of HTML attributes |
//! | [`paren`] | URLs in brackets that a line break splits |
//! | [`joins`] | the joins of bare URLs, in the order in which they are tried: soft breaks, `literal`, `target`, `guess` |
//! | [`literal`] | URLs that continue in the next string of a catalogue or a program |
//! | [`target`] | URLs that continue in the next line of a target of reStructuredText |
//! | [`guess`] | bare URLs that are broken at the end of a line, and soft breaks of quoted-printable that was not decoded |
//! | [`filter`] | rewritten links of mail filters, whose syntax shows where they end |
//! | [`mod@line`] | the lines around a URL |
//!
//! Two words have a special meaning in these modules. A *run* is a sequence of letters from a
//! script that does not put spaces between words: [`unspaced_scripts`]. A *frame* is a pair of
//! delimiters directly around a text, such as quotation marks or backticks: [`opener`].
//!
//! "The hyphen may or may not actually be part of the URL": both readings are in
//! `matches::readings`.
//!
//! [`read`] takes a candidate of the scan and returns the match there, if there is one.

#[cfg(feature = "archive")]
pub(crate) mod attribute;
pub(crate) mod bare;
mod decoded;
mod defanged;
pub(crate) mod delimited;
pub(crate) mod delimited_rows;
mod doi;
pub(crate) mod end;
mod filter;
pub(crate) mod guess;
pub(crate) mod implied;
#[cfg(feature = "domains")]
mod invalid;
mod joins;
mod label;
mod latin;
mod line;
pub(crate) mod line_prefix;
pub(crate) mod literal;
mod notation;
mod opener;
pub(crate) mod paren;
pub(crate) mod rejoin;
pub(crate) mod start;
pub(crate) mod target;
mod terminal;
mod unspaced_scripts;

use std::cell::Cell;

use crate::bytes::window::{LOOK_BACK, Window};
use crate::matches::Match;
use crate::matches::evidence::Evidence;
use crate::matches::form::{Join, Stop};
use crate::matches::readings::Hyphen;
use crate::scan::Scheme;
use crate::scan::{Candidate, ScanOptions};
use delimited_rows::{CellsCache, LineCells};
use end::End;
use implied::LastLine;
use notation::TextDialect;

/// The rules by which a text is read.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) scan: ScanOptions,
    pub(crate) join: Join,
    /// The URLs that occur unbroken, for likely joins.
    pub(crate) evidence: Option<Evidence>,
    pub(crate) hyphen: Hyphen,
    /// The maximum length of a URL in the text, in bytes, delimiters included.
    pub(crate) max_len: usize,
    /// True if matches record why they end.
    pub(crate) explain: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            scan: ScanOptions::default(),
            join: Join::default(),
            evidence: None,
            hyphen: Hyphen::default(),
            max_len: 64 * 1024,
            explain: false,
        }
    }
}

/// The facts that a rule reports to the search besides a match, or keeps for the next candidate.
#[derive(Default)]
pub(crate) struct Notes {
    /// The offset at which a URL has not ended and is too long.
    pub(crate) too_long: Cell<Option<usize>>,
    pub(crate) last_line: Cell<Option<LastLine>>,
    pub(crate) cells: CellsCache,
}

impl Notes {
    /// The notes with the facts about the last lines.
    #[inline]
    pub(crate) fn of(last_line: Option<LastLine>, cells: Option<Box<LineCells>>) -> Self {
        Notes { too_long: Cell::new(None), last_line: Cell::new(last_line), cells: Cell::new(cells) }
    }
}

/// The text around a candidate.
pub(crate) struct Surroundings<'w, 'h> {
    pub(crate) window: &'w Window<'h>,
    pub(crate) rules: &'w Rules,
    /// Everything before this offset belongs to earlier matches.
    pub(crate) consumed: usize,
    /// The text before this offset is not read.
    pub(crate) back: usize,
    pub(crate) notes: &'w Notes,
}

impl Surroundings<'_, '_> {
    /// Returns the offset at which a bare URL that starts at `start` is too long.
    fn limit(&self, start: usize) -> usize {
        start.saturating_add(self.rules.max_len).saturating_add(1)
    }

    /// Returns the end of a URL and the reason for it. Records in the notes if the URL is too long.
    fn end_before(&self, limit: usize, end: End) -> Option<(usize, Option<Stop>)> {
        match end {
            End::At(at, stop) => Some((at, stop)),
            End::TooLong => {
                self.notes.too_long.set(Some(limit));
                None
            }
        }
    }
}

/// Reads the match at `candidate`, whose colon is at `colon`. Everything before
/// `consumed` belongs to earlier matches.
pub(crate) fn read<'h>(
    window: &Window<'h>,
    rules: &Rules,
    candidate: Candidate,
    colon: usize,
    consumed: usize,
    notes: &Notes,
) -> Option<Match<'h>> {
    let cx = Surroundings { window, rules, consumed, back: colon.saturating_sub(LOOK_BACK), notes };
    match candidate {
        Candidate::Prefix { start } => delimited::wrapper(&cx, start, colon),
        Candidate::Scheme(scheme) if rules.scan.refang => {
            let defanged = defanged::read(&cx, scheme.start);
            let is_other = defanged.is_none() && notes.too_long.get().is_none();
            if is_other { with_scheme(&cx, &scheme, colon) } else { defanged }
        }
        Candidate::Defanged { start, colon: true } => defanged::read(&cx, start),
        Candidate::Defanged { start, colon: false } => defanged::read_name(&cx, start),
        #[cfg(feature = "domains")]
        Candidate::Scheme(scheme) if rules.scan.invalid => invalid::read(&cx, &scheme, colon),
        #[cfg(feature = "domains")]
        Candidate::Misspelled { start } => invalid::word(&cx, start),
        Candidate::Scheme(scheme) => with_scheme(&cx, &scheme, colon),
        Candidate::Encoded { start, json } => {
            let dialect = if json { TextDialect::Json } else { TextDialect::of(cx.window, start) };
            notation::read(&cx, start, dialect, None)
        }
        Candidate::Host { start, scheme } => implied::host(&cx, start, scheme),
        Candidate::Domain { start } => implied::domain(&cx, start),
        Candidate::Ip { start } => implied::ip(&cx, start),
        Candidate::Email { start, atom } => implied::email(&cx, start, atom, colon),
    }
}

/// Reads the match that starts with `scheme`, or with a delimiter before it.
fn with_scheme<'h>(cx: &Surroundings<'_, 'h>, scheme: &Scheme, colon: usize) -> Option<Match<'h>> {
    match delimited::angle_or_quote(cx, scheme) {
        None => bare::read(cx, scheme, colon),
        matched => matched,
    }
}

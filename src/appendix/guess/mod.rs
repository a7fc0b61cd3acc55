//! Bare URLs that a line end cut, joined on evidence.
//!
//! Nothing in RFC 1738 allows this, so it is done only on request. That the line is
//! full is not evidence: most URLs that end a full line are whole. The *stem* is the
//! URL up to the line end, the *token* is the first one on the next line. They are
//! joined if one of four [rules] says that the URL goes on, and no
//! [guard](guards) says that the next line is something else.
//!
//! ```text
//!   > see http://www.example.org/cgi-bin/show.cgi?list=users&msg=   ← the stem ends in "="
//!   > 4711 for it                                                     (rule S)
//!     ────
//!     the token
//! ```
//!
//! The result is a new stem if it runs to the end of its line. All that is read is
//! bounded: lines of [`line::LINE`] bytes, [`CONTINUATIONS`] of them, and a few lines
//! before.

mod guards;
mod line;
mod rules;

use std::ops::Range;

use super::Context;
use super::end::EndFinder;
use super::start::Start;
use crate::found::form::Ending;
use crate::found::form::{Form, GuessRule, Joined};
use crate::found::readings::{Gap, Piece, Readings};
use crate::found::{Match, Pieces};
use crate::grammar;
use guards::Guards;
use line::{Next, Opening};

/// How many lines may follow the first.
const CONTINUATIONS: usize = 8;

/// How many lines at once may complete a URL that occurs elsewhere.
const AHEAD: usize = 3;

/// How long a URL may be that is looked up in the evidence, in bytes.
const LOOKUP: usize = 2048;

/// A bare URL up to the line end, which may be the start of a longer one.
pub(crate) struct Stem {
    /// The range of the match, the prefix included.
    pub(crate) span: Range<usize>,
    pub(crate) url: Range<usize>,
    /// Where the URL ended before anything was trimmed.
    pub(crate) untrimmed: usize,
    pub(crate) form: Form,
}

/// The URL that starts with `stem`, or `None` if no rule joins it.
pub(crate) fn rejoin(
    cx: &Context<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> Option<Match<'static>> {
    if !line::breaks(cx.window, stem.untrimmed) || is_mailto(cx, stem) {
        return None;
    }
    let opening = Opening::of(cx, stem.url.start)?;
    let mut guess = Guess {
        cx,
        finder,
        guards: Guards { cx, finder, opening: &opening },
        opening: &opening,
        lines: Vec::new(),
        url: Vec::new(),
        stem,
    };
    guess.url.reserve(2 * (stem.untrimmed - stem.url.start));
    guess.url.extend_from_slice(cx.window.ahead(stem.url.start..stem.untrimmed));
    let first = guess.step()?;
    while guess.lines.len() < CONTINUATIONS && guess.step().is_some() {}
    guess.into_match(first)
}

fn is_mailto(cx: &Context<'_, '_>, stem: &Stem) -> bool {
    cx.window.has(stem.url.start, b"mailto:")
}

/// A URL that is being joined.
struct Guess<'w, 'h> {
    cx: &'w Context<'w, 'h>,
    finder: &'w EndFinder<'w, 'h>,
    guards: Guards<'w, 'h>,
    opening: &'w Opening<'h>,
    stem: &'w Stem,
    /// The lines that were joined to the first.
    lines: Vec<Next>,
    /// The URL so far, untrimmed.
    url: Vec<u8>,
}

impl Guess<'_, '_> {
    /// Joins the next line, or several, if a rule says so.
    fn step(&mut self) -> Option<GuessRule> {
        let (start, end) = match self.lines.last() {
            Some(last) => (last.start, last.token.end),
            None => (self.opening.start, self.stem.untrimmed),
        };
        let cut = rules::Cut { cx: self.cx, opening: self.opening, line: start..end, url: &self.url };
        if cut.is_soft_break() {
            return None;
        }
        let next = self.guards.next(start, end)?;
        match cut.rule(&next) {
            Some(rule) => {
                self.join(next);
                Some(rule)
            }
            None => self.by_evidence(next),
        }
    }

    fn join(&mut self, next: Next) {
        self.url.extend_from_slice(self.cx.window.ahead(next.token.clone()));
        self.lines.push(next);
    }

    /// Rule E: joins as many lines as make a URL that occurs unbroken elsewhere.
    fn by_evidence(&mut self, next: Next) -> Option<GuessRule> {
        let evidence = self.cx.rules.evidence.as_ref().filter(|_| self.url.len() <= LOOKUP)?;
        if next.has_url {
            return None;
        }
        let evidence = evidence.look_up();
        let before = (self.lines.len(), self.url.len());
        let (mut known, mut next) = (before, next);
        loop {
            let trimmed = self.finder.trimmed(next.token.end, next.token.start) - next.token.start;
            let joined = self.url.len() + trimmed;
            let (start, token_end, is_word) = (next.start, next.token.end, next.is_word);
            self.join(next);
            let stem = match before.0 {
                0 => self.cx.window.ahead(self.stem.url.clone()),
                _ => &self.url[..before.1],
            };
            if joined <= LOOKUP && evidence.joins(stem, &self.url[..joined], is_word) {
                known = (self.lines.len(), self.url.len());
            }
            if self.lines.len() == before.0 + AHEAD {
                break;
            }
            let Some(line) = self.guards.next(start, token_end) else {
                break;
            };
            next = line;
        }
        self.lines.truncate(known.0);
        self.url.truncate(known.1);
        (known > before).then_some(GuessRule::Evidence)
    }

    /// The match that `first` began to join.
    fn into_match(mut self, first: GuessRule) -> Option<Match<'static>> {
        let window = self.cx.window;
        let last = self.lines.last_mut()?;
        let untrimmed = last.token.end;
        let end = self.finder.trimmed(untrimmed, last.token.start);
        last.token.end = end;
        let stop = self.finder.stop(&Start::Open(last.token.start), untrimmed);
        let tokens = self.lines.into_iter().map(|line| line.token).filter(|token| !token.is_empty());
        let ranges = std::iter::once(self.stem.url.start..self.stem.untrimmed).chain(tokens);
        let mut pieces = Vec::with_capacity(2);
        pieces.extend(ranges.map(|range| Piece { range, gap: Gap::Line }));
        pieces.last_mut()?.gap = Gap::None;
        let readings = Readings::new(|range| window.ahead(range), pieces, self.cx.rules.hyphen);
        let readings = readings.or(window.ahead(self.stem.url.clone()).to_vec());
        let mut pieces = Pieces::new(Some(Joined::Guess), readings);
        pieces.guess = Some(first);
        let matched = Match::rejoined(self.stem.span.start..end, self.stem.form, pieces);
        let ending = stop.map(|stop| Ending::new(stop, end, untrimmed));
        grammar::is_url(matched.as_bytes()).then(|| matched.ending_by(ending))
    }
}

//! Joins a bare URL with the text after the end of its line: the order of the rules.
//!
//! Brackets around a URL show its end, so [`paren`](super::paren) runs first. The line break
//! after a full terminal line (rule T) is read as a notation, so this module does not apply to it.

use super::Surroundings;
use super::end::EndFinder;
use super::line::Stem;
use super::{guess, literal, target, terminal};
use crate::matches::Match;
use crate::matches::form::{GuessRule, Join};

type Guard = fn(&Surroundings<'_, '_>, &EndFinder<'_, '_>, &Stem) -> bool;
type JoinRule = fn(&Surroundings<'_, '_>, &EndFinder<'_, '_>, &Stem) -> Option<Match<'static>>;

/// The joins, in the order in which they are tried. Each row contains its guess rules (empty for an
/// exact join), the lowest `Join` that enables it, a cheap guard that nearly always decides, and
/// the function that joins. The literals of a program need `Likely`: [`literal::rejoin`] checks
/// this, because only a catalogue's literals are exact.
const JOINS: [(&[GuessRule], Join, Guard, JoinRule); 4] = [
    (&[], Join::Delimited, guess::may_be_quoted_printable, guess::of_quoted_printable),
    (&[GuessRule::Literal], Join::Delimited, literal::may_end_string, literal::rejoin),
    (&[], Join::Delimited, target::may_start, target::rejoin),
    (&GUESSES, Join::Likely, guess::may_continue, guess::rejoin),
];

/// The order of the guess rules. `Dot` also joins a file extension if a URL follows it on the next line (see
/// `BrokenUrl::rule` in `guess.rs`). `Evidence` is last, because it needs a look-up.
const GUESSES: [GuessRule; 7] = [
    GuessRule::Filter,
    GuessRule::Dot,
    GuessRule::Stem,
    GuessRule::FullLine,
    GuessRule::Page,
    GuessRule::Middle,
    GuessRule::Evidence,
];

/// Returns the URL that starts with `stem`, if a line break broke it.
#[inline(always)]
pub(super) fn rejoin(
    cx: &Surroundings<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> Option<Match<'static>> {
    let join = cx.rules.join;
    if join == Join::Likely && terminal::next_line(cx, stem.untrimmed).is_some() {
        return None;
    }
    let applies = |&&(_, from, guard, _): &&(_, Join, Guard, JoinRule)| {
        from as u8 <= join as u8 && guard(cx, finder, stem)
    };
    JOINS.iter().filter(applies).find_map(|(.., rule)| rule(cx, finder, stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_in_the_table() {
        for rule in GuessRule::ALL.iter().filter(|rule| **rule != GuessRule::Terminal) {
            let rows = JOINS.iter().filter(|(rules, ..)| rules.contains(rule));
            assert_eq!(rows.count(), 1, "{rule}");
        }
    }
}

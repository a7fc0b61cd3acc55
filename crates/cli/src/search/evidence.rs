//! Evidence of the inputs: for `--hyphen evidence`, which reading of a broken URL also
//! occurs unbroken; for `--join likely`, whether the joined URL does.
//!
//! A URL with a line break after a hyphen has several readings that are equally well
//! formed. If exactly one of them occurs elsewhere in one piece, it is the answer.
//! Otherwise the rule of `--hyphen keep` decides.
//!
//! The unbroken URL may come later in the input. So files are read twice: first to
//! gather evidence, then to print. A pipe can be read only once. If an input is a
//! pipe, one thread searches all inputs in order, and only earlier URLs are evidence.

use anyhow::anyhow;
use urlgrep::{Evidence, Finder, Match};

use crate::output::HyphenDecision;

/// The passes over the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// The first of two, which gathers evidence.
    Gather,
    /// The second of two, which uses it.
    Use,
    /// The only one.
    Only,
}

/// The evidence, in a pass over the inputs.
#[derive(Clone, Debug)]
pub struct Gathering {
    pub pass: Pass,
    pub evidence: Evidence,
    /// The finder of the first of two passes.
    pub finder: Finder,
    /// True if evidence also decides hyphens.
    pub hyphens: bool,
}

impl Gathering {
    /// Returns a warning, if there was not enough room for all URLs.
    pub fn note(&self) -> Option<anyhow::Error> {
        let halvings = self.evidence.halvings();
        (halvings > 0).then(|| {
            let part = 1u128 << halvings.min(64);
            anyhow!("more than 3.6 million URLs: only one in {part} was used as evidence")
        })
    }

    /// Returns the reading that replaces a match, if evidence decides for one, and what decided, if a hyphen is in
    /// doubt. `None` if this pass only gathers evidence. A match in one piece is evidence for others.
    pub fn weigh<'m>(&self, matched: &Match<'m>) -> Option<(Option<Match<'m>>, Option<HyphenDecision>)> {
        if self.pass != Pass::Use {
            self.evidence.add(matched);
        }
        if self.pass == Pass::Gather {
            return None;
        }
        let mut readings = if self.hyphens { matched.hyphen_readings() } else { Vec::new() };
        if readings.is_empty() {
            return Some((None, None));
        }
        Some(match self.evidence.choose(&readings) {
            Some(n) => (Some(readings.swap_remove(n)), Some(HyphenDecision::ByEvidence)),
            None => (None, Some(HyphenDecision::ByRule)),
        })
    }
}

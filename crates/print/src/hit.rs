//! A match, and how its hyphens were decided.

use urlgrep::Match;

/// A match, and how its hyphens were decided.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'m> {
    /// The match.
    pub matched: &'m Match<'m>,
    /// `None` unless hyphens are decided by evidence, and a hyphen is in doubt: without one, or if only one reading is
    /// well formed, nothing is decided.
    pub decision: Option<HyphenDecision>,
}

/// The decision about the hyphens at line breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HyphenDecision {
    /// The option `--hyphen`.
    ByRule,
    /// Only this reading occurs elsewhere.
    ByEvidence,
}

impl HyphenDecision {
    /// Returns the name as it is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            HyphenDecision::ByRule => "rule",
            HyphenDecision::ByEvidence => "evidence",
        }
    }
}

impl Hit<'_> {
    /// Returns true if the match is in an HTML attribute.
    pub fn is_in_attribute(self) -> bool {
        self.matched.context().is_some_and(|context| context.attribute().is_some())
    }
}

//! A match, and how its hyphens were decided.

use urlgrep::Match;

/// A match, and how its hyphens were decided.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'m> {
    /// The match.
    pub matched: &'m Match<'m>,
    /// `None` unless hyphens are decided by evidence.
    pub decision: Option<HyphenDecision>,
}

/// The decision about the hyphens at line breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HyphenDecision {
    /// The URL has no such hyphen, or only one reading is well formed.
    NoDoubt,
    /// The option `--hyphen`.
    ByRule,
    /// Only the reading with this number occurs elsewhere.
    ByEvidence(usize),
}

impl HyphenDecision {
    /// Returns the name as it is printed, or `None` if the hyphen was not in doubt.
    pub fn as_str(self) -> Option<&'static str> {
        match self {
            HyphenDecision::NoDoubt => None,
            HyphenDecision::ByRule => Some("rule"),
            HyphenDecision::ByEvidence(_) => Some("evidence"),
        }
    }
}

impl Hit<'_> {
    /// Returns true if the match is in an HTML attribute.
    pub fn is_in_attribute(self) -> bool {
        self.matched.context().is_some_and(|context| context.attribute().is_some())
    }
}

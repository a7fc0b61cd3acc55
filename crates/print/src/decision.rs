//! Who decided about the hyphens of a match, with `--hyphen evidence`.

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

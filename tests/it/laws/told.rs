//! All that a match can tell, so that matches can be compared.

use std::ops::Range;

use urlgrep::{Form, Grade, Joined, Match, Position, Warning};

/// All that a match can tell.
#[derive(Debug, PartialEq)]
pub struct Told {
    pub url: Vec<u8>,
    pub span: Range<u64>,
    pub segments: Vec<Range<u64>>,
    pub position: Option<Position>,
    pub form: Form,
    pub scheme: String,
    pub joined: Option<Joined>,
    pub grade: Grade,
    /// The production that refused it, and where.
    pub reason: Option<(&'static str, usize)>,
    pub alternatives: Vec<Vec<u8>>,
    pub warnings: Vec<Warning>,
}

impl Told {
    /// What this match tells.
    pub fn of(found: &Match<'_>) -> Told {
        let assessment = found.assess();
        Told {
            url: found.as_bytes().to_vec(),
            span: found.span(),
            segments: found.segments().collect(),
            position: found.position(),
            form: found.form(),
            scheme: found.scheme().into_owned(),
            joined: found.joined(),
            grade: assessment.grade(),
            reason: assessment.reason().map(|reason| (reason.production(), reason.offset())),
            alternatives: found.alternatives(),
            warnings: found.warnings().into_iter().collect(),
        }
    }

    /// Whether the scheme is written; hosts and addresses match
    /// verbatim.
    pub fn has_scheme(&self) -> bool {
        let scheme = self.url.split(|&b| b == b':').next().unwrap_or_default();
        scheme.len() < self.url.len() && scheme.eq_ignore_ascii_case(self.scheme.as_bytes())
    }
}

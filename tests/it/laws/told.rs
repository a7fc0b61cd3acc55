//! All properties of a match, so that matches can be compared.

use std::ops::Range;

use urlgrep::{Form, Grade, Joined, Match, Position, Warning};

/// All properties of a match.
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
    /// The production that did not match, and the offset.
    pub reason: Option<(&'static str, usize)>,
    pub alternatives: Vec<Vec<u8>>,
    pub warnings: Vec<Warning>,
}

impl Told {
    /// The properties of `m`.
    pub fn of(m: &Match<'_>) -> Told {
        let assessment = m.assess();
        Told {
            url: m.as_bytes().to_vec(),
            span: m.span(),
            segments: m.segments().collect(),
            position: m.position(),
            form: m.form(),
            scheme: m.scheme().into_owned(),
            joined: m.joined(),
            grade: assessment.grade(),
            reason: assessment.reason().map(|reason| (reason.production(), reason.offset())),
            alternatives: m.alternatives(),
            warnings: m.warnings().into_iter().collect(),
        }
    }

    /// Whether the scheme is written and not implied.
    pub fn has_scheme(&self) -> bool {
        let scheme = self.url.split(|&b| b == b':').next().unwrap_or_default();
        scheme.len() < self.url.len() && scheme.eq_ignore_ascii_case(self.scheme.as_bytes())
    }
}

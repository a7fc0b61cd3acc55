//! All properties of a match, so that matches can be compared.

use std::ops::Range;

use urlgrep::{Form, Grade, JoinKind, Match, Position, Warning};

/// All properties of a match.
#[derive(Debug, PartialEq)]
pub struct Told {
    pub url: Vec<u8>,
    pub span: Range<u64>,
    pub pieces: Vec<Range<u64>>,
    pub position: Option<Position>,
    pub form: Form,
    pub scheme: String,
    pub joined: Option<JoinKind>,
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
            pieces: m.pieces().collect(),
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

    /// Whether the URL is one by itself: its scheme is written and not implied, and it has
    /// the slashes that the grammar needs. Prose does without: `http:www.h.org`,
    /// `<file:a/b>`.
    pub fn is_complete(&self) -> bool {
        let Some(colon) = self.url.iter().position(|&b| b == b':') else { return false };
        let (name, rest) = (&self.url[..colon], &self.url[colon + 1..]);
        let slashes: &[u8] = match self.scheme.as_str() {
            "http" | "https" | "ftp" => b"//",
            "file" => b"/",
            _ => b"",
        };
        name.eq_ignore_ascii_case(self.scheme.as_bytes()) && rest.starts_with(slashes)
    }
}

//! The context of a document in a message: its part number, envelope and declarations.

use std::sync::Arc;

use super::envelope::Envelope;
use super::structure::Section;
use super::text::TextKind;
use crate::archive::reading::Declared;

/// The part that a document is, which its texts are in unless they have a part of their own.
#[derive(Clone, Debug)]
pub(super) struct PartContext<'r> {
    /// The number of the part; empty outside of mail.
    pub(super) number: String,
    /// The envelope of the message around it; `None` for the file itself.
    pub(super) envelope: Option<Arc<Envelope<'r>>>,
    pub(super) kind: TextKind<'r>,
    /// The declarations in the pieces before it, if it is a piece of a page.
    pub(super) declared: Option<&'r Declared>,
}

impl<'r> PartContext<'r> {
    /// The body that is `section`, or something in it.
    pub(super) fn of(section: &Section<'r>, kind: TextKind<'r>) -> Self {
        let envelope = Some(Arc::clone(&section.message));
        PartContext { number: section.number.clone(), envelope, kind, declared: None }
    }

    /// A document in this one, such as a value, which is not the file itself any more.
    pub(super) fn within(&self, kind: TextKind<'r>) -> Self {
        let outside = || Arc::new(Envelope::new(&b""[..]));
        let envelope = Some(self.envelope.clone().unwrap_or_else(outside));
        PartContext { number: self.number.clone(), envelope, kind, declared: None }
    }

    /// The number of the message `n` of several in this document, counted from 1.
    pub(super) fn number_of(&self, n: usize) -> String {
        if self.number.is_empty() { n.to_string() } else { format!("{}.{n}", self.number) }
    }
}

//! The open structure at the point where a message that is too long is split.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::entity::{MimeEntity, Multipart};
use super::{Cursor, Section, SectionKind, Structure};
use crate::archive::message::envelope::Envelope;
use crate::archive::message::kind::MediaKind;
use crate::archive::message::mime::{Mime, OwnedMime};

/// The structure that is open at the end of a piece of a message, and continues in the next piece.
#[derive(Debug)]
pub(crate) struct Continuation {
    open: Vec<Multipart<'static>>,
    /// The beginning of the next piece: a head, the rest of a body, or bytes outside of parts.
    next: Cursor<'static>,
    /// The fields of this body.
    mime: OwnedMime,
    /// The envelope of the message.
    pub(crate) envelope: Arc<Envelope<'static>>,
}

impl Continuation {
    /// Continues an HTML page that starts with `head`.
    pub(crate) fn of_page(mut self, head: Option<Vec<u8>>) -> Self {
        if let (Cursor::Body(section), Some(head)) = (&mut self.next, head) {
            section.message = Arc::new(Envelope::new(head));
        }
        self
    }
}

/// The structure in which a piece ends, and the range of its buffered bytes.
pub(crate) struct PieceEnding<'m> {
    pub(crate) range: Range<usize>,
    /// The kind and the fields, if it is a body.
    pub(crate) body: Option<(MediaKind, Mime<'m>)>,
    /// True if it is a head, of which nothing is in the piece.
    pub(crate) is_head: bool,
}

impl<'m> Structure<'m> {
    /// The structure of the next piece.
    pub(crate) fn resume(bytes: &'m [u8], from: &'m Continuation) -> Self {
        let mut next: Cursor<'m> = from.next.clone();
        if let Cursor::Body(Section { kind: SectionKind::Body(_, mime), .. }) = &mut next {
            *mime = Mime::of_owned(&from.mime);
        }
        let (open, envelope) = (from.open.clone(), Some(from.envelope.clone()));
        Structure { open, envelope, ..Structure::at(bytes, next) }
    }

    /// Stops at the split point, before which a part of `next` is.
    pub(super) fn stop(&mut self, next: Cursor<'m>) -> Cursor<'m> {
        let at = self.split.map_or(self.bytes.len(), |split| split.at);
        match &next {
            Cursor::Body(section) if section.range.start < at => {
                let range = section.range.start..at;
                self.sections.push_back(Section { range, ..section.clone() });
            }
            Cursor::Outside(from) if *from < at => {
                let text = self.open.last().and_then(|outer| outer.outside_text(self.bytes, *from..at));
                self.sections.extend(text);
            }
            _ => {}
        }
        self.rest = next;
        Cursor::Nothing
    }

    /// Returns the structure in which the bytes end, or `None` if they are not split.
    pub(crate) fn ending(&self) -> Option<PieceEnding<'m>> {
        let end = self.split?.until;
        let (start, body, is_head) = match &self.rest {
            Cursor::Entity(entity) => (entity.at, None, true),
            Cursor::Body(section) => match section.kind {
                SectionKind::Body(kind, mime) => (section.range.start, Some((kind, mime)), false),
                _ => (section.range.start, None, false),
            },
            Cursor::Outside(from) => (*from, None, false),
            Cursor::Nothing => return None,
        };
        Some(PieceEnding { range: start..end.max(start), body, is_head })
    }

    /// Returns the structure that is open at the split, or `None` if nothing is open.
    pub(crate) fn continuation(self) -> Option<Continuation> {
        let envelope = self.envelope?.to_shared();
        let mut open: Vec<_> = self.open.iter().map(Multipart::to_owned).collect();
        let mut own = Mime::default();
        let next = match self.rest {
            Cursor::Entity(MimeEntity { number, message, outer, default, depth, .. }) => {
                let [message, outer] = [message, outer].map(|envelope| Some(envelope?.to_shared()));
                Cursor::Entity(MimeEntity { at: 0, number, message, outer, default, depth })
            }
            Cursor::Body(Section { number, message, kind, .. }) => {
                let kind = match kind {
                    SectionKind::Body(kind, mime) => {
                        own = mime;
                        let rest = match kind {
                            // The rest of the message has no header.
                            MediaKind::Message | MediaKind::Multipart => MediaKind::Text,
                            MediaKind::Signed | MediaKind::Tnef => MediaKind::Other,
                            kind => kind,
                        };
                        SectionKind::Body(rest, Mime::default())
                    }
                    _ => SectionKind::TooDeep,
                };
                Cursor::Body(Section { number, message: message.to_shared(), range: 0..0, kind })
            }
            Cursor::Outside(_) => {
                open.last_mut().into_iter().for_each(|multipart| multipart.outside = Some(0));
                Cursor::Outside(0)
            }
            Cursor::Nothing => return None,
        };
        Some(Continuation { open, next, mime: own.to_owned(), envelope })
    }
}

impl<'m> Multipart<'m> {
    fn to_owned(&self) -> Multipart<'static> {
        Multipart {
            boundary: Cow::Owned(self.boundary.to_vec()),
            prefix: self.prefix.clone(),
            default: self.default,
            message: self.message.to_shared(),
            depth: self.depth,
            parts: self.parts,
            outside: self.outside,
            guessed: self.guessed,
        }
    }
}

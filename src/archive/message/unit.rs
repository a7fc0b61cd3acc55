//! The units of a message.

use std::sync::Arc;

use super::data::ValuePosition;
use super::message::Message;
use super::part_context::PartContext;
use super::record::Block;
use super::structure::Section;
use super::text::Text;
use crate::archive::mapped::Mapped;

/// A part of a layer.
#[allow(clippy::large_enum_variant, reason = "nearly all are texts, and a box is an allocation for each")]
pub(super) enum Unit<'r> {
    Text(Text<'r>),
    Block(Box<(Block<'r>, PartContext<'r>)>),
    Message(Message<'r>, PartContext<'r>),
    /// A value of a text, decoded, and the records around it.
    Document(Mapped<'r>, PartContext<'r>, Option<Arc<ValuePosition<'r>>>),
    Section(Section<'r>),
    /// A file of an archive, in the part that contains the archive; its name is `None` if it is only compressed.
    Member(Mapped<'r>, PartContext<'r>, Option<Vec<u8>>),
}

//! The messages of a mailbox, as [`Mail`](crate::mail::Mail) reads them.
//!
//! The attachments of a message are nodes in its node, and a message that is attached is a node
//! in the node of its attachment. So the tables that a mailbox also contains are not needed.

use std::io::{self, Read, Seek};

use encoding_rs::{Encoding, UTF_16LE, WINDOWS_1252};

use super::header::{damaged, u32_at};
use super::node::{Node, Property};
use super::store::{ATTACHMENT, MESSAGE, Store, type_of};
use super::tree::Place;
use crate::mail::{COMPRESSED_RTF, DATA, Properties, Stream, Value, charset};
use crate::text::Text;

/// The types of a property: text in a code page, text in UTF-16, bytes, and an object, which is
/// a node.
const STRING8: u16 = 0x001E;
const UNICODE: u16 = 0x001F;
const BINARY: u16 = 0x0102;
const OBJECT: u16 = 0x000D;

/// The code page of text: the one of the message or, without it, of the original mail.
const CODE_PAGES: [u16; 2] = [0x3FFD, 0x3FDE];

const SUBJECT: u16 = 0x0037;

impl<T: Text, R: Read + Seek> Properties<T> for Store<R> {
    type Place = Place;
    type Item = Node;

    fn message(&mut self, place: Place) -> (Node, Option<io::Error>) {
        Node::open(self, place)
    }

    fn attachment(&mut self, place: Place) -> (Node, Option<io::Error>) {
        Node::open(self, place)
    }

    fn value(&mut self, node: &Node, id: u16) -> io::Result<Option<Value<T>>> {
        Ok(self.property(node, id)?.map(|value| match value {
            Value::Bytes(stream) => Value::Bytes(stream),
            Value::Text(string) => {
                let mut text = T::default();
                text.put(string.as_bytes(), 0..string.len());
                Value::Text(text)
            }
        }))
    }

    fn fixed(&self, node: &Node, tag: u32) -> Option<u64> {
        let (id, kind) = ((tag >> 16) as u16, tag as u16);
        node.fixed(node.property(id).filter(|property| property.kind == kind)?)
    }

    fn attachments(&mut self, message: &Node) -> Vec<Place> {
        let nodes = message.subnodes.iter().filter(|(id, _)| type_of(**id) == ATTACHMENT);
        nodes.map(|(_, place)| *place).collect()
    }

    fn embedded(&mut self, attachment: &Node) -> Option<Place> {
        let is_message = |id: &u32| type_of(*id) == MESSAGE;
        let id = match attachment.property(DATA) {
            Some(Property { kind: OBJECT, value }) => object(attachment, value).ok().filter(is_message)?,
            Some(_) => return None,
            None => attachment.subnodes.keys().copied().find(is_message)?,
        };
        attachment.subnodes.get(&id).copied()
    }
}

impl<R: Read + Seek> Store<R> {
    /// A property: text, or bytes if it is not text.
    fn property(&mut self, node: &Node, id: u16) -> io::Result<Option<Value<String>>> {
        let Some(Property { kind, value }) = node.property(id) else { return Ok(None) };
        let bytes = match kind {
            STRING8 | UNICODE | BINARY => node.bytes(self, value)?,
            // An attached message is not copied, but read at its position.
            OBJECT => match object(node, value)? {
                object if type_of(object) == MESSAGE => return Ok(None),
                object => node.bytes(self, object)?,
            },
            _ => return Ok(None),
        };
        if id == COMPRESSED_RTF {
            // The header declares the decompressed length, which may be eight times as much.
            let len = u32_at(&bytes, 4).unwrap_or(0);
            self.spend(u64::from(len).min(9 * bytes.len() as u64))?;
        }
        let (encoding, len) = match kind {
            // A value without bytes means the same as a missing value.
            _ if bytes.is_empty() => return Ok(None),
            // A byte after the last unit is not text.
            UNICODE => (UTF_16LE, bytes.len() & !1),
            STRING8 => (encoding_of(node), bytes.len()),
            _ => return Ok(Some(Value::Bytes(Stream { bytes, at: 0 }))),
        };
        Ok(Some(text(id, &encoding.decode_without_bom_handling(&bytes[..len]).0)))
    }
}

/// The number of the node that an object is: as the value, or at the beginning of an item of the heap.
fn object(node: &Node, value: u32) -> io::Result<u32> {
    if type_of(value) != 0 {
        return Ok(value);
    }
    node.number(value).ok_or_else(|| damaged("a message refers to data that are missing"))
}

/// A text as a value. A subject may begin with a mark and the length of its prefix.
fn text(id: u16, text: &str) -> Value<String> {
    let text = match text.strip_prefix('\u{1}').filter(|_| id == SUBJECT) {
        Some(rest) => rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default(),
        None => text,
    };
    // A NUL ends a string where a program has written one.
    Value::Text(text.replace('\0', ""))
}

/// The text of a property, if it is text.
pub(super) fn text_of<R: Read + Seek>(store: &mut Store<R>, node: &Node, id: u16) -> Option<String> {
    match store.property(node, id) {
        Ok(Some(Value::Text(text))) => Some(text),
        _ => None,
    }
}

/// The encoding of text in the code page of a message.
fn encoding_of(node: &Node) -> &'static Encoding {
    let page = CODE_PAGES.iter().find_map(|id| node.property(*id)).map(|property| u64::from(property.value));
    Encoding::for_label(charset(page).as_bytes()).unwrap_or(WINDOWS_1252)
}

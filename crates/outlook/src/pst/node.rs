//! The properties of a node ([MS-PST] 2.3).
//!
//! ```text
//!   blocks ──► heap ──► tree on the heap ──► property: number, type, value or where it is
//! ```
//!
//! The data of the node are a **heap**: each of its blocks is a page of it, which begins with the
//! offset of its map, and the map has the offsets of items. An item has the number of its
//! page and its number there (HID). The first page also has a mark, a type, and the item of the
//! root.
//!
//! The item of the root holds a **tree** (BTH), whose entries have keys. Above the lowest level, each
//! entry refers to the item that holds the entries below it. Here the keys are the numbers of properties, of two bytes, and an entry of six bytes has
//! the type, and a value of up to four bytes. A longer one is in an item of the heap, or in a
//! node of this node (HNID); the type of the number shows which.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};

use super::header::{Layout, damaged, u16_at, u32_at, u64_at};
use super::store::{HEAP, Store, type_of};
use super::tree::Place;

/// The type of a heap of properties, and of a tree.
const PROPERTIES: u8 = 0xBC;
const TREE: u8 = 0xB5;

/// The lengths of a key and of an entry.
const KEY: usize = 2;
const VALUE: usize = 6;

/// The highest level of a tree, and the greatest number of its items.
const MAX_LEVEL: u8 = 8;
const MAX_ITEMS: usize = 1 << 16;

/// A property: its type, and its value or the id of the heap item or subnode that contains it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property {
    pub(super) kind: u16,
    pub(super) value: u32,
}

/// A node that has properties.
#[derive(Debug)]
pub(super) struct Node {
    layout: Layout,
    heap: Vec<Vec<u8>>,
    /// The nodes in it.
    pub(super) subnodes: BTreeMap<u32, Place>,
    properties: BTreeMap<u16, Property>,
}

impl Node {
    /// A node without properties.
    pub(super) fn empty(layout: Layout) -> Node {
        Node { layout, heap: Vec::new(), subnodes: BTreeMap::new(), properties: BTreeMap::new() }
    }

    /// Reads the heap of a node. Unreadable parts are missing, and the error explains why.
    pub(super) fn open<R: Read + Seek>(store: &mut Store<R>, place: Place) -> (Node, Option<io::Error>) {
        let mut node = Node::empty(store.header.layout);
        let error = node.read(store, place).err();
        (node, error)
    }

    fn read<R: Read + Seek>(&mut self, store: &mut Store<R>, place: Place) -> io::Result<()> {
        self.heap = store.data(place.data)?;
        let subnodes = store.subnodes(place.subnodes);
        let first = self.heap.first().map_or(&[][..], Vec::as_slice);
        let root = match *first {
            [_, _, HEAP, PROPERTIES, ..] => u32_at(first, 4),
            _ => None,
        };
        let root = root.ok_or_else(|| damaged("an item has no properties"))?;
        self.properties = self.tree(root)?;
        self.subnodes = subnodes?;
        Ok(())
    }

    /// An item of the heap.
    fn item(&self, id: u32) -> Option<&[u8]> {
        let (page, item) = match self.layout {
            Layout::Large => (id >> 19, id >> 5 & 0x3FFF),
            Layout::Ansi | Layout::Unicode => (id >> 16, id >> 5 & 0x07FF),
        };
        let page = self.heap.get(page as usize)?;
        let map = usize::from(u16_at(page, 0)?);
        let (count, item) = (usize::from(u16_at(page, map)?), item as usize);
        let offset = |n: usize| u16_at(page, map + 4 + 2 * n).map(usize::from);
        let range = offset(item.checked_sub(1).filter(|&n| n < count)?)?..offset(item)?;
        page.get(range)
    }

    /// The properties in the tree whose head is this item.
    fn tree(&self, head: u32) -> io::Result<BTreeMap<u16, Property>> {
        let lost = || damaged("the properties of an item are missing");
        let head = self.item(head).ok_or_else(lost)?;
        let (&[TREE, 2, 6, levels], Some(root)) = (head.first_chunk().ok_or_else(lost)?, u32_at(head, 4))
        else {
            return Err(lost());
        };
        if levels > MAX_LEVEL {
            return Err(lost());
        }
        let mut items = if root == 0 { vec![] } else { vec![root] };
        for _ in 0..levels {
            let mut below = Vec::new();
            for item in items {
                let entries = self.item(item).ok_or_else(lost)?.chunks_exact(KEY + 4);
                below.extend(entries.filter_map(|entry| u32_at(entry, KEY)));
                if below.len() > MAX_ITEMS {
                    return Err(lost());
                }
            }
            items = below;
        }
        let mut properties = BTreeMap::new();
        for item in items {
            let entries = self.item(item).ok_or_else(lost)?.chunks_exact(KEY + VALUE);
            properties.extend(entries.filter_map(property));
        }
        Ok(properties)
    }

    pub(super) fn property(&self, id: u16) -> Option<Property> {
        self.properties.get(&id).copied()
    }

    /// A value of 32 bits, which is with its property, or of 64 bits, which is on the heap.
    pub(super) fn fixed(&self, property: Property) -> Option<u64> {
        const NUMBER: u16 = 0x0003;
        match property.kind {
            NUMBER => Some(property.value.into()),
            _ => u64_at(self.item(property.value)?, 0),
        }
    }

    /// The number of 32 bits that an item of the heap begins with.
    pub(super) fn number(&self, item: u32) -> Option<u32> {
        u32_at(self.item(item)?, 0)
    }

    /// A value that is on the heap, or in a node of this node.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is in neither, or cannot be read.
    pub(super) fn bytes<R: Read + Seek>(&self, store: &mut Store<R>, value: u32) -> io::Result<Vec<u8>> {
        if value == 0 {
            return Ok(Vec::new());
        }
        if type_of(value) == 0 {
            let item =
                self.item(value).ok_or_else(|| damaged("the value of a property is outside of its heap"))?;
            return Ok(item.to_vec());
        }
        let place = self.subnodes.get(&value).ok_or_else(|| damaged("the value of a property is missing"))?;
        Ok(store.data(place.data)?.concat())
    }
}

fn property(entry: &[u8]) -> Option<(u16, Property)> {
    Some((u16_at(entry, 0)?, Property { kind: u16_at(entry, 2)?, value: u32_at(entry, 4)? }))
}

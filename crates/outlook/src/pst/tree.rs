//! The two trees of a mailbox ([MS-PST] 2.2.2.7.7): of nodes (NBT), by which everything is
//! found, and of blocks (BBT), which contains the offsets of data.
//!
//! A page has entries of one length, in the order of their keys. The entries of a page above the
//! lowest level contain the offsets of the pages below it.
//!
//! | | ANSI | Unicode | 4096 |
//! |---|---|---|---|
//! | entries | 0..496 | 0..488 | 0..4056 |
//! | `cEnt`, how many | 496 | 488 | 4056, two bytes |
//! | `cbEnt`, the length of each | 498 | 490 | 4060 |
//! | `cLevel`, 0 for the lowest | 499 | 491 | 4061 |
//! | `ptype`, twice | 500 | 496 | 4072 |
//!
//! Each page must have a level one less than its parent, so a search always ends.

use super::header::{Layout, u16_at, u32_at};

/// The highest level of a root.
const MAX_LEVEL: u8 = 8;

/// One of the two trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    Nodes,
    Blocks,
}

/// A page of a tree.
#[derive(Debug)]
pub(super) struct Page {
    layout: Layout,
    bytes: Vec<u8>,
    pub(super) level: u8,
    count: usize,
    /// The length of an entry.
    stride: usize,
}

/// The numbers of the blocks with the data of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) data: u64,
    /// The block of the nodes that are part of it; 0 without such nodes.
    pub(super) subnodes: u64,
}

/// A node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeEntry {
    pub(super) id: u32,
    /// The node of its folder.
    pub(super) parent: u32,
    pub(super) place: Place,
}

/// The place of a block in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockEntry {
    pub(super) at: u64,
    /// The stored length and the decompressed length, in bytes.
    pub(super) stored: usize,
    pub(super) len: usize,
}

impl Page {
    /// The page of a tree that these bytes are, if they are one.
    pub(super) fn read(layout: Layout, tree: Tree, bytes: Vec<u8>) -> Option<Page> {
        let kind = match tree {
            Tree::Blocks => 0x80,
            Tree::Nodes => 0x81,
        };
        let (room, head, mark) = match layout {
            Layout::Ansi => (496, 496, 500),
            Layout::Unicode => (488, 488, 496),
            Layout::Large => (4056, 4058, 4072),
        };
        let count = match layout {
            Layout::Large => usize::from(u16_at(&bytes, 4056)?),
            Layout::Ansi | Layout::Unicode => usize::from(*bytes.get(head)?),
        };
        let (stride, level) = (usize::from(*bytes.get(head + 2)?), *bytes.get(head + 3)?);
        let is_one = bytes.get(mark..mark + 2)? == [kind, kind]
            && level <= MAX_LEVEL
            && stride >= entry_len(layout, tree, level)
            && count * stride <= room;
        is_one.then_some(Page { layout, bytes, level, count, stride })
    }

    /// The entries, in order.
    fn entries(&self) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        self.bytes.chunks_exact(self.stride).take(self.count)
    }

    /// The last entry whose key is at most this one.
    fn before(&self, key: u64, mask: u64) -> Option<&[u8]> {
        let key_of = |n: usize| self.layout.word_at(&self.bytes, n * self.stride).map(|key| key & mask);
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            match key_of(middle)? <= key {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        self.entries().nth(low.checked_sub(1)?)
    }

    /// Returns the offset at which the page is that would have this key; the page is not of the
    /// lowest level.
    pub(super) fn child_for(&self, tree: Tree, key: u64) -> Option<u64> {
        self.layout.word_at(self.before(key, mask(tree))?, 2 * self.layout.word())
    }

    /// The offsets of the pages below it.
    pub(super) fn children(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.entries().filter_map(|entry| self.layout.word_at(entry, 2 * self.layout.word()))
    }

    /// The node with this number, in a page of the lowest level.
    pub(super) fn node(&self, id: u32) -> Option<NodeEntry> {
        let entry = self.before(id.into(), mask(Tree::Nodes))?;
        node_of(self.layout, entry).filter(|node| node.id == id)
    }

    /// The nodes of a page of the lowest level.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeEntry> {
        self.entries().filter_map(|entry| node_of(self.layout, entry))
    }

    /// The block with this number, in a page of the lowest level.
    pub(super) fn block(&self, id: u64) -> Option<BlockEntry> {
        let (found, block) = block_of(self.layout, self.before(id, mask(Tree::Blocks))?)?;
        (found == id).then_some(block)
    }

    /// The blocks of a page of the lowest level, by their numbers.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (u64, BlockEntry)> {
        self.entries().filter_map(|entry| block_of(self.layout, entry))
    }
}

/// The bits of a key that count: a node has 32, and the lowest bit of a block has no meaning.
fn mask(tree: Tree) -> u64 {
    match tree {
        Tree::Nodes => u32::MAX.into(),
        Tree::Blocks => !1,
    }
}

/// The length of the part of an entry that is read.
fn entry_len(layout: Layout, tree: Tree, level: u8) -> usize {
    let word = layout.word();
    match tree {
        _ if level > 0 => 3 * word,
        Tree::Nodes => 3 * word + 4,
        Tree::Blocks => 2 * word + 4,
    }
}

fn node_of(layout: Layout, entry: &[u8]) -> Option<NodeEntry> {
    let word = layout.word();
    let place = Place { data: layout.word_at(entry, word)?, subnodes: layout.word_at(entry, 2 * word)? };
    Some(NodeEntry { id: u32_at(entry, 0)?, parent: u32_at(entry, 3 * word)?, place })
}

fn block_of(layout: Layout, entry: &[u8]) -> Option<(u64, BlockEntry)> {
    let word = layout.word();
    let stored = usize::from(u16_at(entry, 2 * word)?);
    let len = match layout {
        Layout::Large => usize::from(u16_at(entry, 2 * word + 2)?),
        Layout::Ansi | Layout::Unicode => stored,
    };
    let block = BlockEntry { at: layout.word_at(entry, word)?, stored, len };
    Some((layout.word_at(entry, 0)? & mask(Tree::Blocks), block))
}

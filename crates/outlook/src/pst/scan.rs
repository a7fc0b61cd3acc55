//! Finds the lowest-level pages of damaged trees, wherever they are.
//!
//! The root of a tree is often at the end of a file, so a truncated file has none. But each
//! page has a mark, a checksum and a number, and begins at a multiple of its length. So the file
//! is read once from its start to its end, and the entries of all such pages are kept. A page
//! that was written again is there twice: the one with the greater number is newer.

use std::collections::HashMap;

use super::header::{Layout, u32_at};
use super::tree::{BlockEntry, NodeEntry, Page, Tree};

/// The greatest number of entries that are kept of each tree. An entry takes at most 64 bytes, so that
/// a file of any length takes at most some 500 MB; half as many would not cover mailboxes of 50 GB.
const MAX_ENTRIES: usize = 4_000_000;

/// The entries of all pages, each with the number of its page.
#[derive(Debug, Default)]
pub(super) struct Scan {
    nodes: HashMap<u32, (u64, NodeEntry)>,
    blocks: HashMap<u64, (u64, BlockEntry)>,
}

impl Scan {
    /// Adds the entries of these bytes, if they are a page of the lowest level.
    pub(super) fn add(&mut self, layout: Layout, bytes: &[u8]) {
        // The trailer of a page: `ptype`, `dwCRC` and `bid` ([MS-PST] 2.2.2.7.1).
        let (mark, checksum, number) = match layout {
            Layout::Ansi => (500, 508, 504),
            Layout::Unicode => (496, 500, 504),
            Layout::Large => (4072, 4076, 4080),
        };
        let tree = match bytes.get(mark..mark + 2) {
            Some([0x80, 0x80]) => Tree::Blocks,
            Some([0x81, 0x81]) => Tree::Nodes,
            _ => return,
        };
        let Some(page) = Page::read(layout, tree, bytes.to_vec()).filter(|page| page.level == 0) else {
            return;
        };
        let number = layout.word_at(bytes, number).unwrap_or(0);
        if bytes.get(..mark).map(crc) != u32_at(bytes, checksum) {
            return;
        }
        match tree {
            Tree::Nodes => page.nodes().for_each(|node| keep(&mut self.nodes, node.id, number, node)),
            Tree::Blocks => page.blocks().for_each(|(id, block)| keep(&mut self.blocks, id, number, block)),
        }
    }

    pub(super) fn node(&self, id: u32) -> Option<NodeEntry> {
        self.nodes.get(&id).map(|(_, node)| *node)
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeEntry> {
        self.nodes.values().map(|(_, node)| *node)
    }

    pub(super) fn block(&self, id: u64) -> Option<BlockEntry> {
        self.blocks.get(&id).map(|(_, block)| *block)
    }
}

/// Keeps an entry, unless the entry of a newer page is known.
fn keep<K: Copy + Eq + std::hash::Hash, T>(known: &mut HashMap<K, (u64, T)>, id: K, page: u64, entry: T) {
    let is_newer = known.get(&id).map_or(known.len() < MAX_ENTRIES, |(other, _)| page > *other);
    if is_newer {
        known.insert(id, (page, entry));
    }
}

/// The checksum of [MS-PST] 5.3. Its CRC-32 starts at 0 and is not inverted. Both choices change the result by the same
/// value for all data of one length, namely flate2's CRC of that many zeros.
fn crc(bytes: &[u8]) -> u32 {
    let sum = |bytes: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum()
    };
    sum(bytes) ^ sum(&vec![0; bytes.len()])
}

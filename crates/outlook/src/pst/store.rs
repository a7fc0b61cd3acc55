//! The pages and blocks of a mailbox, by their numbers.
//!
//! A node stores its data in a block, or in a tree of blocks: an XBLOCK contains the numbers of
//! blocks with data, an XXBLOCK the numbers of XBLOCKs. Nodes that are part of it are in a similar
//! tree of SLBLOCKs below an SIBLOCK ([MS-PST] 2.2.2.8). The number of a block shows whether it
//! contains encoded data or other numbers.
//!
//! A file of a few kilobytes can declare that a node contains gigabytes, or that a million nodes
//! share the same data. So the bytes that are read are counted, for a node, for a message and for
//! the file. Pages are read on demand, and the last ones are kept.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::sync::Arc;

use flate2::{Decompress, FlushDecompress};

use super::encoding::{decode, is_permuted};
use super::header::{self, Encoding, Header, Layout, damaged, u16_at};
use super::scan::Scan;
use super::tree::{BlockEntry, NodeEntry, Page, Place, Tree};

/// The maximum length of a node's data, in bytes.
const MAX_NODE_LEN: u64 = 64 * 1024 * 1024;

/// The maximum number of bytes to read for a message, and for the file: a constant, plus a multiple of its length.
const MAX_MESSAGE_LEN: u64 = 192 * 1024 * 1024;
const FREE: u64 = 256 * 1024 * 1024;
const RATIO: u64 = 64;

/// The minimum cost of a block.
const MIN_COST: u64 = 4096;

/// The maximum number of nodes in a node, and of messages in a mailbox.
const MAX_SUBNODES: usize = 1 << 16;
const MAX_MESSAGES: usize = 10_000_000;

/// The number of pages that are kept.
const KEPT_PAGES: usize = 128;

/// The highest level of a tree of blocks.
const MAX_LEVEL: u8 = 2;

/// The bit in a block's number that shows that it contains numbers.
const INTERNAL: u64 = 2;

/// The type of a node: the lowest bits of its number.
const TYPE: u32 = 0x1F;

/// The types of a message and of an attachment.
pub(super) const MESSAGE: u32 = 4;
pub(super) const ATTACHMENT: u32 = 5;

/// The node of the mailbox itself.
pub(super) const MAILBOX: u32 = 0x21;

/// The third byte of the data of a node that is a heap.
pub(super) const HEAP: u8 = 0xEC;

/// The type of a node.
pub(super) fn type_of(node: u32) -> u32 {
    node & TYPE
}

/// An open mailbox.
#[derive(Debug)]
pub(super) struct Store<R> {
    pub(super) input: R,
    /// The length of the file.
    len: u64,
    pub(super) header: Header,
    pages: HashMap<u64, Arc<Page>>,
    /// The number of bytes that have been read, in all and before the current message.
    read: u64,
    read_before: u64,
    /// The entries that were found without the trees; `None` unless a tree is damaged.
    scan: Option<Scan>,
    /// The reason why the file cannot be read at all, if such an error occurred.
    pub(super) failure: Option<io::Error>,
}

impl<R: Read + Seek> Store<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// Returns an error if the header is not valid, or the file cannot be read.
    pub(super) fn open(mut input: R) -> io::Result<Self> {
        let len = input.seek(SeekFrom::End(0))?;
        input.rewind()?;
        let mut head = Vec::new();
        input.by_ref().take(header::LEN as u64).read_to_end(&mut head)?;
        let header = Header::read(&head)?;
        let pages = HashMap::new();
        let mut store =
            Store { input, len, header, pages, read: 0, read_before: 0, scan: None, failure: None };
        // In some files, the version differs from the version of the pages.
        let other = match header.layout {
            Layout::Ansi => Layout::Ansi,
            Layout::Unicode => Layout::Large,
            Layout::Large => Layout::Unicode,
        };
        if store.page(Tree::Nodes, header.nodes).is_err() {
            store.header.layout = other;
            if store.page(Tree::Nodes, header.nodes).is_err() {
                store.header.layout = header.layout;
            }
        }
        // Some programs write a header that declares no encoding although the data are encoded. The signature
        // of the heap in the node that every mailbox has shows it.
        if store.header.encoding == Encoding::None
            && let Ok(Some(node)) = store.node(MAILBOX)
            && let Ok(blocks) = store.data(node.place.data)
            && let Some(&[_, _, mark, ..]) = blocks.first().map(Vec::as_slice)
            && is_permuted(HEAP, mark)
        {
            store.header.encoding = Encoding::Permute;
        }
        Ok(store)
    }

    /// Begins another message, with its own budget.
    pub(super) fn begin_message(&mut self) {
        self.read_before = self.read;
    }

    /// Returns true if more of the file may be read.
    pub(super) fn is_spent(&self) -> bool {
        self.read > FREE.saturating_add(self.len.saturating_mul(RATIO))
    }

    /// Counts bytes that are read, or decompressed from them.
    pub(super) fn spend(&mut self, len: u64) -> io::Result<()> {
        self.read = self.read.saturating_add(len);
        let is_long = self.read - self.read_before > MAX_MESSAGE_LEN;
        if is_long || self.is_spent() {
            let what = if is_long { "a message" } else { "the mailbox" };
            let why = format!("{what} exceeds the data limit");
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        Ok(())
    }

    fn read_at(&mut self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        if at.checked_add(len as u64).is_none_or(|end| end > self.len) {
            return Err(damaged("it is truncated"));
        }
        let mut bytes = vec![0; len];
        let read = self.input.seek(SeekFrom::Start(at)).and_then(|_| self.input.read_exact(&mut bytes));
        match read {
            Ok(()) => Ok(bytes),
            // A bad sector of a disk is damage; other errors are not caused by the file.
            Err(error) if error.raw_os_error().is_some() || error.kind() == ErrorKind::UnexpectedEof => {
                Err(damaged(&error.to_string()))
            }
            Err(error) => {
                self.failure = Some(error);
                Err(damaged("it cannot be read"))
            }
        }
    }

    // The trees of pages.

    fn page(&mut self, tree: Tree, at: u64) -> io::Result<Arc<Page>> {
        if let Some(page) = self.pages.get(&at) {
            return Ok(Arc::clone(page));
        }
        let bytes = self.read_at(at, self.header.layout.page())?;
        let page = Page::read(self.header.layout, tree, bytes);
        let page = Arc::new(page.ok_or_else(|| damaged(&format!("no valid page was found at byte {at}")))?);
        if self.pages.len() == KEPT_PAGES {
            self.pages.clear();
        }
        self.pages.insert(at, Arc::clone(&page));
        Ok(page)
    }

    /// The page of the lowest level that would contain this key; `None` if the tree has no such page.
    fn leaf(&mut self, tree: Tree, root: u64, key: u64) -> io::Result<Option<Arc<Page>>> {
        let mut page = self.page(tree, root)?;
        while page.level > 0 {
            let Some(at) = page.child_for(tree, key) else { return Ok(None) };
            let below = self.page(tree, at)?;
            if below.level != page.level - 1 {
                return Err(wrong_level(at));
            }
            page = below;
        }
        Ok(Some(page))
    }

    /// The node with this number, if it exists.
    ///
    /// # Errors
    ///
    /// Returns an error if the tree is damaged.
    pub(super) fn node(&mut self, id: u32) -> io::Result<Option<NodeEntry>> {
        self.spend(MIN_COST)?;
        let leaf = self.leaf(Tree::Nodes, self.header.nodes, id.into());
        let node = leaf.map(|leaf| leaf.and_then(|page| page.node(id)));
        match self.scan.as_ref().and_then(|scan| scan.node(id)) {
            Some(found) if !matches!(node, Ok(Some(_))) => Ok(Some(found)),
            _ => node,
        }
    }

    /// Reads the whole file, once: a page of a tree is damaged.
    fn scan(&mut self) -> &Scan {
        const CHUNK: u64 = 1 << 20;
        if self.scan.is_none() {
            let (mut scan, layout) = (Scan::default(), self.header.layout);
            for at in (0..self.len).step_by(CHUNK as usize) {
                let chunk = self.read_at(at, CHUNK.min(self.len - at) as usize).unwrap_or_default();
                chunk.chunks_exact(layout.page()).for_each(|page| scan.add(layout, page));
            }
            self.scan = Some(scan);
        }
        self.scan.get_or_insert_default()
    }

    /// All messages, in the order of their nodes, and the first error. Each page is read once.
    pub(super) fn messages(&mut self) -> (Vec<NodeEntry>, Option<io::Error>) {
        let (mut messages, mut error) = (Vec::new(), None);
        let (mut seen, mut pages) = (HashSet::new(), vec![(self.header.nodes, None)]);
        while let Some((at, level)) = pages.pop() {
            if !seen.insert(at) {
                error.get_or_insert(damaged(&format!("the page at byte {at} occurs twice in its tree")));
                continue;
            }
            match self.page(Tree::Nodes, at) {
                Ok(page) if level.is_some_and(|level| level != page.level) => {
                    error.get_or_insert(wrong_level(at));
                }
                Ok(page) if page.level > 0 => {
                    pages.extend(page.children().rev().map(|at| (at, Some(page.level - 1))));
                }
                Ok(page) => messages.extend(page.nodes().filter(|node| type_of(node.id) == MESSAGE)),
                Err(why) => drop(error.get_or_insert(why)),
            }
            if messages.len() > MAX_MESSAGES {
                error.get_or_insert(damaged(&format!("it has more than {MAX_MESSAGES} messages")));
                break;
            }
        }
        if error.is_some() {
            let found = self.scan().nodes().filter(|node| type_of(node.id) == MESSAGE);
            // The entries of the tree come first.
            messages.extend(found);
            messages.sort_by_key(|message| message.id);
            messages.dedup_by_key(|message| message.id);
        }
        (messages, error)
    }

    // The trees of blocks.

    /// The data of a block, decoded.
    fn block(&mut self, id: u64) -> io::Result<Vec<u8>> {
        self.spend(MIN_COST)?;
        let id = id & !1;
        let entry = match self.leaf(Tree::Blocks, self.header.blocks, id) {
            Ok(leaf) => leaf.and_then(|page| page.block(id)),
            Err(error) => Some(self.scanned_block(id).ok_or(error)?),
        };
        let entry = entry.ok_or_else(|| damaged(&format!("it has no block {id:#x}")))?;
        self.spend(entry.len as u64)?;
        let mut data = self.read_at(entry.at, entry.stored)?;
        if entry.len != entry.stored {
            data = inflate(&data, &entry)?;
        }
        if id & INTERNAL == 0 {
            decode(self.header.encoding, id, &mut data);
        }
        Ok(data)
    }

    /// A block that is found without the tree, and is still there: its number is after its data ([MS-PST] 2.2.2.8.1).
    fn scanned_block(&mut self, id: u64) -> Option<BlockEntry> {
        let entry = self.scan().block(id)?;
        let layout = self.header.layout;
        let (len, align, number) = match layout {
            Layout::Ansi => (12, 64, 4),
            Layout::Unicode => (16, 64, 8),
            Layout::Large => (24, 512, 8),
        };
        let end = (entry.stored + len).next_multiple_of(align) - len;
        let trailer = self.read_at(entry.at.checked_add(end as u64)?, len).ok()?;
        (layout.word_at(&trailer, number)? & !1 == id).then_some(entry)
    }

    /// The data of a node, as its blocks.
    ///
    /// # Errors
    ///
    /// Returns an error if a block cannot be read, or if the data are longer than 64 MiB.
    pub(super) fn data(&mut self, id: u64) -> io::Result<Vec<Vec<u8>>> {
        const NUMBERS: u8 = 1;
        let (mut data, mut len) = (Vec::new(), 0);
        let mut blocks = if id == 0 { vec![] } else { vec![(id, None)] };
        while let Some((id, level)) = blocks.pop() {
            let block = self.block(id)?;
            if id & INTERNAL == 0 && level.is_none_or(|level| level == 0) {
                len += block.len() as u64;
                data.push(block);
            } else {
                let (below, _) = below(&block, NUMBERS, level, 1)?;
                let numbers = self.numbers(&block, 8, self.header.layout.word());
                blocks.extend(numbers.rev().map(|numbers| (numbers[0], Some(below))));
            }
            if len > MAX_NODE_LEN {
                let why = format!("a body or attachment is longer than {MAX_NODE_LEN} bytes");
                return Err(io::Error::new(ErrorKind::InvalidData, why));
            }
        }
        Ok(data)
    }

    /// The nodes in a node, by their numbers.
    ///
    /// # Errors
    ///
    /// Returns an error if a block cannot be read, or if the node contains more than 65,536 nodes.
    pub(super) fn subnodes(&mut self, id: u64) -> io::Result<BTreeMap<u32, Place>> {
        const NODES: u8 = 2;
        let word = self.header.layout.word();
        let mut nodes = BTreeMap::new();
        let mut blocks = if id == 0 { vec![] } else { vec![(id, None)] };
        while let Some((id, level)) = blocks.pop() {
            let block = self.block(id)?;
            let (below, is_lowest) = below(&block, NODES, level, 0)?;
            // Numbers of 64 bits begin at a multiple of eight.
            if is_lowest {
                let entries = self.numbers(&block, word, 3 * word);
                nodes.extend(entries.map(|[id, data, subnodes]| (id as u32, Place { data, subnodes })));
            } else {
                let entries = self.numbers(&block, word, 2 * word);
                blocks.extend(entries.rev().map(|[_, id, _]| (id, Some(below))));
            }
            if nodes.len() > MAX_SUBNODES {
                return Err(damaged(&format!("a node has more than {MAX_SUBNODES} nodes")));
            }
        }
        Ok(nodes)
    }

    /// The numbers that begin each entry of a block, of which `len` bytes each begin at `start`; 0 for those that an
    /// entry has no room for.
    fn numbers(&self, block: &[u8], start: usize, len: usize) -> impl DoubleEndedIterator<Item = [u64; 3]> {
        let layout = self.header.layout;
        let count = usize::from(u16_at(block, 2).unwrap_or(0));
        let entries = block.get(start..).unwrap_or_default().chunks_exact(len).take(count);
        entries.map(move |entry| [0, 1, 2].map(|n| layout.word_at(entry, n * layout.word()).unwrap_or(0)))
    }
}

/// The level of the blocks below one with numbers, and whether it is the lowest of its kind.
fn below(block: &[u8], kind: u8, level: Option<u8>, lowest: u8) -> io::Result<(u8, bool)> {
    let is_one = |own: u8| own >= lowest && own <= MAX_LEVEL && level.is_none_or(|level| level == own);
    match *block {
        [found, own, ..] if found == kind && is_one(own) => Ok((own.saturating_sub(1), own == lowest)),
        _ => Err(damaged("a block has an unexpected type or level")),
    }
}

fn wrong_level(at: u64) -> io::Error {
    damaged(&format!("the page at byte {at} has an unexpected level"))
}

/// The data of a compressed block, with the length that its entry declares.
fn inflate(stored: &[u8], entry: &BlockEntry) -> io::Result<Vec<u8>> {
    let mut data = Vec::with_capacity(entry.len);
    let inflated = Decompress::new(true).decompress_vec(stored, &mut data, FlushDecompress::Finish);
    inflated.map_err(|error| damaged(&format!("a block cannot be decompressed: {error}")))?;
    if data.len() < entry.len {
        return Err(damaged("a block is shorter than its length"));
    }
    data.truncate(entry.len);
    Ok(data)
}

//! Mailboxes of Outlook (PST), as [MS-PST] says, but for the checksums of blocks and the header, which are 0.

use std::io::Write;

/// How the numbers and pages of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    Ansi,
    Unicode,
    /// Pages of 4096 bytes; blocks are compressed.
    Large,
}

/// How data are encoded: `bCryptMethod`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    None,
    Permute,
    Cyclic,
}

/// The value of a property.
#[derive(Clone, Copy, Debug)]
pub enum Value<'v> {
    Number(u32),
    Time(u64),
    Text(&'v str),
    /// Text in a code page.
    String8(&'v [u8]),
    Binary(&'v [u8]),
    /// An object: the number of its node, in the heap.
    Object(u32),
    /// A value that is in the node of this node with this number: its type.
    Node(u16, u32),
}

/// Where a node has its data and its nodes.
pub type Place = (u64, u64);

/// A mailbox that is made.
pub struct Pst {
    pub version: Version,
    pub method: Method,
    /// The lowest bit of the number of a block in both trees, which readers ignore ([MS-PST] 2.2.2.2).
    pub mark: u64,
    /// The blocks by their numbers.
    blocks: Vec<(u64, Vec<u8>)>,
    /// The nodes, each with the folder that it is in.
    nodes: Vec<(u32, Place, u32)>,
}

/// The length of the longest value on a heap, and of a page of that here.
const ON_HEAP: usize = 3000;
const HEAP_PAGE: usize = 7000;

impl Pst {
    pub fn new(version: Version, method: Method) -> Pst {
        Pst { version, method, mark: 0, blocks: Vec::new(), nodes: Vec::new() }
    }

    fn is_ansi(&self) -> bool {
        self.version == Version::Ansi
    }

    /// An offset or the number of a block.
    fn word(&self, number: u64) -> Vec<u8> {
        if self.is_ansi() { (number as u32).to_le_bytes().to_vec() } else { number.to_le_bytes().to_vec() }
    }

    fn words(&self, numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|&number| self.word(number)).collect()
    }

    /// Adds a block with data, or one with numbers; returns its number.
    pub fn block(&mut self, data: &[u8], has_numbers: bool) -> u64 {
        let id = 4 * (self.blocks.len() as u64 + 1) + 2 * u64::from(has_numbers);
        self.blocks.push((id, data.to_vec()));
        id
    }

    /// Adds an XBLOCK, or an XXBLOCK if the level is 2.
    pub fn numbers(&mut self, level: u8, len: usize, blocks: &[u64]) -> u64 {
        let count = blocks.len() as u16;
        let head = [&[1, level][..], &count.to_le_bytes(), &(len as u32).to_le_bytes()].concat();
        let block = [head, self.words(blocks)].concat();
        self.block(&block, true)
    }

    /// Adds data of any length.
    pub fn data(&mut self, data: &[u8]) -> u64 {
        let pages: Vec<_> = data.chunks(8176).map(<[u8]>::to_vec).collect();
        self.pages(&pages)
    }

    fn pages(&mut self, pages: &[Vec<u8>]) -> u64 {
        let blocks: Vec<_> = pages.iter().map(|page| self.block(page, false)).collect();
        match blocks[..] {
            [block] => block,
            _ => self.numbers(1, pages.iter().map(Vec::len).sum(), &blocks),
        }
    }

    /// Adds a tree of nodes: an SLBLOCK, or several below an SIBLOCK.
    fn subnodes(&mut self, nodes: &[(u32, Place)]) -> u64 {
        let pad = if self.is_ansi() { 0 } else { 4 };
        let head = |level, count: usize| [&[2, level, count as u8, 0][..], &[0, 0, 0, 0][..pad]].concat();
        let mut lists = Vec::new();
        for nodes in nodes.chunks(2) {
            let entries = nodes.iter().flat_map(|&(id, (data, sub))| self.words(&[id.into(), data, sub]));
            let block = head(0, nodes.len()).into_iter().chain(entries).collect::<Vec<_>>();
            lists.push((u64::from(nodes[0].0), self.block(&block, true)));
        }
        match lists[..] {
            [] => 0,
            [(_, block)] => block,
            _ => {
                let entries = lists.iter().flat_map(|&(id, block)| self.words(&[id, block]));
                let block = head(1, lists.len()).into_iter().chain(entries).collect::<Vec<_>>();
                self.block(&block, true)
            }
        }
    }

    /// Adds the heap of a node with these properties, and with these nodes.
    pub fn properties(&mut self, properties: &[(u16, Value<'_>)], nodes: &[(u32, Place)]) -> Place {
        let mut nodes = nodes.to_vec();
        let head = [&[0xB5, 2, 6, 0][..], &self.item_id(0, 2).to_le_bytes()].concat();
        let mut pages = vec![vec![head, vec![0; 8 * properties.len()]]];
        let mut entries = Vec::new();
        for &(id, value) in properties {
            let (kind, value) = match value {
                Value::Number(number) => (0x0003, Ok(number)),
                Value::Node(kind, node) => (kind, Ok(node)),
                Value::Time(time) => (0x0040, Err(time.to_le_bytes().to_vec())),
                Value::Text(text) => (0x001F, Err(text.encode_utf16().flat_map(u16::to_le_bytes).collect())),
                Value::String8(text) => (0x001E, Err(text.to_vec())),
                Value::Binary(bytes) => (0x0102, Err(bytes.to_vec())),
                Value::Object(node) => (0x000D, Err([node.to_le_bytes(), [0; 4]].concat())),
            };
            let value = value.unwrap_or_else(|bytes| self.value(bytes, &mut pages, &mut nodes));
            entries.push((id, kind, value));
        }
        entries.sort_unstable();
        let bytes = |&(id, kind, value): &(u16, u16, u32)| {
            [&id.to_le_bytes()[..], &kind.to_le_bytes(), &value.to_le_bytes()].concat()
        };
        pages[0][1] = entries.iter().flat_map(bytes).collect();
        let root = self.item_id(0, 1);
        let pages: Vec<_> = pages.iter().enumerate().map(|(n, items)| heap_page(items, n, root)).collect();
        (self.pages(&pages), self.subnodes(&nodes))
    }

    /// Adds a value to a heap, or to a node of its node if it is long; returns where it is.
    fn value(&mut self, value: Vec<u8>, pages: &mut Vec<Vec<Vec<u8>>>, nodes: &mut Vec<(u32, Place)>) -> u32 {
        if value.len() > ON_HEAP {
            let id = 0x1F | (0x400 + nodes.len() as u32) << 5;
            nodes.push((id, (self.data(&value), 0)));
            return id;
        }
        let used: usize = pages.last().unwrap().iter().map(Vec::len).sum();
        if used + value.len() > HEAP_PAGE {
            pages.push(Vec::new());
        }
        let page = pages.len() - 1;
        pages[page].push(value);
        self.item_id(page, pages[page].len())
    }

    /// The number of an item of a heap, which are counted from 1.
    fn item_id(&self, page: usize, item: usize) -> u32 {
        let shift = if self.version == Version::Large { 19 } else { 16 };
        (page as u32) << shift | (item as u32) << 5
    }

    /// Adds a node, which is in this folder.
    pub fn node(&mut self, id: u32, place: Place, folder: u32) {
        self.nodes.push((id, place, folder));
    }

    /// The file: the header, the trees, and the blocks.
    pub fn file(mut self) -> Vec<u8> {
        let page = if self.version == Version::Large { 4096 } else { 512 };
        self.nodes.sort_unstable();
        // Room for the trees, of which a page has fifteen entries or more.
        let room = page * (64 + (self.nodes.len() + self.blocks.len()) / 8);
        let (mut at, mut rows, mut data) = (room, Vec::new(), Vec::new());
        for (id, block) in &self.blocks {
            let (bytes, trailer) = (self.stored(*id, block), self.trailer(*id, block));
            rows.push((*id, at as u64, bytes.len(), block.len()));
            let align = if page == 512 { 64 } else { 512 };
            let len = (bytes.len() + trailer.len()).next_multiple_of(align);
            data.extend([&bytes[..], &vec![0; len - bytes.len() - trailer.len()], &trailer].concat());
            at += len;
        }
        let mut trees = Trees { pst: &self, page, pages: Vec::new() };
        let nodes = trees.nodes();
        let blocks = trees.blocks(&rows);
        let mut file = self.header(nodes, blocks);
        file.resize(2 * page, 0);
        file.extend(trees.pages.concat());
        assert!(file.len() <= room);
        file.resize(room, 0);
        [file, data].concat()
    }

    /// The data of a block as they are in the file.
    fn stored(&self, id: u64, block: &[u8]) -> Vec<u8> {
        let mut bytes = block.to_vec();
        if id & 2 == 0 {
            match self.method {
                Method::None => {}
                Method::Permute => {
                    let first = table(FIRST);
                    bytes.iter_mut().for_each(|byte| *byte = first[usize::from(*byte)]);
                }
                Method::Cyclic => cyclic(id as u32, &mut bytes),
            }
        }
        if self.version != Version::Large {
            return bytes;
        }
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        zlib.write_all(&bytes).unwrap();
        // A length that is the same says that it is not compressed.
        Some(zlib.finish().unwrap()).filter(|zlib| zlib.len() < bytes.len()).unwrap_or(bytes)
    }

    fn trailer(&self, id: u64, block: &[u8]) -> Vec<u8> {
        let len = self.stored(id, block).len() as u16;
        match self.version {
            Version::Ansi => [&len.to_le_bytes()[..], &[0; 2], &(id as u32).to_le_bytes(), &[0; 4]].concat(),
            Version::Unicode => [&len.to_le_bytes()[..], &[0; 6], &id.to_le_bytes()].concat(),
            Version::Large => [&len.to_le_bytes()[..], &[0; 6], &id.to_le_bytes(), &[0; 8]].concat(),
        }
    }

    fn header(&self, nodes: u64, blocks: u64) -> Vec<u8> {
        let mut header = vec![0; 564];
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, b"!BDN");
        put(8, b"SM");
        let (version, at_nodes, at_blocks, at_method) = match self.version {
            Version::Ansi => (14, 188, 196, 461),
            Version::Unicode => (23, 224, 240, 513),
            Version::Large => (36, 224, 240, 513),
        };
        put(10, &[version]);
        put(at_nodes, &self.word(nodes));
        put(at_blocks, &self.word(blocks));
        put(at_method - 1, &[0x80, self.method as u8]);
        header
    }
}

/// A page of a heap; the first has the root.
fn heap_page(items: &[Vec<u8>], page: usize, root: u32) -> Vec<u8> {
    let mut bytes = vec![0, 0];
    if page == 0 {
        bytes.extend([0xEC, 0xBC]);
        bytes.extend(root.to_le_bytes());
        bytes.extend([0; 4]);
    }
    let mut offsets = vec![bytes.len()];
    for item in items {
        bytes.extend(item);
        offsets.push(bytes.len());
    }
    let map = bytes.len() as u16;
    bytes[..2].copy_from_slice(&map.to_le_bytes());
    bytes.extend((items.len() as u16).to_le_bytes());
    bytes.extend([0, 0]);
    bytes.extend(offsets.iter().flat_map(|&offset| (offset as u16).to_le_bytes()));
    bytes
}

/// The pages of the two trees, from the third page of the file on.
struct Trees<'p> {
    pst: &'p Pst,
    page: usize,
    pages: Vec<Vec<u8>>,
}

impl Trees<'_> {
    fn nodes(&mut self) -> u64 {
        let entry = |&(id, (data, sub), folder): &(u32, Place, u32)| {
            let pad = if self.pst.is_ansi() { 0 } else { 4 };
            let words = self.pst.words(&[id.into(), data | self.pst.mark, sub]);
            (u64::from(id), [&words[..], &folder.to_le_bytes(), &[0; 4][..pad]].concat())
        };
        let entries = self.pst.nodes.iter().map(entry).collect();
        self.tree(0x81, entries)
    }

    fn blocks(&mut self, rows: &[(u64, u64, usize, usize)]) -> u64 {
        let entry = |&(id, at, stored, len): &(u64, u64, usize, usize)| {
            let lens = match self.pst.version {
                Version::Ansi => [stored as u16, 2, 0, 0],
                Version::Unicode => [stored as u16, 2, 0, 0],
                Version::Large => [stored as u16, len as u16, 2, 0],
            };
            let lens: Vec<_> = lens.iter().flat_map(|len| len.to_le_bytes()).collect();
            let lens = if self.pst.is_ansi() { &lens[..4] } else { &lens };
            (id, [&self.pst.words(&[id | self.pst.mark, at])[..], lens].concat())
        };
        let entries = rows.iter().map(entry).collect();
        self.tree(0x80, entries)
    }

    /// Adds a tree with these entries; returns where its root is.
    fn tree(&mut self, kind: u8, mut entries: Vec<(u64, Vec<u8>)>) -> u64 {
        let room = match self.pst.version {
            Version::Ansi => 496,
            Version::Unicode => 488,
            Version::Large => 4056,
        };
        for level in 0.. {
            let mut above = Vec::new();
            for entries in entries.chunks(room / entries[0].1.len()) {
                let at = (self.page * (2 + self.pages.len())) as u64;
                above.push((entries[0].0, self.pst.words(&[entries[0].0, 0, at])));
                let bytes: Vec<_> = entries.iter().flat_map(|(_, entry)| entry.clone()).collect();
                let page = self.tree_page(kind, level, entries.len(), &bytes, room);
                self.pages.push(page);
            }
            if above.len() == 1 {
                break;
            }
            entries = above;
        }
        (self.page * (1 + self.pages.len())) as u64
    }

    fn tree_page(&self, kind: u8, level: u8, count: usize, entries: &[u8], room: usize) -> Vec<u8> {
        let (stride, most) = (entries.len() / count, room / (entries.len() / count));
        let mut page = entries.to_vec();
        page.resize(room, 0);
        match self.pst.version {
            Version::Large => page.extend([count as u8, 0, most as u8, 0, stride as u8, level]),
            _ => page.extend([count as u8, most as u8, stride as u8, level]),
        }
        let mark = match self.pst.version {
            Version::Ansi => 500,
            Version::Unicode => 496,
            Version::Large => 4072,
        };
        page.resize(mark, 0);
        let sum = crc(&page).to_le_bytes();
        let number = (self.pages.len() as u64).to_le_bytes();
        page.extend([kind, kind, 0, 0]);
        match self.pst.version {
            Version::Ansi => page.extend([&number[..4], &sum].concat()),
            _ => page.extend([&sum[..], &number].concat()),
        }
        page.resize(self.page, 0);
        page
    }
}

/// The checksum of [MS-PST] 5.3.
fn crc(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 },
        )
    })
}

fn cyclic(block: u32, data: &mut [u8]) {
    let (first, second) = (table(FIRST), table(SECOND));
    let inverse = |byte: u8| first.iter().position(|&b| b == byte).unwrap() as u8;
    let mut word = (block ^ block >> 16) as u16;
    for byte in data {
        let [low, high] = word.to_le_bytes();
        let b = second[usize::from(first[usize::from(byte.wrapping_add(low))].wrapping_add(high))];
        *byte = inverse(b.wrapping_sub(high)).wrapping_sub(low);
        word = word.wrapping_add(1);
    }
}

fn table(hexadecimal: &str) -> Vec<u8> {
    let digits = (0..hexadecimal.len()).step_by(2);
    digits.map(|at| u8::from_str_radix(&hexadecimal[at..at + 2], 16).unwrap()).collect()
}

/// The first and the second table of the encodings ([MS-PST] 5.1), in hexadecimal.
const FIRST: &str = "\
    41361362a8216ebbf416cc047f64e85d1ef2cb2a74c55e35d295479e962d9a884c7d843fdbac31b6485ff6c4d8398be7\
    233b388ec8c1df25b120a546604e9cfbaad35651457c550007c92b9d859b09a08fadb30f63ab894bd7a7155a716642bf\
    264a6b98faea7753b270052cfd593a867ece06eb827857c78d43afb41cd45bcde2e9274fc3087280cfb0eff5286dbe30\
    4d3492d50e3c2232e5e4f99fc2d10a8112e1ee918376e397e6618a1779a4b7dc907a5c8c02a6ca69de501a1193b95287\
    58fced1d37491b6ae0293399bd6cd994f340546ff0c673b8d63e6518441fdd6710f10c19ecae03a1147ba90bfff8a3c0\
    a201f72ebc2468750dfeba2fb5d0da3d\
    ";
const SECOND: &str = "\
    14530f56b3c87a9ceb65481716159f02cc547c83000d0c0ba262a876dbd9edc7c5a4dcac8574d6d0a79bae9a967166c3\
    6399b8dd73928e847da55ed15d93b1575150808952944f4e0a6bbc8d7f6e47464140440111cb033ff7f4e1a98f3c3af9\
    fbf0193082092ec99da08649ee6f4d6dc42d813425871b88aafc06a11238fd4c4272641337246a757743ffe6b44b365c\
    e4d8353d45b92cecb7312b290768a30e697b189e2139be281a5b78f523ca2ab0af3efe048ce7e5983295d3f64ae8a6ea\
    e9f3d52f7020f21f0567ad5510cecde3273bdabad7c226d4911dd21c2233f8faf15aefcf90b68bb5bdc0bf08971e6ce2\
    61e0c6c159abbb58de5fdf60797eb28a\
    ";

//! Outlook mailboxes, PST and OST ([MS-PST]), as a tar archive of mail.
//!
//! Such a file is a database: a header, and two trees of pages. One tree has the nodes, in the
//! order of their numbers; the other contains the offsets of the blocks with their data. Each
//! folder, message and attachment is a node.
//!
//! ```text
//!   header ──► tree of nodes ──► the messages, and the folder of each
//!                 node ──► blocks ──► heap ──► properties ──► mail ──► member of a tar archive
//! ```
//!
//! A node of a message has a number of its type, and names its folder. So a walk along the tree
//! of nodes finds all messages, including those that no folder lists. They are sorted by folder, and then read one
//! after the other: the mail of the properties is the same as the mail of a `.msg` file. All readers of archives know
//! tar.
//!
//! An unreadable message, body or attachment does not affect other messages. The first such message
//! is reported at the end.
//!
//! | module | contains |
//! |---|---|
//! | `header` | the header, and how numbers are written |
//! | `tree` | pages of the two trees |
//! | `scan` | pages of damaged trees, wherever they are |
//! | `store` | pages and blocks by their numbers; how much is read |
//! | `encoding` | the encodings of blocks |
//! | `node` | a heap, and the properties on it |
//! | `message` | messages and attachments by their properties |
//! | `folders` | the paths of folders |
//! | `tar` | headers of a tar archive |

mod encoding;
mod folders;
mod header;
mod message;
mod node;
mod scan;
mod store;
mod tar;
mod tree;

use std::fmt;
use std::io::{self, Cursor, Read, Seek};
use std::marker::PhantomData;

use self::folders::Folders;
use self::store::Store;
use self::tree::NodeEntry;
use crate::mail::Mail;
use crate::text::Text;

pub use self::header::begins;

/// The messages of an Outlook mailbox (PST or OST), as a tar archive of mail.
///
/// A [`Read`]er of that archive, which is not compressed. Each message is a member: its name is the path of its
/// folder, and the number of the message in that, from 1. The mail is written to a `T`, whose sources have no
/// meaning here.
///
/// Takes the memory of one message several times, and 12 bytes or more for each message of the mailbox. At most
/// 192 MiB of a message are read, and 64 MiB of a body or an attachment.
///
/// # Errors
///
/// A message that is damaged loses no other: the reader yields what could be read, and at the
/// end an error of kind [`InvalidData`](io::ErrorKind::InvalidData), which contains the first such message and
/// their number.
pub struct Pst<R, T> {
    store: Store<R>,
    folders: Folders,
    /// The messages that have not been read, in order.
    messages: std::vec::IntoIter<NodeEntry>,
    /// The folder of the message before, its path, and the number of that message.
    folder: Option<(u32, String)>,
    number: u64,
    /// The bytes to yield next: the rest of these.
    header: Cursor<Vec<u8>>,
    data: Cursor<Vec<u8>>,
    padding: Cursor<Vec<u8>>,
    lost: Lost,
    state: State,
    text: PhantomData<fn() -> T>,
}

/// The progress of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first message.
    Before,
    Messages,
    /// The end of the archive is yielded next.
    End,
    /// After the error.
    Done,
}

/// The messages that could not be read.
#[derive(Debug, Default)]
struct Lost {
    /// The reason why the tree of nodes was not read as a whole.
    nodes: Option<io::Error>,
    /// The number of messages that were not read, and the path of the first with the reason.
    messages: u64,
    first: String,
}

impl Lost {
    fn add(&mut self, path: &str, error: &io::Error) {
        if self.messages == 0 {
            self.first = format!("{path}: {error}");
        }
        self.messages += 1;
    }

    fn into_error(self) -> Option<io::Error> {
        let Lost { nodes, messages, first } = self;
        let missing = nodes.map(|why| format!("some messages may be missing: {why}"));
        let partly = match messages {
            0 => None,
            1 => Some(format!("one message was only partly searched: {first}")),
            count => Some(format!("{count} messages were only partly searched, the first of them {first}")),
        };
        let why: Vec<_> = missing.into_iter().chain(partly).collect();
        (!why.is_empty()).then(|| io::Error::new(io::ErrorKind::InvalidData, why.join("; ")))
    }
}

impl<R, T> fmt::Debug for Pst<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pst").field("left", &self.messages.len()).finish_non_exhaustive()
    }
}

impl<R, T> Pst<R, T> {
    /// Returns the input.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.store.input
    }
}

impl<R: Read + Seek, T: Text> Pst<R, T> {
    /// Returns the mailbox in `input`, from its first byte on.
    ///
    /// Costs a few reads. The tree of nodes is read with the first byte.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read, has another header, or declares that it is encrypted with a key.
    pub fn new(input: R) -> io::Result<Self> {
        Ok(Pst {
            store: Store::open(input)?,
            folders: Folders::default(),
            messages: Vec::new().into_iter(),
            folder: None,
            number: 0,
            header: Cursor::default(),
            data: Cursor::default(),
            padding: Cursor::default(),
            lost: Lost::default(),
            state: State::Before,
            text: PhantomData,
        })
    }

    /// Finds all messages.
    fn begin(&mut self) {
        let (mut messages, error) = self.store.messages();
        messages.sort_by_key(|message| (message.parent, message.id));
        (self.messages, self.lost.nodes) = (messages.into_iter(), error);
        self.folders = Folders::new(&mut self.store);
    }

    /// Goes to the next message; `false` after the last.
    fn advance(&mut self) -> bool {
        if self.store.is_spent() && self.messages.len() > 0 {
            self.lost.nodes.get_or_insert(header::damaged("its messages exceed the data limit"));
            return false;
        }
        let Some(message) = self.messages.next() else { return false };
        self.store.begin_message();
        // Free the last message first, because the next one may be as long.
        self.data = Cursor::default();
        let (folder, folder_error) = match self.folder.take() {
            Some((id, path)) if id == message.parent => (path, None),
            _ => {
                self.number = 0;
                self.folders.path(&mut self.store, message.parent)
            }
        };
        self.number += 1;
        let path = format!("{folder}{}.eml", self.number);
        self.folder = Some((message.parent, folder));
        let (mail, error) = Mail::<T, _>::read(&mut self.store, message.place, true);
        if let Some(error) = error.or(folder_error) {
            self.lost.add(&path, &error);
        }
        let mail = mail.into_bytes();
        let len = mail.len();
        self.header = Cursor::new(tar::header(&path, len));
        self.padding = Cursor::new(vec![0; len.next_multiple_of(tar::BLOCK) - len]);
        self.data = Cursor::new(mail);
        true
    }

    /// Continues after the bytes that have been yielded; `false` after the last byte.
    fn step(&mut self) -> io::Result<bool> {
        match self.state {
            State::Before => {
                self.begin();
                self.state = State::Messages;
            }
            State::Messages => {
                if !self.advance() {
                    self.state = State::End;
                    // Without messages, the output is empty.
                    let zeros = if self.number > 0 { 2 * tar::BLOCK } else { 0 };
                    self.padding = Cursor::new(vec![0; zeros]);
                }
            }
            State::End => {
                self.state = State::Done;
                let lost = std::mem::take(&mut self.lost);
                return lost.into_error().map_or(Ok(false), Err);
            }
            State::Done => return Ok(false),
        }
        // An error of the disk or of the caller is not damage to the file.
        match self.store.failure.take() {
            Some(error) => {
                self.state = State::Done;
                Err(error)
            }
            None => Ok(true),
        }
    }
}

impl<R: Read + Seek, T: Text> Read for Pst<R, T> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        loop {
            for pending in [&mut self.header, &mut self.data, &mut self.padding] {
                let len = pending.read(room)?;
                if len > 0 {
                    return Ok(len);
                }
            }
            if !self.step()? {
                return Ok(0);
            }
        }
    }
}

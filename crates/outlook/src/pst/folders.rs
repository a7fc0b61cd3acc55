//! The paths of folders: the node of a folder contains its parent folder.

use std::collections::HashMap;
use std::io::{self, Read, Seek};

use super::header::u32_at;
use super::message::text_of;
use super::node::Node;
use super::store::{MAILBOX, Store};

/// The node of the folder that all others are in.
const ROOT: u32 = 0x122;

/// PidTagDisplayName of a folder, and PidTagIpmSubTreeEntryId of the mailbox: the folder that a user sees as the root.
const NAME: u16 = 0x3001;
const VISIBLE: u16 = 0x35E0;

/// The name of that folder in an OST file, which lacks the entry.
const VISIBLE_NAME: &str = "IPM_SUBTREE";

/// The length of such an entry, and where the number of the node is in it.
const ENTRY: usize = 24;
const ENTRY_NODE: usize = 20;

/// The maximum depth of folders, and the maximum length of a name in characters.
const MAX_DEPTH: usize = 64;
const MAX_NAME_LEN: usize = 255;

/// The number of names that are kept.
const KEPT: usize = 10_000;

/// The folders of a mailbox.
#[derive(Debug, Default)]
pub(super) struct Folders {
    /// The folder that has all that a user sees; its name is not part of a path.
    visible: u32,
    /// The names that have been read, and the folder that each is in.
    known: HashMap<u32, (String, u32)>,
}

impl Folders {
    /// The folders of a mailbox, of which none has been read.
    pub(super) fn new<R: Read + Seek>(store: &mut Store<R>) -> Folders {
        let visible = store.node(MAILBOX).ok().flatten().and_then(|entry| {
            let (node, _) = Node::open(store, entry.place);
            let entry = node.bytes(store, node.property(VISIBLE)?.value).ok()?;
            u32_at(&entry, ENTRY_NODE).filter(|_| entry.len() == ENTRY)
        });
        Folders { visible: visible.unwrap_or(ROOT), known: HashMap::new() }
    }

    /// The path of a folder, with a slash after each name, and why a name of it is not known.
    pub(super) fn path<R: Read + Seek>(
        &mut self,
        store: &mut Store<R>,
        folder: u32,
    ) -> (String, Option<io::Error>) {
        let (mut names, mut error, mut at) = (Vec::new(), None, folder);
        while at != 0 && at != ROOT && at != self.visible && names.len() < MAX_DEPTH {
            if self.known.len() == KEPT {
                self.known.clear();
            }
            let (name, parent) = self.known.entry(at).or_insert_with(|| {
                let (name, parent, why) = read(store, at);
                error = error.take().or(why);
                (name, parent)
            });
            if name == VISIBLE_NAME {
                break;
            }
            names.push(name.clone());
            // The root is its own parent.
            at = if *parent == at { 0 } else { *parent };
        }
        (names.iter().rev().flat_map(|name| [name, "/"]).collect(), error)
    }
}

/// The name of a folder, the folder that it is in, and why its name cannot be read.
fn read<R: Read + Seek>(store: &mut Store<R>, id: u32) -> (String, u32, Option<io::Error>) {
    let (name, parent, error) = match store.node(id) {
        Ok(Some(entry)) => {
            let (node, error) = Node::open(store, entry.place);
            (text_of(store, &node, NAME), entry.parent, error)
        }
        Ok(None) => (None, 0, None),
        Err(error) => (None, 0, Some(error)),
    };
    (name.and_then(|name| clean(&name)).unwrap_or_else(|| format!("{id:#x}")), parent, error)
}

/// A name as a part of a path, if anything is left of it.
fn clean(name: &str) -> Option<String> {
    let clean = |c: char| if c == '/' || c.is_control() { '_' } else { c };
    let name: String = name.trim_end_matches('\0').chars().take(MAX_NAME_LEN).map(clean).collect();
    (!name.is_empty()).then(|| if name == "." || name == ".." { name.replace('.', "_") } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let rows = [
            ("Inbox", Some("Inbox")),
            ("in/out\0", Some("in_out")),
            ("a\nb", Some("a_b")),
            ("..", Some("__")),
            ("", None),
        ];
        for (name, expected) in rows {
            assert_eq!(clean(name).as_deref(), expected);
        }
        // At most 255 characters, whatever their length in bytes.
        for char in ["a", "\u{fc}"] {
            assert_eq!(clean(&char.repeat(255)), Some(char.repeat(255)));
            assert_eq!(clean(&char.repeat(256)), Some(char.repeat(255)));
        }
    }
}

//! `--newest`: the printed matches of the newest messages.
//!
//! Their memory is bounded by `--memory`: beyond that, the oldest messages are dropped, and older
//! messages are no longer added.

use std::collections::BTreeMap;

use super::batch::{Dated, Kept};

/// The printed matches of the newest messages so far.
#[derive(Debug)]
pub struct Newest {
    /// The number of messages that are kept, at most.
    max: usize,
    /// The messages by date; those with the same date are in the order of the input.
    messages: BTreeMap<(i64, MessagePlace), Printed>,
    /// The key of the last match's message.
    last: Option<(i64, MessagePlace)>,
    /// The memory that the matches use, and the limit, in bytes.
    size: usize,
    memory: usize,
    /// The newest message whose matches were dropped for lack of memory.
    left_out: Option<(i64, MessagePlace)>,
}

/// The numbers of a file and of its message, and the start of the record if that is one.
type MessagePlace = (u64, u64, u64);

/// The matches of a message, each with its text.
pub type Printed = Vec<(Kept, Vec<u8>)>;

impl Newest {
    /// Returns an empty collection, which keeps at most `max` messages in that many bytes of
    /// `memory`.
    pub fn new(max: usize, memory: usize) -> Newest {
        Newest { max, messages: BTreeMap::new(), last: None, size: 0, memory, left_out: None }
    }

    /// Adds a match of the file with this number, and its text. One that is in no message is left out.
    pub fn add(&mut self, file: u64, kept: Kept, text: &[u8]) {
        let Some(Dated { message, record, date }) = kept.dated else { return };
        let place = (file, message, record);
        // Keep the first date: a match in an inner message has the inner date, but belongs to the same place.
        let id = self.last.filter(|&(_, last)| last == place).unwrap_or((date, place));
        self.last = Some(id);
        if self.left_out >= Some(id) {
            return;
        }
        self.size += size(&kept, text);
        self.messages.entry(id).or_default().push((kept, text.to_vec()));
        if self.messages.len() > self.max {
            self.remove_oldest();
        }
        while self.size > self.memory {
            // If one message takes all of the memory, its first matches are kept.
            self.left_out = if self.messages.len() > 1 { self.remove_oldest() } else { Some(id) };
            if self.left_out == Some(id) {
                break;
            }
        }
    }

    /// Removes the oldest message; returns its key.
    fn remove_oldest(&mut self) -> Option<(i64, MessagePlace)> {
        let (id, printed) = self.messages.pop_first()?;
        self.size -= printed.iter().map(|(kept, text)| size(kept, text)).sum::<usize>();
        Some(id)
    }

    /// Returns true if matches were dropped for lack of memory.
    pub fn is_incomplete(&self) -> bool {
        self.left_out.is_some()
    }

    /// Returns the matches, starting with the newest message.
    pub fn take(&mut self) -> impl Iterator<Item = Printed> + use<> {
        std::mem::take(&mut self.messages).into_values().rev()
    }
}

/// The bytes that a match takes. A list of matches has room for as many again.
fn size(kept: &Kept, text: &[u8]) -> usize {
    2 * size_of::<(Kept, Vec<u8>)>() + kept.heap(None) + text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_messages_first() {
        let mut newest = Newest::new(2, usize::MAX);
        for ((file, message), date, text) in [
            ((1, 1), 20, "a"),
            ((1, 1), 20, "b"),
            ((1, 2), 30, "c"),
            ((1, 3), 10, "d"),
            ((1, 3), 10, "e"),
            ((2, 3), 30, "f"),
        ] {
            let dated = Some(Dated { message, record: 0, date });
            let kept =
                Kept { end: 0, key: None, messages: message, dated, facts: None, row: None, item: None };
            newest.add(file, kept, text.as_bytes());
        }
        let texts: Vec<Vec<_>> =
            newest.take().map(|printed| printed.into_iter().map(|(_, text)| text).collect()).collect();
        assert_eq!(texts, [[b"f"], [b"c"]]);
        assert!(!newest.is_incomplete());
    }

    /// Beyond it, the oldest messages are left out, and those before them.
    #[test]
    fn memory_is_bounded() {
        let kept = |message, date| {
            let dated = Some(Dated { message, record: 0, date });
            Kept { end: 0, key: None, messages: message, dated, facts: None, row: None, item: None }
        };
        let one = size(&kept(0, 0), b"a");
        let texts = |dates: &[(u64, i64)], memory| {
            let mut newest = Newest::new(usize::MAX, memory);
            for (n, &(message, date)) in dates.iter().enumerate() {
                newest.add(1, kept(message, date), &[b'a' + n as u8]);
                assert!(newest.size <= memory + one);
            }
            let texts: Vec<u8> = newest.take().flatten().flat_map(|(_, text)| text).collect();
            (String::from_utf8(texts).unwrap(), newest.is_incomplete())
        };
        let dates = [(1, 20), (2, 30), (3, 10), (4, 40), (5, 5)];
        assert_eq!(texts(&dates, 5 * one), ("dbace".to_owned(), false));
        assert_eq!(texts(&dates, 3 * one), ("dba".to_owned(), true));
        assert_eq!(texts(&dates, 2 * one), ("db".to_owned(), true));
        // A message that is older than a dropped message is not added, even if memory is left for
        // it.
        assert_eq!(texts(&[(1, 20), (1, 20), (2, 30), (3, 10)], 2 * one), ("c".to_owned(), true));
        // One message takes all of the memory.
        assert_eq!(texts(&[(1, 20), (1, 20), (1, 20), (2, 10)], 2 * one), ("abc".to_owned(), true));
    }
}

//! `--newest`: the printed matches of the newest messages.

use std::collections::BTreeMap;

use super::batch::{Dated, Kept};

/// The printed matches of the newest messages so far.
#[derive(Debug)]
pub struct Newest {
    /// The number of messages that are kept, at most.
    max: usize,
    /// By date, and those of a date in their order.
    messages: BTreeMap<(i64, u64), Printed>,
    /// The file and the message of the last match, and the key of that message.
    last: Option<((u64, u64), (i64, u64))>,
    /// The number of messages so far.
    count: u64,
}

/// The matches of a message, each with its text.
pub type Printed = Vec<(Kept, Vec<u8>)>;

impl Newest {
    /// No messages yet, of which at most `max` are kept.
    pub fn new(max: usize) -> Newest {
        Newest { max, messages: BTreeMap::new(), last: None, count: 0 }
    }

    /// Adds a match of the file with this number, and its text. One that is in no message is left out.
    pub fn add(&mut self, file: u64, kept: Kept, text: &[u8]) {
        let Some(Dated { message, date }) = kept.dated else { return };
        let place = (file, message);
        let id = match self.last {
            Some((last, id)) if last == place => id,
            _ => {
                self.count += 1;
                (date, self.count)
            }
        };
        self.last = Some((place, id));
        self.messages.entry(id).or_default().push((kept, text.to_vec()));
        if self.messages.len() > self.max {
            self.messages.pop_first();
        }
    }

    /// The matches, those of the newest message first.
    pub fn take(&mut self) -> impl Iterator<Item = Printed> + use<> {
        std::mem::take(&mut self.messages).into_values().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_messages_first() {
        let mut newest = Newest::new(2);
        for ((file, message), date, text) in [
            ((1, 1), 20, "a"),
            ((1, 1), 20, "b"),
            ((1, 2), 30, "c"),
            ((1, 3), 10, "d"),
            ((1, 3), 10, "e"),
            ((2, 3), 30, "f"),
        ] {
            let dated = Some(Dated { message, date });
            let kept =
                Kept { end: 0, key: None, messages: message, dated, facts: None, row: None, item: None };
            newest.add(file, kept, text.as_bytes());
        }
        let texts: Vec<Vec<_>> =
            newest.take().map(|printed| printed.into_iter().map(|(_, text)| text).collect()).collect();
        assert_eq!(texts, [[b"f"], [b"c"]]);
    }
}

//! What is printed of a message with each of its matches, and of a URL.

use super::super::hit::Origin;
use super::super::view::View;
use super::urls::Urls;
use super::value::Value;

/// The header fields that are printed, in this order.
const KEYS: [&str; 5] = ["id", "from", "date", "subject", "newsgroups"];

/// The header fields of the message of the last match, as they are printed.
///
/// To decode them for each match would take longer than to find it.
#[derive(Debug, Default)]
pub struct Memo {
    /// The address and length of the head.
    head: Option<(usize, usize)>,
    values: [Option<String>; KEYS.len()],
    /// The same as members of a JSON object.
    json: Vec<u8>,
    /// Memory for a value.
    pub text: Vec<u8>,
    pub urls: Urls,
}

impl Memo {
    /// Forgets the message. This must be called before its memory is reused.
    pub fn clear(&mut self) {
        self.head = None;
    }

    /// Reads the fields of the message of a match, if it is not that of the last call.
    pub fn read(&mut self, view: &View<'_>) {
        let Origin::Archive(matched) = view.hit.origin else { return };
        let Some(envelope) = matched.text().envelope() else { return };
        let head = envelope.as_bytes();
        let head = Some((head.as_ptr().addr(), head.len()));
        if self.head == head {
            return;
        }
        let spelled = |field: Option<String>| field.map(|field| view.spelling.of_text(field));
        self.head = head;
        self.values = [
            spelled(envelope.id()),
            spelled(envelope.from()),
            envelope.date(),
            spelled(envelope.subject()),
            spelled(envelope.newsgroups()),
        ];
        self.json.clear();
        for (key, value) in KEYS.iter().zip(&self.values) {
            self.json.extend_from_slice(b",\"");
            self.json.extend_from_slice(key.as_bytes());
            self.json.extend_from_slice(b"\":");
            Value::text(value.as_deref()).write_json(&mut self.json);
        }
    }

    /// The value of the field of this number.
    pub fn value(&self, number: usize) -> Option<&str> {
        self.values[number].as_deref()
    }

    /// All fields as members of a JSON object, each after a comma.
    pub fn json(&self) -> &[u8] {
        &self.json
    }
}

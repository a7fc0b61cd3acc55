//! `--json`: JSON Lines.
//!
//! An object is written directly into the output: to print most matches takes longer than to
//! find them.

use std::mem;

use crate::sheet::Sheet;
use crate::values::{
    AFTER_REASON, Field, GRADE, MessageMemo, OF_ENVELOPE, OF_MATCH, OF_MESSAGE, OF_PART, OF_PLACE, OF_REASON,
    OF_RECORD, OF_URL, Value, Values, WARNINGS,
};
use crate::view::View;

/// What is remembered from match to match.
#[derive(Debug, Default)]
pub struct Memo {
    /// The message of the last match.
    pub message: MessageMemo,
    urls: Urls,
}

impl Memo {
    /// Forgets the message. This must be called before its memory is reused.
    pub fn clear(&mut self) {
        self.message.clear();
    }
}

/// Prints a match.
pub fn print(out: &mut Sheet, view: &View<'_>, memo: &mut Memo) {
    memo.message.read(view);
    let mut url = memo.urls.take(view);
    let values = &Values::new(view, &memo.message);
    if url.is_empty() {
        url.write(values);
    }
    let [members, grade, warnings] = url.parts();
    let start = out.text.len();
    write_members(out, values, OF_PLACE);
    // Instead of the comma before the first member.
    out.text[start] = b'{';
    out.text.extend_from_slice(members);
    write_members(out, values, OF_MATCH);
    out.text.extend_from_slice(grade);
    write_members(out, values, AFTER_REASON);
    match view.hit.shows_another_host() {
        true => write_members(out, values, WARNINGS),
        false => out.text.extend_from_slice(warnings),
    }
    out.text.extend_from_slice(b",\"message\":");
    write_message(out, values);
    write_members(out, values, view.requested.fields());
    if let Some(context) = view.context {
        out.text.extend_from_slice(b",\"context\":");
        Value::List(context.lines().map(|(_, line)| line.into()).collect()).write_json(out);
    }
    out.text.extend_from_slice(b"}\n");
    memo.urls.put(url);
}

/// Writes the message that contains a match; null outside of messages. A record of a web archive
/// has the keys of mail, and its own.
fn write_message(out: &mut Sheet, values: &Values<'_>) {
    if values.in_message().is_none() {
        return out.text.extend_from_slice(b"null");
    }
    let start = out.text.len();
    write_members(out, values, OF_MESSAGE);
    match values.envelope_json() {
        Some(envelope) => out.text.extend_from_slice(envelope),
        None => write_members(out, values, OF_ENVELOPE),
    }
    write_members(out, values, OF_PART);
    if values.record().is_some() {
        write_members(out, values, OF_RECORD);
    }
    close_object(out, start);
}

/// Writes fields as members of an object, each after a comma.
fn write_members(out: &mut Sheet, values: &Values<'_>, fields: impl IntoIterator<Item = &'static Field>) {
    for field in fields {
        out.text.extend_from_slice(field.json.as_bytes());
        (field.value)(values).write_json(out);
    }
}

/// Ends the object whose first member, after a comma, is at `start`.
fn close_object(out: &mut Sheet, start: usize) {
    out.text[start] = b'{';
    out.text.push(b'}');
}

/// How many URLs are remembered.
const URLS: usize = 256;

/// The length of the longest URL that is remembered, in bytes.
const MAX_URL: usize = 512;

/// The URLs that were printed last. Each has one place; the next one there replaces it.
///
/// Most messages of a list have the same links in their footer: in a large archive more than half of the
/// matches are of one of the few hundred URLs before. To take these apart and to grade them takes a
/// quarter of the time of a match.
#[derive(Debug, Default)]
struct Urls(Vec<UrlJson>);

/// What is printed of a URL, whichever of its matches it is.
#[derive(Debug, Default)]
struct UrlJson {
    /// The URL with its scheme, and the length of that if it is implied.
    href: Vec<u8>,
    implied: usize,
    json: Sheet,
    /// Where its [parts](Self::parts) but the last one end.
    ends: [usize; 2],
}

impl Urls {
    /// Removes what is remembered of the URL of a match; [empty](UrlJson::is_empty) if it is nothing.
    pub fn take(&mut self, view: &View<'_>) -> UrlJson {
        let matched = view.hit.matched();
        let href = matched.href();
        let implied = href.len() - matched.as_bytes().len();
        if self.0.is_empty() {
            self.0.resize_with(URLS, UrlJson::default);
        }
        let mut url = mem::take(&mut self.0[place(&href)]);
        if url.href != *href || url.implied != implied {
            url.json.clear();
            url.href.clear();
            url.href.extend_from_slice(&href);
            url.implied = implied;
        }
        url
    }

    /// Remembers a URL.
    pub fn put(&mut self, url: UrlJson) {
        if url.href.len() <= MAX_URL {
            let place = place(&url.href);
            self.0[place] = url;
        }
    }
}

/// The place of a URL.
fn place(url: &[u8]) -> usize {
    let mix = |hash: u64, eight: &[u8; 8]| {
        (hash.rotate_left(5) ^ u64::from_le_bytes(*eight)).wrapping_mul(0x517C_C1B7_2722_0A95)
    };
    let (words, _) = url.as_chunks();
    let hash = words.iter().chain(url.last_chunk()).fold(url.len() as u64, mix);
    (hash >> 32) as usize % URLS
}

impl UrlJson {
    /// Whether nothing has been written.
    fn is_empty(&self) -> bool {
        self.json.text.is_empty()
    }

    fn write(&mut self, values: &Values<'_>) {
        let json = &mut self.json;
        write_members(json, values, OF_URL);
        self.ends[0] = json.text.len();
        write_members(json, values, GRADE);
        json.text.extend_from_slice(b",\"reason\":");
        let start = json.text.len();
        match values.reason() {
            Some(_) => {
                write_members(json, values, OF_REASON);
                close_object(json, start);
            }
            None => json.text.extend_from_slice(b"null"),
        }
        self.ends[1] = json.text.len();
        json.text.extend_from_slice(b",\"warnings\":");
        Value::of_warnings(values.view.hit.matched().warnings()).write_json(json);
    }

    /// What the URL is; the grade and its reason; the warnings.
    fn parts(&self) -> [&[u8]; 3] {
        let [grade, warnings] = self.ends;
        let text = &self.json.text;
        [&text[..grade], &text[grade..warnings], &text[warnings..]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hit::{Hit, HyphenDecision, Origin};
    use crate::values;
    use crate::view::{Base, Requested};

    /// Except the fields of messages, which not every match has.
    #[test]
    fn fields_are_the_keys_of_json() {
        let matched = urlgrep::find("http://h.org/~me").unwrap();
        let view = View {
            base: Base { name: "-".as_ref(), offset: 0 },
            hit: Hit { origin: Origin::Text(&matched), decision: Some(HyphenDecision::ByRule) },
            context: None,
            spelling: Default::default(),
            requested: Requested { hyphen: true, unwrapped: true },
        };
        let mut names = Vec::new();
        let mut line = Sheet::default();
        print(&mut line, &view, &mut Memo::default());
        let object: serde_json::Value = serde_json::from_slice(&line.text).unwrap();
        for (key, value) in object.as_object().unwrap() {
            match value.as_object() {
                Some(parts) => names.extend(parts.keys().map(|part| format!("{key}.{part}"))),
                None => names.push(key.clone()),
            }
        }
        let fields = values::all().map(|field| field.name);
        let fields: Vec<_> = fields.filter(|name| !name.starts_with("message.")).collect();
        names.retain(|name| name != "message");
        assert_eq!(names, fields);
    }
}

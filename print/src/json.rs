//! `--json`: JSON Lines.
//!
//! An object is written directly into the output: to print most matches takes longer than to
//! find them.

use std::mem;
use std::ops::Range;
use std::sync::LazyLock;

use urlgrep::{Field, Head, Row, Scope};

use crate::sheet::Sheet;
use crate::spelling::Spelling;
use crate::values::{write_json, write_list, write_string};
use crate::view::View;

/// What is remembered from match to match.
#[derive(Debug, Default)]
pub struct Memo {
    /// The head of the message of the last match.
    pub head: Head,
    /// What was printed of it.
    head_json: Vec<u8>,
    urls: Urls,
}

impl Memo {
    /// Forgets the message. This must be called before its memory is reused.
    pub fn clear(&mut self) {
        self.head.clear();
    }
}

/// Fields that are printed in one go.
#[derive(Debug)]
enum Step {
    /// Members, one after the other.
    Members(Vec<Member>),
    /// Those of the head of a message.
    Head(Vec<Member>),
    /// Those of a record of a web archive.
    Record(Vec<Member>),
    /// An object, after what is written before it.
    Object(&'static str, Vec<u8>, Vec<Step>),
    /// What is the same for all matches of a URL, and the number under which it is remembered.
    Url(usize, Box<Step>),
    /// What is that outside of links.
    UrlOutsideLinks(usize, Box<Step>),
}

/// A field, after what is written before its value: a comma and the key.
#[derive(Debug)]
struct Member(Vec<u8>, &'static Field);

impl Member {
    fn new(field: &'static Field) -> Self {
        Member(key(field.key()), field)
    }
}

/// What is written before a value.
fn key(name: &str) -> Vec<u8> {
    format!(",\"{name}\":").into_bytes()
}

/// The fields that every match has.
static STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| {
    let fields: Vec<_> = urlgrep::fields().iter().filter(|field| field.is_usual()).collect();
    let runs: Vec<_> = fields.chunk_by(|a, b| (a.object(), a.scope()) == (b.object(), b.scope())).collect();
    let objects = runs.chunk_by(|a, b| a[0].object().is_some() && a[0].object() == b[0].object());
    objects.enumerate().map(|(number, runs)| of_object(number, runs)).collect()
});

/// The step of this number: an object, which has these runs of fields; of no object, one run.
fn of_object(number: usize, runs: &[&[&'static Field]]) -> Step {
    let of_run = |run: &&[&'static Field]| {
        let members = run.iter().map(|field| Member::new(field)).collect();
        match run[0].scope() {
            Scope::Head => Step::Head(members),
            Scope::Record => Step::Record(members),
            _ => Step::Members(members),
        }
    };
    let step = match runs[0][0].object() {
        Some(name) => Step::Object(name, key(name), runs.iter().map(of_run).collect()),
        None => of_run(&runs[0]),
    };
    match runs[0][0].scope() {
        Scope::Url => Step::Url(number, Box::new(step)),
        Scope::UrlOutsideLinks => Step::UrlOutsideLinks(number, Box::new(step)),
        _ => step,
    }
}

/// Prints a match.
pub fn print(out: &mut Sheet, view: &View<'_>, memo: &mut Memo) {
    let Memo { head, head_json, urls } = memo;
    if head.read(view.hit.matched) {
        head_json.clear();
    }
    let start = out.text.len();
    let (row, url, in_link) = (&view.row(head), urls.take(view), view.hit.is_in_attribute());
    let mut writer = Writer { out, row, spelling: view.spelling, head_json, url, in_link };
    STEPS.iter().for_each(|step| writer.step(step));
    let requested = view.requested.fields().filter(|field| !field.is_usual());
    requested.for_each(|field| writer.member(&Member::new(field)));
    urls.put(writer.url);
    // Instead of the comma before the first member.
    out.text[start] = b'{';
    if let Some(context) = view.context {
        out.text.extend_from_slice(b",\"context\":");
        let lines: Vec<_> = context.lines().map(|(_, line)| line).collect();
        write_list(&mut out.text, &lines, |out, line| write_string(out, line));
    }
    out.text.extend_from_slice(b"}\n");
}

/// What writes the members of an object.
struct Writer<'w> {
    out: &'w mut Sheet,
    row: &'w Row<'w>,
    spelling: Spelling,
    head_json: &'w mut Vec<u8>,
    url: UrlJson,
    /// Whether the match is in a link.
    in_link: bool,
}

impl Writer<'_> {
    fn step(&mut self, step: &Step) {
        match step {
            Step::Members(members) => members.iter().for_each(|member| self.member(member)),
            Step::Record(members) if self.row.record().is_none() => {}
            Step::Record(members) => members.iter().for_each(|member| self.member(member)),
            Step::Head(members) => self.head(members),
            Step::Object(name, key, steps) => self.object(name, key, steps),
            Step::UrlOutsideLinks(_, step) if self.in_link => self.step(step),
            Step::Url(number, step) | Step::UrlOutsideLinks(number, step) => self.of_url(*number, step),
        }
    }

    fn member(&mut self, Member(key, field): &Member) {
        self.out.text.extend_from_slice(key);
        write_json(self.out, field.value(self.row), self.spelling);
    }

    fn object(&mut self, name: &str, key: &[u8], steps: &[Step]) {
        let text = &mut self.out.text;
        text.extend_from_slice(key);
        if !self.row.has_object(name) {
            return text.extend_from_slice(b"null");
        }
        let start = text.len();
        steps.iter().for_each(|step| self.step(step));
        self.out.text[start] = b'{';
        self.out.text.push(b'}');
    }

    /// Writes the fields of a head, which are decoded and escaped once for all matches in its message. Those of a
    /// record are its own.
    fn head(&mut self, members: &[Member]) {
        if self.row.record().is_some() {
            return members.iter().for_each(|member| self.member(member));
        }
        if self.head_json.is_empty() {
            let start = self.out.text.len();
            members.iter().for_each(|member| self.member(member));
            return self.head_json.extend_from_slice(&self.out.text[start..]);
        }
        self.out.text.extend_from_slice(self.head_json);
    }

    fn of_url(&mut self, number: usize, step: &Step) {
        if let Some(part) = self.url.part(number) {
            return self.out.text.extend_from_slice(part);
        }
        let start = self.out.text.len();
        self.step(step);
        self.url.remember(number, &self.out.text[start..]);
    }
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
    json: Vec<u8>,
    /// Where the text of each step is; empty if it has not been written.
    parts: Vec<Range<usize>>,
}

impl Urls {
    /// Removes what is remembered of the URL of a match, which may be nothing.
    pub fn take(&mut self, view: &View<'_>) -> UrlJson {
        let matched = view.hit.matched;
        let href = matched.href();
        let implied = href.len() - matched.as_bytes().len();
        if self.0.is_empty() {
            self.0.resize_with(URLS, UrlJson::default);
        }
        let mut url = mem::take(&mut self.0[place(&href)]);
        if url.href != *href || url.implied != implied {
            url.json.clear();
            url.parts.clear();
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
    /// The text of a step, if it has been written.
    fn part(&self, step: usize) -> Option<&[u8]> {
        let part = self.parts.get(step).filter(|part| !part.is_empty())?;
        Some(&self.json[part.clone()])
    }

    /// Remembers the text of a step.
    fn remember(&mut self, step: usize, text: &[u8]) {
        let start = self.json.len();
        self.json.extend_from_slice(text);
        self.parts.resize(self.parts.len().max(step + 1), 0..0);
        self.parts[step] = start..self.json.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hit::{Hit, HyphenDecision};
    use crate::view::{Base, Requested};

    /// Except the fields of messages, which not every match has.
    #[test]
    fn fields_are_the_keys_of_json() {
        let matched = urlgrep::find("http://h.org/~me").unwrap();
        let view = View {
            base: Base { name: "-".as_ref(), offset: 0 },
            hit: Hit { matched: &matched, decision: Some(HyphenDecision::ByRule) },
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
        let fields = view.requested.fields().map(|field| field.name());
        let fields: Vec<_> = fields.filter(|name| !name.starts_with("message.")).collect();
        names.retain(|name| name != "message");
        assert_eq!(names, fields);
    }
}

//! The records that show when something was written and by whom: JSON objects, and where in them a string is.
//!
//! [`json`] splits a source into strings without considering their context. This module finds the
//! context, for a source with a match. A value counts only if it begins and ends a line, because a
//! piece of a longer value does not show its context, and damage hides it.

use std::ops::Range;

use memchr::memchr;

use super::json::{self, is_word, string_end, word_len};

/// The maximum depth of nested arrays and objects. A deeper value has no records and no paths.
pub(crate) const MAX_DEPTH: usize = 256;

/// The length of the longest path and of the longest value of a record's key, in bytes: they are
/// repeated with each match.
pub(crate) const MAX_REPEATED: usize = 1024;

/// A range of a source; may be empty. Offsets fit into 32 bits, because sources are at most 4 GiB
/// long, and many ranges may be kept.
pub(crate) type Span = (u32, u32);

pub(crate) fn range(span: Span) -> Range<usize> {
    span.0 as usize..span.1 as usize
}

/// The way in which a kind of text writes records.
#[derive(Debug)]
pub(crate) struct RecordNotation {
    /// Reads the records of a text with the kept keys.
    pub(crate) read: for<'k> fn(&[u8], &'k [Box<str>]) -> SourceRecords<'k>,
    /// Returns true if a record may be in several lines of a text that begins with these bytes, so that its lines are
    /// not read separately.
    pub(crate) is_whole: fn(&[u8]) -> bool,
    /// Decodes the text of a value.
    pub(crate) text: fn(&[u8]) -> Vec<u8>,
}

pub(crate) static JSON: RecordNotation = RecordNotation { read, is_whole: is_long_value, text };

/// The facts that a record declares about itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// The day and the time, `2024-05-06 10:11:12`, if they are not in one place of the source.
    pub(crate) day_and_time: Option<Box<str>>,
    pub(crate) date: Span,
    pub(crate) author: Span,
    /// The name in an object that describes an author.
    name: Span,
    has_text: bool,
    /// The values of the kept keys, if any.
    pub(crate) kept: Vec<Span>,
}

impl Facts {
    /// The facts of a record with this author.
    pub(crate) fn by(author: Span) -> Facts {
        Facts { author, ..Facts::default() }
    }

    /// Records the member `key`. Numbers are dates, not texts.
    pub(crate) fn note(&mut self, key: &[u8], value: Span, is_text: bool, source: &[u8], keep: &[Box<str>]) {
        if let Some(n) = keep.iter().position(|wanted| wanted.as_bytes() == key) {
            self.kept.resize(keep.len(), (0, 0));
            self.kept[n] = value;
        }
        let first = |place: &mut Span| *place = if place.1 == 0 { value } else { *place };
        match key {
            b"date" | b"time" | b"ts" | b"timestamp" | b"timestamp_ms" | b"startedDateTime" | b"created"
            | b"created_at" | b"created_utc" | b"published" | b"CreationDate"
                if may_be_date(&source[range(value)]) =>
            {
                first(&mut self.date);
            }
            _ if is_author(key) && is_text => first(&mut self.author),
            b"name" => first(&mut self.name),
            _ => self.has_text |= is_text,
        }
    }

    /// Records the object `key`, which may describe the author.
    pub(crate) fn note_author(&mut self, key: &[u8], object: &Facts) {
        if self.author.1 == 0 && is_author(key) {
            self.author = object.name;
        }
    }

    /// Returns true if it is a record: a date by itself may belong to anything.
    pub(crate) fn is_record(&self) -> bool {
        self.date.1 > 0 && (self.has_text || self.author.1 > 0) || !self.kept.is_empty()
    }
}

fn is_author(key: &[u8]) -> bool {
    matches!(
        key,
        b"from" | b"author" | b"user" | b"sender" | b"sender_name" | b"by" | b"username" | b"address"
    )
}

/// Returns true if a value is as long as a time, and begins with a digit, or with a weekday and a
/// comma. A duration is shorter.
fn may_be_date(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    let is_weekday = |day: &[u8; 4]| day[..3].iter().all(u8::is_ascii_alphabetic) && b", ".contains(&day[3]);
    let begins = value.first().is_some_and(u8::is_ascii_digit) || value.first_chunk().is_some_and(is_weekday);
    begins && value.iter().take_while(|&&b| b != b'.').count() >= 9
}

/// A record: an object with a date, or with a key that is kept.
#[derive(Debug)]
pub(crate) struct SourceRecord {
    pub(crate) span: Span,
    pub(crate) facts: Facts,
}

/// The records and the complete values of a source.
#[derive(Debug, Default)]
pub(crate) struct SourceRecords<'k> {
    /// The keys that are kept.
    keep: &'k [Box<str>],
    /// The records; an inner record precedes the one that contains it.
    pub(crate) records: Vec<SourceRecord>,
    /// The complete values, in order.
    pub(crate) values: Vec<Span>,
}

/// An array or an object that has not ended.
#[derive(Debug, Default)]
struct OpenValue {
    start: usize,
    is_array: bool,
    /// The number of commas so far.
    index: usize,
    /// The key of the value that is next or that was last; its quotation marks are not part of it.
    key: Span,
    has_key: bool,
    has_value: bool,
    facts: Facts,
}

/// The state of reading a source.
#[derive(Debug, Default)]
pub(crate) struct MemberWalk {
    at: usize,
    /// The offset at which the last lexeme begins.
    lexeme: usize,
    open: Vec<OpenValue>,
}

/// The values of a source that begin and end a line, and the members in them.
fn read<'k>(source: &[u8], keep: &'k [Box<str>]) -> SourceRecords<'k> {
    let (mut walk, mut members) = (MemberWalk::default(), SourceRecords { keep, ..SourceRecords::default() });
    while let Some(start) = walk.next_line(source) {
        let before = members.records.len();
        let is_closed = walk.value(source, &mut members).is_some();
        let line_end = memchr(b'\n', &source[walk.at..]).map_or(source.len(), |n| walk.at + n);
        match is_closed && source[walk.at..line_end].trim_ascii().is_empty() {
            true => members.values.push((start as u32, walk.at as u32)),
            false => members.records.truncate(before),
        }
        walk.open.clear();
        walk.at = line_end;
    }
    members
}

/// The length of the longest first line of a value of several lines. Output for people begins with
/// a short one.
const MAX_FIRST_LINE: usize = 4096;

/// Returns true if `bytes` begin with a line in which a value begins that continues after it. A damaged value
/// does not.
pub(crate) fn is_long_value(bytes: &[u8]) -> bool {
    let Some(end) = memchr(b'\n', &bytes[..bytes.len().min(MAX_FIRST_LINE)]) else { return false };
    let (line, mut walk) = (bytes[..end].trim_ascii_end(), MemberWalk::default());
    matches!(line.first(), Some(b'{' | b'['))
        && walk.value(line, &mut SourceRecords::default()).is_none()
        && walk.at == line.len()
}

impl MemberWalk {
    /// Moves to the bracket at the start of the next line that begins with one.
    fn next_line(&mut self, source: &[u8]) -> Option<usize> {
        loop {
            self.skip_blank(source);
            if matches!(source.get(self.at)?, b'{' | b'[') {
                return Some(self.at);
            }
            self.at += memchr(b'\n', &source[self.at..])?;
        }
    }

    /// Reads the value at the current bracket; `None` if it does not end, or is damaged.
    fn value(&mut self, source: &[u8], members: &mut SourceRecords<'_>) -> Option<()> {
        self.step(source, members)?;
        while !self.open.is_empty() {
            self.step(source, members)?;
        }
        Some(())
    }

    fn skip_blank(&mut self, source: &[u8]) {
        while source.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Reads a lexeme, a key with its colon.
    fn step(&mut self, source: &[u8], members: &mut SourceRecords<'_>) -> Option<()> {
        self.skip_blank(source);
        let at = self.at;
        self.lexeme = at;
        let first = *source.get(at)?;
        self.at = match first {
            b'"' => string_end(source, at + 1)?,
            b'{' | b'}' | b'[' | b']' | b',' => at + 1,
            _ => at + Some(word_len(&source[at..])).filter(|&len| is_word(&source[at..at + len]))?,
        };
        let value = (at as u32, self.at as u32);
        match (first, self.open.last_mut()) {
            (b'{' | b'[', parent) => {
                if parent.is_some_and(|parent| !parent.may_have_value()) || self.open.len() == MAX_DEPTH {
                    return None;
                }
                self.open.push(OpenValue { start: at, is_array: first == b'[', ..OpenValue::default() });
            }
            (b'}' | b']', Some(open)) if open.is_array == (first == b']') => self.close(source, members),
            (b',', Some(open)) if open.has_value => {
                (open.index, open.has_key, open.has_value) = (open.index + 1, false, false);
            }
            (b'"', Some(open)) if !open.is_array && !open.has_key => {
                (open.key, open.has_key) = ((value.0 + 1, value.1 - 1), true);
                self.skip_blank(source);
                self.at += source.get(self.at).filter(|&&b| b == b':').map(|_| 1)?;
            }
            (b'}' | b']' | b',', _) => return None,
            (_, Some(open)) if open.may_have_value() => {
                open.has_value = true;
                if !open.is_array {
                    open.facts.note(&source[range(open.key)], value, first == b'"', source, members.keep);
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Ends the innermost array or object.
    fn close(&mut self, source: &[u8], members: &mut SourceRecords<'_>) {
        let Some(OpenValue { start, facts, .. }) = self.open.pop() else { return };
        if let Some(parent) = self.open.last_mut() {
            parent.has_value = true;
            parent.facts.note_author(&source[range(parent.key)], &facts);
        }
        if facts.is_record() {
            members.records.push(SourceRecord { span: (start as u32, self.at as u32), facts });
        }
    }

    /// The path of the string at `at`, in the value that begins at `start`, in jq's notation.
    pub(crate) fn path(&mut self, source: &[u8], start: usize, at: usize) -> Option<String> {
        if self.lexeme > at || self.lexeme < start || self.open.is_empty() {
            *self = MemberWalk { at: start, ..MemberWalk::default() };
        }
        // The lexeme of another match in the same string has been read.
        while self.at <= at {
            self.step(source, &mut SourceRecords::default())?;
        }
        let mut path = String::new();
        for open in &self.open {
            let key = &source[range(open.key)];
            let is_plain = |key: &[u8]| key.iter().all(|&b| b.is_ascii_alphanumeric() || b == b'_');
            let dot = if path.is_empty() { "." } else { "" };
            path += &match open.is_array {
                true => format!("{dot}[{}]", open.index),
                false if is_plain(key) && !key.first().is_none_or(u8::is_ascii_digit) => {
                    format!(".{}", String::from_utf8_lossy(key))
                }
                false => format!(".\"{}\"", String::from_utf8_lossy(key)),
            };
            if path.len() > MAX_REPEATED {
                return None;
            }
        }
        Some(path)
    }
}

impl OpenValue {
    fn may_have_value(&self) -> bool {
        !self.has_value && (self.is_array || self.has_key)
    }
}

/// The text of a string or of another value.
fn text(value: &[u8]) -> Vec<u8> {
    let inside = value.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    inside.map_or_else(|| value.to_vec(), |inside| json::string(inside, false).bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<(&str, &str)> {
        let text = |span| &source[range(span)];
        read(source.as_bytes(), &[])
            .records
            .iter()
            .map(|found| (text(found.facts.date), text(found.facts.author)))
            .collect()
    }

    #[test]
    fn records() {
        assert_eq!(
            found(r#"{"user":"U1","ts":"1672653600.000100","text":"a"}"#),
            [("\"1672653600.000100\"", "\"U1\"")]
        );
        assert_eq!(found(r#"{"by":"a","time":1175714200}"#), [("1175714200", "\"a\"")]);
        // The author is an object, and comes last.
        let discord = r#"{"timestamp":"2020-01-02T10:11:12Z","content":"x","author":{"id":"1","name":"a"}}"#;
        assert_eq!(found(discord), [("\"2020-01-02T10:11:12Z\"", "\"a\"")]);
        // A name in another object is not the author's.
        let other =
            r#"{"timestamp":"2020-01-02T10:11:12Z","to":{"id":"1","name":"a"},"author":{"name":"b"}}"#;
        assert_eq!(found(other), [("\"2020-01-02T10:11:12Z\"", "\"b\"")]);
        let deep = |depth| {
            ["{\"by\":\"a\",\"time\":1175714200,\"x\":", &"[".repeat(depth), &"]".repeat(depth), "}"].concat()
        };
        assert_eq!(found(&deep(MAX_DEPTH - 1)), [("1175714200", "\"a\"")]);
        assert_eq!(found(&deep(MAX_DEPTH)), []);
        // A duration; only a date; a value that is not on its own line; damage.
        for no in [
            r#"{"time":50.3,"text":"a"}"#,
            r#"{"time":1175714200}"#,
            r#"{"by":"a","time":1175714200},"#,
            "{\"by\":\"a\",\"time\":1175714200",
            "{\"by\":\"a\" \"time\":1175714200}",
            "{\"by\":\"a\n\",\"time\":1175714200}",
        ] {
            assert_eq!(found(no), [], "{no}");
        }
        let lines = "{\"by\":\"a\"\n}]\n{\"by\":\"b\",\"time\":1175714200}\n";
        assert_eq!(found(lines), [("1175714200", "\"b\"")]);
    }

    #[test]
    fn values_of_several_lines() {
        for (text, is_long) in [
            ("{\n\"a\": 1}\n", true),
            ("[ \r\n", true),
            ("{\"a\": {\"b\": [1,\n", true),
            ("{\"a\": 1}\n", false),
            // Damaged or truncated, without a complete line; a long line is not written for people.
            ("{\"a\" 1\n", false),
            ("{\"a\": \"b\n", false),
            ("{\"a\": [", false),
            ("\"a\"\n", false),
        ] {
            assert_eq!(is_long_value(text.as_bytes()), is_long, "{text}");
        }
        assert!(is_long_value(format!("[{}\n", " ".repeat(MAX_FIRST_LINE - 2)).as_bytes()));
        assert!(!is_long_value(format!("[{},\n", "1,".repeat(MAX_FIRST_LINE)).as_bytes()));
    }

    #[test]
    fn paths() {
        let source = r#"{"a":{"b-c":["x",{"d":["y","z"]}]},"1":"u"}"#;
        let mut walk = MemberWalk::default();
        for (text, path) in [
            ("x", ".a.\"b-c\"[0]"),
            ("y", ".a.\"b-c\"[1].d[0]"),
            ("z", ".a.\"b-c\"[1].d[1]"),
            ("u", ".\"1\""),
        ] {
            let at = source.find(&format!("\"{text}\"")).unwrap() + 1;
            assert_eq!(walk.path(source.as_bytes(), 0, at).as_deref(), Some(path));
        }
        // Back again, in an array.
        assert_eq!(walk.path(source.as_bytes(), 0, 14).as_deref(), Some(".a.\"b-c\"[0]"));
        assert_eq!(MemberWalk::default().path(br#"["a",{"b":"c"}]"#, 0, 12).as_deref(), Some(".[1].b"));
        // Two matches in a string: the second one continues the path of the first.
        let at = source.find("\"z\"").unwrap();
        let twice = [at + 1, at + 2].map(|at| (walk.path(source.as_bytes(), 0, at), walk.lexeme));
        assert_eq!(twice[0], (Some(".a.\"b-c\"[1].d[1]".to_owned()), at));
        assert_eq!(twice[0], twice[1]);
        let deep = "[".repeat(300) + "\"a\"" + &"]".repeat(300);
        assert!(read(deep.as_bytes(), &[]).values.is_empty());
    }

    /// The longest path, with the dot before its key, and one byte more.
    #[test]
    fn long_paths() {
        for (len, has_path) in [(MAX_REPEATED - 1, true), (MAX_REPEATED, false)] {
            let key = "k".repeat(len);
            let source = format!("{{\"{key}\":\"x\"}}");
            let path = MemberWalk::default().path(source.as_bytes(), 0, source.len() - 3);
            assert_eq!(path, has_path.then(|| format!(".{key}")), "{len}");
        }
    }

    /// A value is a number or a word of JSON, in every place of a record.
    #[test]
    fn values_that_are_no_json() {
        for (value, is_read) in [
            ("1", true),
            ("-1.5e3", true),
            ("true", true),
            ("false", true),
            ("null", true),
            ("\"x\"", true),
            ("{}", true),
            ("[1,null]", true),
            ("@", false),
            ("x y", false),
            ("'x'", false),
            ("<b>", false),
            ("[1,@]", false),
            ("{@:1}", false),
        ] {
            for text in [
                format!("{{\"by\":\"a\",\"time\":1175714200,\"x\":{value}}}"),
                format!("{{\"x\":{value},\"by\":\"a\",\"time\":1175714200}}"),
            ] {
                let expected = is_read.then_some(("1175714200", "\"a\""));
                assert_eq!(found(&text), Vec::from_iter(expected), "{text}");
            }
        }
    }
}

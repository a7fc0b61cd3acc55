//! `--json`: JSON Lines.
//!
//! An object is written directly into the output: to print most matches takes longer than to
//! find them.

use std::ops::RangeFrom;

use urlgrep::table::{Field, Scope};

use crate::columns::Columns;
use crate::memo::{Memo, Writer};
use crate::sheet::Sheet;
use crate::values::{write_json, write_list, write_string};
use crate::view::View;

/// Objects with some fields.
#[derive(Debug)]
pub struct Objects(Vec<Step>);

/// Fields that are printed in one go.
#[derive(Debug)]
enum Step {
    /// Members, one after the other.
    Members(Vec<Member>),
    /// Members of a message header, and the number under which they are cached.
    Head(usize, Vec<Member>),
    /// Members of a web archive record.
    Record(Vec<Member>),
    /// An object, after the text before it.
    Object(&'static str, Vec<u8>, Vec<Step>),
    /// A step that is the same for all matches of a URL, and the number under which it is cached.
    Url(usize, Box<Step>),
}

/// A field, after the text before its value: a comma and the key.
#[derive(Debug)]
struct Member(Vec<u8>, &'static Field);

/// Returns the text before a value.
fn key(name: &str) -> Vec<u8> {
    let mut key = vec![b','];
    write_string(&mut key, name.as_bytes());
    key.push(b':');
    key
}

impl Objects {
    /// Objects with these fields as members. Members of an inner object are at the position of the
    /// first of them.
    pub fn new(columns: &Columns) -> Objects {
        let mut fields: Vec<&Field> = Vec::new();
        for field in columns.fields() {
            let beside = |object| fields.iter().rposition(|other| other.object() == Some(object));
            let last = field.object().and_then(beside);
            fields.insert(last.map_or(fields.len(), |last| last + 1), field);
        }
        let runs = fields.chunk_by(|a, b| (a.object(), a.scope()) == (b.object(), b.scope()));
        let runs: Vec<_> = runs.collect();
        let objects = runs.chunk_by(|a, b| a[0].object().is_some() && a[0].object() == b[0].object());
        let mut numbers = 0..;
        Objects(objects.map(|runs| of_object(&mut numbers, runs)).collect())
    }

    /// Prints a match.
    pub fn print(&self, out: &mut Sheet, view: &View<'_>, memo: &mut Memo) {
        let start = out.text.len();
        memo.print(out, view, |writer| self.0.iter().for_each(|step| step.write(writer)));
        // Instead of the comma before the first member.
        out.text[start] = b'{';
        if let Some(context) = view.context {
            out.text.extend_from_slice(b",\"context\":");
            let lines: Vec<_> = context.lines().map(|(_, line)| line).collect();
            write_list(&mut out.text, &lines, |out, line| write_string(out, line));
        }
        out.text.extend_from_slice(b"}\n");
    }
}

/// The step of an object with these runs of fields, or of one run outside of an object. Each step takes the next
/// number.
fn of_object(numbers: &mut RangeFrom<usize>, runs: &[&[&'static Field]]) -> Step {
    let mut next = || numbers.next().unwrap_or_default();
    let mut of_run = |run: &&[&'static Field]| {
        let members = run.iter().map(|&field| Member(key(field.key()), field)).collect();
        match run[0].scope() {
            // All header fields are members of the object `message`.
            Scope::Head => Step::Head(next(), members),
            Scope::Record => Step::Record(members),
            _ => Step::Members(members),
        }
    };
    let step = match runs[0][0].object() {
        Some(name) => Step::Object(name, key(name), runs.iter().map(&mut of_run).collect()),
        None => of_run(&runs[0]),
    };
    match runs[0][0].scope() {
        Scope::Url => Step::Url(next(), Box::new(step)),
        _ => step,
    }
}

impl Step {
    fn write(&self, writer: &mut Writer<'_>) {
        let has_record = writer.row.record().is_some();
        match self {
            Step::Url(number, step) => writer.cached(Scope::Url, *number, |writer| step.write(writer)),
            // A record has its own fields.
            Step::Head(number, members) if !has_record => {
                writer.cached(Scope::Head, *number, |writer| write_members(members, writer));
            }
            Step::Record(_) if !has_record => {}
            Step::Members(members) | Step::Head(_, members) | Step::Record(members) => {
                write_members(members, writer);
            }
            Step::Object(name, key, steps) => {
                writer.out.text.extend_from_slice(key);
                if !writer.row.has_object(name) {
                    return writer.out.text.extend_from_slice(b"null");
                }
                let start = writer.out.text.len();
                steps.iter().for_each(|step| step.write(writer));
                match writer.out.text.get_mut(start) {
                    Some(comma) => *comma = b'{',
                    // Only members of a record were requested, and this is not a record.
                    None => writer.out.text.push(b'{'),
                }
                writer.out.text.push(b'}');
            }
        }
    }
}

fn write_members(members: &[Member], writer: &mut Writer<'_>) {
    for Member(key, field) in members {
        writer.out.text.extend_from_slice(key);
        write_json(writer.out, field.value(writer.row), writer.spelling);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::HyphenDecision;

    /// Except the fields of messages, which not every match has.
    #[test]
    fn fields_are_the_keys_of_json() {
        let matched = urlgrep::find(b"http://h.org/~me").unwrap();
        let view = View {
            name: "-".as_ref(),
            offset: 0,
            matched: &matched,
            decision: Some(HyphenDecision::ByRule),
            context: None,
            spelling: Default::default(),
        };
        let columns = Columns::usual(&["hyphen", "unwrapped"]);
        let mut names = Vec::new();
        let mut line = Sheet::default();
        Objects::new(&columns).print(&mut line, &view, &mut Memo::default());
        let object: serde_json::Value = serde_json::from_slice(&line.text).unwrap();
        for (key, value) in object.as_object().unwrap() {
            match value.as_object() {
                Some(parts) => names.extend(parts.keys().map(|part| format!("{key}.{part}"))),
                None => names.push(key.clone()),
            }
        }
        let fields = columns.fields().iter().map(|field| field.name());
        let fields: Vec<_> = fields.filter(|name| !name.starts_with("message.")).collect();
        names.retain(|name| name != "message");
        assert_eq!(names, fields);
    }
}

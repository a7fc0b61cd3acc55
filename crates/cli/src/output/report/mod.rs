//! `--report`: all matches of a search as one HTML page.
//!
//! The page contains the matches as data, and a script that counts and draws them.
//!
//! The data is in blocks of JSON, because browsers limit the length of a string. Each block is compressed by gzip and
//! written in base64, in less than a quarter of its size. It is written when it is full, so memory does not depend on
//! the number of matches. A block is an array of entries. A string is the path of the matches after it, an object is
//! their message, null means that they are outside of messages, and an array is a [match](ReportRow). Path and message
//! are written when they change.
//!
//! The input cannot end the element that contains it: it is in base64, and in the facts about the search everything but
//! visible ASCII, and `<`, `>` and `&`, is written as `\uNNNN`.
//!
//! The page is written to another file in the same directory, which is moved to the [destination]
//! when the page is complete. So there is never half a page. On Linux that file has no name until
//! then, and a signal leaves nothing. Elsewhere its name consists of the name of the page, the
//! process ID and `.part`.

mod destination;

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::anyhow;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};
use urlgrep::Warning;
use urlgrep::archive::Role;
use urlgrep_print::context::{Context, ContextLines};
use urlgrep_print::escape::{Escaped, must_be_escaped};

use super::stats::Facts;
use super::{View, around, clip};
use crate::error::{Interrupted, failure, is_closed_pipe};
use crate::input::Roots;
use destination::Destination;

/// The template of the page.
const PAGE: &str = include_str!("page/report.html");
const STYLE: &str = include_str!("page/report.css");

/// The script: each file uses those before it.
const SCRIPT: [&str; 9] = [
    include_str!("page/data.js"),
    include_str!("page/state.js"),
    include_str!("page/counts.js"),
    include_str!("page/time.js"),
    include_str!("page/chart.js"),
    include_str!("page/bars.js"),
    include_str!("page/table.js"),
    include_str!("page/details.js"),
    include_str!("page/export.js"),
];

/// The end of the script, which draws.
const START: &str = include_str!("page/page.js");

/// The script that runs when the page is opened: it unpacks the data, and starts the other one.
const LOAD: &str = include_str!("page/load.js");

/// The name of standard output.
const STDOUT: &str = "-";

/// The start of every report of every version, which distinguishes it from other files.
const MARK: &str = concat!(
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta name=\"generator\" content=\"urlgrep "
);

/// The positions of the data and of the rest.
const DATA: &str = "<!-- data -->";
const VERSION_HERE: &str = "<!-- version -->";
const STYLE_HERE: &str = "/* style */";
const SCRIPT_HERE: &str = "/* script */";
const LOAD_HERE: &str = "/* load */";

/// The minimum size of a data block except the last, in bytes, before compression.
const MIN_BLOCK: usize = 1 << 20;

/// The maximum number of searched paths that are listed.
const NAMES: usize = 4;

/// A day in seconds.
const DAY: u64 = 24 * 60 * 60;

/// The lines in an excerpt. A match in a pipe waits only for the line after it.
pub const EXCERPT: ContextLines = ContextLines { before: 2, after: 1 };

/// The maximum number of bytes on either side of the match.
const REACH: usize = 160;

/// The maximum number of bytes by which an excerpt is shortened so that it starts at a word.
const WORD: usize = 30;

/// A report that is being written.
pub struct Report {
    /// The final path of the page; `None` if it is written to standard output.
    destination: Option<Destination>,
    out: BufWriter<Box<dyn Write>>,
    /// The first error.
    written: io::Result<()>,
    /// The entries of the current block.
    block: String,
    /// The last path and message that were written.
    path: Box<str>,
    message: Box<str>,
    /// The searched paths, the day in days from 1970, and the descriptions of warnings.
    about: Value,
    files: u64,
    messages: u64,
}

impl Report {
    /// Starts a report on `roots`, which is written to `path` and not searched.
    ///
    /// # Errors
    ///
    /// Returns an error if `path` is a file that must not be replaced, or if the report cannot be
    /// written.
    pub fn create(path: &Path, roots: &mut Roots) -> anyhow::Result<Report> {
        let (destination, out): (_, Box<dyn Write>) = match path == Path::new(STDOUT) {
            true => (None, Box::new(io::stdout())),
            false => {
                let destination = Destination::new(path, roots).map_err(|error| failure(path, error))?;
                let out = Arc::clone(&destination.file);
                (Some(destination), Box::new(out))
            }
        };
        let names: Vec<_> = roots.names().take(NAMES).map(|name| Escaped::path(name).to_string()).collect();
        let under = Escaped::path(&roots.common_directory()).to_string();
        let warnings: Map<_, _> =
            Warning::ALL.iter().map(|warning| (warning.to_string(), warning.description().into())).collect();
        let more = roots.names().skip(NAMES).count();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let about =
            json!({ "names": names, "more": more, "under": under, "day": now / DAY, "warnings": warnings });
        let mut report = Report {
            destination,
            out: BufWriter::new(out),
            written: Ok(()),
            block: String::new(),
            path: Box::default(),
            message: Box::default(),
            about,
            files: 0,
            messages: 0,
        };
        let (before, _) = template();
        let version = env!("CARGO_PKG_VERSION");
        report.write(&before.replace(VERSION_HERE, version).replace(STYLE_HERE, STYLE));
        Ok(report)
    }

    /// Adds a match.
    pub fn add(&mut self, row: &ReportRow) {
        if self.path != row.path {
            self.entry(&row.path);
            self.path = row.path.clone();
            self.message = "null".into();
            self.entry("null");
        }
        if self.message != row.message {
            self.entry(&row.message);
            self.message = row.message.clone();
        }
        self.entry(&row.values);
        if self.block.len() >= MIN_BLOCK {
            self.end_block();
        }
    }

    /// Counts a file and its messages.
    pub fn add_file(&mut self, messages: u64) {
        self.files += 1;
        self.messages += messages;
    }

    fn entry(&mut self, entry: &str) {
        self.block.push_str(if self.block.is_empty() { "[\n" } else { ",\n" });
        self.block.push_str(entry);
    }

    fn end_block(&mut self) {
        if self.block.is_empty() {
            return;
        }
        self.block.push_str("\n]");
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        let packed = gzip.write_all(self.block.as_bytes()).and_then(|()| gzip.finish());
        match packed {
            Ok(packed) => {
                let data = STANDARD.encode(packed);
                self.write(&format!("<script type=\"application/gzip\" class=\"links\">{data}</script>\n"));
            }
            Err(error) => self.written = Err(error),
        }
        self.block.clear();
    }

    /// Writes text, unless there was an error. An error does not stop the search: its
    /// matches are also printed.
    fn write(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = self.out.write_all(text.as_bytes());
        }
    }

    /// Completes the page and moves it to its destination.
    ///
    /// # Errors
    ///
    /// Returns an error if it could not be written or moved.
    pub fn end(mut self) -> anyhow::Result<()> {
        self.end_block();
        self.about["files"] = self.files.into();
        self.about["messages"] = self.messages.into();
        let about = ascii(&self.about);
        self.write(&format!("<script type=\"application/json\" id=\"about\">{about}</script>"));
        let (_, after) = template();
        let script = code(SCRIPT.iter().chain([&START]));
        self.write(&after.replace(SCRIPT_HERE, &script).replace(LOAD_HERE, &code([&LOAD])));
        let written = self.written.and_then(|()| self.out.flush()).map_err(anyhow::Error::from);
        match &self.destination {
            Some(destination) => {
                let published = written.and_then(|()| destination.publish());
                published.map_err(|error| failure(&destination.given, error))
            }
            // The reader stopped: urlgrep --report - | head
            _ if written.as_ref().is_err_and(is_closed_pipe) => Ok(()),
            _ => written.map_err(|error| failure(Path::new("standard output"), error)),
        }
    }

    /// Does not change the destination.
    ///
    /// # Errors
    ///
    /// Always returns an error: the report is not written.
    pub fn abandon(self) -> anyhow::Result<()> {
        let path = self.destination.as_ref().map_or(Path::new("standard output"), |to| &to.given);
        Err(Report::not_written(path, &Interrupted.into()))
    }

    /// Returns the error for a report that is not complete because the search failed.
    pub fn not_written(path: &Path, reason: &anyhow::Error) -> anyhow::Error {
        failure(path, anyhow!("not written: {reason:#}"))
    }
}

/// Scripts without comments and indentation, which would be a sixth of a page without links.
fn code<'s>(files: impl IntoIterator<Item = &'s &'s str>) -> String {
    let lines = files.into_iter().flat_map(|file| file.lines()).map(str::trim_start);
    let code: Vec<_> = lines.filter(|line| !line.starts_with("//")).collect();
    code.join("\n")
}

/// The page before and after the data.
fn template() -> (&'static str, &'static str) {
    PAGE.split_once(DATA).unwrap_or((PAGE, ""))
}

/// A match, its path and its message, each as an entry of the data.
///
/// The entry of a match is an array: line, column, URL, link, scheme, host, domain, form, grade,
/// join, [excerpt], text of the link, other readings, role, warnings. Nulls at the end are left
/// out. A link is 0 if a click opens nothing, 1 if it opens the URL, or else the target that it
/// opens.
///
/// Some numbers stand for what most matches have, and keep the entries short: the scheme 0 is
/// what precedes the colon of the URL, the host `n` is the `n` characters after `://`, in lower
/// case, the domain `n` is the last `n` characters of the host and 0 is all of it, and 0 is the form
/// `bare`, the grade `rfc1738` and the join `none`.
#[derive(Debug)]
pub struct ReportRow {
    path: Box<str>,
    message: Box<str>,
    values: Box<str>,
}

impl ReportRow {
    /// Returns the entries of a match.
    pub fn of(view: &View<'_>, context: Option<&Context<'_>>) -> ReportRow {
        let path = Escaped(&view.path()).to_string();
        ReportRow {
            path: ascii(&path.into()),
            message: ascii(&message(view)),
            values: ascii(&values(view, context)),
        }
    }

    /// Adds the lines that precede its chunk.
    pub fn add_lines(&mut self, lines: u64) {
        let Some((line, rest)) = self.values.strip_prefix('[').and_then(|values| values.split_once(','))
        else {
            return;
        };
        if let Ok(line) = line.parse::<u64>() {
            self.values = format!("[{},{rest}", lines + line).into();
        }
    }

    /// Returns the size in bytes.
    pub fn len(&self) -> usize {
        self.path.len() + self.message.len() + self.values.len()
    }
}

fn values(view: &View<'_>, context: Option<&Context<'_>>) -> Value {
    let Facts { form, role, grade, join, scheme, host } = Facts::of(view.matched);
    let position = view.matched.position();
    let url = view.url();
    let shown = Escaped(&url).to_string();
    let link = match view.link(&url).map(|link| String::from_utf8_lossy(&link).into_owned()) {
        None => json!(0),
        Some(link) if link == shown => json!(1),
        Some(link) => json!(link),
    };
    let text = view.matched.context().and_then(|context| context.link_text());
    let text = text.map(|text| Escaped(&view.spelling.of_bytes(&text)).to_string());
    let warnings: Vec<_> = view.matched.warnings().iter().map(Warning::as_str).collect();
    let others: Vec<_> = view.alternatives().map(|url| Escaped(&url).to_string()).collect();
    let values = [
        json!(position.map(|position| position.line)),
        json!(position.map(|position| position.column)),
        json!(shown),
        link,
        short_scheme(&shown, &scheme),
        short_host(&shown, host.as_deref()),
        short_domain(host.as_deref(), view.matched.registered_domain()),
        short(form, "bare"),
        short(grade, "rfc1738"),
        short(join, "none"),
        context.map_or(Value::Null, |context| excerpt(view, context)),
        json!(text),
        if others.is_empty() { Value::Null } else { json!(others) },
        if role == Role::Text.as_str() { Value::Null } else { json!(role) },
        if warnings.is_empty() { Value::Null } else { json!(warnings) },
    ];
    let len = values.iter().rposition(|value| !value.is_null()).map_or(0, |last| last + 1);
    values[..len].into()
}

/// A value, or 0 if it is the most frequent one.
fn short(value: &str, most_frequent: &str) -> Value {
    if value == most_frequent { json!(0) } else { json!(value) }
}

/// The scheme, or 0 if it precedes the first colon of the URL.
fn short_scheme(url: &str, scheme: &str) -> Value {
    let before = url.split_once(':').map(|(before, _)| before);
    if before.is_some_and(|before| before.eq_ignore_ascii_case(scheme)) { json!(0) } else { json!(scheme) }
}

/// The host, or its length if it is directly after the first `://` of the URL.
fn short_host(url: &str, host: Option<&str>) -> Value {
    let Some(host) = host else { return Value::Null };
    let after = url.split_once("://").and_then(|(_, after)| after.get(..host.len()));
    let same = host.is_ascii() && after.is_some_and(|after| after.eq_ignore_ascii_case(host));
    if same { json!(host.len()) } else { json!(host) }
}

/// The domain, or its length if the host ends with it; 0 if the host has no domain, or is a domain.
fn short_domain(host: Option<&str>, domain: Option<String>) -> Value {
    let Some(domain) = domain.filter(|domain| Some(&**domain) != host) else { return json!(0) };
    let ends = domain.is_ascii() && host.is_some_and(|host| host.ends_with(&domain));
    if ends { json!(domain.len()) } else { json!(domain) }
}

/// The message of a match; null outside of messages.
fn message(view: &View<'_>) -> Value {
    let Some(envelope) = view.matched.context().and_then(|context| context.envelope()) else {
        return Value::Null;
    };
    // A bidi control in a field would reorder the row.
    let field = |value: String| clip(Escaped(&view.spelling.of_bytes(value.as_bytes())).to_string());
    json!({
        "date": envelope.date(),
        "from": envelope.from().map(field),
        "subject": envelope.subject().map(field),
        "id": envelope.id().map(field),
    })
}

/// A value as JSON in visible ASCII, without the markup characters of HTML. All
/// other characters occur only in strings, where they are escaped.
fn ascii(value: &Value) -> Box<str> {
    let mut ascii = String::new();
    for char in value.to_string().chars() {
        if matches!(char, ' '..='~') && !matches!(char, '<' | '>' | '&') {
            ascii.push(char);
            continue;
        }
        for unit in char.encode_utf16(&mut [0; 2]) {
            ascii.push_str(&format!("\\u{unit:04x}"));
        }
    }
    ascii.into()
}

/// The text before and after a match: its paragraph within [`REACH`] bytes on either side. It does
/// not go beyond an empty line, so that it is the same if the input is divided there. It is one
/// text if the match is not in a text, as in an attribute, or if a password was hidden. Null
/// without a text.
fn excerpt(view: &View<'_>, context: &Context<'_>) -> Value {
    let Context { text, span, .. } = context.narrowed(EXCERPT);
    let redacted = view.spelling.of_bytes(text);
    let (before, after) = if redacted == text {
        (&text[..span.start], &text[span.end..])
    } else {
        // The excerpt is redacted as a whole, because half a password does not look like one.
        let at = view.spelling.of_bytes(&text[..span.start]).len().min(redacted.len());
        redacted.split_at(at)
    };
    let (before, after) = around::value(view, before, after);
    let (before, after) = around::seen(view, before, after);
    let (before, after) = (readable(end_of(&before)), readable(start_of(&after)));
    match () {
        () if before.trim().is_empty() && after.trim().is_empty() => Value::Null,
        () if span.is_empty() || redacted != text => json!([format!("{before}{after}").trim()]),
        () => json!([before.trim_start(), after.trim_end()]),
    }
}

/// The end of the text before a match, from the last empty line on.
fn end_of(before: &[u8]) -> Vec<u8> {
    let text = &before[before.len() - paragraph(before.rsplit(|&byte| byte == b'\n'))..];
    if text.len() <= REACH {
        return text.to_vec();
    }
    let text = &text[text.len() - REACH..];
    let word = text[..WORD].iter().position(u8::is_ascii_whitespace).map(|at| at + 1);
    let word = word.or(text.iter().position(starts_character)).unwrap_or(0);
    [b"\xe2\x80\xa6", &text[word..]].concat()
}

/// The start of the text after a match, up to the first empty line.
fn start_of(after: &[u8]) -> Vec<u8> {
    let text = &after[..paragraph(after.split(|&byte| byte == b'\n'))];
    if text.len() <= REACH {
        return text.to_vec();
    }
    let end = &text[..REACH][REACH - WORD..];
    let word = end.iter().rposition(u8::is_ascii_whitespace).map(|at| REACH - WORD + at);
    let word = word.or(text[..=REACH].iter().rposition(starts_character)).unwrap_or(REACH);
    [&text[..word], b"\xe2\x80\xa6"].concat()
}

/// The length of the first line and those after it that are not empty, from one line break to the next.
fn paragraph<'t>(lines: impl Iterator<Item = &'t [u8]>) -> usize {
    let is_empty = |line: &[u8]| line.iter().all(u8::is_ascii_whitespace);
    let lines = lines.enumerate().take_while(|&(n, line)| n == 0 || !is_empty(line));
    lines.map(|(_, line)| line.len() + 1).sum::<usize>() - 1
}

/// Returns true if a byte of UTF-8 is the first one of a character.
fn starts_character(&byte: &u8) -> bool {
    byte & 0xc0 != 0x80
}

/// A text without invisible characters. Line breaks stay.
fn readable(text: Vec<u8>) -> String {
    let lines = text.split(|&byte| byte == b'\n').map(|line| {
        line.utf8_chunks().fold(String::new(), |mut line, chunk| {
            let chars = chunk.valid().chars().map(|char| if char == '\t' { ' ' } else { char });
            line.extend(chars.filter(|&char| !must_be_escaped(char)));
            line + &Escaped(chunk.invalid()).to_string()
        })
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_starts_with_the_mark() {
        assert!(PAGE.starts_with(&format!("{MARK}{VERSION_HERE}\">\n")));
    }

    #[test]
    fn the_data_contains_no_html() {
        let value = json!("</script><!--&amp;\u{7f}\u{2028}\u{1f600}\n\u{fc}");
        let ascii = ascii(&value);
        assert_eq!(
            &*ascii,
            "\"\\u003c/script\\u003e\\u003c!--\\u0026amp;\\u007f\\u2028\\ud83d\\ude00\\n\\u00fc\""
        );
        assert_eq!(serde_json::from_str::<Value>(&ascii).unwrap(), value);
    }

    #[test]
    fn what_the_url_says_is_left_out() {
        assert_eq!(short_scheme("HTTP://H.org/", "http"), json!(0));
        assert_eq!(short_scheme("www.h.org", "http"), json!("http"));
        assert_eq!(short_host("HTTP://H.org/", Some("h.org")), json!(5));
        for (url, host) in [("ftp://me@h.org/", "h.org"), ("mailto:a@h.org", "h.org"), ("http://x", "h.org")]
        {
            assert_eq!(short_host(url, Some(host)), json!(host), "{url}");
        }
        assert_eq!(short_host("http://\u{fc}.org/", Some("\u{fc}.org")), json!("\u{fc}.org"));
        assert_eq!(short_host("news:a@b", None), Value::Null);
        let domain = |host, domain: &str| short_domain(host, Some(domain.to_owned()));
        assert_eq!(domain(Some("www.h.org"), "h.org"), json!(5));
        assert_eq!(domain(Some("h.org"), "h.org"), json!(0));
        assert_eq!(domain(Some("www.h.org."), "h.org"), json!("h.org"));
        assert_eq!(domain(Some("www.\u{fc}.org"), "\u{fc}.org"), json!("\u{fc}.org"));
        assert_eq!(short_domain(Some("localhost"), None), json!(0));
    }

    #[test]
    fn an_excerpt_is_in_its_paragraph() {
        for (before, expected) in [
            ("", ""),
            ("see ", "see "),
            ("a\n\nb\nc ", "b\nc "),
            ("a\n \t\nb\n", "b\n"),
            ("a\n\n", ""),
            ("a\n", "a\n"),
        ] {
            assert_eq!(end_of(before.as_bytes()), expected.as_bytes(), "{before:?}");
        }
        for (after, expected) in [
            ("", ""),
            (" b", " b"),
            ("\nb\n\nc", "\nb"),
            (" b\n\r\nc", " b"),
            ("\n\nc", ""),
            ("\nb\n", "\nb"),
        ] {
            assert_eq!(start_of(after.as_bytes()), expected.as_bytes(), "{after:?}");
        }
    }

    /// A text as long as an excerpt, and one byte more: without spaces, it is cut at a character.
    #[test]
    fn an_excerpt_has_a_limit() {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let full = "x".repeat(REACH);
        assert_eq!(
            (text(end_of(full.as_bytes())), text(start_of(full.as_bytes()))),
            (full.clone(), full.clone())
        );
        let more = format!("{full}x");
        assert_eq!(text(end_of(more.as_bytes())), format!("\u{2026}{full}"));
        assert_eq!(text(start_of(more.as_bytes())), format!("{full}\u{2026}"));
        // A word or a character that would be split is left out.
        let words = format!("{} {}", "x".repeat(9), "x".repeat(REACH - 5));
        assert_eq!(text(end_of(words.as_bytes())), format!("\u{2026}{}", "x".repeat(REACH - 5)));
        let words = format!("{} {}", "x".repeat(REACH - 5), "x".repeat(9));
        assert_eq!(text(start_of(words.as_bytes())), format!("{}\u{2026}", "x".repeat(REACH - 5)));
        // A word of more than 30 bytes is cut.
        for (len, kept) in [(WORD - 1, REACH - WORD), (WORD, REACH)] {
            let words = format!("xx{} {}", "x".repeat(len), "x".repeat(REACH - len - 1));
            let end = &words[words.len() - kept..];
            assert_eq!(text(end_of(words.as_bytes())), format!("\u{2026}{end}"));
        }
        for (len, kept) in [(WORD - 1, REACH - WORD), (WORD, REACH)] {
            let words = format!("{} {}xx", "x".repeat(REACH - len - 1), "x".repeat(len));
            assert_eq!(text(start_of(words.as_bytes())), format!("{}\u{2026}", &words[..kept]));
        }
        let wide = format!("\u{fc}{}", "x".repeat(REACH - 1));
        assert_eq!(text(end_of(wide.as_bytes())), format!("\u{2026}{}", "x".repeat(REACH - 1)));
        let wide = format!("{}\u{fc}", "x".repeat(REACH - 1));
        assert_eq!(text(start_of(wide.as_bytes())), format!("{}\u{2026}", "x".repeat(REACH - 1)));
    }
}

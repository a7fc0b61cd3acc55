//! One URL a line, after the fields that grep prints there; after it the lines of the match and,
//! with `--explain`, why the URL starts and ends where it does.

use urlgrep::{Form, Grade, GuessRule, Joined, Match, Stop};

use super::super::context::Context;
use super::super::style::{NUMBER, OutputStyle, PATH, URL};
use super::super::{Hit, HyphenDecision, View};
use super::{Counted, Sheet};
use crate::escape::Escaped;

/// The fields before a URL, in this order, and the lines after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainOptions {
    /// The name of the file, followed by this byte.
    pub name: Option<u8>,
    /// The line of the first byte of the match.
    pub lines: bool,
    /// The column of the first byte of the match.
    pub columns: bool,
    /// The offset of the first byte of the match.
    pub offsets: bool,
    /// Whether the other readings follow.
    pub alternatives: bool,
    /// Whether an explanation follows.
    pub explain: bool,
    /// Whether the lines of the match follow.
    pub context: bool,
}

impl PlainOptions {
    /// Prints a match.
    pub fn print(&self, out: &mut Sheet, style: OutputStyle, view: &View<'_>) {
        self.print_match(out, style, view);
        let out = &mut out.text;
        if self.alternatives {
            for url in view.alternatives() {
                out.extend_from_slice(b"  or ");
                print_url(out, style, view, &url);
            }
        }
        let Some(context) = view.context else { return };
        if self.explain {
            for sentence in sentences(view.hit, context) {
                out.extend_from_slice(format!("  : {sentence}\n").as_bytes());
            }
        }
        if self.context {
            // The segments of a match in an attribute are offsets of the attribute.
            let matched = Some(view.hit.matched()).filter(|_| !view.hit.is_in_attribute());
            context.lines().for_each(|(start, line)| print_line(out, style, matched, start, line));
        }
    }

    fn print_match(&self, out: &mut Sheet, style: OutputStyle, view: &View<'_>) {
        if let Some(end) = self.name {
            style.paint(&mut out.text, PATH, &view.path());
            out.text.push(end);
        }
        if self.lines || self.offsets {
            self.print_numbers(out, style, view);
        }
        print_url(&mut out.text, style, view, &view.url());
    }

    fn print_numbers(&self, out: &mut Sheet, style: OutputStyle, view: &View<'_>) {
        let position = if self.lines { view.position() } else { None };
        if let Some(position) = position {
            let (before, after) = style.around(NUMBER);
            out.text.extend_from_slice(before.as_bytes());
            out.number(Counted::Line, position.line);
            out.text.extend_from_slice(after.as_bytes());
            out.text.push(b':');
        }
        let column = position.filter(|_| self.columns).map(|position| position.column);
        let offset = self.offsets.then(|| view.base.offset + view.hit.span().start);
        for number in [column, offset].into_iter().flatten() {
            style.paint(&mut out.text, NUMBER, number.to_string().as_bytes());
            out.text.push(b':');
        }
    }
}

fn print_url(out: &mut Vec<u8>, style: OutputStyle, view: &View<'_>, url: &[u8]) {
    style.url(out, url, || view.link(url));
    out.push(b'\n');
}

/// Prints a line of the context, which starts at the offset `start`, with the
/// segments of the URL in colour.
fn print_line(out: &mut Vec<u8>, style: OutputStyle, matched: Option<&Match<'_>>, start: u64, line: &[u8]) {
    out.extend_from_slice(b"  | ");
    let mut at = 0;
    for segment in matched.into_iter().flat_map(Match::segments) {
        let index = |offset: u64| usize::try_from(offset.saturating_sub(start)).unwrap_or(usize::MAX);
        let from = index(segment.start).clamp(at, line.len());
        let to = index(segment.end).clamp(from, line.len());
        if from < to {
            style.print(out, &line[at..from]);
            style.paint(out, URL, &line[from..to]);
            at = to;
        }
    }
    style.print(out, &line[at..]);
    out.push(b'\n');
}

/// The explanation of a match, in sentences without a subject.
///
/// The library says why a URL ends; the other sentences follow from the form of the match, its
/// segments and its grade.
fn sentences(hit: Hit<'_>, context: &Context<'_>) -> Vec<String> {
    let matched = hit.matched();
    let mut sentences = Vec::new();
    if hit.is_in_attribute() && matched.form() != Form::Href {
        sentences.push("is in an attribute of an HTML element".into());
    }
    sentences.push(start(matched));
    sentences.extend(ending(hit, context));
    sentences.extend(joined(hit));
    if let Some(HyphenDecision::ByEvidence(_)) = hit.decision {
        sentences.push("is the reading that also occurs unbroken in the input (--hyphen evidence)".into());
    }
    if !matched.unwrapped_from().is_empty() {
        let names = matched.unwrapped_from().join(", ");
        sentences.push(format!("was within a link that is another reading (--unwrap: {names})"));
    }
    match matched.alternatives().len() {
        0 => {}
        1 => sentences.push("has 1 other possible reading (--alternatives)".into()),
        others => sentences.push(format!("has {others} other possible readings (--alternatives)")),
    }
    sentences.push(grade(matched));
    sentences
}

fn start(matched: &Match<'_>) -> String {
    let scheme = matched.scheme();
    match matched.form() {
        Form::Wrapper => "is in a wrapper, <URL:…>: the URL is all of its content (RFC 1738, Appendix)".into(),
        Form::Angle => {
            "is in angle brackets: the URL is all of their content (RFC 2396, Appendix E; RFC 3986, Appendix C)"
                .into()
        }
        Form::Quote => {
            "is in quotation marks: the URL is all of their content (RFC 3986, Appendix C)".into()
        }
        Form::Href => "is the value of an attribute of an HTML element".into(),
        Form::Defanged => "is written so that no program opens it; the URL is what that means (--refang)".into(),
        Form::Prefixed => format!("starts after \"URL:\" at the scheme {scheme}; no bracket delimits it"),
        _ if matched.href() == matched.as_bytes() => {
            format!("starts at the scheme {scheme}; nothing delimits it")
        }
        _ => format!("starts at a host or an address; the scheme {scheme} is implied"),
    }
}

/// Why the match ends, if nothing delimits it.
fn ending(hit: Hit<'_>, context: &Context<'_>) -> Option<String> {
    let ending = hit.matched().ending()?;
    let stop = match ending.stop() {
        Stop::EndOfText if hit.is_in_attribute() => "the end of the attribute".to_owned(),
        stop @ Stop::NonAscii(_) => format!("{stop} (see --iri)"),
        stop => stop.to_string(),
    };
    let trimmed = &context.after[..ending.trimmed().min(context.after.len())];
    if trimmed.is_empty() {
        return Some(format!("ends before {stop}"));
    }
    let trimmed = Escaped(trimmed);
    Some(format!("ends before \"{trimmed}\", which belongs to the sentence; after that comes {stop}"))
}

fn joined(hit: Hit<'_>) -> Option<String> {
    let matched = hit.matched();
    let pieces = matched.segments().count();
    let (pieces, why) = match hit.joined() {
        None if pieces < 2 => return None,
        Some(Joined::Guess) => (pieces, guess(matched)),
        Some(Joined::Flowed) => {
            (hit.segments().len(), "the format of the mail says that they belong together")
        }
        // Whitespace within a line is dropped too, though nothing is joined.
        _ => (pieces, "whitespace between delimiters \"should be ignored\" (RFC 1738, Appendix)"),
    };
    Some(format!("is joined from {pieces} pieces: {why}"))
}

/// Why a URL that nothing delimits was joined.
fn guess(matched: &Match<'_>) -> &'static str {
    match matched.guess() {
        Some(GuessRule::Stem) => {
            "its first line is long and ends in a mark that something follows (--join likely, rule S)"
        }
        Some(GuessRule::Dot) => {
            "its first line ends in a dot, and the next one has the rest of a name (--join likely, rule D)"
        }
        Some(GuessRule::FullLine) => {
            "its first line is as long as the full lines of the text, and the next one has nothing else (--join likely, rule W)"
        }
        Some(GuessRule::Evidence) => {
            "the joined URL occurs unbroken elsewhere in the input (--join likely, rule E)"
        }
        Some(GuessRule::Page) => {
            "it ends in a slash or after its scheme, and the rest is alone before an empty line (--join likely, rule P)"
        }
        Some(GuessRule::Middle) => {
            "its first line is as long as the full lines of the text, and what follows is no word (--join likely, rule M)"
        }
        Some(GuessRule::Terminal) => "it fills the line of a terminal (--join likely --width, rule T)",
        _ => "that is likely (--join likely)",
    }
}

fn grade(matched: &Match<'_>) -> String {
    let assessment = matched.assess();
    let grade = match assessment.grade() {
        Grade::Rfc1738 => "is valid by RFC 1738 as written".to_owned(),
        Grade::Draft1994 => "is valid by the draft of 1994 as written".to_owned(),
        grade => format!("has the grade {}", grade.as_str()),
    };
    match assessment.reason() {
        Some(reason) => format!("{grade}: {}", Escaped(reason.to_string().as_bytes())),
        None => grade,
    }
}

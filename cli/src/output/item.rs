//! A match as an item of the menu, and how items get there.
//!
//! All texts of an item are escaped, since they come from the input: no character of them
//! moves the cursor, and none is invisible.

use std::io;
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use urlgrep::{TextMatch, grammar};

use super::context::Context;
use super::hit::Origin;
use super::sentence::{collapse, sentence, with_spaces};
use super::view::View;
use crate::escape::Escaped;

/// The number of items that wait for the menu, at most. A search that is faster than the menu
/// waits, too.
const WAITING: usize = 4096;

/// The number of characters of a text of a link or a subject, at most.
const MAX_TEXT: usize = 300;

/// A match, as the menu shows and opens it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The URL, and then its other readings.
    pub readings: Vec<Reading>,
    /// The text of the link.
    pub text: Box<str>,
    /// The sentence around the URL.
    pub sentence: Box<str>,
    /// The subject of the message.
    pub subject: Box<str>,
    /// The file; empty for standard input.
    pub path: Box<str>,
    /// The line, if lines are counted.
    pub line: Option<u64>,
    pub context: Vec<ContextLine>,
}

/// A URL, or another reading of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    pub shown: Box<str>,
    /// What is opened and copied: visible ASCII that starts with a scheme.
    pub target: Box<str>,
    /// Whether its scheme is one that only shows something.
    pub opens: bool,
}

/// A line around a URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextLine {
    pub text: Box<str>,
    /// Where the URL is in the text, in bytes; empty if it is on another line.
    pub url: Range<usize>,
}

impl Item {
    /// The item of a match.
    pub fn of(view: &View<'_>) -> Item {
        let urls = std::iter::once(view.url().into_owned()).chain(view.alternatives());
        let subject = subject(view);
        let text = clip(&view.hit.link_text().map_or_else(String::new, |text| escaped(&text)));
        Item {
            readings: urls.map(|url| Reading::of(view, &url)).collect(),
            sentence: view
                .context
                .map_or_else(String::new, |context| sentence_of(view, context, &text))
                .into(),
            subject: clip(&subject.map_or_else(String::new, |subject| escaped(subject.as_bytes()))),
            path: path(view).into(),
            line: view.position().map(|position| position.line),
            context: view.context.map_or_else(Vec::new, |context| context_lines(view, context)),
            text,
        }
    }

    /// The URL, which is the first reading.
    pub fn url(&self) -> &str {
        self.readings.first().map_or("", |url| &url.shown)
    }

    /// The file and the line, as far as they are known.
    pub fn place(&self) -> String {
        match self.line {
            Some(line) if self.path.is_empty() => format!("line {line}"),
            Some(line) => format!("{}:{line}", self.path),
            None => self.path.to_string(),
        }
    }

    /// Adds the lines that precede its chunk.
    pub fn add_lines(&mut self, lines: u64) {
        self.line = self.line.map(|line| line + lines);
    }

    /// The approximate size in bytes.
    pub fn len(&self) -> usize {
        let readings = self.readings.iter().map(|of| size_of::<Reading>() + of.shown.len() + of.target.len());
        let context = self.context.iter().map(|line| size_of::<ContextLine>() + line.text.len());
        let texts = [&self.text, &self.sentence, &self.subject, &self.path].map(|text| text.len());
        size_of::<Item>() + readings.chain(context).chain(texts).sum::<usize>()
    }
}

impl Reading {
    fn of(view: &View<'_>, url: &[u8]) -> Reading {
        let target = String::from_utf8_lossy(&view.target(url)).into_owned();
        // Each reading has its own scheme: that of a URL within another may differ.
        let opens = target.split_once(':').is_some_and(|(scheme, _)| grammar::opens_safely(scheme));
        Reading { shown: Escaped(url).to_string().into(), target: target.into(), opens }
    }
}

/// Bytes on one line.
fn escaped(bytes: &[u8]) -> String {
    collapse(&Escaped(&with_spaces(bytes)).to_string())
}

/// The start of a text.
fn clip(text: &str) -> Box<str> {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]).into(),
        None => text.into(),
    }
}

/// The subject of the message, or the address of a page in a web archive.
fn subject(view: &View<'_>) -> Option<String> {
    let Origin::Archive(matched) = view.hit.origin else { return None };
    let text = matched.text();
    let page = || text.record().and_then(|record| record.uri()).map(str::to_owned);
    text.envelope().and_then(|envelope| envelope.subject()).or_else(page)
}

fn path(view: &View<'_>) -> String {
    let path = view.path();
    if *path == b"-"[..] { String::new() } else { escaped(&path) }
}

/// The bytes of the context that are the match. The URL of an HTML element has none, but a
/// place.
fn in_context(view: &View<'_>, context: &Context<'_>) -> Range<usize> {
    let (start, end) = match view.hit.origin {
        Origin::Archive(matched) if matched.attribute().is_some() => (at(matched), at(matched)),
        _ => (view.hit.matched().span().start, view.hit.matched().span().end),
    };
    let index = |offset: u64| usize::try_from(offset.saturating_sub(context.start)).unwrap_or(usize::MAX);
    let start = index(start).min(context.text.len());
    start..index(end).clamp(start, context.text.len())
}

fn at(matched: &TextMatch<'_>) -> u64 {
    matched.at() as u64
}

fn sentence_of(view: &View<'_>, context: &Context<'_>, link: &str) -> String {
    let url = in_context(view, context);
    sentence(&context.text[..url.start], &context.text[url.end..], view.hit.is_in_attribute().then_some(link))
}

fn context_lines(view: &View<'_>, context: &Context<'_>) -> Vec<ContextLine> {
    let url = in_context(view, context);
    let lines = context.lines().map(|(start, line)| {
        let start = usize::try_from(start - context.start).unwrap_or(usize::MAX);
        let index = |offset: usize| offset.saturating_sub(start).min(line.len());
        let (from, to) = (index(url.start), index(url.end));
        let [before, url, after] = [&line[..from], &line[from..to], &line[to..]].map(one_line);
        let marked = before.len()..before.len() + url.len();
        ContextLine { text: [before, url, after].concat().into(), url: marked }
    });
    lines.collect()
}

/// Bytes of a line, with its spaces.
fn one_line(bytes: &[u8]) -> String {
    Escaped(&with_spaces(bytes)).to_string()
}

/// What a search tells the menu.
#[derive(Debug)]
pub enum ItemEvent {
    Item(Box<Item>),
    /// An error, as it is printed.
    Error(String),
}

/// The end of a channel that a search has.
#[derive(Clone, Debug)]
pub struct ItemSender(SyncSender<ItemEvent>);

/// A channel from a search to the menu.
pub fn channel() -> (ItemSender, Receiver<ItemEvent>) {
    let (sender, receiver) = sync_channel(WAITING);
    (ItemSender(sender), receiver)
}

impl ItemSender {
    /// Sends an item, and waits while too many are on the way.
    ///
    /// # Errors
    ///
    /// If the menu takes no more.
    pub fn send(&self, item: Box<Item>) -> io::Result<()> {
        self.0.send(ItemEvent::Item(item)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Sends an error. If the menu takes no more, it is lost.
    pub fn error(&self, error: &anyhow::Error) {
        let _ = self.0.send(ItemEvent::Error(format!("{error:#}")));
    }
}

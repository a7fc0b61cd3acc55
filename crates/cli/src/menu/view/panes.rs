//! The panes next to the list, or instead of it: the message, the readings of a URL, the help.

use std::ops::Range;

use crossterm::style::{ContentStyle, Stylize};

use super::Theme;
use super::text::{Line, wrap};
use crate::menu::keys::HELP;
use crate::menu::model::{Area, Model};
use crate::output::item::Item;
use crate::output::page::PagePosition;

/// The columns of the mark and the number of a reading.
const MARGIN: usize = 4;

/// The columns of a key in the help.
const KEY: usize = 13;

/// The marks of a row, and their meanings.
const MARKS: [&str; 4] = [
    "TLi: text and link are shown, image is hidden",
    "\u{d7}3: the URL occurs 3 times",
    "r+1: it has one other reading",
    "!: the URL has a warning, which is shown with it",
];

/// Returns the message at the URL.
pub fn draw_message(model: &mut Model, area: Area, theme: &Theme) -> Vec<Line> {
    message(model, area, Vec::new(), theme)
}

/// Returns the whole URL, the other facts about it, and below them the message at the URL. On a small screen,
/// everything scrolls.
pub fn draw_all(model: &mut Model, area: Area, theme: &Theme) -> Vec<Line> {
    let Some(item) = model.list.selected_item() else { return Vec::new() };
    let facts = facts(item, area.columns.len(), theme);
    if facts.len() > area.lines.len() / 2 {
        return message(model, area, facts, theme);
    }
    let below = Area { lines: area.lines.start + facts.len()..area.lines.end, ..area };
    let message = message(model, below, Vec::new(), theme);
    [facts, message].concat()
}

/// The message at the URL, after some lines that scroll with it.
fn message(model: &mut Model, area: Area, before: Vec<Line>, theme: &Theme) -> Vec<Line> {
    let (room, visible) = (area.columns.len(), area.lines.len());
    let Some(item) = model.list.selected_item() else { return Vec::new() };
    // The wrapped lines of the page: the number of each line, and a part of the line.
    let lines = item.page.lines.iter().enumerate();
    let rows = lines.flat_map(|(at, line)| wrap(line, room).into_iter().map(move |part| (at, part)));
    let rows: Vec<_> = rows.collect();
    let first = item.places.first().map(|place| (place.line, place.range.start));
    let at = first.map_or(0, |first| rows.partition_point(|(line, part)| (*line, part.end) <= first));
    // The end of a line may be without link text.
    let at = at.min(rows.len().saturating_sub(1));
    let of_url = if at == 0 { 0 } else { before.len() + at };
    let top = model.set_message(area, before.len() + rows.len(), of_url);
    let Some(item) = model.list.selected_item() else { return Vec::new() };
    let rows = rows.into_iter().skip(top.saturating_sub(before.len()));
    let rows = rows.map(|(line, part)| page_line(item, line, part, room, theme));
    before.into_iter().skip(top).chain(rows.take(visible)).take(visible).collect()
}

/// A part of a line of the page, in which the URL is marked.
fn page_line(item: &Item, at: usize, part: Range<usize>, room: usize, theme: &Theme) -> Line {
    let text = &item.page.lines[at];
    let style = if at < item.page.head { theme.weak } else { theme.plain };
    let mut line = Line::new(room);
    let mut start = part.start;
    for PagePosition { range, .. } in item.places.iter().filter(|place| place.line == at) {
        let from = range.start.clamp(start, part.end);
        let to = range.end.clamp(from, part.end);
        line = line.with(&text[start..from], style).with(&text[from..to], theme.url.bold().reverse());
        start = to;
    }
    line.with(&text[start..part.end], style)
}

/// Returns the facts about a URL besides its message.
fn facts(item: &Item, room: usize, theme: &Theme) -> Vec<Line> {
    let mut lines = wrapped(item.url(), room, theme.url);
    let named = [("Text", &*item.text), ("Warning", &*item.warnings), ("In", &*item.place())];
    for (name, value) in named {
        if !value.is_empty() {
            lines.extend(wrapped(&format!("{name}: {value}"), room, theme.weak));
        }
    }
    lines.push(Line::default());
    lines
}

/// Returns the readings of the selected URL in full. A long reading takes several lines.
pub fn draw_readings(model: &Model, room: usize, height: usize, theme: &Theme, selected: usize) -> Vec<Line> {
    let (mut lines, mut last) = (Vec::new(), 0);
    for (at, reading) in
        model.list.selected_item().into_iter().flat_map(|item| item.readings.iter().enumerate())
    {
        let mark = if at == selected { '>' } else { ' ' };
        let style = if at == selected { theme.url.reverse() } else { theme.url };
        for (line, part) in wrap(&reading.shown, room - MARGIN).into_iter().enumerate() {
            let number = if line == 0 { format!("{mark} {} ", at + 1) } else { " ".repeat(MARGIN) };
            lines.push(Line::new(room).with(number, theme.number).with(&reading.shown[part], style));
        }
        if at == selected {
            last = lines.len();
        }
    }
    lines.into_iter().skip(last.saturating_sub(height)).collect()
}

/// Draws the help about the keys.
pub fn draw_help(model: &mut Model, room: usize, height: usize, theme: &Theme) -> Vec<Line> {
    let mut lines = Vec::new();
    for (key, what) in HELP {
        for (line, part) in wrap(what, room.saturating_sub(KEY)).into_iter().enumerate() {
            let key = if line == 0 { key } else { "" };
            let key = Line::new(room).with(key, theme.strong).up_to(KEY);
            lines.push(key.with(&what[part], theme.plain));
        }
    }
    lines.push(Line::default());
    lines.extend(MARKS.iter().flat_map(|mark| wrapped(mark, room, theme.plain)));
    let top = model.set_help(lines.len(), height);
    lines.into_iter().skip(top).collect()
}

/// A text in lines of at most `room` columns.
fn wrapped(text: &str, room: usize, style: ContentStyle) -> Vec<Line> {
    wrap(text, room).into_iter().map(|part| Line::new(room).with(&text[part], style)).collect()
}

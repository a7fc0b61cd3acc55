//! What is shown instead of the list: the lines around a URL, its readings, the help.

use crossterm::style::{ContentStyle, Stylize};

use super::Theme;
use super::text::{Line, wrap};
use crate::menu::keys::HELP;
use crate::menu::model::{Mode, Model};
use crate::output::item::{ContextLine, Item};

/// The columns of the mark and the number of a reading.
const MARGIN: usize = 4;

/// The columns of a key in the help.
const KEY: usize = 13;

/// The marks of a row, and what they say.
const MARKS: [&str; 2] = ["\u{d7}3: the URL is there 3 times", "r+1: it has one other reading"];

/// The whole URL and the lines around it.
pub fn draw_context(model: &mut Model, room: usize, height: usize, theme: &Theme) -> Vec<Line> {
    let lines = model.selected().map_or_else(Vec::new, |item| context(item, room, theme));
    scrolled(model, lines, height)
}

fn context(item: &Item, room: usize, theme: &Theme) -> Vec<Line> {
    let mut lines = wrapped(item.url(), room, theme.url);
    for (name, value) in [("Text", &*item.text), ("Subject", &*item.subject), ("In", &*item.place())] {
        if !value.is_empty() {
            lines.extend(wrapped(&format!("{name}: {value}"), room, theme.weak));
        }
    }
    lines.push(Line::default());
    lines.extend(item.context.iter().flat_map(|line| context_lines(line, room, theme)));
    lines
}

fn context_lines(line: &ContextLine, room: usize, theme: &Theme) -> Vec<Line> {
    let lines = wrap(&line.text, room).into_iter().map(|part| {
        let from = line.url.start.clamp(part.start, part.end);
        let to = line.url.end.clamp(from, part.end);
        let start = Line::new(room).with(&line.text[part.start..from], theme.plain);
        start.with(&line.text[from..to], theme.url.bold()).with(&line.text[to..part.end], theme.plain)
    });
    lines.collect()
}

/// The readings of the selected URL in full. Long ones have several lines.
pub fn draw_readings(
    model: &mut Model,
    room: usize,
    height: usize,
    theme: &Theme,
    selected: usize,
) -> Vec<Line> {
    let (mut lines, mut last) = (Vec::new(), 0);
    for (at, reading) in model.selected().into_iter().flat_map(|item| item.readings.iter().enumerate()) {
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
    model.set_pane(lines.len(), height);
    lines.into_iter().skip(last.saturating_sub(height)).collect()
}

/// What the keys do.
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
    scrolled(model, lines, height)
}

/// A text in lines of at most `room` columns.
fn wrapped(text: &str, room: usize, style: ContentStyle) -> Vec<Line> {
    wrap(text, room).into_iter().map(|part| Line::new(room).with(&text[part], style)).collect()
}

/// The lines from where the pane is scrolled to.
fn scrolled(model: &mut Model, lines: Vec<Line>, height: usize) -> Vec<Line> {
    model.set_pane(lines.len(), height);
    let (Mode::Context { top } | Mode::Help { top }) = model.mode() else { return lines };
    lines.into_iter().skip(top).collect()
}

//! What is shown instead of the list: the lines around a URL, its readings, the help.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use super::text::wrap;
use super::theme::Theme;
use crate::menu::keys::HELP;
use crate::menu::model::{Mode, Model};
use crate::output::item::{ContextLine, Item};

/// The columns of a key in the help.
const KEY: usize = 13;

/// The marks of a row, and what they say.
const MARKS: [&str; 2] = ["\u{d7}3: the URL is there 3 times", "r+1: it has one other reading"];

/// Draws the whole URL and the lines around it.
pub fn draw_context(buffer: &mut Buffer, area: Rect, model: &mut Model, theme: &Theme) {
    let lines = model.selected().map_or_else(Vec::new, |item| context(item, area.width.into(), theme));
    draw_scrolled(buffer, area, model, lines);
}

fn context(item: &Item, room: usize, theme: &Theme) -> Vec<Line<'static>> {
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

fn context_lines(line: &ContextLine, room: usize, theme: &Theme) -> Vec<Line<'static>> {
    let marked = theme.url.patch(theme.strong);
    let lines = wrap(&line.text, room).into_iter().map(|part| {
        let from = line.url.start.clamp(part.start, part.end);
        let to = line.url.end.clamp(from, part.end);
        let span = |from, to, style| Span::styled(line.text[from..to].to_owned(), style);
        Line::from(vec![
            span(part.start, from, theme.plain),
            span(from, to, marked),
            span(to, part.end, theme.plain),
        ])
    });
    lines.collect()
}

/// Draws the readings of the selected URL in full. Long ones have several lines.
pub fn draw_readings(buffer: &mut Buffer, area: Rect, model: &mut Model, theme: &Theme, selected: usize) {
    let room = usize::from(area.width.saturating_sub(4));
    let (mut lines, mut last) = (Vec::new(), 0);
    for (at, reading) in model.selected().into_iter().flat_map(|item| item.readings.iter().enumerate()) {
        let mark = if at == selected { '>' } else { ' ' };
        let style = if at == selected { theme.url.patch(theme.selected) } else { theme.url };
        for (line, part) in wrap(&reading.shown, room).into_iter().enumerate() {
            let margin = if line == 0 { format!("{mark} {} ", at + 1) } else { "    ".into() };
            let part = Span::styled(reading.shown[part].to_owned(), style);
            lines.push(Line::from(vec![Span::styled(margin, theme.number), part]));
        }
        if at == selected {
            last = lines.len();
        }
    }
    let height = usize::from(area.height);
    let top = last.saturating_sub(height);
    model.set_pane(lines.len(), height);
    draw_lines(buffer, area, lines.iter().skip(top));
}

/// Draws what the keys do.
pub fn draw_help(buffer: &mut Buffer, area: Rect, model: &mut Model, theme: &Theme) {
    let room = usize::from(area.width);
    let mut lines = Vec::new();
    for (key, what) in HELP {
        for (line, part) in wrap(what, room.saturating_sub(KEY)).into_iter().enumerate() {
            let key = if line == 0 { key } else { "" };
            lines.push(Line::from(vec![
                Span::styled(format!("{key:KEY$}"), theme.strong),
                Span::styled(&what[part], theme.plain),
            ]));
        }
    }
    lines.push(Line::default());
    lines.extend(MARKS.iter().flat_map(|mark| wrapped(mark, room, theme.plain)));
    draw_scrolled(buffer, area, model, lines);
}

/// A text in lines of at most `room` columns.
fn wrapped(text: &str, room: usize, style: Style) -> Vec<Line<'static>> {
    wrap(text, room).into_iter().map(|part| Line::styled(text[part].to_owned(), style)).collect()
}

/// Draws the lines from where the pane is scrolled to.
fn draw_scrolled(buffer: &mut Buffer, area: Rect, model: &mut Model, lines: Vec<Line<'_>>) {
    model.set_pane(lines.len(), area.height.into());
    let (Mode::Context { top } | Mode::Help { top }) = model.mode() else { return };
    draw_lines(buffer, area, lines.iter().skip(top));
}

fn draw_lines<'l>(buffer: &mut Buffer, area: Rect, lines: impl Iterator<Item = &'l Line<'l>>) {
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        buffer.set_line(area.x, y, line, area.width);
    }
}

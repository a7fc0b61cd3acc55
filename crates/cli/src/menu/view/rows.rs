//! The list: one line for each URL. The link text is on the left, and the part of the URL that fits
//! is on the right.

use crossterm::style::ContentStyle;

use super::Theme;
use super::text::{Line, fit, width};
use crate::menu::model::{Area, Model, Row, Words, label, letter};

/// The columns of a list that shows URLs next to the link texts.
const MEDIUM: usize = 60;

/// The columns of a list that shows subjects.
const WIDE: usize = 100;

/// The layout of a row.
#[derive(Clone, Copy)]
struct Layout {
    /// The columns of the list.
    room: usize,
    /// The columns of the number. They stay while a filter narrows the list.
    digits: usize,
    /// The columns of the link text.
    text: usize,
    /// The columns of the subject; 0 if it is not shown. If all are the same, the title shows it.
    label: usize,
}

/// Returns the rows that are visible, or the reason why the list is empty.
pub fn draw(model: &mut Model, area: Area, theme: &Theme) -> Vec<Line> {
    let room = area.columns.len();
    model.set_list(area);
    let digits = model.list.total().to_string().len();
    let label = if model.list.several_labels && room >= WIDE { room / 5 } else { 0 };
    let left = room.saturating_sub(digits + 3 + label);
    let text = if room < MEDIUM { left } else { left * 11 / 20 };
    let layout = Layout { room, digits, text, label };
    let hint = |text: &str| Line::new(room).with_fit(text, theme.weak);
    match model.list.row_count() {
        0 if !model.list.filter.is_empty() => return vec![hint("No URL contains these words")],
        0 => {
            let hidden = model.list.counts.present().map(|(role, count)| {
                let key = letter(role);
                hint(&format!("press {key} to show {count} with the role {role}"))
            });
            return hidden.collect();
        }
        _ => {}
    }
    model.list.visible().map(|row| line(&row, layout, model, theme)).collect()
}

fn line(row: &Row<'_>, layout: Layout, model: &Model, theme: &Theme) -> Line {
    let Layout { room, digits, .. } = layout;
    let mark = if row.selected { '>' } else { ' ' };
    let tag = if row.marked { "*" } else { " " };
    let line = Line::new(room).with(format!("{mark}{:digits$}", row.number), theme.number);
    let line = line.with(tag, theme.strong).with(" ", theme.plain);
    let line = with_link(line, row, layout, model, theme);
    let line = if layout.label == 0 {
        line
    } else {
        let label = fit(label(row.item), layout.label - 1);
        line.up_to(room - layout.label + 1).with(label, theme.weak)
    };
    if row.selected { line.reversed() } else { line }
}

/// The link text and the URL; without a text the URL, and the sentence around it.
fn with_link(line: Line, row: &Row<'_>, layout: Layout, model: &Model, theme: &Theme) -> Line {
    let words = model.words();
    let marks = marks(row);
    // Nearly all have one of these schemes.
    let url = row.item.url();
    let url = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or(url);
    // The columns after the link text.
    let rest = line.left().saturating_sub(layout.text + layout.label);
    if row.text.is_empty() {
        let room = line.left().saturating_sub(layout.label + width(&marks));
        let url = fit(url, room);
        let left = room - width(&url);
        let line = with_words(line, &url, theme.url, words, theme).with(marks, theme.strong);
        let sentence = fit(&row.item.sentence, left.saturating_sub(2));
        return match left {
            12.. if !sentence.is_empty() => {
                with_words(line.with("  ", theme.plain), &sentence, theme.weak, words, theme)
            }
            _ => line,
        };
    }
    let end = layout.room - line.left() + layout.text;
    let gap = if rest > 0 { 2 } else { 0 };
    let text = fit(row.text, layout.text.saturating_sub(width(&marks) + gap));
    let line = with_words(line, &text, theme.plain, words, theme).with(marks, theme.strong);
    if rest == 0 {
        return line;
    }
    with_words(line.up_to(end), &fit(url, rest), theme.url, words, theme)
}

/// Returns the marks of a URL: how often it occurs, the number of its other readings, and whether
/// it has a warning.
fn marks(row: &Row<'_>) -> String {
    let mut marks = String::new();
    if row.count > 1 {
        marks.push_str(&format!(" \u{d7}{}", row.count));
    }
    if row.item.readings.len() > 1 {
        marks.push_str(&format!(" r+{}", row.item.readings.len() - 1));
    }
    if !row.item.warnings.is_empty() {
        marks.push_str(" !");
    }
    marks
}

/// A text in which the words of a search are marked.
fn with_words(mut line: Line, text: &str, style: ContentStyle, words: &Words, theme: &Theme) -> Line {
    let mut start = 0;
    for range in words.ranges(text) {
        line = line.with(&text[start..range.start], style).with(&text[range.clone()], theme.found);
        start = range.end;
    }
    line.with(&text[start..], style)
}

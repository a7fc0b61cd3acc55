//! The list: one, two or three lines for each URL, as the terminal is wide, medium or narrow.

use super::Theme;
use super::text::{Line, fit, width};
use crate::menu::model::{Model, Row, label};

/// The columns of a terminal where a URL and its texts are on one line.
const WIDE: usize = 120;

/// The columns of a terminal where text and subject are on one line.
const MEDIUM: usize = 60;

/// How a row is drawn.
#[derive(Clone, Copy)]
struct Layout {
    /// The columns of the screen.
    room: usize,
    /// The number of lines.
    lines: usize,
    /// Whether subjects are shown. If all are the same, the title shows it.
    labels: bool,
    /// The columns of the mark and the number. They stay while a search narrows the list.
    margin: usize,
}

impl Layout {
    fn of(model: &Model, room: usize) -> Layout {
        let labels = model.list().has_several_labels();
        let lines = match room {
            WIDE.. => 1,
            MEDIUM.. => 2,
            _ => 2 + usize::from(labels),
        };
        let digits = model.list().total().to_string().len();
        Layout { room, lines, labels, margin: digits + 2 }
    }
}

/// The rows that are visible.
pub fn draw(model: &mut Model, room: usize, height: usize, theme: &Theme) -> Vec<Line> {
    let layout = Layout::of(model, room);
    model.set_page(height / layout.lines);
    if model.list().row_count() == 0 && !model.typed().is_empty() {
        return vec![Line::new(room).with("No URL has these words", theme.weak)];
    }
    model.list().visible().flat_map(|row| lines(&row, layout, theme)).collect()
}

fn lines(row: &Row<'_>, layout: Layout, theme: &Theme) -> Vec<Line> {
    let mark = if row.selected { '>' } else { ' ' };
    let digits = layout.margin - 2;
    let first = Line::new(layout.room).with(format!("{mark}{:digits$}", row.number), theme.number);
    let [first, next] = [first, Line::new(layout.room)].map(|line| line.up_to(layout.margin));
    let left = first.left();
    let mut lines = match layout.lines {
        1 => {
            let half = left / 2 - 1;
            let line = with_url(first, half, row, theme).up_to(layout.margin + half + 2);
            vec![with_text_and_label(line, row, layout, theme)]
        }
        2 => vec![with_url(first, left, row, theme), with_text_and_label(next, row, layout, theme)],
        _ => vec![
            with_url(first, left, row, theme),
            next.clone().with_fit(&told(row), theme.plain),
            next.with_fit(label(row.item), theme.weak),
        ],
    };
    if row.selected {
        lines = lines.into_iter().map(Line::reversed).collect();
    }
    lines
}

/// The URL, cut at its end, and how often it occurs, and the number of its other readings.
fn with_url(line: Line, room: usize, row: &Row<'_>, theme: &Theme) -> Line {
    let mut marks = String::new();
    if row.count > 1 {
        marks.push_str(&format!(" \u{d7}{}", row.count));
    }
    if row.item.readings.len() > 1 {
        marks.push_str(&format!(" r+{}", row.item.readings.len() - 1));
    }
    let url = fit(row.item.url(), room.saturating_sub(width(&marks)));
    line.with(url, theme.url).with(marks, theme.strong)
}

/// The text of the link, and the sentence around it.
fn told(row: &Row<'_>) -> String {
    match (row.text, row.sentence) {
        (text, sentence) if sentence.is_empty() || sentence == text => text.into(),
        ("", sentence) => sentence.into(),
        (text, sentence) => format!("{text} \u{b7} {sentence}"),
    }
}

/// Texts on the left, and the subject on the right, in a third of the columns at most.
fn with_text_and_label(line: Line, row: &Row<'_>, layout: Layout, theme: &Theme) -> Line {
    if !layout.labels {
        return line.with_fit(&told(row), theme.plain);
    }
    let label = fit(label(row.item), line.left() / 3);
    let columns = width(&label);
    let told = told(row);
    let told = fit(&told, line.left().saturating_sub(columns + 2));
    line.with(told, theme.plain).up_to(layout.room - columns).with(label, theme.weak)
}

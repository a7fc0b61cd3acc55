//! The list: one, two or three lines for each URL, as the terminal is wide, medium or narrow.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::text::{fit, width};
use super::theme::Theme;
use crate::menu::model::{Model, Row, label};

/// The columns of a terminal where a URL and its texts are on one line.
const WIDE: u16 = 120;

/// The columns of a terminal where text and subject are on one line.
const MEDIUM: u16 = 60;

/// How a row is drawn.
#[derive(Clone, Copy)]
struct Layout {
    /// The number of lines.
    lines: u16,
    /// Whether subjects are shown. If all are the same, the title shows it.
    labels: bool,
    /// The columns of the mark and the number. They stay while a search narrows the list.
    margin: u16,
}

impl Layout {
    fn of(model: &Model, columns: u16) -> Layout {
        let labels = model.list().has_several_labels();
        let lines = match columns {
            WIDE.. => 1,
            MEDIUM.. => 2,
            _ => 2 + u16::from(labels),
        };
        let digits = u16::try_from(model.list().total().to_string().len()).unwrap_or(u16::MAX);
        Layout { lines, labels, margin: digits.saturating_add(2) }
    }
}

/// Draws the rows that are visible.
pub fn draw(buffer: &mut Buffer, area: Rect, model: &mut Model, theme: &Theme) {
    let layout = Layout::of(model, area.width);
    let page = area.height / layout.lines;
    model.set_page(page.into());
    if model.list().row_count() == 0 && !model.typed().is_empty() {
        buffer.set_stringn(area.x, area.y, "No URL has these words", area.width.into(), theme.weak);
    }
    for (at, row) in (0..area.height).step_by(layout.lines.into()).zip(model.list().visible()) {
        let height = layout.lines.min(area.height - at);
        draw_row(buffer, Rect { y: area.y + at, height, ..area }, &row, layout, theme);
    }
}

fn draw_row(buffer: &mut Buffer, area: Rect, row: &Row<'_>, layout: Layout, theme: &Theme) {
    let mark = if row.selected { '>' } else { ' ' };
    let digits = usize::from(layout.margin - 2);
    let number = format!("{mark}{:digits$}", row.number);
    buffer.set_stringn(area.x, area.y, number, area.width.into(), theme.number);
    let left = layout.margin.min(area.width);
    let rest = Rect { x: area.x + left, width: area.width - left, ..area };
    let told = told(row);
    if layout.lines == 1 {
        let url = Rect { width: rest.width / 2 - 1, ..rest };
        draw_url(buffer, url, row, theme);
        let text = Rect { x: rest.x + url.width + 2, width: rest.width - url.width - 2, ..rest };
        draw_text_and_label(buffer, text, &told, row, layout, theme);
    } else {
        draw_url(buffer, rest, row, theme);
        let text = Rect { y: rest.y + 1, height: rest.height.saturating_sub(1), ..rest };
        match layout.lines {
            _ if text.height == 0 => {}
            2 => draw_text_and_label(buffer, text, &told, row, layout, theme),
            _ => {
                draw_text(buffer, text, &told, theme);
                if text.height > 1 {
                    draw_weak(buffer, Rect { y: text.y + 1, ..text }, label(row.item), theme);
                }
            }
        }
    }
    if row.selected {
        buffer.set_style(area, theme.selected);
    }
}

/// The URL, cut at its end, and how often it occurs, and the number of its other readings.
fn draw_url(buffer: &mut Buffer, area: Rect, row: &Row<'_>, theme: &Theme) {
    let mut marks = String::new();
    if row.count > 1 {
        marks.push_str(&format!(" \u{d7}{}", row.count));
    }
    if row.item.readings.len() > 1 {
        marks.push_str(&format!(" r+{}", row.item.readings.len() - 1));
    }
    let room = usize::from(area.width);
    let url = fit(row.item.url(), room.saturating_sub(width(&marks)));
    let (x, y) = buffer.set_stringn(area.x, area.y, &url, room, theme.url);
    buffer.set_stringn(x, y, marks, usize::from(area.right().saturating_sub(x)), theme.strong);
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
fn draw_text_and_label(
    buffer: &mut Buffer,
    area: Rect,
    told: &str,
    row: &Row<'_>,
    layout: Layout,
    theme: &Theme,
) {
    if !layout.labels {
        return draw_text(buffer, area, told, theme);
    }
    let label = fit(label(row.item), usize::from(area.width / 3));
    let columns = u16::try_from(width(&label)).unwrap_or(area.width);
    let text = Rect { width: area.width.saturating_sub(columns + 2), ..area };
    draw_text(buffer, text, told, theme);
    draw_weak(buffer, Rect { x: area.right() - columns, width: columns, ..area }, &label, theme);
}

fn draw_text(buffer: &mut Buffer, area: Rect, text: &str, theme: &Theme) {
    let room = usize::from(area.width);
    buffer.set_stringn(area.x, area.y, fit(text, room), room, theme.plain);
}

fn draw_weak(buffer: &mut Buffer, area: Rect, text: &str, theme: &Theme) {
    let room = usize::from(area.width);
    buffer.set_stringn(area.x, area.y, fit(text, room), room, theme.weak);
}

//! The drawing of the model.
//!
//! The first line says where the selection is, and the last one what the keys do, or what the
//! last action did. Between them are the [rows] of the list that fit, or a [pane](panes). Only
//! these are read, so the number of items does not matter.

mod panes;
mod rows;
#[cfg(test)]
mod tests;
mod text;
mod theme;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::text::{Line, Span};

use super::model::{Mode, Model, Progress, label};
use text::{fit, width};
pub use theme::Theme;

/// What the keys do. The first of them that fit are shown, and `r` only if it does something.
const LIST_HINTS: &[(&str, &str)] = &[
    ("Enter", "open"),
    ("?", "help"),
    ("q", "quit"),
    ("r", "readings"),
    ("/", "search"),
    ("y", "copy"),
    ("s", "context"),
    ("d", "fold"),
];
const PANE_HINTS: &[(&str, &str)] = &[("Enter", "open"), ("Esc", "back"), ("y", "copy")];
const HELP_HINTS: &[(&str, &str)] = &[("Esc", "back")];

/// Draws the model. Returns the position of the cursor, if it is shown. The model learns how
/// much of it is visible.
pub fn draw(buffer: &mut Buffer, area: Rect, model: &mut Model, theme: &Theme) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    if area.height < 3 || area.width < 10 {
        buffer.set_stringn(area.x, area.y, "too small", area.width.into(), theme.plain);
        return None;
    }
    let body = Rect { y: area.y + 1, height: area.height - 2, ..area };
    match model.mode() {
        Mode::List | Mode::Typing => rows::draw(buffer, body, model, theme),
        Mode::Context { .. } => panes::draw_context(buffer, body, model, theme),
        Mode::Readings { selected } => panes::draw_readings(buffer, body, model, theme, selected),
        Mode::Help { .. } => panes::draw_help(buffer, body, model, theme),
    }
    let title = title(model, area.width.into(), theme);
    buffer.set_line(area.x, area.y, &title, area.width);
    let footer = Rect { y: area.bottom() - 1, height: 1, ..area };
    if model.mode() == Mode::Typing {
        return Some(draw_prompt(buffer, footer, model, theme));
    }
    let line = footer_line(model, area.width.into(), theme);
    buffer.set_line(footer.x, footer.y, &line, footer.width);
    None
}

/// Where the selection is, and the subject of its message.
fn title<'m>(model: &'m Model, room: usize, theme: &Theme) -> Line<'m> {
    let list = model.list();
    let at = format!("{} of {}", list.selected(), list.row_count());
    let mut title = match model.mode() {
        Mode::Help { .. } => "Keys".into(),
        Mode::Context { .. } => format!("Around URL {at}"),
        Mode::Readings { .. } => format!("Readings of URL {at}"),
        _ if list.total() == 0 => "No URL yet".into(),
        _ => format!("URL {at}"),
    };
    if !model.typed().is_empty() && model.mode() == Mode::List {
        title.push_str(&format!(" with \"{}\"", model.typed()));
    }
    match model.progress() {
        Progress::Running => title.push_str(", searching"),
        Progress::Full => title.push_str(", there are more"),
        Progress::Ended => {}
    }
    match model.errors().len() {
        0 => {}
        1 => title.push_str(", 1 error"),
        errors => title.push_str(&format!(", {errors} errors")),
    }
    let item = model.selected().filter(|_| !matches!(model.mode(), Mode::Help { .. }));
    let subject = item.map_or("", label);
    let left = room.saturating_sub(width(&title) + 2);
    Line::from(vec![
        Span::styled(title, theme.strong),
        "  ".into(),
        Span::styled(fit(subject, left), theme.weak),
    ])
}

/// What the last action did, or what the keys do.
fn footer_line<'m>(model: &'m Model, room: usize, theme: &Theme) -> Line<'m> {
    if !model.notice().is_empty() {
        return Line::styled(fit(model.notice(), room), theme.strong);
    }
    let has_readings = model.selected().is_some_and(|item| item.readings.len() > 1);
    let hints = match model.mode() {
        Mode::List | Mode::Typing => LIST_HINTS,
        Mode::Help { .. } => HELP_HINTS,
        Mode::Context { .. } | Mode::Readings { .. } => PANE_HINTS,
    };
    let mut line = Line::default();
    for (key, what) in hints.iter().filter(|(key, _)| *key != "r" || has_readings) {
        let gap = if line.spans.is_empty() { "" } else { "  " };
        if line.width() + gap.len() + key.len() + 1 + what.len() > room {
            break;
        }
        line.extend([
            gap.into(),
            Span::styled(*key, theme.strong),
            " ".into(),
            Span::styled(*what, theme.weak),
        ]);
    }
    line
}

/// What is searched for. If it is long, its end is shown.
fn draw_prompt(buffer: &mut Buffer, area: Rect, model: &Model, theme: &Theme) -> Position {
    let room = usize::from(area.width) - 2;
    let mut typed = model.typed();
    while width(typed) > room {
        let mut chars = typed.chars();
        chars.next();
        typed = chars.as_str();
    }
    let (x, _) = buffer.set_stringn(area.x, area.y, "/", 1, theme.strong);
    let (x, y) = buffer.set_stringn(x, area.y, typed, room, theme.plain);
    Position { x, y }
}

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

use super::model::{Mode, Model, Progress, label};
pub use text::Line;
use text::width;
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

/// What the screen shows.
pub struct Drawing {
    /// Its lines; those that are missing at the end are empty.
    pub lines: Vec<Line>,
    /// The column and the line of the cursor, if it is shown.
    pub cursor: Option<(usize, usize)>,
}

/// Draws the model in `room` columns and `height` lines. The model learns how much of it is visible.
pub fn draw(model: &mut Model, room: usize, height: usize, theme: &Theme) -> Drawing {
    if height < 3 || room < 10 {
        return Drawing { lines: vec![Line::new(room).with("too small", theme.plain)], cursor: None };
    }
    let body = height - 2;
    let mut lines = match model.mode() {
        Mode::List | Mode::Typing => rows::draw(model, room, body, theme),
        Mode::Context { .. } => panes::draw_context(model, room, body, theme),
        Mode::Readings { selected } => panes::draw_readings(model, room, body, theme, selected),
        Mode::Help { .. } => panes::draw_help(model, room, body, theme),
    };
    lines.insert(0, title(model, room, theme));
    lines.resize(height - 1, Line::default());
    let is_typing = model.mode() == Mode::Typing;
    let last = if is_typing { prompt(model, room, theme) } else { footer(model, room, theme) };
    let cursor = is_typing.then(|| (room - last.left(), height - 1));
    lines.push(last);
    Drawing { lines, cursor }
}

/// Where the selection is, and the subject of its message.
fn title(model: &Model, room: usize, theme: &Theme) -> Line {
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
    Line::new(room).with(title, theme.strong).with("  ", theme.plain).with_fit(subject, theme.weak)
}

/// What the last action did, or what the keys do.
fn footer(model: &Model, room: usize, theme: &Theme) -> Line {
    let mut line = Line::new(room);
    if !model.notice().is_empty() {
        return line.with_fit(model.notice(), theme.strong);
    }
    let has_readings = model.selected().is_some_and(|item| item.readings.len() > 1);
    let hints = match model.mode() {
        Mode::List | Mode::Typing => LIST_HINTS,
        Mode::Help { .. } => HELP_HINTS,
        Mode::Context { .. } | Mode::Readings { .. } => PANE_HINTS,
    };
    let mut gap = "";
    for (key, what) in hints.iter().filter(|(key, _)| *key != "r" || has_readings) {
        if gap.len() + key.len() + 1 + what.len() > line.left() {
            break;
        }
        line =
            line.with(gap, theme.plain).with(key, theme.strong).with(" ", theme.plain).with(what, theme.weak);
        gap = "  ";
    }
    line
}

/// What is searched for. If it is long, its end is shown.
fn prompt(model: &Model, room: usize, theme: &Theme) -> Line {
    let mut typed = model.typed();
    while width(typed) > room - 2 {
        let mut chars = typed.chars();
        chars.next();
        typed = chars.as_str();
    }
    Line::new(room).with("/", theme.strong).with(typed, theme.plain)
}

//! The drawing of the model.
//!
//! The first line says where the selection is, and the last one what the keys do, or what the
//! last action did. Between them are the [rows] of the list that fit, or a [pane](panes). Only
//! these are read, so the number of items does not matter.

mod panes;
mod rows;
mod text;

use crossterm::style::{Color, ContentStyle, Stylize};

use super::model::{Mode, Model, Progress, label};
pub use text::Line;
use text::width;

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

// Colours and attributes.

/// How each kind of text looks. Without colours, attributes and words are enough. The selected row is
/// [reversed](Line::reversed), and has a mark.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    pub plain: ContentStyle,
    pub strong: ContentStyle,
    pub weak: ContentStyle,
    pub url: ContentStyle,
    pub number: ContentStyle,
}

impl Theme {
    /// With colours, they are those of the matches in the output.
    pub fn new(colors: bool) -> Theme {
        let plain = ContentStyle::new();
        let color = |color| if colors { plain.with(color) } else { plain };
        Theme {
            plain,
            strong: plain.bold(),
            weak: plain.dim(),
            url: color(Color::DarkCyan),
            number: color(Color::DarkGreen),
        }
    }
}

/// Drawings of small models.
#[cfg(test)]
mod tests {
    use crossterm::style::Attribute;

    use super::*;
    use crate::menu::model::{Action, Motion};
    use crate::output::item::{ContextLine, Item, ItemEvent, Reading};

    fn item(url: &str, text: &str, sentence: &str, subject: &str) -> Item {
        let reading = Reading { shown: url.into(), target: url.into(), opens: true };
        Item {
            readings: vec![reading],
            text: text.into(),
            sentence: sentence.into(),
            subject: subject.into(),
            ..Item::default()
        }
    }

    fn model(items: impl IntoIterator<Item = Item>) -> Model {
        let mut model = Model::new(false);
        items.into_iter().for_each(|item| model.receive(ItemEvent::Item(Box::new(item))));
        model.end();
        model
    }

    /// The lines of a drawing, without spaces at their ends.
    fn lines(model: &mut Model, columns: usize, height: usize) -> Vec<String> {
        let drawing = draw(model, columns, height, &Theme::new(true));
        let text = |line: &Line| line.spans.iter().map(|span| &*span.text).collect::<String>();
        drawing.lines.iter().map(|line| text(line).trim_end().to_owned()).collect()
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let jp = "\u{65b0}\u{805e}\u{306f}\u{672c}\u{65e5}\u{4f11}\u{520a}";
        let mut model = model([
            item("http://h.org/\u{65b0}\u{805e}\u{65b0}\u{805e}\u{65b0}", jp, "", "A"),
            item("ftp://h/", "", "", jp),
        ]);
        assert_eq!(
            lines(&mut model, 30, 8),
            [
                "URL 1 of 2  A",
                ">1 http://h.org/\u{65b0}\u{805e}\u{65b0}\u{805e}\u{65b0}",
                "   \u{65b0}\u{805e}\u{306f}\u{672c}\u{65e5}\u{4f11}\u{520a}",
                "   A",
                " 2 ftp://h/",
                "",
                "   \u{65b0}\u{805e}\u{306f}\u{672c}\u{65e5}\u{4f11}\u{520a}",
                "Enter open  ? help  q quit",
            ]
        );
        // With 23 columns for the URL, its last wide character would end in the 24th.
        assert_eq!(lines(&mut model, 25, 3)[1], ">1 http://h.org/\u{65b0}\u{805e}\u{65b0}\u{805e}\u{2026}");
    }

    #[test]
    fn subjects_are_shown_where_they_differ() {
        let both = || [item("ftp://h/a", "A", "It is \u{2026}.", "One"), item("ftp://h/b", "", "B", "Two")];
        assert_eq!(
            lines(&mut model(both()), 60, 6)[1..5],
            [
                ">1 ftp://h/a",
                "   A \u{b7} It is \u{2026}.                                          One",
                " 2 ftp://h/b",
                "   B                                                     Two",
            ]
        );
        let mut same = model(both().into_iter().take(1));
        assert_eq!(
            lines(&mut same, 60, 4)[..3],
            ["URL 1 of 1  One", ">1 ftp://h/a", "   A \u{b7} It is \u{2026}."]
        );
        let wide = lines(&mut model(both()), 120, 4);
        assert_eq!(
            wide[1],
            format!(">1 ftp://h/a{}A \u{b7} It is \u{2026}.{}One", " ".repeat(50), " ".repeat(43))
        );
    }

    #[test]
    fn the_url_in_its_lines_is_marked() {
        let mut one = item("http://h.org/a", "", "", "");
        one.context = vec![
            ContextLine { text: "before".into(), url: 6..6 },
            ContextLine { text: "see http://h.org/a there".into(), url: 4..18 },
        ];
        let mut model = model([one]);
        model.apply(Action::Context);
        let drawing = draw(&mut model, 12, 8, &Theme::new(false));
        let marked = |line: usize| -> String {
            let bold = |span: &&text::Span| span.style.attributes.has(Attribute::Bold);
            drawing.lines[line].spans.iter().filter(bold).map(|span| &*span.text).collect()
        };
        assert_eq!(
            lines(&mut model, 12, 9)[1..8],
            ["http://h.org", "/a", "", "before", "see ", "http://h.org", "/a there"].map(str::trim_end)
        );
        assert_eq!([marked(4), marked(5), marked(6)], ["", "", "http://h.org"]);
    }

    /// Without colours there are none, and any size is drawn.
    #[test]
    fn any_size_is_drawn() {
        for mode in
            [None, Some(Action::Search), Some(Action::Help), Some(Action::Context), Some(Action::Readings)]
        {
            let mut broken =
                item(&format!("http://h.org/{}", "\u{672c}".repeat(90)), "text", "sentence", "A");
            broken.readings.push(broken.readings[0].clone());
            let mut model = model([broken.clone(), broken, item("", "", "", "B")]);
            mode.into_iter().for_each(|action| _ = model.apply(action));
            for (columns, height) in (0..70).flat_map(|columns| (0..9).map(move |height| (columns, height))) {
                let drawing = draw(&mut model, columns, height, &Theme::new(false));
                model.apply(Action::Move(Motion::Down));
                assert!(drawing.lines.len() <= height.max(1));
                let spans = drawing.lines.iter().flat_map(|line| &line.spans);
                for span in spans.clone() {
                    assert!(span.column + width(&span.text) <= columns, "{span:?} in {columns}");
                }
                assert!(spans.clone().all(|span| span.style.foreground_color.is_none()));
            }
        }
    }
}

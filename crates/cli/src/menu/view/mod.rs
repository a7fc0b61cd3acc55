//! The drawing of the model.
//!
//! The first line shows the position of the selection, and the last one the actions of the keys, or
//! the result of the last action; above that is the selected URL. Between them are the [rows] of
//! the list that fit, next to them or below them the message, or a [pane](panes). Only these are
//! read, so the number of items does not matter.

mod panes;
mod rows;
mod text;

use std::ops::Range;

use crossterm::style::{Color, ContentStyle, Stylize};

use super::model::{Area, Mode, Model, Prompt, SearchProgress, label, letter};
pub use text::Line;
use text::width;

/// The columns of a screen where the message is next to the list.
const WIDE: usize = 120;

/// The lines of a screen where the message is below the list, unless the user wants it on smaller ones.
const TALL: usize = 36;

/// The actions of the keys. The first of them that fit are shown, and `r` only if it does
/// something.
const LIST_HINTS: &[(&str, &str)] = &[
    ("Enter", "open"),
    ("?", "help"),
    ("q", "quit"),
    ("r", "readings"),
    ("Space", "mark"),
    ("/", "search"),
    ("y", "copy"),
    ("p", "print"),
    ("s", "message"),
    ("|", "command"),
    ("d", "fold"),
];
const PANE_HINTS: &[(&str, &str)] = &[("Enter", "open"), ("Esc", "back"), ("y", "copy")];
const HELP_HINTS: &[(&str, &str)] = &[("Esc", "back")];

/// The content of the screen.
pub struct Drawing {
    /// The lines of the screen; missing lines at the end are empty.
    pub lines: Vec<Line>,
    /// The column and the line of the cursor, if it is shown.
    pub cursor: Option<(usize, usize)>,
}

/// Draws the model in `room` columns and `height` lines. The model learns how much of it is visible.
pub fn draw(model: &mut Model, room: usize, height: usize, theme: &Theme) -> Drawing {
    if height < 3 || room < 10 {
        return Drawing { lines: vec![Line::new(room).with("too small", theme.plain)], cursor: None };
    }
    let full = Area { columns: 0..room, lines: 1..height - 1 };
    let mut lines = match model.mode {
        Mode::List | Mode::Typing(_) => draw_list(model, room, height, theme),
        Mode::Message => panes::draw_all(model, full, theme),
        Mode::Readings { selected } => panes::draw_readings(model, room, height - 2, theme, selected),
        Mode::Help => panes::draw_help(model, room, height - 2, theme),
    };
    lines.insert(0, title(model, room, theme));
    lines.resize(height - 1, Line::default());
    let prompt = if let Mode::Typing(prompt) = model.mode { Some(prompt) } else { None };
    let last =
        prompt.map_or_else(|| footer(model, room, theme), |which| self::prompt(model, which, room, theme));
    let cursor = prompt.is_some().then(|| (room - last.left(), height - 1));
    lines.push(last);
    Drawing { lines, cursor }
}

/// The list, the URL that is selected, and the message if there is room for it.
fn draw_list(model: &mut Model, room: usize, height: usize, theme: &Theme) -> Vec<Line> {
    // On the smallest screens each line is a row.
    let detail = if height < 5 { Vec::new() } else { detail(model, room, theme) };
    let bottom = height - 1 - detail.len();
    let (is_wide, body) = (room >= WIDE, bottom - 1);
    let fits = is_wide || body >= 6;
    let split = fits && model.split.unwrap_or(is_wide || height >= TALL);
    model.is_split = split;
    let mut lines = match (split, is_wide) {
        (true, true) => beside(model, room, 1..bottom, theme),
        (true, false) => below(model, room, 1..bottom, theme),
        (false, _) => rows::draw(model, Area { columns: 0..room, lines: 1..bottom }, theme),
    };
    lines.resize(body, Line::default());
    lines.extend(detail);
    lines
}

/// The list and the message, divided by a line.
fn beside(model: &mut Model, room: usize, lines: Range<usize>, theme: &Theme) -> Vec<Line> {
    let column = room / 2;
    let mut list = rows::draw(model, Area { columns: 0..column, lines: lines.clone() }, theme);
    let area = Area { columns: column + 2..room, lines: lines.clone() };
    let mut message = panes::draw_message(model, area, theme);
    list.resize(lines.len(), Line::new(column));
    message.resize(lines.len(), Line::default());
    let rows = list.into_iter().zip(message);
    rows.map(|(row, line)| row.widened(room).up_to(column).with("\u{2502} ", theme.weak).followed_by(line))
        .collect()
}

/// The list, and the message below it.
fn below(model: &mut Model, room: usize, lines: Range<usize>, theme: &Theme) -> Vec<Line> {
    let rows = (lines.len() * 2 / 5).max(2);
    let middle = lines.start + rows;
    let mut list = rows::draw(model, Area { columns: 0..room, lines: lines.start..middle }, theme);
    list.resize(rows, Line::default());
    list.push(Line::new(room).with("\u{2500}".repeat(room), theme.weak));
    list.extend(panes::draw_message(model, Area { columns: 0..room, lines: middle + 1..lines.end }, theme));
    list
}

/// The URL that is selected, and the warnings about it: on the same line if there is room for both.
fn detail(model: &Model, room: usize, theme: &Theme) -> Vec<Line> {
    let Some(item) = model.list.selected_item() else { return vec![Line::default()] };
    let warnings = format!("! {}: ", item.warnings);
    let line = Line::new(room);
    if item.warnings.is_empty() {
        return vec![line.with_fit(item.url(), theme.url)];
    }
    if width(&warnings) + width(item.url()) <= room {
        return vec![line.with(warnings, theme.strong).with(item.url(), theme.url)];
    }
    let warnings = line.with_fit(&format!("! {}", item.warnings), theme.strong);
    vec![warnings, Line::new(room).with_fit(item.url(), theme.url)]
}

/// Returns the title: the position of the selection, the shown roles, the number of marked URLs,
/// and the subject of the message.
fn title(model: &Model, room: usize, theme: &Theme) -> Line {
    let list = &model.list;
    let at = format!("{} of {}", list.selected(), list.row_count());
    let mut title = match model.mode {
        Mode::Help => "Keys".into(),
        Mode::Message => format!("Message of URL {at}"),
        Mode::Readings { .. } => format!("Readings of URL {at}"),
        _ if list.total() == 0 => "No URL yet".into(),
        _ => format!("URL {at}"),
    };
    let filter = model.typed(Prompt::Filter);
    if !filter.is_empty() && model.mode == Mode::List {
        title.push_str(&format!(" with \"{filter}\""));
    }
    match model.progress {
        SearchProgress::Running => title.push_str(", searching"),
        SearchProgress::Full => title.push_str(", more were found"),
        SearchProgress::Ended => {}
    }
    match model.errors.len() {
        0 => {}
        1 => title.push_str(", 1 error"),
        errors => title.push_str(&format!(", {errors} errors")),
    }
    let line = Line::new(room).with(title, theme.strong).with(" ", theme.plain);
    if model.mode == Mode::Help {
        return line;
    }
    // A letter for each role that occurs: upper case if it is shown.
    let line = list.counts.present().fold(line, |line, (role, _)| match list.roles.contains(&role) {
        true => line.with(letter(role).to_string(), theme.strong),
        false => line.with(letter(role).to_ascii_lowercase().to_string(), theme.weak),
    });
    let line = match list.marked().len() {
        0 => line,
        marked => line.with(format!(" *{marked}"), theme.strong),
    };
    line.with("  ", theme.plain).with_fit(model.list.selected_item().map_or("", label), theme.weak)
}

/// Returns the footer: the result of the last action, or the actions of the keys.
fn footer(model: &Model, room: usize, theme: &Theme) -> Line {
    let mut line = Line::new(room);
    if !model.notice.is_empty() {
        return line.with_fit(&model.notice, theme.strong);
    }
    let has_readings = model.list.selected_item().is_some_and(|item| item.readings.len() > 1);
    let hints = match model.mode {
        Mode::List | Mode::Typing(_) => LIST_HINTS,
        Mode::Help => HELP_HINTS,
        Mode::Message | Mode::Readings { .. } => PANE_HINTS,
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

/// Returns the prompt with the typed text. If it is long, its end is shown.
fn prompt(model: &Model, which: Prompt, room: usize, theme: &Theme) -> Line {
    let sign = match which {
        Prompt::Search => "/",
        Prompt::Filter => "&",
        Prompt::Command => "command to run on the URL: ",
    };
    let mut typed = model.typed(which);
    while width(typed) + sign.len() + 1 > room {
        let mut chars = typed.chars();
        chars.next();
        typed = chars.as_str();
    }
    Line::new(room).with(sign, theme.strong).with(typed, theme.plain)
}

// Colours and attributes.

/// The style of each kind of text. Without colours, attributes and words are enough. The selected
/// row is [reversed](Line::reversed), and has a mark.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    pub plain: ContentStyle,
    pub strong: ContentStyle,
    pub weak: ContentStyle,
    pub url: ContentStyle,
    pub number: ContentStyle,
    /// The words that are searched for.
    pub found: ContentStyle,
}

impl Theme {
    /// Returns the theme. With colours, the marked words look like matches in the output.
    pub fn new(colors: bool) -> Theme {
        let plain = ContentStyle::new();
        let color = |color| if colors { plain.with(color) } else { plain };
        Theme {
            plain,
            strong: plain.bold(),
            weak: plain.dim(),
            url: color(Color::DarkCyan),
            number: color(Color::DarkGreen),
            found: color(Color::DarkYellow).bold().underlined(),
        }
    }
}

/// Drawings of small models.
#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crossterm::style::Attribute;
    use urlgrep::archive::Role;

    use super::*;
    use crate::menu::model::{Action, Motion};
    use crate::output::item::{Item, ItemEvent, Reading};
    use crate::output::page::Page;

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
        let mut model = Model::new(&[Role::Text], usize::MAX);
        model.list.folded = false;
        items.into_iter().for_each(|item| model.receive(ItemEvent::Item(Box::new(item))));
        model.progress = SearchProgress::Ended;
        model
    }

    fn texts(drawing: &Drawing) -> Vec<String> {
        let text = |line: &Line| line.spans.iter().map(|span| &*span.text).collect::<String>();
        drawing.lines.iter().map(|line| text(line).trim_end().to_owned()).collect()
    }

    /// The lines of a drawing, without spaces at their ends.
    fn lines(model: &mut Model, columns: usize, height: usize) -> Vec<String> {
        texts(&draw(model, columns, height, &Theme::new(true)))
    }

    /// The texts of a drawing that have an attribute.
    fn with(drawing: &Drawing, attribute: Attribute) -> Vec<&str> {
        let spans = drawing.lines.iter().flat_map(|line| &line.spans);
        spans.filter(|span| span.style.attributes.has(attribute)).map(|span| &*span.text).collect()
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let jp = "\u{65b0}\u{805e}\u{306f}\u{672c}\u{65e5}\u{4f11}\u{520a}";
        let mut model = model([
            item("http://h.org/\u{65b0}\u{805e}\u{65b0}\u{805e}\u{65b0}", jp, "", "A"),
            item("ftp://h/", "", "", "A"),
        ]);
        assert_eq!(
            lines(&mut model, 30, 6),
            [
                "URL 1 of 2 T  A",
                ">1  \u{65b0}\u{805e}\u{306f}\u{672c}\u{65e5}\u{4f11}\u{520a}",
                " 2  ftp://h/",
                "",
                "http://h.org/\u{65b0}\u{805e}\u{65b0}\u{805e}\u{65b0}",
                "Enter open  ? help  q quit",
            ]
        );
        // With 13 columns for the text, its last wide character would end in the 14th.
        assert_eq!(
            lines(&mut model, 17, 3)[1],
            ">1  \u{65b0}\u{805e}\u{306f}\u{672c}\u{65e5}\u{4f11}\u{2026}"
        );
    }

    #[test]
    fn a_row_has_the_text_of_its_link_and_the_url() {
        let mut items = [
            item("http://h.org/a", "A", "", "One"),
            item("https://h.org/b", "", "See \u{2026} now.", "Two"),
            item("ftp://h/c", &"long ".repeat(20), "", "Two"),
        ];
        items[0].warnings = "port".into();
        let mut all = model(items);
        assert_eq!(
            lines(&mut all, 60, 6)[..5],
            [
                "URL 1 of 3 T  One",
                ">1  A !                           h.org/a",
                " 2  h.org/b  See \u{2026} now.",
                " 3  long long long long long lo\u{2026}  ftp://h/c",
                "! port: http://h.org/a",
            ]
        );
        all.apply(Action::Split);
        assert_eq!(
            lines(&mut all, 59, 5)[1..4],
            [">1  A !", " 2  h.org/b  See \u{2026} now.", "! port: http://h.org/a"]
        );
        // Neither the URL nor the warning hides the other.
        assert_eq!(
            lines(&mut all, 21, 6)[1..5],
            [">1  A !", " 2  h.org/b", "! port", "http://h.org/a"].map(str::to_owned)
        );
        let mut wide =
            model([item("http://h.org/a", "A", "", "One"), item("http://h.org/b", "B", "", "Two")]);
        assert_eq!(
            lines(&mut wide, 100, 5)[1..3],
            [
                format!(">1  A{}h.org/a{}One", " ".repeat(40), " ".repeat(29)),
                format!(" 2  B{}h.org/b{}Two", " ".repeat(40), " ".repeat(29)),
            ]
        );
    }

    /// An item on a page with this text, at `http://h.org/a`.
    fn on_page(text: &str) -> Item {
        let page = Page::new(vec!["Subject: One".into(), "".into()], text.as_bytes());
        let at = text.find("http").unwrap();
        let places = page.places(text.as_bytes(), at..at + 14);
        Item { places, page: Arc::new(page), ..item("http://h.org/a", "", "", "One") }
    }

    #[test]
    fn the_url_in_its_message_is_marked() {
        let mut model = model([on_page("before\nsee http://h.org/a there\n")]);
        model.apply(Action::Message);
        let drawing = draw(&mut model, 12, 12, &Theme::new(false));
        assert_eq!(
            texts(&drawing)[1..10],
            ["http://h.org", "/a", "", "Subject: One", "", "before", "see", "http://h.org", "/a there"]
        );
        assert_eq!(with(&drawing, Attribute::Reverse), ["", "http://h.org", "/a"]);
    }

    #[test]
    fn the_message_is_beside_the_list_or_below_it() {
        let mut one = model([on_page(&format!("{}see http://h.org/a\n", "line\n".repeat(50)))]);
        let wide = lines(&mut one, 120, 9);
        assert_eq!(wide[1], format!(">1  h.org/a{}\u{2502} line", " ".repeat(49)));
        assert_eq!(wide[6], format!("{}\u{2502} see http://h.org/a", " ".repeat(60)));
        assert_eq!(wide[7], "http://h.org/a");
        one.apply(Action::Split);
        assert_eq!(lines(&mut one, 120, 9)[2], "");
        // On a narrow screen it comes with the key, and then it is below.
        one.apply(Action::Split);
        let narrow = lines(&mut one, 40, 12);
        assert_eq!(narrow[1..6], [">1  h.org/a", "", "", &"\u{2500}".repeat(40), "line"].map(str::to_owned));
        assert_eq!(narrow[9..11], ["see http://h.org/a", "http://h.org/a"]);
        // Without enough room, it is not shown.
        assert_eq!(lines(&mut one, 40, 7)[2..5], ["", "", ""]);
    }

    #[test]
    fn roles_and_marks_are_in_the_title() {
        let image = Item { role: Role::Image, ..item("http://h.org/i", "", "", "") };
        let mut model = model([image.clone()]);
        assert_eq!(lines(&mut model, 40, 5)[..2], ["URL 0 of 0 i", "press I to show 1 with the role image"]);
        model.apply(Action::Switch(Role::Image));
        model.apply(Action::Mark);
        assert_eq!(lines(&mut model, 40, 5)[..2], ["URL 1 of 1 I *1", ">1* h.org/i"]);
    }

    #[test]
    fn the_numbers_of_a_filtered_list_have_the_columns_of_all() {
        let mut model = model((0..10).map(|n| item(&format!("http://h.org/{n}"), "", "", "")));
        assert_eq!(lines(&mut model, 40, 5)[1], "> 1  h.org/0");
        model.apply(Action::Ask(Prompt::Filter));
        model.apply(Action::Type("org/5".into()));
        let row = &lines(&mut model, 40, 5)[1];
        assert!(row.starts_with("> ") && row.ends_with("  h.org/5"), "{row}");
    }

    #[test]
    fn what_is_searched_for_is_marked() {
        let mut model = model([item("http://h.org/one", "The One", "", "")]);
        model.apply(Action::Ask(Prompt::Search));
        model.apply(Action::Type("one".into()));
        let drawing = draw(&mut model, 60, 6, &Theme::new(false));
        assert_eq!(with(&drawing, Attribute::Underlined), ["One", "one"]);
        assert_eq!((texts(&drawing)[5].as_str(), drawing.cursor), ("/one", Some((4, 5))));
    }

    /// Without colours, the output contains no escape sequences for them, and any size is drawn.
    #[test]
    fn any_size_is_drawn() {
        for mode in [
            None,
            Some(Action::Ask(Prompt::Search)),
            Some(Action::Help),
            Some(Action::Message),
            Some(Action::Readings),
            Some(Action::Split),
        ] {
            let mut broken =
                Item { text: "text".into(), ..on_page(&format!("{} http://h.org/a", "\u{672c}".repeat(90))) };
            broken.readings.push(broken.readings[0].clone());
            let mut model = model([broken.clone(), broken, item("", "", "", "B")]);
            mode.into_iter().for_each(|action| _ = model.apply(action));
            let sizes = (0..70).chain([125]).flat_map(|columns| (0..12).map(move |height| (columns, height)));
            for (columns, height) in sizes {
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

    /// The prompt as wide as the screen, with the cursor after it, and one character more.
    #[test]
    fn the_end_of_a_long_prompt_is_shown() {
        for (typed, shown) in
            [("12345678", "/12345678"), ("123456789", "/23456789"), ("\u{65b0}2345678", "/2345678")]
        {
            let mut model = model([]);
            model.apply(Action::Ask(Prompt::Search));
            model.apply(Action::Type(typed.into()));
            let line = prompt(&model, Prompt::Search, 10, &Theme::new(true));
            assert_eq!(line.spans.iter().map(|span| &*span.text).collect::<String>(), shown, "{typed}");
        }
    }

    #[test]
    fn the_pane_comes_by_itself_on_a_tall_screen() {
        for (height, is_split) in [(TALL - 1, false), (TALL, true)] {
            let mut model = model([on_page("see http://h.org/a\n")]);
            lines(&mut model, 40, height);
            assert_eq!(model.is_split, is_split, "{height}");
        }
    }

    /// The key for other readings is shown only if the URL has others.
    #[test]
    fn the_hint_of_the_readings() {
        for (readings, is_shown) in [(1, false), (2, true)] {
            let mut one = item("http://h.org/a", "", "", "");
            one.readings = vec![one.readings[0].clone(); readings];
            let last = lines(&mut model([one]), 80, 5).pop().unwrap();
            assert_eq!(last.contains("r readings"), is_shown, "{last}");
        }
    }
}

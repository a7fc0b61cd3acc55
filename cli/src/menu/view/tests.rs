//! Drawings of small models.

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
        let mut broken = item(&format!("http://h.org/{}", "\u{672c}".repeat(90)), "text", "sentence", "A");
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

//! The model, action by action.

use super::*;

/// An item with this URL, text and subject.
fn item(url: &str, text: &str, subject: &str) -> Item {
    let reading =
        |url: &str| Reading { shown: url.into(), target: url.into(), opens: url.starts_with("http:") };
    Item { readings: vec![reading(url)], text: text.into(), subject: subject.into(), ..Item::default() }
}

fn receive(model: &mut Model, item: Item) {
    model.receive(ItemEvent::Item(Box::new(item)));
}

/// A model of `http://h.org/1` and so on, of which `page` are visible.
fn numbered(count: usize, page: usize) -> Model {
    let mut model = Model::new(false);
    (1..=count).for_each(|n| receive(&mut model, item(&format!("http://h.org/{n}"), "", "")));
    model.end();
    model.set_page(page);
    model
}

fn visible(model: &Model) -> Vec<usize> {
    model.list().visible().map(|row| row.number).collect()
}

fn urls(model: &Model) -> Vec<&str> {
    model.list().visible().map(|row| row.item.url()).collect()
}

fn digits(model: &mut Model, digits: &str) -> usize {
    for digit in digits.chars() {
        model.apply(Action::Digit(digit.to_digit(10).unwrap() as usize));
    }
    model.list().selected()
}

fn typed(model: &mut Model, text: &str) {
    model.apply(Action::Search);
    text.chars().for_each(|char| _ = model.apply(Action::Type(char.to_string())));
}

#[test]
fn the_selection_is_always_visible() {
    let mut model = numbered(10, 3);
    for (motion, selected, rows) in [
        (Motion::Up, 1, [1, 2, 3]),
        (Motion::Down, 2, [1, 2, 3]),
        (Motion::Down, 3, [1, 2, 3]),
        (Motion::Down, 4, [2, 3, 4]),
        (Motion::PageDown, 7, [5, 6, 7]),
        (Motion::Up, 6, [5, 6, 7]),
        (Motion::PageDown, 9, [7, 8, 9]),
        (Motion::PageDown, 10, [8, 9, 10]),
        (Motion::Down, 10, [8, 9, 10]),
        (Motion::PageUp, 7, [7, 8, 9]),
        (Motion::First, 1, [1, 2, 3]),
        (Motion::Last, 10, [8, 9, 10]),
    ] {
        model.apply(Action::Move(motion));
        assert_eq!((model.list().selected(), visible(&model)), (selected, rows.to_vec()), "{motion:?}");
    }
    model.set_page(5);
    assert_eq!(visible(&model), [6, 7, 8, 9, 10]);
    model.set_page(1);
    assert_eq!(visible(&model), [10]);
}

#[test]
fn an_empty_list_has_no_selection() {
    let mut model = Model::new(true);
    for motion in [Motion::Down, Motion::Up, Motion::PageDown, Motion::Last] {
        assert_eq!(model.apply(Action::Move(motion)), None);
    }
    for action in
        [Action::Open, Action::Copy, Action::Context, Action::Readings, Action::Digit(1), Action::Fold]
    {
        assert_eq!(model.apply(action), None);
    }
    assert_eq!((model.mode(), model.list().selected()), (Mode::List, 0));
}

#[test]
fn numbers_select() {
    let mut model = numbered(69, 5);
    assert_eq!(digits(&mut model, "1"), 1);
    assert_eq!(digits(&mut model, "2"), 12);
    // 123 is too large, so this is the start of another number.
    assert_eq!(digits(&mut model, "3"), 3);
    assert_eq!(digits(&mut model, "4"), 34);
    model.apply(Action::Move(Motion::Down));
    assert_eq!(model.list().selected(), 35);
    assert_eq!(digits(&mut model, "0"), 35);
    assert_eq!(digits(&mut model, "07"), 7);
}

#[test]
fn a_search_narrows_while_it_is_typed() {
    let mut model = Model::new(false);
    receive(&mut model, item("http://h.org/a", "The FAQ", "News"));
    receive(&mut model, item("http://h.org/b", "\u{dc}bersicht", "News of a FAQ"));
    receive(&mut model, item("ftp://H.ORG/c", "", "Old"));
    model.set_page(9);
    model.apply(Action::Move(Motion::Last));
    typed(&mut model, "faq");
    assert_eq!(urls(&model), ["http://h.org/a", "http://h.org/b"]);
    typed(&mut model, " \u{fc}b");
    assert_eq!(urls(&model), ["http://h.org/b"]);
    // Items that come later are searched, too.
    receive(&mut model, item("http://h.org/d", "FAQ: \u{dc}b", ""));
    assert_eq!(urls(&model), ["http://h.org/b", "http://h.org/d"]);
    (0..3).for_each(|_| _ = model.apply(Action::Erase));
    assert_eq!((model.typed(), urls(&model).len()), ("faq", 3));
    model.apply(Action::Accept);
    assert_eq!((model.mode(), model.typed()), (Mode::List, "faq"));
    // What is typed next is lost with Esc, and the next Esc shows everything.
    typed(&mut model, "x");
    assert_eq!((urls(&model).len(), model.list().selected()), (0, 0));
    assert_eq!(model.apply(Action::Back), None);
    assert_eq!((model.typed(), urls(&model).len()), ("faq", 3));
    assert_eq!(model.apply(Action::Back), None);
    assert_eq!((model.typed(), urls(&model).len()), ("", 4));
    assert_eq!(model.apply(Action::Back), Some(Effect::Quit));
}

#[test]
fn a_search_is_literal_and_limited() {
    let mut model = numbered(3, 3);
    typed(&mut model, "h.o.g");
    assert_eq!(urls(&model).len(), 0);
    model.apply(Action::EraseAll);
    model.apply(Action::Type(format!("(\u{1b}\n{}", "a".repeat(999))));
    assert_eq!(model.typed(), format!("({}", "a".repeat(199)));
}

#[test]
fn duplicates_are_folded_to_their_first() {
    let mut model = Model::new(false);
    for (url, text) in
        [("http://h.org/a", ""), ("http://h.org/b", "b"), ("http://h.org/a", "A"), ("http://h.org/a", "x")]
    {
        receive(&mut model, item(url, text, ""));
    }
    model.set_page(9);
    model.apply(Action::Move(Motion::Last));
    model.apply(Action::Fold);
    let rows: Vec<_> =
        model.list().visible().map(|row| (row.item.url(), row.text, row.count, row.selected)).collect();
    // The selected one is folded into the first, whose text comes from the third.
    assert_eq!(rows, [("http://h.org/a", "A", 3, true), ("http://h.org/b", "b", 1, false)]);
    assert_eq!(model.notice(), "2 duplicates are folded");
    receive(&mut model, item("http://h.org/b", "", ""));
    assert_eq!(model.list().visible().map(|row| row.count).collect::<Vec<_>>(), [3, 2]);
    // A duplicate that has the words shows its URL.
    typed(&mut model, "x");
    assert_eq!(urls(&model), ["http://h.org/a", "http://h.org/a"][..1]);
    model.apply(Action::Back);
    model.apply(Action::Fold);
    assert_eq!((urls(&model).len(), model.notice()), (5, "All duplicates are shown"));
}

#[test]
fn what_is_opened_and_copied() {
    let mut model = numbered(1, 1);
    receive(&mut model, item("telnet://h.org/", "", ""));
    assert_eq!(model.apply(Action::Open), Some(Effect::Open("http://h.org/1".into())));
    assert_eq!(model.apply(Action::Copy), Some(Effect::Copy("http://h.org/1".into())));
    model.apply(Action::Move(Motion::Down));
    assert_eq!(model.apply(Action::Open), None);
    assert_eq!(
        model.notice(),
        "telnet is not opened: only http, https, ftp, gopher, mailto and news are. y copies the URL"
    );
    assert_eq!(model.apply(Action::Copy), Some(Effect::Copy("telnet://h.org/".into())));
    assert_eq!(model.notice(), "");
}

#[test]
fn a_reading_is_selected_and_opened() {
    let mut model = numbered(1, 1);
    model.apply(Action::Readings);
    assert_eq!((model.mode(), model.notice()), (Mode::List, "This URL has no other reading"));
    let mut broken = item("http://h.org/a-b", "", "");
    broken.readings.extend(item("http://h.org/ab", "", "").readings);
    receive(&mut model, broken);
    model.apply(Action::Move(Motion::Down));
    model.apply(Action::Readings);
    assert_eq!(model.mode(), Mode::Readings { selected: 0 });
    assert_eq!(model.apply(Action::Open), Some(Effect::Open("http://h.org/a-b".into())));
    model.set_pane(2, 10);
    model.apply(Action::Move(Motion::Down));
    model.apply(Action::Move(Motion::Down));
    assert_eq!(model.mode(), Mode::Readings { selected: 1 });
    assert_eq!(model.apply(Action::Copy), Some(Effect::Copy("http://h.org/ab".into())));
    digits(&mut model, "1");
    assert_eq!(model.mode(), Mode::Readings { selected: 0 });
    model.apply(Action::Readings);
    assert_eq!((model.mode(), model.list().selected()), (Mode::List, 2));
}

#[test]
fn panes_scroll_and_are_left() {
    let mut model = numbered(2, 2);
    model.apply(Action::Help);
    model.set_pane(10, 4);
    for (motion, top) in
        [(Motion::Up, 0), (Motion::Down, 1), (Motion::PageDown, 5), (Motion::Last, 6), (Motion::Down, 6)]
    {
        model.apply(Action::Move(motion));
        assert_eq!(model.mode(), Mode::Help { top });
    }
    // A larger screen shows more.
    model.set_pane(10, 8);
    assert_eq!(model.mode(), Mode::Help { top: 2 });
    assert_eq!(model.apply(Action::Back), None);
    model.apply(Action::Context);
    assert_eq!(model.mode(), Mode::Context { top: 0 });
    model.apply(Action::Context);
    assert_eq!((model.mode(), model.list().selected()), (Mode::List, 1));
}

#[test]
fn errors_and_the_end_of_the_search() {
    let mut model = Model::new(false);
    (0..200).for_each(|n| model.receive(ItemEvent::Error(format!("a: {n}"))));
    assert_eq!((model.errors().len(), model.progress()), (100, Progress::Running));
    model.end();
    assert!(model.has_all() && !model.takes_more());
}

#[test]
fn memory_is_bounded() {
    let mut model = Model::new(false);
    let context = vec![crate::output::item::ContextLine { text: "x".repeat(8 << 20).into(), url: 0..0 }];
    let large = Item { context, ..item("http://h.org/", "", "") };
    while model.takes_more() {
        receive(&mut model, large.clone());
    }
    assert_eq!((model.list().row_count(), model.progress(), model.has_all()), (32, Progress::Full, false));
}

//! Many short texts in one buffer: each has the matches that it has alone.

use urlgrep::{Finder, OptionKind};

/// A finder with these options.
pub fn finder(options: &[(&str, &str)]) -> Finder {
    let builder = Finder::builder();
    let set = options.iter().fold(builder, |builder, (name, value)| builder.set(name, value).unwrap());
    set.build().unwrap()
}

/// Each option of the table with each of its values, unless it needs another option, or a feature that is missing.
pub fn values() -> Vec<(&'static str, String)> {
    let values = |kind| match kind {
        OptionKind::Flag => vec!["false".to_owned(), "true".to_owned()],
        OptionKind::OneOf(names) => names.iter().map(|&name| name.to_owned()).collect(),
        OptionKind::AnyOf(names) => {
            names.iter().map(|&name| name.to_owned()).chain([names[..3].join(",")]).collect()
        }
        OptionKind::Schemes => vec!["h323,http".to_owned()],
        _ => vec!["20".to_owned()],
    };
    let all = urlgrep::options().iter();
    let all = all.flat_map(|option| values(option.kind()).into_iter().map(|value| (option.name(), value)));
    all.filter(|(name, value)| Finder::builder().set(name, value).is_ok_and(|set| set.build().is_ok()))
        .collect()
}

/// The number of the row, and the URL, of all matches in `rows`, which are in one buffer.
fn found(options: &[(&str, &str)], rows: &[&str]) -> Vec<(usize, String)> {
    let buffer = rows.concat();
    let finder = finder(options);
    let mut texts = finder.batch();
    let mut start = 0;
    let mut found = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let matches = texts.find_iter(&buffer, start..start + row.len());
        found.extend(matches.map(|m| (number, format!("{} {:?}", m, m.range()))));
        start += row.len();
    }
    found
}

fn wanted(found: &[(usize, &str)]) -> Vec<(usize, String)> {
    found.iter().map(|&(row, url)| (row, url.to_owned())).collect()
}

#[test]
fn a_url_at_the_border_of_a_row() {
    let rows =
        ["http://h.org/a", "http://h.org/b", "", "c", "<http://h.org/d", "e>", "news:a.b", "mailto:a@h.org"];
    let urls = [
        (0, "http://h.org/a 0..14"),
        (1, "http://h.org/b 0..14"),
        (4, "http://h.org/d 1..15"),
        (6, "news:a.b 0..8"),
        (7, "mailto:a@h.org 0..14"),
    ];
    assert_eq!(found(&[], &rows), wanted(&urls));
}

#[test]
fn a_url_that_is_too_long_ends_with_its_row() {
    let long = format!("http://h.org/{}", "a".repeat(20));
    let urls = wanted(&[(1, "http://h.org/b 0..14")]);
    assert_eq!(found(&[("max_len", "20")], &[&long, "http://h.org/b"]), urls);
}

#[test]
fn two_rows_are_no_url() {
    let rows = [
        "http",
        "://h.org/a",
        "http:",
        "//h.org/b",
        "http://",
        "h.org/c",
        "<URL:",
        "x>",
        "mailto:",
        "a@h.org",
        ":",
    ];
    assert_eq!(found(&[], &rows), []);
}

#[test]
fn a_colon_at_the_end_of_a_row() {
    // Alone, none of them has a byte after its colon; in the buffer, the next row has one.
    let rows = ["<URL:", "http://h.org/a", "news:", "b http://h.org/c:", "/d"];
    let urls = [(1, "http://h.org/a 0..14"), (3, "http://h.org/c 2..16")];
    assert_eq!(found(&[], &rows), wanted(&urls));
}

#[test]
fn urls_without_a_colon() {
    let rows = ["www.h.org", "no", "a@h.org", "h.com/x", "none", "h[.]org/y", "hxxp[:]//h.org/"];
    let urls = [(0, "www.h.org 0..9"), (2, "a@h.org 0..7"), (5, "h.org/y 0..9"), (6, "http://h.org/ 0..15")];
    assert_eq!(found(&[("schemeless", "hosts,emails"), ("refang", "true")], &rows), wanted(&urls));
}

#[test]
fn a_row_is_counted_from_its_first_line() {
    let finder = finder(&[("line_numbers", "true")]);
    let (buffer, mut texts) = ("a\nb\n\n http://h.org/", finder.batch());
    let line = |m: urlgrep::Match<'_, str>| m.position().map(|at| (at.line, at.column));
    assert_eq!(texts.find_iter(buffer, 4..19).map(line).collect::<Vec<_>>(), [Some((2, 2))]);
    assert_eq!(texts.find_iter(buffer, 5..19).map(line).collect::<Vec<_>>(), [Some((1, 2))]);
}

#[test]
fn few_rows_of_many() {
    let rows: Vec<_> =
        (0..20_000).map(|n| if n % 7001 == 0 { "http://h.org/" } else { "at 12:30, so " }).collect();
    let urls = [0, 7001, 14_002].map(|row| (row, "http://h.org/ 0..13"));
    assert_eq!(found(&[], &rows), wanted(&urls));
}

#[test]
fn a_row_across_the_end_of_a_block() {
    // 16,384 bytes are indexed at a time: the colon of row 1260 is the next one.
    let rows = vec!["http://h.org/"; 3000];
    assert!(found(&[], &rows).into_iter().map(|(row, _)| row).eq(0..3000));
}

#[test]
fn rows_of_several_buffers_in_any_order() {
    // As long as each other, so that a range of one is a range of all.
    let buffers =
        ["a http://h.org/a, and so on ", "nothing is there, or in that", "ftp://h.org/b mailto:c@h.org"];
    let finder = Finder::new();
    // Any of them may be the first one whose anchors are known.
    for first in 0..3 {
        for then in 0..3 {
            let mut texts = finder.batch();
            let counts = [first, then].map(|n| texts.find_iter(buffers[n], 0..buffers[n].len()).count());
            assert_eq!(counts, [first, then].map(|n| [1, 0, 2][n]), "{first}, then {then}");
        }
    }
    let mut texts = finder.batch();
    for _ in 0..1000 {
        for (buffer, count) in [(0, 1), (1, 0), (2, 2), (1, 0), (0, 1)] {
            let buffer = buffers[buffer];
            assert_eq!(texts.find_iter(buffer, 0..buffer.len()).count(), count);
            assert_eq!(texts.find_iter(buffer, 1..1).count(), 0);
        }
    }
}

#[test]
#[should_panic(expected = "out of range")]
fn a_row_beyond_the_buffer() {
    let _ = Finder::new().batch().find_iter(b"short", 2..6).count();
}

//! The tables of cases in `tests/data`, by every way to search a text with the library.

mod table;

use std::path::Path;

use urlgrep::{Dialect, Evidence, Finder, FinderBuilder, Hyphen, Iri, Join, Schemeless};

use self::table::{Case, cases};
use crate::entry;

/// The finder that the program makes of `args` for a file with this text: a first pass
/// gathers the evidence for joins.
fn finder(args: &[String], portable: bool, text: &[u8]) -> Finder {
    let evidence = Evidence::new();
    let first = builder(args, portable).join(Join::Delimited).explain(true).build().unwrap();
    first.find_iter(text).for_each(|m| evidence.add(&m));
    builder(args, portable).evidence(evidence).build().unwrap()
}

fn builder(args: &[String], portable: bool) -> FinderBuilder {
    let mut builder = Finder::builder().line_numbers(true).portable(portable);
    let (flags, pairs): (Vec<&String>, Vec<&String>) =
        args.iter().partition(|arg| ["--refang", "--unwrap", "--nested"].contains(&arg.as_str()));
    let has = |flag: &str| flags.iter().any(|f| *f == flag);
    builder = builder.refang(has("--refang"));
    {
        builder = builder.unwrap(has("--unwrap")).nested(has("--nested"));
    }
    let split = |arg: &String| arg.split('=').map(str::to_owned).collect::<Vec<_>>();
    let pairs: Vec<String> = pairs.into_iter().flat_map(split).collect();
    for pair in pairs.chunks(2) {
        let [option, value] = pair else { panic!("{pair:?} is no option and its value") };
        builder = match (option.as_str(), value.as_str()) {
            ("--schemeless", list) => list.split(',').fold(builder, schemeless),
            ("--iri", "words") => builder.iri(Iri::Words),
            ("--iri", "all") => builder.iri(Iri::All),
            ("--iri", "ascii") => builder.iri(Iri::Ascii),
            ("--input", "csv") => builder.delimited_rows(true),
            ("--width", columns) => builder.width(columns.parse().unwrap()),
            ("--scheme-add", list) => builder.scheme_add(list.split(',')),
            ("--input", "text") | ("--hyphen", "keep") | ("--join", "delimited") => builder,
            ("--hyphen", "drop") => builder.hyphen(Hyphen::Drop),
            ("--hyphen", "both") => builder.hyphen(Hyphen::Both),
            ("--join", "none") => builder.join(Join::None),
            ("--join", "likely") => builder.join(Join::Likely),
            ("--dialect", "rfc1738") => builder,
            ("--dialect", "draft") => builder.dialect(Dialect::Draft1994),
            ("--grade", grade) => builder.min_grade(grade.parse().unwrap()),
            ("--scheme", list) => builder.schemes(list.split(',')),
            ("--max-len", bytes) => builder.max_len(bytes.parse().unwrap()),
            _ => panic!("{option} {value} is not known here"),
        };
    }
    builder
}

fn schemeless(builder: FinderBuilder, which: &str) -> FinderBuilder {
    match which {
        "hosts" => builder.schemeless([Schemeless::Hosts]),
        "emails" => builder.schemeless([Schemeless::Emails]),
        "ips" => builder.schemeless([Schemeless::Ips]),
        "all-domains" => builder.schemeless([Schemeless::AllDomains]),
        _ => builder.schemeless([Schemeless::Domains]),
    }
}

fn run(file: &str) {
    let file = Path::new(crate::ROOT).join("tests/data").join(file);
    for case in cases(&file) {
        for portable in [false, true] {
            library(&case, portable);
        }
        in_long_texts(&case);
    }
}

/// Searches the text of a case with much after it, and also much before it, by the fast path and by the rules alone:
/// most cases are so short that the fast path sees little of them.
fn in_long_texts(case: &Case) {
    let much = "and so on, line after line\n".repeat(12);
    for before in ["", &much] {
        for between in ["", " ", "\n", "\n\n"] {
            let text = [before, between].concat().into_bytes();
            let text = [&text, &*case.input, between.as_bytes(), much.as_bytes()].concat();
            let [fast, by_rules] =
                [false, true].map(|portable| entry::slice(&finder(&case.args, portable, &text), &text));
            assert_eq!(fast, by_rules, "{} in a long text: {:?}", case.name, String::from_utf8_lossy(&text));
        }
    }
}

/// Runs a case by every way into the library, with or without instructions that only
/// some processors have.
fn library(case: &Case, portable: bool) {
    let finder = finder(&case.args, portable, &case.input);
    let whole = entry::slice(&finder, &case.input);
    case.check("slice", &whole);
    for size in [1, 2, 3, 7, 64, 65_536] {
        assert_eq!(entry::streamed(&finder, &case.input, size), whole, "{} (stream of {size})", case.name);
    }
    for cut in 0..=case.input.len() {
        assert_eq!(entry::pushed(&finder, &case.input, &[cut]), whole, "{} (cut at {cut})", case.name);
    }
}

#[test]
fn appendix() {
    run("appendix.toml");
}

#[test]
fn bare() {
    run("bare.toml");
}

#[test]
fn grammar() {
    run("grammar.toml");
}

#[test]
fn draft() {
    run("draft.toml");
}

#[test]
fn archives() {
    run("archives.toml");
}

#[test]
fn iri() {
    run("iri.toml");
}

#[test]
fn implied() {
    run("implied.toml");
}

#[test]
fn unwrap() {
    run("unwrap.toml");
}

#[test]
fn refang() {
    run("refang.toml");
}

#[test]
fn second() {
    run("second.toml");
}

#[test]
fn third() {
    run("third.toml");
}

#[test]
fn fifth() {
    run("fifth.toml");
}

#[test]
fn joins() {
    run("joins.toml");
}

#[test]
fn limits() {
    run("limits.toml");
}

//! The tables of cases in `tests/data`, by every way to search a text.
//!
//! A case has a `name`, an `input` (or `input_hex`), the program's `args`
//! (`--input text` if there are none), and the expected result: `urls`, the URL of
//! every match; and `finds`, a table for each match, in order, of keys and values. A
//! key `a.b` is the key `b` of the value of `a`, and `"null"` means null.

use std::path::Path;

use serde_json::Value;
use urlgrep::{Dialect, Evidence, Finder, FinderBuilder, Hyphen, Iri, Join};

use crate::entry;

struct Case {
    name: String,
    input: Vec<u8>,
    args: Vec<String>,
    urls: Option<Vec<String>>,
    finds: Vec<Value>,
}

fn cases(file: &Path) -> Vec<Case> {
    let table: Value = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    table["case"].as_array().unwrap().iter().map(|case| read(file, case)).collect()
}

fn read(file: &Path, case: &Value) -> Case {
    let strings = |key: &str| -> Option<Vec<String>> {
        case.get(key)
            .map(|list| list.as_array().unwrap().iter().map(|s| s.as_str().unwrap().to_owned()).collect())
    };
    let input = match (case.get("input"), case.get("input_hex")) {
        (Some(input), None) => input.as_str().unwrap().as_bytes().to_vec(),
        (None, Some(hex)) => from_hex(hex.as_str().unwrap()),
        _ => panic!("{}: a case has one input", file.display()),
    };
    Case {
        name: format!("{}: {}", file.file_name().unwrap().display(), case["name"].as_str().unwrap()),
        input,
        args: strings("args").unwrap_or_else(|| vec!["--input".into(), "text".into()]),
        urls: strings("urls"),
        finds: case.get("finds").map_or_else(Vec::new, |finds| finds.as_array().unwrap().clone()),
    }
}

fn from_hex(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

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
    let (flags, pairs): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| {
        ["--hosts", "--addresses", "--domains", "--refang", "--unwrap"].contains(&arg.as_str())
    });
    let has = |flag: &str| flags.iter().any(|f| *f == flag);
    builder = builder.hosts(has("--hosts")).addresses(has("--addresses")).refang(has("--refang"));
    #[cfg(feature = "unwrap")]
    {
        builder = builder.unwrap(has("--unwrap"));
    }
    if has("--domains") {
        builder = domains(builder, "names");
    }
    let split = |arg: &String| arg.split('=').map(str::to_owned).collect::<Vec<_>>();
    let pairs: Vec<String> = pairs.into_iter().flat_map(split).collect();
    for pair in pairs.chunks(2) {
        let [option, value] = pair else { panic!("{pair:?} is no option and its value") };
        builder = match (option.as_str(), value.as_str()) {
            ("--domains", which) => domains(builder, which),
            ("--iri", "words") => builder.iri(Iri::Words),
            ("--iri", "all") => builder.iri(Iri::All),
            ("--iri", "ascii") => builder.iri(Iri::Ascii),
            ("--input", "text") | ("--hyphen", "keep") | ("--join", "delimited") => builder,
            ("--hyphen", "drop") => builder.hyphen(Hyphen::Drop),
            ("--hyphen", "both") => builder.hyphen(Hyphen::Both),
            ("--join", "none") => builder.join(Join::None),
            ("--join", "likely") => builder.join(Join::Likely),
            ("--dialect", "rfc1738") => builder,
            ("--dialect", "draft") => builder.dialect(Dialect::Draft1994),
            ("--grade", grade) => builder.min_grade(grade.parse().unwrap()),
            ("--scheme", list) => builder.scheme_filter(list.split(',')),
            ("--max-len", bytes) => builder.max_len(bytes.parse().unwrap()),
            _ => panic!("{option} {value} is not known here"),
        };
    }
    builder
}

#[cfg(feature = "domains")]
fn domains(builder: FinderBuilder, which: &str) -> FinderBuilder {
    use urlgrep::Domains;
    builder.domains(if which == "all" { Domains::All } else { Domains::Names })
}

/// Without the feature, cases that need it are not run.
#[cfg(not(feature = "domains"))]
fn domains(_builder: FinderBuilder, which: &str) -> FinderBuilder {
    panic!("--domains={which} needs the feature `domains`")
}

impl Case {
    fn check(&self, how: &str, matches: &[Value]) {
        if let Some(urls) = &self.urls {
            let have: Vec<_> = matches.iter().map(|f| f["url"].as_str().unwrap()).collect();
            assert_eq!(have, *urls, "{} ({how})", self.name);
        }
        for (i, want) in self.finds.iter().enumerate() {
            let have = matches.get(i).unwrap_or_else(|| panic!("{} ({how}): no match {i}", self.name));
            for (key, want) in want.as_object().unwrap() {
                let have = key.split('.').fold(have, |at, step| &at[step]);
                let want = if want == "null" { &Value::Null } else { want };
                assert_eq!(have, want, "{} ({how}): match {i}, {key}", self.name);
            }
        }
    }
}

fn run(file: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    for case in cases(&file) {
        for portable in [false, true] {
            library(&case, portable);
        }
        #[cfg(feature = "cli")]
        case.check("program", &program::run(&case.args, &case.input));
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

#[cfg(feature = "cli")]
mod program {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use serde_json::Value;

    pub fn run(args: &[String], input: &[u8]) -> Vec<Value> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_urlgrep"))
            .arg("--json")
            .args(args)
            .arg("-")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        let matches: Vec<Value> = output
            .stdout
            .split(|&b| b == b'\n')
            .filter(|l| !l.is_empty())
            .map(|l| serde_json::from_slice(l).unwrap())
            .collect();
        assert_eq!(output.status.code(), Some(i32::from(matches.is_empty())));
        matches
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

#[cfg(feature = "idna")]
#[test]
fn iri() {
    run("iri.toml");
}

#[cfg(feature = "domains")]
#[test]
fn implied() {
    run("implied.toml");
}

#[cfg(feature = "unwrap")]
#[test]
fn unwrap() {
    run("unwrap.toml");
}

#[cfg(feature = "domains")]
#[test]
fn refang() {
    run("refang.toml");
}

#[test]
fn second() {
    run("second.toml");
}

#[test]
fn joins() {
    run("joins.toml");
}

#[test]
fn limits() {
    run("limits.toml");
}

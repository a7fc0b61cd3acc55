//! Every face names every field of [`urlgrep::table::fields`], but for those that a list here excepts, with the reason.
//!
//! C reads any field by its name, and has no list of them. The fields of a feature that is not compiled in are not compared:
//! with the program, which `cargo test` compiles, all are.

use urlgrep::table::{Field, Kind, fields};
use urlgrep::{Finder, Form, GuessRule, JoinKind, Warning};

use crate::repository::{between, text_of};

/// What the npm package has not, and why.
const NOT_IN_JS: [(&str, &str); 17] = [
    ("path", "it searches texts, no files"),
    ("ascii", "it is without the feature idna, for the size"),
    ("text", "no page is searched"),
    ("element", "no page is searched"),
    ("message", "no mail is searched"),
    ("hyphen", "only the program decides about hyphens by evidence"),
    ("unwrapped", "it is without the feature unwrap, for the size"),
    ("clean", "it is for archives, and its table would be in every page"),
    ("defanged", "it is for reports, which programs write, and its code would be in every page"),
    ("url_path", "the class URL of the language has it of the href"),
    ("query", "the class URL of the language has it of the href"),
    ("public_suffix", "it is without the feature domains, for the size"),
    ("registered_domain", "it is without the feature domains, for the size"),
    ("rel", "no page is searched"),
    ("member", "no archive is searched"),
    ("invalid", "it is without the feature domains, for the size"),
    ("key", "no file of JSON is searched"),
];

/// What the attributes and the columns of the Python package have not, and why.
const NOT_IN_PYTHON: [(&str, &str); 1] = [("hyphen", "only the program decides about hyphens by evidence")];

/// What the program prints nowhere, and why.
const NOT_IN_PROGRAM: [(&str, &str); 1] = [("member", "the path has it: a.zip!/b.mbox")];

/// The columns of the Python package that are no fields.
const ONLY_COLUMNS: [&str; 7] = ["row", "item", "url_bytes", "reason", "message", "ending", "invalid"];

/// The names of fields and objects that an exception does not name, each once.
fn names(
    fields: impl Iterator<Item = &'static Field>,
    exceptions: &[(&str, &'static str)],
) -> Vec<&'static str> {
    let mut names: Vec<_> = fields.map(|field| field.object().unwrap_or(field.name())).collect();
    names.dedup();
    names.retain(|name| exceptions.iter().all(|(excepted, _)| excepted != name));
    names
}

/// The keys of an object.
fn keys(object: &str) -> Vec<&'static str> {
    fields().iter().filter(|field| field.object() == Some(object)).map(Field::key).collect()
}

fn usual() -> impl Iterator<Item = &'static Field> {
    fields().iter().filter(|field| field.is_usual())
}

/// What each line has between `from` and `to`, if it begins with the one and has the other.
fn in_lines<'t>(text: &'t str, from: &str, to: &str) -> Vec<&'t str> {
    text.lines().filter_map(|line| Some(line.strip_prefix(from)?.split_once(to)?.0)).collect()
}

/// The items of a list of JavaScript, Rust or TypeScript, without quotation marks.
fn items<'t>(list: &'t str, separator: &'static str) -> Vec<&'t str> {
    list.split(separator).map(|item| item.trim().trim_start_matches('b').trim_matches(['\'', '"'])).collect()
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

fn assert_has(names: &[&str], expected: &[&str], file: &str) {
    for name in expected {
        assert!(names.contains(name), "{file}: expected the field {name}, or an exception; found {names:?}");
    }
}

#[test]
fn what_is_excepted_is_a_field() {
    let all = names(fields().iter(), &[]);
    for (name, reason) in NOT_IN_JS.iter().chain(&NOT_IN_PYTHON).chain(&NOT_IN_PROGRAM) {
        assert!(all.contains(name), "{name}, since {reason}, is no field");
    }
}

/// The properties of the object that a function returns, in their order.
fn properties<'t>(module: &'t str, function: &str) -> Vec<&'t str> {
    let body = between(module, &format!("export function {function}("), "\n}\n");
    let mut names = items(between(body, "return {", "}"), ",");
    names.retain(|name| !name.is_empty());
    names
}

/// A match and its details: the code, the types and the document.
#[test]
fn javascript_has_the_fields() {
    let Some(matches) = text_of("bindings/js/lib/match.js") else { return };
    let [details, types, readme] =
        ["bindings/js/lib/details.js", "bindings/js/lib/index.d.ts", "bindings/js/README.md"]
            .map(|file| text_of(file).unwrap());
    let faces = [
        (properties(&matches, "matchOf"), "Match", "| property of a match |"),
        (properties(&details, "details"), "Details", "| property of `details(match)` |"),
    ];
    let all: Vec<_> = faces.iter().flat_map(|(properties, ..)| properties).copied().collect();
    assert_has(&all, &names(fields().iter(), &NOT_IN_JS), "bindings/js/lib");

    for (properties, interface, head) in faces {
        let typed = between(&types, &format!("export interface {interface} {{\n"), "\n}\n");
        assert_eq!(
            in_lines(typed, "  readonly ", ": "),
            properties,
            "bindings/js/lib/index.d.ts: {interface}"
        );
        let table = between(&readme, head, "\n\n");
        let documented = table.lines().skip(2).flat_map(|row| items(row.split('|').nth(1).unwrap(), ","));
        let documented = documented.map(|name| name.trim_matches('`')).collect();
        assert_eq!(sorted(documented), sorted(properties), "bindings/js/README.md: {interface}");
    }
    for (object, interface) in [("reason", "Reason"), ("ending", "Ending")] {
        let body = between(&types, &format!("export interface {interface} {{\n"), "\n}\n");
        let members = body.lines().filter_map(|line| Some(line.trim().split_once(": ")?.0));
        assert_eq!(members.collect::<Vec<_>>(), keys(object), "bindings/js/lib/index.d.ts: {interface}");
    }
}

#[test]
fn javascript_has_the_keys_of_json_in_their_order() {
    let Some(module) = text_of("bindings/js/lib/details.js") else { return };
    assert_eq!(properties(&module, "record"), names(usual(), &NOT_IN_JS));
}

/// It has these names by their numbers.
#[test]
fn javascript_has_the_names_of_the_library() {
    let Some(module) = text_of("bindings/js/lib/match.js") else { return };
    let list = |name: &str| items(between(&module, &format!("const {name} = ["), "]"), ",");
    let forms: Vec<_> = Form::ALL.iter().map(|form| form.as_str()).collect();
    let joins: Vec<_> = JoinKind::ALL.iter().map(|joined| joined.as_str()).collect();
    let rules: Vec<_> = GuessRule::ALL.iter().map(|rule| rule.as_str()).collect();
    assert_eq!(list("FORMS"), forms);
    assert_eq!(list("JOINS"), [&["null"], &joins[..]].concat());
    assert_eq!(list("GUESSES"), [&["null"], &rules[..]].concat());

    let types = text_of("bindings/js/lib/index.d.ts").unwrap();
    let union = |name: &str| items(between(&types, name, "\n"), "|");
    // No page is searched, and the feature unwrap is missing.
    let forms: Vec<_> = forms.into_iter().filter(|name| !["attribute", "nested"].contains(name)).collect();
    assert_eq!(union("export type Form = "), forms);
    assert_eq!(union("readonly join: "), [&joins[..], &["null"]].concat());
    assert_eq!(union("readonly guess: "), [&rules[..], &["null"]].concat());
}

/// The page about joins has each rule. The help refers to the page.
#[test]
fn every_rule_of_joins_is_explained() {
    let Some(page) = text_of("docs/design/joins.md") else { return };
    let rules: Vec<_> = GuessRule::ALL.iter().map(|rule| rule.as_str()).collect();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    let rows = rows.map(|(rule, _)| rule).filter(|rule| rule.len() == 1);
    assert_eq!(rows.collect::<Vec<_>>(), rules);
}

#[test]
fn javascript_has_the_schemes_that_are_implied() {
    let Some(module) = text_of("bindings/js/lib/match.js") else { return };
    let finder = Finder::builder()
        .schemeless([urlgrep::Schemeless::Hosts, urlgrep::Schemeless::Emails])
        .build()
        .unwrap();
    let implied = finder
        .find_iter("www.h.org ftp.h.org me@h.org")
        .map(|found| found.href().strip_suffix(found.as_str()).unwrap().to_owned());
    let implied: Vec<_> = implied.collect();
    assert_eq!(implied, ["http://", "ftp://", "mailto:"]);
    assert_eq!(items(between(&module, "const IMPLIED = ['', ", "]"), ","), implied);
    let record = text_of("bindings/js/src/record.rs").unwrap();
    assert_eq!(items(between(&record, "const IMPLIED: [&[u8]; 3] = [", "]"), ","), implied);
}

#[test]
fn the_stubs_of_python_have_the_fields() {
    let Some(stubs) = text_of("bindings/python/py/urlgrep/_urlgrep.pyi") else { return };
    let class = between(&stubs, "class Match:\n", "\n\n");
    assert_has(
        &in_lines(class, "    def ", "(self)"),
        &names(fields().iter(), &NOT_IN_PYTHON),
        "_urlgrep.pyi",
    );
    for field in fields().iter().filter(|field| field.object().is_none() && field.name() != "hyphen") {
        let doc = field.doc().replace("null", "None").replace("The byte ", "The ");
        let documented = between(class, &format!("    def {}(self)", field.name()), "\"\"\"\n");
        assert!(documented.contains(&doc), "_urlgrep.pyi: {}: expected {doc}", field.name());
    }
    for (object, typed) in [("reason", "Reason"), ("ending", "Ending"), ("invalid", "Invalid")] {
        let body = between(&stubs, &format!("class {typed}(TypedDict):\n"), "\n\n");
        assert_eq!(in_lines(body, "    ", ": "), keys(object), "_urlgrep.pyi: {typed}");
    }
    let mut message = in_lines(between(&stubs, "_Message = TypedDict(", "\n)"), "        \"", "\": ");
    message.extend(in_lines(between(&stubs, "class _Record(", "\n\n_Message"), "    ", ": "));
    assert!(message == keys("message"), "found {message:?}");
}

/// The columns that a document lists: a line has one and its type, or several that are said to be as the one before.
fn columns(document: &str) -> Vec<(&str, &str)> {
    let rows = document.lines().filter_map(|line| line.strip_prefix("    "));
    rows.flat_map(|row| {
        let (names, meaning) = row.split_once("  ").unwrap_or((row, ""));
        names.split(", ").map(move |name| (name, meaning.trim_start()))
    })
    .collect()
}

#[test]
fn the_document_of_columns_has_the_fields() {
    let Some(module) = text_of("bindings/python/py/urlgrep/arrow.py") else { return };
    let listed = columns(between(&module, "\"\"\"", "\"\"\""));
    let excepted = |field: &&Field| NOT_IN_PYTHON.iter().any(|(name, _)| field.name() == *name);
    let expected: Vec<_> = fields().iter().filter(|field| !excepted(field)).collect();
    for field in &expected {
        let found = listed.iter().find(|(name, _)| *name == field.column());
        let (_, meaning) =
            found.unwrap_or_else(|| panic!("arrow.py: expected the column {}", field.column()));
        let kind = match field.kind() {
            Kind::Number => "int64",
            Kind::Port => "int32",
            Kind::Texts => "list of strings",
            Kind::Ranges => "list of structs of start and end, int64",
            _ => "string",
        };
        assert!(meaning.is_empty() || meaning.starts_with(kind), "{}: {meaning}", field.column());
    }
    for (name, _) in listed {
        let is_field = expected.iter().any(|field| field.column() == name);
        assert!(is_field || ONLY_COLUMNS.contains(&name), "arrow.py: {name} is no field");
    }
}

/// The format of Spark has the keys of `--json`, and the URL as bytes. Its option `columns` has all others.
#[test]
fn the_schema_of_spark_has_the_keys_of_json() {
    let Some(module) = text_of("bindings/python/py/urlgrep/spark.py") else { return };
    let columns: Vec<_> = between(&module, "COLUMNS = (", ").split()").split([' ', '"', '\n']).collect();
    let is_name = |name: &&str| !name.is_empty() && *name != "url_bytes";
    let columns: Vec<_> = columns.into_iter().filter(is_name).collect();
    let expected = names(usual(), &[]);
    assert_has(&columns, &expected, "spark.py");
    assert!(columns == expected, "found {columns:?}");
}

#[test]
fn the_document_of_json_has_the_fields() {
    let Some(page) = text_of("docs/output.md") else { return };
    let tables = between(&page, "## JSON", "### Forms");
    for field in fields() {
        let top = field.object().unwrap_or(field.name());
        let is_null = NOT_IN_PROGRAM.iter().any(|(name, _)| *name == top);
        let is_there = tables.contains(&format!("`{}`", field.name()));
        assert!(is_there != is_null, "docs/output.md: {field:?}");
    }
}

/// Its tables of forms, roles and warnings have their names.
#[test]
fn the_document_of_json_has_the_values() {
    let Some(page) = text_of("docs/output.md") else { return };
    let names = |head: &str| -> Vec<_> {
        let rows = between(&page, head, "\n\n").lines().filter_map(|row| row.strip_prefix("| `"));
        rows.filter_map(|row| row.split('`').next()).collect()
    };
    let warnings = Warning::ALL.map(|warning| warning.as_str());
    assert_eq!(names("| warning | meaning |"), warnings);
    // The last one is of `--role` alone.
    let roles = urlgrep::archive::Role::ALL.map(|role| role.as_str());
    assert_eq!(names("| role | use of the URL |"), [&roles[..], &["unsubscribe"]].concat());
    let forms: Vec<_> = Form::ALL.iter().map(|form| form.as_str()).collect();
    assert_eq!(names("| form | the URL in the text |"), forms);
}

#[test]
fn the_help_of_json_has_the_usual_fields_in_their_order() {
    let Some(args) = text_of("crates/cli/src/args/mod.rs") else { return };
    let help = between(&args, "The keys, in this order: ", "#[arg");
    let mut words = help.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    for field in usual() {
        assert!(words.any(|word| word == field.key()), "--json: expected {} at its place", field.name());
    }
}

/// The warnings of links in pages, of which it searches none, and of features that it has not, for the size: idna, domains
/// and unwrap.
const WARNINGS_NOT_IN_JS: [Warning; 5] =
    [Warning::TextHost, Warning::MixedScript, Warning::Shortener, Warning::Hosted, Warning::Redirect];

/// What a URL is to a reader, and what to check, is named by every face that says it in words of its own.
#[test]
fn faces_name_all_roles_and_warnings() {
    let Some(page) = text_of("bindings/js/page/details.js") else { return };
    let report = "crates/cli/src/output/report/page/";
    let [program, types, state, table, columns] = [
        "crates/cli/src/args/values.rs",
        "bindings/js/lib/index.d.ts",
        &format!("{report}state.js"),
        &format!("{report}table.js"),
        "bindings/python/py/urlgrep/arrow.py",
    ]
    .map(|file| text_of(file).unwrap());
    for role in urlgrep::archive::Role::ALL {
        assert!(page.contains(&format!("\n  {role}: '")), "bindings/js/page/details.js: {role}");
        assert!(program.contains(&format!("Of(Role::{role:?})")), "the program: {role}");
        assert!(state.contains(&format!(" {role}: \"")) && table.contains(&format!(" {role}: \"")), "{role}");
        assert!(columns.contains(&format!("'{role}'")), "arrow.py: {role}");
    }
    for warning in Warning::ALL {
        let is_in_js = types.contains(&format!("'{warning}'"));
        assert_eq!(is_in_js, !WARNINGS_NOT_IN_JS.contains(&warning), "index.d.ts: {warning}");
    }
}

//! Every face has every option of [`urlgrep::options`], with its values, unless it is compiled without a feature.
//!
//! `UPDATE_DOCS=1 cargo test --test it options` writes what this test compares: types and tables of documents. That C, Python and
//! JavaScript set them is tested there, by the same names; the options of the program, in `crates/cli/src/args`.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use urlgrep::{OptionKind, SearchOption};

use crate::repository::text_of;

/// What an interface to the library has of the table, and how its documents name it.
struct Face {
    /// The features of the library without which it is compiled.
    without: &'static [&'static str],
    name: fn(&SearchOption) -> String,
    /// How a text is quoted.
    quote: &'static str,
    /// What the values of a flag, and of a list, are called.
    flag: &'static str,
    schemes: &'static str,
}

const PYTHON: Face = Face {
    without: &[],
    name: |option| option.name().to_owned(),
    quote: "'",
    flag: "`True`, **`False`**",
    schemes: "a name or a list",
};

const JS: Face = Face {
    // With any of them the .wasm file would be larger than 100 KiB.
    without: &["domains", "draft", "unwrap"],
    name: js_name,
    quote: "'",
    flag: "`true`, **`false`**",
    schemes: "a string or an array",
};

const C: Face = Face {
    without: &[],
    name: |option| option.name().to_owned(),
    quote: "\"",
    flag: "`\"true\"`, **`\"false\"`**",
    schemes: "names with commas between them",
};

/// The names of JavaScript: the same in camel case.
fn js_name(option: &SearchOption) -> String {
    let mut words = option.name().split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

impl Face {
    /// Whether `what`, the option or a value of it, needs none of the features that the face is without.
    fn has(&self, option: &SearchOption, what: &str) -> bool {
        option.needs().iter().all(|(of, feature)| *of != what || !self.without.contains(feature))
    }

    /// The sentence about the option, without domain names if the face is without them.
    fn doc(&self, option: &SearchOption) -> String {
        let doc = option.doc();
        match doc.split_once(", domain names") {
            Some((before, _)) if !self.has(option, "domains") => before.to_owned(),
            _ => doc.to_owned(),
        }
    }

    fn options(&self) -> impl Iterator<Item = (usize, &'static SearchOption)> {
        urlgrep::options().iter().enumerate().filter(|(_, option)| self.has(option, option.name()))
    }

    /// The names of the values, if there are several, in quotation marks.
    fn values(&self, option: &SearchOption) -> Option<Vec<String>> {
        let (OptionKind::OneOf(names) | OptionKind::AnyOf(names)) = option.kind() else { return None };
        let names = names.iter().filter(|name| self.has(option, name));
        Some(names.map(|name| format!("{0}{name}{0}", self.quote)).collect())
    }

    /// The rows of a table: names, values with the default in bold, meaning.
    fn table(&self) -> String {
        let mut table = "| option | values | meaning |\n|---|---|---|\n".to_owned();
        for (_, option) in self.options() {
            let values = match option.kind() {
                OptionKind::Flag => self.flag.to_owned(),
                OptionKind::Number { least, unit } => {
                    let default = option.default().map(|number| format!(", **{number}**"));
                    format!("{unit}, at least {least}{}", default.unwrap_or_default())
                }
                OptionKind::Schemes => self.schemes.to_owned(),
                OptionKind::AnyOf(_) => format!("any of `{}`", self.values(option).unwrap().join("`, `")),
                _ => {
                    let default = option.default().map(|name| format!("{0}{name}{0}", self.quote));
                    let bold = |value: String| match Some(&value) == default.as_ref() {
                        true => format!("**`{value}`**"),
                        false => format!("`{value}`"),
                    };
                    self.values(option).into_iter().flatten().map(bold).collect::<Vec<_>>().join(", ")
                }
            };
            let _ = writeln!(table, "| `{}` | {values} | {} |", (self.name)(option), self.doc(option));
        }
        table
    }
}

/// `class TextOptions` of the stubs.
fn python_types() -> String {
    let mut types =
        "class TextOptions(TypedDict, total=False):\n    \"\"\"The options of a search.\"\"\"\n".to_owned();
    for option in urlgrep::options() {
        let kind = match option.kind() {
            OptionKind::Flag => "bool".to_owned(),
            OptionKind::Number { .. } => "int".to_owned(),
            OptionKind::Schemes | OptionKind::AnyOf(_) => "Union[str, list[str]]".to_owned(),
            _ => format!("Literal[{}]", PYTHON.values(option).unwrap().join(", ").replace('\'', "\"")),
        };
        let _ = writeln!(types, "    {}: {kind}\n    \"\"\"{}.\"\"\"", option.name(), option.doc());
    }
    types
}

/// The options in the help of `urlgrep.find_iter`.
fn python_help() -> String {
    let lines = PYTHON.options().map(|(_, option)| {
        let values = match option.kind() {
            OptionKind::Flag => "a bool".to_owned(),
            OptionKind::Number { unit, .. } => format!("an int, {unit}"),
            OptionKind::Schemes => PYTHON.schemes.to_owned(),
            OptionKind::AnyOf(_) => format!("any of {}", PYTHON.values(option).unwrap().join(", ")),
            _ => PYTHON.values(option).unwrap().join(", "),
        };
        format!("{option} ({values}): {}\n", option.doc())
    });
    lines.collect()
}

/// `interface Options` of the types.
fn js_types() -> String {
    let mut types = "export interface Options {\n".to_owned();
    for (_, option) in JS.options() {
        let default = option.default().filter(|text| !text.is_empty());
        let default = match (option.kind(), default) {
            (OptionKind::OneOf(_), Some(name)) => format!(". Default: `'{name}'`"),
            (OptionKind::Number { least, unit }, number) => {
                let number = number.map(|number| format!(". Default: {number}"));
                format!(", in {unit}, at least {least}{}", number.unwrap_or_default())
            }
            _ => String::new(),
        };
        let kind = match option.kind() {
            OptionKind::Flag => "boolean".to_owned(),
            OptionKind::Number { .. } => "number".to_owned(),
            OptionKind::Schemes => "string | readonly string[]".to_owned(),
            OptionKind::AnyOf(_) => {
                let names = JS.values(option).unwrap().join(" | ");
                format!("{names} | '' | readonly ({names})[]")
            }
            _ => JS.values(option).unwrap().join(" | "),
        };
        let _ = writeln!(types, "  /** {}{default}. */\n  {}?: {kind}", JS.doc(option), js_name(option));
    }
    types
}

/// `lib/table.js`: the place of each option in the table, and its kind.
fn js_table() -> String {
    let mut table =
        "// The options of a search, as bindings/js/src/options.rs has them. Made from the table of the library by \
                     tests/it/options.rs; do not edit.\n\nexport const TABLE = {\n"
            .to_owned();
    for (place, option) in JS.options() {
        let kind = match option.kind() {
            OptionKind::Flag => "kind: 'flag'".to_owned(),
            OptionKind::Number { least, .. } => format!("kind: 'number', least: {least}"),
            OptionKind::Schemes => "kind: 'names'".to_owned(),
            OptionKind::AnyOf(_) => {
                format!("kind: 'anyOf', values: [{}]", JS.values(option).unwrap().join(", "))
            }
            _ => format!("kind: 'oneOf', values: [{}]", JS.values(option).unwrap().join(", ")),
        };
        let _ = writeln!(table, "  {}: {{ place: {place}, {kind} }},", js_name(option));
    }
    table += "}\n\n/// The names of earlier versions, and their current names.\nexport const RENAMED = {\n";
    for (old, new) in SearchOption::renamed() {
        let new = JS.options().find(|(_, option)| option.name() == *new).unwrap().1;
        let _ = writeln!(table, "  {old}: '{}',", js_name(new));
    }
    table + "}\n"
}

/// Compares the part of a file from the line `first` to the line before `end` with what is made of the table, or writes it.
fn compare(file: &str, first: &str, end: &str, made: &str) {
    let Some(text) = text_of(file) else { return };
    let start = text.find(first).unwrap_or_else(|| panic!("{file}: expected {first:?}"));
    let len = text[start..].find(end).map_or(text.len() - start, |at| at + 1);
    if env::var_os("UPDATE_DOCS").is_some() {
        let path = Path::new(crate::ROOT).join(file);
        fs::write(path, format!("{}{made}{}", &text[..start], &text[start + len..])).unwrap();
    } else {
        assert_eq!(&text[start..start + len], made, "{file} differs from the table: set UPDATE_DOCS=1");
    }
}

#[test]
fn types_and_documents_have_all_options() {
    compare("bindings/python/py/urlgrep/_urlgrep.pyi", "class TextOptions(", "\n\n", &python_types());
    compare("bindings/python/src/options.txt", "", "\0", &python_help());
    compare("bindings/js/lib/index.d.ts", "export interface Options {", "\n}\n", &js_types());
    compare("bindings/js/lib/table.js", "", "\0", &js_table());
    for (file, face) in
        [("bindings/python/README.md", PYTHON), ("bindings/js/README.md", JS), ("bindings/c/README.md", C)]
    {
        compare(file, "| option |", "\n\n", &face.table());
    }
}

#[test]
fn what_a_face_lacks_needs_a_feature_that_its_document_names() {
    for (file, face) in
        [("bindings/python/README.md", PYTHON), ("bindings/js/README.md", JS), ("bindings/c/README.md", C)]
    {
        let Some(text) = text_of(file) else { return };
        let lacking = urlgrep::options().iter().filter(|option| !face.has(option, option.name()));
        for option in lacking {
            assert!(
                text.contains(&format!("`{}`", option.name())),
                "{file}: expected why it has no {option}"
            );
        }
    }
}

/// The tests of C set each option: it has no list of them.
#[test]
fn c_is_asked_for_all_options() {
    let Some(text) = text_of("bindings/c/tests/test.c") else { return };
    for option in urlgrep::options() {
        assert!(text.contains(&format!("{{\"{option}\", \"")), "bindings/c/tests/test.c: expected {option}");
    }
}

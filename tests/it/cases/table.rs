//! The tables of cases in `tests/data`, which every way to search runs.
//!
//! A case has a `name`, an `input` (or `input_hex`), the program's `args`
//! (`--input text` if there are none), and the expected result: `urls`, the URL of
//! every match; and `finds`, a table for each match, in order, of keys and values. A
//! key `a.b` is the key `b` of the value of `a`, and `"null"` means null.

use std::path::Path;

use serde_json::Value;

pub struct Case {
    pub name: String,
    pub input: Vec<u8>,
    pub args: Vec<String>,
    pub urls: Option<Vec<String>>,
    pub finds: Vec<Value>,
}

/// The cases of a table.
pub fn cases(file: &Path) -> Vec<Case> {
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

impl Case {
    pub fn check(&self, how: &str, matches: &[Value]) {
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

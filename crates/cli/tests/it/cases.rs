//! The tables of cases in `tests/data`, through the program.

#[path = "../../../../tests/it/cases/table.rs"]
mod table;

use std::path::Path;

use serde_json::Value;

use self::table::{Case, cases};
use crate::program::{run, urlgrep};

fn matches(case: &Case) -> Vec<Value> {
    let mut command = urlgrep(&["--json"]);
    command.args(&case.args).arg("-");
    let ran = run(command, &case.input);
    let matches: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((ran.status, &*ran.stderr), (Some(i32::from(matches.is_empty())), ""), "{}", case.name);
    matches
}

#[test]
fn every_case() {
    let tables = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data")).unwrap();
    let tables = tables.map(|entry| entry.unwrap().path());
    let all: Vec<_> = tables.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    assert!(all.len() > 10);
    for case in all.iter().flat_map(|table| cases(table)) {
        case.check("program", &matches(&case));
    }
}

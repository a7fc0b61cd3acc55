//! The floors of the crate: a file imports only from floors below its own, and
//! no two files import each other, directly or by way of others.
//!
//! The test reads the files of `src`; `DESIGN.md` lists the floors. What it finds
//! wrong it prints, a line for each fault. A file and the files in its folder may
//! name each other: `scan/mod.rs` declares `scan/index.rs`. The packages for
//! JavaScript and Python have no circles, either.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;
use source::Source;

/// The floors of the library, from the ground up: a floor is a folder of `src`.
const FLOORS: [&str; 13] = [
    "bytes", "suffix", "grammar", "unwrap", "simd", "archive", "matches", "scan", "appendix", "plain",
    "fields", "finder", "lib",
];

/// What mail and news may use: it knows nothing of URLs.
const ARCHIVE_USES: [&str; 3] = ["archive", "bytes", "simd"];

/// Rooms of the archive, and the room that each must not import.
const APART: [(&str, &str); 4] = [
    ("archive/decode", "archive/container"),
    ("archive/container", "archive/message"),
    ("archive/decode", "archive/message"),
    ("archive/message", "archive/reader"),
];

/// The floors of the program. No floor but the top imports `args`, which builds the
/// options of the others.
const PROGRAM_FLOORS: [&str; 8] = ["error", "input", "output", "menu", "check", "search", "args", "main"];

/// The floors of what the program and the page print: files of `crates/print/src`.
const PRINT_FLOORS: [&str; 12] = [
    "columns", "escape", "context", "spelling", "sheet", "view", "memo", "values", "csv", "json", "explain",
    "lib",
];

/// The floors of what reads files of Outlook: files and folders of `crates/outlook/src`.
const OUTLOOK_FLOORS: [&str; 8] = ["text", "filetime", "rtf", "tnef", "mail", "msg", "pst", "lib"];

/// The floors of the language server: files of `crates/lsp/src`.
const SERVER_FLOORS: [&str; 5] = ["frame", "document", "links", "server", "main"];

/// The lines that a function may have: a loop that is one thought may be long. A file is as long as its subject.
const MAX_FUNCTION_LINES: usize = 80;

/// The source files of a crate: the module path of each, with `/` between the
/// names, and what it says. The root is `lib` or `main`.
struct Tree {
    root: &'static str,
    files: BTreeMap<String, Source>,
}

/// What imports what: files by their module paths.
type Edges = BTreeMap<String, BTreeSet<String>>;

impl Tree {
    /// The tree of `files`, by their paths below its root, as `scan/mod.rs`.
    fn new(root: &'static str, files: &BTreeMap<String, String>) -> Self {
        let module = |path: &str| path.trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
        let files = files.iter().map(|(path, text)| (module(path), Source::read(text)));
        Tree { root, files: files.collect() }
    }

    /// The imports of the files, those of unit tests aside.
    fn edges(&self) -> Edges {
        let tests = self.files.iter().flat_map(|(module, source)| {
            source.test_modules.iter().map(move |name| self.child(module, name))
        });
        let tests: Vec<_> = tests.collect();
        let mut edges = Edges::new();
        for (module, source) in &self.files {
            if !tests.iter().any(|test| is_in(module, test)) {
                let targets = source.imports.iter().map(|path| self.resolve(module, path));
                edges.insert(module.clone(), targets.filter(|target| target != module).collect());
            }
        }
        edges
    }

    fn child(&self, module: &str, name: &str) -> String {
        if module == self.root { name.to_owned() } else { format!("{module}/{name}") }
    }

    /// The file that `path` in `module` leads to: the longest part of it that is one.
    fn resolve(&self, module: &str, path: &[String]) -> String {
        let mut names: Vec<&str> = match &*path[0] {
            "crate" => vec![],
            _ if module == self.root => vec![],
            _ => module.split('/').collect(),
        };
        for name in path {
            match &**name {
                "crate" | "self" => {}
                "super" => drop(names.pop()),
                name => names.push(name),
            }
        }
        while !names.is_empty() && !self.files.contains_key(&names.join("/")) {
            names.pop();
        }
        if names.is_empty() { self.root.to_owned() } else { names.join("/") }
    }
}

/// Whether `module` is `room` or in it.
fn is_in(module: &str, room: &str) -> bool {
    module.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The floor of `module`: the first name of its path.
fn floor(module: &str) -> &str {
    module.split('/').next().unwrap_or(module)
}

/// What is wrong with the library of `files`.
fn library_faults(files: &BTreeMap<String, String>) -> Vec<String> {
    let tree = Tree::new("lib", files);
    let edges = tree.edges();
    let mut faults = common_faults(&tree, &edges, &FLOORS);
    for (from, to) in pairs(&edges).filter(|(from, _)| floor(from) == "archive") {
        if !ARCHIVE_USES.contains(&floor(to)) && to != "lib" {
            faults.push(format!("archive: {from} imports {to}"));
        }
        // What `archive/mod.rs` names may come from any room.
        let is_apart = |other| is_in(to, other) || to == "archive";
        for (room, other) in APART.iter().filter(|(room, other)| is_in(from, room) && is_apart(other)) {
            faults.push(format!("rooms: {from} imports {to}, but {room} must not import {other}"));
        }
    }
    faults
}

/// What is wrong with the program of `files`.
fn program_faults(files: &BTreeMap<String, String>) -> Vec<String> {
    let tree = Tree::new("main", files);
    let edges = tree.edges();
    let mut faults = common_faults(&tree, &edges, &PROGRAM_FLOORS);
    for (from, to) in pairs(&edges).filter(|(from, to)| floor(from) == "search" && floor(to) == "check") {
        faults.push(format!("rooms: {from} imports {to}"));
    }
    faults
}

fn pairs(edges: &Edges) -> impl Iterator<Item = (&str, &str)> {
    edges.iter().flat_map(|(from, targets)| targets.iter().map(move |to| (&**from, &**to)))
}

/// What is wrong wherever the files are: circles, imports upwards between `floors`,
/// long functions, `unsafe`.
fn common_faults(tree: &Tree, edges: &Edges, floors: &[&str]) -> Vec<String> {
    let level = |module: &str| floors.iter().position(|name| *name == floor(module));
    let mut faults = circles(edges, tree.root);
    for (from, to) in pairs(edges).filter(|(from, to)| level(from) < level(to)) {
        faults.push(format!("upwards: {from} imports {to}"));
    }
    for (module, source) in &tree.files {
        if level(module).is_none() {
            faults.push(format!("no floor: {module} is on none of {floors:?}"));
        }
        for function in source.functions.iter().filter(|function| function.len > MAX_FUNCTION_LINES) {
            let (name, line, len) = (&function.name, function.line, function.len);
            faults.push(format!("long: fn {name} has {len} lines, {module}:{line}"));
        }
        if floor(module) != "simd" {
            faults.extend(source.unsafe_line.map(|line| format!("unsafe: {module}:{line}")));
        }
    }
    faults
}

/// The import circles among `edges`, each with the imports that make it. What a
/// file and its folder take from each other makes none.
fn circles(edges: &Edges, root: &str) -> Vec<String> {
    let related = |a: &str, b: &str| a == root || b == root || is_in(a, b) || is_in(b, a);
    let mut edges = edges.clone();
    for (from, targets) in &mut edges {
        targets.retain(|to| !related(from, to));
    }
    let reach: Edges = edges.keys().map(|from| (from.clone(), reachable(&edges, from))).collect();
    let mut faults = Vec::new();
    for from in edges.keys() {
        let on_circle = |to: &&String| reach.get(*to).is_some_and(|back| back.contains(from));
        let circle: BTreeSet<_> = reach[from].iter().filter(on_circle).cloned().collect();
        // Each circle once, at the first of its files.
        if circle.first() == Some(from) {
            let inner = pairs(&edges).filter(|(from, to)| circle.contains(*from) && circle.contains(*to));
            let imports: Vec<_> = inner.map(|(from, to)| format!("{from} → {to}")).collect();
            faults.push(format!("circle of {}: {}", circle.len(), imports.join(", ")));
        }
    }
    faults
}

/// The files that `from` imports, directly or by way of others.
fn reachable(edges: &Edges, from: &str) -> BTreeSet<String> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        for target in edges.get(module).into_iter().flatten() {
            if seen.insert(target.clone()) {
                open.push(target);
            }
        }
    }
    seen
}

/// The Rust files below `folder`, by their paths in it.
pub fn read(folder: &Path) -> BTreeMap<String, String> {
    let (mut files, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            if path.is_dir() {
                open.push(path);
            } else if name.ends_with(".rs") {
                files.insert(name, std::fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn the_library_the_program_and_the_language_server() {
    let root = Path::new(crate::ROOT);
    let mut faults = library_faults(&read(&root.join("src")));
    faults.extend(program_faults(&read(&root.join("crates/cli/src"))));
    let print = Tree::new("lib", &read(&root.join("crates/print/src")));
    faults.extend(common_faults(&print, &print.edges(), &PRINT_FLOORS));
    let outlook = Tree::new("lib", &read(&root.join("crates/outlook/src")));
    faults.extend(common_faults(&outlook, &outlook.edges(), &OUTLOOK_FLOORS));
    let server = Tree::new("main", &read(&root.join("crates/lsp/src")));
    faults.extend(common_faults(&server, &server.edges(), &SERVER_FLOORS));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// A stranger finds the room by the table at its door: comments before the modules name each of them.
#[test]
fn folders_list_their_modules() {
    let declared = Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?mod (\w+);").unwrap();
    let (mut folders, mut faults) = (0, Vec::new());
    for crates in ["src", "crates/cli/src", "crates/outlook/src", "bindings/c/src"] {
        for (path, text) in read(&Path::new(crate::ROOT).join(crates)) {
            let modules: Vec<_> = declared.captures_iter(&text).map(|found| found[1].to_owned()).collect();
            if modules.len() < 4 {
                continue;
            }
            let words: BTreeSet<_> = text
                .lines()
                .filter(|line| line.starts_with("//"))
                .flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
                .collect();
            let missing = modules.iter().filter(|name| *name != "tests" && !words.contains(name.as_str()));
            faults.extend(missing.map(|name| format!("{crates}/{path} does not say what is in {name}")));
            folders += 1;
        }
    }
    assert!(faults.is_empty() && folders > 15, "{folders} folders\n{}", faults.join("\n"));
}

/// A reader searches for a name and finds one type.
#[test]
fn a_type_name_has_one_meaning_in_a_crate() {
    // Each of the two grammars has its `Url`; a `File` is an input, or what a `file:` URL names.
    const SHARED: [&str; 2] = ["File", "Url"];
    let defined = Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|union|type) (\w+)").unwrap();
    let (mut names, mut faults) = (0, Vec::new());
    for crates in [
        "src",
        "crates/cli/src",
        "crates/lsp/src",
        "crates/outlook/src",
        "crates/print/src",
        "bindings/c/src",
        "bindings/js/src",
        "bindings/python/src",
    ] {
        let mut files_of = BTreeMap::<_, BTreeSet<_>>::new();
        for (path, text) in read(&Path::new(crate::ROOT).join(crates)) {
            let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
            for found in defined.captures_iter(code) {
                files_of.entry(found[1].to_owned()).or_default().insert(path.clone());
            }
        }
        names += files_of.len();
        let several = files_of.iter().filter(|(name, files)| files.len() > 1 && !SHARED.contains(&&***name));
        faults.extend(several.map(|(name, files)| format!("{crates}: {name} is in {files:?}")));
    }
    assert!(faults.is_empty() && names > 500, "{names} names\n{}", faults.join("\n"));
}

/// The modules of its own package that a line of JavaScript imports.
fn imports_of_js(line: &str) -> Vec<&str> {
    let name = line.split_once(" from './").and_then(|(_, path)| path.split_once(".js'"));
    name.map(|(name, _)| name).into_iter().collect()
}

/// The same of Python, by `from .name import`, `from . import name` and `urlgrep.name`; also for types alone.
fn imports_of_python(line: &str) -> Vec<&str> {
    let line = line.trim_start();
    let import = line.strip_prefix("import ").map(|module| (module, ""));
    let from = || line.strip_prefix("from ")?.split_once(" import ");
    let Some((module, names)) = import.or_else(from) else { return vec![] };
    let own = module.strip_prefix('.').or_else(|| module.strip_prefix("urlgrep"));
    match own.map(|name| name.trim_start_matches('.')) {
        None => vec![],
        Some("") => names.split(", ").map(|name| name.split(' ').next().unwrap_or(name)).collect(),
        Some(name) => name.split('.').take(1).collect(),
    }
}

/// The import circles of the modules of a package, each by its name and its text. A name that
/// is none of them is of the package itself.
fn circles_of_package(modules: &BTreeMap<String, String>, imports: fn(&str) -> Vec<&str>) -> Vec<String> {
    let resolve =
        |name: &str| if modules.contains_key(name) { name.to_owned() } else { "__init__".to_owned() };
    let edges = modules.iter().map(|(module, text)| {
        let targets = text.lines().flat_map(imports).map(resolve);
        (module.clone(), targets.filter(|target| target != module).collect())
    });
    circles(&edges.collect(), "")
}

/// The files in `folder` with one of these endings, by their names without it.
fn modules(folder: &str, endings: &[&str]) -> BTreeMap<String, String> {
    let folder = Path::new(crate::ROOT).join(folder);
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let module = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let name = endings.iter().find_map(|ending| name.strip_suffix(ending))?;
        Some((name.to_owned(), std::fs::read_to_string(&path).unwrap()))
    };
    paths.filter_map(module).collect()
}

#[test]
fn the_packages_have_no_circles() {
    let js = modules("bindings/js/lib", &[".js"]);
    let python = modules("bindings/python/py/urlgrep", &[".py", ".pyi"]);
    assert!(js.len() > 5 && python.len() > 5);
    assert_eq!(circles_of_package(&js, imports_of_js), [""; 0]);
    assert_eq!(circles_of_package(&python, imports_of_python), [""; 0]);
    let root = Path::new(crate::ROOT);
    let extension = Tree::new("lib", &read(&root.join("bindings/python/src")));
    assert_eq!(circles(&extension.edges(), "lib"), [""; 0]);
}

#[test]
fn planted_circles_of_packages_are_faults() {
    let js = planted(&[
        ("a", "import { b } from './b.js'"),
        ("b", "export * from './c.js'\nimport { d } from './d.js'"),
        ("c", "import { a } from './a.js'"),
        ("d", "// as in a"),
    ]);
    assert_eq!(circles_of_package(&js, imports_of_js), ["circle of 3: a → b, b → c, c → a"]);
    let python = planted(&[
        ("__init__", "from ._types import T, U"),
        ("_types", "if TYPE_CHECKING:\n    from urlgrep import Match"),
        ("arrow", "import os\nfrom . import _tables, spark as s"),
        ("_tables", "    import urlgrep.arrow"),
        ("spark", "from urlgrep import arrow"),
    ]);
    assert_eq!(
        circles_of_package(&python, imports_of_python),
        [
            "circle of 2: __init__ → _types, _types → __init__",
            "circle of 3: _tables → arrow, arrow → _tables, arrow → spark, spark → arrow",
        ]
    );
}

/// A planted tree: paths and texts.
fn planted(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn imports_downwards_are_right() {
    let faults = library_faults(&planted(&[
        ("lib.rs", "mod bytes; mod scan; pub use scan::index::Index;"),
        ("bytes/mod.rs", "pub mod class;"),
        ("bytes/class.rs", "#[cfg(test)] mod tests { use crate::scan::index::Index; }"),
        ("scan/mod.rs", "pub mod index; #[cfg(test)] mod tests; use self::index::Index;"),
        ("scan/index.rs", "use super::Scan; use crate::bytes::class::{self, Class};"),
        ("scan/tests.rs", "use crate::finder::Finder;"),
        ("simd/mod.rs", "unsafe fn f() {}"),
    ]));
    assert_eq!(faults, [""; 0]);
}

#[test]
fn a_planted_import_upwards_is_a_fault() {
    let faults = library_faults(&planted(&[
        ("lib.rs", "pub use matches::Match;"),
        ("matches/mod.rs", "use crate::bytes::class::Class;"),
        ("bytes/class.rs", "fn f() { crate::scan::index::g() } // crate::finder::h"),
        ("scan/index.rs", "use crate::{bytes::class, Match};"),
        ("archive/message.rs", "use crate::matches::Match; use super::reader::Reader;"),
        ("archive/reader.rs", ""),
        ("attic/mod.rs", ""),
    ]));
    assert_eq!(
        faults,
        [
            "circle of 2: bytes/class → scan/index, scan/index → bytes/class",
            "upwards: archive/message imports matches",
            "upwards: bytes/class imports scan/index",
            "upwards: scan/index imports lib",
            "no floor: attic is on none of [\"bytes\", \"suffix\", \"grammar\", \"unwrap\", \"simd\", \"archive\", \
             \"matches\", \"scan\", \"appendix\", \"plain\", \"fields\", \"finder\", \"lib\"]",
            "rooms: archive/message imports archive/reader, but archive/message must not import archive/reader",
            "archive: archive/message imports matches",
        ]
    );
}

#[test]
fn planted_circles_are_faults() {
    let faults = program_faults(&planted(&[
        ("main.rs", "mod args; mod output; mod search;"),
        ("args.rs", "use crate::output::Style;"),
        ("output/mod.rs", "mod printer; use self::printer::Printer;"),
        ("output/printer.rs", "use super::Style; use crate::search::Search; use crate::args::Args;"),
        ("search.rs", "use crate::output::printer::Printer;"),
    ]));
    assert_eq!(
        faults,
        [
            "circle of 2: output/printer → search, search → output/printer",
            "upwards: output/printer imports args",
            "upwards: output/printer imports search",
        ]
    );
}

#[test]
fn a_planted_long_function_is_a_fault() {
    let body = "    f();\n".repeat(79);
    let long = format!("fn short() {{\n{}}}\nfn long() {{\n{body}}}\n", &body[9..]);
    let faults = library_faults(&planted(&[
        ("bytes/a.rs", &long),
        ("bytes/c.rs", "\n\nfn f() { unsafe { g() } } // unsafe\nfn h() {}"),
    ]));
    assert_eq!(faults, ["long: fn long has 81 lines, bytes/a:81", "unsafe: bytes/c:3"]);
}

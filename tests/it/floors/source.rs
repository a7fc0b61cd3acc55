//! What the floor test reads in a source file: imports, functions, `unsafe`.
//!
//! It reads tokens, not syntax. Comments and literals are blanked first, so that
//! nothing in them is taken for code.

use std::sync::LazyLock;

use regex::Regex;

/// A path in code: `crate::scan::Index` is `["crate", "scan", "Index"]`.
pub type Path = Vec<String>;

/// A source file.
pub struct Source {
    /// Its functions, those of unit tests too.
    pub functions: Vec<Function>,
    /// Its paths from `crate`, `super` and `self`, those of unit tests aside.
    pub imports: Vec<Path>,
    /// Its child modules that exist for tests only.
    pub test_modules: Vec<String>,
    /// The first line with `unsafe`.
    pub unsafe_line: Option<usize>,
}

/// A function with a body.
pub struct Function {
    pub name: String,
    /// The line of its `fn`, from 1.
    pub line: usize,
    /// How many lines it has, from its `fn` to its closing brace.
    pub len: usize,
}

impl Source {
    /// Reads the source file `text`.
    pub fn read(text: &str) -> Self {
        static UNSAFE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bunsafe\b"));
        let code = blank(text);
        let (shipped, test_modules) = without_tests(&code);
        Source {
            functions: functions(&code),
            imports: imports(&shipped),
            test_modules,
            unsafe_line: UNSAFE.find(&code).map(|found| line_of(&code, found.start())),
        }
    }
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

/// The line of `code` that has its byte `at`, from 1.
fn line_of(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

/// `text` with blanks in place of its comments and literals; lines stay lines.
fn blank(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let in_word = code.ends_with(|before: char| before.is_alphanumeric() || before == '_');
        let len = comment(rest).or_else(|| literal(rest, in_word)).unwrap_or(0);
        if len == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.extend(rest[..len].chars().map(|of| if of == '\n' { '\n' } else { ' ' }));
            rest = &rest[len..];
        }
    }
    code
}

/// The length of the comment at the start of `rest`.
fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    loop {
        let next = at + rest[at..].find(['/', '*'])?;
        let two = rest.as_bytes().get(next..next + 2)?;
        depth += i32::from(two == b"/*") - i32::from(two == b"*/");
        at = next + if two == b"/*" || two == b"*/" { 2 } else { 1 };
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The length of the string or character at the start of `rest`. A lifetime is
/// neither; `r` begins a raw string only if it is not `in_word`.
fn literal(rest: &str, in_word: bool) -> Option<usize> {
    static CHAR: LazyLock<Regex> = LazyLock::new(|| pattern(r"^'(?:[^'\\]|\\[^\n][^'\n]*)'"));
    static STRING: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^"(?s:[^"\\]|\\.)*""#));
    static RAW: LazyLock<Regex> = LazyLock::new(|| pattern(r##"^[bc]?r(#*)""##));
    if let Some(found) = CHAR.find(rest).or_else(|| STRING.find(rest)) {
        return Some(found.end());
    }
    let open = RAW.captures(rest).filter(|_| !in_word)?;
    let close = format!("\"{}", &open[1]);
    Some(open[0].len() + rest[open[0].len()..].find(&close)? + close.len())
}

/// The end of the item or body at `from`: after its `}`, or after the first `;`
/// that is in no brackets.
fn item_end(code: &str, from: usize) -> usize {
    let mut depth = 0;
    for (at, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(byte, b'}' | b';') {
            return at + 1;
        }
    }
    code.len()
}

/// `code` with blanks in place of its items under `#[cfg(test)]`, and the modules
/// in other files among them.
fn without_tests(code: &str) -> (String, Vec<String>) {
    static TEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"#\[cfg\((?:all\()?test\b[^\]]*\]"));
    static MODULE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bmod\s+(\w+)\s*;$"));
    let (mut shipped, mut modules, mut at) = (String::new(), Vec::new(), 0);
    while let Some(attribute) = TEST.find_at(code, at) {
        let end = item_end(code, attribute.end());
        modules.extend(MODULE.captures(&code[..end]).map(|found| found[1].to_owned()));
        shipped.push_str(&code[at..attribute.start()]);
        at = end;
    }
    shipped.push_str(&code[at..]);
    (shipped, modules)
}

/// The functions of `code` that have a body.
fn functions(code: &str) -> Vec<Function> {
    static FN: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bfn\s+(\w+)"));
    let all = FN.captures_iter(code).filter_map(|found| {
        let whole = found.get(0)?;
        let end = item_end(code, whole.end());
        let body = code[..end].ends_with('}');
        let len = code[whole.start()..end].matches('\n').count() + 1;
        body.then(|| Function { name: found[1].to_owned(), line: line_of(code, whole.start()), len })
    });
    all.collect()
}

/// The paths from `crate`, `super` and `self` in `code`: those of its `use` lines,
/// then those within its other code.
fn imports(code: &str) -> Vec<Path> {
    static USE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\buse\s+([\w:{][^;]*);"));
    static ALIAS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s+as\s+\w+"));
    static VISIBLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bin\s+(?:crate|super|self)(?:::\w+)*"));
    static INLINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:crate|super|self)(?:::\w+)+"));
    let mut paths = Vec::new();
    for found in USE.captures_iter(code) {
        let tree: String = ALIAS.replace_all(&found[1], "").split_whitespace().collect();
        expand(&tree, &[], &mut paths);
    }
    paths.retain(|path| matches!(&*path[0], "crate" | "super" | "self"));
    let other = USE.replace_all(code, "");
    let other = VISIBLE.replace_all(&other, "");
    paths.extend(INLINE.find_iter(&other).map(|found| split(found.as_str())));
    paths
}

fn split(path: &str) -> Path {
    path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Adds the paths of the use tree `tree`, each after `before`, to `paths`.
fn expand(tree: &str, before: &[String], paths: &mut Vec<Path>) {
    let (head, body) = match tree.split_once('{') {
        Some((head, body)) => (head, body.strip_suffix('}')),
        None => (tree, None),
    };
    let path = [before, &split(head)].concat();
    let Some(body) = body else { return paths.push(path) };
    let (mut depth, mut start) = (0, 0);
    for (at, byte) in body.bytes().chain([b',']).enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                let branch = &body[start..at];
                start = at + 1;
                if !branch.is_empty() {
                    expand(branch, &path, paths);
                }
            }
            _ => {}
        }
    }
}

#[test]
fn literals_are_not_code() {
    let source = Source::read(concat!(
        "// use crate::a;\n/* use crate::b; /* nested */ */ fn f<'a>() { '\"'; '\\''; }\n",
        "fn g() { \"use crate::c; {\"; r#\"use \"crate::d; {\"#; b\"}\\\"\" }\n",
    ));
    assert_eq!(source.imports, [] as [Path; 0]);
    let functions: Vec<_> = source.functions.iter().map(|f| (&*f.name, f.line, f.len)).collect();
    assert_eq!(functions, [("f", 2, 1), ("g", 3, 1)]);
}

#[test]
fn imports_are_expanded() {
    let source = Source::read(concat!(
        "pub(crate) use crate::a::{self, b::{C, D as E}, f};\nuse std::io;\nuse super::g as h;\n",
        "pub(in crate::i) fn j() -> impl Sized + use<> { crate::k::l(self::m::n) }\n",
        "#[cfg(test)]\nuse crate::o;\n#[cfg(test)]\nmod p;\n#[cfg(test)]\nmod q {\n    use super::r;\n}\n",
    ));
    let imports: Vec<_> = source.imports.iter().map(|path| path.join("::")).collect();
    let expected = [
        "crate::a::self",
        "crate::a::b::C",
        "crate::a::b::D",
        "crate::a::f",
        "super::g",
        "crate::k::l",
        "self::m::n",
    ];
    assert_eq!(imports, expected);
    assert_eq!(source.test_modules, ["p"]);
}

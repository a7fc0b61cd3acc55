//! Each option, by its long and its short name, through the program.

use std::path::Path;

use tempfile::TempDir;

use super::{Ran, folder, run, urlgrep, within};

/// What is searched below the folder.
const FILES: [(&str, &str); 10] = [
    ("a.txt", "<URL:http://h.org/a-\nb> and ftp://h.org/c\n"),
    (
        "b.mbox",
        "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nSubject: b\nDate: Fri, 2 Mar 2001 10:11:12 +0000\nX-Url: http://h.org/x\n\nnews:c.d\n",
    ),
    (".hidden.txt", "hxxp://h[.]org/\nhttps://href.li/?http://h.org/hidden\n"),
    (".gitignore", "a.txt\n"),
    ("page", "<html><a href=\"r\">s</a></html>\n"),
    ("plain", "www.h.org, h.example.org, a@h.org, http://u:p@h.org/%7e, http://h.org/\u{e9}.\n"),
    ("list", "a.txt\n"),
    ("rows", "{\"id\":7,\"at\":\"http://h.org/\"}\n"),
    ("nearly", "see http//h.org/a\n"),
    ("wrapped", "https://www.google.com/url?q=http://h.org/g&utm_id=1\n"),
];

/// An option, the arguments that use it, and what the program then prints on standard
/// output.
type Row = (&'static str, &'static [&'static str], &'static str);

const A: &str = "http://h.org/a-b\n";
const C: &str = "ftp://h.org/c\n";
const AC: &str = "http://h.org/a-b\nftp://h.org/c\n";
const BOTH: &str = "http://h.org/x\nnews:c.d\n";
const U: &str = "http://u:p@h.org/%7e\nhttp://h.org/\u{e9}\n";

/// The options that select files.
const FILE_ROWS: &[Row] = &[
    ("--hidden", &["--hidden", "--files", "-t", "text", "."], "./.hidden.txt\n./a.txt\n"),
    ("--glob", &["--glob", "*.mbox", "--files", "."], "./b.mbox\n"),
    ("--type", &["--type", "mbox", "--files", "."], "./b.mbox\n"),
    (
        "--type-not",
        &["--type-not", "text", "-g", "!{list,page,plain,rows,nearly,wrapped}", "--files", "."],
        "./b.mbox\n",
    ),
    ("--type-add", &["--type-add", "x:*.mbox", "-t", "x", "--files", "."], "./b.mbox\n"),
    ("--ignore", &["--ignore", "-g", "!{list,page,plain,rows,nearly,wrapped}", "--files", "."], "./b.mbox\n"),
    (
        "--follow",
        &["--follow", "-g", "!{list,page,plain,rows,nearly,wrapped}", "--files", "."],
        "./a.txt\n./b.mbox\n",
    ),
    ("--max-depth", &["--max-depth", "0", "a.txt"], AC),
    (
        "--max-filesize",
        &["--max-filesize", "50", "-g", "!{list,page,plain,rows,nearly,wrapped}", "--files", "."],
        "./a.txt\n",
    ),
    ("--files-from", &["--files-from", "list"], AC),
    ("--threads", &["--threads", "2", "a.txt"], AC),
    ("--memory", &["--memory", "64", "b.mbox"], BOTH),
    (
        "--sort",
        &["--sort", "size", "-g", "!{list,page,plain,rows,nearly,wrapped}", "--files", "."],
        "./a.txt\n./b.mbox\n",
    ),
    ("--files", &["--files", "a.txt"], "a.txt\n"),
    ("--recursive", &["--recursive", "--match", "a.b", "a.txt"], A),
];

/// Those that need other programs.
#[cfg(unix)]
const UNIX_ROWS: &[Row] = &[("--pre", &["--pre", "cat", "a.txt"], AC)];
#[cfg(not(unix))]
const UNIX_ROWS: &[Row] = &[];

/// The options that say how the input is read, and what matches.
const MATCH_ROWS: &[Row] = &[
    ("--input", &["--input", "text", "-c", "b.mbox"], "2\n"),
    ("--attachments", &["--attachments", "b.mbox"], BOTH),
    ("--no-attachments", &["--no-attachments", "b.mbox"], BOTH),
    ("--no-headers", &["--no-headers", "b.mbox"], "news:c.d\n"),
    ("--dot-stuffing", &["--dot-stuffing", "b.mbox"], BOTH),
    ("--join", &["--join", "none", "a.txt"], "http://h.org/a-\nftp://h.org/c\n"),
    ("--hyphen", &["--hyphen", "drop", "a.txt"], "http://h.org/ab\nftp://h.org/c\n"),
    ("--grade", &["--grade", "rfc1738", "plain"], ""),
    ("--dialect", &["--dialect", "draft", "--grade", "draft1994", "-c", "a.txt"], "2\n"),
    ("--scheme", &["--scheme", "ftp", "a.txt"], C),
    ("--max-len", &["--max-len", "16", "plain"], "http://h.org/\u{e9}\n"),
    ("--width", &["--width", "16", "--join", "likely", "-m1", "a.txt"], A),
    (
        "--scheme-add",
        &["--scheme-add", "hxxp", "-m1", ".hidden.txt"],
        "https://href.li/?http://h.org/hidden\n",
    ),
    ("--invalid", &["--invalid", "nearly"], "nearly:1:5: http//h.org/a: separator \"//\", expected ://\n"),
    ("--at", &["--at", "2:1", "a.txt"], A),
    ("--iri", &["--iri", "ascii", "--host", "h.org", "--exclude", "%", "plain"], "http://h.org/\n"),
    ("--schemeless", &["--schemeless", "hosts,domains", "-m2", "plain"], "www.h.org\nh.example.org\n"),
    ("--refang", &["--refang", "-m1", ".hidden.txt"], "http://h.org/\n"),
    ("--unwrap", &["--unwrap", "wrapped"], "http://h.org/g\n"),
    (
        "--nested",
        &["--nested", "wrapped"],
        "https://www.google.com/url?q=http://h.org/g&utm_id=1\nhttp://h.org/g\n",
    ),
    ("--match", &["--match", "a.b", "a.txt"], A),
    ("--ignore-case", &["--ignore-case", "--match", "A.B", "a.txt"], A),
    ("--links", &["--links", "b.mbox"], "news:c.d\n"),
    ("--unquoted", &["--unquoted", "b.mbox"], BOTH),
    ("--role", &["--role", "header,image", "b.mbox"], "http://h.org/x\n"),
    ("--warnings", &["--warnings", "a.txt"], ""),
    ("--exclude", &["--exclude", "a.b", "a.txt"], C),
    ("--strings-file", &["--strings-file", "list", "a.txt"], ""),
    ("--fixed-strings", &["--fixed-strings", "a.txt"], AC),
    ("--host", &["--host", "*.org", "a.txt"], AC),
    ("--since", &["--since", "2001-03-02", "b.mbox"], BOTH),
    ("--until", &["--until", "2000", "b.mbox"], ""),
    ("--from", &["--from", "^a", "b.mbox"], BOTH),
    ("--where", &["--where", "scheme=^news", "b.mbox"], "news:c.d\n"),
    ("--newest", &["--newest", "1", "b.mbox"], BOTH),
    ("--unique", &["--unique", "a.txt", "a.txt", "-I"], AC),
    ("--max-count", &["--max-count", "1", "a.txt"], A),
];

/// The options that say what is printed.
const OUTPUT_ROWS: &[Row] = &[
    ("--line-number", &["--line-number", "a.txt"], "1:http://h.org/a-b\n2:ftp://h.org/c\n"),
    ("--column", &["--column", "a.txt"], "1:1:http://h.org/a-b\n2:8:ftp://h.org/c\n"),
    ("--byte-offset", &["--byte-offset", "a.txt"], "0:http://h.org/a-b\n28:ftp://h.org/c\n"),
    ("--with-filename", &["--with-filename", "-m1", "a.txt"], "a.txt:http://h.org/a-b\n"),
    (
        "--no-filename",
        &["--no-filename", "a.txt", "a.txt"],
        "http://h.org/a-b\nftp://h.org/c\nhttp://h.org/a-b\nftp://h.org/c\n",
    ),
    ("--count", &["--count", "a.txt"], "2\n"),
    ("--files-with-matches", &["--files-with-matches", "a.txt"], "a.txt\n"),
    ("--quiet", &["--quiet", "a.txt"], ""),
    ("--only-matching", &["--only-matching", "a.txt"], AC),
    ("--json", &["--json", "-c", "a.txt"], "{\"path\":\"a.txt\",\"count\":2}\n"),
    ("--format", &["--format", "{line} {form}", "a.txt"], "1 wrapper\n2 bare\n"),
    (
        "--group",
        &["--group", "scheme", "--csv", "-m1", "a.txt"],
        "count,messages,first,last,scheme,path,line\n1,0,,,http,a.txt,1\n",
    ),
    ("--csv", &["--csv", "-c", "a.txt"], "path,count\na.txt,2\n"),
    (
        "--columns",
        &["--csv", "--columns", "public_suffix,url_path", "-m1", "a.txt"],
        "public_suffix,url_path\norg,/a-b\n",
    ),
    (
        "--keep",
        &["--json", "--columns", "url", "--keep", "id", "rows"],
        "{\"url\":\"http://h.org/\",\"record\":{\"id\":\"7\"}}\n",
    ),
    ("--alternatives", &["--alternatives", "-m1", "a.txt"], "http://h.org/a-b\n  or http://h.org/ab\n"),
    (
        "--context",
        &["--context", "0", "--scheme", "ftp", "a.txt"],
        "ftp://h.org/c\n  | b> and ftp://h.org/c\n",
    ),
    (
        "--after-context",
        &["--after-context", "0", "--scheme", "ftp", "a.txt"],
        "ftp://h.org/c\n  | b> and ftp://h.org/c\n",
    ),
    (
        "--before-context",
        &["--before-context", "1", "--scheme", "ftp", "a.txt"],
        "ftp://h.org/c\n  | <URL:http://h.org/a-\n  | b> and ftp://h.org/c\n",
    ),
    ("--heading", &["--heading", "-H", "a.txt"], "a.txt\nhttp://h.org/a-b\nftp://h.org/c\n"),
    ("--no-heading", &["--no-heading", "-H", "-m1", "a.txt"], "a.txt:http://h.org/a-b\n"),
    (
        "--pretty",
        &["--pretty", "--color=never", "-H", "a.txt"],
        "a.txt\n1:http://h.org/a-b\n2:ftp://h.org/c\n",
    ),
    ("--vimgrep", &["--vimgrep", "-m1", "a.txt"], "a.txt:1:1:http://h.org/a-b\n"),
    (
        "--explain",
        &["--explain", "--scheme", "ftp", "a.txt"],
        "ftp://h.org/c\n  : starts at the scheme ftp, without delimiters\n  : ends before a line break\n  : conforms to RFC 1738\n",
    ),
    ("--normalize", &["--normalize", "--match", "%", "plain"], "http://u:p@h.org/~\n"),
    ("--clean", &["--clean", "wrapped"], "https://www.google.com/url?q=http://h.org/g\n"),
    ("--redact", &["--redact", "-m1", "plain"], "http://u:***@h.org/%7e\n"),
    ("--defang", &["--defang", "-m1", "plain"], "hxxp://u:p[@]h[.]org/%7e\n"),
    ("--null", &["--null", "-l", "a.txt"], "a.txt\0"),
    ("--line-buffered", &["--line-buffered", "a.txt"], AC),
    ("--color", &["--color", "always", "-l", "a.txt"], "\x1b[35ma.txt\x1b[0m\n"),
    (
        "--hyperlink",
        &["--hyperlink", "always", "--scheme", "ftp", "a.txt"],
        "\x1b]8;;ftp://h.org/c\x1b\\ftp://h.org/c\x1b]8;;\x1b\\\n",
    ),
    ("--no-messages", &["--no-messages", "plain"], U),
    ("--no-config", &["--no-config", "plain"], U),
    ("--strict", &["--strict", "plain"], U),
];

/// Options whose output is long, or elsewhere: what it has to contain.
const CONTAINS_ROWS: &[Row] = &[
    ("--help", &["--help"], "Usage: urlgrep [OPTIONS] [PATH]..."),
    ("--version", &["--version"], concat!("urlgrep ", env!("CARGO_PKG_VERSION"))),
    ("--type-list", &["--type-list"], "mbox: *.{mbox"),
    ("--check", &["--check", "http://h.org/"], "  grade     rfc1738\n"),
    ("--generate", &["--generate", "man"], ".TH "),
    ("--report", &["--report", "report.html", "a.txt"], AC),
    ("--stats", &["--stats", "a.txt"], AC),
];

/// Options that need a terminal, and the tests that use them in one.
const IN_A_TERMINAL: &[(&str, &str)] =
    &[("--menu", "crates/cli/tests/it/menu"), ("--open-with", "crates/cli/tests/it/menu")];

/// The options in the help: the short name, if there is one, and the long one.
fn options() -> Vec<(Option<String>, String)> {
    let help = run(urlgrep(&["--help"]), b"").stdout;
    let defined = help.lines().filter(|line| line.starts_with("  -") || line.starts_with("      --"));
    let names = defined.map(|line| {
        let mut names = line.split([' ', ',', '[']).filter(|word| word.starts_with('-'));
        let first = names.next().unwrap().to_owned();
        if first.starts_with("--") { (None, first) } else { (Some(first), names.next().unwrap().to_owned()) }
    });
    names.collect()
}

fn ran(folder: &TempDir, args: &[&str]) -> Ran {
    let _ = std::fs::remove_file(folder.path().join("report.html"));
    let ran = run(within(folder, args), b"");
    assert!(ran.status != Some(2), "{args:?}: {}", ran.stderr);
    ran
}

/// The output of the row, by the long name and by the short one.
fn outputs(folder: &TempDir, row: Row, short: Option<&str>) -> Vec<String> {
    let (long, args, _) = row;
    assert!(args.contains(&long), "{long}: {args:?}");
    let with = |name| args.iter().map(|&arg| if arg == long { name } else { arg }).collect::<Vec<_>>();
    let names = std::iter::once(long).chain(short);
    names.map(|name| ran(folder, &with(name)).stdout).collect()
}

/// What the option did not do.
fn fault(folder: &TempDir, short: Option<&str>, long: &str) -> Option<String> {
    let rows = [FILE_ROWS, UNIX_ROWS, MATCH_ROWS, OUTPUT_ROWS].concat();
    let of = |rows: &[Row]| rows.iter().find(|row| row.0 == long).copied();
    if let Some(row) = of(&rows) {
        let wrong = outputs(folder, row, short).into_iter().find(|output| output != row.2);
        return wrong.map(|output| format!("{long}: {output:?}, not {:?}", row.2));
    }
    if let Some(row) = of(CONTAINS_ROWS) {
        let wrong = outputs(folder, row, short).into_iter().find(|output| !output.contains(row.2));
        return wrong.map(|output| format!("{long}: {output:?} has no {:?}", row.2));
    }
    if let Some((_, tests)) = IN_A_TERMINAL.iter().find(|(name, _)| *name == long) {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(tests);
        return (!tests.exists()).then(|| format!("{long} is tested in {tests:?}, which does not exist"));
    }
    cfg!(unix).then(|| format!("{long} has no row in crates/cli/tests/it/program/flags.rs"))
}

#[test]
fn every_option_runs() {
    let folder = folder(&FILES);
    let options = options();
    assert!(options.len() > 70);
    let built = options.iter().filter(|(_, long)| cfg!(feature = "generate") || long != "--generate");
    let faults = built.filter_map(|(short, long)| fault(&folder, short.as_deref(), long));
    assert_eq!(faults.collect::<Vec<_>>(), [""; 0]);
}

/// No row tests an option that is gone.
#[test]
fn every_row_has_an_option() {
    let options = options();
    for (long, ..) in [FILE_ROWS, UNIX_ROWS, MATCH_ROWS, OUTPUT_ROWS, CONTAINS_ROWS].concat() {
        assert!(options.iter().any(|(_, name)| name == long), "{long}");
    }
}

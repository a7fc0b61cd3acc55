//! The arguments of the configuration file and of the command line, and the errors about them.
//!
//! An environment variable names the file. Each line is one argument, verbatim:
//! spaces and quotes have no special meaning. Lines that start with `#` are comments.
//!
//! An error is one line, as for a file: the option, what is wrong, and what to type instead. That is known for
//! options of grep that have another name here or are not needed, for some values, and for typos.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::{env, fs, process};

use anyhow::{Context, anyhow};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use strsim::generic_damerau_levenshtein;
use urlgrep_print::escape::Escaped;

use super::{Args, help};
use crate::error::{self, Status, failure, is_closed_pipe};
use crate::input::path_from_bytes;

/// The variable that names the file.
const VARIABLE: &str = "URLGREP_CONFIG_PATH";

/// The options with which the file is not read.
const WITHOUT_FILE: [&str; 3] = ["--no-config", "--check", "--generate"];

/// Options of grep and of earlier versions, and what to type instead.
const HINTS: &[(&[&str], &str)] = &[
    (&["--dereference-recursive"], "to follow symbolic links below directories, use --follow"),
    (&["-y"], "use -i"),
    (&["-S", "--smart-case"], "to ignore letter case in -e REGEX, use -i"),
    (&["-v", "--invert-match"], "to exclude URLs, use --exclude REGEX"),
    (
        &["-E", "-G", "-P", "--extended-regexp", "--basic-regexp", "--perl-regexp", "--pcre2"],
        "no pattern is needed to find URLs; to select some of them, use -e REGEX",
    ),
    (&["-a", "--text"], "to search the bytes of a file that is not text, use --input text"),
    (&["-w", "--word-regexp"], "to select URLs with a whole word, use -e '\\bWORD\\b'"),
    (&["-x", "--line-regexp"], "to select a whole URL, use -e '^URL$'"),
    (&["-z", "--search-zip"], "compressed files and archives are always searched; no option is needed"),
    (&["--null-data"], "to read paths that end with NUL, use --files-from FILE"),
    (&["--trim"], "only URLs are printed, never the spaces around them; no option is needed"),
    (&["--replace"], "to print fields other than the URL, use --format TEMPLATE"),
    (&["--open"], "to choose URLs and open them, use --menu"),
    (&["-Z"], "use -0 or --null"),
    (&["--include"], "to select files by name, use --glob GLOB; by type, use --type TYPE"),
    (&["--exclude-dir"], "to exclude files and directories, use --glob '!NAME'"),
    (&["--files-without-match"], "--count prints 0 for files without URLs"),
    (&["--schema", "--https", "--http"], "to select URLs by scheme, use --scheme LIST"),
    (&["--domain", "--site"], "to select URLs by host, use --host HOST"),
    (&["--exclude-host", "--exclude-domain"], "to exclude the URLs of a host, use --host '!HOST'"),
    (&["--pattern"], "to select URLs by a regular expression, use -e REGEX"),
    (
        &["--limit", "--head"],
        "to stop after some matches in each file, use -m NUM; for the first matches overall, pipe to head",
    ),
    (&["--dedupe", "--dedup", "--uniq"], "to print each URL once, use --unique"),
    (&["--output"], "standard output contains the matches: urlgrep PATH > FILE"),
    (&["--table"], "to print a table, use --csv; for a page, --report FILE"),
    (&["--field", "--fields"], "to print fields other than the URL, use --columns LIST"),
    (&["--host-list"], "to read hosts from a file, use --host @FILE"),
    (&["--hosts"], "to find hosts without a scheme, use --schemeless hosts"),
    (&["--domains"], "to find domain names without a scheme, use --schemeless domains or all-domains"),
    (&["--addresses"], "to find email addresses, use --schemeless emails"),
    (&["--known"], "to add schemes, use --scheme-add LIST"),
    (&["--iglob"], "to ignore letter case in a glob, use --glob '*.[jJ][pP][gG]'; --type ignores it"),
    (
        &["--pre-glob"],
        "to call the command for some files only, put a glob before it: --pre '*.pdf pdftotext {} -'",
    ),
    (&["--base"], "to resolve relative links, put <base href=\"URL\"> before the page, and use --input html"),
    (
        &["-N", "--no-line-number"],
        "line numbers are printed only with -n; --no-config ignores the configuration file",
    ),
    (
        &["--no-ignore"],
        "files that .gitignore lists are searched unless --ignore is used; no option is needed",
    ),
    (&["--binary-files"], "to search the bytes of a file that is not text, use --input text"),
    (&["--label"], "standard input is printed as \"-\"; to print another name, use --format 'NAME:{url}'"),
    (&["--browser"], "to open URLs of the menu in a program, use --menu --open-with CMD"),
    (&["--after", "--after-date"], "to select messages by date, use --since DATE"),
    (&["--before"], "to select messages by date, use --until DATE; to print lines before a URL, -B NUM"),
    (&["--month"], "to select messages by date, use --since 2001-03 --until 2001-03"),
    (&["--subject"], "use --where message.subject=REGEX"),
    (&["--to"], "use --where message.to,message.cc=REGEX"),
    (&["--list"], "use --where message.list_id,message.newsgroups=REGEX"),
    (&["--header"], "use --where header.NAME=REGEX"),
    (&["--no-links"], "all URLs are printed without --links; --no-config ignores the configuration file"),
];

/// Values that an option does not take, and what to type instead. Without values, it is any.
const VALUE_HINTS: &[(&str, &[&str], &str)] = &[
    ("--sort", &["newest", "oldest", "date"], "to order URLs by the date of their message, use --newest all"),
    (
        "--warnings",
        &["cut", "address", "mixed"],
        "\"cut\", \"address\" and \"mixed\" are now \"truncated\", \"ip\" and \"mixed_script\"",
    ),
    ("--role", &["form"], "the role \"form\" is now \"form_action\""),
    ("--csv", &[], COLUMNS),
];

/// The advice for columns that are typed as the value of another option.
const COLUMNS: &str = "to choose the columns, use --csv --columns LIST";

/// Returns all arguments. Those of the command line come last, so they override the file.
///
/// # Errors
///
/// Returns an error if the file cannot be read, or contains an argument that is not valid.
pub fn arguments() -> anyhow::Result<Vec<OsString>> {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    let path = env::var_os(VARIABLE).filter(|path| !path.is_empty());
    let options = arguments.iter().take_while(|&argument| argument != "--");
    let without_file = options.map(|option| option.to_string_lossy()).any(|option| {
        let name = option.split('=').next().unwrap_or_default();
        WITHOUT_FILE.contains(&name)
    });
    if let Some(path) = path.filter(|_| !without_file) {
        let path = Path::new(&path);
        let more = read(path).context(VARIABLE)?;
        // Refuse arguments that are not valid even without the command line, so that the error names the file.
        let name = OsString::from("urlgrep");
        let parsed = Args::try_parse_from(std::iter::once(&name).chain(&more));
        let is_split = if parsed.is_ok() { blank_before_value } else { split_by_shell };
        if let Some(line) = more.iter().find_map(|argument| is_split(argument)) {
            let line = Escaped(line.as_bytes());
            return Err(failure(path, anyhow!("\"{line}\": write each argument on its own line")));
        }
        parsed.map_err(|error| failure(path, anyhow!(sentence(&error))))?;
        let after_name = arguments.len().min(1);
        arguments.splice(after_name..after_name, more);
    }
    Ok(arguments)
}

/// The arguments in a file.
fn read(path: &Path) -> anyhow::Result<Vec<OsString>> {
    let text = fs::read(path).map_err(|error| failure(path, error))?;
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty() && !line.starts_with(b"#")).map(path_from_bytes).collect()
}

/// A line that a shell would split: an option, a space and another argument.
fn split_by_shell(line: &OsStr) -> Option<&str> {
    let line = line.to_str()?;
    let option = line.split_ascii_whitespace().next()?;
    (line.starts_with('-') && option != line && !option.contains('=')).then_some(line)
}

/// A line with a short option, a space and a value. Without this check, the value would begin with
/// the space: `-e word` would match nothing.
fn blank_before_value(line: &OsStr) -> Option<&str> {
    let line = line.to_str()?;
    let options = line.strip_prefix('-').filter(|options| !options.starts_with('-'))?;
    let mut command = Args::command();
    command.build();
    let takes_value = |short: char| {
        let option = command.get_arguments().find(|arg| arg.get_short() == Some(short));
        option.is_some_and(|arg| arg.get_action().takes_values())
    };
    let flags = &options[..options.find([' ', '\t'])?];
    (flags.find(takes_value)? + 1 == flags.len()).then_some(line)
}

/// Prints an error about the arguments, and ends the process.
pub fn refuse(error: impl Display) -> ! {
    error::print(&anyhow!("{error}"));
    process::exit(Status::Error as i32)
}

/// Prints a usage error, the help or the version, and ends the process.
pub fn exit(error: &clap::Error) -> ! {
    if error.use_stderr() {
        refuse(sentence(error));
    }
    let printed = match error.kind() {
        ErrorKind::DisplayHelp => help::print(&error.to_string()),
        _ => error.print(),
    };
    match printed.and_then(|()| io::stdout().flush()).context("standard output") {
        Err(error) if !is_closed_pipe(&error) => refuse(format!("{error:#}")),
        _ => process::exit(0),
    }
}

/// Returns the error in one line, with what to type instead, if that is known.
fn sentence(error: &clap::Error) -> String {
    let texts = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => std::slice::from_ref(text),
        Some(ContextValue::Strings(texts)) => texts,
        _ => &[],
    };
    // The name of an option is without its value: `--csv[=<HOW>]`.
    let names = |kind| texts(kind).iter().map(|text| text.split([' ', '[']).next().unwrap_or_default());
    let option = names(ContextKind::InvalidArg).next().unwrap_or_default();
    let value = texts(ContextKind::InvalidValue).first().map_or("", String::as_str);
    let (what, advice) = match error.kind() {
        ErrorKind::UnknownArgument => {
            let hint = HINTS.iter().find(|(options, _)| options.contains(&option));
            let mut meant = names(ContextKind::SuggestedArg).filter(|meant| is_typo(option, meant));
            let meant = || meant.next().map(|meant| format!("did you mean {meant}?"));
            let advice = hint.map(|(_, hint)| (*hint).to_owned()).or_else(meant);
            let advice = advice.or_else(|| Some("--help lists the options".to_owned()));
            (format!("unknown option {option}"), advice)
        }
        ErrorKind::InvalidValue => {
            let values = if option == "--where" { &[] } else { texts(ContextKind::ValidValue) };
            let expected = one_of(values);
            let found = if value.is_empty() { "no value".to_owned() } else { format!("\"{value}\"") };
            let is_it = |values: &[&str]| values.is_empty() || values.contains(&value);
            let hint = VALUE_HINTS.iter().find(|(name, values, _)| *name == option && is_it(values));
            (
                format!("{option}: expected {expected}, found {found}"),
                hint.map(|(.., hint)| (*hint).to_owned()),
            )
        }
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            let quoted = format!("\"{value}\"");
            let value = if why.contains(&quoted) { String::new() } else { format!(" {quoted}") };
            (format!("{option}{value}: {why}"), None)
        }
        ErrorKind::ArgumentConflict => {
            let others: Vec<_> = names(ContextKind::PriorArg).map(str::to_owned).collect();
            let has = |name: &str| option == name || others.iter().any(|other| other == name);
            let hint = match () {
                () if has("--check") => Some("--check takes URLs, not files: urlgrep --check URL..."),
                () if has("--count") && has("--columns") => {
                    Some("to count the matches of each value, use --group FIELD")
                }
                () if has("--csv") && has("--format") => Some(COLUMNS),
                () => None,
            };
            (format!("{option} cannot be used with {}", one_of(&others)), hint.map(str::to_owned))
        }
        ErrorKind::TooManyValues => (format!("{option}: expected no value, found \"{value}\""), None),
        _ => {
            let message = error.to_string();
            (message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned(), None)
        }
    };
    advice.map_or(what.clone(), |advice| format!("{what}; {advice}"))
}

/// The names as alternatives in a sentence; without names, any value.
fn one_of(names: &[String]) -> String {
    match names {
        [] => "a value".to_owned(),
        [name] => name.clone(),
        [names @ .., last] => format!("{} or {last}", names.join(", ")),
    }
}

/// Returns true if `typed` has a letter too many, or too few, or two exchanged, and is `meant` otherwise.
fn is_typo(typed: &str, meant: &str) -> bool {
    let (typed, meant) = (typed.as_bytes(), meant.as_bytes());
    // If one letter is replaced by another, it is more likely a different word than a typing error.
    let others = typed.iter().zip(meant).filter(|(a, b)| a != b).count();
    let is_replaced = typed.len() == meant.len() && others == 1;
    !is_replaced && generic_damerau_levenshtein(typed, meant) == 1
}

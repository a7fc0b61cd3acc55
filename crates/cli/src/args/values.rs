//! The values of options: the names of choices, and parsers.

use std::ffi::OsStr;
use std::iter;
use std::num::{IntErrorKind, NonZeroUsize};
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use urlgrep::archive::{Format, Role};
use urlgrep::table::Field;
use urlgrep::{Dialect, Finder, FinderBuilder, Grade, Hyphen, Iri, Join, Schemeless, Warning};
use urlgrep_print::{columns, csv};

use crate::input::{Order, types};
use crate::search::{Condition, Place, RoleChoice};

/// The name of a choice, its value, and its description in the help.
type Choice<T> = (&'static str, T, &'static str);

/// The kind of the input: its format, which is detected if it is `None`, and whether its rows
/// consist of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputChoice {
    pub format: Option<Format>,
    pub delimited_rows: bool,
}

/// The kinds of input.
pub static INPUTS: LazyLock<Vec<Choice<InputChoice>>> = LazyLock::new(|| {
    let input = |format| InputChoice { format, delimited_rows: false };
    let named = |format: Format| Some((format.name()?, input(Some(format)), format.description()?));
    let csv = InputChoice { format: Some(Format::Text), delimited_rows: true };
    iter::once(("auto", input(None), "Detect the format from the first bytes"))
        .chain(Format::named().filter_map(named))
        .chain(iter::once(("csv", csv, "Text whose cells are separated by commas or semicolons")))
        .collect()
});

/// The roles of a URL for a reader.
pub static ROLES: [Choice<RoleChoice>; 8] = [
    ("text", RoleChoice::Of(Role::Text), "URLs in text"),
    (
        "link",
        RoleChoice::Of(Role::Link),
        "Links that can be followed: <a>, and URLs of calendars, cards, feeds and documents",
    ),
    ("image", RoleChoice::Of(Role::Image), "Images that a page shows"),
    ("tracker", RoleChoice::Of(Role::Tracker), "Invisible images: hidden, or of one pixel"),
    ("form_action", RoleChoice::Of(Role::FormAction), "Targets of forms"),
    (
        "resource",
        RoleChoice::Of(Role::Resource),
        "Other URLs that a page loads or refers to: scripts, styles, frames, namespaces",
    ),
    ("header", RoleChoice::Of(Role::Header), "URLs in a header field"),
    ("unsubscribe", RoleChoice::Unsubscribe, "URLs in the header field List-Unsubscribe"),
];

/// The warnings about a URL.
pub static WARNINGS: LazyLock<[Choice<Warning>; Warning::ALL.len()]> =
    LazyLock::new(|| Warning::ALL.map(|warning| (warning.as_str(), warning, warning.description())));

/// The URLs that are rejoined across line breaks.
pub static JOINS: [Choice<Join>; 3] = [
    ("none", Join::None, "Do not rejoin: a URL ends at the end of its line"),
    ("delimited", Join::Delimited, "URLs between \"<\" and \">\" or quotation marks"),
    ("likely", Join::Likely, "Delimited URLs, and bare URLs if there is evidence that they continue"),
];

/// The non-ASCII characters that a bare URL may contain.
pub static IRIS: [Choice<Iri>; 3] = [
    (
        "words",
        Iri::Words,
        "Letters and digits of scripts that put spaces between words, not Chinese, Japanese, Korean, Thai, Lao, \
         Khmer or Burmese",
    ),
    ("all", Iri::All, "Characters of all scripts, as in Unicode Technical Standard #58"),
    ("ascii", Iri::Ascii, "No non-ASCII characters, as in RFC 1738"),
];

/// The names of the kinds that match without a scheme.
pub static SCHEMELESS: [Choice<Schemeless>; 5] = [
    ("hosts", Schemeless::Hosts, "Hosts that start with www. or ftp.: www.h.org/a"),
    ("domains", Schemeless::Domains, "Domain names with a public suffix that are whole words"),
    (
        "all-domains",
        Schemeless::AllDomains,
        "Domain names, and names that look like files or newsgroups: README.md",
    ),
    ("emails", Schemeless::Emails, "Email addresses, but not message identifiers"),
    ("ips", Schemeless::Ips, "IPv4 addresses, but not networks: 10.0.0.1:8080/x"),
];

/// The readings of a hyphen before a line break; `None` is decided by evidence.
pub static HYPHENS: [Choice<Option<Hyphen>>; 4] = [
    ("keep", Some(Hyphen::Keep), "The hyphen is part of the URL"),
    ("drop", Some(Hyphen::Drop), "The hyphen was inserted at the line break"),
    ("both", Some(Hyphen::Both), "Both readings are printed"),
    ("evidence", None, "The reading that occurs elsewhere is used; without evidence, the hyphen is kept"),
];

/// The grammar by which URLs are graded.
pub static DIALECTS: [Choice<Dialect>; 2] =
    [("rfc1738", Dialect::Rfc1738, "RFC 1738"), ("draft", Dialect::Draft1994, "The draft of 1994")];

/// The grades, which describe how well formed a URL is.
pub static GRADES: [Choice<Grade>; 4] = [
    ("rfc1738", Grade::Rfc1738, "Conforms to RFC 1738, ignoring its fragment"),
    ("rfc3986", Grade::Rfc3986, "Conforms to the generic syntax of RFC 3986: http://h.org/~me/"),
    ("lenient", Grade::Lenient, "Not valid, but plausible: http://h.org/{x}"),
    ("draft1994", Grade::Draft1994, "Conforms to the draft of 1994 (--dialect draft)"),
];

/// The order of the files below a directory.
pub static ORDERS: [Choice<Order>; 4] = [
    ("path", Order::Name, "By name, byte by byte"),
    ("modified", Order::Modified, "By modification time, oldest first"),
    ("size", Order::Len, "By size, smallest first"),
    ("none", Order::Listed, "In the order in which the directory lists them"),
];

/// The choices of `--csv`.
pub static CSV: [Choice<csv::Style>; 3] = [
    ("safe", csv::Style::Safe, "With formulas disabled, for a spreadsheet"),
    ("raw", csv::Style::Raw, "Verbatim"),
    ("excel", csv::Style::Excel, "As \"safe\", with CR and LF at the end of lines"),
];

/// The choices of `--color` and `--hyperlink`; `None` if it depends on the terminal.
pub static WHEN: [Choice<Option<bool>>; 3] = [
    ("auto", None, "On a terminal, unless NO_COLOR is set, or TERM is unset or \"dumb\""),
    ("always", Some(true), "Always"),
    ("never", Some(false), "Never"),
];

/// Returns the names of choices.
pub fn names<T>(choices: &'static [Choice<T>]) -> Vec<&'static str> {
    choices.iter().map(|(name, ..)| *name).collect()
}

/// Returns a parser of the names of choices.
pub fn one_of<T>(choices: &'static [Choice<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync,
{
    let names = choices.iter().map(|(name, _, help)| PossibleValue::new(*name).help(capitalized(help)));
    PossibleValuesParser::new(names).try_map(|parsed| {
        let choice = choices.iter().find(|(name, ..)| *name == parsed);
        choice.map(|&(_, value, _)| value).ok_or("unknown value; --help lists the values")
    })
}

/// The text with a capital first letter: --explain continues a sentence with the description of a warning.
fn capitalized(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_ascii_uppercase() + rest
}

/// Returns a parser of a number of something. One that is too large for the machine is the largest
/// there is: as a limit it means the same.
pub fn number_of(what: &'static str) -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync {
    move |text: &str| match text.parse::<usize>() {
        Ok(number) => Ok(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(usize::MAX),
        Err(_) => Err(format!("expected a number of {what}")),
    }
}

/// Parses a number of messages.
pub fn number_or_all(text: &str) -> Result<usize, String> {
    match (text, text.parse::<usize>()) {
        ("all", _) => Ok(usize::MAX),
        (_, Ok(0)) => Err("expected a number of at least 1, or all".to_owned()),
        _ => number_of("messages, such as 1, or all")(text),
    }
}

/// Parses a number of threads.
pub fn at_least_one(number: &str) -> Result<NonZeroUsize, &'static str> {
    number.parse().map_err(|_| "expected a number of at least 1")
}

/// Parses a number of bytes with a suffix or without.
pub fn number_of_bytes(text: &str) -> Result<u64, &'static str> {
    let (number, unit) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 1 << 10),
        Some(b'M') => (&text[..text.len() - 1], 1 << 20),
        Some(b'G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    bytes.ok_or("expected a number of bytes, such as 1000000, 500K, 50M or 2G")
}

/// Parses the maximum length of a URL.
pub fn max_len(text: &str) -> Result<usize, String> {
    let bytes = number_of("bytes, such as 4096")(text)?;
    valid(bytes, Finder::builder().max_len(bytes))
}

/// Parses a position in a file.
pub fn place(text: &str) -> Result<Place, &'static str> {
    let number = |digits: &str| digits.parse::<u64>().map_err(|_| "expected a byte offset, or LINE:COLUMN");
    match text.split_once(':') {
        None => Ok(Place::Offset(number(text)?)),
        Some((line, column)) => match (number(line)?, number(column)?) {
            (1.., 1..) => Ok(Place::Column { line: number(line)?, column: number(column)? }),
            _ => Err("lines and columns are counted from 1"),
        },
    }
}

/// Parses the name of a scheme that the caller adds.
pub fn known_scheme(name: &str) -> Result<String, String> {
    valid(name.trim_ascii().to_owned(), Finder::builder().scheme_add([name.trim_ascii()]))
}

/// Parses the name of a scheme. "http, https" is the same list as "http,https".
pub fn scheme(name: &str) -> Result<String, String> {
    valid(name.trim_ascii().to_owned(), Finder::builder().schemes([name.trim_ascii()]))
}

/// Returns the value if a finder with it can be built.
fn valid<T>(value: T, builder: FinderBuilder) -> Result<T, String> {
    builder.build().map(|_| value).map_err(|error| error.to_string())
}

/// Parses a value. Shells complete the names of the values, or of their beginnings; there may be other values.
#[derive(Clone)]
pub struct Completed<T> {
    parse: fn(&str) -> Result<T, String>,
    names: fn() -> Vec<&'static str>,
}

/// Parses a file name type; `--type-add` can add others than those that are built in.
pub const FILE_TYPE: Completed<String> =
    Completed { parse: |name| Ok(name.to_owned()), names: || types::names().collect() };

/// Parses a condition, which begins with the name of a field.
pub const WHERE: Completed<Condition> =
    Completed { parse: Condition::parse, names: || columns::fields().map(Field::name).collect() };

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Completed<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let parse = self.parse;
        StringValueParser::new().try_map(move |text| parse(&text)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_bytes() {
        for (text, bytes) in [
            ("0", 0),
            ("17", 17),
            ("1K", 1 << 10),
            ("15k", 15 << 10),
            ("2M", 2 << 20),
            ("25m", 25 << 20),
            ("3G", 3 << 30),
            ("35g", 35 << 30),
            ("17179869183G", ((1 << 34) - 1) << 30),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(number_of_bytes(text), Ok(bytes), "{text}");
        }
        for text in ["", "K", "1KB", "1T", "-1", "1.5M", "1 K", "17179869184G", "18446744073709551616"] {
            assert!(number_of_bytes(text).is_err(), "{text}");
        }
    }
}

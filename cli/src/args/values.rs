//! The values of options that become types of the library.

use std::ffi::OsStr;
use std::iter;
use std::num::IntErrorKind;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
use urlgrep::Finder;
use urlgrep::archive::Format;

use crate::input::types;

/// The format of the input; none if it is detected.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputFormat(pub Option<Format>);

impl ValueEnum for InputFormat {
    fn value_variants<'a>() -> &'a [Self] {
        static FORMATS: LazyLock<Vec<InputFormat>> =
            LazyLock::new(|| iter::once(None).chain(Format::named().map(Some)).map(InputFormat).collect());
        &FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let Some(format) = self.0 else {
            return Some(PossibleValue::new("auto").help("Detect the format from the first lines"));
        };
        Some(PossibleValue::new(format.name()?).help(format.description()?))
    }
}

/// Which URLs are joined across line breaks.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Join {
    /// None: a URL ends at the end of its line
    None,
    /// URLs between "<" and ">" or quotation marks
    #[default]
    Delimited,
    /// Also others, if the end of the line and the next line, or the same URL elsewhere, are evidence
    Likely,
}

impl From<Join> for urlgrep::Join {
    fn from(join: Join) -> Self {
        match join {
            Join::None => urlgrep::Join::None,
            Join::Delimited => urlgrep::Join::Delimited,
            Join::Likely => urlgrep::Join::Likely,
        }
    }
}

/// Which characters beyond ASCII a bare URL may have.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Iri {
    /// Letters and digits of scripts that separate words with spaces: not of Chinese, Japanese,
    /// Korean, Thai, Lao, Khmer or Burmese
    #[default]
    Words,
    /// Those of all scripts, as in Unicode Technical Standard #58
    All,
    /// None, as in RFC 1738
    Ascii,
}

impl From<Iri> for urlgrep::Iri {
    fn from(iri: Iri) -> Self {
        match iri {
            Iri::Words => urlgrep::Iri::Words,
            Iri::All => urlgrep::Iri::All,
            Iri::Ascii => urlgrep::Iri::Ascii,
        }
    }
}

/// Which domain names without a scheme are matches.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Domains {
    /// Not what looks like a file, a newsgroup or an attribute, unless a path follows
    Names,
    /// All of them
    All,
}

impl From<Domains> for urlgrep::Domains {
    fn from(domains: Domains) -> Self {
        match domains {
            Domains::Names => urlgrep::Domains::Names,
            Domains::All => urlgrep::Domains::All,
        }
    }
}

/// How a hyphen before a line break is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Hyphen {
    /// It is part of the URL
    #[default]
    Keep,
    /// It was inserted at the line break
    Drop,
    /// Both readings are printed
    Both,
    /// The reading that occurs elsewhere is chosen; without evidence, as with "keep"
    Evidence,
}

impl From<Hyphen> for urlgrep::Hyphen {
    fn from(hyphen: Hyphen) -> Self {
        match hyphen {
            Hyphen::Keep | Hyphen::Evidence => urlgrep::Hyphen::Keep,
            Hyphen::Drop => urlgrep::Hyphen::Drop,
            Hyphen::Both => urlgrep::Hyphen::Both,
        }
    }
}

/// The grammar by which URLs are graded.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Dialect {
    /// RFC 1738
    #[default]
    Rfc1738,
    /// The draft of 1994
    Draft,
}

impl From<Dialect> for urlgrep::Dialect {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Rfc1738 => urlgrep::Dialect::Rfc1738,
            Dialect::Draft => urlgrep::Dialect::Draft1994,
        }
    }
}

/// How well formed a URL is.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Grade {
    /// Valid by the draft of 1994 as written (--dialect draft)
    Draft1994,
    /// Valid by RFC 1738 as written, without the fragment
    Rfc1738,
    /// Valid by the generic syntax of RFC 3986: http://h.org/~me/
    Rfc3986,
    /// Not valid, but plausible: http://h.org/{x}
    #[default]
    Lenient,
}

impl From<Grade> for urlgrep::Grade {
    fn from(grade: Grade) -> Self {
        match grade {
            Grade::Draft1994 => urlgrep::Grade::Draft1994,
            Grade::Rfc1738 => urlgrep::Grade::Rfc1738,
            Grade::Rfc3986 => urlgrep::Grade::Rfc3986,
            Grade::Lenient => urlgrep::Grade::Lenient,
        }
    }
}

/// Parses the URL that relative links are resolved against.
pub fn base_url(url: &str) -> Result<String, String> {
    match urlgrep::grammar::generic::parse(url.as_bytes()) {
        Ok(parts) if parts.host().is_some_and(|host| !host.is_empty()) => Ok(url.to_owned()),
        Ok(_) => Err("expected a URL with a host, such as http://h.org/a/".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Parses a number. One that is too large for the machine is the largest there is: as a limit it
/// means the same.
pub fn number(text: &str) -> Option<usize> {
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Some(usize::MAX),
        Err(_) => None,
    }
}

/// Parses a number of matches.
pub fn number_of_matches(text: &str) -> Result<u64, &'static str> {
    number(text).map(|number| number as u64).ok_or("expected a number of matches, such as 10")
}

/// Parses the maximum length of a URL.
pub fn max_len(text: &str) -> Result<usize, String> {
    let bytes = number(text).ok_or("expected a number of bytes, such as 4096")?;
    let error = Finder::builder().max_len(bytes).build().err();
    error.map_or(Ok(bytes), |error| Err(error.to_string()))
}

/// Parses the name of a scheme. "http, https" is the same list as "http,https".
pub fn scheme(name: &str) -> Result<String, String> {
    let name = name.trim_ascii();
    let error = Finder::builder().scheme_filter([name]).build().err();
    error.map_or(Ok(name.to_owned()), |error| Err(error.to_string()))
}

/// Parses the name of a file type. Shells complete those that are built in; `--type-add` can add
/// others.
#[derive(Clone)]
pub struct FileType;

impl TypedValueParser for FileType {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(types::names().map(PossibleValue::new)))
    }
}

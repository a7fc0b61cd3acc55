//! The options of a search by name: one table, which every interface reads.
//!
//! A new option is a setter of [`FinderBuilder`] and a row of the table below. Python, JavaScript
//! and C, with their types and documents, take it from the row: `tests/it/options.rs` compares
//! them.

use std::fmt;
use std::num::IntErrorKind;
use std::str::FromStr;

use super::builder::{FinderBuilder, LEAST};
use crate::bytes::name::prints_its_name;
use crate::bytes::unicode::Iri;
use crate::grammar::schemes::Schemes;
use crate::grammar::{Dialect, Grade};
use crate::matches::form::Join;
use crate::matches::readings::Hyphen;
use crate::scan::Schemeless;

/// An option of a search: a row of [`options()`].
///
/// [`Display`](fmt::Display) prints its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOption {
    name: &'static str,
    doc: &'static str,
    kind: OptionKind,
    default: Option<&'static str>,
    needs: &'static [(&'static str, &'static str)],
}

/// The type of a search option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionKind {
    /// Yes or no: `true` or `false`.
    Flag,
    /// One of these names.
    OneOf(&'static [&'static str]),
    /// Some of these names, with commas between them; the empty text means no names.
    AnyOf(&'static [&'static str]),
    /// A number in decimal digits.
    Number {
        /// The smallest valid number.
        least: usize,
        /// The unit that is counted.
        unit: &'static str,
    },
    /// Names of schemes with commas between them; the empty text means no names.
    Schemes,
}

/// Returns the options of a search, in the order in which they are listed.
///
/// [`FinderBuilder::set`] sets them.
///
/// # Example
///
/// ```
/// use urlgrep::OptionKind;
///
/// let join = urlgrep::options().iter().find(|option| option.name() == "join").unwrap();
/// assert_eq!(join.kind(), OptionKind::OneOf(&["none", "delimited", "likely"]));
/// assert_eq!(join.default(), Some("delimited"));
/// ```
pub fn options() -> &'static [SearchOption] {
    OPTIONS
}

impl SearchOption {
    /// Returns the name: `max_len`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns a sentence that describes the option.
    pub fn doc(&self) -> &'static str {
        self.doc
    }

    /// Returns the kind of its values.
    pub fn kind(&self) -> OptionKind {
        self.kind
    }

    /// Returns the names of its values, if its kind is [`OptionKind::OneOf`] or
    /// [`OptionKind::AnyOf`].
    pub fn values(&self) -> &'static [&'static str] {
        match self.kind {
            OptionKind::OneOf(names) | OptionKind::AnyOf(names) => names,
            _ => &[],
        }
    }

    /// Returns the default value as text, or `None` if the default cannot be written as text.
    pub fn default(&self) -> Option<&'static str> {
        self.default
    }

    /// Returns the values that need a feature of this crate, as pairs of the value (or the option
    /// itself) and the feature.
    ///
    /// The table lists them whether or not the features are on.
    pub fn needs(&self) -> &'static [(&'static str, &'static str)] {
        self.needs
    }

    /// Returns the current name of the option that an earlier version called `old`.
    pub fn new_name(old: &str) -> Option<&'static str> {
        RENAMED.iter().find(|(name, _)| *name == old).map(|(_, new)| *new)
    }

    /// Returns the names of earlier versions, and their current names.
    #[doc(hidden)]
    pub fn renamed() -> &'static [(&'static str, &'static str)] {
        &RENAMED
    }

    /// The value of `text` as a number: 0 or 1 for a flag, the index in the list for a name, and a
    /// bit for each index for several names.
    fn number(&self, text: &str) -> Result<usize, OptionError> {
        let is_asked = |what: &str| what == self.name || text.split(',').any(|name| name == what);
        let missing = |(what, feature): &&(&str, &str)| is_asked(what) && !has(feature);
        if let Some(&(_, feature)) = self.needs.iter().find(missing) {
            return Err(OptionError(OptionErrorKind::Feature {
                name: self.name,
                text: text.to_owned(),
                feature,
            }));
        }
        let number = match self.kind {
            OptionKind::Flag => ["false", "true"].iter().position(|name| *name == text),
            OptionKind::OneOf(names) => names.iter().position(|name| *name == text),
            OptionKind::AnyOf(all) => names(text).try_fold(0, |bits, name| {
                all.iter().position(|known| *known == name).map(|place| bits | 1 << place)
            }),
            OptionKind::Number { least, .. } => decimal(text).filter(|number| *number >= least),
            OptionKind::Schemes => Some(0),
        };
        number.ok_or_else(|| {
            OptionError(OptionErrorKind::Value { name: self.name, kind: self.kind, text: text.to_owned() })
        })
    }
}

impl fmt::Display for SearchOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// A number that is too large for the machine is the largest there is: as a limit it means the same.
fn decimal(text: &str) -> Option<usize> {
    match text.parse::<usize>() {
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Some(usize::MAX),
        parsed => parsed.ok(),
    }
}

/// The features that options need, and whether the crate was compiled with them.
const FEATURES: [(&str, bool); 3] = [
    ("domains", cfg!(feature = "domains")),
    ("draft", cfg!(feature = "draft")),
    ("unwrap", cfg!(feature = "unwrap")),
];

fn has(feature: &str) -> bool {
    FEATURES.contains(&(feature, true))
}

impl FinderBuilder {
    /// Sets the [option](options()) of that name to the value in `text`, spelled as [`OptionKind`]
    /// describes. It replaces an earlier value.
    ///
    /// # Errors
    ///
    /// Returns an error if the option or its value is unknown, or if either needs a feature that
    /// the crate was compiled without. Whether schemes have valid names is checked by
    /// [`build`](Self::build).
    ///
    /// # Example
    ///
    /// ```
    /// let finder = urlgrep::Finder::builder().set("join", "likely")?.set("max_len", "4096")?.build()?;
    /// let error = urlgrep::Finder::builder().set("max_len", "3").unwrap_err();
    /// assert_eq!(error.to_string(), "option \"max_len\": expected a number of at least 16 (bytes), found \"3\"");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(self, name: &str, text: &str) -> Result<FinderBuilder, OptionError> {
        let Some(at) = OPTIONS.iter().position(|option| option.name == name) else {
            return Err(OptionError(OptionErrorKind::Name(name.to_owned(), SearchOption::new_name(name))));
        };
        let number = OPTIONS[at].number(text)?;
        Ok(self.set_at(at, number, text))
    }
}

/// The error for an unknown option, or for a value that the option does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError(OptionErrorKind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionErrorKind {
    /// A name that no option has, and the one that it has now.
    Name(String, Option<&'static str>),
    Feature {
        name: &'static str,
        text: String,
        feature: &'static str,
    },
    Value {
        name: &'static str,
        kind: OptionKind,
        text: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            OptionErrorKind::Name(name, Some(new)) => write!(f, "the option {name:?} is now called {new:?}"),
            OptionErrorKind::Name(name, None) => {
                let names: Vec<_> = OPTIONS.iter().map(|option| option.name).collect();
                write!(f, "unknown option {name:?}; expected one of {}", names.join(", "))
            }
            OptionErrorKind::Feature { name, text, feature } => write!(
                f,
                "option {name:?}: {text:?} needs the feature {feature:?}, which the library was compiled without"
            ),
            OptionErrorKind::Value { name, kind, text } => {
                write!(f, "option {name:?}: expected {kind}, found {text:?}")
            }
        }
    }
}

impl std::error::Error for OptionError {}

impl fmt::Display for OptionKind {
    /// Writes the expected values: `one of "keep", "drop", "both"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Flag => f.write_str("\"true\" or \"false\""),
            OptionKind::OneOf(names) | OptionKind::AnyOf(names) => {
                let which = if matches!(self, OptionKind::OneOf(_)) { "one" } else { "some" };
                let names: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
                write!(f, "{which} of {}", names.join(", "))
            }
            OptionKind::Number { least, unit } => write!(f, "a number of at least {least} ({unit})"),
            OptionKind::Schemes => f.write_str("names of schemes with commas between them"),
        }
    }
}

/// A type whose values have names.
trait Named: Copy + 'static {
    const VALUES: &'static [Self];
    /// The name of each value. They are separate from the values, because setting an option does
    /// not need names.
    const NAMES: &'static [&'static str];

    /// The value at an index, or the first one.
    fn at(number: usize) -> Self {
        *Self::VALUES.get(number).unwrap_or(&Self::VALUES[0])
    }
}

macro_rules! named {
    ($($type:ident { $($(#[$cfg:meta])? $value:ident = $name:literal),+ })+) => {$(
        impl Named for $type {
            const VALUES: &'static [Self] = &[$($(#[$cfg])? $type::$value),+];
            const NAMES: &'static [&'static str] = &[$($name),+];
        }
    )+};
}

named! {
    Join { None = "none", Delimited = "delimited", Likely = "likely" }
    Hyphen { Keep = "keep", Drop = "drop", Both = "both" }
    Grade { Lenient = "lenient", Rfc3986 = "rfc3986", Rfc1738 = "rfc1738", Draft1994 = "draft1994" }
    Dialect { Rfc1738 = "rfc1738", #[cfg(feature = "draft")] Draft1994 = "draft" }
    Iri { Words = "words", All = "all", Ascii = "ascii" }
    Schemeless {
        Hosts = "hosts",
        Emails = "emails",
        Ips = "ips",
        // Last: a value has the same position without the feature.
        #[cfg(feature = "domains")] Domains = "domains",
        #[cfg(feature = "domains")] AllDomains = "all-domains"
    }
}

/// Gives a type that is the value of an option the names of its values: `as_str`, `Display` and `FromStr`.
macro_rules! spelled {
    ($($type:ident of $option:literal),+) => {$(
        impl $type {
            /// Returns the name of the value, as in [`FinderBuilder::set`].
            pub fn as_str(self) -> &'static str {
                let at = Self::VALUES.iter().position(|value| *value == self).unwrap_or_default();
                Self::NAMES[at]
            }
        }

        impl FromStr for $type {
            type Err = OptionError;

            fn from_str(name: &str) -> Result<$type, OptionError> {
                let at = Self::NAMES.iter().position(|one| *one == name);
                let value = at.and_then(|at| Self::VALUES.get(at).copied());
                let kind = OptionKind::OneOf(Self::NAMES);
                value.ok_or_else(|| OptionError(OptionErrorKind::Value { name: $option, kind, text: name.to_owned() }))
            }
        }
    )+};
}

spelled!(Hyphen of "hyphen", Dialect of "dialect", Iri of "iri", Schemeless of "schemeless");
prints_its_name!(Hyphen, Dialect, Iri, Schemeless);

/// Makes the table, and the method that sets an option at a place of it. The method needs neither names nor docs.
macro_rules! options {
    ($($name:ident: $option:expr => |$builder:ident, $number:pat_param, $list:pat_param| $set:expr;)+) => {
        static OPTIONS: &[SearchOption] = &[$(SearchOption { name: stringify!($name), ..$option }),+];

        impl FinderBuilder {
            /// Sets the option at a position in the table to a value that the caller has checked: a number
            /// as [`set`](Self::set) reads it from a text, or scheme names.
            ///
            /// The JavaScript package checks the names itself, so that they are not in the .wasm
            /// file.
            #[doc(hidden)]
            pub fn set_at(self, option: usize, number: usize, list: &str) -> FinderBuilder {
                #[allow(non_camel_case_types)]
                enum Place { $($name),+ }
                $(if option == Place::$name as usize {
                    let ($builder, $number, $list) = (self, number, list);
                    return $set;
                })+
                self
            }
        }
    };
}

options! {
    join: one_of::<Join>(
        "delimited",
        "Rejoin broken URLs: none, delimited ones, or also bare ones if there is evidence",
    ) => |builder, number, _| builder.join(Named::at(number));

    hyphen: one_of::<Hyphen>(
        "keep",
        "Keep or drop a hyphen before a line break, or match both readings",
    ) => |builder, number, _| builder.hyphen(Named::at(number));

    grade: one_of::<Grade>("lenient", "Match only URLs of at least this grade").needing(&[("draft1994", "draft")])
        => |builder, number, _| builder.min_grade(Named::at(number));

    dialect: one_of::<Dialect>("rfc1738", "Grade URLs by this grammar").needing(&[("dialect", "draft")])
        => |builder, number, _| builder.dialect(Named::at(number));

    schemes: option(OptionKind::Schemes, None, "Match only URLs with these schemes; an empty list matches nothing")
        => |builder, _, list| builder.without_scheme_filter().schemes(names(list));

    scheme_add: option(
        OptionKind::Schemes,
        Some(""),
        "Also match these schemes without \"//\", such as spotify",
    ) => |builder, _, list| builder.known_schemes(Schemes::default()).scheme_add(names(list));

    width: option(
        OptionKind::Number { least: 1, unit: "columns" },
        None,
        "Rejoin URLs that a terminal of this width wrapped (requires join=likely)",
    ) => |builder, number, _| builder.width(number);

    delimited_rows: flag("Treat each line as a row of cells, separated by commas or semicolons")
        => |builder, number, _| builder.delimited_rows(number != 0);

    max_len: option(
        OptionKind::Number { least: LEAST, unit: "bytes" },
        Some("65536"),
        "Skip URLs that are longer than this in the text",
    ) => |builder, number, _| builder.max_len(number);

    iri: one_of::<Iri>(
        "words",
        "Allow non-ASCII characters in bare URLs: letters of scripts that put spaces between words, all, or none",
    ) => |builder, number, _| builder.iri(Named::at(number));

    schemeless: option(
        OptionKind::AnyOf(Schemeless::NAMES),
        Some(""),
        "Also match without a scheme: hosts that start with www. or ftp., email addresses, IPv4 addresses, domain names that do not look like file names, or all domain names",
    ).needing(&[("domains", "domains"), ("all-domains", "domains")])
        => |builder, bits, _| {
            let kinds = Schemeless::VALUES.iter().enumerate().filter(|(place, _)| bits >> place & 1 != 0);
            builder.without_schemeless().schemeless(kinds.map(|(_, kind)| *kind))
        };

    refang: flag("Match defanged URLs such as hxxp://h[.]org/, and restore them")
        => |builder, number, _| builder.refang(number != 0);

    unwrap: flag("Replace rewritten links and redirects with the URLs inside them; the link is the first alternative")
        .needing(&[("unwrap", "unwrap")])
        => |builder, _number, _| {
            #[cfg(feature = "unwrap")]
            let builder = builder.unwrap(_number != 0);
            builder
        };

    nested: flag("Also match the URLs within a match: as written, percent-encoded or in base64")
        .needing(&[("nested", "unwrap")])
        => |builder, _number, _| {
            #[cfg(feature = "unwrap")]
            let builder = builder.nested(_number != 0);
            builder
        };

    line_numbers: flag("Count lines, so that matches have a line and a column")
        => |builder, number, _| builder.line_numbers(number != 0);

    explain: flag("Record why each match ends where it does")
        => |builder, number, _| builder.explain(number != 0);
}

/// Names of earlier versions, and their current names.
const RENAMED: [(&str, &str); 7] = [
    ("scheme", "schemes"),
    ("known", "scheme_add"),
    ("cells", "delimited_rows"),
    ("hosts", "schemeless"),
    ("domains", "schemeless"),
    ("addresses", "schemeless"),
    ("ips", "schemeless"),
];

const fn option(kind: OptionKind, default: Option<&'static str>, doc: &'static str) -> SearchOption {
    SearchOption { name: "", doc, kind, default, needs: &[] }
}

const fn one_of<T: Named>(default: &'static str, doc: &'static str) -> SearchOption {
    option(OptionKind::OneOf(T::NAMES), Some(default), doc)
}

const fn flag(doc: &'static str) -> SearchOption {
    option(OptionKind::Flag, Some("false"), doc)
}

impl SearchOption {
    const fn needing(self, needs: &'static [(&'static str, &'static str)]) -> SearchOption {
        SearchOption { needs, ..self }
    }
}

fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter(move |_| !list.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Finder;

    /// All of a builder. A value that changes nothing of it has no effect.
    fn shown(builder: &FinderBuilder) -> String {
        format!("{builder:?}")
    }

    #[test]
    fn a_default_changes_nothing_and_another_value_does() {
        let builder = Finder::builder();
        for option in options().iter().filter(|option| option.needs.iter().all(|(_, feature)| has(feature))) {
            let set = |text: &str| shown(&builder.clone().set(option.name, text).unwrap());
            if let Some(default) = option.default {
                assert_eq!(set(default), shown(&builder), "{option}");
            }
            let values = match option.kind {
                OptionKind::Flag => vec!["false", "true"],
                OptionKind::OneOf(names) => names.to_vec(),
                OptionKind::AnyOf(_) => vec!["", "hosts", "emails", "ips", "hosts,ips"],
                OptionKind::Number { .. } => vec!["65536", "80", "81"],
                OptionKind::Schemes => vec!["", "http", "ftp,news"],
            };
            let mut all: Vec<_> = values.iter().map(|value| set(value)).collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), values.len(), "{option}: two values are the same");
        }
    }

    #[test]
    fn an_option_that_is_set_again_has_the_last_value() {
        for (name, first, last) in [
            ("schemes", "http", "ftp"),
            ("scheme_add", "x,y", "z"),
            ("schemeless", "hosts", "ips"),
            ("join", "none", "likely"),
        ] {
            let once = Finder::builder().set(name, last).unwrap();
            let twice = Finder::builder().set(name, first).unwrap().set(name, last).unwrap();
            assert_eq!(shown(&twice), shown(&once), "{name}");
        }
    }

    #[test]
    fn what_cannot_be_set_says_why() {
        for (name, text, why) in [
            ("refang", "yes", r#"option "refang": expected "true" or "false", found "yes""#),
            ("join", "all", r#"option "join": expected one of "none", "delimited", "likely", found "all""#),
            ("width", "0", r#"option "width": expected a number of at least 1 (columns), found "0""#),
            ("max_len", "-16", r#"option "max_len": expected a number of at least 16 (bytes), found "-16""#),
            ("max_len", "", r#"option "max_len": expected a number of at least 16 (bytes), found """#),
        ] {
            assert_eq!(Finder::builder().set(name, text).unwrap_err().to_string(), why);
        }
        let error = Finder::builder().set("jion", "none").unwrap_err().to_string();
        assert!(error.starts_with(r#"unknown option "jion"; expected one of join, hyphen, "#), "{error}");
        // A limit that no machine has.
        assert!(Finder::builder().set("max_len", "99999999999999999999999").is_ok());
        // `build` checks whether the names are valid.
        let error = Finder::builder().set("schemes", "http,,ftp").unwrap().build().unwrap_err();
        assert!(error.to_string().ends_with("found \"\""), "{error}");
    }

    #[test]
    fn what_needs_a_feature_says_so() {
        for (name, text, feature) in [
            ("unwrap", "true", "unwrap"),
            ("schemeless", "all-domains", "domains"),
            ("dialect", "draft", "draft"),
            ("grade", "draft1994", "draft"),
        ] {
            let refused = Finder::builder().set(name, text).err().map(|error| error.to_string());
            let why = format!(
                "option {name:?}: {text:?} needs the feature {feature:?}, which the library was compiled without"
            );
            assert_eq!(refused, (!has(feature)).then_some(why));
        }
        assert!(Finder::builder().set("grade", "rfc1738").is_ok());
    }

    #[test]
    fn a_name_is_that_of_its_value() {
        fn check<T: Named + PartialEq + FromStr + fmt::Display + fmt::Debug>() {
            for (value, name) in T::VALUES.iter().zip(T::NAMES) {
                assert_eq!((value.to_string(), name.parse().ok()), ((*name).to_owned(), Some(*value)));
            }
        }
        check::<Join>();
        check::<Hyphen>();
        check::<Grade>();
        check::<Dialect>();
        check::<Iri>();
        let error = "draft1995".parse::<Dialect>().unwrap_err().to_string();
        assert_eq!(error, r#"option "dialect": expected one of "rfc1738", "draft", found "draft1995""#);
    }
}

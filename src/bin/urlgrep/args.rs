//! The command line: every option is explained here and nowhere else.

pub mod after;
mod files;
mod other;
mod output;
mod reading;
mod select;
#[cfg(test)]
mod tests;

use std::ffi::OsString;

use clap::{Parser, ValueEnum};
pub use files::{FileArgs, Sort};
pub use other::{Generated, OtherArgs};
pub use output::{OutputArgs, When};
pub use reading::Reading;
pub use select::SelectArgs;
use urlgrep::archive::Format;
use urlgrep::{BuildError, Finder};

use crate::printer::Template;

/// Find URLs in mail, news and other free text
///
/// urlgrep prints the URLs that a careful reader of the text would find, one a line. It goes by the
/// Appendix of RFC 1738, "Recommendations for URLs in Context": a URL may stand between "<URL:" and
/// ">" or between "<" and ">", broken into several lines if need be; elsewhere it is read from the
/// scheme on, and the punctuation of the sentence around it is left out.
#[derive(Debug, Parser)]
#[command(version, args_override_self = true, after_long_help = after::help())]
pub struct Args {
    /// Files and directories to search; "-" is standard input
    ///
    /// Directories are searched with everything below them, in the order of the names. Symbolic
    /// links are followed if they are named here and not below a directory. Without a PATH,
    /// standard input is searched, or the current directory if standard input is a terminal.
    ///
    /// There is no pattern before the paths, as grep has it: --match chooses among the URLs.
    #[arg(value_name = "PATH")]
    pub paths: Vec<OsString>,

    /// Search hidden files and directories too
    ///
    /// Those whose name begins with a dot are left out below a directory, unless this is given. What
    /// is named on the command line is searched in any case.
    #[arg(long, help_heading = "Files")]
    pub hidden: bool,

    #[command(flatten)]
    pub files: FileArgs,

    /// What the input is
    ///
    /// In mail and news, header fields are read but those that only trace or identify, and bodies
    /// are decoded: quoted-printable, base64, charsets, format=flowed, HTML.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Input")]
    pub input: Input,

    /// Search parts of mail that are not text, too: images, programs and the like
    #[arg(long, help_heading = "Input")]
    pub attachments: bool,

    /// Leave out the header fields of mail
    #[arg(long, help_heading = "Input")]
    pub no_headers: bool,

    /// Take out the dots that NNTP and SMTP put before lines that begin with one
    ///
    /// This is for articles that were saved as they came from a server.
    #[arg(long, help_heading = "Input")]
    pub dot_stuffing: bool,

    /// Which URLs are put together from several lines
    ///
    /// RFC 1738: "In some cases, extra whitespace (spaces, linebreaks, tabs, etc.) may need to be
    /// added to break long URLs across lines. The whitespace should be ignored when extracting the
    /// URL."
    #[arg(long, value_name = "WHICH", value_enum, default_value_t, help_heading = "What is found")]
    pub join: Join,

    /// What becomes of a hyphen before a line break
    ///
    /// RFC 1738: "Because some typesetters and printers may (erroneously) introduce a hyphen at the
    /// end of line when breaking a line, the interpreter of a URL containing a line break immediately
    /// after a hyphen should ignore all unencoded whitespace around the line break, and should be
    /// aware that the hyphen may or may not actually be part of the URL." If only one of the readings
    /// is well formed it is taken, whatever is chosen here.
    ///
    /// With "evidence" the reading is taken that is also found in one piece somewhere in the input, if
    /// no other is. Scheme and host may be in any letter case there, and what follows a "#" need not be
    /// the same. For this all files are read twice, and hashes of their URLs are kept, in at most 60
    /// MB; if there are more than 3.6 million of them, only every other one counts, or fewer, and
    /// standard error says so. If there is standard input or another pipe among the inputs, all are
    /// read once, by one thread, and only what stands before a URL is evidence. What that does not
    /// decide is as with "keep". --json has a key more, "hyphen", behind all but "context", and --csv
    /// a column: "evidence" if that decided, "rule" if it did not, null if no hyphen was in doubt.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t, help_heading = "What is found")]
    pub hyphen: Hyphen,

    /// The lowest grade that is accepted
    #[arg(long, value_name = "GRADE", value_enum, default_value_t, help_heading = "What is found")]
    pub grade: Grade,

    /// Only URLs of these schemes, separated by commas
    ///
    /// Upper and lower case are the same: "programs interpreting URLs should treat upper case letters
    /// as equivalent to lower case in scheme names (e.g., allow "HTTP" as well as "http")". A scheme
    /// that is not known otherwise is known by being named here.
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "What is found")]
    pub scheme: Vec<String>,

    /// How long a URL may be in the text
    ///
    /// The length counts what delimits the URL and the whitespace in it. What is longer is no URL,
    /// and the search goes on behind it.
    #[arg(long, value_name = "BYTES", default_value_t = 65_536, help_heading = "What is found")]
    pub max_len: usize,

    /// Let bare URLs have characters beyond ASCII
    ///
    /// They end where Unicode Technical Standard #58 says. Without this they end before the first
    /// byte that is not ASCII; between delimiters URLs may have them in any case.
    #[arg(long, help_heading = "What is found")]
    pub iri: bool,

    /// Find host names without a scheme, too: www.… and ftp.…
    ///
    /// They are printed as they stand.
    #[arg(long, help_heading = "What is found")]
    pub hosts: bool,

    /// Find mail addresses without a scheme, too
    #[arg(long, help_heading = "What is found")]
    pub addresses: bool,

    #[command(flatten)]
    pub select: SelectArgs,

    /// Print each URL once, where it is first seen
    ///
    /// URLs are the same if they are spelled the same, or would be under --normalize if that is given.
    /// All of them are kept in memory, for the whole run. --max-count goes for those that are left.
    /// With --count, each URL is printed at the end with how often it was found before it, in the order
    /// in which they were first seen: "urlgrep -uc mail | sort -rn" has the most frequent first.
    #[arg(short, long, help_heading = "What is found")]
    pub unique: bool,

    /// Stop after NUM finds in a file
    #[arg(short, long, value_name = "NUM", help_heading = "What is found")]
    pub max_count: Option<u64>,

    /// Print the line on which a find begins
    #[arg(short = 'n', long, help_heading = "Output")]
    pub line_number: bool,

    /// Print line and column where a find begins
    ///
    /// The column is counted in bytes, from 1. A find begins with what delimits it: the "<" of
    /// "<URL:http://h.org/>".
    #[arg(long, help_heading = "Output")]
    pub column: bool,

    /// Print how many bytes stand before a find
    ///
    /// Behind line and column, if these are printed too. A find begins with what delimits it.
    #[arg(short, long, help_heading = "Output")]
    pub byte_offset: bool,

    /// Print the path before each URL
    ///
    /// This is the default if there may be more than one file to search.
    #[arg(short = 'H', long, overrides_with = "no_filename", help_heading = "Output")]
    pub with_filename: bool,

    /// Never print the path before a URL
    #[arg(short = 'I', long, overrides_with = "with_filename", help_heading = "Output")]
    pub no_filename: bool,

    /// Print how many URLs each file has, instead of them
    ///
    /// Files that have none are printed with 0. With --unique, how often each URL was found. With this,
    /// --json, --csv and --format count for nothing.
    #[arg(short, long, help_heading = "Output")]
    pub count: bool,

    /// Print the paths of the files that have URLs, instead of them
    ///
    /// A member of a zip archive is printed as a.zip!/b. With this, --count, --json, --csv and --format
    /// count for nothing.
    #[arg(short = 'l', long, help_heading = "Output")]
    pub files_with_matches: bool,

    /// Print nothing and stop at the first find
    ///
    /// The exit status is then 0, even if there was an error before.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// Accepted because grep has it: nothing but the URL is ever printed
    #[arg(short, long, help_heading = "Output")]
    pub only_matching: bool,

    /// Print each find as a JSON object on a line of its own
    ///
    /// The keys, in this order: path, line, column, start and end (byte offsets of the find with what
    /// delimits it), segments (the ranges of the text whose concatenation is the URL), url, scheme,
    /// form, grade, reason (why the grade is no better: production, offset, message), join,
    /// alternatives, warnings, message (null outside of mail and news, or else index, id, from, date,
    /// subject, newsgroups, part, content_type, header, quote_depth). With --hyphen evidence there is
    /// one more, hyphen, and with --context another, context. What is not UTF-8 in path, url,
    /// alternatives and context is an object {"bytes": BASE64}.
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Check URLs instead of searching for them
    ///
    /// Each argument is one URL; without arguments each line of standard input is: "urlgrep --check
    /// <FILE" checks those of a file. What is printed is the URL, then, if RFC 1738 does not accept it,
    /// where and why, and then its grade, its parts by name, and what section 6 of RFC 1738 warns of.
    /// By RFC 1738 the "/" behind the host is no part of a path; by RFC 3986, and so in URLs of that
    /// grade, it is. The exit status is 1 unless all of them have the grade of --grade. Options that
    /// would change nothing are accepted, those that ask for something else are not.
    #[arg(
        long,
        help_heading = "Checking",
        conflicts_with_all = [
            "hidden", "glob", "kinds", "kinds_not", "type_list", "ignore", "follow", "max_depth", "files_from", "sort",
            "files", "input", "attachments", "no_headers", "dot_stuffing", "join", "hyphen", "scheme", "max_len",
            "iri", "hosts", "addresses", "SelectArgs", "unique", "max_count", "line_number", "column",
            "byte_offset", "with_filename", "count", "files_with_matches", "only_matching", "format", "csv",
            "alternatives", "context", "explain", "normalize", "stats", "report", "redact", "null",
        ]
    )]
    pub check: bool,

    #[command(flatten)]
    pub other: OtherArgs,
}

/// What the input is.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Input {
    /// Whatever it looks like by its first lines
    #[default]
    Auto,
    /// Plain text, in any encoding that writes ASCII as ASCII
    Text,
    /// One message or news article
    Mail,
    /// Messages behind "From " lines
    Mbox,
    /// News articles behind "#! rnews" lines
    Rnews,
    /// A page of HTML
    Html,
}

impl Input {
    /// The format, unless that is to be seen from the input.
    pub fn format(self) -> Option<Format> {
        match self {
            Input::Auto => None,
            Input::Text => Some(Format::Text),
            Input::Mail => Some(Format::Mail),
            Input::Mbox => Some(Format::Mbox),
            Input::Rnews => Some(Format::Rnews),
            Input::Html => Some(Format::Html),
        }
    }
}

/// Which URLs are put together from several lines.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Join {
    /// None: a URL ends where its line does
    None,
    /// Those that "<" and ">" or quotation marks delimit
    #[default]
    Delimited,
    /// Others too, where the width of the lines and the next line speak for it
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

/// What becomes of a hyphen before a line break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Hyphen {
    /// It is part of the URL
    #[default]
    Keep,
    /// It was put in by whoever broke the line
    Drop,
    /// Each reading is printed
    Both,
    /// The reading that occurs elsewhere is taken, or else it is part of the URL
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

/// How well formed a URL is.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Grade {
    /// RFC 1738 accepts it as written, what follows a "#" aside
    Rfc1738,
    /// The generic syntax of RFC 3986 accepts it: http://h.org/~me/
    Rfc3986,
    /// Neither does, but it is plausible: http://h.org/{x}
    #[default]
    Lenient,
}

impl From<Grade> for urlgrep::Grade {
    fn from(grade: Grade) -> Self {
        match grade {
            Grade::Rfc1738 => urlgrep::Grade::Rfc1738,
            Grade::Rfc3986 => urlgrep::Grade::Rfc3986,
            Grade::Lenient => urlgrep::Grade::Lenient,
        }
    }
}

impl Args {
    /// Whether lines have to be counted, which costs a pass over the text.
    pub fn has_places(&self) -> bool {
        let by_template = self.output.format.as_ref().is_some_and(Template::has_place);
        self.line_number
            || self.column
            || self.json
            || self.output.csv
            || self.output.report.is_some()
            || by_template
    }

    /// Whether it is a matter of evidence how hyphens are read.
    pub fn weighs_evidence(&self) -> bool {
        self.hyphen == Hyphen::Evidence
    }

    /// Whether messages have to be numbered.
    pub fn has_indices(&self) -> bool {
        let by_template = self.output.format.as_ref().is_some_and(Template::has_index);
        self.json || self.output.csv || by_template
    }

    /// Whether the finds behind an empty line of a text have nothing to do with
    /// what stands before it.
    pub fn is_divisible(&self) -> bool {
        matches!(self.join, Join::None | Join::Delimited) && self.output.lines_around().is_none()
    }

    /// How inputs are read.
    pub fn reading(&self) -> Reading {
        Reading {
            format: self.input.format(),
            attachments: self.attachments,
            headers: !self.no_headers,
            dot_stuffing: self.dot_stuffing,
            line_numbers: self.has_places(),
        }
    }

    /// The finder that is asked for.
    pub fn finder(&self) -> Result<Finder, BuildError> {
        Finder::builder()
            .join(self.join.into())
            .hyphen(self.hyphen.into())
            .min_grade(self.grade.into())
            // "http, https" is no list of other schemes than "http,https".
            .scheme_filter(self.scheme.iter().map(|name| name.trim_ascii()))
            .max_len(self.max_len)
            .iri(self.iri)
            .hosts(self.hosts)
            .addresses(self.addresses)
            .line_numbers(self.has_places())
            .build()
    }
}

//! The command line: its definition, and the options that it builds for the rooms.
//!
//! Help, manual page and completions are generated from this definition.

mod build;
mod config;
mod files;
mod generate;
mod grep_hints;
mod manual;
mod other;
mod output;
mod sections;
mod select;
#[cfg(test)]
mod tests;
mod usage;
mod values;

use std::ffi::OsString;

use clap::Parser;

pub use config::arguments;
pub use files::FileArgs;
pub use generate::print as print_generated;
pub use other::{Generated, OtherArgs};
pub use output::OutputArgs;
pub use select::SelectArgs;
pub use usage::exit;
use values::{Dialect, Domains, Grade, Hyphen, InputFormat, Iri, Join};

/// Find URLs in mail, news and other free text
///
/// urlgrep prints the URLs that a careful reader of the text would find, one on each line. It follows
/// the Appendix of RFC 1738, "Recommendations for URLs in Context": between "<URL:" and ">" or between
/// "<" and ">", a URL may be broken across lines; elsewhere it starts at its scheme, and the
/// punctuation of the sentence around it is left out.
#[derive(Debug, Parser)]
#[command(name = "urlgrep", version, args_override_self = true, after_long_help = sections::help())]
pub struct Args {
    /// Files and directories to search; "-" is standard input
    ///
    /// Directories are searched recursively, in the order of the names. Symbolic links are followed
    /// if they are named here, but not below a directory. Without a PATH, standard input is searched,
    /// or the current directory if standard input is a terminal.
    ///
    /// Unlike grep, urlgrep takes no pattern before the paths: --match selects URLs.
    #[arg(value_name = "PATH")]
    pub paths: Vec<OsString>,

    /// Search hidden files and directories
    ///
    /// By default, files and directories below a directory are skipped if their name starts with a
    /// dot. Those that are named on the command line are always searched, and so are the folders of a
    /// Maildir, such as Maildir/.Sent.
    #[arg(long, help_heading = "Files")]
    pub hidden: bool,

    #[command(flatten)]
    pub files: FileArgs,

    /// The format of the input
    ///
    /// In mail and news, the header fields are searched except those that only trace or identify a
    /// message, and bodies are decoded: quoted-printable, base64, charsets, format=flowed, HTML. In web
    /// archives, bodies and the HTTP fields Link and Location are searched.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Input")]
    pub input: InputFormat,

    /// Also search parts of mail that are not text, such as images and programs
    #[arg(long, help_heading = "Input")]
    pub attachments: bool,

    /// Do not search the header fields of mail
    #[arg(long, help_heading = "Input")]
    pub no_headers: bool,

    /// Remove the dot that NNTP and SMTP insert before a line that starts with a dot
    ///
    /// This is for articles that were saved as the server sent them.
    #[arg(long, help_heading = "Input")]
    pub dot_stuffing: bool,

    /// Resolve relative links in HTML against URL
    ///
    /// It applies to pages that have no "<base>" of their own, and no address in a web archive. Without
    /// either, relative links are left out. The offsets are those of the link as it is written.
    #[arg(long, value_name = "URL", value_parser = values::base_url, help_heading = "Input")]
    pub base: Option<String>,

    /// Which URLs are joined across line breaks
    ///
    /// RFC 1738: "In some cases, extra whitespace (spaces, linebreaks, tabs, etc.) may need to be
    /// added to break long URLs across lines. The whitespace should be ignored when extracting the
    /// URL."
    ///
    /// With "likely", a bare URL that a line end cuts is joined by evidence: it ends in a mark that
    /// something follows (rule S) or in a dot before the rest of a name (D), its line is as long as
    /// the full lines of the text (W), or the joined URL occurs unbroken elsewhere in the input (E).
    /// --explain names the rule. For rule E all files are read twice, as with --hyphen evidence.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t, help_heading = "Matches")]
    pub join: Join,

    /// How a hyphen before a line break is read
    ///
    /// RFC 1738: "Because some typesetters and printers may (erroneously) introduce a hyphen at the
    /// end of line when breaking a line, the interpreter of a URL containing a line break immediately
    /// after a hyphen should ignore all unencoded whitespace around the line break, and should be
    /// aware that the hyphen may or may not actually be part of the URL." If only one of the readings
    /// is well formed, it is chosen in any case.
    ///
    /// With "evidence", the reading is chosen that occurs unbroken elsewhere in the input, if only one
    /// does. Scheme and host may differ in letter case, and fragments may differ. All files are read
    /// twice, and hashes of their URLs are kept, in at most 60 MB. If there are more than 3.6 million
    /// URLs, only every other one is used, or fewer, and a warning is printed. If an input is a pipe,
    /// all inputs are read once, by one thread, and only earlier URLs are evidence. Without evidence,
    /// the hyphen is kept. --json has another key, "hyphen", after all but "context", and --csv another
    /// column: "evidence" if evidence decided, "rule" if not, and null if there was no doubt.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t, help_heading = "Matches")]
    pub hyphen: Hyphen,

    /// The lowest grade that is accepted
    #[arg(long, value_name = "GRADE", value_enum, default_value_t, help_heading = "Matches")]
    pub grade: Grade,

    /// The grammar by which URLs are graded
    ///
    /// "draft" is a draft of RFC 1738 of the year 1994, whose best grade is draft1994: hosts may have
    /// "_", paths have no slash at their start, "=" and "~" are not valid, nor are URLs such as
    /// https://h.org/, and a fragment has to be valid, too. The dialect decides the grades and their
    /// reasons; the matches are the same. As --grade, rfc1738 stands for the best grade of either.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t, help_heading = "Matches")]
    pub dialect: Dialect,

    /// Print only URLs of these schemes, separated by commas
    ///
    /// Letter case is ignored: "programs interpreting URLs should treat upper case letters as
    /// equivalent to lower case in scheme names (e.g., allow "HTTP" as well as "http")" (RFC 1738).
    /// The list only filters: it makes no scheme known.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::scheme, help_heading = "Matches")]
    pub scheme: Vec<String>,

    /// The maximum length of a URL in the text
    ///
    /// Delimiters and whitespace within the URL count. A longer URL does not match, and the search
    /// continues after it. With --check, a longer line is an error, and the next one is checked.
    #[arg(
        long,
        value_name = "BYTES",
        value_parser = values::max_len,
        allow_negative_numbers = true,
        default_value = "65536",
        help_heading = "Matches"
    )]
    pub max_len: usize,

    /// Which characters beyond ASCII a bare URL may have
    ///
    /// The text must be UTF-8, or mail whose charset is known. By RFC 1738 such a URL is not valid, so
    /// its grade is "lenient"; with --json, "ascii" is the same URL in ASCII. Between delimiters, all
    /// characters are always allowed.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t, help_heading = "Matches")]
    pub iri: Iri,

    /// Also find host names without a scheme: www.… and ftp.…
    ///
    /// They are printed as written. A host ends at a ":" that no digit follows.
    #[arg(long, help_heading = "Matches")]
    pub hosts: bool,

    /// Also find domain names without a scheme: any name under a public suffix
    ///
    /// The name must be a word of its own. README.md, rec.autos and the like are found only if a path
    /// follows, or with --domains=all. The names are printed as written, with what follows them.
    #[arg(
        long,
        value_name = "WHICH",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "names",
        help_heading = "Matches"
    )]
    pub domains: Option<Domains>,

    /// Also find mail addresses without a scheme
    ///
    /// Identifiers of messages are not found: those in the header fields Message-ID, References and
    /// In-Reply-To, and those with "$".
    #[arg(long, help_heading = "Matches")]
    pub addresses: bool,

    /// Also find URLs written so that no program opens them: hxxp://h[.]org, h(dot)org
    ///
    /// Reports about attacks write them so. They are printed spelled out, and their form (--json, --format
    /// '{form} {url}') is "defanged". Offsets are those of the text as it is written. Spelled out are "x" for "t" in
    /// http, https and ftp; [.] (.) {.} [dot] (dot) {dot}; [:] [://] [/]; [@] [at] (at); in a host or mail
    /// address also with a blank on both sides: "joe [at] h [dot] org". Without a scheme, a host or mail address is found if
    /// it is under a public suffix or is an IPv4 address.
    // To rustdoc the brackets would be links.
    #[allow(rustdoc::broken_intra_doc_links)]
    #[arg(long, help_heading = "Matches")]
    pub refang: bool,

    /// Replace links of mail filters and sites by the URLs within them, offline
    ///
    /// Safelinks, URL Defense (v1 to v3), Barracuda, Cisco, Symantec, Trend Micro, FireEye, Sophos, Avanan,
    /// Check Point; redirects of Google, Bing, DuckDuckGo, Yahoo, Facebook, Instagram, LinkedIn, Reddit, Slack,
    /// Steam, Tumblr, VK, YouTube and others. Nothing else is found: the offsets are those of the link, which
    /// is the first of the other readings (--alternatives). --json and --csv have one more key, "unwrapped",
    /// after all but "context": the names of what was replaced, the outermost first. --match, --host,
    /// --scheme, --grade and --unique are about the URL within. A link that holds a key instead of a URL, as
    /// those of Mimecast and of URL shorteners, stays as it is.
    #[arg(long, help_heading = "Matches")]
    pub unwrap: bool,

    #[command(flatten)]
    pub select: SelectArgs,

    /// Print each URL once, at its first match
    ///
    /// URLs are the same if they are equal byte for byte, or with --normalize, if their normalized
    /// forms are equal. A hash of each is kept until the end, in 20 to 40 bytes, or with --count the URL
    /// itself. --max-count counts only the URLs that are printed. With --count, each URL is printed at the end after the number of its matches,
    /// in the order of their first match: "urlgrep -uc mail | sort -rn" prints the most frequent first.
    #[arg(short, long, help_heading = "Matches")]
    pub unique: bool,

    /// Stop after NUM matches in a file
    #[arg(
        short,
        long,
        value_name = "NUM",
        value_parser = values::number_of_matches,
        allow_negative_numbers = true,
        help_heading = "Matches"
    )]
    pub max_count: Option<u64>,

    /// Print the line number of each match
    #[arg(short = 'n', long, help_heading = "Output")]
    pub line_number: bool,

    /// Print the line and column of each match
    ///
    /// Columns are counted in bytes, from 1. A match starts at its delimiter: the "<" of
    /// "<URL:http://h.org/>".
    #[arg(long, help_heading = "Output")]
    pub column: bool,

    /// Print the byte offset of each match
    ///
    /// It is counted from 0, and printed after line and column. A match starts at its delimiter.
    #[arg(short, long, help_heading = "Output")]
    pub byte_offset: bool,

    /// Print the path before each URL
    ///
    /// This is the default if more than one file may be searched.
    #[arg(short = 'H', long, overrides_with = "no_filename", help_heading = "Output")]
    pub with_filename: bool,

    /// Do not print the path before each URL
    #[arg(short = 'I', long, overrides_with = "with_filename", help_heading = "Output")]
    pub no_filename: bool,

    /// Print only the number of matches in each file
    ///
    /// Files without matches are printed with 0. A member of an archive is a file, a.zip!/b.mbox, and is
    /// always named. With --unique, the number of matches of each URL is
    /// printed. With --json, each is an object: {"path":"a","count":2} or {"url":…,"count":2}.
    /// --csv and --format have no effect then.
    #[arg(short, long, help_heading = "Output")]
    pub count: bool,

    /// Print only the paths of files with matches
    ///
    /// A member of an archive is printed as a.zip!/b. --count, --json, --csv and --format have no
    /// effect then.
    #[arg(short = 'l', long, help_heading = "Output")]
    pub files_with_matches: bool,

    /// Print nothing, and exit at the first match
    ///
    /// The exit status is then 0, even after an error. With --report, nothing is printed, but all is
    /// searched.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,

    /// Accepted for compatibility with grep: only the URLs are ever printed
    #[arg(short, long, help_heading = "Output")]
    pub only_matching: bool,

    /// Print each match as a JSON object on its own line
    ///
    /// The keys, in this order: path, line, column, start and end (byte offsets of the match with its
    /// delimiters), segments (the ranges of the text whose concatenation is the URL), url, scheme,
    /// host, port (the one that applies), ascii (null, or the URL in ASCII if it has other characters),
    /// form, grade, reason (why the grade is not better: production, offset, message), join,
    /// alternatives, warnings, message (null outside of mail and news; otherwise index, id, from, date,
    /// subject, newsgroups, part, content_type, header, quote_depth). --hyphen evidence adds hyphen,
    /// and --context adds context. Values of path, url, alternatives and context that are not valid
    /// UTF-8 are objects {"bytes": BASE64}.
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Check URLs instead of searching for them
    ///
    /// Each argument is a URL; without arguments, each line of standard input is: "urlgrep --check
    /// <FILE". The output is the URL, where and why it is not valid by RFC 1738 (or --dialect) if it is not, its
    /// grade, its parts, and the warnings of section 6 of RFC 1738. The grade "none" (in --json, null) is
    /// that of a text that is not a URL; a match always has another. By RFC 1738 the "/" after the host
    /// is not part of the path; by RFC 3986, and so in URLs of that grade, it is. The exit status is 1
    /// if a URL does not have the grade of --grade. Options that would have no effect are accepted,
    /// options that contradict --check are not.
    #[arg(
        long,
        help_heading = "Checking",
        conflicts_with_all = [
            "hidden", "glob", "iglob", "type_add", "max_filesize", "pre", "pre_glob", "heading", "no_heading", "vimgrep",
            "after_context", "before_context", "types", "types_not", "type_list", "ignore", "follow", "max_depth", "files_from", "sort", "memory",
            "files", "input", "attachments", "no_headers", "dot_stuffing", "base", "join", "hyphen", "scheme",
            "iri", "hosts", "domains", "addresses", "refang", "unwrap", "SelectArgs", "unique", "max_count", "line_number", "column",
            "byte_offset", "with_filename", "count", "files_with_matches", "only_matching", "format", "csv",
            "alternatives", "context", "explain", "normalize", "menu", "stats", "report", "redact", "null",
        ]
    )]
    pub check: bool,

    #[command(flatten)]
    pub other: OtherArgs,
}

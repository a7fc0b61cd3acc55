//! Defines the command line, and builds the options of the other modules from it.
//!
//! Help, manual page and completions are generated from this definition, in the order of the module
//! `help`. A field of the type `std::option::Option` (in full) always has a value: one of the choices
//! means `None`.

// | module | contains |
// |---|---|
// | `build` | the options of the modules |
// | `generate`, `manual` | the manual page and completions |
// | `help`, `sections` | the order of the help, and its last sections |
// | `usage` | the configuration file, and errors |
// | `values` | the values of options |

mod build;
#[cfg(feature = "generate")]
mod generate;
mod help;
#[cfg(feature = "generate")]
mod manual;
mod sections;
mod usage;
mod values;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use urlgrep::Warning;
use urlgrep_print::columns::Columns;
use urlgrep_print::csv;

#[cfg(feature = "generate")]
pub use generate::print as print_generated;
pub use usage::{arguments, exit, refuse};

use crate::input::Order;
use crate::output::printer::Template;
use crate::search::{Condition, Place, RoleChoice};
use values::{InputChoice, number_of, one_of};

/// Find URLs in mail, news and other free text
///
/// urlgrep prints each URL on its own line. It follows the Appendix of RFC 1738, "Recommendations for URLs in
/// Context": between "<URL:" and ">", "<" and ">", or quotation marks, a URL may be broken across lines.
/// Elsewhere, a URL starts at its scheme and ends before the punctuation of the sentence around it.
#[derive(Debug, Parser)]
// For -h and --help, clap prints only which of them it was. The module `help` builds the text when it
// is needed, because building it takes time.
#[command(
    name = "urlgrep",
    version,
    args_override_self = true,
    help_template = "{after-help}",
    after_help = help::SHORT,
    after_long_help = help::LONG
)]
pub struct Args {
    /// Files and directories to search; "-" is standard input
    ///
    /// urlgrep searches directories recursively, in order of their names. It follows a symbolic link on
    /// the command line, but not below a directory (see --follow). Without a PATH, urlgrep searches
    /// standard input, or the current directory if standard input is a terminal.
    ///
    /// Unlike grep, urlgrep takes no pattern before the paths. To filter URLs with a pattern, use --match.
    #[arg(value_name = "PATH")]
    pub paths: Vec<OsString>,

    /// Search hidden files and directories
    ///
    /// By default, files and directories whose names start with a dot are skipped below a directory.
    /// Paths on the command line and the folders of a Maildir, such as Maildir/.Sent, are always
    /// searched.
    #[arg(long)]
    pub hidden: bool,

    #[command(flatten)]
    pub files: FileArgs,

    /// Read every file in this format
    ///
    /// By default, the first bytes of each file decide its format. A name that ends in .csv or .tsv
    /// selects "csv" if the text looks like rows of cells. docs/formats.md describes the formats.
    ///
    /// With "csv", a separator outside quotation marks ends a URL. The separator is the comma or the semicolon: the
    /// more frequent one in the row.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&values::INPUTS), default_value = "auto")]
    pub input: InputChoice,

    /// Search all attachments, even images and programs
    ///
    /// By default, an attachment is searched if it contains text, HTML, a message, a calendar, an
    /// Office document, a PDF document (only its links), or an archive of these. Its bytes decide this,
    /// not its header. With this option, urlgrep also searches the raw bytes of all other attachments.
    ///
    /// A document or archive that cannot be read completely is reported on standard error.
    #[arg(long, overrides_with = "no_attachments")]
    pub attachments: bool,

    /// Do not search attachments
    ///
    /// The body of an S/MIME message or an Outlook message (winmail.dat) does not count as an attachment.
    #[arg(long, overrides_with = "attachments")]
    pub no_attachments: bool,

    /// Do not search the header fields of messages
    #[arg(long)]
    pub no_headers: bool,

    /// Undo the dot-stuffing of NNTP and SMTP servers
    ///
    /// NNTP and SMTP servers insert a dot before each line that starts with a dot. Use this option for
    /// articles that were saved as the server sent them.
    #[arg(long)]
    pub dot_stuffing: bool,

    /// Rejoin bare URLs broken across lines: --join likely
    ///
    /// By default, only URLs between delimiters are rejoined (RFC 1738, Appendix). "likely" also
    /// rejoins a bare URL if there is evidence that the URL continues. A join can be wrong. --explain
    /// prints the evidence and the letter of its rule; docs/design/joins.md describes the rules.
    ///
    /// A URL that occurs unbroken elsewhere is evidence, so urlgrep reads all files twice.
    #[arg(
        long,
        value_name = "WHICH",
        value_parser = one_of(&values::JOINS),
        default_value = "delimited"
    )]
    pub join: urlgrep::Join,

    /// Rejoin URLs copied from a terminal of NUM columns
    ///
    /// Requires --join likely. A bare URL that fills a line of NUM columns continues with the first
    /// word of the next line, unless the next line starts with a prompt, a date, an option or a label,
    /// or reads as prose. Escape sequences and a border at the end of a line ("|" or "│") do not count
    /// as columns.
    #[arg(long, value_name = "NUM", value_parser = number_of("columns, such as 80"), allow_negative_numbers = true)]
    pub width: Option<usize>,

    /// Keep or remove a hyphen before a line break
    ///
    /// RFC 1738 warns that such a hyphen "may or may not actually be part of the URL". If only one
    /// reading is well formed, urlgrep always uses it.
    ///
    /// With "evidence", urlgrep uses the reading that occurs unbroken elsewhere in the input. It keeps
    /// the hyphen unless exactly one reading occurs. It reads all files twice. If any input is a pipe,
    /// it reads them once, and only earlier URLs are evidence.
    #[arg(long, value_name = "WHAT", value_parser = one_of(&values::HYPHENS), default_value = "keep")]
    pub hyphen: std::option::Option<urlgrep::Hyphen>,

    /// Print only URLs of at least this grade
    ///
    /// From best to worst, the grades are rfc1738, rfc3986 and lenient. With --dialect draft, draft1994 is the
    /// best. With --check, the default is rfc3986.
    #[arg(
        long,
        value_name = "GRADE",
        value_parser = one_of(&values::GRADES),
        default_value = "lenient",
        default_value_if("check", "true", "rfc3986")
    )]
    pub grade: urlgrep::Grade,

    /// Grade URLs by this grammar
    ///
    /// "draft" is a draft of RFC 1738 from 1994. Its best grade is draft1994. It allows "_" in hosts,
    /// but not "=", "~", a slash at the start of a path, an invalid fragment, or URLs such as
    /// https://h.org/.
    ///
    /// The dialect changes the grades and their reasons, but not the matches. With it, --grade rfc1738 selects the
    /// grade draft1994.
    #[arg(long, value_name = "WHICH", value_parser = one_of(&values::DIALECTS), default_value = "rfc1738")]
    pub dialect: urlgrep::Dialect,

    /// Print only URLs with these schemes (comma-separated)
    ///
    /// Letter case is ignored (RFC 1738, section 2.1). The list only filters matches. A
    /// scheme that urlgrep does not know matches only with "//", or with --scheme-add.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::scheme)]
    pub scheme: Vec<String>,

    /// Also find URLs with these schemes without "//": spotify:track:4uLU6h
    ///
    /// LIST is comma-separated. At least one character must follow the colon. URLs of other unknown schemes
    /// match only if "//" follows the colon.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::known_scheme)]
    pub scheme_add: Vec<String>,

    /// Set the maximum length of a URL in the text
    ///
    /// The minimum is 16. Delimiters and whitespace inside the URL count. A longer URL does not match,
    /// and the search continues after it. With --check, a longer line is an error; urlgrep still checks
    /// the lines after it.
    #[arg(
        long,
        value_name = "BYTES",
        value_parser = values::max_len,
        allow_negative_numbers = true,
        default_value = "65536"
    )]
    pub max_len: usize,

    /// Allow non-ASCII characters in bare URLs
    ///
    /// The text must be UTF-8, or mail in a known charset. Such a URL does not conform to RFC 1738, so its grade is
    /// "lenient". The key "ascii" (--json) contains the equivalent URL in ASCII. Between delimiters, all characters
    /// are allowed.
    #[arg(long, value_name = "WHICH", value_parser = one_of(&values::IRIS), default_value = "words")]
    pub iri: urlgrep::Iri,

    /// Also find URLs without a scheme, such as www.h.org
    ///
    /// WHICH is comma-separated. Matches are printed as written, including a port and a path. The
    /// column "href" (--columns) contains the URL with its scheme.
    #[arg(
        long,
        value_name = "WHICH",
        value_delimiter = ',',
        value_parser = one_of(&values::SCHEMELESS)
    )]
    pub schemeless: Vec<urlgrep::Schemeless>,

    /// Also find defanged URLs, such as hxxp://h[.]org
    ///
    /// Reports about attacks write URLs in this way to prevent accidental clicks. urlgrep prints them
    /// restored, as http://h.org. It restores "x" for "t" in http, https and ftp; [.] (.) {.} [dot]
    /// (dot) {dot}; [:] [://] [/]; [@] [at] (at). In a host or email address, spaces may surround them:
    /// "joe [at] h [dot] org". Without a scheme, an email address or a host matches if it has a public
    /// suffix or is an IPv4 address.
    ///
    /// The form (--json) is "defanged". Offsets refer to the text as written.
    // rustdoc would read the brackets as links.
    #[allow(rustdoc::broken_intra_doc_links)]
    #[arg(long)]
    pub refang: bool,

    /// Replace rewritten links and redirects with the URLs inside them
    ///
    /// This does not use the network. It covers Safe Links, URL Defense, the links of eight other mail
    /// filters, and redirects of Google, Bing, Facebook, LinkedIn, YouTube and others. A link that
    /// contains a key instead of a URL, such as a short URL, does not change.
    ///
    /// Options such as --host and --unique apply to the inner URL. Offsets refer to the original link,
    /// which is the first alternative reading (--alternatives). The key "unwrapped" lists the services,
    /// outermost first.
    #[arg(long)]
    pub unwrap: bool,

    /// Also find URLs inside other URLs, even encoded ones
    ///
    /// They can be in a parameter, in the path (https://web.archive.org/web/2020/http://h.org/) and in
    /// the fragment, as written, percent-encoded or in base64, nested up to three deep. Each is printed
    /// after the URL that contains it, and options that select URLs apply to it.
    ///
    /// The form (--json) is "nested". Offsets refer to the bytes that encode the URL.
    #[allow(rustdoc::bare_urls)]
    #[arg(long)]
    pub nested: bool,

    #[command(flatten)]
    pub select: SelectArgs,

    /// Print only the URL at a position: a byte offset, or LINE:COLUMN
    ///
    /// Offsets count from 0; lines and columns count from 1, and columns are bytes. POSITION may be in the
    /// URL, in its delimiters, or between its pieces. If it is outside all URLs, nothing is printed and the
    /// exit status is 1; --explain prints the reason. Uses one thread.
    #[arg(long, value_name = "POSITION", value_parser = values::place)]
    pub at: Option<Place>,

    /// Print each URL only the first time it occurs
    ///
    /// URLs are compared byte for byte, or in normalized form with --normalize. --max-count counts only
    /// printed URLs. Each URL takes 20 to 40 bytes of memory; with --count, it takes as many bytes as
    /// it is long.
    ///
    /// With --count, urlgrep prints the number of matches and the URL at the end of the search, in the order of the
    /// first matches. --group url prints the most frequent URL first; do not combine it with
    /// --unique, which would make all counts 1.
    #[arg(short, long)]
    pub unique: bool,

    /// Stop after NUM matches in each file
    ///
    /// An archive member counts as a file. With 0, nothing is searched, and the exit status is 1, as in grep.
    #[arg(
        short,
        long,
        value_name = "NUM",
        value_parser = number_of("matches, such as 10"),
        allow_negative_numbers = true
    )]
    pub max_count: Option<usize>,

    /// Print the line number of each match
    #[arg(short = 'n', long)]
    pub line_number: bool,

    /// Print the line and column of each match
    ///
    /// Columns are counted in bytes, from 1. A match starts at its delimiter: the "<" of
    /// "<URL:http://h.org/>".
    #[arg(long)]
    pub column: bool,

    /// Print the byte offset of each match
    ///
    /// Offsets count from 0 and are printed after line and column. A match starts at its delimiter.
    #[arg(short, long)]
    pub byte_offset: bool,

    /// Print the path before each URL
    ///
    /// This is the default if there may be more than one file.
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    pub with_filename: bool,

    /// Do not print the path before each URL
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    pub no_filename: bool,

    /// Print only the number of matches in each file
    ///
    /// A file without matches is printed with 0. If several files are counted, the last line is
    /// "total:NUM". An archive member, such as a.zip!/b.mbox, counts as a file, and its path is printed
    /// unless --no-filename is given. With --unique, urlgrep prints the number of matches for each URL
    /// instead.
    ///
    /// With --json, each line is an object: {"path":"a","count":2} or {"url":…,"count":2}. With
    /// --csv, each line is a row with the columns path (or url) and count.
    #[arg(short, long)]
    pub count: bool,

    /// Print only the paths of files with matches
    ///
    /// An archive member is printed as a.zip!/b. With --json, each line is an object: {"path":"a"}. With
    /// --csv, each line is a row. This option overrides --count.
    #[arg(short = 'l', long)]
    pub files_with_matches: bool,

    /// Print no URLs, and exit at the first match
    ///
    /// The exit status is then 0, even after an error and even with --strict. To fail if anything
    /// was not searched, use --strict >/dev/null instead of --quiet. With --report or --stats,
    /// urlgrep searches everything, and an error makes the status 2.
    #[arg(short, long)]
    pub quiet: bool,

    /// Accepted as in grep: urlgrep always prints only the URLs
    #[arg(short, long)]
    pub only_matching: bool,

    /// Accepted as in grep: directories are always searched
    ///
    /// -R is accepted as well.
    #[arg(short, long, short_alias = 'R')]
    pub recursive: bool,

    /// Print each match as a JSON object on its own line
    ///
    /// The keys, in this order: path, line, column, start, end, pieces, url, scheme, host, port, ascii,
    /// form, text, role, element, grade, reason (production, offset, message), join, alternatives,
    /// warnings, message. docs/output.md describes them.
    ///
    /// In mail, news, web archives, pages of list archives and records, the key "message" contains index, id,
    /// from, date, subject, newsgroups, to, cc, list_id, in_reply_to, part, content_type, header, quote_depth
    /// and filename, and in web archives uri, type and offset. Elsewhere, it is null.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Find text that looks like a URL but is not one
    ///
    /// URLs with an invalid part are listed as well. Each line is: PATH:LINE:COLUMN: TEXT: KIND "PART",
    /// expected ...
    ///
    /// The kinds are scheme (htp://h.org/), separator (http//h.org/), host (http:///a), label
    /// (http://h..org/), punycode (http://xn--é.org/), port (http://h.org:8o80/), escape
    /// (<http://h.org/100%>), space ([a](http://h.org/a b)) and bracket (<http://h.org/ without ">").
    /// Placeholders, such as http://HOST:PORT/, are not listed. Relative links are not checked, and
    /// no server is contacted. docs/invalid.md describes the kinds and the keys of --json.
    #[allow(rustdoc::bare_urls, rustdoc::broken_intra_doc_links)]
    #[arg(long, conflicts_with_all = ["menu", "report", "refang", "nested"])]
    pub invalid: bool,

    /// Parse the arguments as URLs, and print their errors
    ///
    /// Without arguments, each line of standard input is a URL: "urlgrep --check <FILE". The output
    /// contains the URL, its grade, its parts, the warnings about it, and the first violation of
    /// RFC 1738, or of the draft with --dialect draft. Text that is not a URL has the grade "none".
    ///
    /// The exit status is 1 if a URL does not conform to RFC 3986, or its grade is lower than --grade requires.
    #[arg(
        long,
        conflicts_with_all = [
            "hidden", "glob", "type_add", "max_filesize", "pre", "heading", "no_heading", "vimgrep",
            "after_context", "before_context", "types", "types_not", "type_list", "ignore", "follow", "max_depth", "files_from", "sort", "memory",
            "files", "input", "invalid", "at", "scheme_add", "width", "attachments", "no_attachments", "no_headers", "dot_stuffing", "join", "hyphen", "scheme",
            "iri", "schemeless", "refang", "unwrap", "nested", "matches", "ignore_case", "links", "role", "warnings", "unquoted", "exclude", "strings_file",
            "fixed_strings", "host", "since", "until", "from", "wheres", "newest", "unique", "max_count", "line_number", "column",
            "byte_offset", "with_filename", "count", "files_with_matches", "only_matching", "format", "csv",
            "columns", "group", "keep", "alternatives", "context", "explain", "normalize", "clean", "menu", "open_with", "pretty", "recursive", "stats", "report", "redact", "defang", "null", "strict",
        ]
    )]
    pub check: bool,

    #[command(flatten)]
    pub other: OtherArgs,
}

/// Options that select the files to search.
#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// Search only files whose path matches GLOB; "!GLOB" excludes them
    ///
    /// May be repeated; if several globs match, the last one applies. A glob without "/" matches a
    /// name in any directory ("*.mbox"). With "/" it matches a path below the current directory.
    /// Globs are case-sensitive: '*.{pdf,PDF}' matches a.pdf and A.PDF, as --type pdf does. Files
    /// given on the command line are always searched.
    #[arg(short, long, value_name = "GLOB")]
    pub glob: Vec<String>,

    /// Search only files of TYPE; --type-list prints them
    ///
    /// May be repeated. Files given on the command line are always searched. The type depends only on the file name
    /// (case-insensitive). The format is still detected from the content.
    #[arg(short = 't', long = "type", value_name = "TYPE", value_parser = values::FILE_TYPE, hide_possible_values = true)]
    pub types: Vec<String>,

    /// Do not search files of TYPE
    #[arg(short = 'T', long = "type-not", value_name = "TYPE", value_parser = values::FILE_TYPE, hide_possible_values = true)]
    pub types_not: Vec<String>,

    /// Add a glob to a file type, or add a type: 'notes:*.note'
    ///
    /// May be repeated. The type applies only to this search; to keep the type, put the option into the file that
    /// URLGREP_CONFIG_PATH names.
    #[arg(long, value_name = "TYPE:GLOB")]
    pub type_add: Vec<String>,

    /// Print the file types and their globs, and exit
    #[arg(long)]
    pub type_list: bool,

    /// Respect .gitignore and .ignore files
    ///
    /// This includes .git/info/exclude and git's global ignore file. The directory .git is skipped, even
    /// with --hidden, which searches .github and other hidden directories. This is not the default, because
    /// a mail archive is not a source tree.
    #[arg(long)]
    pub ignore: bool,

    /// Follow symbolic links below directories
    ///
    /// A link to a directory that contains the link is an error and is not followed.
    #[arg(short = 'L', long)]
    pub follow: bool,

    /// Descend at most NUM levels of directories
    ///
    /// 1 searches only the files in the directory itself, and 0 searches no directory.
    #[arg(short = 'd', long, value_name = "NUM", value_parser = number_of("directories, such as 2"), allow_negative_numbers = true)]
    pub max_depth: Option<usize>,

    /// Skip files larger than NUM bytes; K, M and G are allowed
    ///
    /// K, M and G are powers of 1,024: "--max-filesize 50M" skips files of more than 50 MiB. The limit applies
    /// only below directories: files given on the command line are always searched.
    #[arg(long, value_name = "NUM", value_parser = values::number_of_bytes, allow_negative_numbers = true)]
    pub max_filesize: Option<u64>,

    /// Search the output of COMMAND for each file, instead of the file
    ///
    /// Use this for unsupported formats: --pre '*.pdf pdftotext {} -'. Globs before the program select
    /// its files; "!" before a glob excludes files. COMMAND is split at spaces, except between
    /// quotation marks; urlgrep does not start a shell. "{}" stands for the path of the file; without
    /// it, the path is the last argument.
    ///
    /// If COMMAND fails, urlgrep reports an error for the file. COMMAND does not apply to standard
    /// input.
    #[arg(long, value_name = "COMMAND")]
    pub pre: Option<OsString>,

    /// Also search the paths in FILE, one on each line
    ///
    /// If FILE contains a NUL byte, each path ends with NUL, as with "find -print0". "-" is standard input.
    /// Empty lines are ignored. These paths are searched after those on the command line.
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<OsString>,

    /// Search with NUM threads
    ///
    /// The default is the number of processors. A NUM above 256 counts as 256. The output does not
    /// depend on NUM. If the system allows fewer threads, urlgrep continues with fewer.
    ///
    /// Several threads can share a large mbox, text or similar file, and files compressed by "xz -T" or by a crawler
    /// (".warc.gz"). With --join likely, --context or --explain, a text is not split. For any other compressed file,
    /// one thread decompresses it while another searches it.
    #[arg(short = 'j', long, value_name = "NUM", value_parser = values::at_least_one, allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,

    /// Use at most NUM MB of memory for long messages
    ///
    /// A megabyte is 1,000,000 bytes. A NUM below 135 counts as 135, which the longest message needs.
    /// Threads that read long messages wait for each other.
    ///
    /// The rest of the program needs less than 48 MB, plus 8 MB for each thread. --newest and --menu
    /// may use another NUM MB to keep URLs. If they need more, --newest drops the oldest messages, and
    /// --menu drops the last URLs.
    #[arg(long, value_name = "NUM", value_parser = number_of("megabytes, such as 512"), allow_negative_numbers = true, default_value = "256")]
    pub memory: usize,

    /// Search the files below a directory in this order
    ///
    /// With "modified" and "size", urlgrep lists all paths below a directory before it starts the
    /// search.
    #[arg(long, value_name = "ORDER", value_parser = one_of(&values::ORDERS), default_value = "path")]
    pub sort: Order,

    /// Print the paths of the files that would be searched, and exit
    #[arg(long)]
    pub files: bool,
}

/// Options that select the matches to print.
#[derive(Debug, clap::Args)]
pub struct SelectArgs {
    /// Print only URLs with REGEX in the URL or link text
    ///
    /// May be repeated; one match is enough. The syntax is the same as in the Rust crate regex. REGEX
    /// is searched for in the URL (rejoined, before --normalize) and in the text of an HTML link, but
    /// not in the words around a URL. --regexp is the same option, as in grep.
    #[arg(short = 'e', long = "match", alias = "regexp", value_name = "REGEX", allow_hyphen_values = true)]
    pub matches: Vec<String>,

    /// Ignore letter case in --match and --exclude
    ///
    /// This applies to --strings-file as well.
    #[arg(short, long)]
    pub ignore_case: bool,

    /// Print only URLs that a person can click or read
    ///
    /// Equivalent to --role text,link: URLs in text, and links. Images, URLs in header fields and
    /// forms, and resources that a page loads are skipped. --menu and --report start with this
    /// selection and can show the rest.
    #[arg(long)]
    pub links: bool,

    /// Print only URLs with these roles (comma-separated)
    ///
    /// The role describes how a message or page uses the URL. In plain text, every URL has the role "text".
    /// This option overrides --links.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = one_of(&values::ROLES))]
    pub role: Vec<RoleChoice>,

    /// Print only URLs with any warning, or one of LIST
    ///
    /// LIST is comma-separated. The key "warnings" (--json) lists the warnings about each URL, and
    /// --explain describes them.
    #[arg(
        long,
        value_name = "LIST",
        num_args = 0..=1,
        require_equals = true,
        value_delimiter = ',',
        default_missing_values = Warning::ALL.map(Warning::as_str),
        value_parser = one_of(&*values::WARNINGS)
    )]
    pub warnings: Vec<Warning>,

    /// Do not print URLs in quoted lines of a reply
    ///
    /// In mail and news, a line is quoted if it starts with ">", possibly after spaces. HTML is quoted if
    /// it is in a blockquote.
    #[arg(long)]
    pub unquoted: bool,

    /// Do not print URLs that match REGEX
    ///
    /// REGEX is searched for in the URL only, not in the link text. May be repeated; one match is
    /// enough.
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    pub exclude: Vec<String>,

    /// Print only URLs that match EXPR: port>80, host=REGEX
    ///
    /// EXPR is a field of --columns, an operator and a value. May be repeated;
    /// all conditions must hold.
    ///
    /// host=REGEX         matches part of the value, or of a value in a list
    /// line=^8$           numbers are compared as text
    /// host!=REGEX        no value matches, or the URL has no value
    /// port>1024          compares numbers; also < <= >=
    /// message.date<2001  compares dates, as in --since; also <= > >=
    /// key=^\.a\[\d+\]    matches a JSON path, as in jq
    /// element=@href$     matches an HTML or XML attribute
    ///
    /// REGEX is case-insensitive. In a comma-separated list of fields, one must
    /// match. A condition on the header or the date selects whole messages,
    /// including attached ones. A condition on line, message.index or an
    /// offset makes the search use one thread.
    #[arg(
        long = "where",
        value_name = "EXPR",
        value_parser = values::WHERE,
        hide_possible_values = true,
        verbatim_doc_comment
    )]
    pub wheres: Vec<Condition>,

    /// Print only URLs that contain a string from FILE, one on each line
    ///
    /// "-" is standard input. Empty lines are ignored, and letter case matters. May be repeated and
    /// combined with --match; one match is enough. urlgrep prepares the strings before the search:
    /// 100,000 strings of 25 bytes take less than a second (see --stats) and 150 MB of memory.
    #[arg(short = 'f', long, value_name = "FILE")]
    pub strings_file: Vec<OsString>,

    /// Accepted, but --match is always a regex
    ///
    /// The lines of --strings-file are always strings. In --match, "\." is a literal dot.
    #[arg(short = 'F', long)]
    pub fixed_strings: bool,

    /// Print only URLs of HOST; !HOST excludes them
    ///
    /// May be repeated, or be a comma-separated list; one match is enough. "h.org" matches h.org and
    /// its subdomains, such as www.h.org. "*" matches any characters, including dots: "*.edu".
    /// "10.0.0.0/8" and "2001:db8::/32" match the IP addresses in a network. The host of a mailto: URL
    /// is the host of the email address.
    ///
    /// "@FILE" reads hosts and networks from FILE, one on each line, where "#" starts a comment; "@-"
    /// is standard input. "!@FILE" excludes them.
    #[arg(long, value_name = "HOST")]
    pub host: Vec<String>,

    /// Print only URLs of messages since DATE: 7d, 2001-03
    ///
    /// DATE may be 2001, 2001-03, 2001-03-02, 2001-03-02T10:11:12Z, 20010302 or 2001/03; today,
    /// yesterday, "last week" or "this month"; or an age: 7d, "2 weeks ago" (s, min, h, d, w, mo, y).
    /// Without a time zone, DATE is in the sender's time zone, but today, "last week" and similar dates
    /// are days in UTC. A week starts on Monday.
    ///
    /// Messages without a date and text outside messages are not searched. A record of JSON, XML, a
    /// chat or a web archive counts as a message.
    #[arg(long, value_name = "DATE", value_parser = Condition::since)]
    pub since: Option<Condition>,

    /// Print only URLs of messages up to DATE: 2001-03-02
    ///
    /// The whole second, day, month or year is included. DATE works as in --since.
    #[arg(long, value_name = "DATE", value_parser = Condition::until)]
    pub until: Option<Condition>,

    /// Print only URLs from senders that match REGEX
    ///
    /// REGEX may match any part of the header field From or of a record's author. Letter case is
    /// ignored. Encoded names are decoded first. Text outside messages is not searched. For other
    /// header fields, use --where.
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true, value_parser = Condition::from)]
    pub from: Option<Condition>,

    /// Print only URLs of the NUM newest messages with URLs
    ///
    /// NUM may be "all". The newest message comes first, and messages without a date come last. A
    /// record with a date counts as a message. Text outside messages and records is skipped. The output
    /// starts when the search has finished.
    #[arg(
        long,
        value_name = "NUM",
        value_parser = values::number_or_all,
        allow_negative_numbers = true,
        conflicts_with_all = ["count", "files_with_matches", "max_count", "heading"]
    )]
    pub newest: Option<usize>,
}

/// Options that determine how matches are printed.
#[derive(Debug, clap::Args)]
pub struct OutputArgs {
    /// Print each match by TEMPLATE: '{path}:{line}:{url}'
    ///
    /// Braces enclose a key of --json, or two keys joined by a dot: {reason.message}, {message.id}.
    /// Spaces separate the values of a list, and null is printed as an empty text.
    /// {message.date:%Y-%m} prints a date formatted with %Y, %m, %d, %H and %M (in the sender's
    /// time zone). "{{" and "}}" print braces. "\t" is a tab, "\n" a line feed, "\0" a NUL byte,
    /// and "\\" a backslash.
    #[arg(
        long,
        value_name = "TEMPLATE",
        allow_hyphen_values = true,
        value_parser = Template::parse,
        conflicts_with_all = ["csv", "json", "count", "files_with_matches"]
    )]
    pub format: Option<Template>,

    /// Print CSV for a spreadsheet; --csv=raw for programs
    ///
    /// As in RFC 4180, the first line contains the names of the columns. The names are the keys of
    /// --json; a dot joins the keys of nested objects. Spaces separate the values of a list.
    ///
    /// A spreadsheet runs a value as a formula if it starts with "=", "+", "-", "@", a tab or CR, so
    /// urlgrep inserts "'" before it.
    #[arg(
        long,
        value_name = "HOW",
        value_parser = one_of(&values::CSV),
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "safe",
        conflicts_with = "json"
    )]
    pub csv: Option<csv::Style>,

    /// Print only these fields, such as url,message.date
    ///
    /// Requires --csv or --json. The names are the keys of --json, except context; a key in an object
    /// is OBJECT.KEY, such as message.from. These names are printed only on request: url_path, query,
    /// registered_domain, public_suffix, href, clean, defanged, rel, key, ending.stop, ending.trimmed,
    /// message.date:%Y-%m, header.NAME and record.KEY. docs/output.md describes all names.
    ///
    /// urlgrep computes only the listed columns. In --json, the keys of an object stay together, at the
    /// position of the first one.
    #[arg(long, value_name = "LIST", value_parser = Columns::parse, conflicts_with_all = ["count", "files_with_matches"])]
    pub columns: Option<Columns>,

    /// Count matches by a field: host, message.date:%Y-%m
    ///
    /// FIELD is a field that --columns accepts, or a comma-separated list of fields: --group scheme,port. Each
    /// value gets a row, most frequent first: the number of matches and of messages that contain them, the
    /// first and last date of these messages, the value, and the position of the first match. With
    /// --csv or --json, the rows are data for programs.
    ///
    /// With --unique, only the first match of each URL is counted. If the values need more memory than
    /// --memory, the search ends with an error.
    #[arg(
        long,
        value_name = "FIELD",
        value_parser = Columns::parse,
        conflicts_with_all = [
            "count", "files_with_matches", "format", "columns", "keep", "context", "after_context", "before_context",
            "alternatives", "explain", "menu",
        ]
    )]
    pub group: Option<Columns>,

    /// Also print KEY of the record or CSV row
    ///
    /// Requires --csv or --json. May be repeated. "--keep id --json" adds "record":{"id":"7"}, and with
    /// --csv the column is record.id. The record is the innermost JSON object or XML element that
    /// encloses the match and contains KEY. In CSV with a header, it is the row.
    ///
    /// The value is null outside such a record, and for an object, a list or a value longer than 1 KiB.
    #[arg(long, value_name = "KEY", value_parser = clap::builder::NonEmptyStringValueParser::new(), conflicts_with_all = ["count", "files_with_matches"])]
    pub keep: Vec<String>,

    /// Also print the other readings of each URL, after "  or "
    ///
    /// Each reading is on its own line. For example, a URL has other readings if it contains a hyphen
    /// before a line break, a space between delimiters or a non-ASCII dash, or if --join likely or
    /// --unwrap changed it. --json, --csv and --format use the key "alternatives".
    #[arg(long)]
    pub alternatives: bool,

    /// Also print the lines of each match, and NUM lines around it
    ///
    /// With 0, only the lines of the match are printed. The lines follow the URL and start with "  | ".
    /// They have no numbers. In a long line, only 2,000 bytes before and after the URL are printed.
    /// With --json, the lines are in the key "context".
    #[arg(
        short = 'C',
        long,
        value_name = "NUM",
        value_parser = number_of("lines, such as 2"),
        allow_negative_numbers = true,
        conflicts_with_all = ["redact", "csv", "format"]
    )]
    pub context: Option<usize>,

    /// Also print the lines of each match, and NUM lines after it
    ///
    /// This overrides --context for the lines after the match.
    #[arg(
        short = 'A',
        long,
        value_name = "NUM",
        value_parser = number_of("lines, such as 2"),
        allow_negative_numbers = true,
        conflicts_with_all = ["redact", "csv", "format"]
    )]
    pub after_context: Option<usize>,

    /// Also print the lines of each match, and NUM lines before it
    ///
    /// This overrides --context for the lines before the match.
    #[arg(
        short = 'B',
        long,
        value_name = "NUM",
        value_parser = number_of("lines, such as 2"),
        allow_negative_numbers = true,
        conflicts_with_all = ["redact", "csv", "format"]
    )]
    pub before_context: Option<usize>,

    /// Print the path once above the matches of each file
    ///
    /// This is the default on a terminal if paths are printed. An empty line separates the files.
    #[arg(long, overrides_with = "no_heading")]
    pub heading: bool,

    /// Print the path before each URL, even on a terminal
    #[arg(long, overrides_with = "heading")]
    pub no_heading: bool,

    /// Print with colours, headings and line numbers
    ///
    /// Equivalent to --color always --heading --line-number.
    #[arg(short, long)]
    pub pretty: bool,

    /// Print PATH:LINE:COLUMN:URL, for Vim and other editors
    ///
    /// Equivalent to --with-filename --column --no-heading.
    #[arg(long)]
    pub vimgrep: bool,

    /// Also explain where each URL starts and ends, and its grade
    ///
    /// The lines start with "  : ". They show where the URL starts and ends and why, why its grade is
    /// not better, and its warnings.
    ///
    /// With --at, if no URL is at the position, urlgrep prints the reason on standard error and exits
    /// with status 1. In mail, the position refers to the file, and the reason to the decoded text.
    /// With --quiet or --redact, no reason is printed.
    #[arg(long, conflicts_with_all = ["csv", "format", "json", "invalid"])]
    pub explain: bool,

    /// Print and compare URLs in normalized form (RFC 3986, 6.2.2)
    ///
    /// This makes scheme and host lower case and percent-encodings upper case, and decodes characters
    /// that need no encoding. Dot segments and ports do not change. With --unique, equivalent URLs are
    /// printed once.
    #[arg(long)]
    pub normalize: bool,

    /// Remove tracking parameters, such as utm_source
    ///
    /// This removes parameters that services document, such as utm_source, fbclid, gclid and mc_eid.
    /// mailto URLs and URLs with a signed query (X-Amz-Signature) do not change. With --unique and
    /// --group, URLs that differ only in these parameters count as one. Without this option, the field
    /// "clean" contains the shorter URL.
    #[arg(long)]
    pub clean: bool,

    /// Choose URLs in the terminal: open, copy or print them
    ///
    /// Each line is a link with its text. Enter opens it, "y" copies it, "p" prints it and quits, and
    /// "?" shows all keys. The input may be a pipe, because the keys are read from the terminal.
    /// docs/menu.md describes the menu.
    ///
    /// Without --open-with, urlgrep opens only URLs with the schemes http, https, ftp, gopher, mailto
    /// and news. The exit status is the same as for a search.
    #[arg(
        long,
        conflicts_with_all = [
            "files", "count", "files_with_matches", "quiet", "json", "format", "csv", "explain", "stats", "report",
            "redact", "defang",
        ]
    )]
    pub menu: bool,

    /// Open the URLs of --menu with CMD: --open-with w3m
    ///
    /// The URL replaces {}, as in 'mpv {} --no-video', or is the last argument. It may have any scheme.
    /// Spaces separate words, except between quotation marks; urlgrep does not start a shell. CMD uses
    /// the terminal until it ends. If its last word is "&", it runs in the background. The default is
    /// BROWSER (see Environment), or else xdg-open (on macOS: open).
    #[arg(long, value_name = "CMD")]
    pub open_with: Option<OsString>,

    /// Print statistics on standard error after the search
    ///
    /// They show the speed, and the numbers of files, messages, bytes, and matches by form, role, grade, join, scheme
    /// and host. With --json, they are one object, which docs/output.md describes. Bytes that were not read are not
    /// counted.
    #[arg(long)]
    pub stats: bool,

    /// Also write an HTML page to FILE: a table and charts
    ///
    /// The page contains the printed matches in a table with a search field, and the text around each URL.
    /// Charts show their number by date, scheme, host and grade. Any browser released since 2023 can show the
    /// page. docs/report.md describes it.
    ///
    /// urlgrep replaces an earlier report after the search. It refuses to overwrite any other file. To
    /// write only the page, add --quiet. "-" is standard output, which then contains only the page.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "files_with_matches"])]
    pub report: Option<PathBuf>,

    /// Hide the passwords in URLs: ftp://me:***@h.org/
    ///
    /// This applies to the whole output: URLs, URLs inside URLs, header fields and paths. Text between
    /// "scheme://name:" and "@" is hidden. If no "@" follows, everything after "scheme://name:" is
    /// hidden, unless it is a port.
    #[arg(long)]
    pub redact: bool,

    /// Print URLs so that they are not links: hxxps://www[.]h[.]org/a
    ///
    /// URLs with "//" and mailto URLs change; others, such as news: and tel:, do not. This applies to the URLs of all
    /// matches in every format, and to --report. Header fields, context lines and the keys "host" and "text" do not
    /// change, so a program may still turn them into links. --refang restores the URLs. Without this option, the
    /// field "defanged" contains such a URL.
    #[allow(rustdoc::broken_intra_doc_links)]
    #[arg(long)]
    pub defang: bool,

    /// Print a NUL byte after each path
    ///
    /// The NUL byte replaces the ":" or the line break after the path, for programs such as "xargs -0".
    #[arg(short = '0', long)]
    pub null: bool,

    /// Write each line as soon as it is complete
    ///
    /// Without this option, urlgrep may buffer output to a file or a pipe, but not to a terminal. To
    /// see the URLs in a growing log at once, use "tail -f log | urlgrep --input text". With another
    /// --input, urlgrep reads two lines before it prints the first URL, because it detects the format
    /// from them.
    #[arg(long)]
    pub line_buffered: bool,

    /// Colour paths, numbers and URLs
    ///
    /// With colours, control characters and invisible characters in paths and URLs are printed as \xNN,
    /// as on a terminal.
    #[arg(long, value_name = "WHEN", value_parser = one_of(&values::WHEN), default_value = "auto")]
    pub color: std::option::Option<bool>,

    /// Print URLs as hyperlinks for the terminal (OSC 8)
    ///
    /// Only URLs with the schemes http, https, ftp, gopher, mailto and news become hyperlinks.
    #[arg(long, value_name = "WHEN", value_parser = one_of(&values::WHEN), default_value = "auto")]
    pub hyperlink: std::option::Option<bool>,
}

/// Options that do not change a search.
#[derive(Debug, clap::Args)]
pub struct OtherArgs {
    /// Do not print errors about missing, damaged or unsupported files
    ///
    /// The exit status is still 2.
    #[arg(short = 's', long)]
    pub no_messages: bool,

    /// Treat unsupported files and undecoded parts as errors
    ///
    /// The exit status is then 2. By default, a file in an unsupported format below a directory, such
    /// as a 7z archive, and a part of a message that cannot be decoded are only reported. A missing,
    /// unreadable or damaged file, and an unsupported file given on the command line, are always
    /// errors.
    ///
    /// --strict has no effect on files that are skipped silently, such as hidden files and images. With
    /// --quiet, a match is enough for status 0; use --strict >/dev/null instead.
    #[arg(long)]
    pub strict: bool,

    /// Do not read the file that URLGREP_CONFIG_PATH names
    #[arg(long)]
    pub no_config: bool,

    /// Print the manual page, completions or the options, and exit
    #[arg(long, value_name = "WHAT", value_enum)]
    pub generate: Option<Generated>,
}

/// A text that is generated from the option definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Generated {
    /// The manual page: man -l <(urlgrep --generate man)
    Man,
    /// For bash: source <(urlgrep --generate complete-bash)
    CompleteBash,
    /// For zsh: a file _urlgrep in the fpath
    CompleteZsh,
    /// For fish: urlgrep --generate complete-fish | source
    CompleteFish,
    /// For PowerShell: a script that the profile sources
    CompletePowershell,
    /// A list of all options, with one sentence for each
    Options,
}

/// Fails with an error that explains how to build a program that can generate it.
#[cfg(not(feature = "generate"))]
pub fn print_generated(_: Generated) -> anyhow::Result<()> {
    anyhow::bail!(
        "--generate: this program was built without the manual page and completions; \
         build it with make, or with cargo and --features generate"
    )
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use urlgrep::OptionKind;

    use super::*;

    #[test]
    fn the_definition_is_valid() {
        Args::command().debug_assert();
    }

    /// Library options with a different name here, and the flag that sets them, possibly by one of its
    /// values.
    const RENAMED: [(&str, &str); 3] =
        [("line_numbers", "line_number"), ("delimited_rows", "input"), ("schemes", "scheme")];

    /// The flag, with a value for each library option that it sets.
    const SEVERAL: &str = "input";

    /// Each library option is a flag of the program, with the same values and default. A flag can
    /// have more values.
    #[test]
    fn every_option_of_the_library_is_a_flag() {
        let mut command = Args::command();
        command.build();
        for option in urlgrep::options() {
            let renamed = RENAMED.iter().find(|(name, _)| *name == option.name());
            let id = renamed.map_or(option.name(), |(_, id)| id);
            let flag = command.get_arguments().find(|arg| arg.get_id() == id);
            let flag = flag.unwrap_or_else(|| panic!("expected a flag for {option}"));
            let values: Vec<_> = flag.get_possible_values();
            let sets_several = SEVERAL == id;
            let missing: Vec<_> = option
                .values()
                .iter()
                .filter(|name| !sets_several && !values.iter().any(|value| value.get_name() == **name))
                .collect();
            assert!(missing.is_empty(), "{option}: expected the values {missing:?}");
            let is_set = flag.get_action().takes_values();
            assert_eq!(is_set, option.kind() != OptionKind::Flag || sets_several, "{option}");
            if let [default] = flag.get_default_values() {
                assert!(sets_several || option.default() == default.to_str(), "{option}: {default:?}");
            }
        }
    }

    /// Every option contradicts `--check`, has an effect on it, or has no effect at all.
    #[test]
    fn check_refuses_options_that_contradict_it() {
        let used =
            "check dialect generate grade help json line_buffered max_len no_config paths quiet version";
        let unused = "color hyperlink no_filename no_messages threads";
        let mut accepted: Vec<_> = used.split(' ').chain(unused.split(' ')).collect();
        accepted.sort_unstable();

        let mut command = Args::command();
        command.build();
        let check = command.get_arguments().find(|arg| arg.get_id() == "check").unwrap();
        let refused = command.get_arg_conflicts_with(check);
        let ids = command.get_arguments().map(|arg| arg.get_id().as_str());
        let mut left: Vec<_> = ids.filter(|id| refused.iter().all(|arg| arg.get_id() != id)).collect();
        left.sort_unstable();
        assert_eq!(left, accepted);
    }
}

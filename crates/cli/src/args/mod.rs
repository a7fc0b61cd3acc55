//! The command line: its definition, and the options that it builds for the rooms.
//!
//! Help, manual page and completions are generated from this definition, in the order of the module `help`. A field whose type is
//! written `std::option::Option` has a value in any case: `None` is what one of the choices means.

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
pub use usage::{arguments, exit};

use crate::input::Order;
use crate::output::printer::Template;
use crate::search::{Date, Place, RoleChoice};
use values::{FileType, Input, number_of, one_of};

/// Find URLs in mail, news and other free text
///
/// urlgrep prints the URLs that a careful reader of the text would find, one on each line. It follows
/// the Appendix of RFC 1738, "Recommendations for URLs in Context": between "<URL:" and ">" or between
/// "<" and ">", a URL may be broken across lines; elsewhere it starts at its scheme, and the
/// punctuation of the sentence around it is left out.
#[derive(Debug, Parser)]
// What clap prints for -h and --help only says which of them it was: the text costs something, and is made by `help`.
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
    #[arg(long)]
    pub hidden: bool,

    #[command(flatten)]
    pub files: FileArgs,

    /// The format of the input
    ///
    /// In mail and news, the header fields are searched except those that only trace or identify a
    /// message, and bodies are decoded: quoted-printable, base64, charsets, format=flowed, HTML. In web
    /// archives, bodies and the HTTP fields Link and Location are searched.
    ///
    /// In comma-separated text, "csv", the more frequent one of comma and semicolon ends a URL in each row,
    /// outside of quotation marks. In other text it does so if the lines next to it have as many.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&values::INPUTS), default_value = "auto")]
    pub input: Input,

    /// Also search the bytes of attachments that are neither text nor documents, such as images and programs
    ///
    /// Attachments are read as what their bytes are, whatever their type says: text, HTML, messages, calendars,
    /// Office documents, the links of PDF documents, and archives of these. A document or an archive that is not read, or
    /// only in part, is named on standard error.
    #[arg(long, overrides_with = "no_attachments")]
    pub attachments: bool,

    /// Do not search attachments
    ///
    /// The body of S/MIME and of Outlook (winmail.dat) is no attachment.
    #[arg(long, overrides_with = "attachments")]
    pub no_attachments: bool,

    /// Do not search the header fields of mail
    #[arg(long)]
    pub no_headers: bool,

    /// Remove the dot that NNTP and SMTP insert before a line that starts with a dot
    ///
    /// This is for articles that were saved as the server sent them.
    #[arg(long)]
    pub dot_stuffing: bool,

    /// Which URLs are joined across line breaks
    ///
    /// RFC 1738: "In some cases, extra whitespace (spaces, linebreaks, tabs, etc.) may need to be
    /// added to break long URLs across lines. The whitespace should be ignored when extracting the
    /// URL."
    ///
    /// With "likely", a bare URL that a line end cuts is joined by evidence: it ends in a mark that
    /// something follows (rule S) or in a dot before the rest of a name (D), its line is as long as
    /// the full lines of the text (W; within a word M), it ends in a slash or after its scheme and the rest is
    /// alone before an empty line (P), it fills the lines of a terminal (T, with --width), it goes on in the next string of a
    /// program (L), it is a link of a mail filter whose end is on a later line (F), or the joined URL
    /// occurs unbroken elsewhere in the input (E). --explain names the rule. For rule E all files are read twice, as with --hyphen evidence.
    #[arg(long, value_name = "WHICH", value_parser = one_of(&values::JOINS), default_value = "delimited")]
    pub join: urlgrep::Join,

    /// With --join likely: the text was copied from a terminal of NUM columns
    ///
    /// A bare URL that fills a line of NUM columns to its end goes on with the first word of the next
    /// line, unless that starts a line of its own, as a prompt, a date, an option, a label or a word of prose do. Escape sequences and a border, "|" or "│", at the end of a line take no column.
    #[arg(long, value_name = "NUM", value_parser = number_of("columns, such as 80"), allow_negative_numbers = true)]
    pub width: Option<usize>,

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
    #[arg(long, value_name = "WHAT", value_parser = one_of(&values::HYPHENS), default_value = "keep")]
    pub hyphen: std::option::Option<urlgrep::Hyphen>,

    /// The lowest grade that is accepted
    ///
    /// With --check the default is rfc3986.
    #[arg(
        long,
        value_name = "GRADE",
        value_parser = one_of(&values::GRADES),
        default_value = "lenient",
        default_value_if("check", "true", "rfc3986")
    )]
    pub grade: urlgrep::Grade,

    /// The grammar by which URLs are graded
    ///
    /// "draft" is a draft of RFC 1738 of the year 1994, whose best grade is draft1994: hosts may have
    /// "_", paths have no slash at their start, "=" and "~" are not valid, nor are URLs such as
    /// https://h.org/, and a fragment has to be valid, too. The dialect decides the grades and their
    /// reasons; the matches are the same. As --grade, rfc1738 is the best grade of either.
    #[arg(long, value_name = "WHICH", value_parser = one_of(&values::DIALECTS), default_value = "rfc1738")]
    pub dialect: urlgrep::Dialect,

    /// Print only URLs of these schemes, separated by commas
    ///
    /// Letter case is ignored: "programs interpreting URLs should treat upper case letters as
    /// equivalent to lower case in scheme names (e.g., allow "HTTP" as well as "http")" (RFC 1738).
    /// The list only filters: it makes no scheme known (see --scheme-add).
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::scheme)]
    pub scheme: Vec<String>,

    /// Also find URLs of these schemes without "//", separated by commas: spotify:track:4uLU6h
    ///
    /// At least one character of a URL must follow the colon.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::known_scheme)]
    pub scheme_add: Vec<String>,

    /// The maximum length of a URL in the text
    ///
    /// At least 16 bytes. Delimiters and whitespace within the URL count. A longer URL does not match, and the search
    /// continues after it. With --check, a longer line is an error, and the next one is checked.
    #[arg(
        long,
        value_name = "BYTES",
        value_parser = values::max_len,
        allow_negative_numbers = true,
        default_value = "65536"
    )]
    pub max_len: usize,

    /// Which characters beyond ASCII a bare URL may have
    ///
    /// The text must be UTF-8, or mail whose charset is known. By RFC 1738 such a URL is not valid, so
    /// its grade is "lenient"; with --json, "ascii" is the same URL in ASCII. Between delimiters, all
    /// characters are always allowed.
    #[arg(long, value_name = "WHICH", value_parser = one_of(&values::IRIS), default_value = "words")]
    pub iri: urlgrep::Iri,

    /// Also find these without a scheme (comma-separated)
    ///
    /// hosts        hosts that start with www. or ftp.: www.h.org/a
    /// domains      domain names under a public suffix that are words of their own
    /// all-domains  also those that look like files or newsgroups: README.md, rec.autos
    /// emails       email addresses, but not identifiers of messages
    /// ips          IPv4 addresses, but not networks: 10.0.0.1:8080/x
    ///
    /// They are printed as written, with the port and the path after them. With --columns,
    /// "href" is the URL with its implied scheme.
    #[arg(
        long,
        value_name = "WHICH",
        value_delimiter = ',',
        value_parser = one_of(&values::SCHEMELESS),
        verbatim_doc_comment
    )]
    pub schemeless: Vec<urlgrep::Schemeless>,

    /// Also find URLs written so that no program opens them: hxxp://h[.]org, h(dot)org
    ///
    /// Reports about attacks write them so. They are printed spelled out, and their form (--json, --format
    /// '{form} {url}') is "defanged". Offsets are those of the text as it is written. Spelled out are "x" for "t" in
    /// http, https and ftp; [.] (.) {.} [dot] (dot) {dot}; [:] [://] [/]; [@] [at] (at); in a host or mail
    /// address also with a blank on both sides: "joe [at] h [dot] org". Without a scheme, a host or mail address is found if
    /// it is under a public suffix or is an IPv4 address.
    // To rustdoc the brackets would be links.
    #[allow(rustdoc::broken_intra_doc_links)]
    #[arg(long)]
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
    #[arg(long)]
    pub unwrap: bool,

    #[command(flatten)]
    pub select: SelectArgs,

    /// Print only the URL at a place: a byte offset from 0, or LINE:COLUMN from 1, columns in bytes
    ///
    /// The place is in the URL, its delimiters, or what is between its pieces. One thread searches. If no URL is there,
    /// nothing is printed and the exit status is 1; --explain says why.
    #[arg(long, value_name = "PLACE", value_parser = values::place)]
    pub at: Option<Place>,

    /// Print each URL once, at its first match
    ///
    /// URLs are the same if they are equal byte for byte, or with --normalize, if their normalized
    /// forms are equal. A hash of each is kept until the end, in 20 to 40 bytes, or with --count the URL
    /// itself. --max-count counts only the URLs that are printed. With --count, each URL is printed at the end after the number of its matches,
    /// in the order of their first match; --group url prints the most frequent first.
    #[arg(short, long)]
    pub unique: bool,

    /// Stop after NUM matches in a file
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
    /// It is counted from 0, and printed after line and column. A match starts at its delimiter.
    #[arg(short, long)]
    pub byte_offset: bool,

    /// Print the path before each URL
    ///
    /// This is the default if more than one file may be searched.
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    pub with_filename: bool,

    /// Do not print the path before each URL
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    pub no_filename: bool,

    /// Print only the number of matches in each file
    ///
    /// Files without matches are printed with 0. If there are several lines with names, the last one is
    /// "total:NUM". A member of an archive is a file, a.zip!/b.mbox, and is
    /// always named. With --unique, the number of matches of each URL is
    /// printed. With --json, each is an object: {"path":"a","count":2} or {"url":…,"count":2}. With --csv, each is
    /// a row, and the columns are path or url, and count.
    #[arg(short, long)]
    pub count: bool,

    /// Print only the paths of files with matches
    ///
    /// A member of an archive is printed as a.zip!/b. With --json, each is an object: {"path":"a"}. With --csv, each
    /// is a row. --count has no effect then.
    #[arg(short = 'l', long)]
    pub files_with_matches: bool,

    /// Print nothing, and exit at the first match
    ///
    /// The exit status is then 0, even if something before it was not read, and also with --strict. To know that all was
    /// read, use --strict, and >/dev/null instead of --quiet. With --report or --stats, nothing is printed, but all
    /// is searched.
    #[arg(short, long)]
    pub quiet: bool,

    /// Accepted, as in grep: only the URLs are ever printed
    #[arg(short, long)]
    pub only_matching: bool,

    /// Accepted, as in grep: directories are always searched
    ///
    /// So is -R.
    #[arg(short, long, short_alias = 'R')]
    pub recursive: bool,

    /// Print each match as a JSON object on its own line
    ///
    /// The keys, in this order: path, line, column, start and end (byte offsets of the match with its
    /// delimiters; the URL itself starts where the first segment does), pieces (the ranges of the text whose concatenation is the URL), url, scheme,
    /// host, port (the one that applies), ascii (null, or the URL in ASCII if it has other characters),
    /// form, text (what a reader sees of a link), role (text, link, image, tracker, form_action, resource or header), element
    /// (a@href, or null), grade, reason (why the grade is not better: production, offset, message), join,
    /// alternatives, warnings, message (null outside of mail and news; otherwise index, id, from, date,
    /// subject, newsgroups, to, cc, list_id, in_reply_to, part, content_type, header, quote_depth, filename; in
    /// web archives also uri, type and offset, those of the record). --hyphen evidence adds hyphen,
    /// and --context adds context. Values of path, url, alternatives and context that are not valid
    /// UTF-8 are objects {"bytes": BASE64}.
    #[arg(long)]
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
    /// if a URL is not valid by RFC 3986, or with --grade, does not have that grade.
    #[arg(
        long,
        conflicts_with_all = [
            "hidden", "glob", "type_add", "max_filesize", "pre", "heading", "no_heading", "vimgrep",
            "after_context", "before_context", "types", "types_not", "type_list", "ignore", "follow", "max_depth", "files_from", "sort", "memory",
            "files", "input", "at", "scheme_add", "width", "attachments", "no_attachments", "no_headers", "dot_stuffing", "join", "hyphen", "scheme",
            "iri", "schemeless", "refang", "unwrap", "matches", "ignore_case", "links", "role", "warnings", "unquoted", "exclude", "strings_file",
            "fixed_strings", "host", "since", "until", "from", "subject", "to", "list", "header", "newest", "unique", "max_count", "line_number", "column",
            "byte_offset", "with_filename", "count", "files_with_matches", "only_matching", "format", "csv",
            "columns", "group", "keep", "alternatives", "context", "explain", "normalize", "menu", "open_with", "pretty", "recursive", "stats", "report", "redact", "defang", "null", "strict",
        ]
    )]
    pub check: bool,

    #[command(flatten)]
    pub other: OtherArgs,
}

/// Which files are searched.
#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// Search only files whose path matches GLOB; with a leading "!", only others
    ///
    /// May be given more than once; if several globs match, the last one applies. A glob without a
    /// "/" matches the name in any directory ("*.mbox"); with a "/" it matches the path below the
    /// current directory. Letter case counts: '*.{pdf,PDF}' matches a.pdf and A.PDF, as --type does. Files that are
    /// named on the command line are always searched.
    #[arg(short, long, value_name = "GLOB")]
    pub glob: Vec<String>,

    /// Search only files of TYPE; --type-list prints them
    ///
    /// May be given more than once. The type depends only on the name of a file, in any letter case. The format of its
    /// content is detected in any case.
    #[arg(short = 't', long = "type", value_name = "TYPE", value_parser = FileType, hide_possible_values = true)]
    pub types: Vec<String>,

    /// Do not search files of this type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE", value_parser = FileType, hide_possible_values = true)]
    pub types_not: Vec<String>,

    /// Add a glob to a file type, or add a type: "--type-add 'notes:*.note'"
    ///
    /// May be given more than once. It lasts for this search; URLGREP_CONFIG_PATH can keep it.
    #[arg(long, value_name = "TYPE:GLOB")]
    pub type_add: Vec<String>,

    /// Print the file types and their names, and exit
    #[arg(long)]
    pub type_list: bool,

    /// Respect .gitignore and .ignore files
    ///
    /// This includes .git/info/exclude and the global list of git. The directory .git itself is left out, too; with
    /// --hidden, .github and the like are searched without it. It is not the default, because a
    /// mail archive is not a source tree.
    #[arg(long)]
    pub ignore: bool,

    /// Follow symbolic links below directories
    ///
    /// A link that leads back to a directory that is being searched is an error and is not followed.
    #[arg(short = 'L', long)]
    pub follow: bool,

    /// Descend at most NUM directories
    ///
    /// With 1, only the files of the directory itself are searched, with 0 none.
    #[arg(short = 'd', long, value_name = "NUM", value_parser = number_of("directories, such as 2"), allow_negative_numbers = true)]
    pub max_depth: Option<usize>,

    /// Do not search files below directories that are longer than NUM bytes; K, M and G are allowed
    ///
    /// "--max-filesize 50M" skips files of more than 50 times 1,048,576 bytes. Files that are named on
    /// the command line are always searched.
    #[arg(long, value_name = "NUM", value_parser = values::number_of_bytes, allow_negative_numbers = true)]
    pub max_filesize: Option<u64>,

    /// Search the output of COMMAND for each file, instead of the file
    ///
    /// This is for formats that urlgrep does not read: --pre '*.pdf pdftotext {} -'. COMMAND
    /// is a program and its arguments, separated by blanks; '...' and "..." keep blanks in one, and no
    /// shell is started. Words with a "*" before the program are globs: it is called only for files whose path
    /// matches one of them, or with a leading "!", for others. "{}" is the path of the file; without it the path is the last argument. A path
    /// that starts with "-" has "./" before it, so that it is not taken for an option. The program has the
    /// file as its standard input. If it fails, that is an error of the file. Standard input is searched
    /// as it is.
    #[arg(long, value_name = "COMMAND")]
    pub pre: Option<OsString>,

    /// Also search the paths in FILE, one on each line
    ///
    /// If FILE contains a NUL byte, each path ends with one, as "find -print0" prints them. "-" is
    /// standard input. Empty lines are ignored. The paths come after those of the command line.
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<OsString>,

    /// Search with NUM threads
    ///
    /// The output and its order do not depend on NUM. The default is the number of processors, and
    /// there are at most 256; if the system starts fewer, those continue. Each
    /// thread searches one file, or a part of an mbox or text of 4 MiB or more. An mbox is cut
    /// between messages, a text after empty lines. With --join likely, --context or --explain a
    /// text is not cut.
    ///
    /// Threads decompress blocks of "xz -T" at the same time. Any other compressed file is
    /// decompressed by one thread, while another searches it.
    #[arg(short = 'j', long, value_name = "NUM", value_parser = values::at_least_one, allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,

    /// Use at most NUM MB (of 1,000,000 bytes) of memory for long messages
    ///
    /// A message is decoded as a whole, so a long one takes memory. If several threads read such
    /// messages, they wait for each other. At least 135 MB are used: what the longest message takes.
    /// What else the program needs is less than 48 MB, and 8 MB for each thread. What --newest and --menu
    /// keep may take as much again: --newest leaves out the oldest messages then, and --menu the last URLs.
    #[arg(long, value_name = "NUM", value_parser = number_of("megabytes, such as 512"), allow_negative_numbers = true, default_value = "256")]
    pub memory: usize,

    /// The order of the files below a directory
    ///
    /// With "modified" and "size", all paths below a directory are listed before the first file is
    /// searched.
    #[arg(long, value_name = "ORDER", value_parser = one_of(&values::ORDERS), default_value = "path")]
    pub sort: Order,

    /// Print the paths of the files that would be searched, and exit
    #[arg(long)]
    pub files: bool,
}

/// Which matches are printed.
#[derive(Debug, clap::Args)]
pub struct SelectArgs {
    /// Print only links whose URL or text matches REGEX
    ///
    /// It is enough that a part of the URL matches. May be given more than once; one match is enough. The syntax is that
    /// of the Rust crate regex. REGEX is matched against the joined URL, before --normalize, and in HTML also against what
    /// a reader sees of the link. Words around a URL do not count: "/" in the menu searches them. --regexp is the same
    /// option, as in grep.
    #[arg(short = 'e', long = "match", alias = "regexp", value_name = "REGEX")]
    pub matches: Vec<String>,

    /// Ignore letter case in --match, --exclude and --strings-file
    #[arg(short, long)]
    pub ignore_case: bool,

    /// Print only what a person can click or read
    ///
    /// The same as --role text,link: URLs in texts, and links. URLs in header fields, pictures, forms, and what a page
    /// loads are left out. --menu and --report begin with these, and can show the others.
    #[arg(long)]
    pub links: bool,

    /// Print only URLs of these roles, separated by commas
    ///
    /// The role is what a URL is to the reader of a message or a page. In a file that is neither, each is
    /// text.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = one_of(&values::ROLES))]
    pub role: Vec<RoleChoice>,

    /// Print only URLs with one of these warnings, or any
    ///
    /// Several are separated by commas. --json has the warnings of each URL as "warnings", and --explain says them.
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

    /// Do not print URLs of lines that a reply quotes
    ///
    /// In mail and news, a line is quoted if it begins with ">", also after spaces, and HTML if it is in a blockquote.
    #[arg(long)]
    pub unquoted: bool,

    /// Do not print URLs that contain a match of REGEX
    ///
    /// May be given more than once; one match is enough.
    #[arg(long, value_name = "REGEX")]
    pub exclude: Vec<String>,

    /// Print only URLs that contain one of the strings in FILE, one on each line
    ///
    /// "-" is standard input. Empty lines are ignored, and letter case counts. May be given more than
    /// once, and with --match; one match is enough. The strings are prepared before the search: a hundred
    /// thousand of 25 bytes take less than a second, which --stats tells, and 150 MB of memory.
    #[arg(short = 'f', long, value_name = "FILE")]
    pub strings_file: Vec<OsString>,

    /// Accepted, as in grep: the lines of --strings-file are always strings
    #[arg(short = 'F', long)]
    pub fixed_strings: bool,

    /// Print only URLs whose host is HOST, or below it
    ///
    /// May be given more than once, or with commas between hosts; one match is enough. "h.org" matches h.org and
    /// www.h.org, and "!h.org" excludes them.
    /// "10.0.0.0/8" and "2001:db8::/32" match the addresses in a network, also in brackets; an address
    /// is four decimal numbers, or of IPv6. With "*", it is a glob: "*" matches any characters, including dots, so "*.edu" matches
    /// all hosts below .edu, and "h*.org" matches h.org and not www.h.org. Letter case is ignored. The host
    /// of a mailto: URL is that of the address.
    ///
    /// "@FILE" is a list: each line of FILE is a host with all below it, or a network. "#" starts a comment there, and
    /// "@-" is standard input.
    #[arg(long, value_name = "HOST")]
    pub host: Vec<String>,

    /// Print only URLs of messages since DATE: 7d, 2001-03
    ///
    /// DATE may be 2001, 2001-03, 2001-03-02, 2001-03-02T10:11:12Z, 20010302, 2001/03, today, yesterday, "last week", "this
    /// month" (week, month, year; a week starts on Monday), or how long ago: 7d, "2 weeks ago" (s, min, h, d, w, mo,
    /// y). The date of a message is that of the header field Date, or without
    /// one that of the first Received or of the mbox separator; a record of JSON is a message. Messages without a date are not
    /// searched, nor is text that is not a message. A year, month, day or time without a zone is by the clock of the sender, as
    /// {message.date} prints it; today, "last week" and the like are days in UTC.
    #[arg(long, value_name = "DATE", value_parser = Date::parse_typed)]
    pub since: Option<Date>,

    /// Print only URLs of messages up to DATE: 2001-03-02
    ///
    /// All of that second, day, month or year is searched, too. DATE is as for --since: a year, month, day or time without a
    /// zone is by the clock of the sender.
    #[arg(long, value_name = "DATE", value_parser = Date::parse_typed)]
    pub until: Option<Date>,

    /// Print only URLs of messages whose From matches REGEX
    ///
    /// It is enough that a part of the header field, or of the author of a JSON record, matches. Letter case is ignored. Encoded names are decoded before.
    /// Text that is not a message is not searched.
    #[arg(long, value_name = "REGEX")]
    pub from: Option<String>,

    /// Print only URLs of messages whose Subject matches REGEX
    ///
    /// The same as for --from.
    #[arg(long, value_name = "REGEX")]
    pub subject: Option<String>,

    /// Print only URLs of messages whose To or Cc matches REGEX
    ///
    /// The same as for --from.
    #[arg(long, value_name = "REGEX")]
    pub to: Option<String>,

    /// Print only URLs of messages whose List-ID or Newsgroups matches REGEX
    ///
    /// The same as for --from.
    #[arg(long, value_name = "REGEX")]
    pub list: Option<String>,

    /// Print only URLs of messages whose header field NAME matches REGEX: X-Spam-Flag=yes
    ///
    /// May be given more than once; all must match. A NAME alone matches any value. The same as for --from.
    #[arg(long, value_name = "NAME=REGEX", value_parser = values::header)]
    pub header: Vec<(String, String)>,

    /// Print URLs of the NUM newest messages that have URLs
    ///
    /// NUM may be "all". The newest is first, messages without a date are last, and text that is in no message is left out. The dates are those of --since. The output starts when all is
    /// searched.
    #[arg(
        long,
        value_name = "NUM",
        value_parser = values::number_or_all,
        allow_negative_numbers = true,
        conflicts_with_all = ["count", "files_with_matches", "max_count", "heading"]
    )]
    pub newest: Option<usize>,
}

/// How matches are printed.
#[derive(Debug, clap::Args)]
pub struct OutputArgs {
    /// Print each match by TEMPLATE: '{path}:{line}:{url}'
    ///
    /// Braces contain a key of --json, or two keys with a dot: {reason.message}, {message.id}. The
    /// values of a list are separated by spaces, and null is printed as nothing. "{{" and "}}" print
    /// braces. "\t" is a tab, "\n" a line end, "\0" a NUL byte, and "\\" a backslash.
    #[arg(long, value_name = "TEMPLATE", value_parser = Template::parse, conflicts_with_all = ["csv", "json", "count", "files_with_matches"])]
    pub format: Option<Template>,

    /// Print comma-separated values, for a spreadsheet
    ///
    /// As in RFC 4180, except that lines end with LF; with --csv=excel, with CR and LF. The first line has the names of the columns. These are the keys of --json; the keys of an
    /// object are joined by a dot. The values of a list are separated by spaces.
    ///
    /// A spreadsheet runs a value that starts with "=", "+", "-", "@", a tab or CR as a formula, so a "'"
    /// is inserted before it. With --csv=raw, the values are verbatim, for programs.
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

    /// With --csv or --json: only these, as url,message.date
    ///
    /// The names are the keys of --json, with a dot between an object and its key: message.from, reason.offset. There
    /// are also url_path and query (as they are written, without the "?"), registered_domain (example.co.uk), public_suffix
    /// (co.uk), href, defanged (hxxp://h[.]org/), rel, ending.stop, ending.trimmed, and with the options for them hyphen and unwrapped. In --json,
    /// the chosen keys of an object are together, where the first of them is. What is not chosen is not computed.
    /// Errors and --stats stay as they are.
    #[arg(long, value_name = "LIST", value_parser = Columns::parse, conflicts_with_all = ["count", "files_with_matches"])]
    pub columns: Option<Columns>,

    /// Count the matches of each value: --group host
    ///
    /// FIELD is a name as for --columns, or several with commas between them: --group scheme,port. There is a row for each value, the most
    /// frequent first: the number of its matches and of the messages with them, their first and last date by the clock of the
    /// sender, the value, and the path and line of the first match. The rows are a table, or with --csv or --json for programs. With
    /// --unique, each URL counts once. If the values take more than --memory, that is an error.
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

    /// With --csv or --json: also the value of KEY in the JSON object that has the match
    ///
    /// May be given more than once. The nearest object around the match that has the key counts, so that a match leads
    /// back to its record: with "--keep id --json" it has "record":{"id":"7"}, with --csv the column record.id.
    /// --columns and --format also take record.KEY. Null if no object has it, and if the value is an object, a list or
    /// longer than 1 KiB.
    #[arg(long, value_name = "KEY", value_parser = clap::builder::NonEmptyStringValueParser::new(), conflicts_with_all = ["count", "files_with_matches"])]
    pub keep: Vec<String>,

    /// Also print the other readings of each URL, on lines that start with "  or "
    ///
    /// There are other readings after a hyphen before a line break, after a space between delimiters,
    /// and with --join likely. --json, --csv and --format have a key for them.
    #[arg(long)]
    pub alternatives: bool,

    /// Also print the lines of each match, and NUM lines before and after it
    ///
    /// With 0, only its own lines. The lines come after the URL and start with "  | ", also with --line-number. Each URL has all
    /// of its lines: a line that is near to two URLs is printed after both, and nothing is between the groups. Of a long line, only 2,000 bytes before
    /// and after the URL are printed. In --json they are the key "context", after all others.
    #[arg(
        short = 'C',
        long,
        value_name = "NUM",
        value_parser = number_of("lines, such as 2"),
        allow_negative_numbers = true,
        conflicts_with_all = ["redact", "csv", "format"]
    )]
    pub context: Option<usize>,

    /// Also print the lines of each match, and NUM lines after it; overrides --context
    #[arg(
        short = 'A',
        long,
        value_name = "NUM",
        value_parser = number_of("lines, such as 2"),
        allow_negative_numbers = true,
        conflicts_with_all = ["redact", "csv", "format"]
    )]
    pub after_context: Option<usize>,

    /// Also print the lines of each match, and NUM lines before it; overrides --context
    #[arg(
        short = 'B',
        long,
        value_name = "NUM",
        value_parser = number_of("lines, such as 2"),
        allow_negative_numbers = true,
        conflicts_with_all = ["redact", "csv", "format"]
    )]
    pub before_context: Option<usize>,

    /// Print the path above the matches of each file, not before each of them
    ///
    /// This is the default on a terminal if paths are printed. An empty line is between files.
    #[arg(long, overrides_with = "no_heading")]
    pub heading: bool,

    /// Print the path before each URL, also on a terminal
    #[arg(long, overrides_with = "heading")]
    pub no_heading: bool,

    /// Print for reading: the same as --color always --heading --line-number
    #[arg(short, long)]
    pub pretty: bool,

    /// Print path, line and column before each URL: the format of Vim's quickfix list
    ///
    /// The same as --with-filename --column --no-heading.
    #[arg(long)]
    pub vimgrep: bool,

    /// Also print why each URL starts and ends where it does, and why its grade is not better
    ///
    /// The lines start with "  : ". The last ones are the warnings about the URL, if there are any, with the names that
    /// --warnings has for them.
    ///
    /// With --at, if no URL is at the place, the reason is printed on standard error, after path and place: no known
    /// scheme, the byte for which the host is not valid, an option that rejects the URL or that would match it, the end of the
    /// URL before it, or what of a message is not searched. Of mail the place is one of the file, and the reason is about the decoded text. The exit
    /// status is 1. With --quiet and --redact, nothing is printed.
    #[arg(long, conflicts_with_all = ["csv", "format", "json"])]
    pub explain: bool,

    /// Print and compare URLs in normalized form (RFC 3986, 6.2.2.1 and 6.2.2.2)
    ///
    /// Scheme and host are in lower case, percent-encodings are in upper case, and characters that need
    /// no encoding are decoded. With --unique, equivalent URLs are printed once. Dot segments and ports
    /// are not changed.
    #[arg(long)]
    pub normalize: bool,

    /// Choose URLs in the terminal: open, copy or print them
    ///
    /// The menu has a line for each link that a person can click or read: the text of the link, and its URL. T, L, I,
    /// P (trackers), F, R and H show or hide what each --role has: text and link are shown at the start, or those that
    /// --role or --links selects. Duplicates are folded; "d" unfolds them. Enter opens the selected URL, Space marks
    /// several, "y" copies them, "D" copies them defanged, "p" prints them on standard output and quits, "|" runs a command on them. "/"
    /// searches, "s" shows the message (of plain text 5 lines before and after the URL, or as many as --context says),
    /// "r" shows the other readings of a URL that was broken, "?" shows all keys, and "q" quits. The input may be a
    /// pipe: the keyboard is the terminal.
    ///
    /// URLs are opened by --open-with, the commands in BROWSER, or else by xdg-open (on macOS: open). Without
    /// --open-with, only the schemes http, https, ftp, gopher, mailto and news are opened: programs for others do
    /// more than show something. The exit status is that of a search.
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
    /// The URL is in the place of {}, as in 'mpv {} --no-video', or the last argument, and of any scheme. Words are separated by blanks, unless
    /// they are between quotation marks; no shell reads them. The command has the terminal until it ends; with a "&"
    /// as its last word it runs in the background.
    #[arg(long, value_name = "CMD", requires = "menu")]
    pub open_with: Option<OsString>,

    /// Print statistics on standard error after the search
    ///
    /// Files, messages, bytes, matches by form, grade, join, scheme and host, seconds, and MB (of
    /// 1,000,000 bytes) per second. Bytes are those that were read; with --max-count they may depend
    /// on the number of threads. With --strings-file, the seconds that its strings took before the
    /// search come on a line of their own. With --json, the statistics are a JSON object on one line.
    /// The names of all hosts are kept in memory.
    #[arg(long)]
    pub stats: bool,

    /// Also write an HTML page to FILE: a table and charts
    ///
    /// It lists all matches, and draws them as charts. Any browser shows the page, and it loads nothing from the network: matches by year, month or day
    /// and by scheme, hosts, grades, how many were broken and rejoined, and a table with a search field.
    /// A row opens with the text around the URL. The view is in the address of the page, so that it can
    /// be shared, and can be printed and saved as CSV. The page contains what is printed, or would be
    /// without --count: --max-count, --unique, --normalize and --redact apply to it. A match is printed
    /// when the line after it has been read.
    ///
    /// FILE must not exist, or must be an earlier report, which is replaced after the search. No other
    /// file is replaced, and no file that is searched: urlgrep then prints an error and exits with
    /// status 2 before the search. A symbolic link is followed only in a directory that other users
    /// cannot write. Below a directory, FILE is not searched. If the output fails, FILE is not changed.
    /// A signal leaves nothing on Linux; elsewhere, and on file systems without unnamed files, it leaves
    /// the incomplete page in FILE.PID.part.
    ///
    /// To get only the page, add --quiet. "-" is standard output, which then has nothing else.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "files_with_matches"])]
    pub report: Option<PathBuf>,

    /// Hide the passwords in URLs: ftp://me:***@h.org/
    ///
    /// This applies to all that is printed: URLs, URLs within URLs, header fields and paths. What
    /// follows "scheme://name:" is hidden up to the "@", whatever it contains, and without an "@", up to
    /// the end, unless it is a port.
    #[arg(long)]
    pub redact: bool,

    /// Print URLs so that no program opens them: hxxps://www[.]h[.]org/a
    ///
    /// --refang reads them back. This applies to all URLs that are printed, in every format, and to --report; the field "defanged"
    /// is such a URL without this option. Hosts by themselves, header fields, the texts of links and the lines of --context stay as
    /// they are.
    #[allow(rustdoc::broken_intra_doc_links)]
    #[arg(long)]
    pub defang: bool,

    /// Print a NUL byte after each path
    ///
    /// It replaces the ":" or the line end after the path, for "xargs -0" and the like.
    #[arg(short = '0', long)]
    pub null: bool,

    /// Write each line as soon as it is complete
    ///
    /// Otherwise the output of a file may be buffered. On a terminal it is not, so the URLs of a growing log come at once:
    /// "tail -f log | urlgrep --input text". With another --input the first line waits for the second, which shows what the
    /// input is.
    #[arg(long)]
    pub line_buffered: bool,

    /// When to color paths, numbers and URLs
    ///
    /// With colors, control characters and invisible characters in paths and URLs are printed as \xNN,
    /// as on a terminal.
    #[arg(long, value_name = "WHEN", value_parser = one_of(&values::WHEN), default_value = "auto")]
    pub color: std::option::Option<bool>,

    /// When to print URLs as hyperlinks for the terminal (OSC 8)
    ///
    /// Only for the schemes http, https, ftp, gopher, mailto and news.
    #[arg(long, value_name = "WHEN", value_parser = one_of(&values::WHEN), default_value = "auto")]
    pub hyperlink: std::option::Option<bool>,
}

/// What does not concern a search.
#[derive(Debug, clap::Args)]
pub struct OtherArgs {
    /// Do not print errors about files that are missing, damaged or not text
    ///
    /// The exit status is 2 all the same.
    #[arg(short = 's', long)]
    pub no_messages: bool,

    /// Exit with 2 also if something in a directory, an archive or a message was not read
    ///
    /// It is said on standard error in any case: a format that urlgrep does not read, such as a 7z archive, or a part of a
    /// message that cannot be decoded. A file that is missing, forbidden or damaged is an error without this option, too, and so
    /// is one that is named on the command line and not read. What the options leave out is no error: hidden files,
    /// pictures and programs below a directory, files beyond --max-filesize. With --quiet a match is enough for the status 0:
    /// use --strict without it, and >/dev/null.
    #[arg(long)]
    pub strict: bool,

    /// Do not read the file that URLGREP_CONFIG_PATH names
    #[arg(long)]
    pub no_config: bool,

    /// Print the manual page, completions for a shell, or a list of the options, and exit
    #[arg(long, value_name = "WHAT", value_enum)]
    pub generate: Option<Generated>,
}

/// What is generated from the definitions of the options.
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
    /// All options, with a sentence about each
    Options,
}

/// Says how to build a program that prints it.
#[cfg(not(feature = "generate"))]
pub fn print_generated(_: Generated) -> anyhow::Result<()> {
    anyhow::bail!(
        "--generate: this program was built without the manual page and completions; \
         build it by make, or by cargo with --features generate"
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

    /// Options of the library that have another name here, and the flag that sets them: one of its values may do so.
    const RENAMED: [(&str, &str); 3] =
        [("line_numbers", "line_number"), ("delimited_rows", "input"), ("schemes", "scheme")];

    /// The flag with a value for each option of the library that it sets.
    const SEVERAL: &str = "input";

    /// The options of the library are flags of the program, with the same values and defaults. A flag can have more values.
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

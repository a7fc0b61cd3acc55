//! The options that define the output.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::number;
use crate::output::printer::Template;

/// How matches are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Print each match by TEMPLATE: '{path}:{line}:{url}'
    ///
    /// Braces contain a key of --json, or two keys with a dot: {reason.message}, {message.id}. The
    /// values of a list are separated by spaces, and null is printed as nothing. "{{" and "}}" print
    /// braces. For a tab, use the quotes of the shell: $'{line}\t{url}'.
    #[arg(long, value_name = "TEMPLATE", value_parser = Template::parse, conflicts_with_all = ["csv", "json"])]
    pub format: Option<Template>,

    /// Print comma-separated values, after a line with the names of the columns
    ///
    /// As in RFC 4180, lines end with CR and LF. The columns are the keys of --json; the keys of an
    /// object are joined by a dot. The values of a list are separated by spaces.
    ///
    /// A spreadsheet runs a value that starts with "=", "+", "-", "@", a tab or CR as a formula, so a "'"
    /// is inserted before it. With --csv=raw, the values are verbatim, for programs.
    #[arg(
        long,
        value_name = "HOW",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "safe",
        conflicts_with = "json"
    )]
    pub csv: Option<Csv>,

    /// Also print the other readings of each URL, on lines that start with "  or "
    ///
    /// There are other readings after a hyphen before a line break, after a space between delimiters,
    /// and with --join likely. --json, --csv and --format have a key for them.
    #[arg(long)]
    pub alternatives: bool,

    /// Also print the lines of each match, and NUM lines before and after it
    ///
    /// With 0, only its own lines. The lines start with "  | ". Of a long line, only 2,000 bytes before
    /// and after the URL are printed. In --json they are the key "context", after all others.
    #[arg(
        short = 'C',
        long,
        value_name = "NUM",
        value_parser = number_of_lines,
        allow_negative_numbers = true,
        conflicts_with_all = ["redact", "csv", "format"]
    )]
    pub context: Option<usize>,

    /// Also print the lines of each match, and NUM lines after it; overrides --context
    #[arg(
        short = 'A',
        long,
        value_name = "NUM",
        value_parser = number_of_lines,
        allow_negative_numbers = true,
        conflicts_with_all = ["redact", "csv", "format"]
    )]
    pub after_context: Option<usize>,

    /// Also print the lines of each match, and NUM lines before it; overrides --context
    #[arg(
        short = 'B',
        long,
        value_name = "NUM",
        value_parser = number_of_lines,
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

    /// Print path, line and column before each URL: the format of Vim's quickfix list
    ///
    /// The same as --with-filename --column --no-heading.
    #[arg(long)]
    pub vimgrep: bool,

    /// Also print why each URL starts and ends where it does, and why its grade is not better
    ///
    /// The lines start with "  : ".
    #[arg(long, conflicts_with_all = ["csv", "format", "json"])]
    pub explain: bool,

    /// Print and compare URLs in normalized form (RFC 3986, 6.2.2.1 and 6.2.2.2)
    ///
    /// Scheme and host are in lower case, percent-encodings are in upper case, and characters that need
    /// no encoding are decoded. With --unique, equivalent URLs are printed once. Dot segments and ports
    /// are not changed.
    #[arg(long)]
    pub normalize: bool,

    /// Choose among the URLs in the terminal: open them in a browser, or copy them
    ///
    /// The menu shows each URL with the text of its link, the sentence around it, and the subject of
    /// its message. Enter opens the selected URL, "/" searches, "y" copies the URL, "s" shows the lines
    /// around it (5 before and after it, or as many as --context says), "r" shows the other readings
    /// of a URL that was broken, "d" folds duplicates, "?" shows all keys, and "q" quits. The input may be
    /// a pipe: the keyboard is the terminal. With --unique, duplicates are folded from the start.
    ///
    /// URLs are opened by the commands in BROWSER, or else by xdg-open (on macOS: open). Only the schemes
    /// http, https, ftp, gopher, mailto and news are opened: programs for others do more than show
    /// something. The exit status is that of a search.
    #[arg(
        long,
        conflicts_with_all = [
            "files", "count", "files_with_matches", "quiet", "json", "format", "csv", "explain", "stats", "report",
            "redact",
        ]
    )]
    pub menu: bool,

    /// Print statistics on standard error after the search
    ///
    /// Files, messages, bytes, matches by form, grade, join, scheme and host, seconds, and MB (of
    /// 1,000,000 bytes) per second. Bytes are those that were read; with --max-count they may depend
    /// on the number of threads. With --strings-file, the seconds that its strings took before the
    /// search come on a line of their own. With --json, the statistics are a JSON object on one line.
    /// The names of all hosts are kept in memory.
    #[arg(long)]
    pub stats: bool,

    /// Also write an HTML page to FILE that lists all matches and draws them as charts
    ///
    /// Any browser shows the page, and it loads nothing from the network: matches by year, month or day
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

    /// Print a NUL byte after each path
    ///
    /// It replaces the ":" or the line end after the path, for "xargs -0" and the like.
    #[arg(short = '0', long)]
    pub null: bool,

    /// Write each line as soon as it is complete
    ///
    /// Otherwise the output is buffered until the end of each file. On a terminal, it is written after
    /// each block of the input that has matches.
    #[arg(long)]
    pub line_buffered: bool,

    /// When to color paths, numbers and URLs
    ///
    /// With colors, control characters and invisible characters in paths and URLs are printed as \xNN,
    /// as on a terminal.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub color: When,

    /// When to print URLs as hyperlinks for the terminal (OSC 8)
    ///
    /// Only for the schemes http, https, ftp, gopher, mailto and news.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub hyperlink: When,
}

/// Parses a number of lines.
fn number_of_lines(text: &str) -> Result<usize, &'static str> {
    number(text).ok_or("expected a number of lines, such as 2")
}

/// How values are written with `--csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Csv {
    /// So that a spreadsheet runs none of them
    Safe,
    /// Verbatim
    Raw,
}

/// When the output is styled for a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless TERM is not set or "dumb", or NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl When {
    /// The choice; none if it depends on the terminal.
    pub fn choice(self) -> Option<bool> {
        match self {
            When::Auto => None,
            When::Always => Some(true),
            When::Never => Some(false),
        }
    }
}

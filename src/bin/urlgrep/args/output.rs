//! The options that say how finds are printed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::printer::Template;

/// How finds are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Print each find by TEMPLATE: '{path}:{line}:{url}'
    ///
    /// A key of --json stands in braces, one of its objects' keys behind a dot: {reason.message},
    /// {message.id}. A list is printed with blanks between its values, what is null as nothing.
    /// "{{" and "}}" are braces. A tab is written as the shell has it: $'{line}\t{url}'.
    #[arg(long, value_name = "TEMPLATE", value_parser = Template::parse, conflicts_with_all = ["csv", "json"])]
    pub format: Option<Template>,

    /// Print comma-separated values, with the names of the columns first
    ///
    /// By RFC 4180: lines end with CR and LF. The columns are the keys of --json, those of an object
    /// with a dot between. Lists are printed with blanks between their values.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Print the other readings of each URL, too, on lines of their own that begin with "  or "
    ///
    /// There are some where a line broke after a hyphen, where a blank stood between delimiters, and
    /// where --join likely joined lines. --json, --csv and --format have them as a key.
    #[arg(long)]
    pub alternatives: bool,

    /// Print the lines that each URL stood in, too, and NUM lines before and behind
    ///
    /// NUM has to stand behind an "=": what stands behind a blank is a PATH.
    /// They begin with "  | ". Of a line no more is printed than 2,000 bytes before and behind the URL.
    /// In --json they are the key "context", behind all others.
    #[arg(
        long,
        value_name = "NUM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0",
        conflicts_with_all = ["redact", "csv", "format"]
    )]
    pub context: Option<usize>,

    /// Print why each URL begins and ends where it does, and what is wrong with it
    ///
    /// In lines that begin with "  : ".
    #[arg(long, conflicts_with_all = ["csv", "format", "json"])]
    pub explain: bool,

    /// Print and compare URLs normalized (RFC 3986, 6.2.2.1 and 6.2.2.2)
    ///
    /// Scheme and host in lower case; escapes in upper case, and undone where they need not be.
    /// Under --unique, what is the same so is printed once. Dot segments and ports stay.
    #[arg(long)]
    pub normalize: bool,

    /// Print numbers on standard error when all is done
    ///
    /// Files, bytes, finds by form, grade, join, scheme and host, seconds, and MB (of 1,000,000 bytes)
    /// in a second. Bytes are those that were read, which with --max-count may depend on the number of
    /// threads. With --json, as a JSON object on one line. The names of all hosts are kept in
    /// memory.
    #[arg(long)]
    pub stats: bool,

    /// Also write an HTML page to FILE on which all matches are drawn and listed
    ///
    /// One page, which any browser shows and which loads nothing: matches by year and scheme, hosts,
    /// grades, how many were broken and rejoined, and a table to search in. It shows what is printed,
    /// or would be without --count: --max-count, --unique, --normalize and --redact apply to it too.
    ///
    /// FILE must not exist yet, or must be an earlier report, which is replaced when the search is
    /// done. Any other file, and every file that is searched, is never replaced: urlgrep then prints
    /// an error and exits with status 2 before it searches. A symbolic link is followed only in a
    /// directory that other users cannot write. Below a directory, the report itself is not searched.
    /// If the output fails, FILE stays as it was; after a signal, what was written is in FILE.PID.part.
    /// To have only the page, redirect the output to /dev/null.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "files_with_matches", "quiet"])]
    pub report: Option<PathBuf>,

    /// Hide the passwords in URLs: ftp://me:***@h.org/
    #[arg(long)]
    pub redact: bool,

    /// End the paths that are printed with a NUL byte
    ///
    /// It stands in place of the ":" or the line end behind a path, for "xargs -0" and the like.
    #[arg(short = '0', long)]
    pub null: bool,

    /// Write out each line when it is complete
    ///
    /// Otherwise this is done when there is enough, and at the end of each file; on a terminal,
    /// after each piece of input that has finds.
    #[arg(long)]
    pub line_buffered: bool,

    /// Whether paths, places and URLs are coloured
    ///
    /// With colours, control characters in paths and URLs are shown as \xNN, as on a terminal.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub color: When,

    /// Whether URLs are links that a terminal can open (OSC 8)
    ///
    /// Only those of the schemes http, https, ftp, ftps, gopher, gemini, mailto, news and nntp.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub hyperlink: When,
}

impl OutputArgs {
    /// How many lines before and behind a find are to be known, if any.
    pub fn lines_around(&self) -> Option<usize> {
        self.context.or(self.explain.then_some(0))
    }
}

/// When something is done that is for eyes only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless TERM says "dumb" or nothing, or NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

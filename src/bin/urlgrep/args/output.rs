//! The options that say how finds are printed.

use clap::{Args, ValueEnum};

/// How finds are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
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

/// When something is done that is for eyes only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless it is dumb or NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

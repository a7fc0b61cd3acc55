//! The options that concern the program itself.

use clap::{Args, ValueEnum};

/// What does not concern a search.
#[derive(Debug, Args)]
#[command(next_help_heading = "Other")]
pub struct OtherArgs {
    /// Do not print errors about files that are missing, damaged or not text
    ///
    /// The exit status is 2 all the same.
    #[arg(short = 's', long)]
    pub no_messages: bool,

    /// Do not read the file that URLGREP_CONFIG_PATH names
    #[arg(long)]
    pub no_config: bool,

    /// Print the manual page or completions for a shell, and exit
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
}

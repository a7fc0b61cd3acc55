//! `--generate`: the manual page, completions for shells, and the list of options. The feature of this name adds it,
//! with two crates that a program does not need to search.

use std::io::{self, Write};

use anyhow::Context;
use clap::Arg;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap_complete::{Shell, generate};

use super::{Generated, help, manual};

/// Prints one of them.
pub fn print(what: Generated) -> anyhow::Result<()> {
    // The generators panic if a pipe is closed, so they write into memory.
    let text = match what {
        Generated::Man => manual::page(help::command())?.into_bytes(),
        Generated::CompleteBash => completions(Shell::Bash),
        Generated::CompleteZsh => completions(Shell::Zsh),
        Generated::CompleteFish => completions(Shell::Fish),
        Generated::CompletePowershell => completions(Shell::PowerShell),
        Generated::Options => help::list().into_bytes(),
    };
    io::stdout().write_all(&text).context("standard output")
}

/// The completions for a shell.
fn completions(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    generate(shell, &mut help::command().mut_args(without_quotes), "urlgrep", &mut text);
    text
}

/// Returns this option with descriptions of its values that contain no special characters of
/// double-quoted strings. The generators for fish and zsh write the descriptions there, and do not
/// escape them.
fn without_quotes(arg: Arg) -> Arg {
    let values = arg.get_possible_values();
    if values.is_empty() {
        return arg;
    }
    let plain = |value: &PossibleValue| {
        let help = value.get_help().unwrap_or_default().to_string();
        value.clone().help(help.replace(['"', '`'], "'").replace(['$', '\\'], ""))
    };
    let values: Vec<_> = values.iter().map(plain).collect();
    arg.value_parser(PossibleValuesParser::new(values))
}

//! `--generate`: the manual page and completions for shells. The feature of this name adds it, with two crates that
//! a program does not need to search.

use std::io::{self, Write};

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command, CommandFactory};
use clap_complete::{Shell, generate};

use super::{Args, Generated, manual};

/// Prints one of them.
pub fn print(what: Generated) -> anyhow::Result<()> {
    let command = Args::command();
    // The generators panic if a pipe is closed, so they write into memory.
    let mut text = Vec::new();
    let shell = match what {
        Generated::Man => None,
        Generated::CompleteBash => Some(Shell::Bash),
        Generated::CompleteZsh => Some(Shell::Zsh),
        Generated::CompleteFish => Some(Shell::Fish),
        Generated::CompletePowershell => Some(Shell::PowerShell),
    };
    match shell {
        Some(shell) => complete(shell, command, &mut text),
        None => text = manual::page(command)?.into_bytes(),
    }
    io::stdout().write_all(&text).context("standard output")
}

/// The completions for a shell.
fn complete(shell: Shell, command: Command, out: &mut Vec<u8>) {
    generate(shell, &mut command.mut_args(without_quotes), "urlgrep", out);
}

/// The same option, whose values are described without characters that have a meaning between double
/// quotes. The generators for fish and zsh write the descriptions there, and do not escape them.
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

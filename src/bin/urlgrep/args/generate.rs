//! `--generate`: the manual page and completions for shells.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::{Args, Generated, manual};

/// Prints one of them.
pub fn print(what: Generated) -> io::Result<()> {
    let mut command = Args::command();
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
        Some(shell) => generate(shell, &mut command, "urlgrep", &mut text),
        None => text = manual::page(command).into_bytes(),
    }
    io::stdout().write_all(&text)
}

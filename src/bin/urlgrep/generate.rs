//! What is made from the definitions of the options: the manual page, and
//! completions for shells.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::args::{Args, Generated};

/// Prints one of them.
pub fn print(what: Generated) -> io::Result<()> {
    let mut command = Args::command();
    // In memory first: the generators cannot tell of a pipe that is closed.
    let mut made = Vec::new();
    let shell = match what {
        Generated::Man => None,
        Generated::CompleteBash => Some(Shell::Bash),
        Generated::CompleteZsh => Some(Shell::Zsh),
        Generated::CompleteFish => Some(Shell::Fish),
        Generated::CompletePowershell => Some(Shell::PowerShell),
    };
    match shell {
        Some(shell) => generate(shell, &mut command, "urlgrep", &mut made),
        None => clap_mangen::Man::new(command).render(&mut made)?,
    }
    io::stdout().write_all(&made)
}

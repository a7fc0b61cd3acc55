//! `--generate`: the manual page and completions for shells.

use std::io::{self, Write};

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command, CommandFactory};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

use super::{Args, Generated, sections};

/// Prints one of them.
pub fn print(what: Generated) -> io::Result<()> {
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
        None => manual(command, &mut text)?,
    }
    io::stdout().write_all(&text)
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

/// The manual page. Its synopsis does not list every option, and the sections after
/// the options have headings.
fn manual(command: Command, out: &mut impl Write) -> io::Result<()> {
    let man = Man::new(command);
    man.render_title(out)?;
    man.render_name_section(out)?;
    synopsis().to_writer(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    after_options().to_writer(out)?;
    man.render_version_section(out)
}

fn synopsis() -> Roff {
    let mut page = Roff::new();
    page.control("SH", ["SYNOPSIS"]);
    for (name, argument) in [("urlgrep", "PATH"), ("urlgrep --check", "URL")] {
        let end = [roman("]... ["), italic(argument), roman("]...")];
        page.text([bold(name), roman(" ["), italic("OPTION")].into_iter().chain(end).collect::<Vec<_>>());
        page.control("br", []);
    }
    page
}

fn after_options() -> Roff {
    let mut page = Roff::new();
    for (heading, text) in sections::SECTIONS {
        page.control("SH", [heading.to_uppercase().as_str()]);
        page.text([roman(text)]);
    }
    page.control("SH", ["EXAMPLES"]);
    for (command, what) in sections::EXAMPLES {
        page.control("TP", []);
        page.text([roman(format!("{what}:"))]);
        page.text([bold(command)]);
    }
    page
}

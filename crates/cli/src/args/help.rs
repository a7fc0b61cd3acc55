//! `-h`, `--help`, and the order of the options, which the manual page and the completions use as
//! well.

use std::io;

use clap::{Command, CommandFactory};

use super::Args;
use super::sections::{EXAMPLES, SECTIONS};

/// The texts that clap prints for `-h` and for `--help`, by which [`print()`] distinguishes them.
pub const SHORT: &str = "-h";
pub const LONG: &str = "--help";

/// The options by what one wants: headings, and the long names below each.
const GROUPS: [(&str, &str); 10] = [
    (
        "Print URLs",
        "line-number column byte-offset with-filename no-filename heading no-heading context after-context before-context \
         explain alternatives pretty color hyperlink",
    ),
    ("Output modes", "menu open-with report count group files-with-matches quiet stats check invalid"),
    ("Change URLs", "clean normalize unwrap redact defang"),
    (
        "Select URLs",
        "links role match ignore-case strings-file exclude where host scheme grade warnings unquoted unique max-count at",
    ),
    ("Select messages", "from since until newest"),
    (
        "Select files",
        "type type-not type-add type-list glob hidden ignore follow max-depth max-filesize files-from files sort pre",
    ),
    (
        "Find more URLs",
        "join hyphen width schemeless refang nested scheme-add iri max-len input attachments \
         no-attachments no-headers dot-stuffing dialect",
    ),
    ("Output for programs", "json csv columns keep format vimgrep null line-buffered"),
    ("Without effect", "recursive only-matching fixed-strings"),
    ("Other", "threads memory no-messages strict no-config generate help version"),
];

/// The options that `-h` shows, in this order.
const FIRST: &str = "links menu report match ignore-case host scheme where from since join unique count group quiet line-number vimgrep json \
     csv columns format warnings refang type invalid";

/// The beginning of every help. The examples, or the index, are before the options.
const HEAD: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}";

/// The examples that `-h` shows: the first ones.
const FIRST_EXAMPLES: usize = 6;

/// The width of all help texts, which is the usual width of a terminal.
const WIDTH: usize = 80;

/// The column at which the names start in the index.
const INDENT: usize = 24;

/// Returns the command with its options in the order of [`GROUPS`].
pub fn command() -> Command {
    let mut defined = Args::command();
    defined.build();
    let option = |name: &str| defined.get_arguments().find(|arg| arg.get_long() == Some(name)).cloned();
    let names = GROUPS.iter().flat_map(|(heading, names)| names.split(' ').map(move |name| (*heading, name)));
    let options = names.enumerate().filter_map(|(order, (heading, name))| {
        Some(option(name)?.help_heading(heading).display_order(order))
    });
    Command::new("urlgrep")
        .version(env!("CARGO_PKG_VERSION"))
        .about(defined.get_about().cloned().unwrap_or_default())
        .long_about(defined.get_long_about().cloned().unwrap_or_default())
        .disable_help_flag(true)
        .disable_version_flag(true)
        .groups(defined.get_groups().cloned())
        .args(defined.get_positionals().cloned())
        .args(options)
}

/// Prints the help that was asked for: `asked` is [`SHORT`], or else it is the long one.
///
/// # Errors
///
/// Returns an error if standard output cannot be written.
pub fn print(asked: &str) -> io::Result<()> {
    match asked.trim() == SHORT {
        true => short().print_help(),
        false => long().print_long_help(),
    }
}

/// Returns all options, with a sentence about each.
#[cfg(feature = "generate")]
pub fn list() -> String {
    command().help_template("{all-args}").render_help().to_string()
}

/// One screen: the purpose of the program, its usage, and its most frequent options.
fn short() -> Command {
    let examples = EXAMPLES[..FIRST_EXAMPLES].iter();
    let examples: String = examples.map(|(command, what)| format!("\n  {command:<34}  {what}")).collect();
    let first = |arg: clap::Arg| {
        let order = FIRST.split(' ').position(|name| arg.get_long() == Some(name));
        let arg = arg.hide_short_help(order.is_none()).display_order(order.unwrap_or_default());
        let has_values = arg.get_action().takes_values();
        arg.hide_possible_values(has_values).hide_default_value(has_values)
    };
    command()
        .mut_args(first)
        .term_width(WIDTH)
        .help_template(format!("{HEAD}Options:\n{{options}}{{after-help}}"))
        .before_help(format!("Examples:{examples}"))
        .after_help("All options: --help")
}

/// The complete help, after an index.
fn long() -> Command {
    let sections: String = SECTIONS.iter().map(|(heading, text)| format!("{heading}: {text}\n\n")).collect();
    let examples = EXAMPLES.iter().map(|(command, what)| format!("\n  {what}:\n      {command}"));
    // The headings, and the names of the options below each.
    const COLUMN: usize = INDENT - "  ".len();
    let row = |(heading, names): &(&str, &str)| format!("\n  {heading:<COLUMN$}{}", folded(names));
    let index = format!("Index:{}", GROUPS.iter().map(row).collect::<String>());
    command()
        .term_width(WIDTH)
        .help_template(format!("{HEAD}{{all-args}}{{after-help}}"))
        .before_long_help(index)
        .after_long_help(format!("{sections}Examples:{}", examples.collect::<String>()))
}

/// The names of options, in lines that are not too long.
fn folded(names: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for name in names.split(' ') {
        match lines.last_mut() {
            Some(line) if INDENT + line.len() + " --".len() + name.len() <= WIDTH => {
                line.extend([" --", name]);
            }
            _ => lines.push(format!("--{name}")),
        }
    }
    lines.join(&format!("\n{:INDENT$}", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The long names of the options, as they are defined.
    fn defined() -> Vec<String> {
        let mut command = Args::command();
        command.build();
        let mut names: Vec<_> =
            command.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned)).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn every_option_is_in_one_group() {
        let mut names: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.split(' ')).collect();
        names.sort_unstable();
        assert_eq!(names, defined());
        assert!(FIRST.split(' ').all(|name| names.contains(&name)));
        command().debug_assert();
    }

    /// An option more costs every reader of the help something. If two say what one could, one goes.
    #[test]
    fn there_are_not_more_than_a_hundred_options() {
        assert!(defined().len() <= 100, "{}", defined().len());
    }
}

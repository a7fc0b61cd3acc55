//! The manual page, in the macros of man(7).
//!
//! It is made of the definitions of the options and of [`sections`]. No line
//! is longer than 79 bytes and every character beyond ASCII is escaped, as mandoc(1) and
//! groff(1) want it.

use std::fmt::Write;

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, Command};

use super::sections;

/// The day of the last release, in the footer.
const DATE: &str = "2026-11-22";

/// The longest line, in bytes.
const WIDTH: usize = 79;

/// The page.
pub fn page(mut command: Command) -> String {
    command.build();
    let mut page = Page(String::new());
    page.raw(&format!(".TH URLGREP 1 {DATE} \"urlgrep {}\"", env!("CARGO_PKG_VERSION")));
    // Options are not hyphenated, and lines end ragged.
    page.raw(".nh\n.ad l");
    page.macro_line("SH", &["NAME"]);
    page.words(&format!("urlgrep - {}", first_lower(command.get_about())));
    synopsis(&mut page);
    page.macro_line("SH", &["DESCRIPTION"]);
    page.paragraphs(&all_but_first(command.get_long_about()), "PP");
    options(&mut page, &command);
    for (heading, text) in sections::SECTIONS.iter().chain(&sections::FILES) {
        page.macro_line("SH", &[&heading.to_uppercase()]);
        page.paragraphs(text, "PP");
    }
    examples(&mut page);
    for (heading, text) in sections::AT_THE_END {
        page.macro_line("SH", &[&heading.to_uppercase()]);
        page.paragraphs(text, "PP");
    }
    page.0
}

fn synopsis(page: &mut Page) {
    page.macro_line("SH", &["SYNOPSIS"]);
    page.raw("\\fBurlgrep\\fR [\\fIOPTION\\fR]... [\\fIPATH\\fR]...");
    page.raw(".br");
    page.raw("\\fBurlgrep \\-\\-check\\fR [\\fIOPTION\\fR]... [\\fIURL\\fR]...");
}

/// The options, in a subsection for each heading of the help.
fn options(page: &mut Page, command: &Command) {
    page.macro_line("SH", &["OPTIONS"]);
    let mut heading = None;
    for of_heading in [false, true] {
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            if arg.get_help_heading().is_some() != of_heading {
                continue;
            }
            if arg.get_help_heading() != heading {
                heading = arg.get_help_heading();
                page.macro_line("SS", heading.as_slice());
            }
            option(page, arg);
        }
    }
}

fn option(page: &mut Page, arg: &Arg) {
    page.raw(".TP");
    page.raw(&names(arg));
    let help = arg.get_long_help().or_else(|| arg.get_help());
    page.paragraphs(&help.map(ToString::to_string).unwrap_or_default(), "IP");
    let values: Vec<_> = arg.get_possible_values().into_iter().filter(|value| !value.is_hide_set()).collect();
    let is_flag = matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::Help | ArgAction::Version);
    if !is_flag && !values.is_empty() {
        possible_values(page, &values);
    }
}

/// The names of an option, and what follows them.
fn names(arg: &Arg) -> String {
    let value = arg.get_value_names().map(|names| names.join(" "));
    if arg.is_positional() {
        return format!("[\\fI{}\\fR]...", escaped(&value.unwrap_or_default()));
    }
    let short = arg.get_short().map(|short| format!("\\fB\\-{short}\\fR"));
    let long = arg.get_long().map(|long| format!("\\fB\\-\\-{}\\fR", escaped(long)));
    let mut names = short.into_iter().chain(long).collect::<Vec<_>>().join(", ");
    let value = value.filter(|_| arg.get_action().takes_values()).map(|value| escaped(&value));
    match value {
        Some(value) if arg.is_require_equals_set() => _ = write!(names, "[=\\fI{value}\\fR]"),
        Some(value) => _ = write!(names, " \\fI{value}\\fR"),
        None => {}
    }
    match arg.get_default_values() {
        [default] if arg.get_action().takes_values() => {
            _ = write!(names, " [default: {}]", escaped(&default.to_string_lossy()));
        }
        _ => {}
    }
    names
}

fn possible_values(page: &mut Page, values: &[PossibleValue]) {
    page.raw(".RS");
    for value in values {
        page.raw(".TP");
        page.raw(&format!("\\fB{}\\fR", escaped(value.get_name())));
        page.words(&value.get_help().map(ToString::to_string).unwrap_or_default());
    }
    page.raw(".RE");
}

fn examples(page: &mut Page) {
    page.macro_line("SH", &["EXAMPLES"]);
    for (command, what) in sections::EXAMPLES {
        page.raw(".TP");
        page.words(&format!("{what}:"));
        page.raw(&format!("\\fB{}\\fR", escaped(command)));
    }
}

/// The first paragraph of the help, as the page's one line about the program.
fn first_lower(about: Option<&impl ToString>) -> String {
    let about = about.map(ToString::to_string).unwrap_or_default();
    let mut chars = about.chars();
    chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
}

/// What follows the first paragraph.
fn all_but_first(about: Option<&impl ToString>) -> String {
    let about = about.map(ToString::to_string).unwrap_or_default();
    about.split_once("\n\n").map_or(about.clone(), |(_, rest)| rest.to_owned())
}

/// The source of a page.
struct Page(String);

impl Page {
    /// A line, verbatim.
    fn raw(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// A macro. Arguments with spaces are quoted.
    fn macro_line(&mut self, name: &str, arguments: &[&str]) {
        let quoted = arguments.iter().map(|argument| {
            let quote = if argument.contains(' ') { "\"" } else { "" };
            format!(" {quote}{}{quote}", escaped(argument))
        });
        let line = format!(".{name}{}", quoted.collect::<String>());
        self.raw(&line);
    }

    /// Paragraphs, with a macro between them.
    fn paragraphs(&mut self, text: &str, between: &str) {
        for (index, paragraph) in text.split("\n\n").enumerate() {
            if index > 0 {
                self.raw(&format!(".{between}"));
            }
            self.words(paragraph);
        }
    }

    /// Words, in lines that are filled. A line that a dot or an apostrophe begins would be a
    /// request.
    fn words(&mut self, text: &str) {
        let mut line = String::new();
        for word in text.split_ascii_whitespace().map(escaped) {
            if !line.is_empty() && line.len() + 1 + word.len() > WIDTH {
                self.raw(&std::mem::take(&mut line));
            }
            let first = if line.is_empty() { if word.starts_with('.') { "\\&" } else { "" } } else { " " };
            line.push_str(first);
            line.push_str(&word);
        }
        if !line.is_empty() {
            self.raw(&line);
        }
    }
}

/// A text in which no character has a meaning for roff.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\\' => escaped.push_str("\\e"),
            '-' => escaped.push_str("\\-"),
            '\'' => escaped.push_str("\\(aq"),
            '`' => escaped.push_str("\\(ga"),
            '^' => escaped.push_str("\\(ha"),
            '~' => escaped.push_str("\\(ti"),
            char if char.is_ascii() => escaped.push(char),
            char => _ = write!(escaped, "\\[u{:04X}]", u32::from(char)),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_request_or_an_escape() {
        let mut page = Page(String::new());
        page.words(".gitignore 'a' \\xNN --x \u{2026} ~");
        assert_eq!(page.0, "\\&.gitignore \\(aqa\\(aq \\exNN \\-\\-x \\[u2026] \\(ti\n");
    }

    #[test]
    fn lines_are_filled() {
        let mut page = Page(String::new());
        page.paragraphs(&format!("{} b\nc\n\nd", "a".repeat(WIDTH - 2)), "PP");
        assert_eq!(page.0, format!("{} b\nc\n.PP\nd\n", "a".repeat(WIDTH - 2)));
    }
}

//! Options of grep that are called otherwise here, or that nobody needs.
//!
//! Whoever knows grep types them before reading any help. The error then says
//! what to type instead.

use clap::error::{ContextKind, ContextValue};

/// Options, and what to do without them.
const HABITS: &[(&[&str], &str)] = &[
    (
        &["-r", "-R", "--recursive", "--dereference-recursive"],
        "directories are searched with all that is below them in any case",
    ),
    (
        &["-i", "-y", "--ignore-case"],
        "schemes and hosts are found in any letter case; '(?i)' before the REGEX of --match is for the rest",
    ),
    (&["-v", "--invert-match"], "--exclude REGEX leaves out the URLs that REGEX matches"),
    (
        &["-e", "-E", "-F", "-G", "-P", "-f", "--regexp"],
        "no pattern is needed: every URL is found, and --match REGEX chooses among them",
    ),
    (
        &["-A", "-B", "-C", "--after-context", "--before-context"],
        "--context=NUM prints the lines before and behind",
    ),
    (&["-a", "--text"], "binary files are searched, too, in any case"),
    (&["-Z"], "this is -0 or --null"),
    (&["--include"], "--glob GLOB chooses files by name, --type TYPE by kind"),
    (&["--exclude-dir"], "--glob '!NAME' leaves out files and directories"),
    (&["--files-without-match"], "--count prints 0 for files that have no URLs"),
];

/// The same error, with the advice that belongs to the option.
pub fn advise(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return error };
    let habit = HABITS.iter().find(|(options, _)| options.contains(&option.as_str()));
    if error.kind() == clap::error::ErrorKind::UnknownArgument
        && let Some((_, advice)) = habit
    {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![(*advice).into()]));
    }
    error
}

//! Options of grep that have another name here, or that are not needed.
//!
//! The error for such an option says what to type instead.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options of grep, and what to type instead.
const HINTS: &[(&[&str], &str)] = &[
    (
        &["-r", "-R", "--recursive", "--dereference-recursive"],
        "directories are always searched recursively; no option is needed",
    ),
    (
        &["-i", "-y", "--ignore-case"],
        "schemes and hosts match in any letter case; for the rest, start the REGEX of --match with '(?i)'",
    ),
    (&["-v", "--invert-match"], "to exclude URLs, use --exclude REGEX"),
    (
        &["-e", "-E", "-G", "-P", "--regexp"],
        "no pattern is needed to find URLs; to select some of them, use --match REGEX",
    ),
    (&["-a", "--text"], "binary files are always searched; no option is needed"),
    (&["-Z"], "use -0 or --null"),
    (&["--include"], "to select files by name, use --glob GLOB; by type, use --type TYPE"),
    (&["--exclude-dir"], "to exclude files and directories, use --glob '!NAME'"),
    (&["--files-without-match"], "--count prints 0 for files without URLs"),
];

/// The same error with the hint for its option.
pub fn add_hint(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return error };
    let hint = HINTS.iter().find(|(options, _)| options.contains(&option.as_str()));
    if let (ErrorKind::UnknownArgument, Some((_, hint))) = (error.kind(), hint) {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![(*hint).into()]));
    }
    error
}

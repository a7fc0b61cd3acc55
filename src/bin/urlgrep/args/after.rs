//! What the help says behind the options. In the manual page each has a section
//! of its own.

/// Headings, and what stands below them.
pub const SECTIONS: [(&str, &str); 3] = [
    (
        "Exit status",
        "0 if a URL was found, 1 if none was, and 2 if there was an error, found or not. An error in one file \
         does not keep the others from being searched.",
    ),
    ("Printed lines", "PATH:LINE:COLUMN:OFFSET:URL, with those of the fields that are asked for."),
    (
        "Environment",
        "URLGREP_CONFIG_PATH names a file with arguments that come before those of the command line, one on \
         each line, as it is: no shell takes blanks and quotes apart. What begins with \"#\" is a comment. It is \
         not read with --check or --generate. NO_COLOR, if it is set, is as --color never and --hyperlink never \
         on a terminal.",
    ),
];

/// Commands, and what they are for.
pub const EXAMPLES: [(&str, &str); 6] = [
    ("urlgrep -n list.mbox", "Each URL of a mailbox, and its line"),
    ("urlgrep -uc mail/ | sort -rn", "Each once, the most frequent first"),
    ("urlgrep --host '*.edu' --match '(?i)faq' mail/", "Only some of them"),
    ("find . -name '*.eml' -print0 | urlgrep --files-from -", "In files that find chooses"),
    ("urlgrep --json list.mbox | jq -r .message.subject", "The subject that each stands under"),
    ("if urlgrep -q --scheme gopher letter; then ...", "In a script"),
];

/// All of it, for `--help`.
pub fn help() -> String {
    let examples = EXAMPLES.map(|(command, what)| format!("  {what}:\n      {command}\n"));
    let sections = SECTIONS.map(|(heading, text)| format!("{heading}: {text}\n\n"));
    format!("{}Examples:\n{}", sections.concat(), examples.concat().trim_end())
}

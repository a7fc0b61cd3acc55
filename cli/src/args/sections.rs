//! The sections after the options, in `--help` and in the manual page.

/// Headings, and the text of each section.
pub const SECTIONS: [(&str, &str); 3] = [
    (
        "Output",
        "A line is PATH:LINE:COLUMN:OFFSET:URL, with only those fields that the options select. Errors and \
         statistics are printed on standard error.",
    ),
    (
        "Exit status",
        "0 if a URL was found, 1 if none was found, and 2 if there was an error, even if URLs were found. \
         After an error in one file, the other files are still searched.",
    ),
    (
        "Environment",
        "URLGREP_CONFIG_PATH names a file with arguments, which come before those of the command line. Each \
         line is one argument, verbatim: spaces and quotes have no special meaning. Lines that start with \"#\" \
         are comments. The file is not read with --check or --generate. If NO_COLOR is set, a terminal gets \
         no colors and no hyperlinks by default. BROWSER lists the commands that open the URLs of --menu, \
         separated by \":\": the first one that succeeds is enough. \"%s\" in a command is the URL, which is \
         otherwise its last argument; a command that ends with \" &\" runs while the menu goes on.",
    ),
];

/// The files that it reads besides, for the manual page.
pub const FILES: [(&str, &str); 1] = [(
    "Files",
    "There is no configuration file unless URLGREP_CONFIG_PATH names one. With --ignore, the files \
     .gitignore, .ignore and .git/info/exclude are read, and the global file of git.\n\n\
     Documents and macros for mail readers are installed in share/doc/urlgrep; in its \
     docs, options.md has examples, output.md the fields of --json, formats.md what is read, exactness.md \
     the rules.",
)];

/// The last sections of the manual page.
pub const AT_THE_END: [(&str, &str); 2] = [
    (
        "Bugs",
        "Whether a hyphen at the end of a line belongs to a URL cannot be known: --alternatives prints the \
         other reading. A URL without delimiters ends at the end of its line, unless --join likely finds \
         evidence that it continues; that evidence can be wrong.\n\n\
         7z, RAR, PST and PDF files are not read; a message on standard error names them, and --pre runs \
         a program that makes text of them. Encrypted mail has no text. In Chinese, Japanese, Thai and \
         other scripts without spaces, a bare URL ends at the first such letter unless --iri=all is given.\n\n\
         Report bugs at https://github.com/urlgrep/urlgrep/issues, with the command and a file that is as \
         small as you can make it.",
    ),
    (
        "See also",
        "grep(1), rg(1), mutt(1), notmuch(1), xdg-open(1), mbox(5), maildir(5)\n\n\
         RFC 1738, Uniform Resource Locators (URL), with its Appendix, Recommendations for URLs in Context. \
         RFC 3986, Uniform Resource Identifier (URI): Generic Syntax, with its Appendix C. RFC 5322 and RFC \
         2045 to 2047, mail. RFC 5536, news.",
    ),
];

/// Commands, and what they print.
pub const EXAMPLES: [(&str, &str); 6] = [
    ("urlgrep -n list.mbox", "The URLs of a mailbox, with line numbers"),
    ("urlgrep -uc mail/ | sort -rn", "Each URL once, the most frequent first"),
    ("urlgrep --host '*.edu' --match '(?i)faq' mail/", "Only URLs with this host and this text"),
    ("find . -name '*.eml' -print0 | urlgrep --files-from -", "URLs in the files that find selects"),
    ("urlgrep --json list.mbox | jq -r .message.subject", "The subject of the message of each URL"),
    ("if urlgrep -q --scheme gopher letter; then ...", "A condition in a script"),
];

/// The sections and examples, for `--help`.
pub fn help() -> String {
    let examples = EXAMPLES.map(|(command, what)| format!("  {what}:\n      {command}\n"));
    let sections = SECTIONS.map(|(heading, text)| format!("{heading}: {text}\n\n"));
    format!("{}Examples:\n{}", sections.concat(), examples.concat().trim_end())
}

//! The sections after the options, in `--help` and in the manual page, and the examples, which `-h` has, too.

/// Headings, and the text of each section.
pub const SECTIONS: [(&str, &str); 3] = [
    (
        "Output",
        "A line is PATH:LINE:COLUMN:OFFSET:URL, with only those fields that the options select. Errors and \
         statistics are printed on standard error.",
    ),
    (
        "Exit status",
        "0 if a URL was found, 1 if none was found, and 2 if there was an error, even if URLs were found: a file is missing, \
         may not be read, is damaged, or is named on the command line and not read. What is not read in a directory, an \
         archive or a message is said on standard error; with --strict it is an error, too. After an error in one file, the \
         other files are still searched. With --quiet the search ends at the first URL, and the status is 0 then, even after \
         an error. With --check it is 1 if a URL is not valid by RFC 3986, or does not have the grade of --grade.",
    ),
    (
        "Environment",
        "URLGREP_CONFIG_PATH names a file with arguments, which come before those of the command line. Each \
         line is one argument, verbatim: spaces and quotes have no special meaning. Lines that start with \"#\" \
         are comments. The file is not read with --check, --generate or --no-config. If NO_COLOR is set, a terminal gets \
         no colors and no hyperlinks by default. BROWSER lists the commands that open the URLs of --menu if there is no --open-with, \
         separated by \":\": the first one that succeeds is enough. \"%s\" in a command is the URL, which is \
         otherwise its last argument; a command that ends with \" &\" runs while the menu goes on.",
    ),
];

/// Commands, and what they print.
pub const EXAMPLES: [(&str, &str); 10] = [
    ("urlgrep --links mail", "What a person can click or read"),
    ("urlgrep --menu mail", "The same, to open or to copy"),
    ("urlgrep --links --since 7d mail", "The links of the last week"),
    ("urlgrep -n --host example.org mail", "Links to a site, with line numbers"),
    ("urlgrep --group url mail", "Each URL once, the most frequent first"),
    ("urlgrep -q --report urls.html mail", "A page with a table and charts"),
    ("urlgrep --host '*.edu' -i -e faq mail", "Only URLs with this host and this word"),
    ("find . -name '*.eml' -print0 | urlgrep --files-from -", "URLs in the files that find selects"),
    ("urlgrep --json mail | jq -r .message.subject", "The subject of the message of each URL"),
    ("if urlgrep -q --scheme gopher mail; then ...", "A condition in a script"),
];

//! The sections after the options in `--help` and in the manual page, and the examples, which `-h`
//! shows as well.

/// Headings, and the text of each section.
pub const SECTIONS: [(&str, &str); 3] = [
    (
        "Output",
        "With -H, -n, --column and -b, the path, the line, the column and the byte offset precede the URL: \
         PATH:LINE:COLUMN:OFFSET:URL. Errors and statistics are printed on standard error.",
    ),
    (
        "Exit status",
        "0 if a URL was found, 1 if no URL was found, and 2 after an error, even if URLs were found. It is an error if a \
         file is missing, unreadable or damaged, or if an unsupported file is given on the command line; --strict adds other \
         cases. After an error in one file, urlgrep still searches the others. With --quiet, the status is 0 if a URL was \
         found, even after an error. With --check, it is 1 if a URL does not conform to RFC 3986, or its grade is lower than required by \
         --grade.",
    ),
    (
        "Environment",
        "URLGREP_CONFIG_PATH is the path of a file whose lines are inserted before the command-line arguments. \
         Each line is one argument, verbatim: spaces and quotes have no special meaning. Write an option and its value \
         on two lines, or as --host=h.org. Lines that start with \"#\" are comments. The file is not read with --check, \
         --generate or --no-config.\n\n\
         If NO_COLOR is set, urlgrep prints no colours or hyperlinks, unless --color or --hyperlink asks for them.\n\n\
         BROWSER is a list of commands, separated by \":\", that open the URLs of --menu without --open-with. They are \
         tried in order until one succeeds. The URL replaces \"%s\" in a command, or is its last argument. A command \
         whose last word is \"&\" runs in the background.",
    ),
];

/// Commands, and descriptions of their output.
pub const EXAMPLES: [(&str, &str); 10] = [
    ("urlgrep --links mail", "The links that a person can click or read"),
    ("urlgrep --menu mail", "Choose links to open or copy in a menu"),
    ("urlgrep --links --since 7d mail", "The links of the last 7 days"),
    ("urlgrep -n --host example.org mail", "Links to a site, with line numbers"),
    ("urlgrep --group url mail", "Each URL once, most frequent first"),
    ("urlgrep -q --report urls.html mail", "An HTML page with a table and charts"),
    ("urlgrep --host '*.edu' -i -e faq mail", "URLs with this host that contain this word"),
    ("find . -name '*.eml' -print0 | urlgrep --files-from -", "URLs in the files that find selects"),
    ("urlgrep --json mail | jq -r .message.subject", "The subject of each URL's message"),
    ("if urlgrep -q --scheme gopher mail; then ...", "A condition in a script"),
];

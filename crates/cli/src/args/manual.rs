//! The manual page, which clap_mangen writes from the definitions of the options, and from the
//! sections here.

use std::fmt::Write;
use std::io;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::sections::{EXAMPLES, SECTIONS};

/// The day of the last release, in the footer.
const DATE: &str = "2026-11-22";

/// The ways to call the program. There are too many options to list them.
const USAGE: &str = "urlgrep [OPTION]... [PATH]...\nurlgrep --check [OPTION]... [URL]...";

/// The longest line, in bytes.
const WIDTH: usize = 77;

/// Returns the page. It is written into memory, which does not fail.
pub fn page(command: Command) -> io::Result<String> {
    let man = Man::new(command.override_usage(USAGE)).title("URLGREP").date(DATE).manual("User Commands");
    let (mut page, mut options) = (Vec::new(), Vec::new());
    man.render_title(&mut page)?;
    // Options are not hyphenated, and lines end ragged.
    Roff::new().control("nh", []).control("ad", ["l"]).to_writer(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut options)?;
    let mut rest = Roff::new();
    SECTIONS.iter().chain(&FILES).for_each(|section| self::section(&mut rest, section));
    rest.control("SH", ["EXAMPLES"]);
    for (command, what) in EXAMPLES {
        rest.control("TP", []).text([roman(format!("{what}:"))]).text([bold(command)]);
    }
    AT_THE_END.iter().for_each(|section| self::section(&mut rest, section));
    let (page, options) = (String::from_utf8_lossy(&page), String::from_utf8_lossy(&options));
    // Some groups of options have the same names as other sections.
    let options = options.replace(".SH ", ".SS ").replacen(".SS ", ".SH ", 1);
    // Each option with its values is a paragraph: in a list, each value would take two lines.
    let options = options.replace(":\\fR\n.RS 14\n.IP \\(bu 2\n", ":\\fR ");
    let options = options.replace("\n.IP \\(bu 2\n", "; ").replace("\n.RE\n", ".\n");
    Ok(tidy(&[&*page, &options, &rest.render()].concat()))
}

fn section(page: &mut Roff, (heading, text): &(&str, &str)) {
    page.control("SH", [&*heading.to_uppercase()]).text([roman(*text)]);
}

/// Returns this page in the form that mandoc(1) expects: with requests instead of empty lines, and
/// short lines, in which groff(1) replaces no character.
fn tidy(page: &str) -> String {
    let mut tidy = String::with_capacity(page.len() * 2);
    for line in page.replace("\n.br\n\n.br\n", "\n\n").lines() {
        match line.as_bytes() {
            [] => tidy.push_str(".sp\n"),
            [b'.', ..] => _ = writeln!(tidy, "{line}"),
            _ => fold(&escaped(line), &mut tidy),
        }
    }
    tidy
}

/// Adds a line of text as lines that are not too long. None becomes a request.
fn fold(mut line: &str, page: &mut String) {
    while line.len() > WIDTH
        && let Some((short, rest)) = line.split_at_checked(WIDTH)
        && let Some(at) = short.rfind(' ').or_else(|| Some(WIDTH + rest.find(' ')?))
    {
        let dot = if line[at + 1..].starts_with('.') { "\\&" } else { "" };
        _ = write!(page, "{}\n{dot}", &line[..at]);
        line = &line[at + 1..];
    }
    page.push_str(line);
    page.push('\n');
}

/// A line without characters that groff replaces, and in ASCII.
fn escaped(line: &str) -> String {
    line.chars().fold(String::new(), |mut escaped, char| {
        match char {
            '`' => escaped.push_str("\\(ga"),
            '^' => escaped.push_str("\\(ha"),
            '~' => escaped.push_str("\\(ti"),
            char if char.is_ascii() => escaped.push(char),
            char => _ = write!(escaped, "\\[u{:04X}]", u32::from(char)),
        }
        escaped
    })
}

/// The files that it reads besides, for the manual page.
const FILES: [(&str, &str); 1] = [(
    "Files",
    "Without URLGREP_CONFIG_PATH, urlgrep does not read a configuration file. With --ignore, it reads the files \
     .gitignore, .ignore and .git/info/exclude, and git's global ignore file.\n\n\
     Documents and macros for mail readers are installed in share/doc/urlgrep. In its folder docs, guide.md contains \
     examples, output.md describes the fields of --json, formats.md lists the formats, and exactness.md explains the \
     rules.",
)];

/// The last sections of the manual page.
const AT_THE_END: [(&str, &str); 2] = [
    (
        "Bugs",
        "A hyphen at the end of a line may or may not belong to a URL: --alternatives prints the other reading. A URL \
         without delimiters ends at the end of its line, unless --join likely finds evidence that it continues. \
         That evidence can be wrong.\n\n\
         7z and RAR files are not supported, and only the links of PDF documents are searched. Both are reported on \
         standard error. --pre runs a program that converts such files to text (--pre '*.pdf pdftotext {} -'). \
         Encrypted mail is not decrypted. In Chinese, Japanese, Thai and other scripts without spaces, a bare URL ends \
         at the first such letter unless --iri=all is given.\n\n\
         Report bugs at https://github.com/urlgrep/urlgrep/issues, with the command and the smallest file that \
         shows the bug.",
    ),
    (
        "See also",
        "grep(1), rg(1), mutt(1), notmuch(1), xdg-open(1), mbox(5), maildir(5)\n\n\
         RFC 1738, Uniform Resource Locators (URL), with its Appendix, Recommendations for URLs in Context. \
         RFC 3986, Uniform Resource Identifier (URI): Generic Syntax, with its Appendix C. RFC 5322 and RFC \
         2045 to 2047, mail. RFC 5536, news.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_request_or_replaced() {
        let text = format!("{} .gitignore\n\n~ ` ^ \u{2026}", "a".repeat(WIDTH - 1));
        let expected =
            format!("{}\n\\&.gitignore\n.sp\n\\(ti \\(ga \\(ha \\[u2026]\n", "a".repeat(WIDTH - 1));
        assert_eq!(tidy(&text), expected);
    }

    #[test]
    fn long_lines_are_folded_and_long_words_are_not() {
        let word = "b".repeat(WIDTH + 10);
        assert_eq!(tidy(&format!("a {word} c\n.SH X")), format!("a\n{word}\nc\n.SH X\n"));
    }

    /// A line as long as the limit, and one byte longer.
    #[test]
    fn only_longer_lines_are_folded() {
        let word = "b".repeat(WIDTH - 2);
        assert_eq!(tidy(&format!("a {word}")), format!("a {word}\n"));
        assert_eq!(tidy(&format!("a {word}b")), format!("a\n{word}b\n"));
    }
}

//! Limits of the rules: what happens at the limit, and one byte, line or piece past it.
//!
//! Each row contains the limit as its comment in the code states it, and a text for every number, in which only this
//! number decides. The expected URLs follow from the rule, so that no other value of the constant passes.

mod archive;

use urlgrep::{Evidence, Finder, FinderBuilder, Join, Schemeless};

/// A limit, the text for a number, and the URLs there: within the limit, and past it.
struct Bound {
    limit: &'static str,
    last: usize,
    options: fn(FinderBuilder) -> FinderBuilder,
    text: fn(usize) -> String,
    within: fn(usize) -> String,
    past: fn(usize) -> String,
}

/// The URLs in a text, with a space between them.
fn urls(options: fn(FinderBuilder) -> FinderBuilder, text: &str) -> String {
    let evidence = Evidence::new();
    let known = options(Finder::builder()).join(Join::Delimited).explain(true).build().unwrap();
    known.find_iter(text.as_bytes()).for_each(|m| evidence.add(&m));
    let finder = options(Finder::builder()).evidence(evidence).build().unwrap();
    finder.find_iter(text.as_bytes()).map(|m| m.to_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
}

/// Checks every row, and lists all rows that fail.
#[track_caller]
fn check(bounds: &[Bound]) {
    let mut failures = String::new();
    for Bound { limit, last, options, text, within, past } in bounds {
        for (n, expected) in [(*last, within(*last)), (*last + 1, past(*last + 1))] {
            let found = urls(*options, &text(n));
            if found != expected {
                failures += &format!("{limit}, {n}:\n  expected {expected}\n  found    {found}\n");
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

fn default(builder: FinderBuilder) -> FinderBuilder {
    builder
}

fn likely(builder: FinderBuilder) -> FinderBuilder {
    builder.join(Join::Likely)
}

/// A terminal of 40 columns.
fn terminal(builder: FinderBuilder) -> FinderBuilder {
    builder.join(Join::Likely).width(40)
}

fn emails(builder: FinderBuilder) -> FinderBuilder {
    builder.schemeless([Schemeless::Emails])
}

/// `n` letters, or as many as fill a line of `n` bytes that `start` begins.
fn a(n: usize) -> String {
    "a".repeat(n)
}

fn filled(start: &str, n: usize, end: &str) -> String {
    format!("{start}{}{end}", a(n - start.len() - end.len()))
}

/// Numbered lines or pieces: the text between `before` and `after` is the number.
fn numbered(n: usize, before: &str, after: &str) -> String {
    (1..=n).map(|n| format!("{before}{n}{after}")).collect()
}

/// The start of a rewritten link, which ends at its last parameter.
const REWRITTEN: &str = "https://eur01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fh.org";

#[test]
fn lines_that_are_joined() {
    check(&[
        Bound {
            limit: "a URL fills 32 lines of a terminal",
            last: 32,
            options: terminal,
            text: |n| {
                format!(
                    "{}{}\nbbb\n",
                    filled("http://h.org/", 40, ""),
                    ("\n".to_owned() + &a(40)).repeat(n - 2)
                )
            },
            within: |n| filled("http://h.org/", 40 * (n - 1), "") + "bbb",
            past: |_| filled("http://h.org/", 40 * 32, ""),
        },
        Bound {
            limit: "rule S joins 8 lines",
            last: 8,
            options: likely,
            text: |n| format!("{}\n{}\n", filled("http://h.org/", 47, "?b="), numbered(n, &a(50), "=\n")),
            within: |n| filled("http://h.org/", 47, "?b=") + &numbered(n, &a(50), "="),
            past: |_| filled("http://h.org/", 47, "?b=") + &numbered(8, &a(50), "="),
        },
        Bound {
            limit: "a known URL is completed by 3 lines",
            last: 3,
            options: likely,
            text: |n| {
                format!(
                    "<http://h.org/a{}>\n\nhttp://h.org/a\n{}",
                    numbered(n, "/b", ""),
                    numbered(n, "/b", "\n")
                )
            },
            within: |n| {
                ["http://h.org/a", "http://h.org/a"]
                    .map(|url| url.to_owned() + &numbered(n, "/b", ""))
                    .join(" ")
            },
            past: |n| format!("http://h.org/a{} http://h.org/a", numbered(n, "/b", "")),
        },
        Bound {
            limit: "a known URL is completed by 3 lines after lines that another rule joined",
            last: 3,
            options: likely,
            text: |n| {
                let [whole, lines] = ["", "\n"].map(|end| {
                    let first = filled("http://h.org/", 47, "?b=") + end;
                    first + &numbered(3, &a(50), &format!("={end}")) + "x" + end + &numbered(n, "/b", end)
                });
                format!("<{whole}>\n\n{lines}")
            },
            within: |n| {
                let url = filled("http://h.org/", 47, "?b=") + &numbered(3, &a(50), "=") + "x";
                [&*url, &*url].map(|url| url.to_owned() + &numbered(n, "/b", "")).join(" ")
            },
            past: |n| {
                let url = filled("http://h.org/", 47, "?b=") + &numbered(3, &a(50), "=") + "x";
                format!("{url}{} {url}", numbered(n, "/b", ""))
            },
        },
        Bound {
            limit: "a rewritten link continues on 32 lines",
            last: 32,
            options: likely,
            text: |n| format!("{REWRITTEN}\n{}&data=1&reserved=0\n", numbered(n - 1, "%2Fa", "\n")),
            within: |n| format!("{REWRITTEN}{}&data=1&reserved=0", numbered(n - 1, "%2Fa", "")),
            past: |_| REWRITTEN.to_owned(),
        },
        Bound {
            limit: "3 line breaks are between quotation marks",
            last: 3,
            options: default,
            text: |n| format!("\"http://h.org/a{}c\"", numbered(n, "\nb", "/")),
            within: |n| format!("http://h.org/a{}c", numbered(n, "b", "/")),
            past: |_| "http://h.org/a".to_owned(),
        },
        Bound {
            limit: "8 strings of a catalogue follow the first",
            last: 8,
            options: default,
            text: |n| format!("msgid \"http://h.org/a\"\n{}", numbered(n, "\"b", "\"\n")),
            within: |n| format!("http://h.org/a{}", numbered(n, "b", "")),
            past: |_| format!("http://h.org/a{}", numbered(8, "b", "")),
        },
        Bound {
            limit: "64 lines are between a string and its keyword",
            last: 64,
            options: default,
            text: |n| format!("msgid \"\"\n{}\"http://h.org/a\"\n\"b\"\n", "\"x x\"\n".repeat(n - 1)),
            within: |_| "http://h.org/ab".to_owned(),
            past: |_| "http://h.org/a".to_owned(),
        },
        Bound {
            limit: "8 lines of a target follow the first",
            last: 8,
            options: default,
            text: |n| format!(".. _a: http://h.org/a\n{}", numbered(n, "  b", "\n")),
            within: |n| format!("http://h.org/a{}", numbered(n, "b", "")),
            past: |_| format!("http://h.org/a{}", numbered(8, "b", "")),
        },
        Bound {
            limit: "the punctuation of a line prefix has 3 words",
            last: 3,
            options: default,
            text: |n| format!("{0}<URL:http://h.org/\n{0}b>", "-- ".repeat(n)),
            within: |_| "http://h.org/b".to_owned(),
            past: |_| "http://h.org/--b".to_owned(),
        },
    ]);
}

#[test]
fn lengths_of_lines_that_are_evidence() {
    /// A line of `n` bytes that ends in a query whose last `=` follows no name of a parameter.
    fn query(n: usize) -> String {
        filled("http://h.org/", n, "?b/c=")
    }
    /// A URL at the end of a line of `n` bytes, below another of this length.
    fn middle(n: usize) -> String {
        format!("{}\nsee {}\nab12/cd34 and so on\n", "x".repeat(n), filled("http://h.org/", n - 4, ""))
    }
    /// A URL that fills a line of `n` bytes below another of this length, and a word before an empty line.
    fn full(n: usize) -> String {
        format!("{}\n{}\nabcd\n\n", "x".repeat(n), filled("http://h.org/", n, ""))
    }
    check(&[
        Bound {
            limit: "a line under 45 bytes is not long",
            last: 44,
            options: likely,
            text: |n| query(n) + "\nc1\n",
            within: query,
            past: |n| query(n) + "c1",
        },
        Bound {
            limit: "from 73 bytes, an equals sign at the end is a soft break",
            last: 72,
            options: likely,
            text: |n| query(n) + "\nc1\n",
            within: |n| query(n) + "c1",
            past: |n| query(n).replace('=', "") + "c1",
        },
        Bound {
            limit: "up to 76 bytes, an equals sign at the end is a soft break",
            last: 76,
            options: likely,
            text: |n| query(n) + "\nc1\n",
            within: |n| query(n).replace('=', "") + "c1",
            past: |n| query(n) + "c1",
        },
        Bound {
            limit: "a URL alone on a line under 60 bytes is not broken",
            last: 59,
            options: likely,
            text: |n| filled("http://h.org/", n, "") + "\nab12/cd34\n",
            within: |n| filled("http://h.org/", n, ""),
            past: |n| filled("http://h.org/", n, "") + "ab12/cd34",
        },
        Bound {
            limit: "programs break words from 76 bytes",
            last: 75,
            options: likely,
            text: middle,
            within: |n| filled("http://h.org/", n - 4, ""),
            past: |n| filled("http://h.org/", n - 4, "") + "ab12/cd34",
        },
        Bound {
            limit: "programs break words up to 80 bytes",
            last: 80,
            options: likely,
            text: middle,
            within: |n| filled("http://h.org/", n - 4, "") + "ab12/cd34",
            past: |n| filled("http://h.org/", n - 4, ""),
        },
        Bound {
            limit: "texts are wrapped from 72 bytes",
            last: 71,
            options: likely,
            text: full,
            within: |n| filled("http://h.org/", n, ""),
            past: |n| filled("http://h.org/", n, "") + "abcd",
        },
        Bound {
            limit: "texts are wrapped up to 80 bytes",
            last: 80,
            options: likely,
            text: full,
            within: |n| filled("http://h.org/", n, "") + "abcd",
            past: |n| filled("http://h.org/", n, ""),
        },
        Bound {
            limit: "24 lines before are compared: a longer one is among them",
            last: 24,
            options: likely,
            text: |n| format!("{}\n{}{}", "y".repeat(79), "z z z\n".repeat(n - 2), middle(76)),
            within: |_| filled("http://h.org/", 72, ""),
            past: |_| filled("http://h.org/", 72, "") + "ab12/cd34",
        },
        Bound {
            limit: "24 lines of a terminal, the URL's own included, are compared with the next line",
            last: 24,
            options: terminal,
            text: |n| {
                format!("[1] x\n{}{}\n[3] next\n", "z z\n".repeat(n - 2), filled("http://h.org/", 40, ""))
            },
            within: |_| filled("http://h.org/", 40, ""),
            past: |_| filled("http://h.org/", 40, "") + "[3]",
        },
    ]);
}

#[test]
fn distances_in_a_line() {
    check(&[
        Bound {
            limit: "8 spaces follow a string on its line",
            last: 8,
            options: default,
            text: |n| format!("msgid \"http://h.org/a\"{}\n\"b\"\n", " ".repeat(n)),
            within: |_| "http://h.org/ab".to_owned(),
            past: |_| "http://h.org/a".to_owned(),
        },
        Bound {
            limit: "the margin of a string has 80 bytes",
            last: 80,
            options: default,
            text: |n| format!("msgid \"http://h.org/a\"\n{}\"b\"\n", " ".repeat(n)),
            within: |_| "http://h.org/ab".to_owned(),
            past: |_| "http://h.org/a".to_owned(),
        },
        Bound {
            limit: "a forum tag has 20 letters",
            last: 20,
            options: default,
            text: |n| format!("http://h.org/a[/{}] x", a(n)),
            within: |_| "http://h.org/a".to_owned(),
            past: |n| format!("http://h.org/a[/{}]", a(n)),
        },
        Bound {
            limit: "a label of AsciiDoc and its suffix are within 16 bytes",
            last: 15,
            options: default,
            text: |n| format!("http://h.org/a[Text]{}] x", a(n)),
            within: |_| "http://h.org/a".to_owned(),
            past: |n| format!("http://h.org/a[Text]{}", a(n)),
        },
        Bound {
            limit: "a brace closes within 96 bytes, both included",
            last: 94,
            options: default,
            text: |n| format!("http://h.org/a{{{}}}c x", a(n)),
            within: |n| format!("http://h.org/a{{{}}}c", a(n)),
            past: |_| "http://h.org/a".to_owned(),
        },
        Bound {
            limit: "a password with delimiters has 96 bytes, from the caret to the at-sign",
            last: 94,
            options: default,
            text: |n| format!("http://h.org:80^{}@b.org/x", a(n)),
            within: |n| format!("http://h.org:80^{}@b.org/x", a(n)),
            past: |_| "http://h.org:80".to_owned(),
        },
        Bound {
            limit: "the initials of a writer have 12 letters",
            last: 12,
            options: default,
            text: |n| format!("{0}> <URL:http://h.org/\n{0}> b>", a(n)),
            within: |_| "http://h.org/b".to_owned(),
            past: |n| format!("http://h.org/{}", a(n)),
        },
        Bound {
            limit: "a code of a DOI has 48 bytes",
            last: 39,
            options: default,
            text: |n| format!("http://h.org/10.1175/1520-0469(1983)040<12345678:{}>2.0.CO;2 x", a(n)),
            within: |n| format!("http://h.org/10.1175/1520-0469(1983)040<12345678:{}>2.0.CO;2", a(n)),
            past: |_| "http://h.org/10.1175/1520-0469(1983)040".to_owned(),
        },
        Bound {
            limit: "a DOI starts within 128 bytes before its bracket",
            last: 111,
            options: default,
            text: |n| format!("http://h.org/doi/10.1175/{}(1983)040<1234:ABC>2.0.CO;2 x", "1".repeat(n)),
            within: |n| format!("http://h.org/doi/10.1175/{}(1983)040<1234:ABC>2.0.CO;2", "1".repeat(n)),
            past: |n| format!("http://h.org/doi/10.1175/{}(1983)040", "1".repeat(n)),
        },
        Bound {
            limit: "a chat closes its link within 1,024 bytes after the bar, which is included",
            last: 1023,
            options: default,
            text: |n| format!("<http://h.org/?a|{}> x", a(n)),
            within: |_| "http://h.org/?a".to_owned(),
            past: |n| format!("http://h.org/?a|{}", a(n)),
        },
        Bound {
            limit: "the bar of a table is within 512 bytes before a URL",
            last: 509,
            options: default,
            text: |n| format!("| {} http://h.org/?a|c", a(n)),
            within: |_| "http://h.org/?a".to_owned(),
            past: |_| "http://h.org/?a|c".to_owned(),
        },
        Bound {
            limit: "emphasis opens within 256 bytes before a URL",
            last: 254,
            options: default,
            text: |n| format!("*{} http://h.org/a* x", a(n)),
            within: |_| "http://h.org/a".to_owned(),
            past: |_| "http://h.org/a*".to_owned(),
        },
        Bound {
            limit: "the bracket of a list is within 512 bytes before its last URL",
            last: 496,
            options: default,
            text: |n| format!("(http://h.org/{}, http://h.org/b\nc)", a(n)),
            within: |n| format!("http://h.org/{} http://h.org/bc", a(n)),
            past: |n| format!("http://h.org/{} http://h.org/b", a(n)),
        },
        Bound {
            limit: "a quotation mark opens a literal within 512 bytes before each escape",
            last: 502,
            options: default,
            text: |n| format!("\"{}http:\\x2f\\x2fh.org/a\"", " ".repeat(n)),
            within: |_| "http://h.org/a".to_owned(),
            past: |_| String::new(),
        },
        Bound {
            limit: "a backslash is within 256 bytes after the colon",
            last: 253,
            options: default,
            text: |n| format!("\"x http://{}\\u002fb\"", a(n)),
            within: |n| format!("http://{}/b", a(n)),
            past: |_| String::new(),
        },
        Bound {
            limit: "the URL of a Windows file name has 1,024 bytes",
            last: 1024,
            options: default,
            text: |n| format!("<file:///C:/a {}>", filled("", n - 13, ".txt")),
            within: |n| format!("file:///C:/a%20{}", filled("", n - 13, ".txt")),
            past: |_| "file:///C:/a".to_owned(),
        },
        Bound {
            limit: "a character reference has 6 digits",
            last: 6,
            options: default,
            text: |n| format!("http://h.org/a&#{:0n$};b=1", 38),
            within: |_| "http://h.org/a&b=1".to_owned(),
            past: |n| format!("http://h.org/a&#{:0n$};b=1", 38),
        },
        Bound {
            limit: "a cell is read in a row up to 2,048 bytes before its URL",
            last: 2045,
            options: |builder| builder.delimited_rows(true),
            text: |n| format!("\"{}\",http://h.org/a,b\n", a(n)),
            within: |_| "http://h.org/a".to_owned(),
            past: |_| "http://h.org/a,b".to_owned(),
        },
    ]);
}

#[test]
fn names_without_a_scheme() {
    check(&[
        Bound {
            limit: "a user name has 64 bytes",
            last: 64,
            options: emails,
            text: |n| format!("{}@h.org ", a(n)),
            within: |n| format!("{}@h.org", a(n)),
            past: |_| String::new(),
        },
        Bound {
            limit: "a field with identifiers is followed over 16 lines",
            last: 16,
            options: emails,
            text: |n| format!("References: <a@h.org>\n{} b@h.org\n", " x\n".repeat(n - 2)),
            within: |_| String::new(),
            past: |_| "b@h.org".to_owned(),
        },
        Bound {
            limit: "a label and its colon have 64 bytes",
            last: 63,
            options: |builder| builder.schemeless([Schemeless::Hosts]),
            text: |n| format!("{}:www.h.org/a", a(n)),
            within: |_| "www.h.org/a".to_owned(),
            past: |_| String::new(),
        },
        Bound {
            limit: "a template opens an expression within 64 bytes before a name",
            last: 62,
            options: |builder| builder.schemeless([Schemeless::Domains]),
            text: |n| format!("{{{{{}github.com }}}}", " ".repeat(n)),
            within: |_| String::new(),
            past: |_| "github.com".to_owned(),
        },
        Bound {
            limit: "a host with full-width dots has 255 bytes before its last label",
            last: 255,
            options: default,
            text: |n| format!("http://{}{}。org/x", "aaaa。".repeat(50), a(n - 250)),
            within: |n| format!("http://{}{}。org/x", "aaaa。".repeat(50), a(n - 250)),
            past: |_| "http://aaaa".to_owned(),
        },
    ]);
}

#[test]
fn limits_of_the_finder() {
    check(&[
        Bound {
            limit: "a URL has 65,536 bytes by default",
            last: 65_536,
            options: default,
            text: |n| filled("http://h.org/", n, "") + " http://k.org/",
            within: |n| filled("http://h.org/", n, "") + " http://k.org/",
            past: |_| "http://k.org/".to_owned(),
        },
        Bound {
            limit: "a scheme has 32 letters",
            last: 32,
            options: default,
            text: |n| format!("{}://h.org/", a(n)),
            within: |n| format!("{}://h.org/", a(n)),
            past: |_| String::new(),
        },
        Bound {
            limit: "www has 3 digits",
            last: 3,
            options: |builder| builder.schemeless([Schemeless::Hosts]),
            text: |n| format!("www{}.h.org", "1".repeat(n)),
            within: |n| format!("www{}.h.org", "1".repeat(n)),
            past: |_| String::new(),
        },
    ]);
    assert!(Finder::builder().max_len(16).build().is_ok() && Finder::builder().max_len(15).build().is_err());
    assert!(Finder::builder().scheme_add([a(32)]).build().is_ok());
    assert!(Finder::builder().scheme_add([a(33)]).build().is_err());
}

/// With n hyphens before line breaks a URL has 2ⁿ readings; besides the answer, at most eight are kept.
#[test]
fn readings_that_are_kept() {
    for (hyphens, others) in [(0, 0), (1, 1), (2, 3), (3, 7), (4, 8), (5, 8), (10, 8)] {
        let text = format!("<http://h.org/{}b>", "a-\n".repeat(hyphens));
        assert_eq!(Finder::new().find(text.as_bytes()).unwrap().alternatives().len(), others, "{hyphens}");
    }
}

//! Generated adversarial texts: whatever the rules react to, over and over again.
//!
//! [`hostile`](super::hostile) has one text for each place in a search that might take
//! quadratic time. Here are the ones that nobody thought of: every delimiter, scheme, mark
//! and leader repeated, after a URL, within a wrapper, and in pairs.

use urlgrep::grammar::Schemes;

/// Delimiters and prefixes.
const DELIMITERS: [&str; 22] = [
    "<", ">", "\"", "'", "`", "(", ")", "[", "]", "{", "}", "|", "\\", "&lt;", "&gt;", "&quot;", "<URL:",
    "<URI:", "URL:", "< URL: ", "<URL:\n", "\"URL:",
];

/// What joins, ends, separates or continues a URL.
#[rustfmt::skip]
const MARKS: [&str; 67] = [
    "-\n", "=\n", ".\n", "/\n", "_\n", "%\n", "?\n", "&\n", " \n", "\r", "\r\n", "\r\r\n", "\n\t", "\n ", "\n\n", " ",
    "\u{b}", "\u{c}", "\u{a0}", "\u{3000}", "\u{200b}", "\u{200c}", "\u{1b}", "\u{fc}", "\u{4f8b}", "\u{1f600}",
    "-", "--", ".", "..", ",", ";", "!", "?", "*", "_", "~", "#", "%", "@", "+", "=", "&", "$", "^", ":", "/", "//",
    "://", ":\\/\\/", "\\/", "'s", "''", "0", "a", "A1",
    "\\_", "\\:", "\\u0026", "\u{1b}[1m", "&amp;", "](", "{{", "$(", ":1:5", "[.]", "\u{4e2d}\u{56fd}",
];

/// What lines of quotations and comments start with.
const LEADERS: [&str; 18] = [
    "> ", ">", "| ", ": ", "* ", "; ", "# ", "% ", "// ", "/// ", "//! ", "-- ", "dnl ", "REM ", "AB> ",
    "+ ", ">From ", "\t",
];

/// What takes turns.
const TOKENS: [&str; 21] = [
    "<URL:",
    "<",
    ">",
    "\"",
    "'",
    "(",
    ")",
    "http:",
    "http://a",
    "http:\\/\\/a",
    "mailto:a@b.cc",
    "news:a.b",
    "www.a.bc",
    "a@b.cc",
    "\n> ",
    " ",
    "-\n",
    "\u{fc}",
    "hxxp:",
    "hxxp[:]//",
    "a[.]",
];

/// How many runs a text has whose runs grow with it: at 8 MB each is nearly as long as a URL
/// may be.
const RUNS: usize = 140;

/// A text that starts with `before` and repeats a unit: `head`, a run of `mark`, and `tail`.
#[derive(Default)]
pub struct Pattern {
    before: String,
    head: String,
    mark: String,
    tail: String,
}

impl Pattern {
    fn new(before: &str, unit: &str) -> Self {
        Pattern { before: before.to_owned(), head: unit.to_owned(), ..Self::default() }
    }

    fn run(head: &str, mark: &str, tail: &str) -> Self {
        Pattern { before: String::new(), head: head.to_owned(), mark: mark.to_owned(), tail: tail.to_owned() }
    }

    /// The text, of `size` bytes or a few more.
    pub fn text(&self, size: usize) -> Vec<u8> {
        let run = match self.mark.len() {
            0 => String::new(),
            len => self.mark.repeat(size / RUNS / len),
        };
        let unit = [&*self.head, &*run, &*self.tail].concat();
        [&*self.before, &*unit.repeat(size.div_ceil(unit.len()))].concat().into_bytes()
    }

    /// What is repeated, as Rust writes it.
    pub fn name(&self) -> String {
        let Pattern { before, head, mark, tail } = self;
        match (&**before, &**mark) {
            ("", "") => format!("{head:?}"),
            (before, "") => format!("{before:?}, {head:?}"),
            _ => format!("{head:?}, many {mark:?}, {tail:?}"),
        }
    }
}

/// All of them.
pub fn all() -> Vec<Pattern> {
    let mut all = Vec::new();
    for unit in DELIMITERS.iter().chain(&MARKS).chain(&LEADERS) {
        all.push(Pattern::new("", unit));
    }
    delimiters(&mut all);
    schemes(&mut all);
    marks(&mut all);
    leaders(&mut all);
    hyphens(&mut all);
    pairs(&mut all);
    runs(&mut all);
    all
}

/// URLs that each delimiter opens or closes.
fn delimiters(all: &mut Vec<Pattern>) {
    for delimiter in DELIMITERS {
        all.push(Pattern::new("", &format!("{delimiter}http://a ")));
        all.push(Pattern::new("", &format!("{delimiter}http://a\n")));
        all.push(Pattern::new("", &format!("http://a/{delimiter}")));
    }
}

/// Each scheme with nothing after it, a word, an address, a host, and in brackets.
fn schemes(all: &mut Vec<Pattern>) {
    for name in Schemes::default().names() {
        for (before, after) in [("", ":"), ("", ":a"), ("", ":a@b.c "), ("", "://h.a/ "), ("<", ": ")] {
            all.push(Pattern::new("", &format!("{before}{name}{after}")));
        }
    }
}

/// Each mark in one long URL, in one long wrapper, and after each of many URLs.
fn marks(all: &mut Vec<Pattern>) {
    for mark in MARKS {
        all.push(Pattern::new("http://h.org/", mark));
        all.push(Pattern::new("<URL:http://h.org/", &format!("{mark}a")));
        all.push(Pattern::new("", &format!("http://h.org/a{mark}b ")));
        all.push(Pattern::new("", &format!("http://h.org/a{mark}\n")));
    }
}

/// Each leader on the lines of one long wrapper, and of many.
fn leaders(all: &mut Vec<Pattern>) {
    for leader in LEADERS {
        all.push(Pattern::new(&format!("{leader}<URL:http://h.org/a\n"), &format!("{leader}b\n")));
        all.push(Pattern::new("", &format!("{leader}<URL:http://h.org/a\n{leader}b>\n")));
        all.push(Pattern::new("", &format!("{leader}<\n{leader}http://h.org/a-\n{leader}b>\n")));
    }
}

/// Quotations whose lines end with hyphens, each of which may be part of the URL or not: none of
/// their readings is one, all of them are equally bad, and only the last is good.
fn hyphens(all: &mut Vec<Pattern>) {
    let units = ["-\n+-\n+-\n+\"http://a", "\"http://a:-\nb-\nb-\nb\"\n", "\"http://a.-\nb.-\nc.-\nd\"\n"];
    for unit in units {
        all.push(Pattern::new("", unit));
    }
}

/// Each two of the tokens in turns, in one line and in lines nearly as long as a URL may be.
fn pairs(all: &mut Vec<Pattern>) {
    for (n, one) in TOKENS.iter().enumerate() {
        for other in &TOKENS[..n] {
            let both = [*one, *other].concat();
            all.push(Pattern::new("", &both));
            all.push(Pattern::run("", &both, "\n"));
        }
    }
}

/// Long runs of each mark, delimiter and leader at the end of a URL, before one, in a wrapper and
/// at the end of what is in it, and of URLs with nothing else between them.
fn runs(all: &mut Vec<Pattern>) {
    for mark in DELIMITERS.iter().chain(&MARKS).chain(&LEADERS) {
        all.push(Pattern::run("http://h.org/", mark, " "));
        all.push(Pattern::run("* http://h.org/a?b#c", mark, "\n"));
        all.push(Pattern::run("", mark, "http://h.org/a "));
        all.push(Pattern::run("<URL:http://h.org/a", mark, ">\n"));
        all.push(Pattern::run("<", mark, "http://h.org/a>\n"));
        all.push(Pattern::run("mailto:a", mark, "@h.org "));
        all.push(Pattern::run("", &format!("http://h.org/a{mark}"), "\n"));
        all.push(Pattern::run("", &format!("http:\\/\\/h.org{mark}"), "\n"));
    }
}

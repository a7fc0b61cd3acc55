//! The *pathological* texts: each is written against one place in a search
//! where going over the same bytes again would cost quadratic time.
//!
//! A URL may be 64 KiB long by default, so a text of one endless URL has none in
//! it; the shorter one before it may count. What is said about the
//! counts holds for texts that are longer than that.

use super::Corpus;

/// How long a wrapper is where a text has many of them: just below what a URL
/// may have.
const WRAPPER: usize = 60_000;

/// All of them, each of about `size` bytes, which are more than 64 KiB.
pub fn all(size: usize) -> Vec<Corpus> {
    assert!(size > 1 << 16);
    let mut all = openers(size);
    all.extend(schemes(size));
    all.extend(endless(size));
    all.extend(wrappers(size));
    all
}

/// Delimiters that open and are not closed.
fn openers(size: usize) -> Vec<Corpus> {
    vec![
        many("<URL: again and again", "<URL:", size, |_| 0),
        many("< and a URL, not closed", "<http://a ", size, |n| n),
        // The break is followed by the mark that opens the next one.
        many("\" and a URL, not closed", "\"http://a\n", size, |n| n),
        many("nothing but <", "<", size, |_| 0),
        many("nothing but &lt;", "&lt;", size, |_| 0),
        around("<URL: and blanks", "<URL:", " ", "", size, 0),
    ]
}

/// Colons and schemes that nothing follows, or too much.
fn schemes(size: usize) -> Vec<Corpus> {
    vec![
        many("nothing but :", ":", size, |_| 0),
        many("nothing but a", "a", size, |_| 0),
        many("http: again and again", "http:", size, |_| 0),
        many("mailto:a again and again", "mailto:a", size, |_| 0),
        // The group's name goes on to the next colon, over "news", so that only
        // every other one is left; the last has nothing to go on to.
        many("news:a. again and again", "news:a.", size, |n| n / 2),
        many("URLs between commas", "http://a/,", size, |n| n),
        // One URL, all but the first login in its path, and too long.
        many("logins in logins", "x://a@", size, |_| 0),
    ]
}

/// URLs that do not end.
fn endless(size: usize) -> Vec<Corpus> {
    vec![
        around("open brackets", "http://h/", "(", "", size, 0),
        around("a host without end", "http://", "a", "", size, 0),
        line("brackets that nothing closes", "http://h.org/{", size, |n| n),
    ]
}

/// URLs that are defanged, and what is like them, for a search for these.
pub fn defanged(size: usize) -> Vec<Corpus> {
    vec![
        many("names between blanks", "a [.] ", size, |_| 0),
        line("local parts", "a[.]!", size, |_| 0),
        line("schemes in brackets", "hxxp://[", size, |_| 0),
        line("schemes after hosts", "hxxp[:]//http:", size, |n| n),
        line("brackets after hosts", "http://0[.", size, |n| n / 2),
    ]
}

/// Wrappers with more in them than there should be, or before them.
fn wrappers(size: usize) -> Vec<Corpus> {
    let wrapped = "<URL:http://h.org/a/\n> b>\n";
    vec![
        around("quote marks before a wrapper", "", "> ", wrapped, size, 1),
        // Too long for a wrapper; the text on its first line counts.
        around("hyphens in a wrapper", "<URL:http://h/", "-\n", ">", size, 1),
        around("words in a wrapper", "<URL:http://a.b/", " c", ">", size, 1),
        nested("hyphens in wrappers", "<URL:http://h/", "-\n", size),
        nested("words in wrappers", "<URL:http://a.b/", " c", size),
    ]
}

/// Quotations whose lines end with hyphens: each has eight readings.
pub fn readings(size: usize) -> Vec<Corpus> {
    vec![
        many("hyphens, no reading is a URL", "-\n+-\n+-\n+\"http://a", size, |n| n),
        many("hyphens, all readings are bad", "\"http://a:-\nb-\nb-\nb\"\n", size, |n| n),
        many("hyphens, only the last reading is good", "\"http://a.-\nb.-\nc.-\nd\"\n", size, |n| n),
    ]
}

/// Messages of parts with next to nothing in them.
pub fn parts(size: usize) -> Vec<Corpus> {
    let of = |name, kind: &str, unit: &str| {
        let head = format!(
            "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nContent-Type: multipart/{kind}; boundary=b\n\n"
        );
        around(name, &head, unit, "", size, 0)
    };
    vec![
        of("parts without a byte", "related", "--b\n"),
        of("parts of one byte", "mixed", "--b\n\na\n"),
        of("messages of one byte", "digest", "--b\na\n"),
    ]
}

/// Line ends where a bare URL may be cut, for a search that joins what is likely.
pub fn joins(size: usize) -> Vec<Corpus> {
    let long = "http://www.example.org/a/b/c/d/e/f/g/h/i/";
    let full = format!("{long}{}", "x".repeat(72 - long.len()));
    let chain = format!("{long}abcdef-\n{}end.html\n", format!("{}-\n", "y".repeat(48)).repeat(8));
    let padded = format!("{}\n{full}\nrest\n\n", "p".repeat(72));
    vec![
        // Each next line is the next URL, so nothing is joined.
        many("S, before another URL", &format!("{long}abcdef-\n"), size, |n| n),
        many("S, joined", &format!("{long}abcdef-\nx.html\n"), size, |n| n),
        many("S, over nine lines", &chain, size, |n| n),
        many("D, joined", "http://h.org/a.\nhtml\n", size, |n| n),
        many("W, joined", &padded, size, |n| n),
        // The rule compares lines before it refuses.
        many("W, refused", &format!("{full}\nrest\n\n{}\n", "p".repeat(76)), size, |n| n),
        // The URL is looked up with one line, two and three.
        many("E, refused", "http://h.org/a/\nb/\nc/\nd.html\n", size, |n| n),
        many("E, joined", "http://h.org/a/b/c/ http://h.org/a/\nb/\nc/\nd\n", size, |n| 2 * n),
        many("line ends before blanks", &format!("http://h.org/a/-\n{}", " ".repeat(1000)), size, |n| n),
        many("line ends before words", &format!("http://h.org/a/-\n{}\n", "w ".repeat(1000)), size, |n| n),
    ]
}

/// URLs with characters beyond ASCII, each of which is looked up.
pub fn scripts(size: usize) -> Vec<Corpus> {
    vec![
        many("a letter beyond ASCII", "http://h.org/\u{fc} ", size, |n| n),
        many("letters beyond ASCII", "http://h\u{e9}.org/\u{fc}\u{e4}x\u{f6} ", size, |n| n),
        // Each URL ends before the first character.
        many("kanji after URLs", "http://h.org/\u{4f8b}\u{3048} ", size, |n| n),
        around("letters without end", "http://h.org/", "\u{fc}", "", size, 0),
    ]
}

/// Names under public suffixes, for a search for domain names.
pub fn suffixes(size: usize) -> Vec<Corpus> {
    vec![
        many("names", "aa.bb ", size, |n| n),
        many("names under no suffix", "aa.bbb ", size, |_| 0),
        many("dots", "a.", size, |_| 0),
    ]
}

/// Mail addresses, for a search for these.
pub fn addresses(size: usize) -> Vec<Corpus> {
    vec![
        many("addresses", "a@b.cc ", size, |n| n),
        // Each line might be part of a field that identifies messages.
        many("addresses after blanks", " a@b.cc\n", size, |n| n),
        many("nothing but a@", "a@", size, |_| 0),
    ]
}

/// `unit` as often as it takes; `urls` says how many URLs so many make.
fn many(name: &'static str, unit: &str, size: usize, urls: fn(usize) -> usize) -> Corpus {
    let times = size.div_ceil(unit.len());
    Corpus::new(name, unit.repeat(times), urls(times))
}

/// Lines of `unit`, each nearly as long as a URL may be; `urls` says how many URLs so many units make.
fn line(name: &'static str, unit: &str, size: usize, urls: fn(usize) -> usize) -> Corpus {
    let (line, lines) = (unit.repeat(WRAPPER / unit.len()) + "\n", size.div_ceil(WRAPPER));
    Corpus::new(name, line.repeat(lines), urls(lines * (WRAPPER / unit.len())))
}

/// `unit` as often as needed, with something before and after it.
fn around(name: &'static str, before: &str, unit: &str, behind: &str, size: usize, urls: usize) -> Corpus {
    let times = size.div_ceil(unit.len());
    Corpus::new(name, [before, &unit.repeat(times), behind].concat(), urls)
}

/// Wrappers of `unit`, each nearly as long as a URL may be, one URL in each.
fn nested(name: &'static str, before: &str, unit: &str, size: usize) -> Corpus {
    let wrapper = [before, &unit.repeat(WRAPPER / unit.len()), ">\n"].concat();
    many(name, &wrapper, size, |n| n)
}

//! What this crate is measured beside.
//!
//! Each yardstick takes a text and returns how many URLs it saw, and a sum of
//! their offsets, so that each of them has to compute the offsets.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use linkify::{LinkFinder, LinkKind};
use regex::bytes::Regex;
use urlgrep::grammar::Schemes;
use urlgrep::{Evidence, Finder, FinderBuilder, Form, Join};

use crate::corpus::Corpus;

/// What was seen in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub count: usize,
    /// Of offsets and the like; it means nothing but has to be computed.
    pub sum: usize,
}

impl Seen {
    fn of(sums: impl Iterator<Item = usize>) -> Self {
        let none = Seen { count: 0, sum: 0 };
        sums.fold(none, |seen, sum| Seen { count: seen.count + 1, sum: seen.sum.wrapping_add(sum) })
    }
}

/// A way to search a text.
pub type Yardstick = Box<dyn Fn(&Corpus) -> Seen>;

/// How many there are.
pub const COUNT: usize = 8;

/// All of them by name, this crate first.
pub fn all() -> [(&'static str, Yardstick); COUNT] {
    let build = |builder: FinderBuilder| builder.build().expect("the options are valid");
    let portable = build(Finder::builder().portable(true));
    // Who asks why a match ends gets the answer of the rules.
    let rules = build(Finder::builder().explain(true));
    let (links, any_case, lower, names) = (links(), pattern("i"), pattern(""), names());
    [
        ("urlgrep", Box::new(ours)),
        // The same instructions, without the fast path.
        ("rules", Box::new(move |corpus| matches(&rules, corpus))),
        // Safe code alone, without the fast path.
        ("portable", Box::new(move |corpus| matches(&portable, corpus))),
        ("memchr", Box::new(colons)),
        ("linkify", Box::new(move |corpus| linkify(&links, corpus))),
        ("regex", Box::new(move |corpus| regex(&any_case, corpus))),
        // Less than the others do: it does not see `HTTP://`.
        ("lowercase", Box::new(move |corpus| regex(&lower, corpus))),
        // Less again: it finds where URLs may start, and reads none.
        ("aho", Box::new(move |corpus| automaton(&names, corpus))),
    ]
}

/// This crate: complete matches.
pub fn ours(corpus: &Corpus) -> Seen {
    matches(&Finder::new(), corpus)
}

#[allow(dead_code, reason = "each bench uses a part")]
/// This crate, joining what is likely, with the evidence of `corpus`.
pub fn likely(corpus: &Corpus) -> impl Fn(&Corpus) -> Seen {
    let evidence = Evidence::new();
    let build = |builder: FinderBuilder| builder.build().expect("the options are valid");
    build(Finder::builder().explain(true)).find_iter(&corpus.bytes).for_each(|m| evidence.add(&m));
    let finder = build(Finder::builder().join(Join::Likely).evidence(evidence));
    move |corpus| matches(&finder, corpus)
}

fn matches(finder: &Finder, corpus: &Corpus) -> Seen {
    Seen::of(finder.find_iter(&corpus.bytes).map(|found| {
        let span = found.range();
        span.start + span.end + usize::from(found.form() == Form::Bare)
    }))
}

/// The colons of the text, counted with memchr: every URL has one, so this is
/// about as fast as a search that looks at all of them can be.
fn colons(corpus: &Corpus) -> Seen {
    Seen { count: memchr::memchr_iter(b':', &corpus.bytes).count(), sum: 0 }
}

fn links() -> LinkFinder {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    finder
}

/// The crate linkify, for URLs only. It finds `scheme://`, and trims and
/// balances brackets as this crate does; it has no `mailto:` or `news:` among
/// its URLs and joins nothing.
fn linkify(finder: &LinkFinder, corpus: &Corpus) -> Seen {
    Seen::of(finder.links(corpus.text()).map(|link| link.start() + link.end()))
}

/// A regex that someone would write who knows the schemes, with `flags`.
///
/// It takes a URL up to whitespace or a delimiter, sentence punctuation at its
/// end aside. It cannot join lines, nor tell a `)` that belongs to the URL from
/// one that does not (so it leaves out every last one), knows only these
/// schemes, and takes `news:everyone` for a URL. With more schemes in it than
/// these it gets slower; with `(?i)`, which is what RFC 1738 §2.1 asks for, it
/// has too many ways to begin for a search by vectors.
fn pattern(flags: &str) -> Regex {
    let schemes = "(?:https?|ftp|gopher|telnet)://|mailto:|news:";
    let inside = r#"[^\x00-\x20<>"`\\|\x7f-\xff]"#;
    let last = r#"[^\x00-\x20<>"`\\|\x7f-\xff.,;:!?')\]}]"#;
    let pattern = format!("(?{flags}-u)(?:{schemes}){inside}*{last}");
    Regex::new(&pattern).expect("the pattern is one")
}

fn regex(pattern: &Regex, corpus: &Corpus) -> Seen {
    Seen::of(pattern.find_iter(&corpus.bytes).map(|m| m.start() + m.end()))
}

/// An automaton that finds what the scan of this crate looks for: a known scheme
/// and its colon, the prefix `URL:`, and `://` after any other name.
///
/// It is the fastest kind of aho-corasick, a DFA. So many names begin with too
/// many letters for its search by vectors, so it looks at each byte.
fn names() -> AhoCorasick {
    let known = Schemes::default();
    let schemes = known.names().map(|name| format!("{name}:"));
    let patterns = schemes.chain(["url:", "uri:", "://"].map(str::to_owned));
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
    builder.build(patterns).expect("the names are few")
}

fn automaton(names: &AhoCorasick, corpus: &Corpus) -> Seen {
    Seen::of(names.find_iter(&corpus.bytes).map(|name| name.start() + name.end()))
}

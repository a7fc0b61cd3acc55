//! Lines that were broken by a terminal of known width: rule T.
//!
//! A terminal breaks a line where it is full, even within a word. For a URL that fills the line,
//! such a break is meaningless, like a colour. But the URL may also end there. So it ends if the
//! next line looks like the start of a line: a prompt, an option, a date, a label, a word that
//! other lines start with, or prose; unless the URL is incomplete.

use std::ops::Range;

use super::Surroundings;
use super::filter;
use super::label::{self, is_registered};
use super::line::{MAX_WRAPPED_LINE, has_url, is_prompt, is_prose, without_punctuation};
use crate::bytes::class::{BLANK, HIGH, HOST};
use crate::bytes::file_kind;
use crate::bytes::unicode::{char_at, columns, lossy};
use crate::bytes::window::Window;
use crate::matches::form::Join;
use crate::scan::skip_colours;

/// The number of lines that a URL may fill. 32 lines of 80 columns hold the longest URLs that people
/// copy, about 2,500 bytes, and bound the reads of a text that consists of one URL.
const MAX_LINES: usize = 32;

/// The number of lines before the URL's line that are compared with the next line, and their
/// maximum distance before it, in bytes: a screen of 24 lines with 80 columns. These lines are read
/// for each URL that fills its line, so the limit bounds the time.
const SCREEN: (usize, usize) = (24, 2048);

/// The short or frequent words with which a line of English prose continues.
#[rustfmt::skip]
const FUNCTION_WORDS: [&str; 60] = [
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before",
    "but", "by", "can", "could", "do", "does", "done", "for", "from", "has", "have", "how", "if", "in", "into", "is",
    "it", "its", "more", "no", "not", "of", "on", "or", "see", "should", "so", "than", "that", "the", "then", "there",
    "they", "this", "to", "was", "we", "when", "where", "which", "who", "will", "with", "would", "you",
];

/// The pairs that enclose a URL.
const PAIRS: [(u8, char); 6] =
    [(b'"', '"'), (b'\'', '\''), (b'`', '`'), (b'(', ')'), (b'[', ']'), (b'<', '>')];

/// Returns the offset at which a URL continues after its line ends at `at`. The URL starts at
/// `start`, is `url` so far, and fills `lines`.
pub(super) fn over_break(
    cx: &Surroundings<'_, '_>,
    start: usize,
    at: usize,
    url: &[u8],
    lines: usize,
) -> Option<usize> {
    let next = next_line(cx, at).filter(|_| lines < MAX_LINES && !url.starts_with(b"mailto:"))?;
    let window = cx.window;
    let line = shown(window.ahead(next..window.line_end(next, next + MAX_WRAPPED_LINE)));
    let word = first_word(&line);
    if !url.contains(&b':') {
        // Only the rest of the scheme may follow.
        return Some(next);
    }
    let before = shown(window.before(start, start.saturating_sub(MAX_WRAPPED_LINE)));
    let opener = before.bytes().last();
    // The text after the closing delimiter is not part of the URL: `.svg)](https://h.org/`.
    let token = closes(word, opener).map_or(word, |close| &word[..close]);
    if word.is_empty() || has_url(token.as_bytes()) {
        return None;
    }
    let starts = || {
        let rest = &line[word.len()..];
        let is_full = columns(&line) >= cx.rules.scan.read.width.unwrap_or_default();
        let in_angle = before.rfind(['<', '>', '\n']).is_some_and(|n| before[n..].starts_with('<'));
        let is_prompt = !is_full && ends_prompt(word, rest, in_angle);
        is_prompt || starts_line(url, word, rest) || is_like_others(cx, at, &line)
    };
    (must_continue(url, word, opener) || !starts()).then_some(next)
}

/// Returns the start of the line after `at`, after spaces, colours and a border, if the terminal
/// broke the line at `at`.
pub(super) fn next_line(cx: &Surroundings<'_, '_>, at: usize) -> Option<usize> {
    let (window, width) = (cx.window, cx.rules.scan.read.width.filter(|_| cx.rules.join == Join::Likely)?);
    let end = skip_colours(window, at);
    let end = window.skip(end + border(window, end), end + MAX_WRAPPED_LINE, |b| BLANK.has(b));
    if !window.is_break(end) {
        return None;
    }
    let next = skip_colours(window, window.after_break(end));
    let line = columns(&shown(window.ahead(window.line_start(at, at.saturating_sub(MAX_WRAPPED_LINE))?..at)));
    // A terminal does not split a character that takes two columns.
    let is_wide = || char_at(window, next).is_some_and(|c| columns(c.encode_utf8(&mut [0; 4])) == 2);
    (line == width || line + 1 == width && is_wide()).then_some(next)
}

/// Returns the length of the border of a terminal at `at`: `|` or `│`.
fn border(window: &Window<'_>, at: usize) -> usize {
    match window.get(at) {
        Some(b'|') => 1,
        Some(0xE2) if window.has(at, "│".as_bytes()) => "│".len(),
        _ => 0,
    }
}

/// The row of `width` columns each that contains `at`, with the parts that the terminal broke off.
pub(super) fn row(window: &Window<'_>, at: usize, width: Option<usize>, len: usize) -> Option<Range<usize>> {
    let mut row = window.line_start(at, at.saturating_sub(len))?..window.line_end(at, at + len);
    let Some(width) = width else { return Some(row) };
    let is_full = |line: Range<usize>| columns(&shown(window.ahead(line))) == width;
    while row.start > 0 && row.len() < len {
        let end = window.before_break(row.start, 0);
        match window.line_start(end, end.saturating_sub(len)) {
            Some(start) if is_full(start..end) => row.start = start,
            _ => break,
        }
    }
    let mut last = window.line_start(row.end, row.start).unwrap_or(row.start)..row.end;
    while window.is_break(last.end) && row.len() < len && is_full(last.clone()) {
        let start = window.after_break(last.end);
        last = start..window.line_end(start, start + len);
        row.end = last.end;
    }
    Some(row)
}

/// Returns `line` as a terminal shows it: its text without the control sequences and strings of
/// ECMA-48 §5.4 and §5.6, and the designations of ECMA-35.
fn shown(line: &[u8]) -> String {
    let text = lossy(line);
    let mut parts = text.split('\x1B');
    let mut shown = parts.next().unwrap_or_default().to_owned();
    let mut in_string = false;
    for part in parts {
        let after = |at: Option<usize>| at.map_or("", |n| &part[n + 1..]);
        let rest = match part.as_bytes().first() {
            Some(b'[') => after(part[1..].find(|c| ('@'..='~').contains(&c)).map(|n| n + 1)),
            Some(b']') => {
                in_string = !part.contains('\x07');
                after(part.find('\x07'))
            }
            Some(b'\\') if in_string => &part[1..],
            Some(b'(' | b')') => part.get(2..).unwrap_or_default(),
            _ => part,
        };
        shown.push_str(rest);
    }
    shown
}

fn first_word(line: &str) -> &str {
    line.split(char::is_whitespace).next().unwrap_or_default()
}

/// Returns the offset in `word` at which `opener` is closed.
fn closes(word: &str, opener: Option<u8>) -> Option<usize> {
    let is_close = |&(_, c): &(usize, char)| PAIRS.contains(&(opener.unwrap_or_default(), c));
    word.char_indices().skip(1).find(is_close).map(|(at, _)| at)
}

/// Returns true if `url`, which follows `opener`, continues with `word` because it cannot end
/// there.
///
/// | the URL cannot end because | example, with `⏎` at the break |
/// |---|---|
/// | the bracket or quotation mark before it is open, and `word` closes it | `(http://h.org/a⏎b)` |
/// | it is a rewritten link without its last parameter | `https://….safelinks.…/?url=…⏎…` |
/// | it ends in the first part of a hash | `…/commit/0123abcd⏎…` |
/// | its host has no dot, and `word` has one, or a slash or colon | `http://exa⏎mple.org/` |
/// | its last byte needs more | `?a=⏎b`, `/a-⏎b` |
/// | `word` starts with punctuation that cannot start a line | `/a⏎.html` |
/// | only both together name a known file | `/a.ht⏎ml` |
fn must_continue(url: &[u8], word: &str, opener: Option<u8>) -> bool {
    let host = url.windows(3).position(|bytes| bytes == b"://").map(|n| &url[n + 3..]);
    let is_host = |host: &[u8]| {
        host.iter().any(|b| b"/?#:[".contains(b)) || host == b"localhost" || label::is_host(host)
    };
    let is_head = host.map_or(url.ends_with(b":") || url.ends_with(b":/"), |host| !is_host(host));
    let starts_word = |word: &str| word.starts_with(|c: char| c.is_ascii_alphanumeric());
    let rest = without_punctuation(word.as_bytes());
    closes(word, opener).is_some()
        || filter::end(url) == Some(None)
        || completes_hash(url, word)
        || is_head && word.contains(['.', '/', ':'])
        || starts_word(word) && url.last().is_some_and(|b| b"=&?%-_+#:".contains(b))
        || word.starts_with(['.', '?', '&', '=', '%', '_']) && starts_word(&word[1..])
        || !file_kind::names_known_file(url)
            && rest.iter().all(u8::is_ascii_alphanumeric)
            && file_kind::names_known_file(&[url, rest].concat())
}

/// Returns true if `word`, which `rest` follows, ends the prompt of a shell or another program, and not an angle
/// bracket around the URL (`in_angle`).
fn ends_prompt(word: &str, rest: &str, in_angle: bool) -> bool {
    let prompt = first_word(rest.trim_start());
    word.ends_with(['$', '#', '%', '❯'])
        || word.ends_with('>') && !in_angle
        || matches!(prompt, "$" | "%" | "❯" | "➜" | "λ")
}

/// Returns true if a line starts with `word`, which `rest` follows, and `url` does not continue with it.
///
/// | the word looks like | example | test |
/// |---|---|---|
/// | a prompt, a quotation or a list item | `$`, `>`, `-` | one punctuation character |
/// | an option | `--all` | two hyphens and a letter |
/// | a Windows path | `C:\a` | a letter, a colon and a backslash |
/// | a remark | `(optional)` | brackets around it |
/// | a label, or a path before a message | `Note:`, `/bin/sh:` | a final colon, and no `#?&=%` |
/// | a rule or an ellipsis | `----`, `***` | two or more bytes without a letter or digit |
/// | text in another script | `见` | not ASCII, and the URL ends in ASCII |
/// | a host | `www.h.org`, `ftp.h.org` | `starts_host` |
/// | an email address, or a user at a host | `ann@h.org`, `ann@h:~$` | `is_email_or_prompt` |
/// | a date or a time | `2021-03-15`, `10:00:00` | `is_date` |
/// | a line of grep | `a.md:12:text` | `names_line` |
/// | a setting | `PATH=/bin` | `assigns` |
/// | text after a file name | `201` after `a.txt` | `is_other_than_file` |
/// | a registered domain | `example.org` | `is_registered`, unless it may be a file |
/// | a word of prose that more follows | `The rest` | `starts_prose` |
fn starts_line(url: &[u8], word: &str, rest: &str) -> bool {
    let bytes = word.as_bytes();
    let is_host = || {
        let host = without_punctuation(bytes);
        let last = host.rsplit(|&b| b == b'.').next().unwrap_or_default();
        let is_name = host.iter().all(|&b| HOST.has(b));
        is_name && is_registered(host) && !file_kind::is_file(last) && !file_kind::is_extension(last)
    };
    let starts_host = |prefix: &str| word.len() > 4 && word.starts_with(prefix) && !word.contains('%');
    let is_word = |b: &u8| !b"#?&=%".contains(b);
    match bytes {
        [b'$' | b'%' | b'#' | b'>' | b'*' | b'-' | b'+'] => true,
        [b'-', b'-', first, ..] if first.is_ascii_alphabetic() => true,
        [drive, b':', b'\\', ..] if drive.is_ascii_alphabetic() => true,
        [b'(', .., b')'] => true,
        [first, .., b':'] if bytes.iter().all(is_word) && (*first == b'/' || !word.contains(['/', '.'])) => {
            true
        }
        _ => {
            !bytes.iter().any(|b| b.is_ascii_alphanumeric() || HIGH.has(*b)) && bytes.len() > 1
                || HIGH.has(bytes[0]) && !url.last().is_some_and(|b| HIGH.has(*b))
                || starts_host("www.")
                || starts_host("ftp.")
                || is_email_or_prompt(word)
                || is_date(bytes)
                || names_line(word)
                || assigns(url, word)
                || is_other_than_file(url, word)
                || is_host()
                || !rest.trim().is_empty() && starts_prose(url, word, rest)
        }
    }
}

/// Returns true if `word` may be an email address, or the prompt of a user at a host: it has an
/// `@`, and no path after that; but a message identifier has digits and a hyphen before its `@`, as
/// in `3-ann@h.org`.
fn is_email_or_prompt(word: &str) -> bool {
    let Some((local, host)) = word.split_once('@') else { return false };
    let is_identifier = local.contains('-') && local.contains(|c: char| c.is_ascii_digit());
    is_prompt(word.as_bytes()) || !is_identifier && (!host.contains('/') || host.ends_with("//"))
}

/// Returns true if `word` is a date or a time: `2021-03-15`, `10:00:00`.
fn is_date(word: &[u8]) -> bool {
    let shape: Vec<u8> = word.iter().take(10).map(|&b| if b.is_ascii_digit() { b'0' } else { b }).collect();
    shape == b"0000-00-00" || shape.starts_with(b"00:00")
}

/// Returns true if `word` starts with a file name and the number of a line, as what grep prints
/// does: `a.md:12:text`.
fn names_line(word: &str) -> bool {
    let mut parts = word.splitn(3, ':');
    let (Some(name), Some(line), Some(_)) = (parts.next(), parts.next(), parts.next()) else { return false };
    name.contains('.')
        && !name.contains(['#', '?', '&', '=', '%'])
        && !line.is_empty()
        && line.bytes().all(|b| b.is_ascii_digit())
}

/// Returns true if `word` is a name, `=` and a value, as in a settings file, after a `url` that
/// lacks no value of a query.
fn assigns(url: &[u8], word: &str) -> bool {
    let Some((name, value)) = word.split_once('=') else { return false };
    let last = url.iter().rposition(|b| b"?&#;".contains(b)).map_or(&[][..], |start| &url[start..]);
    let lacks_value = !last.contains(&b'=') && matches!(last.first(), Some(b'?' | b'&'));
    let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b)) && !name.is_empty();
    let is_variable = name.len() > 1 && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    let is_value = value.bytes().any(|b| b.is_ascii_alphanumeric()) && !value.contains(['/', '?', '&']);
    is_name && !lacks_value && (is_variable || is_value && (last.is_empty() || last.contains(&b'=')))
}

/// Shorter extensions are often the start of others, such as `.c` of `.cpp`.
const MIN_EXTENSION_LEN: usize = 3;

/// Returns true if `url` ends with a file name, and with `word` appended it would not: `a.txt⏎201`.
fn is_other_than_file(url: &[u8], word: &str) -> bool {
    let len = word.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let is_long = memchr::memrchr(b'.', url).is_some_and(|dot| url.len() - dot > MIN_EXTENSION_LEN);
    len > 0
        && is_long
        && file_kind::names_known_file(url)
        && !file_kind::names_known_file(&[url, &word.as_bytes()[..len]].concat())
}

/// The number of digits in the names of commits and objects.
const HASH_LENS: [usize; 2] = [40, 64];

/// Returns true if `word` completes the hash at the end of `url`.
fn completes_hash(url: &[u8], word: &str) -> bool {
    let is_hex = |b: &&u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    let before = url.iter().rev().take_while(is_hex).count();
    before >= MIN_HASH && HASH_LENS.contains(&(before + word.as_bytes().iter().take_while(is_hex).count()))
}

/// The number of digits that certainly belong to a hash. Fewer digits may be a word or a number as
/// well, such as `facade` or a date.
const MIN_HASH: usize = 8;

/// Returns true if `word`, which `rest` follows, starts prose and does not complete a word in
/// `url`: it is common, capitalized, or in a separate column.
fn starts_prose(url: &[u8], word: &str, rest: &str) -> bool {
    let is_upper = |b: u8| b.is_ascii_uppercase();
    let is_rest = || url.last().is_some_and(|&b| is_upper(b)) && word.bytes().all(is_upper);
    let is_common = || {
        let lower = without_punctuation(word.as_bytes()).to_ascii_lowercase();
        FUNCTION_WORDS.iter().any(|common| common.as_bytes() == lower)
    };
    let is_capitalised = word.bytes().next().is_some_and(is_upper) && !is_rest();
    !word.starts_with('-')
        && is_prose(word.as_bytes())
        && (is_capitalised || !word.is_ascii() || rest.starts_with("   ") || is_common())
}

/// Returns true if the line that ends at `at`, or a line before it, starts like `line`, numbers
/// aside:
/// `[2]`, `npm`.
fn is_like_others(cx: &Surroundings<'_, '_>, at: usize, line: &str) -> bool {
    let (window, floor) = (cx.window, cx.back.max(at.saturating_sub(SCREEN.1)));
    let shape = |line: &str| {
        let word = first_word(line);
        let digit = |b: u8| if b.is_ascii_digit() { b'0' } else { b };
        let mut shape: Vec<u8> = word.bytes().map(digit).collect();
        shape.dedup_by(|a, b| *a == b'0' && *b == b'0');
        (shape, word.len() == line.len())
    };
    let wanted = shape(line);
    let mut end = at;
    (0..SCREEN.0).any(|_| {
        let Some(start) = window.line_start(end, floor).filter(|&start| start > floor || start == 0) else {
            return false;
        };
        let line = shown(window.ahead(start..end));
        end = window.before_break(start, floor);
        // A part that the terminal broke off does not start a line.
        let starts = start == 0 || next_line(cx, end).is_none();
        starts && shape(&line) == wanted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_sequences_are_not_shown() {
        for (line, text) in [
            ("a\x1B[1;31mb\x1B[0mc", "abc"),
            ("a\x1B[Kb", "ab"),
            ("a\x1B]8;;x:1\x07b\x1B]8;;\x07c", "abc"),
            ("a\x1B]8;;x:1\x1B\\b\x1B]8;;\x1B\\c", "abc"),
            ("a\x1B(Bb\x1B)0c", "abc"),
            ("a\x1B[1", "a"),
            ("a\x1B", "a"),
        ] {
            assert_eq!(shown(line.as_bytes()), text, "{line:?}");
        }
    }
}

//! Line prefixes: the quote and comment characters at the start of a line.
//!
//! When a reply quotes a URL that is broken across two lines, each line gets a `> `
//! before it. The Appendix of RFC 1738 requires that whitespace between delimiters "should
//! be ignored when extracting the URL", but does not mention such prefixes. Here the line
//! of the opening delimiter determines which prefix characters may start the lines
//! after it, and how many of each.
//!
//! The characters are `>`, `|`, `:`, `*`, `;`, `#`, `%`, `//`, and a `>` with the
//! initials of a writer before it (`AB> `).

use super::Surroundings;
use crate::bytes::class::{BLANK, BREAK, PREFIX, PREFIXES, SPACE};
use crate::bytes::window::Window;

/// The maximum length of the initials before a `>`, in bytes.
const MAX_INITIALS: usize = 12;

/// The maximum length of a line prefix between a bracket and its scheme, in bytes.
const MAX_PREFIX_LEN: usize = 256;

/// The index of `*` in [`PREFIXES`].
const LIST_ITEM: usize = 3;
const _: () = assert!(PREFIXES[LIST_ITEM] == b'*');

/// The prefix characters at the start of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinePrefix<'h> {
    /// The number of each of [`PREFIXES`].
    counts: [u32; PREFIXES.len()],
    /// The initials before the first `>` that has initials.
    initials: &'h [u8],
    /// The offset at which the last prefix character ends.
    end: usize,
    /// Another start that every line may share: a punctuation token of other characters (`///`,
    /// `--`), a word that starts a comment (`dnl`), or the comment character after code.
    token: &'h [u8],
    /// The token and the tokens that follow it: `+ *` in a diff of a comment.
    tokens: &'h [u8],
}

impl<'h> LinePrefix<'h> {
    /// The line prefix of the line that contains `at`; empty if that line starts before `floor`.
    pub(crate) fn of_line(window: &Window<'h>, at: usize, floor: usize) -> Self {
        if window.byte_before(at).is_some_and(|b| BREAK.has(b)) {
            return Self::default();
        }
        match window.line_start(at, floor) {
            Some(start) => Self::parse(window.before(at, start)),
            None => Self::default(),
        }
    }

    /// The line prefix at the start of `line`.
    fn parse(line: &'h [u8]) -> Self {
        let mut prefix = LinePrefix::default();
        let mut at = skip_blanks(line, 0);
        while let Some((kind, len)) = char_at(line, at) {
            // The mbox escape of a line that starts with `From `.
            if kind == 0 && line[at + len..].starts_with(b"From ") {
                break;
            }
            if len > 1 && kind == 0 && prefix.initials.is_empty() {
                prefix.initials = &line[at..at + len - 1];
            }
            prefix.counts[kind] += 1;
            prefix.end = at + len;
            at = skip_blanks(line, prefix.end);
        }
        prefix.token = token_of(line, prefix.end);
        prefix.tokens = with_next_tokens(line, prefix.token);
        prefix
    }

    /// Returns true if the line starts with a token that other lines may repeat.
    pub(crate) fn has_token(&self) -> bool {
        !self.token.is_empty()
    }

    /// Returns true if the token of the line starts with `b`.
    pub(crate) fn token_starts_with(&self, b: u8) -> bool {
        self.token.first() == Some(&b)
    }

    /// Returns the offset at which the line prefix (a token or prefix characters) of the line at
    /// `start` ends; `None` if only the opening line has a prefix. Only the first line of an item of a list has its `*`.
    pub(crate) fn repeated_or_stripped(
        &self,
        window: &Window<'_>,
        start: usize,
        limit: usize,
    ) -> Option<usize> {
        if self.has_token()
            && let Some(end) = self.repeated(window, start, limit)
        {
            return Some(end);
        }
        let may_lack = self.is_empty() || self.counts[LIST_ITEM] > 0;
        Some(self.strip(window, start, limit)).filter(|&end| end > start || may_lack)
    }

    /// Returns the offset at which the token ends on the line at `start`, if the line contains it.
    pub(crate) fn repeated(&self, window: &Window<'_>, start: usize, limit: usize) -> Option<usize> {
        let at = window.skip(start, limit, |b| BLANK.has(b));
        [self.tokens, self.token].into_iter().find_map(|token| Self::token_at(token, window, at))
    }

    /// Returns the offset at which `token` ends, if it is at `at`.
    fn token_at(token: &[u8], window: &Window<'_>, at: usize) -> Option<usize> {
        let end = at + token.len();
        if window.ahead(at..end) != token {
            return None;
        }
        let is_whole = match token[token.len() - 1].is_ascii_alphabetic() {
            true => window.get(end).is_some_and(|b| SPACE.has(b)),
            false => window.get(end).is_some_and(|b| !is_token_byte(b)),
        };
        is_whole.then_some(end)
    }

    /// Returns true if the line has no line prefix.
    pub(crate) fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Returns the offset at which the line prefix of the line at `start` ends. It has at most as
    /// many characters of each kind as the prefix of the opening line.
    ///
    /// The line may have fewer of them, because a mailer that re-wraps a quoted paragraph may omit
    /// some.
    #[inline]
    pub(crate) fn strip(&self, window: &Window<'_>, start: usize, limit: usize) -> usize {
        if self.is_empty() {
            return start;
        }
        let mut left = self.counts;
        let mut end = start;
        loop {
            let at = window.skip(end, limit, |b| BLANK.has(b));
            let Some(len) = self.char_len(window, at, &mut left) else { return end };
            end = at + len;
        }
    }

    /// The length of the prefix character at `at`, if one more of its kind is `left`.
    fn char_len(&self, window: &Window<'_>, at: usize, left: &mut [u32; PREFIXES.len()]) -> Option<usize> {
        let first = window.get(at)?;
        let len = if !self.initials.is_empty() && window.has(at, self.initials) {
            self.initials.len() + usize::from(window.get(at + self.initials.len()) == Some(b'>'))
        } else {
            1 + usize::from(first == b'/')
        };
        let last = window.get(at + len - 1)?;
        let kind = PREFIXES.iter().position(|&m| m == last && (m != b'/' || first == b'/'))?;
        left[kind] = left[kind].checked_sub(1)?;
        Some(len)
    }
}

/// The words that start a comment in m4, BASIC, Fortran and Texinfo.
const WORDS: [&[u8]; 5] = [b"dnl", b"REM", b"rem", b"C", b"@c"];

/// The comment characters that may follow code.
const AFTER_CODE: [&[u8]; 8] = [b"//", b"///", b"//!", b"#", b";", b";;", b"--", b"%"];

/// The token that lines like `line` repeat, or an empty slice. The prefix characters of `line` end
/// at `prefix_end`.
fn token_of(line: &[u8], prefix_end: usize) -> &[u8] {
    let mut words = line.split(|&b| BLANK.has(b)).filter(|word| !word.is_empty());
    // The Texinfo word begins with punctuation.
    if let Some(word) = words.clone().next().filter(|word| WORDS.contains(word)) {
        return word;
    }
    let start = skip_blanks(line, 0);
    let len = line[start..].iter().take_while(|&&b| is_token_byte(b)).count();
    match () {
        () if len > 0 && start + len > prefix_end => &line[start..start + len],
        () if prefix_end > 0 => &[],
        () => words.rfind(|word| is_token_byte(word[0]) && AFTER_CODE.contains(word)).unwrap_or_default(),
    }
}

/// The number of tokens that may follow the first.
const MAX_NEXT_TOKENS: usize = 2;

/// The `token` of `line` and the punctuation words that follow it.
fn with_next_tokens<'h>(line: &'h [u8], token: &'h [u8]) -> &'h [u8] {
    let start = skip_blanks(line, 0);
    let mut end = start + token.len();
    if !line[start..].starts_with(token) || token.is_empty() {
        return token;
    }
    for _ in 0..MAX_NEXT_TOKENS {
        let next = skip_blanks(line, end);
        let len = line[next..].iter().take_while(|&&b| is_token_byte(b)).count();
        let is_word = next > end && line.get(next + len).is_some_and(|&b| BLANK.has(b));
        if len == 0 || !is_word {
            break;
        }
        end = next + len;
    }
    &line[start..end]
}

/// Returns true if a punctuation token may contain `b`.
fn is_token_byte(b: u8) -> bool {
    b.is_ascii_punctuation() && b != b'<'
}

/// The prefix character at `at` of `line`: its index in [`PREFIXES`] and its length.
fn char_at(line: &[u8], at: usize) -> Option<(usize, usize)> {
    let first = *line.get(at)?;
    if first == b'/' {
        return (line.get(at + 1) == Some(&b'/')).then_some((PREFIXES.len() - 1, 2));
    }
    if let Some(kind) = PREFIXES.iter().position(|&m| m == first) {
        return Some((kind, 1));
    }
    let len = line[at..].iter().take(MAX_INITIALS + 1).take_while(|b| b.is_ascii_alphanumeric()).count();
    let quoted = (1..=MAX_INITIALS).contains(&len) && line.get(at + len) == Some(&b'>');
    quoted.then_some((0, len + 1))
}

fn skip_blanks(line: &[u8], at: usize) -> usize {
    at + line[at..].iter().take_while(|&&b| BLANK.has(b)).count()
}

/// The `<` before `at`, if only whitespace, at most one line break, and the line prefix after it
/// are between the two.
#[inline(always)]
pub(crate) fn bracket_before(cx: &Surroundings<'_, '_>, at: usize) -> Option<usize> {
    // This test nearly always decides.
    match cx.window.byte_before(at)? {
        b'<' => (at > cx.consumed).then(|| at - 1),
        b if SPACE.or(PREFIX).has(b) => bracket_over_space(cx, at),
        _ => None,
    }
}

/// The `<` before `at`, as in [`bracket_before`], if whitespace or a prefix character is between
/// the two.
#[inline(never)]
fn bracket_over_space(cx: &Surroundings<'_, '_>, at: usize) -> Option<usize> {
    let Surroundings { window, back, .. } = *cx;
    let blank = |b| BLANK.has(b);
    let is_bracket =
        |end: usize| (end > cx.consumed && window.byte_before(end) == Some(b'<')).then(|| end - 1);
    let inner = window.skip_back(at, back, blank);
    if let Some(open) = is_bracket(inner) {
        return Some(open);
    }
    let before = window.byte_before(inner).filter(|_| inner > back)?;
    if !PREFIX.has(before) && !BREAK.has(before) {
        return None;
    }
    // Letters or digits, the initials, may precede only a `>`.
    let far = window.byte_before(inner - 1).filter(|_| before != b'>' && PREFIX.has(before));
    if far.is_some_and(|b| !PREFIX.has(b) && !SPACE.has(b)) {
        return None;
    }
    let start = match BREAK.has(before) {
        true => inner,
        false => window.line_start(inner, back.max(inner.saturating_sub(MAX_PREFIX_LEN)))?,
    };
    let line = window.before(inner, start);
    if !line.is_empty() && LinePrefix::parse(line).end != line.len() {
        return None;
    }
    let end = Some(window.before_break(start, back)).filter(|&end| end > back)?;
    is_bracket(window.skip_back(end, back, blank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appendix::{Notes, Rules};

    fn marks(line: &str) -> Vec<(char, u32)> {
        let prefix = LinePrefix::parse(line.as_bytes());
        PREFIXES.iter().zip(prefix.counts).filter(|&(_, n)| n > 0).map(|(&m, n)| (m as char, n)).collect()
    }

    /// The rest of `line` without its line prefix, after a line that starts with `opening`.
    fn stripped<'a>(opening: &str, line: &'a str) -> &'a str {
        let window = Window::whole(line.as_bytes());
        &line[LinePrefix::parse(opening.as_bytes()).strip(&window, 0, line.len())..]
    }

    #[test]
    fn the_marks_of_a_line() {
        assert_eq!(marks("see "), []);
        assert_eq!(marks("> see "), [('>', 1)]);
        assert_eq!(marks(">> > see "), [('>', 3)]);
        assert_eq!(marks(" * See "), [('*', 1)]);
        assert_eq!(marks(";; see"), [(';', 2)]);
        assert_eq!(marks("// see"), [('/', 1)]);
        assert_eq!(marks("/ see"), []);
        assert_eq!(marks("> | # % : x"), [('>', 1), ('|', 1), (':', 1), ('#', 1), ('%', 1)]);
        assert_eq!(marks("AB> CD> see"), [('>', 2)]);
    }

    #[test]
    fn the_escape_of_mbox_is_not_a_leader() {
        assert_eq!(marks(">From the press"), []);
        assert_eq!(marks(">>From the press"), [('>', 1)]);
        assert_eq!(marks(">Frome"), [('>', 1)]);
    }

    #[test]
    fn at_most_the_marks_of_the_opening_line_are_stripped() {
        assert_eq!(stripped("> ", "> b>"), " b>");
        assert_eq!(stripped("> ", "> > b"), " > b");
        assert_eq!(stripped("> > ", "> b"), " b");
        assert_eq!(stripped("", "> b"), "> b");
        assert_eq!(stripped("* ", "# b"), "# b");
        assert_eq!(stripped("// ", "// b"), " b");
        assert_eq!(stripped("// ", "/b"), "/b");
        assert_eq!(stripped("AB> ", "AB> b"), " b");
        assert_eq!(stripped("AB> ", "CD> b"), "CD> b");
        assert_eq!(stripped("AB> ", "> b"), " b");
    }

    /// A token of punctuation and at most two after it, each followed by a space.
    #[test]
    fn the_tokens_of_a_line() {
        for (line, tokens) in [
            (".. see", ".."),
            (".. -- see", ".. --"),
            (".. -- :: see", ".. -- ::"),
            ("  .. -- :: !! see", ".. -- ::"),
            (".. --see", ".."),
            (".. a -- see", ".."),
            ("dnl -- see", "dnl --"),
        ] {
            let prefix = LinePrefix::parse(line.as_bytes());
            assert_eq!(str::from_utf8(prefix.tokens).unwrap(), tokens, "{line}");
        }
    }

    #[test]
    fn every_word_and_mark_of_a_comment() {
        for word in ["dnl", "REM", "rem", "C", "@c"] {
            assert_eq!(token_of(format!(" {word} see ").as_bytes(), 0), word.as_bytes());
            assert_eq!(token_of(format!("x {word} see ").as_bytes(), 0), b"", "{word} after code");
        }
        for mark in ["//", "///", "//!", "#", ";", ";;", "--", "%"] {
            assert_eq!(token_of(format!("f(x) {mark} see ").as_bytes(), 0), mark.as_bytes());
        }
        for line in ["see ", "Rem see ", "f(x) ### see ", "f(x) = see "] {
            assert_eq!(token_of(line.as_bytes(), 0), b"", "{line}");
        }
        for mark in [">", "|", ":", "*", ";", "#", "%"] {
            assert_eq!(stripped(&format!("{mark} "), &format!("{mark} b")), " b");
        }
    }

    #[test]
    fn a_bracket_closely_before() {
        let at = |text: &str| {
            let window = &Window::whole(text.as_bytes());
            let (rules, notes) = (&Rules::default(), &Notes::default());
            bracket_before(&Surroundings { window, rules, consumed: 0, back: 0, notes }, text.len())
        };
        assert_eq!(at("a <"), Some(2));
        assert_eq!(at("a <  "), Some(2));
        assert_eq!(at("a < \n  "), Some(2));
        assert_eq!(at("a <\r\n"), Some(2));
        assert_eq!(at("> a <\n> "), Some(4));
        assert_eq!(at("a <\n\n"), None);
        assert_eq!(at("a < b "), None);
        assert_eq!(at(""), None);
    }

    /// A token of a line counts if it is a whole word there.
    #[test]
    fn tokens_that_are_repeated() {
        for (opening, line, end) in [
            ("dnl see", "dnl b", Some(3)),
            ("dnl see", "  dnl b", Some(5)),
            ("dnl see", "dnlb", None),
            ("dnl see", "dnl/b", None),
            ("dnl see", "dnl", None),
            ("C see", "C b", Some(1)),
            ("C see", "C: b", None),
            (".. see", ".. b", Some(2)),
            (".. see", "..b", Some(2)),
            (".. see", "... b", None),
            (".. see", ". b", None),
            (".. see", "..", None),
        ] {
            let window = Window::whole(line.as_bytes());
            let found = LinePrefix::parse(opening.as_bytes()).repeated(&window, 0, line.len());
            assert_eq!(found, end, "{opening:?} {line:?}");
        }
    }
}

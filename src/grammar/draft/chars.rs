//! The characters of the draft, and the runs of them that its productions are made of.

use super::super::{
    chars::{
        ALPHA, ALPHADIGIT, AMPERSAND, APOSTROPHE, ASTERISK, AT, COLON, COMMA, Class, DIGIT, DOLLAR, DOT,
        ESCAPE, EXCLAMATION, HYPHEN, PAREN, PLUS, QUOTE, SEMICOLON, UNDERSCORE,
    },
    error::{ParseError, Production},
    rest::Rest,
};

static SEARCH: Production = Production::draft(
    "search",
    "a search is words with \"+\" between them, each of letters, digits, escapes, spaces and \"$-_@.&!*\"'():;,\"",
);

/// `safe = "$" | "-" | "_" | "@" | "." | "&"`
const SAFE: Class = DOLLAR.or(HYPHEN).or(UNDERSCORE).or(AT).or(DOT).or(AMPERSAND);

/// `extra = "!" | "*" | quotation mark | "'" | "(" | ")" | ":" | ";" | "," | space`,
/// but for the space, which has no class without the tab: see [`run`].
const EXTRA: Class =
    EXCLAMATION.or(ASTERISK).or(QUOTE).or(APOSTROPHE).or(PAREN).or(COLON).or(SEMICOLON).or(COMMA);

/// `xalpha = alpha | digit | safe | extra | escape`
pub(super) const XALPHA: Class = ALPHADIGIT.or(SAFE).or(EXTRA).or(ESCAPE);

/// `xpalpha = xalpha | "+"`
pub(super) const XPALPHA: Class = XALPHA.or(PLUS);

/// The longest run of a class and of spaces, possibly empty.
pub(super) fn run(rest: Rest<'_>, class: Class) -> (&str, Rest<'_>) {
    let (_, mut end) = rest.run(class);
    while let Some(next) = end.eat(" ") {
        (_, end) = next.run(class);
    }
    (end.since(rest), end)
}

/// `xalphas = xalpha [ xalphas ]`, or a refusal by the production that it is in.
pub(super) fn xalphas<'a>(
    rest: Rest<'a>,
    within: &'static Production,
) -> Result<(&'a str, Rest<'a>), ParseError> {
    some(run(rest, XALPHA), within)
}

/// `xpalphas = xpalpha [ xpalphas ]`, or nothing.
fn xpalphas(rest: Rest<'_>) -> (&str, Rest<'_>) {
    run(rest, XPALPHA)
}

/// `ialpha = alpha [ xalphas ]`, or a refusal by the production that it is in. `class`
/// is [`XALPHA`], or what of it may be there.
///
/// A dot is an `xalpha`, and so `ialpha [ "." ialpha ]` is no more than `ialpha`.
pub(super) fn ialpha<'a>(
    rest: Rest<'a>,
    class: Class,
    within: &'static Production,
) -> Result<(&'a str, Rest<'a>), ParseError> {
    if rest.first().is_some_and(|byte| ALPHA.has(byte)) {
        Ok(run(rest, class))
    } else {
        Err(rest.refuse(within))
    }
}

/// `digits = digit [ digits ]`, or a refusal by the production that they are in.
pub(super) fn digits<'a>(
    rest: Rest<'a>,
    within: &'static Production,
) -> Result<(&'a str, Rest<'a>), ParseError> {
    some(rest.run(DIGIT), within)
}

/// A run that is not empty, or a refusal.
fn some<'a>(
    (run, rest): (&'a str, Rest<'a>),
    within: &'static Production,
) -> Result<(&'a str, Rest<'a>), ParseError> {
    if run.is_empty() { Err(rest.refuse(within)) } else { Ok((run, rest)) }
}

/// `path = void | xpalphas [ "/" path ]`
///
/// So a slash follows a name: a path has none at its start, and no two together.
pub(super) fn path(rest: Rest<'_>) -> (&str, Rest<'_>) {
    let mut end = rest;
    loop {
        let (name, after) = xpalphas(end);
        if name.is_empty() {
            break;
        }
        end = after;
        match end.eat("/") {
            Some(next) => end = next,
            None => break,
        }
    }
    (end.since(rest), end)
}

/// `search = xalphas [ "+" search ]`
pub(super) fn search(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    let mut end = rest;
    loop {
        (_, end) = some(run(end, XALPHA), &SEARCH)?;
        match end.eat("+") {
            Some(next) => end = next,
            None => return Ok((end.since(rest), end)),
        }
    }
}

/// `[ "?" search ]` at the end of a URL. Without one, what is there is an offence
/// against `before`.
pub(super) fn final_search<'a>(
    rest: Rest<'a>,
    before: &'static Production,
) -> Result<Option<&'a str>, ParseError> {
    let Some(rest) = rest.eat("?") else {
        rest.end(before)?;
        return Ok(None);
    };
    let (search, rest) = search(rest)?;
    rest.end(&SEARCH)?;
    Ok(Some(search))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_the_draft() {
        let members = |class: Class| -> String {
            let ascii = (0..=255).filter(|b: &u8| !b.is_ascii_alphanumeric());
            ascii.filter(|&b| class.has(b)).map(char::from).collect()
        };
        assert_eq!(members(XALPHA), "!\"$%&'()*,-.:;@_");
        assert_eq!(members(XPALPHA), "!\"$%&'()*+,-.:;@_");
        // `national` and `punctuation`, and what no production has.
        for byte in *b"{}|[]\\^~<>=?#/`" {
            assert!(!XPALPHA.has(byte), "{byte:#x}");
        }
    }

    #[test]
    fn a_space_is_a_character_and_a_tab_is_not() {
        let run = |text: &'static str| run(Rest::new(text.as_bytes()), XALPHA).0;
        assert_eq!(run("a  b %20 /"), "a  b %20 ");
        assert_eq!(run(" a\tb"), " a");
        assert_eq!(run("a b%2"), "a b");
    }

    #[test]
    fn slashes_follow_names() {
        for (text, len) in [("", 0), ("/a", 0), ("a/", 2), ("a//", 2), ("a/b+c/d", 7), ("a=b", 1)] {
            assert_eq!(path(Rest::new(text.as_bytes())).0.len(), len, "{text}");
        }
    }

    #[test]
    fn a_search_is_words() {
        let search = |text: &'static str| search(Rest::new(text.as_bytes())).ok().map(|(search, _)| search);
        assert_eq!(search("a+b c+d"), Some("a+b c+d"));
        assert_eq!(search("a=b"), Some("a"));
        for text in ["", "+", "a+", "a++b", "=b"] {
            assert_eq!(search(text), None, "{text}");
        }
    }
}

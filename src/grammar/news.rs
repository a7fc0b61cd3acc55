//! `news:` (RFC 1738 section 3.6).

use std::fmt;

use super::login::{self, host};
use super::production::*;

productions! {
    GROUPPART: "grouppart", "RFC 1738 section 3.6", NO_ESCAPES,
        "after \"news:\" comes \"*\", a newsgroup or a message-id";
    pub(super) GROUP: "group", "RFC 1738 section 3.6", NO_ESCAPES,
        "a newsgroup begins with a letter and consists of letters, digits and \"-.+_\"";
    ARTICLE: "article", "RFC 1738 section 3.6", ESCAPES,
        "a message-id consists of letters, digits, escapes and \"$-_.+!*'(),;/?:&=\", then \"@\" and a host";
}

/// The part of an article's name before the at-sign:
/// `1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ]`.
const ARTICLE_CHARS: Class = UCHAR.or(SEMICOLON).or(SLASH).or(QUESTION).or(COLON).or(AMPERSAND).or(EQUALS);

/// A newsgroup or an article of USENET news, without a particular server.
///
/// ```
/// use urlgrep::grammar::rfc1738::{NewsPart, Url, parse};
///
/// let Url::News(news) = parse(b"news:comp.infosystems.www.misc")? else { unreachable!() };
/// assert_eq!(news.scheme(), "news");
/// assert_eq!(news.part(), NewsPart::Group("comp.infosystems.www.misc"));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct News<'a> {
    scheme: &'a str,
    part: NewsPart<'a>,
}

/// The target of a `news:` URL: `grouppart` in the BNF.
///
/// ```
/// use urlgrep::grammar::rfc1738::{NewsPart, Url, parse};
///
/// let part = |url: &'static str| match parse(url) {
///     Ok(Url::News(news)) => news.part(),
///     _ => unreachable!(),
/// };
/// assert_eq!(part("news:*"), NewsPart::All);
/// assert_eq!(part("news:alt.test"), NewsPart::Group("alt.test"));
/// let article = NewsPart::Article { unique: "x/y", host: "h.org" };
/// assert_eq!(part("news:x/y@h.org"), article);
/// assert_eq!(article.to_string(), "x/y@h.org");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewsPart<'a> {
    /// `*`: "all available news groups".
    All,
    /// A newsgroup.
    Group(&'a str),
    /// An article, by its message-id.
    Article {
        /// The part before the at-sign.
        unique: &'a str,
        /// The part after the at-sign. It names the host where the article was
        /// written, not a server that has it.
        host: &'a str,
    },
}

impl<'a> News<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns the target of the URL.
    pub fn part(&self) -> NewsPart<'a> {
        self.part
    }
}

impl fmt::Display for NewsPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NewsPart::All => f.write_str("*"),
            NewsPart::Group(group) => f.write_str(group),
            NewsPart::Article { unique, host } => write!(f, "{unique}@{host}"),
        }
    }
}

impl fmt::Display for News<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.scheme, self.part)
    }
}

/// `newsurl = "news:" grouppart`
pub(super) fn newsurl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<News<'a>, ParseError> {
    let part = grouppart(rest)?;
    Ok(News { scheme, part })
}

/// `grouppart = "*" | group | article`
fn grouppart(rest: Rest<'_>) -> Result<NewsPart<'_>, ParseError> {
    if rest.bytes().is_empty() {
        return Err(rest.refuse(&GROUPPART));
    }
    if rest.bytes() == b"*" {
        return Ok(NewsPart::All);
    }
    // "A message identifier may be distinguished from a news group name by the
    // presence of the commercial at "@" character."
    if rest.bytes().contains(&b'@') {
        return article(rest);
    }
    let whole = group(rest).and_then(|(group, rest)| {
        rest.end(&GROUP)?;
        Ok(NewsPart::Group(group))
    });
    whole.or_else(|error| article(rest).map_err(|other| error.farther(other)))
}

/// `group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]`
pub(super) fn group(rest: Rest<'_>) -> Parsed<'_> {
    if !rest.first().is_some_and(|byte| ALPHA.has(byte)) {
        return Err(rest.refuse(&GROUP));
    }
    Ok(rest.run(ALPHADIGIT.or(HYPHEN).or(DOT).or(PLUS).or(UNDERSCORE)))
}

/// `article = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host`
fn article(rest: Rest<'_>) -> Result<NewsPart<'_>, ParseError> {
    let (unique, rest) = rest.some(ARTICLE_CHARS, &ARTICLE)?;
    let (host, rest) = host(rest.expect("@", &ARTICLE)?)?;
    rest.end(&login::HOST)?;
    Ok(NewsPart::Article { unique, host })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{accepted, refused};

    #[test]
    fn groups_and_articles() {
        accepted("news:*");
        accepted("news:comp.infosystems.www.misc");
        accepted("NEWS:a.b-c+d_e.f");
        accepted("news:x");
        accepted("news:*@h");
        accepted("news:1a;b/c?d:e&f=g%40@1.2.3.4");
    }

    #[test]
    fn refusals_by_the_alternative_that_came_farther() {
        refused("news:", "grouppart", 5);
        refused("news:a b", "group", 6);
        refused("news:1", "article", 6);
        refused("news:**", "article", 7);
        refused("news:a.b/c", "article", 10);
        refused("news:@h", "article", 5);
        refused("news:a~b@h", "article", 6);
        refused("news:a@b@c", "toplabel", 8);
        refused("news:a@h.org:80", "host", 12);
        refused("news:a@", "host", 7);
    }
}

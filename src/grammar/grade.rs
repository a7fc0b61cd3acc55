//! The grade: how well formed a URL is.

use std::{fmt, str::FromStr};

use super::{ParseError, generic, parse, plausible::plausible, split_fragment};

/// How well formed a URL is; the greatest grade is the best.
///
/// ```
/// use urlgrep::grammar::Grade;
///
/// assert!(Grade::Rfc1738 > Grade::Rfc3986 && Grade::Rfc3986 > Grade::Lenient);
/// assert_eq!("rfc3986".parse(), Ok(Grade::Rfc3986));
/// assert_eq!(Grade::Lenient.as_str(), "lenient");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// No grammar accepts it, but its host or scheme-specific part is plausible:
    /// `http://h.org/{x}`.
    Lenient,
    /// RFC 3986's generic syntax accepts it: `http://h.org/~me/`.
    Rfc3986,
    /// RFC 1738 accepts it, without its fragment.
    Rfc1738,
}

impl Grade {
    /// The name: `lenient`, `rfc3986` or `rfc1738`.
    ///
    /// ```
    /// # use urlgrep::grammar::Grade;
    /// assert_eq!(Grade::Rfc1738.as_str(), "rfc1738");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Grade::Lenient => "lenient",
            Grade::Rfc3986 => "rfc3986",
            Grade::Rfc1738 => "rfc1738",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Grade {
    type Err = ParseGradeError;

    fn from_str(name: &str) -> Result<Grade, ParseGradeError> {
        let mut grades = [Grade::Lenient, Grade::Rfc3986, Grade::Rfc1738].into_iter();
        grades.find(|grade| grade.as_str() == name).ok_or(ParseGradeError(()))
    }
}

/// The error for a name that is not the name of a [`Grade`].
///
/// ```
/// use urlgrep::grammar::Grade;
///
/// let error = "strict".parse::<Grade>().unwrap_err();
/// assert_eq!(error.to_string(), "a grade is \"lenient\", \"rfc3986\" or \"rfc1738\"");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseGradeError(());

impl fmt::Display for ParseGradeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a grade is \"lenient\", \"rfc3986\" or \"rfc1738\"")
    }
}

impl std::error::Error for ParseGradeError {}

/// The grade of a URL, and why the grade is not better.
///
/// ```
/// use urlgrep::grammar::{Grade, assess};
///
/// let assessment = assess(b"http://h.org/~me/")?;
/// assert_eq!(assessment.grade(), Grade::Rfc3986);
/// assert_eq!(assessment.reason().map(|reason| reason.production()), Some("hsegment"));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    grade: Grade,
    reason: Option<ParseError>,
}

impl Assessment {
    /// The assessment of a match that the grammar rejects.
    pub(crate) fn refused(reason: ParseError) -> Self {
        Assessment { grade: Grade::Lenient, reason: Some(reason) }
    }

    /// The grade.
    pub fn grade(&self) -> Grade {
        self.grade
    }

    /// Why the grade is not the next better one: the error of RFC 1738's grammar for
    /// `rfc3986`, that of RFC 3986's grammar for `lenient`, and `None` for `rfc1738`.
    pub fn reason(&self) -> Option<&ParseError> {
        self.reason.as_ref()
    }
}

/// Grades a URL.
///
/// The fragment, from the first `#` on, is ignored. Runs in time linear in the
/// length and does not allocate. A URL that RFC 1738 accepts costs little more than
/// [`parse`].
///
/// # Errors
///
/// Returns an error if this is not a URL at all, that is, if RFC 1738 rejects it and
///
/// - it has no scheme, or nothing after the colon; or
/// - it contains white space, a control character, `<` or `>`; or
/// - it has no [plausible](super::host::plausible) host after `//` (the port may be
///   anything, and the host of a `file:` URL may be empty if a path follows); or
/// - it has no `//`, and its scheme, like `http`, needs one; or
/// - it is a `file:` URL whose path does not start with `/`.
///
/// ```
/// use urlgrep::grammar::{Grade, assess};
///
/// assert_eq!(assess(b"http://h.org/a#~b")?.grade(), Grade::Rfc1738);
/// assert_eq!(assess(b"http://my_host.org/")?.grade(), Grade::Rfc3986);
/// assert_eq!(assess(b"http://h.org/100%")?.grade(), Grade::Lenient);
///
/// let error = assess(b"http://h.org(thehomepage)").unwrap_err();
/// assert_eq!((error.production(), error.offset()), ("host", 12));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
pub fn assess(url: &[u8]) -> Result<Assessment, ParseError> {
    let (url, _fragment) = split_fragment(url);
    let Err(by_rfc1738) = parse(url) else {
        return Ok(Assessment { grade: Grade::Rfc1738, reason: None });
    };
    plausible(url)?;
    let (grade, reason) = match generic::parse(url) {
        Ok(_) => (Grade::Rfc3986, by_rfc1738),
        Err(by_rfc3986) => (Grade::Lenient, by_rfc3986),
    };
    Ok(Assessment { grade, reason: Some(reason) })
}

/// Whether [`assess`] has a grade for `url`. Cheaper than [`assess`].
pub(crate) fn is_url(url: &[u8]) -> bool {
    let (url, _fragment) = split_fragment(url);
    plausible(url).is_ok() || parse(url).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::warnings, *};

    fn graded(url: &str) -> Option<(Grade, Option<(&'static str, usize)>)> {
        let assessment = assess(url.as_bytes()).ok()?;
        let reason = assessment.reason().map(|r| (r.production(), r.offset()));
        Some((assessment.grade(), reason))
    }

    #[test]
    fn every_form_of_the_rfc_has_its_grade() {
        for url in [
            "ftp://@host.com/",
            "ftp://foo:@host.com/",
            "ftp://myname@host.dom/%2Fetc/motd",
            "ftp://h.org/a/b;type=A",
            "http://h.org",
            "http://h.org:8080/a;b/c?x&y=z",
            "gopher://h.org",
            "gopher://h.org:70/",
            "gopher://h.org/7/s%09find%20me",
            "gopher://h.org/0x%09%09+application/postscript%20Es_ES",
            "mailto:a%25b@h.org",
            "news:*",
            "news:a.b-c+d_e.f",
            "news:x/y@h.org",
            "nntp://h.org/a.b",
            "nntp://h.org:119/a.b/42",
            "telnet://u:p@h.org:23/",
            "telnet://h.org",
            "wais://h.org/db?words",
            "wais://h.org:210/db/TEXT/1%3d2",
            "file://localhost/a",
            "file://vms.host.edu/disk$user/my/notes/note12345.txt",
            "prospero://host.dom//pros/name",
            "prospero://h.org:1525/n;OBJECT-VERSION=1;a=b",
            "x-new:anything/goes?here",
            "https://h.org/a",
        ] {
            assert_eq!(graded(url), Some((Grade::Rfc1738, None)), "{url}");
        }
    }

    #[test]
    fn reasons_come_from_the_next_better_grammar() {
        for (url, production, offset) in [
            ("http://h.org/~me/", "hsegment", 13),
            ("http://my_host.org/", "domainlabel", 9),
            ("http://[::1]/", "toplabel", 7),
            ("http://u@h.org/", "hostport", 8),
            ("http://h.org/?a?b", "search", 15),
            ("ftp://h.org/a;type=x", "ftptype", 19),
            ("file:/etc/motd", "fileurl", 6),
            ("mailto:me", "encoded822addr", 9),
            ("http://h.org./", "toplabel", 13),
        ] {
            let expected = (Grade::Rfc3986, Some((production, offset)));
            assert_eq!(graded(url), Some(expected), "{url}");
        }
        for (url, production, offset) in [
            ("http://h.org/{x}", "pchar", 13),
            ("http://h.org/100%", "pct-encoded", 17),
            ("http://h.org/a^b", "pchar", 14),
            ("http://h.org/\u{e9}", "pchar", 13),
            ("http://h.org/a?b|c", "query", 16),
            ("ssh://git@h.org:user/~x.git", "port", 16),
            ("http://b\u{fc}cher.example/", "reg-name", 8),
        ] {
            let expected = (Grade::Lenient, Some((production, offset)));
            assert_eq!(graded(url), Some(expected), "{url}");
        }
    }

    #[test]
    fn fragments_are_ignored() {
        assert_eq!(graded("http://h.org/#{ }"), Some((Grade::Rfc1738, None)));
        assert_eq!(graded("http://h.org#a"), Some((Grade::Rfc1738, None)));
    }

    #[test]
    fn some_texts_have_no_grade() {
        for url in ["", "http://", "http://h.org(thehomepage)", "http://h.org/ a", "http:h.org/~"] {
            assert_eq!(graded(url), None, "{url}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            start in "(https?|file|gopher|mailto|x):(//)?(u:p@)?(h(:1)?/)?",
            bytes: Vec<u8>,
        ) {
            let url = [start.as_bytes(), &bytes].concat();
            let _ = warnings(&url);
            prop_assert_eq!(is_url(&url), assess(&url).is_ok());
            if let Ok(assessment) = assess(&url) {
                let best = assessment.grade() == Grade::Rfc1738;
                prop_assert_eq!(best, assessment.reason().is_none());
            }
        }
    }
}

//! The grade: how well formed a URL is.

use crate::bytes::name::named;

#[cfg(feature = "draft")]
use super::draft;
use super::login::host_flaw;
use super::production::*;
use super::schemes::{SchemeRule, UrlKind, known};
use super::split::{Authority, split};
use super::{generic, rfc1738, split_fragment};

productions! {
    CHARACTERS: "URI", "RFC 3986 appendix C", NO_ESCAPES,
        "whitespace, control characters, \"<\" and \">\" delimit a URL and are never inside";
    AUTHORITY: "authority", "RFC 3986 section 3.2", NO_ESCAPES,
        "a URL of this scheme must have \"//\" and a host after its colon";
    HIER_PART: "hier-part", "RFC 3986 section 3", NO_ESCAPES, "the part after the colon must not be empty";
    PATH: "path-absolute", "RFC 3986 section 3.3", NO_ESCAPES, "the path of a file must begin with a \"/\"";
}

/// The grammar by which a URL is graded: RFC 1738, or a draft of it.
///
/// A dialect decides only the best grade and the reason for a lower one.
///
/// ```
/// use urlgrep::grammar::{Dialect, Grade, assess_by};
///
/// let grade = |dialect, url: &[u8]| assess_by(dialect, url).map(|assessment| assessment.grade());
/// assert_eq!(grade(Dialect::Rfc1738, b"http://my_host.org/"), Ok(Grade::Rfc3986));
/// assert_eq!(grade(Dialect::Draft1994, b"http://my_host.org/"), Ok(Grade::Draft1994));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// RFC 1738, section 5 with the rules of section 3.
    #[default]
    Rfc1738,
    /// The draft of 1994: see [`draft`].
    #[cfg(feature = "draft")]
    Draft1994,
}

/// The degree to which a URL is well formed; the greatest grade is the best.
///
/// Each [`Dialect`] has three grades: its own, which is the best, and two lower ones, which all
/// dialects share. `Rfc1738` and `Draft1994` are each the best grade of one dialect. The draft's
/// grade is the greater value, so that a minimum of `Rfc1738` selects the best grade in both
/// dialects.
///
/// ```
/// use urlgrep::grammar::Grade;
///
/// assert!(Grade::Rfc1738 > Grade::Rfc3986 && Grade::Rfc3986 > Grade::Lenient);
/// assert_eq!("rfc3986".parse(), Ok(Grade::Rfc3986));
/// assert_eq!(Grade::Lenient.as_str(), "lenient");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Grade {
    /// No grammar accepts it, but its host or scheme-specific part is plausible:
    /// `http://h.org/{x}`.
    Lenient,
    /// RFC 3986's generic syntax accepts it: `http://h.org/~me/`.
    Rfc3986,
    /// RFC 1738 accepts it, without its fragment.
    Rfc1738,
    /// The draft of 1994 accepts it, including its fragment: the best grade by
    /// [`Dialect::Draft1994`].
    Draft1994,
}

named! {
    Grade, FromStr:
    /// Returns the name: `lenient`, `rfc3986`, `rfc1738` or `draft1994`.
    ///
    /// ```
    /// # use urlgrep::grammar::Grade;
    /// assert_eq!(Grade::Rfc1738.as_str(), "rfc1738");
    /// ```
    Lenient => "lenient",
    Rfc3986 => "rfc3986",
    Rfc1738 => "rfc1738",
    Draft1994 => "draft1994",
}

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

    /// Returns the grade.
    pub fn grade(&self) -> Grade {
        self.grade
    }

    /// Returns the reason why the next better grade does not apply: the error of the dialect's
    /// grammar for `rfc3986`, the error of RFC 3986's grammar for `lenient`, and `None` for the
    /// best grade.
    pub fn reason(&self) -> Option<&ParseError> {
        self.reason.as_ref()
    }
}

/// Grades a URL by RFC 1738.
///
/// The fragment, from the first `#` on, is ignored. Runs in time linear in the
/// length and does not allocate. A URL that RFC 1738 accepts costs little more than
/// [`rfc1738::parse`].
///
/// # Errors
///
/// Returns an error if this is not a URL, that is, if RFC 1738 rejects it and
///
/// - its scheme or the text after the colon is missing; or
/// - it contains whitespace, a control character, `<` or `>` before its fragment; or
/// - it has no [plausible](super::host::plausible) host after `//` (the port may be
///   anything, and the host of a `file:` URL may be empty if a path follows); or
/// - it lacks the `//` that its scheme, like `http`, needs; or
/// - it is a `file:` URL whose path does not start with `/`.
///
/// RFC 1738 does not define `https`; urlgrep grades it by the production of `http`, as in RFC 2818
/// §2.4.
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
    match by_rfc1738(url) {
        Ok(()) => Ok(Assessment { grade: Grade::Rfc1738, reason: None }),
        Err(refusal) => assess_refused(url, refusal),
    }
}

/// Returns an error unless `url`, which does not contain a fragment, obeys RFC 1738, or RFC 2818 if
/// it is an `https` URL.
fn by_rfc1738(url: &[u8]) -> Result<(), ParseError> {
    let is_https = url.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"https:"));
    if is_https { rfc1738::https(url) } else { rfc1738::parse(url).map(drop) }
}

/// Grades a URL by a dialect.
///
/// By [`Dialect::Rfc1738`] this is [`assess`]. By [`Dialect::Draft1994`], the best grade is
/// [`Grade::Draft1994`]. For this grade, the fragment has to obey the draft as well, because the
/// draft's root is [`fragmentaddress`](draft::fragmentaddress). Lower grades differ only in their
/// reasons.
///
/// # Errors
///
/// Returns the error of [`assess`] for text that the dialect rejects.
///
/// ```
/// use urlgrep::grammar::{Dialect, Grade, assess_by};
///
/// assert_eq!(assess_by(Dialect::Draft1994, b"http://h.org/a_b#c")?.grade(), Grade::Draft1994);
///
/// let assessment = assess_by(Dialect::Draft1994, b"http://h.org/a?b=c")?;
/// assert_eq!(assessment.grade(), Grade::Rfc3986);
/// assert_eq!(assessment.reason().map(|reason| reason.production()), Some("search"));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[inline]
pub fn assess_by(dialect: Dialect, url: &[u8]) -> Result<Assessment, ParseError> {
    match dialect {
        Dialect::Rfc1738 => assess(url),
        #[cfg(feature = "draft")]
        Dialect::Draft1994 => assess_by_draft(url),
    }
}

#[cold]
#[cfg(feature = "draft")]
fn assess_by_draft(url: &[u8]) -> Result<Assessment, ParseError> {
    match draft::fragmentaddress(url) {
        Ok(_) => Ok(Assessment { grade: Grade::Draft1994, reason: None }),
        Err(refusal) => assess_refused(split_fragment(url).0, refusal),
    }
}

/// Grades text that the dialect rejects; `url` does not contain a fragment.
#[inline]
fn assess_refused(url: &[u8], refusal: ParseError) -> Result<Assessment, ParseError> {
    plausible(url)?;
    let (grade, reason) = match generic::parse(url) {
        Ok(_) => (Grade::Rfc3986, refusal),
        Err(by_rfc3986) => (Grade::Lenient, by_rfc3986),
    };
    Ok(Assessment { grade, reason: Some(reason) })
}

/// Returns true if [`assess`] returns a grade for `url`, at a lower cost.
pub(crate) fn is_url(url: &[u8]) -> bool {
    let (url, _fragment) = split_fragment(url);
    plausible(url).is_ok() || by_rfc1738(url).is_ok()
}

/// Returns an error unless `url`, which does not contain a fragment, is plausible: no grammar
/// accepts it, but a reader would still use it.
///
/// An unencoded brace or percent sign does no harm, but a URL with a missing or impossible host
/// cannot be used.
fn plausible(url: &[u8]) -> Result<(), ParseError> {
    let all = Rest::new(url);
    let Some(split) = split(url) else {
        // The scheme is not valid.
        return generic::scheme(all).map(drop);
    };
    if let Some(at) = url.iter().position(|&byte| UNPRINTABLE.or(ANGLE).has(byte)) {
        return Err(all.skip(at).refuse(&CHARACTERS));
    }
    let rest = all.skip(split.scheme.len() + 1);
    let known = known(split.scheme);
    let is_file = known.is_some_and(|known| known.kind == UrlKind::File);
    let needs_authority = known.is_some_and(|known| known.needs_authority);
    if let Some(authority) = &split.authority {
        let is_of_web =
            known.is_some_and(|known| matches!(known.rule, Some(SchemeRule::Web | SchemeRule::Socket)));
        let may_be_empty = !is_of_web && split.rest.starts_with(b"/");
        plausible_authority(rest.skip(2), authority, may_be_empty)
    } else if needs_authority {
        Err(rest.refuse(&AUTHORITY))
    } else if is_file && !split.rest.starts_with(b"/") {
        Err(rest.refuse(&PATH))
    } else if split.rest.is_empty() {
        Err(rest.refuse(&HIER_PART))
    } else {
        Ok(())
    }
}

/// Returns an error unless the authority at the start of `rest` contains a plausible host, or is empty
/// and may be. The user and the port may be any text, because URLs such as `git@h.org:me/it`, with a
/// path after the colon, are in use.
fn plausible_authority(
    rest: Rest<'_>,
    authority: &Authority<'_>,
    may_be_empty: bool,
) -> Result<(), ParseError> {
    // RFC 1738 section 3.10: the host of a file can be "the empty string". RFC 3986 section 3.2.2
    // lets each scheme define whether its host can be empty.
    if may_be_empty && authority.host.is_empty() && authority.userinfo.is_none() {
        return Ok(());
    }
    let host_start = authority.userinfo.map_or(0, |userinfo| userinfo.len() + 1);
    match host_flaw(authority.host) {
        Some(flaw) => Err(rest.skip(host_start + flaw).refuse(&generic::HOST)),
        None => Ok(()),
    }
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

    #[test]
    #[cfg(feature = "draft")]
    fn the_draft_has_a_grade_and_reasons_of_its_own() {
        for (url, grade, reason) in [
            ("http://my_host.org/a b", Grade::Draft1994, None),
            ("http://h.org/a#b", Grade::Draft1994, None),
            ("http:a", Grade::Draft1994, None),
            ("http://h.org/a#b=c", Grade::Rfc3986, Some(("fragmentid", 16))),
            ("https://h.org/", Grade::Rfc3986, Some(("path", 6))),
            ("http://h.org/{x}#~", Grade::Lenient, Some(("pchar", 13))),
        ] {
            let assessment = assess_by(Dialect::Draft1994, url.as_bytes()).unwrap();
            let why = assessment.reason().map(|r| (r.production(), r.offset()));
            assert_eq!((assessment.grade(), why), (grade, reason), "{url}");
        }
        assert!(assess_by(Dialect::Draft1994, b"http://h.org/<a>").is_err());
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

    fn refusal(url: &str) -> Option<(&'static str, usize)> {
        let error = plausible(url.as_bytes()).err()?;
        Some((error.production(), error.offset()))
    }

    #[test]
    fn plausible_urls() {
        for url in [
            "http://h.org/{x}",
            "http://my_host.org",
            "http://u@v@[::1]:x/",
            "ssh://git@h.org:user/x.git",
            "http://b\u{fc}cher.example/\u{e9}",
            "file:///",
            "file:/etc",
            "file://h",
            "afs:///~a",
            "made-up:///~a",
            "mailto:x",
            "made-up:^",
        ] {
            assert_eq!(refusal(url), None, "{url}");
        }
    }

    /// Each scheme that needs `//`, and a host or, if it is not of the web, a path.
    #[test]
    fn schemes_that_need_a_host() {
        for scheme in [
            "ftp", "http", "gopher", "nntp", "telnet", "wais", "prospero", "nfs", "tn3270", "https", "ftps",
            "sftp", "tftp", "ssh", "git", "svn", "rsync", "irc", "ircs", "rtsp", "gemini", "ws", "wss",
            "nntps", "telnets", "smb",
        ] {
            let at = scheme.len() + 1;
            for url in ["h.org/1", "/h.org/1", ""] {
                assert_eq!(refusal(&format!("{scheme}:{url}")), Some(("authority", at)), "{scheme}");
            }
            let is_of_web = ["ftp", "http", "https", "ws", "wss"].contains(&scheme);
            let expected = [("///1", is_of_web), ("//", true), ("//u@/1", true)];
            for ((url, is_refused), at) in expected.into_iter().zip([at + 2, at + 2, at + 4]) {
                assert_eq!(
                    refusal(&format!("{scheme}:{url}")),
                    is_refused.then_some(("host", at)),
                    "{scheme}"
                );
            }
        }
        for url in ["ldap:///a", "imap:///a", "pop:a", "z39.50r:a", "webcal:a", "snews:a"] {
            assert_eq!(refusal(url), None, "{url}");
        }
    }

    #[test]
    fn implausible_ones() {
        for (url, production, offset) in [
            ("", "scheme", 0),
            ("1x:a", "scheme", 0),
            ("x", "scheme", 1),
            ("http://h.org/a b", "URI", 14),
            ("http://h.org/<a", "URI", 13),
            ("http://h.org/\x7f", "URI", 13),
            ("http:", "authority", 5),
            ("HTTPS:/h.org", "authority", 6),
            ("http://", "host", 7),
            ("http:///a", "host", 7),
            ("http://u@/a", "host", 9),
            ("made-up://", "host", 10),
            ("made-up://u@/a", "host", 12),
            ("http://h.org(thehomepage)", "host", 12),
            ("http://h..org/", "host", 9),
            ("file:etc", "path-absolute", 5),
            ("file://", "host", 7),
            ("mailto:", "hier-part", 7),
        ] {
            assert_eq!(refusal(url), Some((production, offset)), "{url}");
        }
    }
}

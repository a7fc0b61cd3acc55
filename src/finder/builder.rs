//! The builder: the options of a finder.

use std::fmt;
use std::sync::Arc;

use super::{Config, Finder};
use crate::bytes::unicode::Iri;
use crate::grammar::schemes::Schemes;
use crate::grammar::schemes::is_scheme;
use crate::grammar::{Dialect, Grade};
use crate::matches::evidence::Evidence;
use crate::matches::form::Join;
use crate::matches::readings::Hyphen;
use crate::plain;
use crate::scan::{CellSeparator, Domains, Schemeless, defanged};
use crate::simd::Simd;

/// The shortest limit for a URL, in bytes.
pub(super) const LEAST: usize = 16;

/// A builder for a [`Finder`].
///
/// # Example
///
/// ```
/// use urlgrep::{Finder, Hyphen, Join};
///
/// let finder = Finder::builder().hyphen(Hyphen::Drop).join(Join::Likely).max_len(4096).build()?;
/// assert_eq!(finder.find("<URL:http://h.org/foo-\nbar>").unwrap().as_bytes(), b"http://h.org/foobar");
/// # Ok::<(), urlgrep::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FinderBuilder {
    config: Config,
    /// True to use only safe code, and the rules without the fast path.
    portable: bool,
}

impl FinderBuilder {
    /// Sets the schemes that are known by name. A known scheme needs only the text that its kind of
    /// URL requires, such as an email address after `mailto:`. The default is [`Schemes::default`].
    pub fn known_schemes(mut self, schemes: Schemes) -> Self {
        self.config.rules.scan.schemes = schemes;
        self
    }

    /// Adds names to the [known schemes](Self::known_schemes).
    ///
    /// ```
    /// let finder = urlgrep::Finder::builder().scheme_add(["spotify"]).build()?;
    /// assert!(finder.is_match("spotify:track:1"));
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn scheme_add<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        let known = &mut self.config.rules.scan.schemes;
        *known = names.into_iter().fold(std::mem::take(known), |known, name| known.with(name.as_ref()));
        self
    }

    /// Limits matches to URLs with these schemes (case-insensitive); several calls add their
    /// schemes. The default is all schemes; an empty list matches nothing.
    ///
    /// The list only filters: a name that is not [known](Self::known_schemes) is still matched only
    /// if `//` and a host follow.
    pub fn schemes<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        let names = names.into_iter().map(|name| name.as_ref().to_ascii_lowercase().into());
        self.config.scheme_filter.get_or_insert_default().extend(names);
        self
    }

    /// Removes the filter of [`schemes`](Self::schemes), so that URLs of all schemes match.
    pub(super) fn without_scheme_filter(mut self) -> Self {
        self.config.scheme_filter = None;
        self
    }

    /// Sets which URLs are rejoined across lines. The default is [`Join::Delimited`].
    pub fn join(mut self, join: Join) -> Self {
        self.config.rules.join = join;
        self
    }

    /// Sets the width of the terminal that the text was copied from, in columns; with
    /// [`Join::Likely`], a bare URL that fills such a line continues with the first word of the
    /// next line. By default, the width is unknown.
    ///
    /// A character of Han, kana or Hangul takes two columns; a border, `|` or `│`, at the end of the line does
    /// not count.
    ///
    /// ```
    /// use urlgrep::{Finder, GuessRule, Join};
    ///
    /// let finder = Finder::builder().join(Join::Likely).width(20).build()?;
    /// let m = finder.find("see https://h.org/on\ne/two and three").unwrap();
    /// assert_eq!((m.as_bytes(), m.guess()), (&b"https://h.org/one/two"[..], Some(GuessRule::Terminal)));
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn width(mut self, columns: usize) -> Self {
        self.config.rules.scan.read.width = Some(columns);
        self
    }

    /// Sets whether each line is a row of cells separated by commas or semicolons: the more frequent separator in the
    /// row then ends a URL outside of quotation marks. Off by default: a row is recognised by its adjacent lines.
    ///
    /// ```
    /// let finder = urlgrep::Finder::builder().delimited_rows(true).build()?;
    /// assert_eq!(finder.find("http://h.org/a,Template,3").unwrap().as_bytes(), b"http://h.org/a");
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn delimited_rows(mut self, yes: bool) -> Self {
        self.config.rules.scan.read.cells = yes.then_some(CellSeparator::OfRow);
        self
    }

    /// Sets evidence: URLs that occur unbroken elsewhere. With [`Join::Likely`], a bare URL is also joined if the
    /// result is one of these URLs.
    ///
    /// The finder reads the evidence while it searches, and adds nothing to it.
    pub fn evidence(mut self, evidence: Evidence) -> Self {
        self.config.rules.evidence = Some(evidence);
        self
    }

    /// Sets how a hyphen at the end of a line between delimiters is read. The default is
    /// [`Hyphen::Keep`].
    pub fn hyphen(mut self, hyphen: Hyphen) -> Self {
        self.config.rules.hyphen = hyphen;
        self
    }

    /// Sets which non-ASCII characters bare URLs may contain. The default is [`Iri::Words`].
    ///
    /// ```
    /// use urlgrep::{Finder, Iri};
    ///
    /// let finder = Finder::builder().iri(Iri::All).build()?;
    /// let m = finder.find("参照 http://例え.jp/日本（要約）。").unwrap();
    /// assert_eq!(m.as_str(), "http://例え.jp/日本（要約）");
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn iri(mut self, iri: Iri) -> Self {
        self.config.rules.scan.read.iri = iri;
        self
    }

    /// Adds kinds of text that match without a scheme. By default, a match needs a scheme.
    ///
    /// The match is the text verbatim. [`Match::scheme`](crate::Match::scheme) returns the implied scheme, and
    /// [`Match::href`](crate::Match::href) the whole URL. Costs a second pass over the text.
    ///
    /// ```
    /// use urlgrep::{Finder, Schemeless};
    ///
    /// let finder = Finder::builder().schemeless([Schemeless::Hosts, Schemeless::Emails]).build()?;
    /// let found: Vec<_> = finder.find_iter("see www.h.org/a, or ask me@h.org.").collect();
    /// assert_eq!((found[0].as_str(), &*found[0].scheme()), ("www.h.org/a", "http"));
    /// assert_eq!((found[1].as_str(), &*found[1].href()), ("me@h.org", "mailto:me@h.org"));
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn schemeless(mut self, kinds: impl IntoIterator<Item = Schemeless>) -> Self {
        let scan = &mut self.config.rules.scan;
        for kind in kinds {
            match kind {
                Schemeless::Hosts => scan.hosts = true,
                Schemeless::Emails => scan.emails = true,
                Schemeless::Ips => scan.ips = true,
                #[cfg(feature = "domains")]
                Schemeless::Domains => scan.domains = scan.domains.max(Domains::Names),
                #[cfg(feature = "domains")]
                Schemeless::AllDomains => scan.domains = Domains::All,
            }
        }
        self
    }

    /// Removes all kinds that [`schemeless`](Self::schemeless) added, so that only URLs with a scheme match.
    pub(super) fn without_schemeless(mut self) -> Self {
        let scan = &mut self.config.rules.scan;
        (scan.hosts, scan.emails, scan.ips, scan.domains) = (false, false, false, Domains::None);
        self
    }

    /// Sets the grammar by which matches are graded. The default is RFC 1738.
    ///
    /// The dialect determines the grades, the reasons for them, and the matches that pass
    /// [`min_grade`](Self::min_grade). Otherwise, the matches are the same: RFC 1738 always decides where a URL
    /// starts and ends, and which reading of a hyphen is preferred.
    ///
    /// ```
    /// use urlgrep::grammar::{Dialect, Grade};
    ///
    /// let finder = urlgrep::Finder::builder().dialect(Dialect::Draft1994).build()?;
    /// let text = "<prospero://h.org/pros/name%0012a1b2> or http://h.org/~me/";
    /// let grades: Vec<_> = finder.find_iter(text).map(|found| found.grade()).collect();
    /// assert_eq!(grades, [Grade::Draft1994, Grade::Rfc3986]);
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.config.dialect = dialect;
        self
    }

    /// Sets whether a rewritten link or a redirect is replaced by the URL inside it: see
    /// [`unwrap`](crate::unwrap()). Off by default.
    ///
    /// The rewritten link is then the first of the [alternatives](crate::Match::alternatives), and
    /// [`Match::unwrapped_from`](crate::Match::unwrapped_from) lists its services. The filters and the
    /// grade apply to the inner URL. Offsets refer to the rewritten link, and the option does not
    /// change which text matches.
    ///
    /// ```
    /// let finder = urlgrep::Finder::builder().unwrap(true).build()?;
    /// let m = finder.find("<https://www.google.com/url?q=http://h.org/a&sa=U>").unwrap();
    /// assert_eq!((m.as_str(), m.unwrapped_from()), ("http://h.org/a", &["google"][..]));
    /// assert_eq!(m.alternatives(), ["https://www.google.com/url?q=http://h.org/a&sa=U"]);
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    #[cfg(feature = "unwrap")]
    pub fn unwrap(mut self, yes: bool) -> Self {
        self.config.unwrap = yes;
        self
    }

    /// Sets whether the URLs within a match are matches as well: in its parameters, its path and its fragment, as
    /// written, percent-encoded or in base64, nested up to three deep. Off by default.
    ///
    /// The nested URLs follow the match, in the order of the text, and their form is
    /// [`Form::Nested`](crate::Form::Nested). Offsets and pieces refer to the bytes that encode the
    /// nested URL. If the outer URL is not in the text verbatim, because it is a relative link or
    /// was [unwrapped](Self::unwrap), they refer to the whole outer match. The filters apply to
    /// them as well.
    ///
    /// ```
    /// let finder = urlgrep::Finder::builder().nested(true).build()?;
    /// let text = "see http://i.org/?u=http%3A%2F%2Fh.org%2F";
    /// let urls: Vec<_> = finder.find_iter(text).map(|m| (m.to_string(), m.range())).collect();
    /// assert_eq!(urls[1], ("http://h.org/".to_owned(), 20..41));
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    #[cfg(feature = "unwrap")]
    pub fn nested(mut self, yes: bool) -> Self {
        self.config.nested = yes;
        self
    }

    /// Sets whether defanged URLs match. Reports about attacks write URLs this way to prevent
    /// accidental clicks. Off by default.
    ///
    /// A match is the restored URL, and its form is [`Form::Defanged`](crate::Form::Defanged). Offsets
    /// and pieces refer to the text as written. Something in the scheme or the authority must be
    /// defanged:
    ///
    /// | written | means |
    /// |---|---|
    /// | `hxxp`, `hXXps`, `htxp`, `fxp`: `x` for `t` in `http`, `https`, `ftp` and `ftps` | the scheme |
    /// | `[.]`, `(.)`, `{.}`, `[dot]`, `(dot)`, `{dot}`; in a host, a space may be on both sides | `.` |
    /// | `\.`, `[.` and, after a scheme, a space and `.`, each before a letter or digit of a host | `.` |
    /// | `[:]`, `[://]`, `[/]` | `:`, `://`, `/` |
    /// | `[@]`, `[at]`, `(at)`, in `mailto:` URLs and email addresses, with or without spaces | `@` |
    /// | `[dash]`, `(dash)`, with or without spaces | `-` |
    ///
    /// After the authority, `[.]` and `[dot]` are kept as written. A host or email address without a scheme
    /// (`h[.]org`, `joe[at]h.org`) matches if it is under a public suffix, which needs the feature `domains`, or is
    /// an IPv4 address; its scheme is implied. Lines are not joined. It needs a second pass over the text, and turns
    /// off the fast path.
    ///
    /// ```
    /// use urlgrep::{Finder, Form};
    ///
    /// let finder = Finder::builder().refang(true).build()?;
    /// let m = finder.find("It loads hXXps://h[.]example(dot)org/a[.]exe, says the report.").unwrap();
    /// assert_eq!((m.as_bytes(), m.form()), (&b"https://h.example.org/a.exe"[..], Form::Defanged));
    /// assert_eq!(m.span(), 9..44);
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn refang(mut self, yes: bool) -> Self {
        self.config.rules.scan.refang = yes;
        self
    }

    /// Sets whether the search yields only text that looks like a URL but is not one, and URLs with an
    /// [invalid part](crate::Match::invalid). Off by default.
    ///
    /// | yielded | because of |
    /// |---|---|
    /// | `htp://h.org/` | the scheme |
    /// | `http//h.org/`, `http:/h.org/`, `https:://h.org/` | the separator |
    /// | `http:///a` | the host |
    /// | `http://h..org/`, `http://www,h.org/` | a label of the host |
    /// | `http://xn--ä.org/` | a label in Punycode |
    /// | `http://h.org:8o80/`, `http://h.org:80800/` | the port |
    /// | `<http://h.org/100%>` | the escape |
    /// | `[a](http://h.org/a b.html)`, `<http://h.org/` | the space, the bracket |
    ///
    /// Relative references are not checked, and no request is sent. Placeholders, such as `http://HOST:PORT/` or
    /// `http://{host}/`, do not match either. It needs a second pass over the text, and turns off the fast path.
    #[cfg(feature = "domains")]
    pub fn invalid(mut self, yes: bool) -> Self {
        self.config.rules.scan.invalid = yes;
        self
    }

    /// Sets the lowest grade of a match. The default is [`Grade::Lenient`].
    ///
    /// A higher grade costs a pass of the grammar over each URL.
    pub fn min_grade(mut self, grade: Grade) -> Self {
        self.config.min_grade = (grade > Grade::Lenient).then_some(grade);
        self
    }

    /// Sets the maximum length of a URL in the text, in bytes, including delimiters and whitespace.
    /// The default is 65,536, and the minimum is 16.
    ///
    /// A longer URL is not a match, and the search continues after it. A stream keeps
    /// about this many bytes of the text in memory.
    pub fn max_len(mut self, bytes: usize) -> Self {
        self.config.rules.max_len = bytes;
        self
    }

    /// Sets whether matches have a [line and column](crate::Match::position). Off by default.
    ///
    /// Costs a pass over the text that counts line feeds.
    pub fn line_numbers(mut self, yes: bool) -> Self {
        self.config.lines = yes;
        self
    }

    /// Sets whether matches record why they [end](crate::Match::ending) where they do. Off by
    /// default.
    ///
    /// Slower, since every URL is read by the rules, without the fast path.
    pub fn explain(mut self, yes: bool) -> Self {
        self.config.rules.explain = yes;
        self
    }

    /// Sets whether to search without `unsafe` code and without the fast path.
    ///
    /// Use this only in tests: the matches are the same either way.
    #[doc(hidden)]
    pub fn portable(mut self, yes: bool) -> Self {
        self.portable = yes;
        self
    }

    /// Builds the finder.
    ///
    /// # Errors
    ///
    /// Returns an error if the name of a scheme is not valid (RFC 1738 §2.1), does not
    /// start with a letter, or is longer than 32 bytes, if [`max_len`](Self::max_len) is
    /// below 16, or if [`min_grade`](Self::min_grade) is [`Grade::Draft1994`], which the
    /// [dialect](Self::dialect) RFC 1738 does not have.
    pub fn build(self) -> Result<Finder, BuildError> {
        let Config { rules, scheme_filter, .. } = &self.config;
        let invalid =
            scheme_filter.iter().flatten().find(|name| !is_scheme(name.as_bytes())).map(|name| &**name);
        if let Some(name) = rules.scan.schemes.invalid_name().or(invalid) {
            return Err(BuildError(BuildErrorKind::Scheme(name.to_owned())));
        }
        if rules.max_len < LEAST {
            return Err(BuildError(BuildErrorKind::MaxLen(rules.max_len)));
        }
        if self.config.min_grade == Some(Grade::Draft1994) && self.config.dialect == Dialect::Rfc1738 {
            return Err(BuildError(BuildErrorKind::Grade));
        }
        Ok(Finder { config: Arc::new(self.complete()) })
    }

    /// The configuration, with the fields that depend on others set.
    pub(super) fn complete(mut self) -> Config {
        if self.portable {
            self.config.rules.scan.read.simd = Simd::generic();
        }
        let rules_join = self.config.rules.join;
        let scan = &mut self.config.rules.scan;
        scan.broken_schemes = rules_join == Join::Likely;
        if scan.refang {
            scan.schemes = std::mem::take(&mut scan.schemes).with_spellings(&defanged::SCHEMES);
        }
        self.config.plain = !self.portable && plain::suits(&self.config.rules);
        self.config
    }
}

/// The error for options that a [`Finder`] cannot be built with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(BuildErrorKind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum BuildErrorKind {
    Scheme(String),
    MaxLen(usize),
    Grade,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            BuildErrorKind::Scheme(name) => write!(
                f,
                "expected a scheme (a letter, then letters, digits, '+', '-' or '.', at most 32 in all), found {name:?}"
            ),
            BuildErrorKind::Grade => f.write_str(
                "expected a grade of RFC 1738 (lenient, rfc3986 or rfc1738), found \"draft1994\", which requires the dialect draft",
            ),
            BuildErrorKind::MaxLen(bytes) => write!(f, "expected a limit of at least {LEAST} bytes, found {bytes}"),
        }
    }
}

impl std::error::Error for BuildError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_built_says_why() {
        let error = Finder::builder().schemes(["ht tp"]).build().unwrap_err();
        assert!(error.to_string().ends_with("found \"ht tp\""), "{error}");
        let error = Finder::builder().scheme_add([""]).build().unwrap_err();
        assert!(error.to_string().ends_with("found \"\""), "{error}");
        let error = Finder::builder().max_len(3).build().unwrap_err();
        assert!(error.to_string().contains("at least 16"), "{error}");
        let finder = Finder::builder().min_grade(Grade::Draft1994);
        let error = finder.clone().build().unwrap_err();
        assert!(error.to_string().contains("found \"draft1994\""), "{error}");
        #[cfg(feature = "draft")]
        assert!(finder.dialect(Dialect::Draft1994).build().is_ok());
    }

    #[test]
    fn of_no_scheme_there_is_no_url() {
        let text = "http://h.org/ ftp://h.org/";
        let found =
            |schemes: &[&str]| Finder::builder().schemes(schemes).build().unwrap().find_iter(text).count();
        assert_eq!((found(&[]), found(&["FTP"])), (0, 1));
        let twice = Finder::builder().schemes(["ftp"]).schemes(["http"]).build().unwrap();
        assert_eq!(twice.find_iter(text).count(), 2);
    }

    #[test]
    fn no_limit_is_too_large() {
        let finder = Finder::builder().max_len(usize::MAX).build().unwrap();
        let text = "at <URL:http://h.org/\na> http://h.org/b";
        let urls: Vec<_> = finder.find_iter(text).map(|m| m.as_bytes().to_vec()).collect();
        assert_eq!(urls, [b"http://h.org/a", b"http://h.org/b"]);
    }
}

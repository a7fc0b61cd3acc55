//! How a finder gets its rules.

use std::fmt;
use std::sync::Arc;

use super::{Config, Finder};
use crate::bytes::unicode::Iri;
use crate::found::form::Join;
use crate::found::readings::Hyphen;
use crate::grammar::Grade;
use crate::grammar::scheme_set::Schemes;
use crate::grammar::schemes::is_scheme;
use crate::plain;
#[cfg(feature = "domains")]
use crate::scan::Domains;
use crate::simd::Simd;

/// The shortest limit for a URL, in bytes.
const LEAST: usize = 16;

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
    /// Whether to use only safe code, and the rules without the fast path.
    portable: bool,
}

impl FinderBuilder {
    /// The schemes that are known by name; [`Schemes::default`] if not called.
    pub fn schemes(mut self, schemes: Schemes) -> Self {
        self.config.rules.scan.schemes = schemes;
        self
    }

    /// Only URLs of these schemes, in any letter case, are finds; those of all
    /// schemes if not called.
    ///
    /// A name that is not known by default becomes so, as with
    /// [`Schemes::with`].
    pub fn scheme_filter<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        for name in names {
            let name = name.as_ref().to_ascii_lowercase();
            if self.config.rules.scan.schemes.rule_of(name.as_bytes()).is_none() {
                self.config.rules.scan.schemes = self.config.rules.scan.schemes.with(&name);
            }
            self.config.scheme_filter.push(name.into());
        }
        self
    }

    /// Which URLs are put together from several lines.
    pub fn join(mut self, join: Join) -> Self {
        self.config.rules.join = join;
        self
    }

    /// What becomes of a hyphen at the end of a line between delimiters.
    pub fn hyphen(mut self, hyphen: Hyphen) -> Self {
        self.config.rules.hyphen = hyphen;
        self
    }

    /// Which characters beyond ASCII bare URLs may have; [`Iri::Words`] if not called.
    ///
    /// ```
    /// use urlgrep::{Finder, Iri};
    ///
    /// let finder = Finder::builder().iri(Iri::All).build()?;
    /// let m = finder.find("参照 http://例え.jp/日本（要約）。").unwrap();
    /// assert_eq!(m.as_str(), Some("http://例え.jp/日本（要約）"));
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn iri(mut self, iri: Iri) -> Self {
        self.config.rules.scan.iri = iri;
        self
    }

    /// Whether host names that begin with `www.` or `ftp.` are finds though they
    /// have no scheme; they are not if not called.
    ///
    /// They are found as they stand, with what follows them; the scheme that
    /// goes without saying is [`Match::scheme`](crate::Match::scheme). Costs a
    /// second pass over the text.
    ///
    /// ```
    /// let finder = urlgrep::Finder::builder().hosts(true).build()?;
    /// let found = finder.find("see www.h.org/a.").unwrap();
    /// assert_eq!((found.as_bytes(), &*found.scheme()), (&b"www.h.org/a"[..], "http"));
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn hosts(mut self, yes: bool) -> Self {
        self.config.rules.scan.hosts = yes;
        self
    }

    /// Whether mail addresses are finds though they have no scheme; they are not
    /// if not called.
    ///
    /// Identifiers of messages are not: those in the header fields Message-ID, References
    /// and In-Reply-To, and those with a `$`. The scheme of an address is `mailto`. Costs a second pass over the text.
    pub fn addresses(mut self, yes: bool) -> Self {
        self.config.rules.scan.addresses = yes;
        self
    }

    /// Which domain names are matches though they have no scheme; none if not called.
    ///
    /// A name counts if it is under a public suffix and a word of its own; what follows it
    /// belongs to the match. The scheme is `http`. Costs a second pass over the text.
    ///
    /// ```
    /// use urlgrep::{Domains, Finder};
    ///
    /// let finder = Finder::builder().domains(Domains::Names).build()?;
    /// let text = "see example.org/a, README.md and node.js";
    /// let urls: Vec<_> = finder.find_iter(text).map(|m| m.to_string()).collect();
    /// assert_eq!(urls, ["example.org/a"]);
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    #[cfg(feature = "domains")]
    pub fn domains(mut self, domains: Domains) -> Self {
        self.config.rules.scan.domains = domains;
        self
    }

    /// The lowest grade that is a find; [`Grade::Lenient`] if not called.
    ///
    /// Anything above that costs a pass of the grammar over each URL.
    pub fn min_grade(mut self, grade: Grade) -> Self {
        self.config.min_grade = (grade > Grade::Lenient).then_some(grade);
        self
    }

    /// How long a URL may be in the text, delimiters and whitespace included,
    /// in bytes; 65,536 if not called.
    ///
    /// A longer one is no find, and the search goes on behind it. A stream
    /// keeps about this much of the text in memory.
    pub fn max_len(mut self, bytes: usize) -> Self {
        self.config.rules.max_len = bytes;
        self
    }

    /// Whether finds say on which [line and column](crate::Match::place) they
    /// begin; they do not if not called.
    ///
    /// Costs a pass over the text that counts line feeds.
    pub fn line_numbers(mut self, yes: bool) -> Self {
        self.config.lines = yes;
        self
    }

    /// Whether matches say why they [end](crate::Match::ending) where they do; they do
    /// not if not called.
    ///
    /// Costs the fast path: every URL is read by the rules.
    pub fn explain(mut self, yes: bool) -> Self {
        self.config.rules.explain = yes;
        self
    }

    /// Whether to use safe code alone, and the rules without the fast path.
    ///
    /// The matches are the same, which is what tests need this for.
    #[doc(hidden)]
    pub fn portable(mut self, yes: bool) -> Self {
        self.portable = yes;
        self
    }

    /// The finder.
    ///
    /// # Errors
    ///
    /// If the name of a scheme is not valid (RFC 1738 §2.1), does not start with a
    /// letter, or is longer than 32 bytes; and if the limit of
    /// [`max_len`](Self::max_len) is below 16.
    pub fn build(self) -> Result<Finder, BuildError> {
        let Config { rules, scheme_filter, .. } = &self.config;
        let invalid = scheme_filter.iter().find(|name| !is_scheme(name.as_bytes())).map(|name| &**name);
        if let Some(name) = rules.scan.schemes.invalid_name().or(invalid) {
            return Err(BuildError(Kind::Scheme(name.to_owned())));
        }
        if rules.max_len < LEAST {
            return Err(BuildError(Kind::MaxLen(rules.max_len)));
        }
        Ok(Finder { config: Arc::new(self.complete()) })
    }

    /// The configuration with what follows from it.
    pub(super) fn complete(mut self) -> Config {
        if self.portable {
            self.config.rules.scan.simd = Simd::generic();
        }
        self.config.plain = !self.portable && plain::suits(&self.config.rules);
        self.config
    }
}

/// Why a [`Finder`] could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Scheme(String),
    MaxLen(usize),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Scheme(name) => write!(
                f,
                "expected a scheme (a letter, then letters, digits, '+', '-' or '.', at most 32 in all), found {name:?}"
            ),
            Kind::MaxLen(bytes) => write!(f, "expected a limit of at least {LEAST} bytes, found {bytes}"),
        }
    }
}

impl std::error::Error for BuildError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_built_says_why() {
        let error = Finder::builder().scheme_filter(["ht tp"]).build().unwrap_err();
        assert!(error.to_string().ends_with("found \"ht tp\""), "{error}");
        let error = Finder::builder().schemes(Schemes::default().with("")).build().unwrap_err();
        assert!(error.to_string().ends_with("found \"\""), "{error}");
        let error = Finder::builder().max_len(3).build().unwrap_err();
        assert!(error.to_string().contains("at least 16"), "{error}");
    }

    #[test]
    fn no_limit_is_too_large() {
        let finder = Finder::builder().max_len(usize::MAX).build().unwrap();
        let text = "at <URL:http://h.org/\na> http://h.org/b";
        let urls: Vec<_> = finder.find_iter(text).map(|found| found.as_bytes().to_vec()).collect();
        assert_eq!(urls, [b"http://h.org/a", b"http://h.org/b"]);
    }
}

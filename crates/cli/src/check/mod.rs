//! `--check`: the parts of a URL, or the byte at which it is not valid.

mod parts;

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufWriter, IsTerminal, Read, Write};
use std::path::Path;

use anyhow::{Context as _, anyhow};
use serde_json::json;
use urlgrep::grammar::{self, Dialect, Grade, ParseError, Warnings, draft};
use urlgrep::table::Value;
use urlgrep_print::escape::Escaped;

use crate::error::{self, Status, failure};
use crate::output::printer;
use crate::output::stdout::OutputOptions;
use parts::Parts;

/// The result for a URL.
#[derive(Default)]
struct Verdict<'u> {
    url: &'u [u8],
    /// `None` if it is not a URL.
    grade: Option<Grade>,
    /// The reasons why the URL does not conform to the dialect and to RFC 3986, or why the text is not a URL.
    refusals: Vec<ParseError>,
    /// The scheme in lower case.
    scheme: Option<String>,
    parts: Parts,
    fragment: Option<&'u [u8]>,
    warnings: Warnings,
}

impl<'u> Verdict<'u> {
    fn of(url: &'u [u8], dialect: Dialect) -> Self {
        let (plain, fragment) = grammar::split_fragment(url);
        let mut verdict = Verdict { url, fragment, ..Verdict::default() };
        let assessment = match grammar::assess_by(dialect, url) {
            Ok(assessment) => assessment,
            Err(error) => return Verdict { refusals: vec![error], ..verdict },
        };
        verdict.grade = Some(assessment.grade());
        let scheme = url.split(|&byte| byte == b':').next().filter(|scheme| scheme.len() < url.len());
        verdict.scheme = scheme.and_then(|scheme| Some(str::from_utf8(scheme).ok()?.to_ascii_lowercase()));
        verdict.warnings = grammar::warnings(url);
        let parts = match dialect {
            Dialect::Draft1994 => draft::fragmentaddress(url).map(|url| parts::of_draft(&url.uri())),
            _ => grammar::rfc1738::parse(plain).map(|url| parts::of(&url)),
        };
        match parts {
            Ok(parts) => verdict.parts = parts,
            Err(error) => {
                verdict.refusals.push(error);
                let generic = grammar::parse(plain).ok();
                verdict.parts = generic.map_or_else(Parts::default, |uri| parts::of_generic(&uri));
            }
        }
        // Only a lenient URL has two different errors.
        let reason = assessment.reason().cloned();
        let new = reason.filter(|reason| !verdict.refusals.contains(reason));
        verdict.refusals.extend(new);
        verdict
    }

    /// Prints the result as text. The URL is always escaped, so that the carets are
    /// under the right characters.
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let url = Escaped(self.url);
        writeln!(out, "{url}")?;
        for refusal in &self.refusals {
            // A width in a format string is at most 65,535.
            io::copy(&mut io::repeat(b' ').take(url.column(refusal.offset()) as u64), out)?;
            writeln!(out, "^ {}: {refusal}", refusal.production())?;
        }
        line(out, "grade", self.grade.map_or("none", Grade::as_str))?;
        if let Some(scheme) = &self.scheme {
            line(out, "scheme", scheme)?;
        }
        for (name, value) in &self.parts.lines {
            line(out, name, value)?;
        }
        if let Some(fragment) = self.fragment {
            line(out, "fragment", Escaped(fragment))?;
        }
        for warning in self.warnings {
            line(out, "warning", warning.as_str())?;
        }
        Ok(())
    }

    /// Prints the result as JSON.
    fn print_json(&self, out: &mut impl Write, accepted: bool) -> io::Result<()> {
        let warnings: Vec<_> = self.warnings.into_iter().map(|w| w.as_str()).collect();
        let object = json!({
            "url": Value::Url(self.url.into()),
            "accepted": accepted,
            "grade": self.grade.map(Grade::as_str),
            // As in a match, the reason explains why the URL does not have the next better grade.
            "reason": self.refusals.last(),
            "scheme": self.scheme,
            "parts": self.parts.json,
            "fragment": self.fragment.map(|fragment| Value::Text(fragment.into())),
            "warnings": warnings,
        });
        out.write_all(&printer::line(&object))
    }
}

fn line(out: &mut impl Write, name: &str, value: impl std::fmt::Display) -> io::Result<()> {
    writeln!(out, "  {name:<8}  {value}")
}

/// The URLs to check, and how the result is printed.
#[derive(Debug)]
pub struct CheckOptions {
    /// The URLs. `-` or an empty list stands for the lines of standard input.
    pub urls: Vec<OsString>,
    /// The grammar by which the URLs are graded.
    pub dialect: Dialect,
    /// The lowest grade that is accepted.
    pub min_grade: Grade,
    /// The length in bytes of the longest URL that is checked.
    pub max_len: usize,
    pub output: OutputOptions,
}

impl CheckOptions {
    /// Returns the first argument that is not a URL, but the path of an existing file.
    fn path(&self) -> Option<&Path> {
        let is_path = |url: &&OsString| {
            let is_url = grammar::assess_by(self.dialect, url.as_encoded_bytes()).is_ok();
            *url != "-" && !is_url && Path::new(url).exists()
        };
        self.urls.iter().find(is_path).map(Path::new)
    }
}

/// Checks URLs.
///
/// # Errors
///
/// Returns an error if standard input cannot be read or standard output cannot be written, or if an argument is a path.
pub fn run(options: &CheckOptions) -> anyhow::Result<Status> {
    if let Some(path) = options.path() {
        return Err(failure(path, anyhow!("expected a URL, found a path; to search it, omit --check")));
    }
    let stdout = io::stdout();
    let line_buffered = options.output.line_buffered || stdout.is_terminal();
    let out = BufWriter::new(stdout.lock());
    let mut checker = Checker { options, out, line_buffered, refused: false, failed: false };
    if options.urls.is_empty() {
        checker.lines()?;
    }
    for (n, url) in (1..).zip(&options.urls) {
        if url == OsStr::new("-") {
            checker.lines()?;
        } else if url.len() > options.max_len {
            checker.fail(anyhow!("argument {n}"));
        } else {
            checker.check(url.as_encoded_bytes())?;
        }
    }
    checker.flush()?;
    Ok(Status::new(!checker.refused, checker.failed))
}

struct Checker<'c> {
    options: &'c CheckOptions,
    out: BufWriter<io::StdoutLock<'static>>,
    line_buffered: bool,
    /// True if a URL was refused.
    refused: bool,
    /// True if a URL was not checked.
    failed: bool,
}

impl Checker<'_> {
    /// Checks each line of standard input that is not empty.
    fn lines(&mut self) -> anyhow::Result<()> {
        let mut input = io::stdin().lock();
        // The line break is not part of the URL.
        let longest = self.options.max_len.saturating_add(2);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = input.by_ref().take(longest as u64).read_until(b'\n', &mut line);
            if read.map_err(|error| failure(Path::new("-"), error))? == 0 {
                break;
            }
            let is_truncated = line.len() == longest && !line.ends_with(b"\n");
            let url = line.strip_suffix(b"\n").unwrap_or(&line);
            let url = url.strip_suffix(b"\r").unwrap_or(url);
            if is_truncated || url.len() > self.options.max_len {
                self.fail(failure(Path::new("-"), anyhow!("line {number}")));
            } else if !url.is_empty() {
                self.check(url)?;
            }
            if is_truncated {
                input.skip_until(b'\n').map_err(|error| failure(Path::new("-"), error))?;
            }
        }
        Ok(())
    }

    /// Reports a URL that is too long to be checked.
    fn fail(&mut self, place: anyhow::Error) {
        self.failed = true;
        error::print(&anyhow!(
            "{place:#}: not checked, because it is longer than {} bytes; use a larger --max-len",
            self.options.max_len
        ));
    }

    fn check(&mut self, url: &[u8]) -> anyhow::Result<()> {
        let verdict = Verdict::of(url, self.options.dialect);
        let accepted = verdict.grade.is_some_and(|grade| grade >= self.options.min_grade);
        self.refused |= !accepted;
        let printed = match (self.options.output.quiet, self.options.output.json) {
            (true, _) => Ok(()),
            (false, true) => verdict.print_json(&mut self.out, accepted),
            (false, false) => verdict.print(&mut self.out),
        };
        printed.context("standard output")?;
        if self.line_buffered {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        self.out.flush().context("standard output")
    }
}

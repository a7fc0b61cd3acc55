//! `--check`: the parts of a URL, or the byte at which it is not valid.

mod parts;

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::Context;
use serde_json::{Map, Value, json};
use urlgrep::TextOrBytes;
use urlgrep::grammar::{self, Dialect, Grade, ParseError, Warnings, draft};

use crate::error::{Status, failure};
use crate::escape::Escaped;
use crate::output::printer;
use parts::UrlPart;

/// The result for a URL.
struct Verdict<'u> {
    url: &'u [u8],
    /// None if it is not a URL.
    grade: Option<Grade>,
    /// Why it is not valid by the dialect, then by RFC 3986; or why it is not a URL.
    refusals: Vec<ParseError>,
    /// In lower case.
    scheme: Option<String>,
    parts: Vec<UrlPart<'u>>,
    fragment: Option<&'u [u8]>,
    warnings: Warnings,
}

impl<'u> Verdict<'u> {
    fn of(url: &'u [u8], dialect: Dialect) -> Self {
        let (plain, fragment) = grammar::split_fragment(url);
        let mut verdict = Verdict {
            url,
            grade: None,
            refusals: Vec::new(),
            scheme: None,
            parts: Vec::new(),
            fragment,
            warnings: Warnings::default(),
        };
        let assessment = match grammar::assess_by(dialect, url) {
            Ok(assessment) => assessment,
            Err(error) => {
                verdict.refusals.push(error);
                return verdict;
            }
        };
        verdict.grade = Some(assessment.grade());
        verdict.scheme = scheme(url);
        verdict.warnings = grammar::warnings(url);
        let parts = match dialect {
            Dialect::Draft1994 => draft::fragmentaddress(url).map(|url| parts::of_draft(&url.uri())),
            _ => grammar::parse(plain).map(|url| parts::of(&url)),
        };
        match parts {
            Ok(parts) => verdict.parts = parts,
            Err(error) => {
                verdict.refusals.push(error);
                let generic = grammar::generic::parse(plain).ok();
                verdict.parts = generic.map_or_else(Vec::new, |uri| parts::of_generic(&uri));
            }
        }
        // Only for a lenient URL this is another error.
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
            let column = url.column(refusal.offset());
            let production = refusal.production();
            writeln!(out, "{:column$}^ {production}: {refusal}", "")?;
        }
        line(out, "grade", self.grade.map_or("none", Grade::as_str))?;
        if let Some(scheme) = &self.scheme {
            line(out, "scheme", scheme)?;
        }
        for part in &self.parts {
            part.each_line(|name, value| line(out, name, value))?;
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
        let parts = self.parts.iter().map(UrlPart::to_json);
        let parts: Map<String, Value> = parts.collect();
        let object = json!({
            "url": TextOrBytes(self.url),
            "accepted": accepted,
            "grade": self.grade.map(Grade::as_str),
            // As for a match: why it does not have the next better grade.
            "reason": self.refusals.last(),
            "scheme": self.scheme,
            "parts": parts,
            "fragment": self.fragment.map(TextOrBytes),
            "warnings": warnings,
        });
        out.write_all(&printer::line(&object))
    }
}

/// The scheme in lower case.
fn scheme(url: &[u8]) -> Option<String> {
    let colon = url.iter().position(|&byte| byte == b':')?;
    let scheme = str::from_utf8(&url[..colon]).ok()?;
    Some(scheme.to_ascii_lowercase())
}

fn line(out: &mut impl Write, name: &str, value: impl std::fmt::Display) -> io::Result<()> {
    writeln!(out, "  {name:<8}  {value}")
}

/// Which URLs are checked, and how the result is printed.
#[derive(Debug)]
pub struct CheckOptions {
    /// URLs; `-` stands for the lines of standard input, and so does an empty list.
    pub urls: Vec<OsString>,
    /// The grammar by which they are graded.
    pub dialect: Dialect,
    /// The lowest grade that is accepted.
    pub min_grade: Grade,
    pub quiet: bool,
    pub json: bool,
    pub line_buffered: bool,
}

/// Checks URLs.
pub fn run(options: &CheckOptions) -> anyhow::Result<Status> {
    let stdout = io::stdout();
    let line_buffered = options.line_buffered || stdout.is_terminal();
    let mut checker = Checker { options, out: BufWriter::new(stdout.lock()), line_buffered, refused: false };
    if options.urls.is_empty() {
        checker.lines()?;
    }
    for url in &options.urls {
        if url == OsStr::new("-") {
            checker.lines()?;
        } else {
            checker.check(url.as_encoded_bytes())?;
        }
    }
    checker.flush()?;
    Ok(if checker.refused { Status::NoMatch } else { Status::Match })
}

struct Checker<'c> {
    options: &'c CheckOptions,
    out: BufWriter<io::StdoutLock<'static>>,
    line_buffered: bool,
    /// Whether a URL was refused.
    refused: bool,
}

impl Checker<'_> {
    /// Checks each line of standard input that is not empty.
    fn lines(&mut self) -> anyhow::Result<()> {
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(error) => return Err(failure(Path::new("-"), error)),
            }
            let url = line.strip_suffix(b"\n").unwrap_or(&line);
            let url = url.strip_suffix(b"\r").unwrap_or(url);
            if !url.is_empty() {
                self.check(url)?;
            }
        }
    }

    fn check(&mut self, url: &[u8]) -> anyhow::Result<()> {
        let verdict = Verdict::of(url, self.options.dialect);
        let accepted = verdict.grade.is_some_and(|grade| grade >= self.options.min_grade);
        self.refused |= !accepted;
        let printed = match (self.options.quiet, self.options.json) {
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

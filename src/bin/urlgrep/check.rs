//! `--check`: URLs taken apart, or refused with a caret under the byte that
//! offends.

mod parts;

use std::ffi::OsStr;
use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::Context;
use serde_json::{Map, Value, json};
use urlgrep::grammar::{self, Grade, ParseError, Warnings};

use crate::Status;
use crate::args::Args;
use crate::escape::Shown;
use crate::printer::{self, reason, text};
use crate::walk::failure;
use parts::Part;

/// What the grammar says of a URL.
struct Verdict<'u> {
    url: &'u [u8],
    /// None if it is no URL at all.
    grade: Option<Grade>,
    /// Why RFC 1738 refuses it, then why RFC 3986 does; or why it is no URL.
    refusals: Vec<ParseError>,
    /// In lower case.
    scheme: Option<String>,
    parts: Vec<Part<'u>>,
    fragment: Option<&'u [u8]>,
    warnings: Warnings,
}

impl<'u> Verdict<'u> {
    fn of(url: &'u [u8]) -> Self {
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
        let assessment = match grammar::assess(url) {
            Ok(assessment) => assessment,
            Err(error) => {
                verdict.refusals.push(error);
                return verdict;
            }
        };
        verdict.grade = Some(assessment.grade());
        verdict.scheme = scheme(url);
        verdict.warnings = grammar::warnings(url);
        match grammar::parse(plain) {
            Ok(url) => verdict.parts = parts::of(&url),
            Err(error) => {
                verdict.refusals.push(error);
                let generic = grammar::generic::parse(plain).ok();
                verdict.parts = generic.map_or_else(Vec::new, |uri| parts::of_generic(&uri));
            }
        }
        // For all but the lenient this is the refusal that is known.
        let reason = assessment.reason().cloned();
        let new = reason.filter(|reason| !verdict.refusals.contains(reason));
        verdict.refusals.extend(new);
        verdict
    }

    /// Prints it for people. The URL is shown as on a terminal in any case, so
    /// that the carets stand where they should.
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let url = Shown(self.url);
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
            line(out, "fragment", Shown(fragment))?;
        }
        for warning in self.warnings {
            line(out, "warning", warning.as_str())?;
        }
        Ok(())
    }

    /// Prints it for programs.
    fn print_json(&self, out: &mut impl Write, accepted: bool) -> io::Result<()> {
        let warnings: Vec<_> = self.warnings.into_iter().map(|w| w.as_str()).collect();
        let parts = self.parts.iter().map(Part::to_json);
        let parts: Map<String, Value> = parts.collect();
        let object = json!({
            "url": text(self.url),
            "accepted": accepted,
            "grade": self.grade.map(Grade::as_str),
            // As for a find: why it has not the next better grade.
            "reason": self.refusals.last().map(reason),
            "scheme": self.scheme,
            "parts": parts,
            "fragment": self.fragment.map(text),
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

/// Checks all that the arguments name.
pub fn run(args: &Args) -> anyhow::Result<Status> {
    let mut checker = Checker::new(args);
    if args.paths.is_empty() {
        checker.lines()?;
    }
    for argument in &args.paths {
        if argument == OsStr::new("-") {
            checker.lines()?;
        } else {
            checker.check(argument.as_encoded_bytes())?;
        }
    }
    checker.flush()?;
    Ok(match checker.refused {
        true => Status::NotFound,
        false => Status::Match,
    })
}

struct Checker<W: Write> {
    out: W,
    /// Whether somebody waits for each line.
    at_once: bool,
    lowest: Grade,
    quiet: bool,
    json: bool,
    /// Whether a URL was not good enough.
    refused: bool,
}

impl Checker<BufWriter<io::StdoutLock<'static>>> {
    fn new(args: &Args) -> Self {
        let stdout = io::stdout();
        Checker {
            at_once: args.output.line_buffered || stdout.is_terminal(),
            out: BufWriter::new(stdout.lock()),
            lowest: args.grade.into(),
            quiet: args.quiet,
            json: args.json,
            refused: false,
        }
    }
}

impl<W: Write> Checker<W> {
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
        let verdict = Verdict::of(url);
        let accepted = verdict.grade.is_some_and(|grade| grade >= self.lowest);
        self.refused |= !accepted;
        let printed = match (self.quiet, self.json) {
            (true, _) => Ok(()),
            (false, true) => verdict.print_json(&mut self.out, accepted),
            (false, false) => verdict.print(&mut self.out),
        };
        printed.context("standard output")?;
        if self.at_once {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        self.out.flush().context("standard output")
    }
}

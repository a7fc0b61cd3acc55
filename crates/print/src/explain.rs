//! Explains why a URL starts and ends where it does, and its grade; or why no URL is at a position.

use urlgrep::{Form, Grade, GuessRule, JoinKind, Match, Refusal, Stop};

use crate::context::{Context, HyphenDecision};
use crate::escape::Escaped;
use crate::view::is_in_attribute;

/// Returns the explanation of a match, in sentences without a subject.
///
/// The library explains why a URL ends; the other sentences follow from the form of the match, its
/// pieces and its grade.
pub fn sentences(
    matched: &Match<'_>,
    decision: Option<HyphenDecision>,
    context: &Context<'_>,
) -> Vec<String> {
    let mut sentences = Vec::new();
    if is_in_attribute(matched) && matched.form() != Form::Attribute {
        sentences.push("is in an HTML attribute".into());
    }
    sentences.push(start(matched));
    sentences.extend(ending(matched, context));
    sentences.extend(joined(matched));
    if let Some(HyphenDecision::ByEvidence) = decision {
        sentences.push("is the reading that also occurs unbroken in the input (--hyphen evidence)".into());
    }
    if !matched.unwrapped_from().is_empty() {
        let names = matched.unwrapped_from().join(", ");
        sentences
            .push(format!("was unwrapped from a link, which is the first alternative (--unwrap: {names})"));
    }
    match matched.alternatives().len() {
        0 => {}
        1 => sentences.push("has 1 other possible reading (--alternatives)".into()),
        others => sentences.push(format!("has {others} other possible readings (--alternatives)")),
    }
    let assessment = matched.assess();
    let grade = match assessment.grade() {
        Grade::Rfc1738 => "conforms to RFC 1738".to_owned(),
        Grade::Draft1994 => "conforms to the draft of 1994".to_owned(),
        grade => format!("has the grade {}", grade.as_str()),
    };
    sentences.push(match assessment.reason() {
        Some(reason) => format!("{grade}: {}", Escaped(reason.to_string().as_bytes())),
        None => grade,
    });
    sentences
}

/// Explains why no URL is at a position: the library's sentence, with the corresponding option of
/// the program.
pub fn why_not(why: &Refusal) -> String {
    let (option, name) = match why {
        Refusal::UnknownScheme { name } => return format!("{why}; to find it, use --scheme-add {name}"),
        Refusal::Rejected { option: "schemes", .. } => ("schemes", "scheme"),
        Refusal::Rejected { option: "min_grade", .. } => ("min_grade", "grade"),
        Refusal::Rejected { option: "max_len", .. } => ("max_len", "max-len"),
        Refusal::Unsearched { option, .. } => (*option, *option),
        _ => return why.to_string(),
    };
    // A URL contains no spaces.
    why.to_string().replacen(&format!("the option {option}"), &format!("--{name}"), 1)
}

fn start(matched: &Match<'_>) -> String {
    let scheme = matched.scheme();
    match matched.form() {
        Form::Wrapper => "is in a wrapper, <URL:…>: the URL is all of its content (RFC 1738, Appendix)".into(),
        Form::Angle => {
            "is in angle brackets: the URL is all of their content (RFC 2396, Appendix E; RFC 3986, Appendix C)"
                .into()
        }
        Form::Quote => {
            "is in quotation marks: the URL is all of their content (RFC 3986, Appendix C)".into()
        }
        Form::Attribute => "is the value of an HTML attribute".into(),
        Form::Defanged => "was defanged in the text (--refang)".into(),
        Form::Nested => "is within another URL (--nested)".into(),
        Form::Prefixed => format!("starts after \"URL:\" at the scheme {scheme}; no bracket delimits it"),
        _ if matched.href() == matched.as_bytes() => {
            format!("starts at the scheme {scheme}, without delimiters")
        }
        _ => format!("starts at a host, an email address or an IP address; the scheme {scheme} is implied"),
    }
}

/// Explains why the match ends, if nothing delimits it.
fn ending(matched: &Match<'_>, context: &Context<'_>) -> Option<String> {
    let ending = matched.ending()?;
    let stop = match ending.stop() {
        Stop::EndOfText if is_in_attribute(matched) => "the end of the attribute".to_owned(),
        stop @ Stop::NonAscii(_) => format!("{stop} (see --iri)"),
        stop => stop.to_string(),
    };
    let trimmed = &context.after[..ending.trimmed().min(context.after.len())];
    if trimmed.is_empty() {
        return Some(format!("ends before {stop}"));
    }
    let trimmed = Escaped(trimmed);
    Some(format!("ends before \"{trimmed}\", which belongs to the sentence and is followed by {stop}"))
}

fn joined(matched: &Match<'_>) -> Option<String> {
    let pieces = matched.in_text().pieces().count();
    let (pieces, why): (_, String) = match matched.joined() {
        None if pieces < 2 => return None,
        None if matches!(matched.form(), Form::Bare | Form::Prefixed) => {
            (pieces, "the text escapes some characters, such as \\/ or &amp;".into())
        }
        Some(JoinKind::Guess) => match matched.guess() {
            Some(rule) => {
                let width = if rule == GuessRule::Terminal { " --width" } else { "" };
                (pieces, format!("{} (--join likely{width}, rule {rule})", rule.evidence()))
            }
            None => (pieces, "the URL is likely to continue (--join likely)".into()),
        },
        Some(JoinKind::Flowed) => (matched.pieces().len(), "the mail format joins them".into()),
        // Whitespace within a line is dropped as well, although lines are not joined.
        _ => (pieces, "whitespace between delimiters \"should be ignored\" (RFC 1738, Appendix)".into()),
    };
    Some(format!("is joined from {pieces} pieces: {why}"))
}

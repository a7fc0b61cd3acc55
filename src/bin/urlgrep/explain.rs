//! Why a URL begins and ends where it does.
//!
//! This tells what the rules of the library did, from what they left: the form
//! of a find, the text around it, its pieces and its grade.

use urlgrep::{Form, Found, Grade, Joined};

use crate::around::Around;
use crate::escape::Shown;
use crate::hit::{Hit, Settled};

/// What can be said about a find, a sentence each.
pub fn sentences(hit: Hit<'_>, around: &Around<'_>) -> Vec<String> {
    let found = hit.found();
    let mut said = vec![begins(found)];
    if matches!(found.form(), Form::Bare | Form::Prefixed) {
        said.push(ends(around.behind));
    }
    said.extend(joined(hit));
    if let Some(Settled::ByEvidence(_)) = hit.settled {
        said.push("is the one of its readings that was also found in one piece (--hyphen evidence)".into());
    }
    let others = found.alternatives().len();
    if others > 0 {
        let readings = if others == 1 { "reading is" } else { "readings are" };
        said.push(format!("{others} other {readings} possible (--alternatives)"));
    }
    said.push(graded(found));
    said
}

fn begins(found: &Found<'_>) -> String {
    let scheme = Shown(found.scheme().as_bytes());
    match found.form() {
        Form::Wrapper => {
            "stands in a wrapper, <URL:…>: it is all that the brackets hold (RFC 1738, Appendix)".into()
        }
        Form::Angle => {
            "stands in angle brackets: it is all that they hold (RFC 2396, Appendix E; RFC 3986, Appendix C)"
                .into()
        }
        Form::Quote => "stands in quotation marks: it is all that they hold (RFC 3986, Appendix C)".into(),
        Form::Href => "is an attribute of an HTML element".into(),
        Form::Prefixed => format!("begins behind \"URL:\", with the scheme {scheme}; no bracket delimits it"),
        _ if found.as_bytes().starts_with(found.scheme().as_bytes()) => {
            format!("begins with the scheme {scheme}; nothing delimits it")
        }
        _ => format!("begins with a host or an address, where {scheme}: goes without saying"),
    }
}

/// Why a URL that nothing delimits ends before `behind`.
fn ends(behind: &[u8]) -> String {
    let trimmed = behind.iter().take_while(|byte| b".,;:!?'-*_~=".contains(byte)).count();
    let (trimmed, rest) = behind.split_at(trimmed);
    let stop = stop(rest);
    if trimmed.is_empty() {
        return format!("ends before {stop}");
    }
    format!("ends before \"{}\", which belongs to the sentence around it; then comes {stop}", Shown(trimmed))
}

/// What stands at the beginning of `rest`.
fn stop(rest: &[u8]) -> String {
    match rest {
        [] => "the end of the text".into(),
        [b'\r' | b'\n', ..] => "the end of the line".into(),
        [b' ' | b'\t', ..] => "a blank".into(),
        [close @ (b')' | b']' | b'}'), ..] => {
            format!("\"{}\", which closes what was opened before the URL", char::from(*close))
        }
        [b'"', ..] => "a quotation mark, which no URL has".into(),
        [byte @ (b'<' | b'>' | b'`' | b'\\' | b'|'), ..] => {
            format!("\"{}\", which no URL has", char::from(*byte))
        }
        [byte, ..] if byte.is_ascii_graphic() => format!("\"{}\"", char::from(*byte)),
        [byte @ 0x80..=0xFF, ..] => format!("the byte 0x{byte:02X}, which is not ASCII (--iri)"),
        [byte, ..] => format!("the control character 0x{byte:02X}"),
    }
}

fn joined(hit: Hit<'_>) -> Option<String> {
    let pieces = hit.segments().len();
    let why = match hit.joined()? {
        Joined::Guess => {
            "on the evidence of how wide the lines are and how the next one begins (--join likely)"
        }
        Joined::Flowed => "which the format of the mail says belong together",
        _ => "because whitespace between delimiters \"should be ignored\" (RFC 1738, Appendix)",
    };
    Some(format!("is put together from {pieces} pieces, {why}"))
}

fn graded(found: &Found<'_>) -> String {
    let assessment = found.assess();
    let grade = match assessment.grade() {
        Grade::Rfc1738 => "is accepted by RFC 1738 as written".to_owned(),
        grade => format!("has the grade {}", grade.as_str()),
    };
    match assessment.reason() {
        Some(reason) => format!("{grade}: {}", Shown(reason.to_string().as_bytes())),
        None => grade,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_from_what_follows() {
        for (behind, end) in [
            ("", "ends before the end of the text"),
            ("\nand", "ends before the end of the line"),
            (" and", "ends before a blank"),
            (". And", "ends before \".\", which belongs to the sentence around it; then comes a blank"),
            (").", "ends before \")\", which closes what was opened before the URL"),
            ("\u{fc}ber", "ends before the byte 0xC3, which is not ASCII (--iri)"),
            ("\x1b[2J", "ends before the control character 0x1B"),
            ("\">", "ends before a quotation mark, which no URL has"),
            ("<br>", "ends before \"<\", which no URL has"),
        ] {
            assert_eq!(ends(behind.as_bytes()), end);
        }
    }
}

//! Why a URL begins and ends where it does.
//!
//! This tells what the rules of the library did, from what they left: the form
//! of a find, the text around it, its pieces and its grade.

mod ends;

use urlgrep::{Form, Grade, Joined, Match};

use crate::around::Around;
use crate::escape::Shown;
use crate::hit::{Hit, Settled};
use ends::Ending;

/// What can be said about a find, a sentence each.
pub fn sentences(hit: Hit<'_>, around: &Around<'_>) -> Vec<String> {
    let found = hit.found();
    let mut said = Vec::new();
    if hit.is_in_attribute() && found.form() != Form::Href {
        said.push("stands in an attribute of an HTML element".into());
    }
    said.push(begins(found));
    if matches!(found.form(), Form::Bare | Form::Prefixed) {
        said.push(ending(hit, around).say());
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

fn begins(found: &Match<'_>) -> String {
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

fn ending<'e>(hit: Hit<'e>, around: &Around<'e>) -> Ending<'e> {
    let found = hit.found();
    Ending {
        url: found.as_bytes(),
        scheme: found.scheme(),
        // What stands before "URL:" has nothing to do with the end.
        before: if found.form() == Form::Prefixed { b"" } else { around.before },
        behind: around.behind,
        whole: if hit.is_in_attribute() { "the attribute" } else { "the text" },
    }
}

fn joined(hit: Hit<'_>) -> Option<String> {
    let pieces = hit.found().segments().count();
    let (pieces, why) = match hit.joined() {
        None if pieces < 2 => return None,
        Some(Joined::Guess) => {
            (pieces, "on the evidence of how wide the lines are and how the next one begins (--join likely)")
        }
        Some(Joined::Flowed) => (hit.segments().len(), "which the format of the mail says belong together"),
        // Blanks inside a line join nothing, but they go.
        _ => (pieces, "because whitespace between delimiters \"should be ignored\" (RFC 1738, Appendix)"),
    };
    Some(format!("is put together from {pieces} pieces, {why}"))
}

fn graded(found: &Match<'_>) -> String {
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

//! The facts about a URL by itself.

use urlgrep::Match;
use urlgrep::grammar::{self, ParseError};

/// Returns the facts of `url`, a line each: the grade; the production, the offset in UTF-16 units and the message of the reason
/// why it is not better; the scheme, the host and the port; the names of the warnings; whether it is safe to open. A line is
/// empty if there is no such fact; for the host, which may be empty, it is `-`.
pub fn of(url: &[u8]) -> String {
    let assessed = grammar::assess(url);
    let (grade, reason) = match &assessed {
        Ok(assessment) => (assessment.grade().as_str(), assessment.reason()),
        Err(reason) => ("lenient", Some(reason)),
    };
    let [production, offset, message] = reason.map_or_else(Default::default, |reason| lines_of(reason, url));
    let matched = Match::of_url(url);
    let (scheme, host) = (matched.scheme(), matched.host());
    let warnings: Vec<_> = grammar::warnings(url).into_iter().map(|warning| warning.as_str()).collect();
    let safe = if grammar::opens_safely(&scheme) { "safe" } else { "" };
    let host = host.as_deref().unwrap_or("-");
    let port = matched.port().map_or_else(String::new, |port| port.to_string());
    [grade, &production, &offset, &message, &scheme, host, &port, &warnings.join(","), safe].join("\n")
}

fn lines_of(reason: &ParseError, url: &[u8]) -> [String; 3] {
    let before = &url[..reason.offset().min(url.len())];
    let units = String::from_utf8_lossy(before).encode_utf16().count();
    [reason.production().to_owned(), units.to_string(), reason.to_string().replace('\n', " ")]
}

//! Why a URL that nothing delimits ends where it does.
//!
//! The library looks for the first byte that no URL goes over, and goes back from
//! there over what belongs to the sentence. This goes the other way: over what may
//! have been trimmed, up to the byte that stopped the URL. If a URL might go over
//! that byte too, it was not the sentence that ended it but its own host, address
//! or group.

use crate::escape::Shown;

/// The end of a URL.
pub struct Ending<'e> {
    pub url: &'e [u8],
    /// As it was written.
    pub scheme: &'e str,
    /// What stands before the URL.
    pub before: &'e [u8],
    /// What stands behind it.
    pub behind: &'e [u8],
    /// What it stands in.
    pub whole: &'static str,
}

impl Ending<'_> {
    /// A sentence about it.
    pub fn say(&self) -> String {
        let (trimmed, rest) = self.behind.split_at(self.trimmed());
        match self.stop(rest) {
            Some(stop) if trimmed.is_empty() => format!("ends before {stop}"),
            Some(stop) => format!(
                "ends before \"{}\", which belongs to the sentence around it; then comes {stop}",
                Shown(trimmed)
            ),
            None => self.closed(),
        }
    }

    /// How many bytes behind the URL may have been trimmed.
    fn trimmed(&self) -> usize {
        let (mark, is_host) = (self.mark(), self.is_host());
        let has_query = self.url.contains(&b'?');
        let mut at = 0;
        while let Some(&byte) = self.behind.get(at) {
            let rest = &self.behind[at..];
            let trims = match byte {
                _ if mark == Some(byte) => true,
                b'\'' => !self.is_quoted(),
                b',' | b';' => !separates(rest),
                b'|' => has_query && !separates(rest),
                b'-' => is_host || rest.starts_with(b"--") || self.behind[..at].ends_with(b"-"),
                _ => b".:!?([{".contains(&byte),
            };
            if !trims {
                break;
            }
            at += 1;
        }
        at
    }

    /// What stands at the beginning of `rest`, if no URL goes over it.
    fn stop(&self, rest: &[u8]) -> Option<String> {
        let stop = match rest {
            [] => format!("the end of {}", self.whole),
            [b'\r' | b'\n', ..] => "the end of the line".into(),
            [b' ' | b'\t', ..] => "a blank".into(),
            [close @ (b')' | b']' | b'}'), ..] => {
                format!("\"{}\", which closes nothing that the URL opens", char::from(*close))
            }
            [b'"', ..] => "a quotation mark, which no URL has".into(),
            [byte @ (b'<' | b'>' | b'`' | b'\\' | b'|'), ..] if !separates(rest) => {
                format!("\"{}\", which no URL has", char::from(*byte))
            }
            [b'\'', ..] if self.is_quoted() => "\"'\", which stands before the URL, too".into(),
            [mark @ (b',' | b';' | b'|'), ..] if separates(rest) => {
                format!("\"{}\" and another URL", char::from(*mark))
            }
            [b'&', ..] => format!("\"{}\", which stands for a delimiter", entity(rest)?),
            [byte @ 0x80..=0xFF, ..] => format!("the byte 0x{byte:02X}, which is not ASCII (see --iri)"),
            [byte, ..] if byte.is_ascii_control() => format!("the control character 0x{byte:02X}"),
            _ => return None,
        };
        Some(stop)
    }

    /// What ends a URL that other URLs go on behind.
    fn closed(&self) -> String {
        let byte = Shown(&self.behind[..1]);
        if self.is_host() {
            return format!("ends before \"{byte}\", which no host and no port has");
        }
        let scheme = Shown(self.scheme.as_bytes());
        format!("ends before \"{byte}\", which cannot follow what the scheme {scheme} names")
    }

    /// Whether there is nothing behind the host and its port.
    fn is_host(&self) -> bool {
        let slashes = memchr::memmem::find(self.url, b"://");
        slashes.is_some_and(|at| !self.url[at + 3..].iter().any(|byte| b"/?#".contains(byte)))
    }

    /// Whether an apostrophe stands before the URL, so that another one ends it.
    fn is_quoted(&self) -> bool {
        self.before.ends_with(b"'")
    }

    /// The mark before the URL, if it is emphasis or a ruler, and not one that
    /// stops a URL.
    fn mark(&self) -> Option<u8> {
        let (&mark, before) = self.before.split_last()?;
        let ruler = mark.is_ascii_punctuation() && before.last() == Some(&mark);
        let goes_on = !b"<>\"`\\|')]}".contains(&mark);
        (goes_on && (ruler || b"*_~".contains(&mark))).then_some(mark)
    }
}

/// Whether another URL follows the mark that `rest` begins with.
fn separates(rest: &[u8]) -> bool {
    let next = &rest[1..];
    let len = next.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
    next.first().is_some_and(u8::is_ascii_alphabetic) && next[len..].starts_with(b"://")
}

/// The entity that `rest` begins with, if it ends URLs.
fn entity(rest: &[u8]) -> Option<&'static str> {
    let is =
        |entity: &&str| rest.get(..entity.len()).is_some_and(|b| b.eq_ignore_ascii_case(entity.as_bytes()));
    ["&lt;", "&gt;", "&quot;"].into_iter().find(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of the first URL in `text`.
    fn said(text: &str) -> String {
        let found = urlgrep::find(text).unwrap();
        let (before, behind) = (&text[..found.span().start], &text[found.span().end..]);
        let (before, behind) = (before.as_bytes(), behind.as_bytes());
        let ending =
            Ending { url: found.as_bytes(), scheme: found.scheme(), before, behind, whole: "the text" };
        ending.say()
    }

    #[test]
    fn what_stops_any_url() {
        for (text, end) in [
            ("http://h.org/", "the end of the text"),
            ("http://h.org/\nand", "the end of the line"),
            ("http://h.org/ and", "a blank"),
            ("(http://h.org/).", "\")\", which closes nothing that the URL opens"),
            ("http://h.org/]", "\"]\", which closes nothing that the URL opens"),
            ("http://h.org/\u{fc}ber", "the byte 0xC3, which is not ASCII (see --iri)"),
            ("http://h.org/\x1b[2J", "the control character 0x1B"),
            ("\"http://h.org/\">", "a quotation mark, which no URL has"),
            ("http://h.org/<br>", "\"<\", which no URL has"),
            ("http://h.org/|x", "\"|\", which no URL has"),
            ("'http://h.org/', 'b'", "\"'\", which stands before the URL, too"),
            ("http://h.org/,ftp://h.org/", "\",\" and another URL"),
            ("http://h.org/?a|ftp://h.org/", "\"|\" and another URL"),
            (">>http://h.org/>>", "\">\", which no URL has"),
            ("\"\"http://h.org/\" x", "a quotation mark, which no URL has"),
            ("http://h.org/&GT; x", "\"&gt;\", which stands for a delimiter"),
        ] {
            assert_eq!(said(text), format!("ends before {end}"), "{text}");
        }
    }

    #[test]
    fn what_belongs_to_the_sentence() {
        for (text, trimmed, stop) in [
            ("http://h.org/. And", ".", "a blank"),
            ("news:a@h.org...\n", "...", "the end of the line"),
            ("`http://h.org/a'.", "'.", "the end of the text"),
            ("http://h.org/a( b", "(", "a blank"),
            ("--http://h.org/a--", "--", "the end of the text"),
            ("==http://h.org/==\n", "==", "the end of the line"),
            ("*http://h.org/a*.", "*.", "the end of the text"),
            ("http://h.org-\n", "-", "the end of the line"),
            ("http://h.org/?a|\n", "|", "the end of the line"),
            ("'http://h.org/a.'", ".", "\"'\", which stands before the URL, too"),
        ] {
            let sentence = "which belongs to the sentence around it; then comes";
            assert_eq!(said(text), format!("ends before \"{trimmed}\", {sentence} {stop}"), "{text}");
        }
    }

    /// Where another URL would go on.
    #[test]
    fn what_ends_itself() {
        for (text, end) in [
            ("http://h.org{end}", "\"{\", which no host and no port has"),
            ("http://h.org=20", "\"=\", which no host and no port has"),
            ("=http://h.org=", "\"=\", which no host and no port has"),
            ("http://h.org,0,1", "\",\", which no host and no port has"),
            ("http://h.org's edge", "\"'\", which no host and no port has"),
            ("mailto:a@h.org%20(A)", "\"%\", which cannot follow what the scheme mailto names"),
            ("news:alt.test/x", "\"/\", which cannot follow what the scheme news names"),
        ] {
            assert_eq!(said(text), format!("ends before {end}"), "{text}");
        }
    }
}

//! Why a URL without delimiters ends where it does.
//!
//! The library scans forward to the first byte that no URL contains, then trims
//! what belongs to the sentence. This module works backwards from the result: it
//! scans past what may have been trimmed, to the byte that stopped the URL. If some
//! URL can contain that byte, the end is that of the host, the address or the news
//! group.

use urlgrep::Form;

use super::super::Hit;
use super::super::context::Context;
use crate::escape::Escaped;

/// The sentence that explains where the URL of `hit` ends.
pub fn ending(hit: Hit<'_>, context: &Context<'_>) -> String {
    let matched = hit.matched();
    let end = End {
        url: matched.as_bytes(),
        scheme: matched.scheme(),
        // The text before "URL:" does not affect the end.
        before: if matched.form() == Form::Prefixed { b"" } else { context.before },
        after: context.after,
        whole: if hit.is_in_attribute() { "the attribute" } else { "the text" },
    };
    end.explain()
}

/// The end of a URL.
struct End<'e> {
    url: &'e [u8],
    /// As it is written.
    scheme: &'e str,
    before: &'e [u8],
    after: &'e [u8],
    /// What contains the URL.
    whole: &'static str,
}

impl End<'_> {
    fn explain(&self) -> String {
        let (trimmed, rest) = self.after.split_at(self.trimmed());
        match self.stop(rest) {
            Some(stop) if trimmed.is_empty() => format!("ends before {stop}"),
            Some(stop) => {
                let trimmed = Escaped(trimmed);
                format!("ends before \"{trimmed}\", which belongs to the sentence; after that comes {stop}")
            }
            None => self.closed(),
        }
    }

    /// The number of bytes after the URL that may have been trimmed.
    fn trimmed(&self) -> usize {
        let (mark, is_host) = (self.mark(), self.is_host());
        let has_query = self.url.contains(&b'?');
        let mut at = 0;
        while let Some(&byte) = self.after.get(at) {
            let rest = &self.after[at..];
            let trims = match byte {
                _ if mark == Some(byte) => true,
                b'\'' => !self.is_quoted(),
                b',' | b';' => !separates(rest),
                b'|' => has_query && !separates(rest),
                b'-' => is_host || rest.starts_with(b"--") || self.after[..at].ends_with(b"-"),
                _ => b".:!?([{".contains(&byte),
            };
            if !trims {
                break;
            }
            at += 1;
        }
        at
    }

    /// What `rest` starts with, if no URL contains it.
    fn stop(&self, rest: &[u8]) -> Option<String> {
        let stop = match rest {
            [] => format!("the end of {}", self.whole),
            [b'\r' | b'\n', ..] => "the end of the line".into(),
            [b' ' | b'\t', ..] => "a space".into(),
            [close @ (b')' | b']' | b'}'), ..] => {
                format!("\"{}\", which closes no bracket of the URL", char::from(*close))
            }
            [b'"', ..] => "a quotation mark, which no URL contains".into(),
            [byte @ (b'<' | b'>' | b'`' | b'\\' | b'|'), ..] if !separates(rest) => {
                format!("\"{}\", which no URL contains", char::from(*byte))
            }
            [b'\'', ..] if self.is_quoted() => "\"'\", which also precedes the URL".into(),
            [mark @ (b',' | b';' | b'|'), ..] if separates(rest) => {
                format!("\"{}\" and another URL", char::from(*mark))
            }
            [b'&', ..] => format!("\"{}\", which encodes a delimiter", entity(rest)?),
            [byte @ 0x80..=0xFF, ..] => format!("the byte 0x{byte:02X}, which is not ASCII (see --iri)"),
            [byte, ..] if byte.is_ascii_control() => format!("the control character 0x{byte:02X}"),
            _ => return None,
        };
        Some(stop)
    }

    /// The end of a URL at a byte that other URLs contain.
    fn closed(&self) -> String {
        let byte = Escaped(&self.after[..1]);
        if self.is_host() {
            return format!("ends before \"{byte}\", which neither a host nor a port can contain");
        }
        let scheme = Escaped(self.scheme.as_bytes());
        format!("ends before \"{byte}\", which cannot be part of a URL of the scheme {scheme}")
    }

    /// Whether the URL ends with the host or its port.
    fn is_host(&self) -> bool {
        let slashes = memchr::memmem::find(self.url, b"://");
        slashes.is_some_and(|at| !self.url[at + 3..].iter().any(|byte| b"/?#".contains(byte)))
    }

    /// Whether an apostrophe precedes the URL, so that another one ends it.
    fn is_quoted(&self) -> bool {
        self.before.ends_with(b"'")
    }

    /// The mark before the URL, if it is emphasis or a ruler, and if a URL can contain
    /// it.
    fn mark(&self) -> Option<u8> {
        let (&mark, before) = self.before.split_last()?;
        let ruler = mark.is_ascii_punctuation() && before.last() == Some(&mark);
        let in_urls = !b"<>\"`\\|')]}".contains(&mark);
        (in_urls && (ruler || b"*_~".contains(&mark))).then_some(mark)
    }
}

/// Whether another URL follows the mark that `rest` starts with.
fn separates(rest: &[u8]) -> bool {
    let next = &rest[1..];
    let len = next.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
    next.first().is_some_and(u8::is_ascii_alphabetic) && next[len..].starts_with(b"://")
}

/// The entity that `rest` starts with, if it ends URLs.
fn entity(rest: &[u8]) -> Option<&'static str> {
    let is =
        |entity: &&str| rest.get(..entity.len()).is_some_and(|b| b.eq_ignore_ascii_case(entity.as_bytes()));
    ["&lt;", "&gt;", "&quot;"].into_iter().find(is)
}

#[cfg(test)]
mod tests {
    use super::super::super::hit::Origin;
    use super::*;

    /// The sentence about the first URL in `text`.
    fn explained(text: &str) -> String {
        let matched = urlgrep::find(text).unwrap();
        let context = Context::of(text.as_bytes(), matched.span(), 0);
        ending(Hit { origin: Origin::Text(&matched), decision: None }, &context)
    }

    #[test]
    fn bytes_that_no_url_contains() {
        for (text, end) in [
            ("http://h.org/", "the end of the text"),
            ("http://h.org/\nand", "the end of the line"),
            ("http://h.org/ and", "a space"),
            ("(http://h.org/).", "\")\", which closes no bracket of the URL"),
            ("http://h.org/]", "\"]\", which closes no bracket of the URL"),
            ("http://h.org/\u{fc}ber", "the byte 0xC3, which is not ASCII (see --iri)"),
            ("http://h.org/\x1b[2J", "the control character 0x1B"),
            ("\"http://h.org/\">", "a quotation mark, which no URL contains"),
            ("http://h.org/<br>", "\"<\", which no URL contains"),
            ("http://h.org/|x", "\"|\", which no URL contains"),
            ("'http://h.org/', 'b'", "\"'\", which also precedes the URL"),
            ("http://h.org/,ftp://h.org/", "\",\" and another URL"),
            ("http://h.org/?a|ftp://h.org/", "\"|\" and another URL"),
            (">>http://h.org/>>", "\">\", which no URL contains"),
            ("\"\"http://h.org/\" x", "a quotation mark, which no URL contains"),
            ("http://h.org/&GT; x", "\"&gt;\", which encodes a delimiter"),
        ] {
            assert_eq!(explained(text), format!("ends before {end}"), "{text}");
        }
    }

    #[test]
    fn trimmed_marks() {
        for (text, trimmed, stop) in [
            ("http://h.org/. And", ".", "a space"),
            ("news:a@h.org...\n", "...", "the end of the line"),
            ("`http://h.org/a'.", "'.", "the end of the text"),
            ("http://h.org/a( b", "(", "a space"),
            ("--http://h.org/a--", "--", "the end of the text"),
            ("==http://h.org/==\n", "==", "the end of the line"),
            ("*http://h.org/a*.", "*.", "the end of the text"),
            ("http://h.org-\n", "-", "the end of the line"),
            ("http://h.org/?a|\n", "|", "the end of the line"),
            ("'http://h.org/a.'", ".", "\"'\", which also precedes the URL"),
        ] {
            let sentence = "which belongs to the sentence; after that comes";
            assert_eq!(explained(text), format!("ends before \"{trimmed}\", {sentence} {stop}"), "{text}");
        }
    }

    /// Other URLs can contain these bytes.
    #[test]
    fn ends_of_hosts_and_addresses() {
        for (text, end) in [
            ("http://h.org{end}", "\"{\", which neither a host nor a port can contain"),
            ("http://h.org=20", "\"=\", which neither a host nor a port can contain"),
            ("=http://h.org=", "\"=\", which neither a host nor a port can contain"),
            ("http://h.org,0,1", "\",\", which neither a host nor a port can contain"),
            ("http://h.org's edge", "\"'\", which neither a host nor a port can contain"),
            ("mailto:a@h.org%20(A)", "\"%\", which cannot be part of a URL of the scheme mailto"),
            ("news:alt.test/x", "\"/\", which cannot be part of a URL of the scheme news"),
        ] {
            assert_eq!(explained(text), format!("ends before {end}"), "{text}");
        }
    }
}

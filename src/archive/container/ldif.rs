//! LDIF (RFC 2849): the records of a directory or an address book as lines of text.

use super::mail::Verdict;

/// The first line of what `ldapsearch` prints.
const SEARCHED: &[u8] = b"# extended LDIF";

const NAME: &[u8] = b"dn:";
const VERSION: &[u8] = b"version:";
const COMMENT: &[u8] = b"#";

/// Whether `bytes` begin such a file: with the comment of `ldapsearch`, or with the name of
/// an entry, before which there may be a version.
pub(crate) fn begins(bytes: &[u8], last: bool) -> Verdict {
    // Nearly all files are told apart by their first byte.
    if !may_decide(bytes) {
        return Verdict::No;
    }
    for (n, line) in bytes.split_inclusive(|&b| b == b'\n').enumerate() {
        if !last && !line.ends_with(b"\n") {
            return if may_decide(line) { Verdict::Unknown } else { Verdict::No };
        }
        let line = line.trim_ascii_end();
        if line == SEARCHED || names_an_entry(line) {
            return Verdict::Yes;
        }
        let is_before_it = match n {
            0 => line.starts_with(VERSION),
            _ => line.is_empty() || line.starts_with(COMMENT),
        };
        if !is_before_it {
            return Verdict::No;
        }
    }
    if last { Verdict::No } else { Verdict::Unknown }
}

/// Whether a line is a distinguished name: in base64, or with a `=`, as each has.
fn names_an_entry(line: &[u8]) -> bool {
    line.strip_prefix(NAME).is_some_and(|name| name.starts_with(b":") || name.contains(&b'='))
}

/// Whether a line that is not complete may be one of those that decide.
fn may_decide(line: &[u8]) -> bool {
    let begins = |text: &&[u8]| text.iter().zip(line).all(|(b, c)| b == c);
    [SEARCHED, NAME, VERSION, COMMENT, b"\r"].iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_lines() {
        for text in [
            "version: 1\ndn: cn=A,o=B\nobjectclass: top\n",
            "version: 1\r\n\r\n# a\r\ndn:: Y249QQ==\r\n",
            "dn: mail=a@h.org\n",
            "# extended LDIF\n#\n# LDAPv3\n",
        ] {
            assert_eq!(begins(text.as_bytes(), true), Verdict::Yes, "{text:?}");
            for cut in 0..text.len() {
                assert_ne!(begins(&text.as_bytes()[..cut], false), Verdict::No, "{cut} of {text:?}");
            }
        }
        for text in
            ["version: 1\nname: a\n", "dn: dinner\n", "# extended\n", "version: 1", "", "# a\ndn: a=b\n"]
        {
            assert_eq!(begins(text.as_bytes(), true), Verdict::No, "{text:?}");
        }
    }
}

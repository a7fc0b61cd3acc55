//! S/MIME that is signed and not in the clear, saved as a file (`.p7m`): the entity that is signed, as mail.

use crate::archive::decode::der;
use crate::archive::source_map::Decoded;

/// The header that makes an entity mail. It is nowhere in the file.
const HEAD: &[u8] = b"MIME-Version: 1.0\n";

/// The number of bytes that show whether a signature contains the signed data; one that is detached
/// (`.p7s`) has not.
const ENOUGH: usize = 512;

/// Returns true if `bytes` begin such a file.
pub(super) fn begins(bytes: &[u8]) -> bool {
    is_sequence(bytes) && der::signed_content(&bytes[..bytes.len().min(ENOUGH)]).is_some()
}

/// Returns true if more bytes could make `bytes` the beginning of such a file.
pub(super) fn may_begin(bytes: &[u8]) -> bool {
    bytes.len() < ENOUGH && (bytes.len() < 2 && b"0".starts_with(bytes) || is_sequence(bytes))
}

/// Returns true if DER begins with a sequence that is longer than 127 bytes, or of any length.
fn is_sequence(bytes: &[u8]) -> bool {
    matches!(bytes, [0x30, 0x80..=0x84, ..])
}

/// The entity that is signed in `file`.
pub(super) fn read(file: &[u8]) -> Decoded {
    let mut mail = Decoded::default();
    mail.put(HEAD, 0..0);
    mail.append(der::signed_content(file).unwrap_or_default());
    mail
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signed data whose lengths are indefinite, up to the octets.
    const START: &[u8] =
        b"\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02\xA0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80\
        \x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01";

    #[test]
    fn what_is_signed_is_mail() {
        let text = b"Content-Type: text/plain\n\nhttp://h.org/";
        let file = [START, b"\xA0\x80\x04", &[text.len() as u8], text].concat();
        assert!(begins(&file) && !begins(&file[..20]));
        (0..file.len()).for_each(|cut| assert!(begins(&file[..cut]) || may_begin(&file[..cut]), "{cut}"));
        let mail = read(&file);
        assert_eq!(mail.bytes, [HEAD, text].concat());
        assert_eq!(mail.map.sources(HEAD.len()..mail.bytes.len()), [file.len() - text.len()..file.len()]);
    }

    #[test]
    fn other_files() {
        assert!(!begins(&[START, &[0; 8]].concat()));
        for text in [&b"0"[..], b"0 text", b"0\xC3\xA9", b"text"] {
            assert!(!begins(text) && (text.len() == 1 || !may_begin(text)));
        }
    }
}

//! The `winmail.dat` of Outlook ([MS-OXTNEF]), saved as a file: mail whose body it is, with a
//! header that declares it.
//!
//! Its texts and attachments are read as in mail (`urlgrep_outlook::tnef`). The head is nowhere in the file.

pub(super) use urlgrep_outlook::tnef::MARK;

use crate::archive::limits::MAX_MESSAGE_LEN;
use crate::archive::source_map::Decoded;

const HEAD: &[u8] = b"MIME-Version: 1.0\nContent-Type: application/ms-tnef\n\n";

/// The greatest length that is read, in bytes: a piece of a longer message could not be decoded.
pub(super) const MAX_LEN: usize = MAX_MESSAGE_LEN - HEAD.len();

/// The mail that `file` is the body of.
pub(super) fn read(file: &[u8]) -> Decoded {
    let mut mail = Decoded::default();
    mail.put(HEAD, 0..0);
    mail.copy(file, 0..file.len());
    mail
}

//! Mork, in which Mozilla kept its indexes, address books and history.

use super::mail::Verdict;

/// How every file begins; the version follows.
const MARK: &[u8] = b"// <!-- <mdb:mork:z v=\"";

/// Whether `bytes` begin such a file.
pub(crate) fn begins(bytes: &[u8], last: bool) -> Verdict {
    match () {
        () if bytes.starts_with(MARK) => Verdict::Yes,
        () if MARK.starts_with(bytes) && !last => Verdict::Unknown,
        () => Verdict::No,
    }
}

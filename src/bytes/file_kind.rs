//! Names of kinds of files, some of which are host labels as well: `README.md`.

/// The length of the longest label that is compared with a list of words, here and in `implied.rs`
/// (`is_evident`), in bytes.
pub(crate) const WORD: usize = 10;

/// Returns true if a public suffix names a kind of files as well: `README.md`, `setup.py`, `libc.so`.
#[rustfmt::skip]
pub(crate) fn is_file(suffix: &[u8]) -> bool {
    matches!(
        suffix,
        b"ac" | b"am" | b"app" | b"cc" | b"in" | b"la" | b"md" | b"mk" | b"ml" | b"mov" | b"pl" | b"pm" | b"ps"
            | b"py" | b"rs" | b"sh" | b"so" | b"zip"
    )
}

/// Returns true if a label names a kind of files, also one of which there are fewer than sites:
/// `logo.ai`.
#[cfg(feature = "archive")]
pub(crate) fn may_be_file(label: &[u8]) -> bool {
    let mut word = Default::default();
    let suffix = lower(label, &mut word);
    is_file(suffix) || matches!(suffix, b"ai" | b"st")
}

/// `label` in lower case, in `room`; empty if it is longer than a [`WORD`].
pub(crate) fn lower<'r>(label: &[u8], room: &'r mut [u8; WORD]) -> &'r [u8] {
    let Some(word) = room.get_mut(..label.len()) else { return &[] };
    // The words are so short that a loop is faster than a copy.
    for (lower, b) in word.iter_mut().zip(label) {
        *lower = b.to_ascii_lowercase();
    }
    word
}

/// The ends of file names that text names.
const EXTENSIONS: [&str; 64] = [
    "asp", "aspx", "avi", "bat", "bmp", "bz2", "cfm", "cgi", "cpp", "css", "csv", "deb", "diff", "doc",
    "docx", "dtd", "dvi", "eps", "exe", "gif", "gz", "hqx", "htm", "html", "ico", "iso", "jar", "jpeg",
    "jpg", "js", "json", "jsp", "lha", "lzh", "mov", "mp3", "mp4", "mpeg", "mpg", "msg", "patch", "pdf",
    "php", "php3", "pl", "png", "ppt", "ps", "py", "rpm", "rss", "rtf", "shtml", "svg", "tar", "tex", "tgz",
    "tif", "txt", "wav", "xhtml", "xml", "xz", "zip",
];

/// Returns true if `name` is an extension of files that text names.
pub(crate) fn is_extension(name: &[u8]) -> bool {
    EXTENSIONS.iter().any(|known| known.as_bytes() == name)
}

/// Returns true if `url` ends with a file name of such a kind.
pub(crate) fn names_known_file(url: &[u8]) -> bool {
    memchr::memrchr2(b'.', b'/', url).is_some_and(|at| url[at] == b'.' && is_extension(&url[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind() {
        for suffix in "ac am app cc in la md mk ml mov pl pm ps py rs sh so zip".split(' ') {
            assert!(is_file(suffix.as_bytes()), "{suffix}");
        }
        let extensions = "asp aspx avi bat bmp bz2 cfm cgi cpp css csv deb diff doc docx dtd dvi eps exe gif gz hqx htm \
            html ico iso jar jpeg jpg js json jsp lha lzh mov mp3 mp4 mpeg mpg msg patch pdf php php3 pl png ppt ps py rpm \
            rss rtf shtml svg tar tex tgz tif txt wav xhtml xml xz zip";
        for name in extensions.split_ascii_whitespace() {
            assert!(names_known_file(format!("http://h.org/a.{name}").as_bytes()), "{name}");
            assert!(!names_known_file(format!("http://h.org/{name}").as_bytes()), "{name}");
        }
        assert!(!is_file(b"org") && !is_extension(b"org"));
    }

    #[cfg(feature = "archive")]
    #[test]
    fn what_may_be_a_file() {
        for label in ["ai", "st", "MD", "Py", "zip"] {
            assert!(may_be_file(label.as_bytes()), "{label}");
        }
        for label in ["", "org", "de", "aaaaaaaaaa", "aaaaaaaaaaa"] {
            assert!(!may_be_file(label.as_bytes()), "{label}");
        }
        let lower = |label: &[u8]| super::lower(label, &mut Default::default()).len();
        assert_eq!((lower(&[b'A'; WORD]), lower(&[b'A'; WORD + 1])), (WORD, 0));
    }
}

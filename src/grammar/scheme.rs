//! Scheme names and what follows from a name alone (RFC 1738 sections 2.1 and 3).

use super::{
    chars::SCHEME,
    error::{ParseError, Production},
    rest::Rest,
};

static NAME: Production = Production::new(
    "scheme",
    "RFC 1738 section 2.1",
    "a scheme is made of letters, digits, \"+\", \".\" and \"-\", and a colon follows",
);

/// `scheme = 1*[ lowalpha | digit | "+" | "-" | "." ]`, and the colon behind it.
///
/// "For resiliency, programs interpreting URLs should treat upper case letters
/// as equivalent to lower case in scheme names."
pub(super) fn scheme(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    let (name, rest) = rest.run(SCHEME);
    if name.is_empty() {
        return Err(rest.refuse(&NAME));
    }
    Ok((name, rest.expect(":", &NAME)?))
}

/// The longest scheme name of which this crate knows something.
const LONGEST: usize = 8;

/// A scheme's name in lower case, so that it can be matched.
pub(super) struct Lower {
    name: [u8; LONGEST],
    len: usize,
}

impl Lower {
    /// The lower case of `scheme`; of a name longer than any known one, an empty
    /// name, which is equally unknown.
    pub(super) fn new(scheme: &[u8]) -> Lower {
        let mut name = [0; LONGEST];
        let len = if scheme.len() <= LONGEST { scheme.len() } else { 0 };
        name[..len].copy_from_slice(&scheme[..len]);
        name.make_ascii_lowercase();
        Lower { name, len }
    }

    /// The name.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.name[..self.len]
    }
}

/// The port that a URL of this scheme means if it names none.
///
/// RFC 1738 gives seven schemes a default port (sections 3.2 to 3.11); the
/// others here are schemes of later years, with the ports registered for them.
/// Letter case does not matter.
///
/// ```
/// use urlgrep::grammar::default_port;
///
/// assert_eq!(default_port("gopher"), Some(70));
/// assert_eq!(default_port("HTTPS"), Some(443));
/// assert_eq!(default_port("mailto"), None);
/// ```
pub fn default_port(scheme: &str) -> Option<u16> {
    port_of(scheme.as_bytes())
}

/// [`default_port`] of a name that may be any bytes.
pub(super) fn port_of(scheme: &[u8]) -> Option<u16> {
    let port = match Lower::new(scheme).as_bytes() {
        // RFC 1738.
        b"ftp" => 21,
        b"http" => 80,
        b"gopher" => 70,
        b"nntp" => 119,
        b"telnet" => 23,
        b"wais" => 210,
        b"prospero" => 1525,
        // Reserved by it, and defined later.
        b"nfs" => 2049,
        b"tn3270" => 23,
        b"z39.50r" | b"z39.50s" => 210,
        // Of later years.
        b"https" | b"wss" => 443,
        b"ws" => 80,
        b"ftps" => 990,
        b"ssh" | b"sftp" => 22,
        b"nntps" | b"snews" => 563,
        b"telnets" => 992,
        b"ldap" => 389,
        b"ldaps" => 636,
        b"imap" => 143,
        b"imaps" => 993,
        b"pop" => 110,
        b"irc" => 6667,
        b"ircs" => 6697,
        b"rtsp" => 554,
        b"smb" => 445,
        b"rsync" => 873,
        b"svn" => 3690,
        b"git" => 9418,
        b"gemini" => 1965,
        _ => return None,
    };
    Some(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_any_run_of_its_characters() {
        for url in ["http:", "x-new:", "z39.50:", "1+1:"] {
            let (name, rest) = scheme(Rest::new(url.as_bytes())).unwrap();
            assert_eq!((name, rest.offset()), (&url[..url.len() - 1], url.len()));
        }
    }

    #[test]
    fn what_is_no_scheme_is_refused_where_it_ends() {
        for (url, offset) in [("", 0), (":", 0), ("http", 4), ("a_b:", 1), ("//h", 0)] {
            let error = scheme(Rest::new(url.as_bytes())).err().unwrap();
            assert_eq!((error.production(), error.offset()), ("scheme", offset));
        }
    }

    #[test]
    fn ports_need_the_whole_name() {
        assert_eq!(default_port("prospero"), Some(1525));
        assert_eq!(default_port("prosperous"), None);
        assert_eq!(default_port("Z39.50R"), Some(210));
        assert_eq!(default_port(""), None);
    }
}

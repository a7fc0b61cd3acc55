//! `file:` (RFC 1738 section 3.10).

use std::fmt;

use super::ftp::final_fpath;
use super::login::{Segments, host};
use super::production::*;

productions! {
    FILEURL: "fileurl", "RFC 1738 section 3.10", NO_ESCAPES,
        "a file URL is \"file://\", a host or nothing, \"/\" and a path";
}

/// A file on a particular computer.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let file = |url: &'static str| match parse(url) {
///     Ok(Url::File(file)) => file,
///     _ => unreachable!(),
/// };
/// let vms = file("file://vms.host.edu/disk$user/my/notes/note12345.txt");
/// assert_eq!(vms.scheme(), "file");
/// assert_eq!(vms.host(), Some("vms.host.edu"));
/// assert_eq!(vms.path(), "disk$user/my/notes/note12345.txt");
/// assert_eq!(vms.segments().next(), Some("disk$user"));
/// assert!(!vms.is_local());
///
/// assert_eq!(file("file:///etc/motd").host(), None);
/// assert!(file("file:///etc/motd").is_local());
/// assert!(file("file://localhost/etc/motd").is_local());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct File<'a> {
    scheme: &'a str,
    host: Option<&'a str>,
    path: &'a str,
}

impl<'a> File<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns the host that stores the file, or `None` if it is empty.
    pub fn host(&self) -> Option<&'a str> {
        self.host
    }

    /// Returns true if the file is on "the machine from which the URL is being interpreted": the
    /// host is `localhost` (case-insensitive), or empty.
    pub fn is_local(&self) -> bool {
        self.host.is_none_or(|host| host.eq_ignore_ascii_case("localhost"))
    }

    /// Returns the path: the part after the slash that ends the host.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// Returns the segments of the path.
    pub fn segments(&self) -> Segments<'a> {
        Segments::new(Some(self.path))
    }
}

impl fmt::Display for File<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.host.unwrap_or_default();
        write!(f, "{}://{host}/{}", self.scheme, self.path)
    }
}

/// `fileurl = "file://" [ host | "localhost" ] "/" fpath`
pub(super) fn fileurl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<File<'a>, ParseError> {
    let mut rest = rest.expect("//", &FILEURL)?;
    let mut name = None;
    // "As a special case, <host> can be the string "localhost" or the empty
    // string": `localhost` needs no code, since it is a valid host.
    if !matches!(rest.first(), None | Some(b'/')) {
        let (host, after) = host(rest)?;
        (name, rest) = (Some(host), after);
    }
    let path = final_fpath(rest.expect("/", &FILEURL)?)?;
    Ok(File { scheme, host: name, path })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{accepted, refused};

    #[test]
    fn accepted_forms() {
        accepted("file://vms.host.edu/disk$user/my/notes/note12345.txt");
        accepted("file://localhost/a");
        accepted("file:///");
        accepted("file:////a?b:c@d");
    }

    #[test]
    fn refusals() {
        refused("file:/etc/motd", "fileurl", 6);
        refused("file://", "fileurl", 7);
        refused("file://h", "fileurl", 8);
        refused("file://h:80/", "fileurl", 8);
        refused("file://u@h/", "toplabel", 8);
        refused("file:///C|/a", "fsegment", 9);
        refused("file:///a;type=a", "fsegment", 9);
    }
}

//! `ftp:` (RFC 1738 section 3.2).

use std::fmt;

use super::login::{Login, Segments, login};
use super::production::*;

productions! {
    FTPURL: "ftpurl", "RFC 1738 section 3.2", NO_ESCAPES,
        "an FTP URL is \"ftp://\", a login and, after a \"/\", a path";
    FSEGMENT: "fsegment", "RFC 1738 section 3.2.2", ESCAPES,
        "a path segment consists of letters, digits, escapes and \"$-_.+!*'(),?:@&=\"";
    FTPTYPE: "ftptype", "RFC 1738 section 3.2.2", NO_ESCAPES,
        "a typecode is one of the letters A, I, D, a, i and d";
}

/// `fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]`
pub(super) const FSEGMENT_CHARS: Class = UCHAR.or(QUESTION).or(COLON).or(AT).or(AMPERSAND).or(EQUALS);

/// A file or directory on an FTP server.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Typecode, Url, parse};
///
/// let Url::Ftp(ftp) = parse(b"ftp://myname@host.dom/%2Fetc/motd;type=a")? else {
///     unreachable!()
/// };
/// assert_eq!(ftp.scheme(), "ftp");
/// assert_eq!(ftp.login().user(), Some("myname"));
/// assert_eq!(ftp.port(), Some(21));
/// assert_eq!(ftp.path(), Some("%2Fetc/motd"));
/// assert!(ftp.segments().eq(["%2Fetc", "motd"]));
/// assert_eq!(ftp.typecode(), Some(Typecode::Ascii));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ftp<'a> {
    scheme: &'a str,
    login: Login<'a>,
    path: Option<&'a str>,
    typecode: Option<&'a str>,
}

/// The FTP transfer mode: the letter after `;type=`.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Typecode, Url, parse};
///
/// let Url::Ftp(ftp) = parse(b"ftp://info.cern.ch/pub/www/doc;type=D")? else { unreachable!() };
/// assert_eq!(ftp.typecode(), Some(Typecode::Directory));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Typecode {
    /// `a` or `A`: text.
    Ascii,
    /// `i` or `I`: octets, an "image".
    Image,
    /// `d` or `D`: not a file but a list of names.
    Directory,
}

impl<'a> Ftp<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns user, password, host and port.
    pub fn login(&self) -> Login<'a> {
        self.login
    }

    /// Returns the port, 21 if none is given; `None` if it exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        self.login.hostport().number(Some(21))
    }

    /// Returns the path: the part after the slash that ends the login, without the typecode.
    pub fn path(&self) -> Option<&'a str> {
        self.path
    }

    /// Returns the segments of the path. Each, except the last, is a directory to change to.
    pub fn segments(&self) -> Segments<'a> {
        Segments::new(self.path)
    }

    /// Returns the typecode, if there is one.
    pub fn typecode(&self) -> Option<Typecode> {
        self.typecode.map(|letter| match letter {
            "a" | "A" => Typecode::Ascii,
            "i" | "I" => Typecode::Image,
            _ => Typecode::Directory,
        })
    }
}

impl fmt::Display for Ftp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.login)?;
        write_part(f, "/", self.path)?;
        write_part(f, ";type=", self.typecode)
    }
}

/// `ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]`
pub(super) fn ftpurl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Ftp<'a>, ParseError> {
    let (login, rest) = login(rest.expect("//", &FTPURL)?)?;
    let mut url = Ftp { scheme, login, path: None, typecode: None };
    let Some(rest) = rest.eat_or_end("/", &FTPURL)? else { return Ok(url) };
    let (path, rest) = fpath(rest);
    url.path = Some(path);
    // "Within a name or CWD component, the characters "/" and ";" are reserved and must
    // be encoded."
    url.typecode = rest.eat_or_end(";type=", &FSEGMENT)?.map(ftptype).transpose()?;
    Ok(url)
}

/// `fpath = fsegment *[ "/" fsegment ]`
fn fpath(rest: Rest<'_>) -> (&str, Rest<'_>) {
    rest.run(FSEGMENT_CHARS.or(SLASH))
}

/// [`fpath`] at the end of a URL.
pub(super) fn final_fpath(rest: Rest<'_>) -> Result<&str, ParseError> {
    let (path, rest) = fpath(rest);
    rest.end(&FSEGMENT)?;
    Ok(path)
}

/// `ftptype = "A" | "I" | "D" | "a" | "i" | "d"`, at the end of the URL.
fn ftptype(rest: Rest<'_>) -> Result<&str, ParseError> {
    if !matches!(rest.first(), Some(b'A' | b'I' | b'D' | b'a' | b'i' | b'd')) {
        return Err(rest.refuse(&FTPTYPE));
    }
    let (letter, rest) = rest.take(1);
    rest.end(&FTPTYPE)?;
    Ok(letter)
}

#[cfg(test)]
mod tests {
    use super::super::rfc1738::{Url, parse};
    use super::super::testing::{accepted, refused};
    use super::Typecode;

    #[test]
    fn the_rfc_s_examples() {
        accepted("ftp://@host.com/");
        accepted("ftp://host.com/");
        accepted("ftp://foo:@host.com/");
        accepted("ftp://myname@host.dom/%2Fetc/motd");
        accepted("ftp://myname@host.dom//etc/motd");
        accepted("ftp://info.cern.ch/pub/www/doc;type=d");
        accepted("ftp://ds.internic.net/rfc");
        accepted("ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol/Gopher+/Gopher+.txt");
    }

    #[test]
    fn typecodes() {
        for (letters, expected) in
            [("aA", Typecode::Ascii), ("iI", Typecode::Image), ("dD", Typecode::Directory)]
        {
            for letter in letters.chars() {
                let url = format!("ftp://h/a;type={letter}");
                let Ok(Url::Ftp(ftp)) = parse(url.as_bytes()) else { panic!("{url}") };
                assert_eq!(ftp.typecode(), Some(expected), "{url}");
            }
        }
    }

    #[test]
    fn everything_after_the_login_is_optional() {
        accepted("ftp://h");
        accepted("FTP://u:p@1.2.3.4:0021");
        accepted("ftp://h/;type=I");
        accepted("ftp://h/a?b:c@d&e=f//");
    }

    #[test]
    fn semicolons_belong_to_the_typecode() {
        refused("ftp://h/a;b", "fsegment", 9);
        refused("ftp://h/a;type", "fsegment", 9);
        refused("ftp://h/a;TYPE=a", "fsegment", 9);
        refused("ftp://h/a;type=", "ftptype", 15);
        refused("ftp://h/a;type=x", "ftptype", 15);
        refused("ftp://h/a;type=ab", "ftptype", 16);
        refused("ftp://h;type=a", "toplabel", 7);
    }

    #[test]
    fn other_refusals() {
        refused("ftp:", "ftpurl", 4);
        refused("ftp:/h", "ftpurl", 5);
        refused("ftp://", "host", 6);
        refused("ftp://h?a", "ftpurl", 7);
        refused("ftp://h/~a", "fsegment", 8);
        refused("ftp://h/a#b", "fsegment", 9);
    }
}

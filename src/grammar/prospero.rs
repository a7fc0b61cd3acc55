//! `prospero:` (RFC 1738 section 3.11).

use std::{fmt, iter::FusedIterator, str::Split};

use super::ftp::FSEGMENT_CHARS;
use super::login::{HostPort, hostport};
use super::production::*;

productions! {
    PROSPEROURL: "prosperourl", "RFC 1738 section 3.11", NO_ESCAPES,
        "a Prospero URL is \"prospero://\", a host and port, \"/\" and an object's name";
    PSEGMENT: "psegment", "RFC 1738 section 3.11", ESCAPES,
        "an object's name consists of letters, digits, escapes and \"$-_.+!*'(),?:@&=/\"";
    FIELDNAME: "fieldname", "RFC 1738 section 3.11", ESCAPES,
        "a field's name consists of letters, digits, escapes and \"$-_.+!*'(),?:@&\", and \"=\" follows";
    FIELDVALUE: "fieldvalue", "RFC 1738 section 3.11", ESCAPES,
        "a field's value consists of letters, digits, escapes and \"$-_.+!*'(),?:@&\"";
}

/// `fieldname` and `fieldvalue` alike: `*[ uchar | "?" | ":" | "@" | "&" ]`.
const FIELD_CHARS: Class = UCHAR.or(QUESTION).or(COLON).or(AT).or(AMPERSAND);

/// An object known to a Prospero directory server.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let url = parse(b"prospero://host.dom//pros/name;OBJECT-VERSION=1;a=b")?;
/// let Url::Prospero(prospero) = url else { unreachable!() };
/// assert_eq!(prospero.scheme(), "prospero");
/// assert_eq!(prospero.hostport().host(), "host.dom");
/// assert_eq!(prospero.port(), Some(1525));
/// assert_eq!(prospero.object_name(), "/pros/name");
/// assert!(prospero.fields().eq([("OBJECT-VERSION", "1"), ("a", "b")]));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prospero<'a> {
    scheme: &'a str,
    hostport: HostPort<'a>,
    object_name: &'a str,
    /// All fields, from the first semicolon on.
    fields: &'a str,
}

impl<'a> Prospero<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns host and port.
    pub fn hostport(&self) -> HostPort<'a> {
        self.hostport
    }

    /// Returns the port, 1525 if none is given; `None` if it exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        self.hostport.number(Some(1525))
    }

    /// Returns the host-specific object name. It may contain slashes, but "no significance may be
    /// assumed", so it is not split into segments.
    pub fn object_name(&self) -> &'a str {
        self.object_name
    }

    /// Returns the fields after the name, in order.
    pub fn fields(&self) -> Fields<'a> {
        let mut specs = self.fields.split(';');
        // Before the first semicolon there is nothing.
        specs.next();
        Fields(specs)
    }
}

impl fmt::Display for Prospero<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/{}", self.scheme, self.hostport, self.object_name)?;
        self.fields().try_for_each(|(name, value)| write!(f, ";{name}={value}"))
    }
}

/// The fields of a Prospero URL: names and values, including escapes.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let Url::Prospero(prospero) = parse(b"prospero://h.org/n;a=1;b=")? else { unreachable!() };
/// let mut fields = prospero.fields();
/// assert_eq!(fields.next(), Some(("a", "1")));
/// assert_eq!(fields.next(), Some(("b", "")));
/// assert_eq!(fields.next(), None);
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fields<'a>(Split<'a, char>);

impl<'a> Iterator for Fields<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let spec = self.0.next()?;
        // Every field has its "=", or the URL would have been refused.
        Some(spec.split_once('=').unwrap_or((spec, "")))
    }
}

impl FusedIterator for Fields<'_> {}

/// `prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]`
pub(super) fn prosperourl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Prospero<'a>, ParseError> {
    // "No username or password is allowed."
    let (hostport, rest) = hostport(rest.expect("//", &PROSPEROURL)?)?;
    // `ppath = psegment *[ "/" psegment ]`, a segment being made as in FTP: "The semicolon ";" is
    // reserved and may not appear without quoting in the `<hsoname>`."
    let (object_name, rest) = rest.expect("/", &PROSPEROURL)?.run(FSEGMENT_CHARS.or(SLASH));
    let mut end = rest;
    let mut production = &PSEGMENT;
    while let Some(spec) = end.eat(";") {
        end = field(spec)?;
        production = &FIELDVALUE;
    }
    end.end(production)?;
    Ok(Prospero { scheme, hostport, object_name, fields: end.since(rest) })
}

/// `fieldspec = ";" fieldname "=" fieldvalue`, behind its semicolon.
fn field(rest: Rest<'_>) -> Result<Rest<'_>, ParseError> {
    let (_name, rest) = rest.run(FIELD_CHARS);
    let (_value, rest) = rest.expect("=", &FIELDNAME)?.run(FIELD_CHARS);
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{accepted, refused};

    #[test]
    fn accepted_forms() {
        accepted("prospero://host.dom//pros/name");
        accepted("prospero://h.org:1525/n;OBJECT-VERSION=1;a=b");
        accepted("prospero://h/");
        accepted("prospero://h/a=b;=;=");
    }

    #[test]
    fn refusals() {
        refused("prospero:h", "prosperourl", 9);
        refused("prospero://h", "prosperourl", 12);
        refused("prospero://u@h/", "hostport", 12);
        refused("prospero://h/a~", "psegment", 14);
        refused("prospero://h/a;", "fieldname", 15);
        refused("prospero://h/a;b", "fieldname", 16);
        refused("prospero://h/a;b/=", "fieldname", 16);
        refused("prospero://h/a;b=c=d", "fieldvalue", 18);
        refused("prospero://h/a;b=c/d", "fieldvalue", 18);
    }
}

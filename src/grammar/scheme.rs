//! The production of a scheme (RFC 1738 section 2.1).

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

/// `scheme = 1*[ lowalpha | digit | "+" | "-" | "." ]`, and the colon after it.
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
    fn an_invalid_scheme_is_rejected_where_it_ends() {
        for (url, offset) in [("", 0), (":", 0), ("http", 4), ("a_b:", 1), ("//h", 0)] {
            let error = scheme(Rest::new(url.as_bytes())).err().unwrap();
            assert_eq!((error.production(), error.offset()), ("scheme", offset));
        }
    }
}

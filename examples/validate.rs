//! A list of URLs, each parsed into the typed parts of its scheme.
//!
//! `cargo run --example validate <urls.txt`

use std::io::{self, BufRead, Write};

use urlgrep::grammar;
use urlgrep::grammar::rfc1738::Url;

fn main() -> io::Result<()> {
    print(io::stdin().lock(), &mut io::stdout().lock())
}

/// Prints, for each line of `list`, the parts of the URL, or the reason why it is not valid.
pub fn print(list: impl BufRead, out: &mut impl Write) -> io::Result<()> {
    for line in list.lines() {
        let line = line?;
        // Remove the fragment, because RFC 1738 does not count it as part of a URL.
        let (url, _fragment) = grammar::split_fragment(line.as_bytes());
        match grammar::rfc1738::parse(url) {
            Ok(url) => writeln!(out, "{line}: {}", parts(&url))?,
            Err(error) => writeln!(out, "{line}: {error}")?,
        }
    }
    Ok(())
}

/// Formats the parts of `url`. Each scheme has its own.
fn parts(url: &Url<'_>) -> String {
    match url {
        Url::Http(http) => format!("host {:?}, path {:?}", http.hostport().host(), http.path()),
        Url::Ftp(ftp) => format!("user {:?}, typecode {:?}", ftp.login().user(), ftp.typecode()),
        Url::Gopher(gopher) => {
            format!("type {:?}, selector {:?}", char::from(gopher.item_type()), gopher.selector())
        }
        Url::Mailto(mailto) => format!("to {:?} at {:?}", mailto.local_part(), mailto.domain()),
        Url::News(news) => format!("{:?}", news.part()),
        other => format!("host {:?}, port {:?}", other.host(), other.port()),
    }
}

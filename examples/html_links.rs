//! Text to HTML: the text as it is, with its URLs as links.
//!
//! `cargo run --example html_links <mail.txt >mail.html`
//!
//! A URL that lines broke is a link to the whole URL, and keeps its line breaks on
//! the page.

use std::io::{self, Read, Write};

use urlgrep::Finder;

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    write!(io::stdout(), "<!DOCTYPE html>\n<pre>\n{}</pre>\n", html(&text))
}

/// `text` as HTML, in which each URL is a link.
pub fn html(text: &str) -> String {
    // With hosts, `www.h.org` is a match; `href` adds the scheme that it implies.
    let finder = Finder::builder().hosts(true).build().expect("hosts can be added to the defaults");
    let mut html = String::with_capacity(text.len());
    let mut at = 0;
    for m in finder.find_iter(text) {
        let span = m.span();
        html.push_str(&escaped(&text[at..span.start]));
        at = span.end;
        let href = escaped(&String::from_utf8_lossy(m.as_bytes()));
        html.push_str(&format!("<a href=\"{href}\">{}</a>", escaped(&text[span])));
    }
    html.push_str(&escaped(&text[at..]));
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

//! Text to HTML: the text as it is, with its URLs as links.
//!
//! `cargo run --example html_links <mail.txt >mail.html`
//!
//! A URL that lines broke is a link to the whole URL, and keeps its line breaks on
//! the page.

use std::io::{self, Read, Write};

use urlgrep::grammar::opens_safely;
use urlgrep::{Finder, Span};

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    write!(io::stdout(), "<!DOCTYPE html>\n<pre>\n{}</pre>\n", html(&text))
}

/// `text` as HTML, in which each URL is a link that only shows something: `javascript:` would run what the text says.
pub fn html(text: &str) -> String {
    // With hosts, `www.h.org` is a match; `href` adds the scheme that it implies.
    let finder = Finder::builder().hosts(true).build().expect("hosts can be added to the defaults");
    let mut html = String::with_capacity(text.len());
    for span in finder.spans(text) {
        let shown = escaped(&text[span.range()]);
        match span {
            Span::Match(m) if opens_safely(&m.scheme()) => {
                let href = escaped(&String::from_utf8_lossy(&m.href()));
                html.push_str(&format!("<a href=\"{href}\">{shown}</a>"));
            }
            _ => html.push_str(&shown),
        }
    }
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

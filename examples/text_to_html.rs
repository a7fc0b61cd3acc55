//! Untrusted text as HTML: `cargo run --example text_to_html <mail.txt >mail.html`
//!
//! Everything is escaped, and only URLs with `http`, `https` and `mailto` become links. The text does not change: a URL
//! that is broken across lines is one link, which contains the line breaks.

use std::io::{self, Read, Write};

use urlgrep::{Chunk, Finder, Schemeless};

fn main() -> io::Result<()> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    // Replace invalid UTF-8 before the search, so that all offsets refer to a string.
    let text = String::from_utf8_lossy(&bytes);
    let head = "<!DOCTYPE html>\n<meta charset=\"utf-8\">";
    write!(io::stdout(), "{head}\n<pre>\n{}</pre>\n", html(&text))
}

/// Returns `text` as HTML, in which each URL with a harmless scheme is a link.
pub fn html(text: &str) -> String {
    // With hosts, `www.h.org` is a link as well. URLs with other schemes stay text.
    let builder = Finder::builder().schemeless([Schemeless::Hosts]).schemes(["http", "https", "mailto"]);
    let finder = builder.build().expect("these options are always valid");
    let mut html = String::with_capacity(text.len());
    for span in finder.chunks(text) {
        let range = span.range();
        let Chunk::Match(m) = span else {
            html.push_str(&escaped(&text[range]));
            continue;
        };
        // The link is the text between the delimiters. `href` adds `http://` to a host without a scheme.
        let url = m.url_range();
        html.push_str(&escaped(&text[range.start..url.start]));
        let (href, shown) = (escaped(&m.href()), escaped(&text[url.clone()]));
        html.push_str(&format!("<a href=\"{href}\" rel=\"nofollow noopener\">{shown}</a>"));
        html.push_str(&escaped(&text[url.end..range.end]));
    }
    html
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

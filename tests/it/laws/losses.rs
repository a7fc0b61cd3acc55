//! What a format takes away: what is found in a file as text is found in it as mail, as a page or as whatever it is.
//!
//! A file is a soup of what its format is made of, with URLs in any place. Not in it is what the law leaves out: bytes of
//! encoded parts, and header fields that only trace or identify a message.

use std::ops::ControlFlow;

use urlgrep::Finder;
use urlgrep::archive::Reader;

/// A format: how its files begin, and what they are made of.
struct Soup {
    head: &'static str,
    tokens: &'static [&'static str],
}

/// What is in files of all formats.
#[rustfmt::skip]
const COMMON: &[&str] = &[" ", "\n", "\"", "'", "<", ">", "(", ")", ": ", "a", "1", "&", ";", ",", "\n\n", "\r\n", "\t", "=", "-"];

#[rustfmt::skip]
const PAGE: &[&str] = &[
    "<a href=\"", "<a href='", "<a href=", "\">", "'>", ">", "/>", "</a>", "<img src=\"", " alt=\"", " title='", "<p>", "</p>",
    "<br>", "<b>", "</b>", "<!--", "-->", "--!>", "<!>", "<!DOCTYPE ", "<!", "<?", "?>", "</", "<style>", "</style>", "<script>",
    "</script>", "<script>\n//<!--", "<textarea>", "</textarea>", "<title>", "</title>", "<xmp>", "</xmp>", "<noscript>",
    "</noscript>", "<noframes>", "</noframes>", "<iframe srcdoc='", "</iframe>", "<noembed>", "<plaintext>", "<svg>", "</svg>",
    "<math>", "<mtext>", "</math>", "<![CDATA[", "]]>", "<template>", "</template>", "<select>", "</select>", "<option>",
    "<base href='http://b.org/'>", "<div style=\"display:none\">", "<div data-x=\"", "</div>", "<table>", "<td background='",
    "</table>", "<canvas>", "<video>", "<object data='", "<embed src=", "<form action='", "<input value='", "<meta content='0;url=",
    "<link rel=x href=", "<area href=", "<body onload=\"", "<html>", "</html>", "<head>", "</head>", "&lt;", "&amp;", "&#104;",
    "&quot;", "<o:p>", "<?xml:namespace ", "<!--[if mso]>", "<![endif]-->", "<a ", "<1", "javascript:", "url(", "@import '",
    "<blockquote>", "<pre>", "<font color=red>", "<desc>", "</desc>", "<foreignObject>",
];

#[rustfmt::skip]
const FEED: &[&str] = &[
    "<item>", "</item>", "<link>", "</link>", "<description>", "</description>", "<![CDATA[", "]]>", "<!--", "-->", "<enclosure url=\"",
    "\"/>", "<atom:link href='", "'/>", "<x:y xmlns:x=\"", "xsi:schemaLocation=\"", "<style>", "</style>", "<script>", "</script>",
    "<title>", "&lt;a href=\"", "&gt;", "&lt;/a&gt;", "&amp;", "<?x ", "?>", "<!DOCTYPE x [", "]>", "<!ENTITY e \"", "<a b='", "'>",
    "<textarea>", "<plaintext>", "<template>", "</x:y>", "<select>", "<iframe>",
];

#[rustfmt::skip]
const MAIL: &[&str] = &[
    "Subject: ", "X-Url: ", "To: ", "From: b@h.org\n", "\n\n", "> ", ">> ", "--b\n", "--b--\n", "Content-Type: text/plain\n\n",
    "Content-Type: text/html\n\n", "Content-Type: application/x-y\n\n", "Content-Type: message/rfc822\n\n", "<a href=\"", "\">", "</a>",
    "<!--", "-->", "<script>", "</script>", "\nFrom ", "begin 644 a\n", "\nend\n", "-----BEGIN PGP SIGNATURE-----\n", "-- \n",
    "<URL:", "Content-Disposition: attachment\n", "\n ", "=?x?", "?=", "BEGIN:VCALENDAR\n", "<html>", "<?xml version='1.0'?>",
];

#[rustfmt::skip]
const LINES: &[&str] = &[
    "title: ", "date: 2020-01-01\n", "from: ", "subject: ", "  - ", "key:\n", "links:\n", "# ", "---\n", "Package: ", "Version: 1\n",
    "Date: ", "From: ", "To: ", "Subject: x\n", "msgid \"", "msgstr \"", "\"\n", "#: ", "{", "}", "[", "]", "\\\"", "\\n",
    "{{", "}}", "<?php ", "?>", "<html>", "<a href=\"", "<!-- ", " -->", "<style>", "<script>", "BEGIN:VCARD\n", "URL:", "#!/bin/sh\n",
    "<x>", "</x>", "<?xml version='1.0'?>", "$", "@", "| ", "* ", "From a@h.org Fri Mar  2 10:11:12 2001\n", "diff --git a/b b/b\n",
    "WARC/1.0\n", "%PDF", "dn: a\n", "+ ", "null", "\\u0041",
];

const SOUPS: &[Soup] = &[
    Soup { head: "<!DOCTYPE html><html><body>", tokens: PAGE },
    Soup { head: "<html>\n", tokens: PAGE },
    Soup { head: "<?xml version=\"1.0\"?>\n<rss>", tokens: FEED },
    Soup { head: "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\">", tokens: PAGE },
    Soup { head: "<?xml version=\"1.0\"?>\n<kml>", tokens: FEED },
    Soup { head: "From: a@h.org\nDate: Fri, 2 Mar 2001 10:11:12 +0000\nSubject: x\n", tokens: MAIL },
    Soup {
        head: "From: a@h.org\nDate: Fri, 2 Mar 2001 10:11:12 +0000\nContent-Type: multipart/mixed; boundary=b\n\n--b\n",
        tokens: MAIL,
    },
    Soup {
        head: "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nContent-Type: text/html\n\n<html>",
        tokens: PAGE,
    },
    Soup { head: "", tokens: LINES },
    Soup { head: "", tokens: MAIL },
    Soup { head: "", tokens: PAGE },
    Soup { head: "title: a\nreferences:\n", tokens: LINES },
    Soup { head: "From: a\nSubject: b\n", tokens: LINES },
    Soup { head: "<?php\n", tokens: PAGE },
    Soup { head: "{\"a\": \"", tokens: LINES },
    Soup { head: "BEGIN:VCALENDAR\nBEGIN:VEVENT\n", tokens: LINES },
    Soup { head: "msgid \"\"\nmsgstr \"\"\n", tokens: LINES },
];

/// The file that these bytes make: the first says of what format it is, and each other one what follows.
pub fn file(data: &[u8]) -> Vec<u8> {
    let Some((&which, data)) = data.split_first() else { return Vec::new() };
    let Soup { head, tokens } = &SOUPS[usize::from(which) % SOUPS.len()];
    let mut file = head.to_string();
    for (n, &byte) in data.iter().enumerate() {
        match usize::from(byte) {
            // Every fourth is a URL, each another one.
            byte if byte % 4 == 0 => file += &format!("http://h.org/{n:04}"),
            byte => file += tokens.iter().chain(COMMON).cycle().nth(byte - byte / 4 - 1).unwrap_or(&""),
        }
    }
    file.into_bytes()
}

/// What of the default is lost: the URLs that the text of the file has, without those that are in a URL of the default.
pub fn lost(file: &[u8]) -> Vec<String> {
    let finder = Finder::new();
    let mut found = String::new();
    let mut reader = Reader::new(file);
    while let Some(message) = reader.next_message().expect("memory can be read") {
        let _ = finder.find_in_message(&message, |matched| {
            found += &String::from_utf8_lossy(matched.as_bytes());
            found.push('\n');
            ControlFlow::Continue(())
        });
    }
    let woven = |url: &str| {
        url.match_indices("http://h.org/")
            .filter_map(|(at, _)| Some(url.get(at..at + 17)?.to_owned()))
            .collect::<Vec<_>>()
    };
    let urls = finder.find_iter(file).map(|matched| String::from_utf8_lossy(matched.as_bytes()).into_owned());
    let urls = urls.flat_map(|url| woven(&url));
    urls.filter(|url| !found.contains(&url["http:".len()..])).collect()
}

/// Nothing is lost of the file that these bytes make.
pub fn hold(data: &[u8]) {
    let file = file(data);
    let lost = lost(&file);
    assert!(lost.is_empty(), "{lost:?} of {}", String::from_utf8_lossy(&file));
}

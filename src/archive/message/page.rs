//! The header of a message that a list archive shows as an HTML page.
//!
//! The program that made the page left traces of the header in it: MHonArc and Hypermail in
//! comments, Pipermail and HyperKitty in the elements that a reader sees. An [`Archiver`] describes
//! their positions. Its values become the message's fields, From, Date, Subject and Message-ID, so
//! that an [`Envelope`](super::envelope::Envelope) can read them like any others.
//!
//! ```text
//!   <!--X-Subject: A &#38; B -->          ──►  Subject: A & B
//!   <!-- sent="Fri, 2 Mar 2001 …" -->    ──►  Date: 2001-03-02T…
//!   <H1>A &amp; B</H1>                   ──►  Subject: A & B
//! ```
//!
//! Most HTML files are not such a page, and must not take longer for that. So a comment near the
//! beginning is searched first, which all these pages contain, because most files contain few comments
//! there. A file with several such pages is not one message, and has no header.

use memchr::{memchr_iter, memchr2_iter, memmem};

use super::date;
use crate::archive::decode::{charset, html, parameter};
use crate::bytes::unicode::lossy;

/// The number of bytes of a page that are searched for an archiver's comment.
const MAX_EXAMINED: usize = 16 * 1024;

/// The number of bytes of a page that are searched for the header.
const MAX_HEAD: usize = 64 * 1024;

/// The number of bytes that a value may have.
const MAX_VALUE: usize = 4 * 1024;

/// A program that writes messages as pages, and where it writes their headers.
#[derive(Debug)]
struct Archiver {
    /// The comments by which its pages are recognised.
    marks: &'static [&'static str],
    /// The text that follows the header's values. Without it they may be anywhere.
    body: Option<&'static str>,
    name: &'static [Slot],
    address: &'static [Slot],
    date: &'static [Slot],
    subject: &'static [Slot],
    id: &'static [Slot],
}

/// The position of a value. If several positions contain a value, the first one counts.
#[derive(Debug)]
struct Slot {
    /// The texts before it (case-insensitive), each after the previous one.
    after: &'static [&'static str],
    /// The text that ends it.
    until: &'static str,
    /// True if the value contains tags, which are not part of it.
    has_tags: bool,
    /// Decodes it; returns `None` if it is not a value.
    decode: fn(&str) -> Option<String>,
}

impl Slot {
    /// The inside of a comment or an attribute.
    const fn literal(after: &'static [&'static str], until: &'static str) -> Slot {
        Slot { after, until, has_tags: false, decode: |text| Some(text.to_owned()) }
    }

    /// The content of an element.
    const fn content(after: &'static [&'static str], until: &'static str) -> Slot {
        Slot { has_tags: true, ..Slot::literal(after, until) }
    }

    /// The position, with its text decoded further.
    const fn decoded(self, decode: fn(&str) -> Option<String>) -> Slot {
        Slot { decode, ..self }
    }

    /// The value in one line, or `None`. `label` is the charset of the page.
    fn value(&self, page: &[u8], label: &[u8]) -> Option<String> {
        let rest =
            self.after.iter().try_fold(page, |rest, step| Some(&rest[find(rest, step)? + step.len()..]));
        let rest = rest?;
        let bytes = &rest[..find(&rest[..rest.len().min(MAX_VALUE)], self.until)?];
        let unicode = charset::unicode_field(bytes, label);
        let bytes = unicode.as_ref().map_or(bytes, |unicode| &unicode.bytes);
        let text = if self.has_tags {
            html::read(bytes, html::Wanted::default()).text
        } else {
            html::dereference(bytes)
        };
        let value = (self.decode)(&in_a_line(&lossy(&text.bytes)))?;
        // The decoded value may contain line breaks.
        Some(in_a_line(&value)).filter(|value| !value.is_empty())
    }
}

/// All archivers whose pages are known.
static ARCHIVERS: [&Archiver; 4] = [&MHONARC, &HYPERMAIL, &PIPERMAIL, &HYPERKITTY];

/// MHonArc writes the fields in comments at the beginning. There the date comes from a field
/// Received, if the header has one, but a reader sees the field Date.
static MHONARC: Archiver = Archiver {
    marks: &["<!--X-Subject:", "<!--X-From-R13:", "<!--X-From:", "<!--X-Message-Id:"],
    body: Some("<!--X-Body-of-Message-->"),
    name: &[
        Slot::literal(&["<!--X-From-R13:"], "-->").decoded(rotated),
        Slot::literal(&["<!--X-From:"], "-->"),
    ],
    address: &[],
    date: &[
        Slot::content(&["<em>Date</em>:"], "</LI>").decoded(date_in),
        Slot::content(&["<strong>Date</strong>:"], "</LI>").decoded(date_in),
        Slot::literal(&["<!--X-Date:"], "-->").decoded(date_in),
    ],
    subject: &[Slot::literal(&["<!--X-Subject:"], "-->")],
    id: &[Slot::literal(&["<!--X-Message-Id:"], "-->")],
};

/// Hypermail writes them in comments where the body begins, and since version 2 also in `<meta>`. The best date has a
/// known offset from UTC.
static HYPERMAIL: Archiver = Archiver {
    marks: &["<!-- received=\"", "<!-- isoreceived=\""],
    body: Some("<!-- body=\"start\""),
    name: &[
        Slot::literal(&["<!-- name=\""], "\" -->"),
        Slot::literal(&["<meta name=\"Author\" content=\""], "\""),
    ],
    address: &[Slot::literal(&["<!-- email=\""], "\" -->")],
    date: &[
        Slot::literal(&["<!-- sent=\""], "\" -->")
            .decoded(|text| date_in(text).filter(|date| !date.ends_with("-00:00"))),
        Slot::literal(&["<!-- isosent=\""], "\" -->").decoded(date_of_digits),
        Slot::literal(&["<!-- sent=\""], "\" -->").decoded(date_in),
        Slot::literal(&["<!-- isoreceived=\""], "\" -->").decoded(date_of_digits),
        Slot::literal(&["<!-- received=\""], "\" -->").decoded(date_in),
        Slot::literal(&["<meta name=\"Date\" content=\""], "\"").decoded(date_in),
    ],
    subject: &[
        Slot::literal(&["<!-- subject=\""], "\" -->"),
        Slot::literal(&["<meta name=\"Subject\" content=\""], "\""),
    ],
    id: &[Slot::literal(&["<!-- id=\""], "\" -->").decoded(unmasked)],
};

/// Pipermail, of Mailman 2, writes them as text above the body. The link of the author is for a reply.
static PIPERMAIL: Archiver = Archiver {
    marks: &["<!--beginarticle-->"],
    body: Some("<!--beginarticle-->"),
    name: &[Slot::content(&["<H1>", "<B>"], "</B>")],
    address: &[Slot::content(&["<H1>", "</B>", "<A ", ">"], "</A>")],
    date: &[Slot::content(&["<H1>", "</B>", "<I>"], "</I>").decoded(date_in)],
    subject: &[Slot::content(&["<H1>"], "</H1>")],
    id: &[Slot::literal(&["<H1>", "</B>", "?Subject="], ">").decoded(id_of_reply)],
};

/// HyperKitty, of Mailman 3, writes them as text. The address of the author is not on the page.
static HYPERKITTY: Archiver = Archiver {
    marks: &["<!--part of navbar", "<!-- /email-header"],
    body: None,
    name: &[Slot::content(&["class=\"message-header", "class=\"email-author", "class=\"name\"", ">"], "</")],
    address: &[],
    date: &[
        Slot::content(&["class=\"message-header", "class=\"email-date", "class=\"date", ">"], "</div>")
            .decoded(date_in),
        Slot::literal(&["class=\"message-header", "class=\"time\"", "title=\""], "\"").decoded(date_in),
    ],
    subject: &[Slot::content(&["class=\"message-header", "<h1", ">"], "</h1>")],
    id: &[Slot::literal(&["class=\"message-header", "class=\"email-info", "In-Reply-To="], "\"")
        .decoded(|text| Some(without_percent(text)))],
};

/// The header of the message that a page shows; `None` if the page is not from a list archive.
///
/// Costs a pass over the first bytes of the page, and a pass over the whole page if it is from an
/// archive.
pub(crate) fn head(page: &[u8]) -> Option<Vec<u8>> {
    let (archiver, mark) = archiver(&page[..page.len().min(MAX_EXAMINED)])?;
    if memmem::find_iter(page, mark).nth(1).is_some() {
        return None;
    }
    archiver.head(&page[..page.len().min(MAX_HEAD)])
}

/// The beginning of a comment.
const OPEN: &str = "<!--";

/// The archiver with its comment at the beginning of a page, and the comment.
fn archiver(near: &[u8]) -> Option<(&'static Archiver, &'static str)> {
    // Search for `!`, because it is the only rare byte of a mark.
    memchr_iter(b'!', near).find_map(|at| {
        let comment = &near[at.saturating_sub(1)..];
        // Most comments differ from a mark in the first byte.
        let is_first = |mark: &[u8]| comment.get(OPEN.len()) == mark.get(OPEN.len());
        let is_here = |mark: &&str| is_first(mark.as_bytes()) && comment.starts_with(mark.as_bytes());
        ARCHIVERS.iter().find_map(|&archiver| {
            let mark = archiver.marks.iter().copied().find(is_here)?;
            Some((archiver, mark))
        })
    })
}

impl Archiver {
    /// The fields that are found in a page, and the empty line after them.
    fn head(&self, page: &[u8]) -> Option<Vec<u8>> {
        let end = self.body.and_then(|body| find(page, body)).unwrap_or(page.len());
        let label = charset::declared(page);
        let value = |places: &[Slot]| places.iter().find_map(|place| place.value(&page[..end], label));
        let in_brackets = |id: String| format!("<{}>", id.trim_start_matches('<').trim_end_matches('>'));
        let fields = [
            ("From", author(value(self.name), value(self.address))),
            ("Date", value(self.date)),
            ("Subject", value(self.subject)),
            ("Message-ID", value(self.id).map(in_brackets)),
        ];
        let mut head = String::new();
        for (name, value) in fields {
            let line = value.map(|value| format!("{name}: {value}\n"));
            head.push_str(&line.unwrap_or_default());
        }
        (!head.is_empty()).then(|| (head + "\n").into_bytes())
    }
}

/// Returns the offset at which `text` begins (case-insensitive).
fn find(bytes: &[u8], text: &str) -> Option<usize> {
    let first = text.as_bytes().first()?;
    let starts = |&at: &usize| {
        let found = bytes.get(at..at + text.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(text.as_bytes()))
    };
    memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), bytes).find(starts)
}

/// A text with one space for any whitespace between words, and no other controls.
pub(super) fn in_a_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_ascii_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The author, with a known name or email address or both.
fn author(name: Option<String>, address: Option<String>) -> Option<String> {
    let [name, address] = [name, address].map(|value| value.and_then(|value| unmasked(&value)));
    match (name, address) {
        (Some(name), Some(address)) if name != address => Some(format!("{name} <{address}>")),
        (name, address) => name.or(address),
    }
}

/// The texts that archivers write instead of the `@` of an email address.
const MASKS: [&str; 3] = [" at ", "_at_", "(a)"];

/// An email address with its `@` restored, if it contains one of the [`MASKS`]; other text is
/// unchanged.
fn unmasked(text: &str) -> Option<String> {
    let is_atom = |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c == '@');
    let address = MASKS.iter().find_map(|mask| {
        let (user, host) = text.rsplit_once(mask)?;
        (is_atom(user) && is_atom(host) && host.contains('.')).then(|| format!("{user}@{host}"))
    });
    Some(address.unwrap_or_else(|| text.to_owned()))
}

/// The text that MHonArc rotates: half of an alphabet that begins with `@` and ends with `[`, and
/// half of the lower-case letters.
fn rotated(text: &str) -> Option<String> {
    let rotate = |c: char, first: u8, len: u8| char::from((c as u8 - first + len / 2) % len + first);
    let back = text.chars().map(|c| match c {
        '@'..='[' => rotate(c, b'@', 28),
        'a'..='z' => rotate(c, b'a', 26),
        _ => c,
    });
    Some(back.collect())
}

/// A date in any form that a header may contain.
fn date_in(text: &str) -> Option<String> {
    date::rfc3339(text.as_bytes())
}

/// A date in 14 digits.
fn date_of_digits(text: &str) -> Option<String> {
    date::of_digits(text.as_bytes())
}

/// The id in the rest of a link to reply by, and in its tag: `Re%3A%20A&In-Reply-To=%3C1%40h.org%3E" TITLE="A"`.
///
/// The first versions of Mailman 2.1 copied the subject into the link, and the id of the message to
/// which this one replies. Later versions put a `Re: ` before the subject, and use the id of this
/// message.
fn id_of_reply(link: &str) -> Option<String> {
    const RE: &str = "Re:";
    let replies = |subject: &str| subject.get(..RE.len()).is_some_and(|re| re.eq_ignore_ascii_case(RE));
    let (query, tag) = link.split_once('"')?;
    let (subject, id) = query.split_once("&In-Reply-To=")?;
    let title = find(tag.as_bytes(), "title=\"").and_then(|at| tag.get(at + "title=\"".len()..))?;
    let subject = without_percent(subject);
    let original = subject.strip_prefix("Re: ")?;
    (!replies(title) || replies(original)).then(|| without_percent(id))
}

/// A text whose bytes were encoded with `%`.
fn without_percent(text: &str) -> String {
    lossy(&parameter::without_percent(text.as_bytes())).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::envelope::Envelope;
    use super::*;

    /// Sender, date, subject and id.
    type Fields<'t> = [Option<&'t str>; 4];

    #[track_caller]
    fn check(page: &[u8], expected: Fields<'_>) {
        let envelope = head(page).map(Envelope::new);
        let read =
            envelope.map(|envelope| [envelope.from(), envelope.date(), envelope.subject(), envelope.id()]);
        let read = read.as_ref().map(|fields| fields.each_ref().map(Option::as_deref));
        assert_eq!(read, Some(expected), "{}", lossy(page));
    }

    fn date(page: &str) -> Option<String> {
        head(page.as_bytes()).and_then(|head| Envelope::new(head).date())
    }

    #[test]
    fn mhonarc() {
        let page = "<!-- MHonArc v2.4.3 -->\n<!--X-Subject: Re: A &#38; &#60;b> &#45;&#45; =?iso&#45;8859&#45;1?q?caf=E9?= -->\n\
            <!--X-From-R13: [nel Z Ybr <z&#45;yNu.bet> -->\n<!--X-Date: Fri, 2 Mar 2001 10:11:12 &#45;0800 (PST) -->\n\
            <!--X-Message-Id: a&#45;b@h.org -->\n<!--X-Content-Type: text/plain -->\n<!--X-Head-End-->\n<HTML>";
        check(
            page.as_bytes(),
            [
                Some("Mary L Koe <m-l@h.org>"),
                Some("2001-03-02T10:11:12-08:00"),
                Some("Re: A & <b> -- café"),
                Some("a-b@h.org"),
            ],
        );
        check(
            b"<!-- MHonArc v1.2.3 -->\n<!--X-From: a@h.org (A) -->\n<!--X-Subject: b -->\n<!--X-Body-of-Message-->\n\
              <!--X-Message-Id: c -->",
            [Some("a@h.org (A)"), None, Some("b"), None],
        );
    }

    #[test]
    fn long_values_are_left_out() {
        for (len, is_read) in [(MAX_VALUE, true), (MAX_VALUE + 1, false)] {
            let subject = "x".repeat(len - "-->".len());
            let page = format!("<!--X-Subject:{subject}-->\n<!--X-Message-Id: a@h.org -->");
            check(page.as_bytes(), [None, None, is_read.then_some(&subject), Some("a@h.org")]);
        }
    }

    const HYPERMAIL_PAGE: &str = "<html><head><meta name=\"Author\" content=\"B C (b@h.org)\" />\n\
        <meta name=\"Subject\" content=\"S &amp; T\" />\n<meta name=\"Date\" content=\"2001-03-02\" /></head><body>\n\
        <!-- received=\"Fri Mar  2 10:11:12 2001\" -->\n<!-- isoreceived=\"20010302091112\" -->\n\
        <!-- sent=\"Fri, 02 Mar 2001 10:11:10 +0100\" -->\n<!-- isosent=\"20010302091110\" -->\n\
        <!-- name=\"B C\" -->\n<!-- email=\"b@h.org\" -->\n<!-- subject=\"S &quot;&amp;&quot; T\" -->\n\
        <!-- id=\"1_at_h.org\" -->\n<!-- charset=\"us-ascii\" -->\n<!-- body=\"start\" -->\n<!-- id=\"2\" -->";

    #[test]
    fn hypermail() {
        let fields =
            [Some("B C <b@h.org>"), Some("2001-03-02T10:11:10+01:00"), Some("S \"&\" T"), Some("1@h.org")];
        check(HYPERMAIL_PAGE.as_bytes(), fields);
        for (comment, at, value) in [
            ("name", 0, "B C (b@h.org) <b@h.org>"),
            ("email", 0, "B C"),
            ("sent", 1, "2001-03-02T09:11:10+00:00"),
            ("isosent", 1, "2001-03-02T10:11:10+01:00"),
            ("subject", 2, "S & T"),
        ] {
            let mut fields = fields;
            fields[at] = Some(value);
            let comment = format!("<!-- {comment}=\"");
            check(HYPERMAIL_PAGE.replace(&comment, "<!-- x=\"").as_bytes(), fields);
        }
    }

    #[test]
    fn a_date_of_hypermail_without_a_zone() {
        let page = HYPERMAIL_PAGE.replace("10:11:10 +0100", "10:11:10");
        assert_eq!(date(&page).as_deref(), Some("2001-03-02T09:11:10+00:00"));
        let page = page.replace("<!-- isosent", "<!-- x");
        assert_eq!(date(&page).as_deref(), Some("2001-03-02T10:11:10-00:00"));
        let page = page.replace("<!-- sent", "<!-- x");
        assert_eq!(date(&page).as_deref(), Some("2001-03-02T09:11:12+00:00"));
        let page = page.replace("<!-- isoreceived", "<!-- x");
        assert_eq!(date(&page).as_deref(), Some("2001-03-02T10:11:12-00:00"));
    }

    #[test]
    fn the_date_that_a_page_of_mhonarc_shows() {
        let page = "<!--X-Subject: a -->\n<!--X-Date: Fri, 2 Mar 2001 10:11:12 +0800 -->\n<!--X-Head-of-Message-->\n\
            <li><em>Date</em>: Thu, 01 Mar 2001 09:11:10 EST</li>\n<!--X-Body-of-Message-->\n<em>Date</em>: b</li>";
        assert_eq!(date(page).as_deref(), Some("2001-03-01T09:11:10-05:00"));
        assert_eq!(date(&page.replace("em>", "strong>")).as_deref(), Some("2001-03-01T09:11:10-05:00"));
        assert_eq!(date(&page.replace("em>", "b>")).as_deref(), Some("2001-03-02T10:11:12+08:00"));
    }

    #[test]
    fn the_first_hypermail() {
        let page = b"<!-- received=\"Fri Mar  2 10:11:12 1995 PST\" -->\n<!-- sent=\"yesterday\" -->\n\
            <!-- name=\"a@h.org\" -->\n<!-- email=\"a@h.org\" -->\n<!-- subject=\"the \"b\"\" -->\n<!-- id=\"\" -->\n<title>b</title>";
        check(page, [Some("a@h.org"), Some("1995-03-02T10:11:12-08:00"), Some("the \"b\""), None]);
    }

    /// A page of Pipermail, with this subject in the link and on the page.
    fn pipermail_page(link: &str, subject: &str) -> String {
        format!(
            "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">\n<HTML>\n <HEAD>\n   <TITLE> [l] {subject}\n   \
            </TITLE>\n   <LINK REL=\"made\" HREF=\"mailto:l%40h.org?Subject={link}&In-Reply-To=%3C1-2%40h.org%3E\">\n </HEAD>\n \
            <BODY BGCOLOR=\"#ffffff\">\n   <H1>[l] {subject}</H1>\n    <B>A &lt;B&gt;</B> \n    \
            <A HREF=\"mailto:l%40h.org?Subject={link}&In-Reply-To=%3C1-2%40h.org%3E\"\n       \
            TITLE=\"{subject}\">a.b at h.org\n       </A><BR>\n    <I>Fri Mar  2 10:11:12 CST 2001</I>\n    <P><UL>\n    <HR>  \n\
            <!--beginarticle-->\n<PRE>text <I>1 Jan 2000 1:00</I>\n</PRE>\n<!--endarticle-->\n"
        )
    }

    #[test]
    fn pipermail() {
        let author = Some("A <B> <a.b@h.org>");
        let date = Some("2001-03-02T10:11:12-06:00");
        for (link, subject, shown, id) in [
            ("Re%3A%20%5Bl%5D%20S", "S &amp;\n T", "[l] S & T", Some("1-2@h.org")),
            ("Re:%20Re%3A%20S", "S", "[l] S", Some("1-2@h.org")),
            ("Re%3A%20Re%3A%20S", "Re: S", "[l] Re: S", Some("1-2@h.org")),
            // The id of the message that this one replies to.
            ("Re%3A%20S", "Re: S", "[l] Re: S", None),
            ("S", "S", "[l] S", None),
        ] {
            check(pipermail_page(link, subject).as_bytes(), [author, date, Some(shown), id]);
        }
        let page = pipermail_page("S", "S").to_ascii_lowercase();
        let author = Some("a <b> <a.b@h.org>");
        check(page.as_bytes(), [author, date, Some("[l] s"), None]);
        let page = pipermail_page("S", "S").replace("A &lt;B&gt;", "a.b at h.org");
        check(page.as_bytes(), [Some("a.b@h.org"), date, Some("[l] S"), None]);
    }

    const HYPERKITTY_PAGE: &str = "<!DOCTYPE HTML>\n<html>\n<head><title>\nS &amp; T - L - h.org\n</title></head>\n<body>\n\
        <div class=\"navbar-header\"> <!--part of navbar that's always present-->\n<h1>h.org</h1></div>\n\
        <div class=\"message-header row\">\n<div class=\"col-10\">\n<h1>S &amp; T</h1>\n</div></div>\n\
        <div class=\"email email-first\">\n<div id=\"ABC\" class=\"email-header\">\n<div class=\"email-author d-flex\">\n\
        <h2 class=\"name\">\n<a href=\"/users/1\" title=\"See the profile for A &lt;B&gt;\"\n>A &lt;B&gt;</a>\n</h2>\n</div>\n\
        <div class=\"email-date right\">\n<span class=\"date d-none\">\n2 Mar\n\n2001\n</span>\n<span class=\"date d-sm-none\">\n\
        2 Mar\n\n&#x27;01\n</span>\n<div class=\"time\">\n<span title=\"Sender&#x27;s time: March 2, 2001, 11:11 a.m.\">1:11 p.m.</span>\n\
        </div>\n</div>\n</div> <!-- /email-header: gravatar, author-info -->\n<div class=\"email-body\">text</div>\n\
        <div class=\"email-info\">\n<a class=\"reply-mailto\"\nhref=\"mailto:l@h.org?Subject=Re%3A%20S&amp;In-Reply-To=&lt;1%2C2%40h.org&gt;\">";

    #[test]
    fn hyperkitty() {
        let (date, subject, id) = (Some("2001-03-02T13:11:00-00:00"), Some("S & T"), Some("1,2@h.org"));
        check(HYPERKITTY_PAGE.as_bytes(), [Some("A <B>"), date, subject, id]);
        let older = HYPERKITTY_PAGE
            .replace("h2 class", "span class")
            .replace("/h2", "/span")
            .replace("&gt;</a>", "&gt;")
            .replace("&lt;1", "1")
            .replace("&gt;\">", "\">")
            .replace("2 Mar", "Friday, 2 March")
            .replace("1:11 p.m.", "13:11");
        check(older.as_bytes(), [Some("A <B>"), date, subject, id]);
        let sender = HYPERKITTY_PAGE.replace("class=\"date", "class=\"x");
        check(sender.as_bytes(), [Some("A <B>"), Some("2001-03-02T11:11:00-00:00"), subject, id]);
    }

    #[test]
    fn the_charset_of_the_page() {
        let page = b"<html><meta http-equiv=\"Content-Type\" content=\"text/html; charset=koi8-r\">\n\
            <!-- received=\"x\" -->\n<!-- name=\"\xCD\xC9\xD2\" -->\n<!-- subject=\"&#1084;\xC9\xD2\" -->\n";
        check(page, [Some("\u{43c}\u{438}\u{440}"), None, Some("\u{43c}\u{438}\u{440}"), None]);
    }

    #[test]
    fn values_are_lines() {
        let page = b"<!-- received=\"x\" -->\n<!-- subject=\"a\r\nFrom: b&#10;&#13;\n\n\x1b&#x85;c\" -->\n<!-- id=\" \" -->";
        check(page, [None, None, Some("a From: b …c"), None]);
    }

    #[test]
    fn pages_that_are_of_no_message() {
        let thread = HYPERKITTY_PAGE.replace("message-header", "thread-header");
        let two = HYPERMAIL_PAGE.repeat(2);
        let far = " ".repeat(MAX_EXAMINED) + HYPERMAIL_PAGE;
        for page in [
            "",
            "<!--",
            "<html><!-- x --><h1>S</h1><b>A</b><i>2 Mar 2001 10:11</i>",
            "<html><!--X-TopPNI--><!--X-Thread-Index-->",
            "<!--X-Subject: a",
            "<!-- received=\"\" --><!-- name=\"\" -->",
            "<!--beginarticle--><H1>S</H1>",
            &thread,
            &two,
            &far,
        ] {
            assert_eq!(head(page.as_bytes()), None, "{page}");
        }
    }

    #[test]
    fn addresses_without_their_sign() {
        for (masked, address) in [
            ("a at h.org", "a@h.org"),
            ("a.b_at_h.org", "a.b@h.org"),
            ("a(a)h.org", "a@h.org"),
            ("a_at_[hidden]", "a_at_[hidden]"),
            ("a b at h.org", "a b at h.org"),
            ("a at b", "a at b"),
            ("a@b at h.org", "a@b at h.org"),
        ] {
            assert_eq!(unmasked(masked).as_deref(), Some(address));
        }
    }

    proptest! {
        #[test]
        fn any_page_has_lines_of_fields(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "<!--X-Subject:", "<!--X-From-R13:", "<!-- received=\"", "<!-- subject=\"", "<!-- sent=\"",
                    "<!-- isosent=\"", "\" -->", "-->", "<!--beginarticle-->", "<H1>", "</H1>", "<B>", "</B>", "<A ",
                    "?Subject=", "Re:", "%20", "%", "%4", "&In-Reply-To=", "TITLE=\"", ">", "\"", "</A>", "<I>", "</I>",
                    "<!--part of navbar", "class=\"message-header", "class=\"email-date", "class=\"date", "</div>",
                    "2 Mar 2001", "10:11", "20010302101112", "1 p.m.", " at ", "\n", "&#10;", "\u{e9}", "a", "&", "<",
                ]),
                0..40,
            ),
            bytes in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let page = [pieces.concat().as_bytes(), &bytes].concat();
            for cut in [page.len(), page.len() / 2] {
                let Some(head) = head(&page[..cut]) else { continue };
                let lines: Vec<_> = head.split(|&b| b == b'\n').collect();
                let (fields, end) = lines.split_at(lines.len() - 2);
                prop_assert_eq!(end, [b"", b""]);
                for field in fields {
                    let names: [&[u8]; 4] = [b"From: ", b"Date: ", b"Subject: ", b"Message-ID: <"];
                    prop_assert!(names.iter().any(|name| field.starts_with(name)), "{}", lossy(field));
                }
            }
        }
    }
}

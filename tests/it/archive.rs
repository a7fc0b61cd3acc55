//! Mail and news through the library: which texts there are, what is found in them,
//! and where.

use std::ops::{ControlFlow, Range};

use urlgrep::archive::{Attachments, Format, ReadOptions, Reader};
use urlgrep::table::{Row, fields};
use urlgrep::{Finder, Form, Grade, Hyphen, JoinKind, Match};

/// Calls `each` with the matches in a file.
fn search(file: &[u8], options: &ReadOptions, mut each: impl FnMut(&Match<'_>)) {
    let finder = Finder::new();
    let options = ReadOptions { line_numbers: true, ..options.clone() };
    let mut reader = Reader::new(file).with_options(&options);
    while let Some(message) = reader.next_message().unwrap() {
        for text in message.texts() {
            finder.find_in(&text).for_each(|m| each(&m));
        }
    }
}

/// The result of `of` for each match.
fn each<T>(file: &str, of: impl Fn(&Match<'_>) -> T) -> Vec<T> {
    let mut all = Vec::new();
    search(file.as_bytes(), &ReadOptions::default(), |m| all.push(of(m)));
    all
}

/// The range of the file that is `part`.
fn range_of(file: &str, part: &str) -> Range<u64> {
    let start = file.find(part).unwrap() as u64;
    start..start + part.len() as u64
}

fn url(m: &Match<'_>) -> String {
    m.to_str().unwrap().to_owned()
}

/// The URLs, each with its part.
fn parts(file: &str) -> Vec<(String, String)> {
    each(file, |m| (url(m), m.context().unwrap().part().unwrap_or("head").to_owned()))
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|&(url, part)| (url.to_owned(), part.to_owned())).collect()
}

const HEAD: &str = "From: a@h.org\nMessage-ID: <outer@h.org>\n";

#[test]
fn parts_are_numbered_as_in_imap() {
    // The example of RFC 3501 §6.4.5, shortened.
    let mail = format!(
        "{HEAD}Content-Type: multipart/mixed; boundary=A\n\n\
         --A\nContent-Type: text/plain\n\nhttp://h.org/1\n\
         --A\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\nAP9odHRwOi8vaC5vcmcvMg==\n\
         --A\nContent-Type: message/rfc822\n\nSubject: http://h.org/3.head\nContent-Type: multipart/mixed; boundary=B\n\n\
         --B\n\nhttp://h.org/3.1\n--B\n\nhttp://h.org/3.2\n--B--\n\
         --A\nContent-Type: multipart/mixed; boundary=C\n\n\
         --C\nContent-Type: image/gif\nContent-Transfer-Encoding: base64\n\nAP9odHRwOi8vaC5vcmcvNC4x\n\
         --C\nContent-Type: message/rfc822\n\nFrom: b@h.org\n\nhttp://h.org/4.2.1\n\
         --C--\n--A--\n"
    );
    assert_eq!(
        parts(&mail),
        pairs(&[
            ("http://h.org/1", "1"),
            ("http://h.org/3.head", "3"),
            ("http://h.org/3.1", "3.1"),
            ("http://h.org/3.2", "3.2"),
            ("http://h.org/4.2.1", "4.2.1"),
        ])
    );
}

#[test]
fn a_message_without_parts_is_part_1() {
    let mail = format!("{HEAD}Subject: http://h.org/head\n\nhttp://h.org/body\n");
    assert_eq!(parts(&mail), pairs(&[("http://h.org/head", "head"), ("http://h.org/body", "1")]));
}

#[test]
fn the_inner_message_says_whose_it_is() {
    let mail = format!(
        "{HEAD}Content-Type: multipart/digest; boundary=d\n\n\
         --d\n\nMessage-ID: <inner@h.org>\nDate: 1 Nov 94 01:00:00 GMT\n\nhttp://h.org/\n--d--\n"
    );
    let ids = each(&mail, |m| {
        let envelope = m.context().unwrap().envelope().unwrap();
        (envelope.id().unwrap(), envelope.date().unwrap(), m.context().unwrap().message_index())
    });
    assert_eq!(ids, [("inner@h.org".to_owned(), "1994-11-01T01:00:00+00:00".to_owned(), 0)]);
}

#[test]
fn fields_that_are_read() {
    let mail = "Received: from http://h.org/received\n by h.org\n\
        Message-ID: <http://h.org/id>\nSubject: http://h.org/subject\nReferences: <http://h.org/references>\n\
        X-Url: <http://h.org/\n x-url>\n\n";
    let fields = each(mail, |m| (url(m), m.context().unwrap().header().unwrap().to_owned()));
    assert_eq!(fields, pairs(&[("http://h.org/subject", "Subject"), ("http://h.org/x-url", "X-Url")]));
}

#[test]
fn no_url_goes_from_one_field_into_the_next() {
    let mail = "From: <http://h.org/from\nTo: to>\nSubject: b http://h.org/subject\n\n";
    assert_eq!(each(mail, url), ["http://h.org/from", "http://h.org/subject"]);
}

#[test]
fn folds_that_are_no_guess() {
    let mail = "From: a@h.org\nMessage-ID: <1@h.org>\nList-Archive: <http://h.org/a-\n b>\nSubject: <http://h.org/c-\n d>\n\n";
    let matches = each(mail, |m| (url(m), m.joined(), m.alternatives().len()));
    assert_eq!(matches[0], ("http://h.org/a-b".to_owned(), Some(JoinKind::Flowed), 0));
    assert_eq!(matches[1], ("http://h.org/c-d".to_owned(), Some(JoinKind::Delimited), 1));
    // A URL that begins or ends at a fold is not joined; one around it is.
    for (line, joined) in [
        ("a \n http://h.org/x b", None),
        ("a http://h.org/x\n  b", None),
        ("a h\n ttp://h.org/x b", Some(JoinKind::Flowed)),
        ("a http://h.org/\n x b", Some(JoinKind::Flowed)),
    ] {
        let event = format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDESCRIPTION:{line}\nEND:VEVENT\nEND:VCALENDAR\n");
        let matches = each(&event, |m| (url(m), m.joined()));
        assert_eq!(matches, [("http://h.org/x".to_owned(), joined)], "{line:?}");
    }
}

#[test]
fn encoded_words() {
    let mail = "From: =?utf-8?q?J=C3=B6rg_http=3A//h.org/j?= <j@h.org>\nTo: b@h.org\n\n";
    let matches = each(mail, |m| (url(m), m.context().unwrap().header().map(str::to_owned), m.span()));
    let source = "http=3A//h.org/j";
    let span = range_of(mail, source);
    assert_eq!(matches, [("http://h.org/j".to_owned(), Some("From".to_owned()), span)]);
}

/// Each find of a message with this Content-Type and body, and its bytes in the
/// file.
fn encoded(fields: &str, body: &str) -> Vec<(String, String)> {
    let mail = format!("{HEAD}{fields}\n\n{body}");
    each(&mail, |m| {
        let sources: Vec<&str> = m.pieces().map(|s| &mail[s.start as usize..s.end as usize]).collect();
        (url(m), sources.join("|"))
    })
}

#[test]
fn what_encodes_a_find() {
    let quoted = "Content-Transfer-Encoding: quoted-printable";
    assert_eq!(
        encoded(quoted, "http://h.org/=\na?b=3Dc\n"),
        pairs(&[("http://h.org/a?b=c", "http://h.org/|a?b=3Dc")])
    );
    assert_eq!(
        encoded("Content-Type: text/plain; format=flowed; delsp=yes", "> see http://h.org/ \n> a\n"),
        pairs(&[("http://h.org/a", "http://h.org/|a")])
    );
    assert_eq!(
        encoded("Content-Type: text/html", "<p>&lt;URL:http://h.org/?a\n&amp;b&gt;"),
        pairs(&[("http://h.org/?a&b", "http://h.org/?a|&amp;b")])
    );
    // Base64 of "http://h.org/a\n", whose last letter only carries the line feed, and
    // of the same without it in UTF-16.
    assert_eq!(
        encoded("Content-Transfer-Encoding: base64", "aHR0cDovL2gu\nb3JnL2EK\n"),
        pairs(&[("http://h.org/a", "aHR0cDovL2gu|b3JnL2E")])
    );
    assert_eq!(
        encoded(
            "Content-Type: text/plain; charset=utf-16be\nContent-Transfer-Encoding: base64",
            "AGgAdAB0AHAAOgAvAC8AaAAuAG8AcgBnAC8AYQ=="
        ),
        pairs(&[("http://h.org/a", "AGgAdAB0AHAAOgAvAC8AaAAuAG8AcgBnAC8AYQ")])
    );
}

#[test]
fn a_soft_break_leaves_no_hyphen_in_doubt() {
    let mail = format!("{HEAD}Content-Transfer-Encoding: quoted-printable\n\n<URL:http://h.org/a-=\nb>\n");
    let matches = each(&mail, |m| (url(m), m.joined(), m.alternatives().len()));
    assert_eq!(matches, [("http://h.org/a-b".to_owned(), None, 0)]);
}

#[test]
fn both_readings_of_a_hyphen() {
    let file = "Subject: <URL:http://h.org/a-\n b>\n\n<URL:http://h.org/c-\nd>\nhttp://h.org/e\n";
    let finder = Finder::builder().hyphen(Hyphen::Both).build().unwrap();
    let mut reader = Reader::new(file.as_bytes()).with_format(Format::Mail);
    let message = reader.next_message().unwrap().unwrap();
    let mut urls = Vec::new();
    for text in message.texts() {
        urls.extend(finder.find_in(&text).map(|m| url(&m)));
    }
    let each = ["a-b", "ab", "c-d", "cd", "e"];
    assert_eq!(urls, each.map(|path| format!("http://h.org/{path}")));
}

#[test]
fn an_unwanted_url_over_several_fields_hides_none() {
    let file = "To: <URL:http://h.org/^\nSubject: (http://h.org/a)\nX: b>\n\nhttp://h.org/c\n";
    let finder = Finder::builder().min_grade(Grade::Rfc1738).build().unwrap();
    let mut reader = Reader::new(file.as_bytes()).with_format(Format::Mail);
    let message = reader.next_message().unwrap().unwrap();
    let mut urls = Vec::new();
    let _ = finder.find_in_message(&message, |m| {
        urls.push(url(m));
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(urls, ["http://h.org/a", "http://h.org/c"]);
}

#[test]
fn quoted_lines() {
    let mail = format!("{HEAD}\nhttp://h.org/0\n> http://h.org/1\n> >> http://h.org/3\n>a http://h.org/1\n");
    assert_eq!(each(&mail, |m| m.context().unwrap().quote_depth()), [0, 1, 3, 1]);
}

#[test]
fn hidden_links_of_a_page_in_a_feed() {
    let link = "&lt;a href=http://h.org/&gt;a&lt;/a&gt;";
    for (style, role) in [("", "link"), (" style=display:none", "resource")] {
        let feed = format!(
            "<?xml version=\"1.0\"?><rss><item><description>&lt;p{style}&gt;{link}&lt;/p&gt;b</description></item></rss>"
        );
        assert_eq!(each(&feed, |m| m.context().unwrap().role().as_str()), [role]);
    }
}

/// The URLs of a page, and their forms.
fn page(html: &str) -> Vec<(String, Form)> {
    let mut all = Vec::new();
    let options = ReadOptions { format: Some(Format::Html), ..ReadOptions::default() };
    search(html.as_bytes(), &options, |m| all.push((url(m), m.form())));
    all
}

#[test]
fn each_link_of_a_page_once() {
    let (a, b) = ("http://h.org/a".to_owned(), "http://h.org/b".to_owned());
    assert_eq!(
        page("&lt;URL:<A HREF=\"http://h.org/a\">http://h.org/a</A>&gt;"),
        [(a.clone(), Form::Wrapper)]
    );
    assert_eq!(page("<a href='http://h.org/a'>http://h.org/a</a>"), [(a.clone(), Form::Bare)]);
    assert_eq!(page("<a href=http://h.org/a>there</a>"), [(a.clone(), Form::Attribute)]);
    assert_eq!(
        page("<a href=http://h.org/a>http://h.org/b</a>"),
        [(a.clone(), Form::Attribute), (b.clone(), Form::Bare)]
    );
    assert_eq!(
        page("http://h.org/a <img src=http://h.org/b> <a href=http://h.org/a>again</a>"),
        [(a.clone(), Form::Bare), (b.clone(), Form::Attribute), (a.clone(), Form::Attribute)]
    );
    // What is no URL may have one inside.
    assert_eq!(page("<a href=\"javascript:go('http://h.org/a')\">x</a>"), [(a, Form::Bare)]);
    assert_eq!(page("<a href=\"other.html\">x</a><script>'http://h.org/b'</script>"), [(b, Form::Bare)]);
}

#[test]
fn a_link_with_a_scheme_over_its_text_without_one() {
    let page = "<a href='http://www.h.org'>www.h.org</a>, <a href='mailto:a@h.org'>a@h.org</a>, \
        <a href='http://www.h.org/a'>www.h.org</a>";
    let finder = Finder::builder()
        .schemeless([urlgrep::Schemeless::Hosts, urlgrep::Schemeless::Emails])
        .build()
        .unwrap();
    let mut reader = Reader::new(page.as_bytes()).with_format(Format::Html);
    let message = reader.next_message().unwrap().unwrap();
    let urls: Vec<_> = message
        .texts()
        .flat_map(|text| finder.find_in(&text).map(|m| (url(&m), m.form())).collect::<Vec<_>>())
        .collect();
    let link = |url: &str| (url.to_owned(), Form::Attribute);
    let expected = [
        link("http://www.h.org"),
        link("mailto:a@h.org"),
        link("http://www.h.org/a"),
        ("www.h.org".to_owned(), Form::Bare),
    ];
    assert_eq!(urls, expected);
}

#[test]
fn positions_are_in_the_file() {
    let mbox = "From -1234\nFrom: a@h.org\nTo: b@h.org\n\nhttp://h.org/a\n\n\
        From -5678\nFrom: a@h.org\nTo: b@h.org\n\n  http://h.org/b\n";
    let positions = each(mbox, |m| {
        let position = m.position().unwrap();
        (position.line, position.column, m.span(), m.context().unwrap().message_index())
    });
    let span = |url| range_of(mbox, url);
    assert_eq!(positions, [(5, 1, span("http://h.org/a"), 0), (11, 3, span("http://h.org/b"), 1)]);
}

#[test]
fn what_is_asked_for() {
    let mail = format!(
        "{HEAD}Subject: http://h.org/head\nContent-Type: multipart/mixed; boundary=A\n\n\
         --A\n\n..http://h.org/text\n--A\nContent-Type: image/gif\nContent-Transfer-Encoding: base64\n\nAP9odHRwOi8vaC5vcmcvaW1hZ2U=\n\
         --A\nContent-Type: image/gif\n\nhttp://h.org/not-a-gif\n--A--\n"
    );
    let urls = |options: ReadOptions| {
        let mut urls = Vec::new();
        search(mail.as_bytes(), &options, |m| urls.push(url(m)));
        urls
    };
    assert_eq!(
        urls(ReadOptions::default()),
        ["http://h.org/head", "http://h.org/text", "http://h.org/not-a-gif"]
    );
    assert_eq!(
        urls(ReadOptions { headers: false, attachments: Attachments::None, ..ReadOptions::default() }),
        ["http://h.org/text"]
    );
    assert_eq!(
        urls(ReadOptions { attachments: Attachments::All, ..ReadOptions::default() }),
        ["http://h.org/head", "http://h.org/text", "http://h.org/image", "http://h.org/not-a-gif"]
    );
    let mut texts = Vec::new();
    let options = ReadOptions { dot_stuffing: true, headers: false, ..ReadOptions::default() };
    let mut unstuffed = Reader::new(mail.as_bytes()).with_options(&options);
    while let Some(message) = unstuffed.next_message().unwrap() {
        texts.extend(message.texts().map(|text| text.as_bytes().to_vec()));
    }
    assert_eq!(texts, [&b".http://h.org/text"[..], b"http://h.org/not-a-gif"]);
}

#[test]
fn a_head_that_is_not_wanted_ends_where_the_text_begins() {
    // The empty line was forgotten.
    let mail = format!("{HEAD}X: http://h.org/head\nsee http://h.org/a\nand\n\nhttp://h.org/b\n");
    let options = ReadOptions { headers: false, ..ReadOptions::default() };
    let mut reader = Reader::new(mail.as_bytes()).with_options(&options);
    let message = reader.next_message().unwrap().unwrap();
    let mut urls = Vec::new();
    let _ = Finder::new().find_in_message(&message, |m| {
        urls.push((url(m), m.span().start));
        ControlFlow::<()>::Continue(())
    });
    let at = |url: &str| (url.to_owned(), range_of(&mail, url).start);
    assert_eq!(urls, [at("http://h.org/a"), at("http://h.org/b")]);
}

#[test]
fn content_types() {
    let kind = |fields: &str| {
        each(&format!("{HEAD}{fields}\nhttp://h.org/\n"), |m| {
            m.context().unwrap().content_type().map(String::from)
        })
    };
    assert_eq!(kind(""), [Some("text/plain".to_owned())]);
    assert_eq!(kind("Content-Type: TEXT/X-Diff\n"), [Some("text/x-diff".to_owned())]);
    assert_eq!(kind("Content-Type: nonsense\n"), [Some("text/plain".to_owned())]);
    let file = "Content-Type: text/x-diff\n\nbegin 644 a.txt\n-:'1T<#HO+V@N;W)G+P``\n`\nend\n";
    let types = ["text/x-diff", "application/octet-stream"].map(|name| Some(name.to_owned()));
    assert_eq!(kind(file), types);
}

#[test]
fn text_is_no_message() {
    let mut reader = Reader::new(&b"see http://h.org/"[..]);
    assert_eq!(reader.format(), Format::Text);
    let message = reader.next_message().unwrap().unwrap();
    assert!(message.envelope().is_none());
    let text = message.texts().next().unwrap();
    assert_eq!((text.as_bytes(), text.part()), (&b"see http://h.org/"[..], None));
}

/// A page has no base of its own, or one that is relative itself.
#[test]
fn relative_links_are_resolved_against_the_base_of_the_caller() {
    let options = ReadOptions { base_url: Some("http://h.org/x/y".into()), ..ReadOptions::default() };
    let urls = |file: &str| {
        let mut urls = Vec::new();
        search(file.as_bytes(), &options, |m| urls.push(url(m)));
        urls
    };
    assert_eq!(
        urls("<html><a href=a.html>a</a> <a href='//i.org/'>b</a> <a href='#top'>c</a></html>"),
        ["http://h.org/x/a.html", "http://i.org/",]
    );
    assert_eq!(
        urls("<html><base href=/z/><a href=a.html>a</a></html>"),
        ["http://h.org/z/", "http://h.org/z/a.html"]
    );
    assert_eq!(
        urls("From: a@h.org\nTo: b@h.org\nContent-Type: text/html\n\n<a href=a.html>a</a>\n"),
        ["http://h.org/x/a.html",]
    );
}

/// Content-Location and Content-Base of the message, those of the part, and `<base>`: each may be relative
/// to the one before (RFC 2557 §5). A link without any of them is not found.
#[test]
fn relative_links_are_resolved_against_fields() {
    let links = |fields: &str, part: &str, head: &str| {
        let mail = format!(
            "{HEAD}{fields}Content-Type: multipart/related; boundary=q\n\n\
             --q\n{part}Content-Type: text/html\n\n{head}<a href=y>a</a>\n--q--\n"
        );
        let single = format!("{HEAD}{fields}{part}Content-Type: text/html\n\n{head}<a href=y>a</a>\n");
        let links = |file: &str| {
            let mut all = each(file, |m| (m.context().unwrap().element() == Some("a@href")).then(|| url(m)));
            all.retain(Option::is_some);
            all.into_iter().flatten().collect::<Vec<_>>()
        };
        if fields.is_empty() || part.is_empty() {
            assert_eq!(links(&single), links(&mail), "{fields}{part}{head}");
        }
        links(&mail)
    };
    let (location, base) = ("Content-Location: http://l.org/a/z.html\n", "Content-Base: http://b.org/c/\n");
    let (up, element) = ("Content-Location: ../d/z\n", "<base href=e/>");
    for (fields, part, head, expected) in [
        ("", "", "", None),
        ("", "", element, None),
        ("", up, "", None),
        (location, "", "", Some("http://l.org/a/y")),
        ("", location, "", Some("http://l.org/a/y")),
        (base, "", "", Some("http://b.org/c/y")),
        ("", base, "", Some("http://b.org/c/y")),
        (location, base, "", Some("http://b.org/c/y")),
        (base, location, "", Some("http://l.org/a/y")),
        (base, up, "", Some("http://b.org/d/y")),
        (location, "", element, Some("http://l.org/a/e/y")),
        (base, up, element, Some("http://b.org/d/e/y")),
        ("", "Content-Location:\n http://l.org/\n f/z\n", "", Some("http://l.org/f/y")),
        (base, "", "<base href=http://i.org/>", Some("http://i.org/y")),
    ] {
        assert_eq!(links(fields, part, head), expected.as_slice(), "{fields}{part}{head}");
    }
}

/// The name of a field is asked for in any order.
#[test]
fn the_header_at_an_offset() {
    let mail = "Subject: one\nKeywords: two\n three\nComments: four\n\nfive";
    let mut reader = Reader::new(mail.as_bytes()).with_format(Format::Mail);
    let message = reader.next_message().unwrap().unwrap();
    let text = message.texts().next().unwrap();
    let at = |word: &str| mail.find(word).unwrap();
    for (word, name) in [
        ("four", "Comments"),
        ("one", "Subject"),
        ("three", "Keywords"),
        ("two", "Keywords"),
        ("Subject", "Subject"),
        ("Comments", "Comments"),
        ("two", "Keywords"),
    ] {
        assert_eq!(text.header(at(word)), Some(name), "{word}");
    }
}

/// The offset of a part of a file is added to offsets, and a message counts lines itself.
#[test]
fn a_part_of_a_file_has_an_offset() {
    let values = |m: &Match<'_>, offset| {
        let row = Row::new(m).with_offset(offset);
        let fields = fields().iter().filter(|field| ["line", "column", "pieces"].contains(&field.name()));
        fields.map(|field| field.value(&row).to_string()).collect::<Vec<_>>()
    };
    let file = "Subject: a\n\nsee\nat <http://h.org/\na>\n";
    assert_eq!(each(file, |m| values(m, 0)), [["4", "4", "20-33 34-35"]]);
    assert_eq!(each(file, |m| values(m, 100)), [["4", "4", "120-133 134-135"]]);
}

/// A match that outlives its text keeps all values, and each link keeps its own.
#[test]
fn values_of_kept_matches() {
    let page = "<html><a href=http://a.org/ ping=http://b.org/>one</a> <a href=http://c.org/ rel=nofollow>two</a>\n\
        <img src=http://d.org/ longdesc=http://e.org/ alt=three> <a href=http://f.org/ ping=http://g.org/></a>\n\
        <a href=http://i.org/ title=i></a><a href=http://j.org/ rel='a b'>http://j.org/</a> http://h.org/\n";
    let values = |m: &Match<'_>| {
        let row = Row::new(m);
        fields().iter().map(|field| format!("{} {}", field.name(), field.value(&row))).collect::<Vec<_>>()
    };
    let finder = Finder::new();
    let mut reader = Reader::new(page.as_bytes());
    let message = reader.next_message().unwrap().unwrap();
    let text = message.texts().next().unwrap();
    let kept: Vec<_> = finder.find_in(&text).map(Match::into_owned).collect();
    let seen: Vec<_> = finder.find_in(&text).map(|m| values(&m)).collect();
    assert_eq!(kept.iter().map(values).collect::<Vec<_>>(), seen);
    let links = kept.iter().map(|m| {
        let context = m.context().unwrap();
        let rel = context.rel().map(|rel| std::str::from_utf8(rel).unwrap());
        (m.to_str().unwrap(), context.element().unwrap_or("-"), rel)
    });
    let expected = [
        ("http://a.org/", "a@href", None),
        ("http://b.org/", "a@ping", None),
        ("http://c.org/", "a@href", Some("nofollow")),
        ("http://d.org/", "img@src", None),
        ("http://e.org/", "img@longdesc", None),
        ("http://f.org/", "a@href", None),
        ("http://g.org/", "a@ping", None),
        ("http://i.org/", "a@href", None),
        ("http://j.org/", "a@href", Some("a b")),
        ("http://h.org/", "-", None),
    ];
    assert_eq!(links.collect::<Vec<_>>(), expected);
}

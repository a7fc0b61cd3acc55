//! Limits of what is read of mail and pages.

use urlgrep::Finder;
use urlgrep::archive::Archive;

/// A limit, the input for a number, and the value of the first match: within the limit, and past it.
struct Bound {
    limit: &'static str,
    last: usize,
    input: fn(usize) -> String,
    value: fn(&urlgrep::Context<'_>) -> Option<String>,
    within: fn(usize) -> Option<String>,
    past: fn(usize) -> Option<String>,
}

/// The value of the first match.
fn first(input: &str, value: fn(&urlgrep::Context<'_>) -> Option<String>) -> Option<String> {
    let mut archive = Archive::new(input.as_bytes()).unwrap();
    let finder = Finder::new();
    let message = archive.next_message().unwrap().unwrap();
    let mut first = None;
    let _ = finder.find_in_message(&message, |m| {
        first = value(&m.context().unwrap());
        std::ops::ControlFlow::Break(())
    });
    first
}

fn text(context: &urlgrep::Context<'_>) -> Option<String> {
    context.link_text().map(|text| String::from_utf8(text.into_owned()).unwrap())
}

/// The number of letters in the value of a field.
fn letters(value: Option<impl AsRef<str>>) -> Option<String> {
    value.map(|value| value.as_ref().matches('a').count().to_string())
}

#[test]
fn values_of_mail_and_pages() {
    let bounds = [
        Bound {
            limit: "a title has 1,024 bytes",
            last: 1023,
            input: |n| format!("<html><a href=http://h.org/ title=\"{}b\"></a>", " ".repeat(n)),
            value: text,
            within: |_| Some("b".to_owned()),
            past: |_| None,
        },
        Bound {
            limit: "the description of an image has 1,024 bytes",
            last: 1023,
            input: |n| format!("<html><a href=http://h.org/><img alt=\"{}b\"></a>", " ".repeat(n)),
            value: text,
            within: |_| Some("b".to_owned()),
            past: |_| None,
        },
        Bound {
            limit: "a link text has 200 bytes",
            last: 200,
            input: |n| format!("<html><a href=http://h.org/>{}</a>", "b".repeat(n)),
            value: text,
            within: |n| Some("b".repeat(n)),
            past: |_| Some("b".repeat(200)),
        },
        Bound {
            limit: "the words of rel have 200 bytes",
            last: 200,
            input: |n| format!("<html><a href=http://h.org/ rel={}>b</a>", "a".repeat(n)),
            value: |context| letters(context.rel().map(String::from_utf8_lossy)),
            within: |n| Some(n.to_string()),
            past: |_| None,
        },
        Bound {
            limit: "style sheets have 16,384 selectors",
            last: 16_384,
            input: |n| {
                let rules: String = (0..n).map(|n| format!(".c{n}{{display:none}}")).collect();
                format!("<html><style>{rules}</style><a href=http://h.org/>b<i class=c0>hidden</i></a>")
            },
            value: text,
            within: |_| Some("b".to_owned()),
            past: |_| Some("bhidden".to_owned()),
        },
        Bound {
            limit: "a field of the head has 8,192 bytes",
            last: 8192,
            input: |n| {
                format!("From: b@h.org\nMessage-ID: <1@h.org>\nSubject:{}\n\nhttp://h.org/", "a".repeat(n))
            },
            value: |context| letters(context.envelope().unwrap().subject()),
            within: |n| Some(n.to_string()),
            past: |_| Some("8192".to_owned()),
        },
        Bound {
            limit: "a media type has 1,024 bytes, the space before it included",
            last: 1018,
            input: |n| {
                let kind = "a".repeat(n);
                format!("From: b@h.org\nMIME-Version: 1.0\nContent-Type: text/{kind}\n\nhttp://h.org/")
            },
            value: |context| letters(context.content_type()),
            within: |n| Some(n.to_string()),
            past: |_| Some("1018".to_owned()),
        },
        Bound {
            limit: "the marks of a quote are seen 8,192 bytes before the URL",
            last: 8189,
            input: |n| {
                format!("From: b@h.org\nMessage-ID: <1@h.org>\n\nb\n> {} http://h.org/", "a".repeat(n))
            },
            value: |context| Some(context.quote_depth().to_string()),
            within: |_| Some("1".to_owned()),
            past: |_| Some("0".to_owned()),
        },
    ];
    let mut failures = String::new();
    for Bound { limit, last, input, value, within, past } in bounds {
        for (n, expected) in [(last, within(last)), (last + 1, past(last + 1))] {
            let found = first(&input(n), value);
            if found != expected {
                failures += &format!("{limit}, {n}:\n  expected {expected:?}\n  found    {found:?}\n");
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

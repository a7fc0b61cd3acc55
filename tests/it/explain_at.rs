//! Why no match covers a place: [`Finder::explain_at`].

use proptest::prelude::*;
use urlgrep::grammar::Grade;
use urlgrep::grammar::Schemes;
use urlgrep::{Finder, FinderBuilder, Iri, Join, Refusal};

/// What `finder` says of the place before which `^` is in `text`.
fn explained(finder: &Finder, text: &str) -> String {
    let offset = text.find('^').unwrap();
    finder.explain_at(&text.replacen('^', "", 1), offset).to_string()
}

fn built(builder: FinderBuilder) -> Finder {
    builder.build().unwrap()
}

#[test]
fn a_match_covers_the_place() {
    let finder = Finder::new();
    for (text, expected) in [
        ("see http://h.org^/ now", "the URL http://h.org/ at bytes 4..17 covers this position"),
        ("<http://h.org/\n ^ a>", "the URL http://h.org/a at bytes 0..19 covers this position"),
        ("^<URL:news:a.b>", "the URL news:a.b at bytes 0..14 covers this position"),
    ] {
        assert_eq!(explained(&finder, text), expected, "{text}");
    }
}

#[test]
fn nothing_starts_a_url() {
    let finder = Finder::new();
    for (text, expected) in [
        ("two^ words", "a space or a delimiter is at this position"),
        ("<^> ", "a space or a delimiter is at this position"),
        ("all^", "the text ends before this position"),
        ("two wor^ds", "\"words\" has no scheme: a URL starts with a name and a colon"),
        ("at 12:^30", "\"12:30\" has no scheme: a URL starts with a name and a colon"),
        ("se^ehttp://h.org/", "\"see\" has no scheme: a URL starts with a name and a colon"),
    ] {
        assert_eq!(explained(&finder, text), expected, "{text}");
    }
}

#[test]
fn what_is_before_the_colon() {
    let finder = Finder::new();
    for (text, expected) in [
        ("foo:^bar", "\"foo:\" is not a known scheme, and \"//\" does not follow"),
        ("f^oo:bar", "\"foo:\" is not a known scheme, and \"//\" does not follow"),
        ("http://h.org/, not^e:this", "\"note:\" is not a known scheme, and \"//\" does not follow"),
        ("<URL:foo:b^ar", "\"foo:\" is not a known scheme, and \"//\" does not follow"),
        ("at the hotel:^+1", "\"tel:\" is only the end of a longer word"),
        ("%s://^h.org/", "no scheme name precedes \"://\""),
        ("$scheme^://h.org/", "no scheme name precedes \"://\""),
        ("://h.org^/", "no scheme name precedes \"://\""),
    ] {
        assert_eq!(explained(&finder, text), expected, "{text}");
    }
}

#[test]
fn what_must_follow_a_known_scheme() {
    let finder = Finder::new();
    for (text, expected) in [
        ("gopher:^abc", "\"gopher:\" must be followed by \"//\" and a host"),
        ("http^:/h.org", "\"http:\" must be followed by \"//\" and a host"),
        ("mailto:^me", "\"mailto:\" must be followed by an email address"),
        (
            "the ne^ws: all",
            "\"news:\" must be followed by a newsgroup with a dot in its name, or a message identifier",
        ),
        ("t^el:55", "\"tel:\" must be followed by \"+\" and a digit (between delimiters, a digit is enough)"),
        ("magnet:^x", "\"magnet:\" must be followed by \"?\" and a query"),
    ] {
        assert_eq!(explained(&finder, text), expected, "{text}");
    }
}

/// The sentence names the byte, and so does the accessor.
#[test]
fn the_byte_for_which_a_host_is_refused() {
    let finder = Finder::new();
    for (text, found, at) in [
        ("at http://h$^x/", "\"$\" is not allowed", 11),
        ("http://h..or^g/", "\".\" is not allowed", 9),
        ("http://-h.o^rg/", "\"-\" is not allowed", 7),
        ("http://u@$h^ost/", "\"$\" is not allowed", 9),
        ("http://[1]^/", "\"[\" is not allowed", 7),
        ("http:/^/", "the text ends too early", 7),
        ("http:/^/\u{1}", "the byte 0x01 is not allowed", 7),
        ("http:/^/\"", "a quotation mark is not allowed", 7),
    ] {
        let offset = text.find('^').unwrap();
        let text = text.replacen('^', "", 1);
        let explanation = finder.explain_at(&text, offset);
        assert_eq!(explanation.out_of_place(), Some(at), "{text}");
        let said = explanation.to_string();
        assert!(said.starts_with("the host after \"http://\" is not valid: "), "{said}");
        assert!(said.ends_with(&format!("{found} at byte {at}")), "{said}");
        assert!(matches!(explanation.why_not(), Some(Refusal::Host { .. })), "{text}");
    }
}

#[test]
fn the_grammar_refuses_what_a_wrapper_has() {
    let finder = Finder::new();
    let said = explained(&finder, "<URL:fo^o>");
    assert!(said.starts_with("the grammar rejects \"foo\": the URL ends too early at offset 3: "), "{said}");
}

/// Each reason why a URL ends, with the first byte after it.
#[test]
fn every_reason_for_an_end() {
    let finder = built(Finder::builder().iri(urlgrep::Iri::Ascii).explain(true));
    for (text, expected) in [
        (&b"http://h.org/a"[..], "the end of the text"),
        (b"http://h.org/a\nb", "a line break"),
        (b"http://h.org/a\r\nb", "a line break"),
        (b"http://h.org/a b", "a space"),
        (b"http://h.org/a\x01b", "the control character 0x01"),
        (b"http://h.org/a\xFFb", "the byte 0xFF, which is not ASCII"),
        (b"http://h.org/a\"b", "a quotation mark, which no URL contains"),
        (b"http://h.org/a<b", "\"<\", which no URL contains"),
        (b"http://h.org/a&lt;b", "\"&lt;\", which encodes a delimiter"),
        (b"(http://h.org/a)b", "\")\", an unmatched closing bracket"),
        (b"http://h.org/a@{b}", "\"@{\", which starts an attribute of AmigaGuide"),
        (b"'http://h.org/a'", "\"'\", the character that also precedes the URL"),
        (b"http://h.org/a[b c", "\"[\", which nothing in the URL closes, or which opens a label"),
        (b"http://h.org/ahttp://i.org/", "the scheme of another URL"),
        (b"http://h.org/a,http://i.org/", "\",\" and another URL"),
        (b"http://h.org;b", "\";\", which neither a host nor a port can contain"),
        (b"sip:a@h.org@b", "\"@\", which cannot be part of a URL of this scheme"),
    ] {
        let matched = finder.find_iter(text).next().unwrap();
        assert_eq!(matched.ending().unwrap().stop().to_string(), expected, "{}", text.escape_ascii());
    }
}

#[test]
fn a_url_ends_before_the_place() {
    let finder = Finder::new();
    let ends_at = |entity| {
        format!(
            "the URL http://h.org/a ends before this position, at \"{entity}\", which encodes a delimiter"
        )
    };
    let of_sentence = "the URL http://h.org/ ends before this position, at the end of the sentence, before ";
    for (text, expected) in [
        ("http://h.org/^.", format!("{of_sentence}the end of the text")),
        ("http://h.org/.^) x", format!("{of_sentence}\")\", an unmatched closing bracket")),
        (
            "sip:a@h.org@^x",
            "the URL sip:a@h.org ends before this position, at \"@\", which cannot be part of a URL of this scheme".to_owned(),
        ),
        (
            "http://h.org@{^b}",
            "the URL http://h.org ends before this position, at \"@{\", which starts an attribute of AmigaGuide".to_owned(),
        ),
        (
            "http://h.org/a|^b",
            "the URL http://h.org/a ends before this position, at \"|\", which no URL contains".to_owned(),
        ),
        ("http://h.org/a&lt;^b", ends_at("&lt;")),
        ("http://h.org/a&gt;^b", ends_at("&gt;")),
        ("http://h.org/a&quot;^b", ends_at("&quot;")),
        ("&apos;http://h.org/a&apos;^b", ends_at("&apos;")),
        ("http://h.org/a&nbsp;^b", ends_at("&nbsp;")),
        ("http://h.org/a&#32;^b", ends_at("&#\u{2026};")),
        (
            "http://h.org:80{@^/",
            "the URL http://h.org:80 ends before this position, at \"{\", which nothing in the URL closes, or which opens a label"
                .to_owned(),
        ),
    ] {
        assert_eq!(explained(&finder, text), expected, "{text}");
    }
}

#[test]
fn an_option_rejects_the_match() {
    let of_scheme = built(Finder::builder().schemes(["ftp", "gopher"]));
    assert_eq!(
        explained(&of_scheme, "http://h.o^rg/"),
        "the option schemes=ftp, gopher rejects http://h.org/"
    );
    let of_grade = built(Finder::builder().min_grade(Grade::Rfc1738));
    assert_eq!(
        explained(&of_grade, "http://h.org/~m^e"),
        "the option min_grade=rfc1738 rejects http://h.org/~me"
    );
    let short = built(Finder::builder().max_len(16));
    assert_eq!(
        explained(&short, "http://h.org/abcdef^gh"),
        "the option max_len=16 rejects http://h.org/abcdefgh"
    );
}

#[test]
fn another_value_of_an_option_would_match() {
    let (finder, ascii) = (Finder::new(), built(Finder::builder().iri(Iri::Ascii)));
    let one_line = built(Finder::builder().join(Join::None));
    let cut = "and it is at length in http://h.org/some/long/path/one-\n^two three";
    for (finder, text, expected) in [
        (&finder, "see www.h^.org.", "www.h.org matches only with the option schemeless=hosts"),
        (&finder, "ask joe@h^.org.", "joe@h.org matches only with the option schemeless=emails"),
        (&finder, "hxxp://h[.]o^rg/", "http://h.org/ matches only with the option refang"),
        (&one_line, "<http://h.org/\n^a>", "http://h.org/a matches only with the option join=delimited"),
        (&finder, cut, "http://h.org/some/long/path/one-two matches only with the option join=likely"),
        (&ascii, "http://h.org/caf^é", "http://h.org/café matches only with the option iri=all"),
    ] {
        assert_eq!(explained(finder, text), expected, "{text}");
    }
    assert_eq!(
        explained(&finder, "see exa^mple.org/a."),
        "example.org/a matches only with the option schemeless=domains"
    );
}

/// The schemes are those of the finder.
#[test]
fn a_scheme_that_the_caller_adds_is_known() {
    let finder = built(Finder::builder().known_schemes(Schemes::none().with("foo")));
    assert_eq!(explained(&finder, "foo:^."), "\"foo:\" must be followed by a letter or a digit");
    assert_eq!(
        explained(&finder, "mailto:^me@h"),
        "\"mailto:\" is not a known scheme, and \"//\" does not follow"
    );
}

/// A long word is shown in part, and costs no more than a short one.
#[test]
fn a_long_word_is_cut() {
    let text = format!("^{}", "a".repeat(1 << 20));
    let said = explained(&Finder::new(), &text);
    assert_eq!(said, format!("\"{}…\" has no scheme: a URL starts with a name and a colon", "a".repeat(80)));
}

proptest! {
    /// Any bytes, of which many are those that the rules ask for.
    #[test]
    fn every_place_has_an_answer(
        text in prop::collection::vec(prop_oneof![
            prop::sample::select(b"htp:/.@w[]<>\"' \n$%-_URL\\\x1b".to_vec()), any::<u8>()
        ], 0..80),
        offset in 0..90_usize,
    ) {
        for finder in [Finder::new(), built(Finder::builder().schemeless([urlgrep::Schemeless::Hosts]).refang(true).join(Join::Likely).max_len(16))] {
            let explanation = finder.explain_at(&text, offset);
            prop_assert_eq!(explanation.matched().is_some(), finder.find_covering(&text, offset).is_some());
            prop_assert!(!explanation.to_string().is_empty());
        }
    }
}

/// The place is one of a file of mail, which a body or a link of its page encodes.
mod in_mail {
    use urlgrep::Finder;
    use urlgrep::archive::Reader;

    /// What is said of the place before which `^` is in `mail`; `None` if no text has it.
    fn explained(mail: &str) -> Option<String> {
        let at = mail.find('^').unwrap() as u64;
        let mail = mail.replacen('^', "", 1);
        let mut reader = Reader::new(mail.as_bytes());
        let message = reader.next_message().unwrap().unwrap();
        let finder = Finder::new();
        message.texts().find_map(|text| finder.explain_in(&text, at).map(|why| why.to_string()))
    }

    #[test]
    fn the_decoded_text_is_explained() {
        let head = "From: a@h.org\nSubject: foo:bar\n";
        for (rest, expected) in [
            ("\nsee www.h^.org\n", Some("www.h.org matches only with the option schemeless=hosts")),
            // "at foo:bar" in base64.
            (
                "Content-Transfer-Encoding: base64\n\nYXQgZm9^vOmJhcg==\n",
                Some("\"foo:\" is not a known scheme, and \"//\" does not follow"),
            ),
            (
                "Content-Transfer-Encoding: quoted-printable\n\nat http://h.o^rg/=3Da\n",
                Some("the URL http://h.org/=a at bytes 79..96 covers this position"),
            ),
            (
                "Content-Transfer-Encoding: quoted-printable\n\nat foo=^3Abar\n",
                Some("\"foo:\" is not a known scheme, and \"//\" does not follow"),
            ),
            (
                "Content-Type: text/html\n\n<img src='foo:^bar'>x\n",
                Some("\"foo:\" is not a known scheme, and \"//\" does not follow"),
            ),
            ("Content-Type: text/html\n\n<a ^href='foo:bar'>x</a>\n", None),
            // Scripts are searched, too.
            (
                "Content-Type: text/html\n\n<script>foo:^bar</script>x\n",
                Some("\"foo:\" is not a known scheme, and \"//\" does not follow"),
            ),
        ] {
            assert_eq!(explained(&format!("{head}{rest}")).as_deref(), expected, "{rest}");
        }
        let field = format!("{}\nx\n", head.replace("foo:", "foo^:"));
        assert!(explained(&field).unwrap().starts_with("\"foo:\" is not"), "{field}");
    }
}

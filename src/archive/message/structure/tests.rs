use super::*;

/// The sections of a message except its heads, `number kind: text`.
fn sections(message: &str) -> Vec<String> {
    let text = |section: &Section<'_>| message[section.range.clone()].replace('\n', "|");
    let structure = Structure::new(message.as_bytes(), 0);
    let named = structure.filter_map(|section| {
        let kind = match section.kind {
            SectionKind::Head(_) => return None,
            SectionKind::Body(kind, _) => format!("{kind:?}"),
            SectionKind::Raw => "raw".to_owned(),
            SectionKind::TooDeep => "deep".to_owned(),
        };
        Some(format!("{} {kind}: {}", section.number, text(&section)))
    });
    named.collect()
}

const HEAD: &str = "Content-Type: multipart/mixed; boundary=b\n\n";

#[test]
fn valid_structure() {
    assert_eq!(sections("A: b\n\nbody\n"), ["1 Text: body|"]);
    assert_eq!(
        sections(&format!(
            "{HEAD}preamble\n--b\n\none\n\n--b\nContent-Type: image/gif\n\ntwo\n--b--\nepilogue\n"
        )),
        ["preamble raw: preamble", "1 Text: one|", "2 Other: two", "epilogue raw: epilogue"]
    );
    let inner = "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n--c\n\ntwo\n--c--\n";
    assert_eq!(
        sections(&format!("{HEAD}{inner}--b\n\nthree\n--b--\n")),
        ["1.1 Text: one", "1.2 Text: two", "2 Text: three"]
    );
}

#[test]
fn an_outer_delimiter_closes_inner_multiparts() {
    let inner = "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n";
    assert_eq!(sections(&format!("{HEAD}{inner}--b\n\ntwo\n")), ["1.1 Text: one", "2 Text: two|"]);
}

#[test]
fn delimiters_that_never_come() {
    assert_eq!(sections(&format!("{HEAD}text\n--a\n")), ["1 raw: text|--a"]);
    let guessed = "text\n--a\nContent-Type: text/plain\n\none\n--a\n\ntwo\n--a--\n";
    assert_eq!(sections(&format!("{HEAD}{guessed}")), ["preamble raw: text", "1 Text: one", "2 Text: two"]);
}

#[test]
fn damaged_delimiters() {
    // Of the first part: known by what follows it, or gone.
    let rest = "Content-Type: text/plain\n\none\n--b\n\ntwo\n--b--\n";
    assert_eq!(sections(&format!("{HEAD}--\u{fffd}\n{rest}")), ["1 Text: one", "2 Text: two"]);
    assert_eq!(sections(&format!("{HEAD}{rest}")), ["1 raw: Content-Type: text/plain||one", "1 Text: two"]);
    // After a body that is not read.
    let image = "--b\nContent-Type: image/gif\n\nR0lG\n--\u{fffd}\nContent-Type: text/plain\n\none\n--b--\n";
    assert_eq!(sections(&format!("{HEAD}{image}")), ["1 Other: R0lG", "2 Text: one"]);
    // The last one too early.
    let early = "--b\n\none\n--b--\nbetween\n--b\n\ntwo\n--b--\n";
    assert_eq!(sections(&format!("{HEAD}{early}")), ["1 Text: one", "1 raw: between", "2 Text: two"]);
}

#[test]
fn delimiters_after_a_head() {
    // Of the multipart itself, also if it resembles a field.
    let part = "\nContent-Type: image/gif\n\none\n";
    assert_eq!(
        sections(&format!("{}--b{part}--b\n\ntwo\n--b--\n", HEAD.trim_end().to_owned() + "\n")),
        ["1 Other: one", "2 Text: two"]
    );
    let colon = "Content-Type: multipart/mixed; boundary=\"b:c\"\n";
    assert_eq!(sections(&format!("{colon}--b:c{part}--b:c--\n")), ["1 Other: one"]);
    // Of one that is open.
    assert_eq!(
        sections(&format!("{HEAD}--b\nContent-Type: text/html\n--b{part}--b--\n")),
        ["1 Html: ", "2 Other: one"]
    );
}

#[test]
fn parts_after_the_last() {
    // Right after it, and without its delimiter.
    let part = "Content-Type: text/plain\n\ntwo\n";
    assert_eq!(sections(&format!("{HEAD}--b\n\none\n--b--\n{part}")), ["1 Text: one", "2 Text: two|"]);
    assert_eq!(
        sections(&format!("{HEAD}--b\n\none\n--b--\n\n{part}")),
        ["1 Text: one", "1 raw: |Content-Type: text/plain||two"]
    );
}

#[test]
fn preamble_and_epilogue() {
    let notice = sections(&format!("{HEAD}This message has parts: http://h.org/\n--b\n\none\n--b--\n"));
    assert_eq!(notice, ["1 Text: one"]);
    let part = "--b\n\none\n--b--\n";
    for notice in [
        "",
        "\n\n",
        "This is a multi-part message in MIME format.\n",
        "  This message is in MIME format. Send mail to mime@h.org for more info.\n\n",
        "This is a multipart message\n",
    ] {
        assert_eq!(sections(&format!("{HEAD}{notice}{part}\n \n")), ["1 Text: one"], "{notice}");
    }
    let long = format!("MIME {}", "word ".repeat(300));
    let found = sections(&format!("{HEAD}{long}\n{part}"));
    assert_eq!(found, [format!("preamble raw: {long}"), "1 Text: one".to_owned()]);
    let inner = "--b\nContent-Type: multipart/mixed; boundary=c\n\npre\n--c\n\ntwo\n--c--\npost\n";
    assert_eq!(
        sections(&format!("{HEAD}{inner}{part}end\n")),
        ["1.preamble raw: pre", "1.1 Text: two", "1.epilogue raw: post", "2 Text: one", "epilogue raw: end"]
    );
}

#[test]
fn parts_nested_too_deep_are_text() {
    let message = "Content-Type: message/rfc822\n\n".repeat(MAX_DEPTH + 1) + "A: b\n\nc";
    let found = sections(&message);
    assert_eq!(found.len(), 1);
    assert!(found[0].ends_with(" deep: A: b||c"), "{found:?}");
}

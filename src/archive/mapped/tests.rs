use super::*;

/// `a=3D1`, a soft break, and `b`.
fn quoted_printable() -> Decoded {
    let source = b"a=3D1=\nb";
    let mut decoded = Decoded::default();
    decoded.copy(source, 0..1);
    decoded.put(b"=", 1..4);
    decoded.copy(source, 4..5);
    decoded.copy(source, 7..8);
    decoded
}

#[test]
fn each_byte_has_its_source() {
    let decoded = quoted_printable();
    assert_eq!(decoded.bytes, b"a=1b");
    assert_eq!(decoded.map.sources(0..2), [0..4]);
    assert_eq!(decoded.map.sources(1..2), [1..4]);
    assert_eq!(decoded.map.sources(0..4), [0..5, 7..8]);
    assert!(decoded.map.sources(2..2).is_empty());
}

#[test]
fn bytes_that_share_a_source() {
    // Two lines of base64: three bytes in four characters.
    let mut decoded = Decoded::default();
    decoded.put(b"abc", 0..4);
    decoded.put(b"def", 5..9);
    assert_eq!(decoded.map.sources(0..1), [0..2]);
    assert_eq!(decoded.map.sources(1..2), [1..3]);
    assert_eq!(decoded.map.sources(2..4), [2..4, 5..7]);
}

#[test]
fn escapes_in_a_row_are_one_run() {
    // =41=42=43=44
    let mut decoded = Decoded::default();
    decoded.put(b"A", 0..3);
    decoded.put(b"BC", 3..9);
    decoded.put(b"D", 9..12);
    assert_eq!(decoded.map.sources(1..3), [3..9]);
    assert_eq!(decoded.map.sources(3..4), [9..12]);
    let mut twice = Decoded::default();
    twice.put(b"A", 0..3);
    twice.put(b"B", 3..6);
    assert_eq!(twice.map.sources(1..2), [3..6]);
    assert_eq!(twice.map.encoded_len(), 0);
}

#[test]
fn added_bytes_have_no_source() {
    let mut decoded = Decoded::default();
    decoded.copy(b"ab", 0..1);
    decoded.put(b"\n", 1..1);
    decoded.copy(b"ab", 1..2);
    assert!(decoded.map.sources(1..2).is_empty());
    assert_eq!(decoded.map.sources(0..3), [0..2]);
}

#[test]
fn decoders_one_after_the_other() {
    let file = b"a=3D1=\nb";
    let text = Mapped::verbatim(file, 100).decoded(quoted_printable());
    let mut entities = Decoded::default();
    entities.copy(text.as_bytes(), 0..1);
    entities.put(b"?", 1..4);
    let text = text.decoded(entities);
    assert_eq!(text.as_bytes(), b"a?");
    assert_eq!(text.sources(0..1), [100..101]);
    assert_eq!(text.sources(1..2), [101..105, 107..108]);
    assert_eq!(text.source(1..2), Some(101..108));
}

#[test]
fn a_part_of_decoded_text() {
    let whole = Mapped::verbatim(b"a=3D1=\nb", 100).decoded(quoted_printable());
    let part = Mapped::part(&whole, 1..4);
    assert_eq!(part.as_bytes(), b"=1b");
    assert_eq!(part.sources(0..1), [101..104]);
    assert_eq!(part.sources(1..3), [104..105, 107..108]);
    let verbatim = Mapped::verbatim(b"abc", 7);
    assert_eq!(Mapped::part(&verbatim, 1..3).sources(0..1), [8..9]);
}

#[test]
fn text_that_was_not_decoded() {
    let text = Mapped::verbatim(b"abc", 7);
    assert_eq!(text.sources(1..3), [8..10]);
    assert_eq!(text.source(1..1), None);
}

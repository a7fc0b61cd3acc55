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
    assert_eq!(twice.map.parts(0..2).count(), 1);
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
fn text_that_was_not_decoded() {
    let text = Mapped::verbatim(b"abc", 7);
    assert_eq!(text.sources(1..3), [8..10]);
    assert_eq!(text.source(1..1), None);
}

/// The map equals a list of all runs, wherever a range begins and ends.
#[test]
fn many_runs() {
    let source = vec![b'a'; 10_000];
    let (mut decoded, mut expected) = (Decoded::default(), Vec::new());
    let mut at = 0;
    for n in 0..300 {
        let (skip, len) = (n % 3, 1 + n % 130);
        at += skip;
        match n % 4 {
            0 => decoded.copy(&source, at..at + len),
            1 => decoded.put(b"xyz", at..at + len),
            2 => decoded.put(b"\n", at..at),
            // Bytes that were decoded before.
            _ => decoded.put(b"ab", at - 4..at),
        }
        let start = expected.len();
        expected.resize(decoded.bytes.len(), 0..0);
        for (byte, sources) in expected[start..].iter_mut().enumerate() {
            *sources = match n % 4 {
                0 => at + byte..at + byte + 1,
                1 => at + byte * len / 3..at + ((byte + 1) * len).div_ceil(3),
                2 => at..at,
                _ => at - 4 + byte * 2..at - 2 + byte * 2,
            };
        }
        at += if n % 4 < 2 { len } else { 0 };
    }
    for start in 0..expected.len() {
        for end in [start + 1, start + 7, expected.len()] {
            let range = start..end.min(expected.len());
            let sources = merged(expected[range.clone()].iter().cloned());
            assert_eq!(decoded.map.sources(range), sources);
        }
    }
    assert!(decoded.map.encoded_len() < 4 * 300);
}

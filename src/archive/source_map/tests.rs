use super::*;

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

#[test]
fn maps_are_moved_and_appended() {
    let (mut first, mut second, mut both) = (Decoded::default(), Decoded::default(), Decoded::default());
    for n in 0..200 {
        let half = if n < 100 { &mut first } else { &mut second };
        let at = if n < 100 { 2 * n } else { 2 * n - 150 };
        half.put(b"x", at..at + 1 + n % 3);
        both.put(b"x", 2 * n..2 * n + 1 + n % 3);
    }
    first.append(second.moved(150));
    assert_eq!(first.bytes, both.bytes);
    for at in 0..200 {
        assert_eq!(first.map.sources(at..200), both.map.sources(at..200));
    }
    assert_eq!(first.map.sources(199..200), [398..400]);
}

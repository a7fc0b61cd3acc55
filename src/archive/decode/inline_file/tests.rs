use proptest::prelude::*;

use super::*;

/// The text without its files, and what is in them.
fn apart(text: &str) -> (String, Vec<Option<String>>) {
    let bytes = text.as_bytes();
    let files = all(bytes);
    assert_eq!(may_be_in(bytes), !files.is_empty());
    let decoded = |file| decode(bytes, file).map(|file| String::from_utf8(file.bytes).unwrap());
    let rest = String::from_utf8(without(bytes, &files).bytes).unwrap();
    (rest, files.iter().map(decoded).collect())
}

fn file(rest: &str, content: &str) -> (String, Vec<Option<String>>) {
    (rest.to_owned(), vec![Some(content.to_owned())])
}

#[test]
fn uuencode() {
    // "http://h.org/\n", by hand: 14 bytes in 5 groups.
    let text = "see\nbegin 644 a.txt\n.:'1T<#HO+V@N;W)G+PH \n`\nend\nmore\n";
    assert_eq!(apart(text), file("see\nbegin 644 a.txt\nend\nmore\n", "http://h.org/\n"));
    // Without the spaces at the ends of the lines, and with CRLF.
    let stripped = text.replace(" \n`\n", "\n`\n").replace('\n', "\r\n");
    assert_eq!(apart(&stripped).1, [Some("http://h.org/\n".to_owned())]);
}

#[test]
fn a_part_of_a_uuencoded_file() {
    let line = format!("M{}\n", "9G)O".repeat(15));
    let text = format!("part 2 of 3\n\n{}text\n", line.repeat(4));
    assert_eq!(apart(&text), file("part 2 of 3\n\ntext\n", &"fro".repeat(60)));
    let two = format!("{}text\n", line.repeat(2));
    assert_eq!(apart(&two), (two.clone(), vec![]));
}

#[test]
fn uuencode_of_base64() {
    let text = "begin-base64 644 a\naHR0cDovL2gu\nb3JnLw==\n====\nb\n";
    assert_eq!(apart(text), file("begin-base64 644 a\n====\nb\n", "http://h.org/"));
}

#[test]
fn yenc() {
    let encoded: String = "http://h.org/".chars().map(|c| char::from(c as u8 + 42)).collect();
    let bytes: Vec<u8> = encoded.chars().map(|c| c as u8).collect();
    let text = [b"=ybegin line=128 size=13 name=a\r\n", &bytes[..], b"=J\r\n=yend size=13\r\nb\r\n"].concat();
    let files = all(&text);
    assert_eq!(without(&text, &files).bytes, b"=ybegin line=128 size=13 name=a\r\n=yend size=13\r\nb\r\n");
    let decoded = decode(&text, &files[0]).unwrap();
    assert_eq!(decoded.bytes, b"http://h.org/\xE0");
    assert_eq!(decoded.map.sources(0..14), [33..48]);
}

#[test]
fn binhex() {
    let text = "(This file must be converted with BinHex 4.0)\n\n:$f*TEQKPH\"bK\"\nabc:\nmore\n";
    assert_eq!(
        apart(text),
        ("(This file must be converted with BinHex 4.0)\n\nmore\n".to_owned(), vec![None])
    );
}

#[test]
fn text_that_is_no_file() {
    for text in [
        "begin 644 words of prose\nthat is not encoded\n",
        "begin with\n",
        "=ybegin is how it begins\n",
        "(This file must be converted with BinHex)\n\nand so on\n",
        "Many\nMore\nMost\n",
        "begin 644 x",
        "begin-base64 644 x\n",
        "M",
    ] {
        assert_eq!(apart(text), (text.to_owned(), vec![]), "{text}");
    }
}

proptest! {
    #[test]
    fn there_and_back(content in prop::collection::vec(any::<u8>(), 1..300), grave in any::<bool>()) {
        let sextet = |bits: u8| if bits == 0 && grave { b'`' } else { bits + b' ' };
        let mut text = b"begin 600 x y\n".to_vec();
        for line in content.chunks(45) {
            text.push(sextet(line.len() as u8));
            for group in line.chunks(3) {
                let [a, b, c] = [0, 1, 2].map(|n| group.get(n).copied().unwrap_or(0));
                text.extend([a >> 2, a << 4 & 0x30 | b >> 4, b << 2 & 0x3C | c >> 6, c & 0x3F].map(sextet));
            }
            text.push(b'\n');
        }
        text.extend(b"`\nend\n");
        let files = all(&text);
        // Of a first line of zeros nothing is seen, if they are spaces.
        prop_assume!(grave || content[..content.len().min(45)].iter().any(|&b| b > 3));
        prop_assume!(!files.is_empty() || !grave);
        if let Some(file) = files.first() {
            let decoded = decode(&text, file).unwrap();
            prop_assert_eq!(&decoded.bytes, &content);
            for at in 0..content.len() {
                let sources = decoded.map.sources(at..at + 1);
                prop_assert_eq!(sources.len(), 1);
                prop_assert_eq!(sources[0].len(), 2);
            }
        }
    }

    #[test]
    fn any_text_is_divided(text in "(begin 644 x\n|=ybegin line=3 \n|=yend|M[ -`]{60}\n|`\n|end\n|:|\\(This file must be converted with BinHex 4\\.0\\)\n|[a-zA-Z !\n=]){0,40}") {
        let bytes = text.as_bytes();
        let files = all(bytes);
        let mut last = 0;
        for file in &files {
            prop_assert!(last <= file.range.start && file.range.start < file.range.end);
            last = file.range.end;
            let _ = decode(bytes, file);
        }
        let lost: usize = files.iter().map(|file| file.range.len()).sum();
        prop_assert_eq!(without(bytes, &files).bytes.len() + lost, bytes.len());
    }
}

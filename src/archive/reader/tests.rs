use super::*;
use crate::bytes::position::Position;

/// A message of quoted-printable after another, from `base` of the file on.
fn links_from(base: u64) -> Vec<(std::ops::Range<u64>, Vec<std::ops::Range<u64>>, Position)> {
    let mbox = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a\n\nfirst\n\n\
        From a@h.org Fri Mar  2 10:11:12 2001\nContent-Transfer-Encoding: quoted-printable\n\nab=\nc\n";
    let mut reader = Reader::new(mbox.as_bytes()).with_format(Format::Mbox);
    reader = reader.with_base(base, 0, 0).counting_lines(true);
    let mut links = Vec::new();
    while let Some(message) = reader.next_message().unwrap() {
        let body = message.texts().last().unwrap();
        let sources = body.sources(0..body.as_bytes().len());
        let position = body.position(sources[0].end - 1).unwrap();
        links.push((message.span(), sources, position));
    }
    assert_eq!(reader.bytes_read(), mbox.len() as u64);
    links
}

#[test]
fn offsets_beyond_32_bits() {
    for base in [u64::from(u32::MAX) - 60, u64::from(u32::MAX) - 130, 1 << 32, 1 << 40] {
        let links = links_from(base);
        assert_eq!(links[0].0, base..base + 54);
        assert_eq!(links[1].0.start, base + 54);
        let body = links[1].0.start + 38 + 45;
        assert_eq!(links[1].1, [body..body + 2, body + 4..body + 6]);
        assert_eq!(links[1].2, Position { line: 9, column: 2 });
    }
}

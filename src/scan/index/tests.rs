//! Tests of the index.

use proptest::prelude::*;

use super::*;
use crate::bytes::unicode::Iri;
use crate::scan::ReadOptions;
use crate::simd::Simd;

/// No shortcut.
impl Shortcut for () {
    type Output = ();

    fn around<B: Backend>(&self, _: B, _: &[u8], _: usize) -> Option<()> {
        None
    }
}

fn kept(text: &[u8], options: &ScanOptions) -> Vec<usize> {
    let window = Window::whole(text);
    let mut index = Index::default();
    let next = || {
        let colon = index.peek(&window, options, &())?.at;
        index.advance();
        Some(colon)
    };
    std::iter::from_fn(next).collect()
}

fn kept_by_default(text: &str) -> Vec<usize> {
    kept(text.as_bytes(), &ScanOptions::default())
}

#[test]
fn prose_and_header_fields_are_dropped() {
    let text = "Date: Tue, 1 Nov 1994 01:00:00 GMT\nTo: a@h.org\nat 12:30, C:\\x a::b";
    assert_eq!(kept_by_default(text), [0; 0]);
}

#[test]
fn whatever_may_be_a_url_is_kept() {
    assert_eq!(kept_by_default("http://h.org x-y://h.org mailto:a@h.org"), [4, 16, 31]);
    assert_eq!(kept_by_default("<URL:\nhttp://h.org>"), [4, 10]);
    assert_eq!(kept_by_default("<URL: http://h.org> <http: //h.org/>"), [4, 10, 25]);
    assert_eq!(kept_by_default("< URL: http://h.org> <mailto: a@h.org>"), [5, 11, 28]);
    assert_eq!(kept_by_default(":http:"), [0; 0]);
}

#[test]
fn every_offset_in_a_block_is_indexed() {
    for at in 0..2 * WIDTH {
        let text = format!("{}http://h.org{}", " ".repeat(at), " ".repeat(WIDTH));
        assert_eq!(kept_by_default(&text), [at + 4]);
    }
}

#[test]
fn a_colon_at_the_end_of_a_part_waits_for_the_next_byte() {
    let options = ScanOptions::default();
    let mut index = Index::default();
    let mut peek = |text| index.peek(&Window::new(text, false), &options, &()).map(|anchor| anchor.at);
    assert_eq!(peek(b"see http:"), None);
    assert_eq!(peek(b"see http:/"), Some(8));
}

proptest! {
    #[test]
    fn every_colon_that_survives_is_kept(text in "[:/<> lLpPoOiIZ0\\n\\x01\\x7f\u{e9}]{0,300}[^:]") {
        let schemes = Schemes::default();
        let colons = memchr_iter(b':', text.as_bytes());
        let survivors: Vec<_> = colons.filter(|&at| survives(text.as_bytes(), at, &schemes)).collect();
        for simd in [Simd::generic(), Simd::detect()] {
            let options = ScanOptions { read: ReadOptions { simd, iri: Iri::default() }, ..ScanOptions::default() };
            prop_assert_eq!(&kept(text.as_bytes(), &options), &survivors);
        }
    }
}

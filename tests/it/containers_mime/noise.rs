//! Mail that is made without a plan: files of random bytes, which have no links, and pieces of
//! mail in any order, for which the laws hold.

use proptest::prelude::*;

use super::{HEAD, check};
use crate::laws;

/// Bytes without any order (a multiplicative generator).
fn noise(len: usize) -> Vec<u8> {
    let next = |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    std::iter::successors(Some(1738), next).skip(1).take(len).map(|state| (state >> 56) as u8).collect()
}

#[test]
fn noise_has_no_links() {
    let noise = noise(3_000_000);
    let lines = |alphabet: &[u8], width: usize| -> Vec<u8> {
        let characters: Vec<u8> = noise.iter().map(|b| alphabet[usize::from(b & 63)]).collect();
        characters.chunks(width).flat_map(|line| [line, b"\n"].concat()).collect()
    };
    let uuencode: Vec<u8> = (b' '..b'`').collect();
    let full: Vec<u8> = lines(&uuencode, 60)
        .split_inclusive(|&b| b == b'\n')
        .flat_map(|line| [b"M", line].concat())
        .collect();
    let binhex = b"!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr";
    let yenc: Vec<u8> = noise.iter().copied().filter(|b| !b"\0\r\n=".contains(b)).collect();
    let yenc: Vec<u8> = yenc.chunks(128).flat_map(|line| [line, b"\r\n"].concat()).collect();
    let head = format!("{HEAD}\n").into_bytes();
    check([&head, &b"begin 644 a.zip\n"[..], &full, b"`\nend\n"].concat(), &[]);
    check([&head, &b"part 2 of 3\n\n"[..], &full].concat(), &[]);
    check([&head, &b"=ybegin line=128 size=1 name=a.zip\r\n"[..], &yenc, b"=yend size=1\r\n"].concat(), &[]);
    check(
        [&head, &b"(This file must be converted with BinHex 4.0)\n\n:"[..], &lines(binhex, 64)].concat(),
        &[],
    );
}

/// Pieces of mail, of which any may follow any.
const PIECES: [&str; 33] = [
    "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nTo: b@h.org\n",
    "From: a@h.org\nMessage-ID: <1@h.org>\n",
    "Content-Type: multipart/mixed; boundary=A\n",
    "Content-Type: multipart/digest; boundary=B\n",
    "Content-Type: message/rfc822\n",
    "Content-Type: message/partial; number=1\n",
    "Content-Type: text/calendar\n",
    "Content-Type: text/xml\n",
    "Content-Type: text/rtf\n",
    "Content-Type: text/plain; charset=iso-2022-jp\n",
    "Content-Transfer-Encoding: \"quoted-printable\"\n",
    "Content-Transfer-Encoding: x-uuencode\n",
    "Content-Transfer-Encoding: (c) base64\n",
    "Subject: =?utf-8?q?=C3?= =?utf-8?q?=A9_http://h.org/s?=\n",
    "\n",
    "\n--A\n",
    "\n--B\n",
    "\n--A--\n",
    "http://h.org/a",
    "<URL:http://h.org/\n b>",
    "http://h.org/=\nc?d=3De\n",
    "aHR0cDovL2gub3JnL2EK\n",
    "BEGIN:VCARD\nURL:http://h.\n org/\\,f\n",
    "{\\field{\\*\\fldinst HYPERLINK \"http://h.org/g\"}{\\fldrslt h}}",
    "\u{1b}$B",
    "begin 644 a\n",
    "-:'1T<#HO+V@N;W)G+P``\n`\nend\n",
    "M9G)O9G)O9G)O9G)O9G)O9G)O9G)O9G)O9G)O9G)O9G)O9G)O9G)O9G)O9G)O\n",
    "=ybegin line=8 name=a\n",
    "=yend\n",
    "(This file must be converted with BinHex 4.0)\n:",
    "\n\n----------------------------------------------------------------------\n\n",
    "\n\n------------------------------\n\n",
];

proptest! {
    #[test]
    fn any_pieces_in_any_order(pieces in prop::collection::vec(prop::sample::select(PIECES.as_slice()), 0..24)) {
        laws::archive::holds(pieces.concat().as_bytes());
    }
}

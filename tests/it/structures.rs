//! The laws, on random files with structure.

use proptest::prelude::*;

use crate::laws::grown::grown;
use crate::laws::input::Input;
use crate::laws::{archive, text};

#[test]
fn what_grows() {
    let text = |program: &[u8]| String::from_utf8(grown(program)).unwrap();
    assert_eq!(text(b""), "");
    // The first word; three bytes of the program.
    assert_eq!(text(b"\x00\x43a b"), "http://h.org/aa b");
    // A new file after that, and both as the parts of a message.
    let head = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n";
    assert_eq!(text(b"\x41a\x60\x41b\x81"), format!("{head}--b\na\n--b\nb\n--b--\n"));
    // HTML in quoted-printable and in base64.
    let head = |encoding| format!("Content-Type: text/html\nContent-Transfer-Encoding: {encoding}\n\n");
    assert_eq!(text(b"\x42=\n\xB1"), head("quoted-printable") + "=3D\n");
    let fields = "From: a@h.org\nSubject: =?utf-8?q?http=3A//h.org/?=\n t\n";
    assert_eq!(text(b"\x44abcd\xB9"), fields.to_owned() + &head("base64") + "YWJjZA==");
    // Cut after two bytes.
    assert_eq!(text(b"\x44abcd\xE2"), "ab");
    // No program grows more than this.
    let long = [&[0x40 | 31][..], &[b'a'; 31], &[0xA0; 3000]].concat();
    assert!(grown(&long).len() < 1 << 20);
}

proptest! {
    #[test]
    fn laws_of_structures(head in any::<[u8; 12]>(), program in prop::collection::vec(any::<u8>(), 0..60)) {
        let data = [&head[..], &program].concat();
        let input = Input::of(&data).unwrap();
        let file = grown(input.text);
        let cuts = input.cuts.map(|cut| cut.min(file.len()));
        archive::hold(&Input { text: &file, cuts, ..input.clone() });
        text::hold(&Input { text: &file, cuts, ..input });
    }
}

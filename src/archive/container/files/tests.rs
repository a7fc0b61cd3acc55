use super::*;
use crate::archive::container::encode::gzip;

#[test]
fn one_file_without_a_name() {
    let mut files = Files::new(&b"some text"[..]).unwrap();
    let mut file = files.next_file().unwrap().unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    assert_eq!((file.name(), &*text), (None, "some text"));
    assert!(files.next_file().unwrap().is_none());
}

#[test]
fn a_batch_that_was_compressed() {
    let batch = [&b"#! cunbatch\n"[..], &gzip(b"#! rnews 8\nA: b\n\nc\n")].concat();
    let mut files = Files::new(&batch[..]).unwrap();
    let mut text = String::new();
    files.next_file().unwrap().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "#! rnews 8\nA: b\n\nc\n");
}

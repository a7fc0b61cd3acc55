use super::*;

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
    use std::io::Write;

    let mut batch = b"#! cunbatch\n".to_vec();
    let mut gzip = flate2::write::GzEncoder::new(&mut batch, flate2::Compression::fast());
    gzip.write_all(b"#! rnews 8\nA: b\n\nc\n").unwrap();
    gzip.finish().unwrap();
    let mut files = Files::new(&batch[..]).unwrap();
    let mut text = String::new();
    files.next_file().unwrap().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "#! rnews 8\nA: b\n\nc\n");
}

//! Compressed inputs that a thread of their own decompresses: the output is the same.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use super::{folder, run, urlgrep, within};

/// 3 MB of messages that do not compress to less than 1 MB.
fn mbox() -> Vec<u8> {
    let mut mbox = Vec::new();
    let mut random: u64 = 1;
    while mbox.len() < 3_000_000 {
        let head = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nSubject: http://h.org/s\n\n";
        mbox.extend_from_slice(head.as_bytes());
        for _ in 0..20 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            writeln!(mbox, "{random:x} http://h{}.org/{random:o}", random >> 60).unwrap();
        }
        mbox.push(b'\n');
    }
    mbox
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A tar archive.
fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = Vec::new();
    for (name, bytes) in members {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..136].copy_from_slice(format!("{:011o}\0", bytes.len()).as_bytes());
        header[257..263].copy_from_slice(b"ustar\0");
        tar.extend_from_slice(&header);
        tar.extend_from_slice(bytes);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar
}

fn files() -> TempDir {
    let mbox = mbox();
    let gz = gzip(&mbox);
    assert!(gz.len() > 1024 * 1024);
    let members =
        tar(&[("a", &mbox), ("b", b"http://h.org/b\n"), ("c", b"\x89PNG\r\n\x1a\n"), ("d", &mbox[..50_000])]);
    let files = folder(&[]);
    let write = |name: &str, bytes: &[u8]| fs::write(files.path().join(name), bytes).unwrap();
    write("mbox", &mbox);
    write("gz", &gz);
    write("two.gz", &[&gz[..], &gzip(b"http://h.org/two\n")].concat());
    write("cut.gz", &gz[..gz.len() - 100]);
    write("tgz", &gzip(&members));
    // A mark in the header of the third member is damaged.
    write(
        "damaged.tgz",
        &gzip(&[&members[..mbox.len().next_multiple_of(512) + 512], &[b'x'; 2000]].concat()),
    );
    files
}

#[test]
fn the_output_is_the_same() {
    let files = files();
    for args in [&["--json"][..], &["-n"], &["--csv", "--stats"], &["-m3"], &["-c"], &["-l"], &["-q"]] {
        for file in ["mbox", "gz", "two.gz", "cut.gz", "tgz", "damaged.tgz"] {
            let with = |threads| {
                let mut ran = run(within(&files, &[args, &[threads, file]].concat()), b"");
                // How long it took.
                ran.stderr = ran.stderr.split("seconds").next().unwrap().to_owned();
                ran
            };
            let alone = with("-j1");
            assert!(alone.status == Some(0) || file.contains('.'), "{args:?} {file}: {}", alone.stderr);
            assert!(with("-j2") == alone, "{args:?} {file}");
        }
    }
}

/// With standard input from a file: nobody waits for a full pipe.
#[test]
fn standard_input_is_read_by_a_thread_of_its_own() {
    let files = files();
    for file in ["mbox", "gz", "cut.gz", "tgz"] {
        let [alone, two] = ["-j1", "-j2"].map(|threads| {
            let input = fs::File::open(files.path().join(file)).unwrap();
            urlgrep(&["--json", threads]).stdin(input).output().unwrap()
        });
        assert!(alone.stdout.len() > 1_000_000);
        assert_eq!(alone.status.code(), Some(if file == "cut.gz" { 2 } else { 0 }));
        assert!(two == alone, "{file}");
    }
}

#[test]
fn a_report_has_the_lines_of_the_file() {
    let paragraph = format!("{}http://h.org/a\n\n", "and so on\n".repeat(2_000));
    let files = folder(&[("large", &paragraph.repeat(1_000))]);
    let [alone, two] = ["-j1", "-j2"].map(|threads| {
        let ran = run(within(&files, &["--report=r.html", threads, "-n", "large"]), b"");
        assert!(ran.stdout.ends_with("\n2001999:http://h.org/a\n") && ran.status == Some(0));
        let report = fs::read_to_string(files.path().join("r.html")).unwrap();
        fs::remove_file(files.path().join("r.html")).unwrap();
        report
    });
    assert!(two == alone && super::report::unpacked(&two).contains("[2001999,1,"));
}

/// It begins where the one before stopped, and the next one begins after it.
#[test]
fn a_file_on_standard_input_is_consumed() {
    let files = folder(&[("a", "http://h.org/1\nhttp://h.org/2\n")]);
    let mut file = File::open(files.path().join("a")).unwrap();
    file.seek(SeekFrom::Start(15)).unwrap();
    for (expected, status) in [("http://h.org/2\n", 0), ("", 1)] {
        let output = urlgrep(&["-"]).stdin(file.try_clone().unwrap()).output().unwrap();
        assert_eq!((str::from_utf8(&output.stdout).unwrap(), output.status.code()), (expected, Some(status)));
    }
}

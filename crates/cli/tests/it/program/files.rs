//! What is searched, and in which order.

use std::fs::{self, File};
use std::process::Stdio;

use super::{ends, folder, run, urlgrep, within};

#[test]
fn directories_are_searched_in_the_order_of_names() {
    let files = folder(&[
        ("d/b", "http://h.org/b"),
        ("d/a.txt", "http://h.org/a.txt"),
        ("d/a/z", "http://h.org/a/z"),
        ("d/a/y/x", "http://h.org/a/y/x"),
        ("d/B", "http://h.org/B"),
        ("d/.hidden", "http://h.org/.hidden"),
        ("d/.folder/x", "http://h.org/.folder/x"),
        ("d/.gitignore", "*"),
        ("d/.ignore", "*"),
    ]);
    let plain = "d/B:http://h.org/B\n\
        d/a/y/x:http://h.org/a/y/x\n\
        d/a/z:http://h.org/a/z\n\
        d/a.txt:http://h.org/a.txt\n\
        d/b:http://h.org/b\n";
    ends(run(within(&files, &["d"]), b""), 0, plain);
    let hidden = "d/.folder/x:http://h.org/.folder/x\n\
        d/.hidden:http://h.org/.hidden\n";
    let all = [hidden, plain].concat();
    ends(run(within(&files, &["--hidden", "d"]), b""), 0, &all);
    ends(run(within(&files, &["d/.folder"]), b""), 0, &hidden[..hidden.find('\n').unwrap() + 1]);
    ends(run(within(&files, &["d/.hidden"]), b""), 0, "http://h.org/.hidden\n");
    let dotted = run(within(files.path().join("d"), &["-l", "."]), b"");
    ends(dotted, 0, "./B\n./a/y/x\n./a/z\n./a.txt\n./b\n");
}

#[test]
fn the_order_of_arguments_is_kept() {
    let files = folder(&[("a", "http://h.org/a"), ("b", "http://h.org/b")]);
    let twice = "b:http://h.org/b\na:http://h.org/a\nb:http://h.org/b\n";
    ends(run(within(&files, &["b", "a", "b"]), b""), 0, twice);
}

#[test]
fn a_file_called_like_an_option() {
    let files = folder(&[("-", "http://h.org/file"), ("-n", "http://h.org/n")]);
    ends(run(within(&files, &["./-"]), b"http://h.org/stdin"), 0, "http://h.org/file\n");
    ends(run(within(&files, &["-"]), b"http://h.org/stdin"), 0, "http://h.org/stdin\n");
    ends(run(within(&files, &["--", "-n"]), b""), 0, "http://h.org/n\n");
}

#[test]
fn without_a_path_standard_input_is_searched() {
    let files = folder(&[("a", "http://h.org/a")]);
    ends(run(within(&files, &[]), b"http://h.org/stdin"), 0, "http://h.org/stdin\n");
    let mut command = within(&files, &[]);
    command.stdin(File::open(files.path().join("a")).unwrap());
    let output = command.output().unwrap();
    assert_eq!(output.stdout, b"http://h.org/a\n");
}

#[test]
fn a_url_across_blocks() {
    let mut text = vec![b' '; 128 * 1024 - 6];
    text.extend_from_slice(b"<URL:ftp://h.org/\n  a>\n");
    let files = folder(&[]);
    fs::write(files.path().join("a"), text).unwrap();
    ends(run(within(&files, &["-nb", "a"]), b""), 0, "1:131066:ftp://h.org/a\n");
}

#[cfg(unix)]
#[test]
fn links_are_followed_if_they_are_named() {
    use std::os::unix::fs::symlink;

    let files = folder(&[("d/a", "http://h.org/a"), ("f", "http://h.org/f")]);
    let at = |name| files.path().join(name);
    symlink("../f", at("d/link")).unwrap();
    symlink("..", at("d/up")).unwrap();
    symlink("d", at("dir")).unwrap();
    ends(run(within(&files, &["d"]), b""), 0, "d/a:http://h.org/a\n");
    ends(run(within(&files, &["dir"]), b""), 0, "dir/a:http://h.org/a\n");
    ends(run(within(&files, &["d/link"]), b""), 0, "http://h.org/f\n");
}

/// `xargs` needs the names as they are.
#[cfg(target_os = "linux")]
#[test]
fn names_go_through_a_pipe_byte_for_byte() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let name = b"d/\xff\x1b[2J\xc2\x9b.txt";
    let files = folder(&[("d/e", "")]);
    let path = files.path().join(OsStr::from_bytes(name));
    fs::write(path, "http://h.org/a").unwrap();
    let output = |arg| within(&files, &[arg, "d"]).output().unwrap().stdout;
    assert_eq!(output("-l"), [name, &b"\n"[..]].concat());
    assert_eq!(output("-H"), [name, &b":http://h.org/a\n"[..]].concat());
    assert_eq!(output("-c"), [b"d/e:0\n", &name[..], b":1\ntotal:1\n"].concat());
}

/// `urlgrep . >urls` finds nothing in `urls`.
#[cfg(unix)]
#[test]
fn the_output_is_not_searched() {
    let files = folder(&[("a", "http://h.org/a"), ("z", "http://h.org/z")]);
    let urls = files.path().join("m");
    let mut command = within(&files, &["."]);
    let status = command.stdout(File::create(&urls).unwrap()).status();
    assert_eq!(status.unwrap().code(), Some(0));
    let printed = fs::read_to_string(&urls).unwrap();
    assert_eq!(printed, "./a:http://h.org/a\n./z:http://h.org/z\n");

    let append = || File::options().append(true).open(&urls).unwrap();
    let named = within(&files, &["m"]).stdout(append()).output().unwrap();
    let piped = within(&files, &["-"])
        .stdin(File::open(&urls).unwrap())
        .stdout(append())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    for (output, name) in [(named, "m"), (piped, "-")] {
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            format!("urlgrep: {name}: not searched, because the file is also the output\n")
        );
        assert_eq!(output.status.code(), Some(2));
    }
    assert_eq!(fs::read_to_string(&urls).unwrap(), printed);
}

#[test]
fn what_is_named_may_be_anywhere() {
    let files = folder(&[("a", "http://h.org/a")]);
    let path = files.path().join("a");
    let ran = run(urlgrep(&["-l".as_ref(), path.as_os_str()]), b"");
    ends(ran, 0, &format!("{}\n", path.display()));
}

//! `--normalize`, `--clean`, `--redact` and `--defang`.

use super::prints;

const PASSWORD: &[u8] = b"<URL:ftp://me:secret@h.org/foo-\nbar> http://h.org/";

#[test]
fn redact() {
    prints(&["--redact"], PASSWORD, "ftp://me:***@h.org/foo-bar\nhttp://h.org/\n");
    prints(
        &["--redact", "--alternatives", "-m1"],
        PASSWORD,
        "ftp://me:***@h.org/foo-bar\n  or ftp://me:***@h.org/foobar\n",
    );
    prints(
        &["--redact", "--format={url} {alternatives}", "-m1"],
        PASSWORD,
        "ftp://me:***@h.org/foo-bar ftp://me:***@h.org/foobar\n",
    );
    prints(&["--redact", "-uc"], PASSWORD, "1:ftp://me:***@h.org/foo-bar\n1:http://h.org/\n");
    for args in [&["--redact", "--json"][..], &["--redact", "--csv"], &["--redact", "--hyperlink=always"]] {
        let ran = super::run(super::urlgrep(args), PASSWORD);
        assert!(ran.stdout.contains("me:***@h.org") && !ran.stdout.contains("secret"), "{}", ran.stdout);
    }
}

/// A URL in a subject is redacted in the subject too.
#[test]
fn redact_applies_to_header_fields() {
    let mail = b"From: ftp://me:secret@h.org/\nSubject: see ftp://me:secret@h.org/a\n\nhttp://h.org/\n";
    for args in [&["--json"][..], &["--csv"], &["--format={message.subject} {message.from} {url}"]] {
        let args = [&["--redact"], args].concat();
        let ran = super::run(super::urlgrep(&args), mail);
        assert!(
            ran.stdout.contains("see ftp://me:***@h.org/a") && !ran.stdout.contains("secret"),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn clean() {
    let text = b"http://h.org/?a=b&utm_id=1 http://h.org/?a=b&fbclid=2#c HTTP://h.org/?gclid=3&a=b\n";
    prints(&["--clean"], text, "http://h.org/?a=b\nhttp://h.org/?a=b#c\nHTTP://h.org/?a=b\n");
    prints(&["--clean", "--normalize", "-uc"], text, "2:http://h.org/?a=b\n1:http://h.org/?a=b#c\n");
    let rows = "count,messages,first,last,url,path,line\n2,0,,,http://h.org/?a=b,'-,1\n1,0,,,http://h.org/?a=b#c,'-,1\n";
    prints(&["--clean", "--normalize", "--group=url", "--csv"], text, rows);
    prints(&["--columns=clean,query", "--csv", "-m1"], text, "clean,query\nhttp://h.org/?a=b,a=b&utm_id=1\n");
    prints(&["--columns=clean", "--csv", "--defang", "-m1"], text, "clean\nhxxp://h[.]org/?a=b\n");
    prints(&["--clean", "--columns=url,query", "--csv", "-m1"], text, "url,query\nhttp://h.org/?a=b,a=b\n");
}

#[test]
fn normalize() {
    let text = b"HTTP://H.org/%7Eme http://h.org/~me http://h.org/%2fa HTTP://h.org/%2Fa\n";
    let all = "http://h.org/~me\nhttp://h.org/~me\nhttp://h.org/%2Fa\nhttp://h.org/%2Fa\n";
    prints(&["--normalize"], text, all);
    prints(&["--normalize", "-nu"], text, "1:http://h.org/~me\n1:http://h.org/%2Fa\n");
    prints(&["--normalize", "-u", "-c"], text, "2:http://h.org/~me\n2:http://h.org/%2Fa\n");
    prints(&["--normalize", "--format={url} {pieces}", "-m1"], text, "http://h.org/~me 0-18\n");
}

/// All URLs of all formats, and nothing of them is a link.
#[test]
fn defang() {
    let (url, link) = ("hxxp://u:p[@]h[.]org/a", "hxxp://u:p[@]h[.]org/a\n");
    let text = b"http://u:p@h.org/a\n";
    for (args, printed) in [
        (&["--defang"][..], link),
        (&["--defang", "--hyperlink=always", "--color=never"], link),
        (&["--defang", "--redact"], "hxxp://u:***[@]h[.]org/a\n"),
        (&["--defang", "-uc"], "1:hxxp://u:p[@]h[.]org/a\n"),
        (
            &["--defang", "--csv", "--columns=url,href,defanged"],
            &format!("url,href,defanged\n{url},{url},{url}\n"),
        ),
        (
            &["--defang", "--json", "--columns=url,host,url_path"],
            "{\"url\":\"hxxp://u:p[@]h[.]org/a\",\"host\":\"h.org\",\"url_path\":\"/a\"}\n",
        ),
        (&["--format={defanged} {url}"], &format!("{url} http://u:p@h.org/a\n")),
        (&["--redact", "--json", "--columns=defanged"], "{\"defanged\":\"hxxp://u:***[@]h[.]org/a\"}\n"),
    ] {
        prints(args, text, printed);
    }
    prints(&["--refang"], link.as_bytes(), "http://u:p@h.org/a\n");
    prints(
        &["--defang", "--alternatives"],
        b"<URL:http://h.org/a-\nb>",
        "hxxp://h[.]org/a-b\n  or hxxp://h[.]org/ab\n",
    );
}

#[test]
fn alternatives() {
    let text = b"<URL:http://h.org/a-\nb> http://h.org/c\n";
    prints(&[], text, "http://h.org/a-b\nhttp://h.org/c\n");
    prints(&["-n", "--alternatives"], text, "1:http://h.org/a-b\n  or http://h.org/ab\n2:http://h.org/c\n");
}

/// In an attribute and in base64, offsets refer to the bytes of the file.
#[test]
fn nested() {
    let page = br#"<p><a href="https://i.org/?u=http%3A%2F%2Fh.org&amp;v=http://k.org/">a</a> https://web.archive.org/web/2020/http://h.org/b</p>
"#;
    let format = "--format={start}-{end} {column} {form} {element} {url}";
    prints(
        &["--nested", format],
        page,
        "12-67 13 attribute a@href https://i.org/?u=http%3A%2F%2Fh.org&v=http://k.org/\n\
         29-47 30 nested a@href http://h.org\n\
         54-67 55 nested a@href http://k.org/\n\
         75-122 76 bare  https://web.archive.org/web/2020/http://h.org/b\n\
         108-122 109 nested  http://h.org/b\n",
    );
    prints(&["--nested", "-uc", "--host=h.org"], page, "1:http://h.org\n1:http://h.org/b\n");
    prints(
        &["--nested", "--warnings=text_host"],
        b"<a href=\"http://i.org/?http://k.org/\">http://i.org/</a>",
        "",
    );
    // http://i.org/?http://h.org/
    let mail = b"From: a@h.org\nSubject: b\nContent-Transfer-Encoding: base64\n\naHR0cDovL2kub3JnLz9odHRwOi8vaC5vcmcv\n";
    prints(
        &["--nested", "-b", "--format={start}-{end} {url}"],
        mail,
        "60-96 http://i.org/?http://h.org/\n78-96 http://h.org/\n",
    );
}

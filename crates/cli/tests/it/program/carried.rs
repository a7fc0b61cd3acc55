//! Nothing is carried from one message, file or match to the next: values that are cached, bases of relative links, heads,
//! charsets and part numbers.
//!
//! Each message differs from another one in a single respect. The law: after any other message, a message prints what it
//! prints by itself.

use std::fs;

use super::{folder, run, within};

/// Messages without their separator.
const MESSAGES: [&str; 14] = [
    // The same link with and without a scheme, in both orders; with and without a head.
    "From: Ann <a@h.org>\nSubject: one\nMessage-ID: <1@h.org>\nTo: b@h.org\n\nhttp://www.h.org/ and www.h.org/\n",
    "Date: Sat, 3 Mar 2001 10:11:12 +0100\nSubject: one\n\nwww.h.org/ and http://www.h.org/\n",
    // A page with a base, one with another, and one without.
    "Subject: page\nContent-Type: text/html\n\n<base href=http://h.org/b/><a href=c rel=nofollow>text</a>\n",
    "Subject: page\nContent-Type: text/html\n\n<base href=http://h.org/d/><a href=c>text</a>\n",
    "Subject: page\nContent-Type: text/html\n\n<a href=c>text</a> <a href=http://h.org/d/c title=t></a>\n",
    // A URL of two readings, and each reading by itself.
    "Subject: hyphen\n\n<http://h.org/a-\nb>\n",
    "Subject: hyphen\n\n<http://h.org/a-b> http://h.org/ab\n",
    // The same encoded bytes with a charset, with another, and without.
    "MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nhttp://h.org/=C3=A9\n",
    "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nhttp://h.org/=C3=A9\n",
    "Subject: no charset\n\nhttp://h.org/=C3=A9\n",
    // Parts with file names, a header field and a quotation; and links with warnings.
    "List-Id: <l.h.org>\nX-Url: http://h.org/x\nIn-Reply-To: <1@h.org>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
     --b\n\n> http://h.org/\n>> http://h.org/\n--b\nContent-Type: text/html\nContent-Disposition: attachment; filename=f.html\n\n\
     <img src=http://h.org/ alt=picture>\n--b--\n",
    "Newsgroups: a.b\n\nhttp://h.org/ http://u:p@h.org:25/ hxxp://h[.]org/ http://h.org/?utm_source=a&b=c\n",
    "Subject: rewritten\n\nhttps://href.li/?http://h.org/ http://h.org/\n",
    // Not closed: the part and the tag end with the message.
    "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n<p><a href=http://h.org/>text\n",
];

/// All columns, except those that count lines, bytes and messages, and the path.
const COLUMNS: &str = "url,scheme,host,port,ascii,form,text,role,element,grade,reason.production,reason.offset,join,alternatives,warnings,\
    message.id,message.from,message.date,message.subject,message.newsgroups,message.to,message.cc,message.list_id,\
    message.in_reply_to,message.part,message.content_type,message.header,message.quote_depth,message.filename,hyphen,\
    unwrapped,href,defanged,clean,url_path,query,registered_domain,public_suffix,rel";

const CSV: [&str; 6] = ["--csv", "--columns", COLUMNS, "--schemeless=hosts,emails", "--refang", "--unwrap"];

/// A mailbox of these messages.
fn mailbox(messages: impl IntoIterator<Item = usize>) -> String {
    let separated = |n: usize| format!("From x@h.org Fri Mar  2 10:11:12 2001\n{}\n", MESSAGES[n]);
    messages.into_iter().map(separated).collect()
}

/// An order in which each message follows each other one, and itself.
fn pairs() -> impl Iterator<Item = usize> + Clone {
    (0..MESSAGES.len()).flat_map(|first| (0..MESSAGES.len()).flat_map(move |second| [first, second]))
}

/// Checks the law for these options, by file and, unless the output counts lines or bytes, by message.
#[track_caller]
fn check(args: &[&str], by_message: bool) {
    let names: Vec<String> = (0..MESSAGES.len()).map(|n| format!("{n}.mbox")).collect();
    let files = folder(&[("all", &mailbox(pairs()))]);
    for (n, name) in names.iter().enumerate() {
        fs::write(files.path().join(name), mailbox([n])).unwrap();
    }
    // Without the names of the columns.
    let skipped = usize::from(args.contains(&"--csv"));
    let print = |paths: &[&str]| {
        let ran = run(within(&files, &[args, paths].concat()), b"");
        ran.stdout.split_inclusive('\n').skip(skipped).collect::<String>()
    };
    let alone: Vec<String> = names.iter().map(|name| print(&[name])).collect();
    assert!(alone.iter().all(|out| !out.is_empty()), "{alone:#?}");
    let expected: Vec<&str> = pairs().map(|n| &*alone[n]).collect();
    let expected: Vec<&str> = expected.iter().flat_map(|out| out.lines()).collect();
    let of_files = print(&pairs().map(|n| &*names[n]).collect::<Vec<_>>());
    assert_eq!(of_files.lines().collect::<Vec<_>>(), expected, "files, {args:?}");
    if by_message {
        assert_eq!(print(&["all"]).lines().collect::<Vec<_>>(), expected, "messages, {args:?}");
    }
}

#[test]
fn by_columns() {
    check(&CSV, true);
    check(&["--csv", "--columns", COLUMNS, "--schemeless=hosts", "--hyphen=both", "-j2"], true);
}

#[test]
fn by_template() {
    check(
        &[
            "--format",
            "{url} {href} {grade} {message.subject} {message.id} {text} {warnings}",
            "--schemeless=hosts",
        ],
        true,
    );
    check(&["-I", "--clean"], true);
    check(&["-I", "--defang"], true);
    check(&["-I", "--redact"], true);
}

#[test]
fn by_json() {
    check(&["--json", "--schemeless=hosts", "--refang"], false);
    check(&["-nbH"], false);
}

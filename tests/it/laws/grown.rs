//! Files with structure, which grow from any bytes: MIME trees, HTML, and containers in
//! containers.
//!
//! A mutation of a compressed or encoded file breaks it in the outermost layer, so a fuzzer
//! seldom gets further. Here the bytes of an input are a program for a stack of files: most
//! push a text or put the last file into something. Any bytes are a program.

use super::contained::contained;

/// The greatest length of a file, in bytes.
const MOST: usize = 1 << 20;

/// The greatest number of files on the stack.
const FILES: usize = 64;

/// Texts that rules depend on.
const WORDS: [&str; 32] = [
    "http://h.org/a",
    "<URL:http://h.org/\nb>",
    "<http://h.org/\n> c>",
    "\"ftp://h.org/d-\ne\"",
    "mailto:a@h.org",
    "http://h.org/?a=1&amp;b=2",
    "<a href=\"http://h.org/f\">",
    "</a>",
    "<a href='\thttp://h.org/g\n'>http://h.org/g",
    "<base href=http://h.org/h/>",
    "<img srcset='i 1x, http://h.org/j 2x' style='a: url(k:l)'>",
    "<iframe srcdoc='<a href=http://h.org/m>'>",
    "<!-- http://h.org/n -->",
    "<style>@import 'http://h.org/o';</style>",
    "<p>",
    "&lt;URL:http://h.org/p&gt;",
    "\n",
    "\r\n",
    "\n\n",
    " ",
    "> ",
    "--b\n",
    "\n--b--\n",
    "From a@h.org Fri Mar  2 10:11:12 2001\n",
    "=\n",
    "=3D",
    "=?utf-8?q?http://h.org/=71?=",
    "\u{e9}\u{65e5}",
    "\u{1b}$B$\"\u{1b}(B",
    "begin 644 a\n%:'1T<#HO\n`\nend\n",
    "{\\rtf1 {\\field{\\*\\fldinst HYPERLINK \"http://h.org/r\"}}}",
    "BEGIN:VCALENDAR\nURL:http://h.org/\n s\nEND:VCALENDAR\n",
];

/// The media types of a body.
const TYPES: [&str; 8] = [
    "text/plain",
    "text/html",
    "text/plain; format=flowed",
    "text/plain; charset=utf-7",
    "text/html; charset=iso-2022-jp",
    "text/calendar",
    "application/octet-stream; name=a",
    "message/rfc822",
];

/// The file that grows from these bytes.
pub fn grown(mut program: &[u8]) -> Vec<u8> {
    let mut files = vec![Vec::new()];
    while let Some((&step, rest)) = program.split_first() {
        program = grow(&mut files, step, rest);
    }
    files.into_iter().fold(Vec::new(), joined)
}

/// One step; returns the rest of the program.
fn grow<'p>(files: &mut Vec<Vec<u8>>, step: u8, rest: &'p [u8]) -> &'p [u8] {
    let kind = usize::from(step & 31);
    match step >> 5 {
        // A text after the last file, or one from the program.
        0 | 1 => extend(files, WORDS[kind].as_bytes()),
        2 => {
            let (text, rest) = rest.split_at(kind.min(rest.len()));
            extend(files, text);
            return rest;
        }
        3 if files.len() < FILES => files.push(Vec::new()),
        // The last two files become one.
        3 | 4 => {
            let (last, before) = (files.pop().unwrap_or_default(), files.pop().unwrap_or_default());
            files.push(if step & 1 > 0 { parts(&before, &last) } else { joined(before, last) });
        }
        5 => put(files, |file| message(kind, file)),
        6 => put(files, |file| contained(1 + kind as u8 % 6, file).unwrap_or_default()),
        _ => damage(files, kind, rest),
    }
    rest
}

fn extend(files: &mut [Vec<u8>], text: &[u8]) {
    if let Some(last) = files.last_mut().filter(|last| last.len() + text.len() <= MOST) {
        last.extend_from_slice(text);
    }
}

/// Puts the last file into something, if that is not too long.
fn put(files: &mut [Vec<u8>], into: impl FnOnce(&[u8]) -> Vec<u8>) {
    if let Some(last) = files.last_mut().filter(|last| last.len() <= MOST / 4) {
        *last = into(last);
    }
}

fn joined(before: Vec<u8>, after: Vec<u8>) -> Vec<u8> {
    if before.len() + after.len() > MOST { before } else { [before, after].concat() }
}

/// A message of two parts.
fn parts(first: &[u8], second: &[u8]) -> Vec<u8> {
    let head = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n";
    [head.as_bytes(), first, b"\n--b\n", second, b"\n--b--\n"].concat()
}

/// A message, or the head of a part, with this body.
fn message(kind: usize, body: &[u8]) -> Vec<u8> {
    let fields = ["", "From: a@h.org\nSubject: =?utf-8?q?http=3A//h.org/?=\n t\n"][kind >> 3 & 1];
    let (encoding, body) = match kind >> 3 {
        0 | 1 => ("8bit", body.to_vec()),
        2 => ("quoted-printable", quoted_printable(body)),
        _ => ("base64", base64(body)),
    };
    let head =
        format!("{fields}Content-Type: {}\nContent-Transfer-Encoding: {encoding}\n\n", TYPES[kind & 7]);
    [head.as_bytes(), &body].concat()
}

fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    for (n, &b) in body.iter().enumerate() {
        match b {
            b'\n' => text.push(b),
            b' '..=b'~' if b != b'=' => text.push(b),
            _ => text.extend(format!("={b:02X}").bytes()),
        }
        text.extend(if n % 40 == 39 { &b"=\n"[..] } else { b"" });
    }
    text
}

fn base64(body: &[u8]) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::new();
    for (n, three) in body.chunks(3).enumerate() {
        let bits = three.iter().fold(0, |bits, &b| bits << 8 | usize::from(b)) << (8 * (3 - three.len()));
        let digit = |at: usize| if at > three.len() { b'=' } else { alphabet[bits >> (18 - 6 * at) & 63] };
        text.extend((0..4).map(digit));
        text.extend(if n % 19 == 18 { &b"\n"[..] } else { b"" });
    }
    text
}

/// Cuts the last file, or changes a byte of it.
fn damage(files: &mut [Vec<u8>], kind: usize, rest: &[u8]) {
    let Some(last) = files.last_mut().filter(|last| !last.is_empty()) else { return };
    let at = rest.iter().take(3).fold(kind, |at, &b| at << 8 | usize::from(b)) % last.len();
    match kind & 1 {
        0 => last.truncate(at),
        _ => last[at] = last[at].wrapping_add(1 + kind as u8),
    }
}

//! *messages*: an mbox of mail as it is today, with MIME.
//!
//! It resembles archives of lists in what costs time: heads with traces of mail servers, one part
//! or alternatives, quoted-printable and base64, HTML with many tags and links, and encoded words.
//! `cargo bench -p urlgrep-benches --bench ratios` prints its profile, and with a folder in `URLGREP_BENCH_MAIL` that of
//! the messages in it. The shares here are those of 66,848 messages of open archives, which have
//! 2,977 bytes on average, 983 of them in the head.

use super::Corpus;
use super::random::Random;
use super::urls;

/// An mbox of about `size` bytes.
pub fn messages(size: usize) -> Corpus {
    let mut mbox = Messages {
        text: String::with_capacity(size + 65_536),
        urls: 0,
        number: 0,
        random: Random::new(2045),
    };
    while mbox.text.len() < size {
        mbox.message();
    }
    Corpus::new("messages", mbox.text, mbox.urls)
}

struct Messages {
    text: String,
    urls: usize,
    number: usize,
    random: Random,
}

/// How a body is encoded.
#[derive(Clone, Copy)]
enum Encoding {
    None,
    QuotedPrintable,
    Base64,
}

impl Messages {
    fn message(&mut self) {
        self.number += 1;
        let boundary = format!("=_b{:08}", self.number);
        match self.random.below(1000) {
            0..945 => {
                self.head("");
                let body = self.plain();
                self.body("\n", &body, Encoding::None);
            }
            945..953 => {
                self.head("Content-Type: text/plain; charset=\"utf-8\"\n");
                let body = self.plain();
                self.body("", &body, Encoding::QuotedPrintable);
            }
            953..962 => {
                self.head("Content-Type: text/plain; charset=utf-8\n");
                let body = self.plain();
                self.body("", &body, Encoding::Base64);
            }
            962..976 => {
                self.head("MIME-Version: 1.0\nContent-Type: text/html; charset=us-ascii\n");
                let body = self.html();
                self.body("", &body, Encoding::None);
            }
            _ => {
                self.head(&format!("Content-Type: multipart/alternative;\n\tboundary=\"{boundary}\"\n"));
                self.text.push_str("\nThis is a multi-part message in MIME format.\n\n");
                let (plain, html) = (self.plain(), self.html());
                let type_of = |kind| format!("Content-Type: text/{kind}; charset=\"iso-8859-1\"\n");
                self.text.push_str(&format!("--{boundary}\n{}", type_of("plain")));
                self.body("", &plain, Encoding::QuotedPrintable);
                self.text.push_str(&format!("\n--{boundary}\n{}", type_of("html")));
                self.body("", &html, Encoding::QuotedPrintable);
                self.text.push_str(&format!("\n--{boundary}--\n"));
            }
        }
        self.text.push('\n');
    }

    fn head(&mut self, fields: &str) {
        let random = &mut self.random;
        let (name, host, other) = (random.name(), urls::host(random), urls::host(random));
        let (n, hour, minute) = (self.number, random.below(24), random.below(60));
        let date = format!("Fri, {} Mar 2001 {hour:02}:{minute:02}:{:02} +0100", 1 + n % 28, n % 60);
        self.text.push_str(&format!("From {name}@{host} Fri Mar  2 10:11:12 2001\n"));
        self.text.push_str(&format!("Return-Path: <{name}-bounces@{other}>\n"));
        for hop in 0..random.between(1, 3) {
            self.text.push_str(&format!(
                "Received: from mx{hop}.{host} (mx{hop}.{host} [10.{hop}.0.{}])\n\tby list.{other} (8.11.6/8.11.6) \
                 with ESMTP id g{n:07}\n\tfor <list@{other}>; {date}\n",
                n % 250
            ));
        }
        let words: Vec<_> = (0..random.between(3, 8)).map(|_| random.word()).collect();
        let subject = match random.once_in(12) {
            true => format!("=?iso-8859-1?Q?{}=E9?=", words.join("_")),
            false => words.join(" "),
        };
        self.text.push_str(&format!(
            "Message-Id: <{n}.{hour}@{host}>\nDate: {date}\nFrom: \"{name} {name}\" <{name}@{host}>\n\
             To: list@{other}\nSubject: {subject}\n\
             In-Reply-To: <{}.1@{other}>\nReferences: <{}.1@{other}>\n\t<{}.2@{other}>\n\
             X-BeenThere: list@{other}\nPrecedence: bulk\n",
            n - 1,
            n - 1,
            n / 2
        ));
        if self.random.once_in(6) {
            self.urls += 3;
            self.text.push_str(&format!(
                "List-Help: <mailto:list-request@{other}?subject=help>\nList-Post: <mailto:list@{other}>\n\
                 List-Archive: <http://{other}/pipermail/list/>\n"
            ));
        }
        self.text.push_str(fields);
    }

    /// Appends a body with the rest of its head.
    fn body(&mut self, rest: &str, body: &str, encoding: Encoding) {
        let name = match encoding {
            Encoding::None => return self.text.extend([rest, if rest.is_empty() { "\n" } else { "" }, body]),
            Encoding::QuotedPrintable => "quoted-printable",
            Encoding::Base64 => "base64",
        };
        self.text.push_str(&format!("Content-Transfer-Encoding: {name}\n\n"));
        match encoding {
            Encoding::Base64 => base64(&mut self.text, body.as_bytes()),
            _ => quoted_printable(&mut self.text, body),
        }
    }

    /// A body of plain text.
    fn plain(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.random.between(8, 48) {
            let start = text.len();
            if self.random.once_in(5) {
                text.push_str("> ");
            }
            while text.len() - start < 64 {
                text.push_str(self.random.word());
                text.push(' ');
            }
            text.pop();
            text.push('\n');
            match self.random.below(24) {
                0 => self.link(&mut text),
                1..4 => text.push('\n'),
                _ => {}
            }
        }
        text
    }

    fn link(&mut self, text: &mut String) {
        self.urls += 1;
        let url = urls::hierarchical(&mut self.random);
        text.push_str(&url);
        text.push('\n');
    }

    /// A page as newsletters are: tables, fonts and links.
    fn html(&mut self) -> String {
        let mut text = String::from(
            "<html>\n<head>\n<title>News</title>\n</head>\n<body bgcolor=\"#ffffff\">\n<table width=\"600\" border=\"0\" cellpadding=\"0\">\n",
        );
        for _ in 0..self.random.between(6, 40) {
            text.push_str(
                "<tr><td align=\"left\" valign=\"top\"><font face=\"Arial, Helvetica\" size=\"2\">",
            );
            for _ in 0..self.random.between(4, 24) {
                text.push_str(self.random.word());
                text.push(' ');
            }
            if self.random.once_in(3) {
                self.urls += 1;
                let url = urls::hierarchical(&mut self.random);
                let word = self.random.word();
                text.push_str(&format!("<a href=\"{url}\" target=\"_blank\"><b>{word}</b></a>&nbsp;"));
            }
            text.push_str("</font></td></tr>\n");
        }
        text.push_str("</table>\n</body>\n</html>\n");
        text
    }
}

/// Appends text in quoted-printable, in lines of at most 76 characters.
fn quoted_printable(out: &mut String, text: &str) {
    let mut column = 0;
    for char in text.chars() {
        if char == '\n' {
            column = 0;
            out.push(char);
            continue;
        }
        if column >= 72 {
            column = 0;
            out.push_str("=\n");
        }
        match char {
            '=' => out.push_str("=3D"),
            char => out.push(char),
        }
        column += if char == '=' { 3 } else { 1 };
    }
}

/// Appends bytes in base64, in lines of 76 characters.
fn base64(out: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for line in bytes.chunks(57) {
        for three in line.chunks(3) {
            let bits = three.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
            let bits = bits << (8 * (3 - three.len()));
            for n in 0..4 {
                let digit = char::from(DIGITS[(bits >> (18 - 6 * n) & 63) as usize]);
                out.push(if n <= three.len() { digit } else { '=' });
            }
        }
        out.push('\n');
    }
}

//! *mail*: an mbox of mailing lists, as they were in the 1990s.
//!
//! A message has a block of header fields, which is where most colons are, a few
//! paragraphs wrapped at column 72, some of them quoted, and a signature. About
//! every five kilobytes there is a link in one of the forms that people use.

use super::Corpus;
use super::random::Random;
use super::urls;

/// The column at which lines are wrapped.
const WIDTH: usize = 72;

const DAYS: &[&str] = &["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: &[&str] = &["Jan", "Mar", "Apr", "Jul", "Sep", "Oct", "Nov", "Dec"];
const LEADERS: &[&str] = &["", "", "", "", "> ", "> ", "> ", ">> ", "> > ", "| ", "KW> "];

/// An mbox of about `size` bytes.
pub fn mail(size: usize) -> Corpus {
    let mut mbox = Mbox {
        text: String::with_capacity(size + 8192),
        urls: 0,
        next_link: 2000,
        column: 0,
        random: Random::new(822),
    };
    while mbox.text.len() < size {
        mbox.message();
    }
    Corpus::new("mail", mbox.text, mbox.urls)
}

struct Mbox {
    text: String,
    urls: usize,
    /// Where the next link is due.
    next_link: usize,
    /// How long the line is that is being filled.
    column: usize,
    random: Random,
}

impl Mbox {
    fn message(&mut self) {
        self.head();
        for _ in 0..self.random.between(3, 8) {
            let leader = self.random.pick(LEADERS);
            if !leader.is_empty() {
                let name = self.random.name();
                self.text.push_str(&format!("{name} wrote:\n"));
            }
            self.paragraph(leader);
        }
        self.signature();
    }

    fn head(&mut self) {
        let random = &mut self.random;
        let (name, list, host) = (random.name(), random.name(), urls::host(random));
        let (day, month) = (random.pick(DAYS), random.pick(MONTHS));
        let date = random.between(1, 29);
        let time = time(random);
        let (id, subject) = (random.below(999_999), subject(random));
        self.text.push_str(&format!(
            "From {name}@{host} {day} {month} {date:2} {time} 1994\n\
             Received: from relay.{host} by lists.example.org (5.65c/IDA-1.4.4)\n\
             \tid AA{id:06}; {day}, {date} {month} 1994 {time} -0500\n\
             Date: {day}, {date} {month} 94 {time} GMT\n\
             From: {name}@{host} ({name} {list})\n\
             To: {list}-users@lists.example.org\n\
             Subject: {subject}\n\
             Message-Id: <9411{id:06}.AA{date:02}@{host}>\n"
        ));
        if random.once_in(2) {
            let parent = random.below(999_999);
            self.text.push_str(&format!("In-Reply-To: <9410{parent:06}.AA07@lists.example.org>\n"));
        }
        self.text.push_str("Status: RO\n\n");
    }

    fn paragraph(&mut self, leader: &str) {
        self.start_line(leader);
        for _ in 0..self.random.between(40, 110) {
            if self.text.len() >= self.next_link {
                self.next_link = self.text.len() + self.random.between(2500, 6500);
                self.link(leader);
            }
            let word = self.random.word();
            let mark = match self.random.below(60) {
                0..4 => ".",
                4..8 => ",",
                _ => "",
            };
            self.word(leader, &[word, mark]);
        }
        self.text.pop();
        self.text.push_str(".\n");
        self.text.push_str(leader.trim_end());
        self.text.push('\n');
    }

    /// A link, as prose has it.
    fn link(&mut self, leader: &str) {
        self.urls += 1;
        if self.random.once_in(9) {
            let url = urls::opaque(&mut self.random);
            return self.word(leader, &["<", &url, ">"]);
        }
        let url = urls::hierarchical(&mut self.random);
        match self.random.below(12) {
            0 => self.word(leader, &["<URL:", &url, ">."]),
            1 => self.broken(leader, "<URL:", &url),
            2 => self.broken(leader, "<", &url),
            3 => self.word(leader, &["<", &url, ">,"]),
            4 => self.word(leader, &["(", &url, ")"]),
            5 => self.word(leader, &["\"", &url, "\","]),
            6 => self.word(leader, &["URL:", &url]),
            7 => self.word(leader, &[&url, "."]),
            _ => self.word(leader, &[&url]),
        }
    }

    /// A link in brackets that a line end cuts after a slash of its path.
    fn broken(&mut self, leader: &str, open: &str, url: &str) {
        let cut = url.rfind('/').map_or(url.len(), |slash| slash + 1);
        self.word(leader, &[open, &url[..cut]]);
        self.text.push('\n');
        self.start_line(leader);
        self.word(leader, &[&url[cut..], ">"]);
    }

    /// A word, of several parts, on this line if there is room.
    fn word(&mut self, leader: &str, parts: &[&str]) {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        if self.column + len > WIDTH && self.column > leader.len() {
            self.text.pop();
            self.text.push('\n');
            self.start_line(leader);
        }
        for part in parts {
            self.text.push_str(part);
        }
        self.text.push(' ');
        self.column += len + 1;
    }

    fn start_line(&mut self, leader: &str) {
        self.text.push_str(leader);
        self.column = leader.len();
    }

    fn signature(&mut self) {
        let random = &mut self.random;
        let (name, host) = (random.name(), urls::host(random));
        let (phone, motto) = (random.below(9999), subject(random));
        self.text.push_str(&format!("-- \n{name}@{host}    Tel: +1 555 {phone:04}\n   \"{motto}\"\n\n"));
    }
}

fn time(random: &mut Random) -> String {
    format!("{:02}:{:02}:{:02}", random.below(24), random.below(60), random.below(60))
}

fn subject(random: &mut Random) -> String {
    let words: Vec<_> = (0..random.between(2, 6)).map(|_| random.word()).collect();
    let re = if random.once_in(2) { "Re: " } else { "" };
    format!("{re}{}", words.join(" "))
}

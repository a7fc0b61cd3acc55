//! *log* and *dense*: texts that have a URL in nearly every line.

use super::Corpus;
use super::random::Random;
use super::urls;

const AGENTS: &[&str] =
    &["Mozilla/2.0 (X11; I; Unix)", "Mozilla/4.0 (compatible; Windows 98)", "Lynx/2.8 libwww-FM/2.14"];

/// The access log of a web server, with the pages that led there.
pub fn log(size: usize) -> Corpus {
    let mut random = Random::new(200);
    let mut text = String::with_capacity(size + 1024);
    let mut urls = 0;
    while text.len() < size {
        let random = &mut random;
        let client = format!("192.0.2.{}", random.below(256));
        let time = format!(
            "[{:02}/Nov/1996:{:02}:{:02}:{:02} +0000]",
            random.between(1, 31),
            random.below(24),
            random.below(60),
            random.below(60)
        );
        let request = format!("GET /{}/{}.html HTTP/1.0", random.name(), random.name());
        let bytes = random.below(99_999);
        let (referrer, one) = referrer(random);
        let (agent, two) = agent(random);
        urls += one + two;
        text.push_str(&format!("{client} - - {time} \"{request}\" 200 {bytes} \"{referrer}\" \"{agent}\"\n"));
    }
    Corpus::new("log", text, urls)
}

/// A referrer and the number of URLs in it.
fn referrer(random: &mut Random) -> (String, usize) {
    if random.once_in(4) { ("-".to_owned(), 0) } else { (urls::hierarchical(random), 1) }
}

/// A program and the number of URLs in its name: robots say where they live.
fn agent(random: &mut Random) -> (String, usize) {
    if random.once_in(6) {
        let home = urls::hierarchical(random);
        (format!("{}/1.0 (+{home})", random.name()), 1)
    } else {
        (random.pick(AGENTS).to_owned(), 0)
    }
}

/// A list of URLs, one a line.
pub fn dense(size: usize) -> Corpus {
    let mut random = Random::new(80);
    let mut text = String::with_capacity(size + 1024);
    let mut urls = 0;
    while text.len() < size {
        text.push_str(&urls::hierarchical(&mut random));
        text.push('\n');
        urls += 1;
    }
    Corpus::new("dense", text, urls)
}

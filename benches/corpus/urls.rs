//! URLs of the kinds that people send each other.

use super::random::Random;

const HOSTS: &[&str] = &[
    "h.org",
    "www.example.org",
    "www.example.com",
    "ftp.example.net",
    "archive.lists.example.org",
    "info.physics.example.edu",
    "mirror.example.co.uk",
    "news.example.de",
];
const ENDINGS: &[&str] = &["", "/", ".html", ".txt", ".tar.gz", ".ps", ".html#top"];
const SCHEMES: &[&str] = &["http", "http", "http", "http", "http", "http", "https", "https", "ftp", "ftp"];

/// URLs for a bench of the grammar.
pub struct List {
    pub urls: Vec<String>,
    /// How many of them have nothing in them that RFC 1738 forbids.
    pub strict: usize,
}

/// As many as `count` URLs of all kinds.
pub fn list(count: usize) -> List {
    let mut random = Random::new(1738);
    let mut strict = 0;
    let urls = (0..count).map(|_| match random.below(12) {
        0 => {
            // The tilde is what RFC 1738 forbids and everyone writes.
            format!("http://{}/~{}/", random.pick(HOSTS), random.name())
        }
        kind => {
            strict += 1;
            match kind {
                1 => opaque(&mut random),
                2 => rare(&mut random),
                _ => hierarchical(&mut random),
            }
        }
    });
    let urls = urls.collect();
    List { urls, strict }
}

/// `scheme://host/a/path`, now and then with a port or a query.
pub fn hierarchical(random: &mut Random) -> String {
    let scheme = random.pick(SCHEMES);
    let mut url = format!("{scheme}://{}", random.pick(HOSTS));
    if random.once_in(15) {
        url.push_str(":8080");
    }
    for _ in 0..random.between(1, 4) {
        url.push('/');
        url.push_str(&random.name());
    }
    if scheme != "ftp" && random.once_in(8) {
        url.push_str(&format!("?{}={}&n={}", random.name(), random.name(), random.below(999)));
    } else {
        url.push_str(random.pick(ENDINGS));
    }
    url
}

/// `mailto:` and `news:`, which have no slashes.
pub fn opaque(random: &mut Random) -> String {
    let name = random.name();
    match random.below(3) {
        0 => format!("news:comp.{name}.{}", random.name()),
        1 => format!("news:1994Nov{}.{}@{}", random.below(31), name, random.pick(HOSTS)),
        _ => format!("mailto:{name}@{}", random.pick(HOSTS)),
    }
}

/// The schemes of RFC 1738 that went out of use.
fn rare(random: &mut Random) -> String {
    let (host, name) = (random.pick(HOSTS), random.name());
    match random.below(5) {
        0 => format!("gopher://{host}:70/11/{name}"),
        1 => format!("telnet://{name}@{host}/"),
        2 => format!("wais://{host}:210/{name}?{}", random.word()),
        3 => format!("nntp://{host}/comp.{name}/{}", random.below(9999)),
        _ => format!("prospero://{host}:1525//{name}/{};version=1", random.name()),
    }
}

pub fn host(random: &mut Random) -> &'static str {
    random.pick(HOSTS)
}

//! The BNF of the draft of 1994, production by production.
//!
//! A pattern here is the right-hand side of the production of the same name, in the
//! order of the page read from its end. The page repeats by recursion, which is
//! written out: `xalphas = xalpha [ xalphas ]` is `xalpha+`. `many` and `some` are the
//! repetitions `*` and `1*`: unbounded where the patterns judge, short where they
//! generate. The one thing that is not on the page is the letter case of schemes.

const ALPHA: &str = "[a-zA-Z]";
const DIGIT: &str = "[0-9]";
const HEX: &str = "[0-9a-fA-F]";
const SAFE: &str = r"[$\-_@.&]";
const EXTRA: &str = r#"[!*"'():;, ]"#;
const ALPHANUM: &str = "[a-zA-Z0-9]";

/// Each alternative of `url`, with its name; and `afsaddress`, which is none, last.
pub fn patterns(many: &str, some: &str) -> Vec<(&'static str, String)> {
    let Common { xalpha, xalphas, ialpha, hostname, host, hostport, login } = Common::new(many, some);
    let digits = format!("{DIGIT}{some}");
    let alphanums = format!("{ALPHANUM}{some}");
    let xpalpha = format!(r"(?:{xalpha}|\+)");
    let xpalphas = format!("{xpalpha}{some}");
    let gtype = &xalpha;
    let (wtype, database) = (&xalphas, &xalphas);
    let search = format!(r"{xalphas}(?:\+{xalphas}){many}");
    // `path = void | xpalphas [ "/" path ]`: each slash is after a name.
    let path = format!("(?:{xpalphas}/){many}(?:{xpalphas})?");
    let selector = &path;

    // Written out, since the long s is a small s to a regex.
    let any_case =
        |name: &str| -> String { name.chars().map(|c| format!("[{c}{}]", c.to_ascii_uppercase())).collect() };
    let [gopher, telnet, prospero, wais] = ["gopher", "telnet", "prospero", "wais"].map(any_case);
    let [news, afs, ftp, http] = ["news", "afs", "ftp", "http"].map(any_case);

    let gopheraddress = format!(r"{gopher}://{hostport}(?:/{gtype}(?:{selector})?)?(?:\?{search})?");
    let telnetaddress = format!("{telnet}://{login}");
    let attribute = &alphanums;
    let attributes = format!("(?:{attribute}){some}");
    let (version, hsoname) = (&digits, &path);
    let prosperolink = format!("{prospero}://{hostport}/{hsoname}(?:%00{version}(?:{attributes})?)?");
    let article = format!("{xalphas}@{host}");
    let group = format!(r"{ialpha}(?:\.{ialpha}){many}");
    let groupart = format!(r"(?:\*|{group}|{article})");
    let waisdoc = format!("{wais}://{hostport}/{database}/{wtype}/{digits}/{path}");
    let waisindex = format!(r"{wais}://{hostport}/{database}(?:\?{search})?");
    let newsaddress = format!("{news}:{groupart}");
    let cellname = &hostname;
    let afsaddress = format!("{afs}://{cellname}/{path}");
    let ftpaddress = format!("{ftp}://{login}/{path}");
    let httpaddress = format!(r"{http}://{hostport}(?:/{path})?(?:\?{search})?");
    let scheme = &ialpha;
    let generic = format!(r"{scheme}:{path}(?:\?{search})?");
    vec![
        ("generic", generic),
        ("httpaddress", httpaddress),
        ("ftpaddress", ftpaddress),
        ("newsaddress", newsaddress),
        ("prosperoaddress", prosperolink),
        ("telnetaddress", telnetaddress),
        ("gopheraddress", gopheraddress),
        ("waisaddress", format!("(?:{waisindex}|{waisdoc})")),
        ("afsaddress", afsaddress),
    ]
}

/// What several productions share.
struct Common {
    xalpha: String,
    xalphas: String,
    ialpha: String,
    hostname: String,
    host: String,
    hostport: String,
    login: String,
}

impl Common {
    fn new(many: &str, some: &str) -> Common {
        let digits = format!("{DIGIT}{some}");
        let escape = format!("%{HEX}{HEX}");
        let xalpha = format!("(?:{ALPHA}|{DIGIT}|{SAFE}|{EXTRA}|{escape})");
        let xalphas = format!("{xalpha}{some}");
        let ialpha = format!("{ALPHA}(?:{xalphas})?");
        let hostnumber = format!(r"{digits}\.{digits}\.{digits}\.{digits}");
        let hostname = format!(r"{ialpha}(?:\.{ialpha}){many}");
        let host = format!("(?:{hostname}|{hostnumber})");
        let port = &digits;
        let hostport = format!("{host}(?::{port})?");
        let (user, password) = (&xalphas, &xalphas);
        let login = format!("(?:{user}(?::{password})?@)?{hostport}");
        Common { xalpha, xalphas, ialpha, hostname, host, hostport, login }
    }
}

/// `fragmentaddress`, given `uri`: `fragmentid` is `xalphas`.
pub fn fragmentaddress(uri: &str, some: &str) -> String {
    let xalphas = Common::new("*", some).xalphas;
    format!("(?:{uri})(?:#{xalphas})?")
}

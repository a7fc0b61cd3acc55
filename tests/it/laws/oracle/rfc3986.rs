//! The productions of RFC 3986, Appendix A, that a URI needs.

const HEXDIG: &str = "[0-9A-Fa-f]";
const UNRESERVED: &str = "[A-Za-z0-9._~-]";
const SUB_DELIMS: &str = "[!$&'()*+,;=]";

/// `URI`, with `many` and `some` for the repetitions `*` and `1*`.
pub fn pattern(many: &str, some: &str) -> String {
    let pct_encoded = format!("%{HEXDIG}{HEXDIG}");
    let shared = format!("{UNRESERVED}|{pct_encoded}|{SUB_DELIMS}");
    let pchar = format!("(?:{shared}|[:@])");
    let scheme = format!("[A-Za-z][A-Za-z0-9+.-]{many}");
    let segment = format!("{pchar}{many}");
    let segment_nz = format!("{pchar}{some}");
    let path_abempty = format!("(?:/{segment}){many}");
    let path_absolute = format!("/(?:{segment_nz}(?:/{segment}){many})?");
    let path_rootless = format!("{segment_nz}(?:/{segment}){many}");
    let path_empty = "";
    let authority = authority(&shared, many, some);
    let hier_part = format!("(?://{authority}{path_abempty}|{path_absolute}|{path_rootless}|{path_empty})");
    let query = format!("(?:{pchar}|[/?]){many}");
    let fragment = &query;
    format!(r"{scheme}:{hier_part}(?:\?{query})?(?:\#{fragment})?")
}

fn authority(shared: &str, many: &str, some: &str) -> String {
    let userinfo = format!("(?:{shared}|:){many}");
    let ipvfuture = format!(r"[vV]{HEXDIG}{some}\.(?:{UNRESERVED}|{SUB_DELIMS}|:){some}");
    let ip_literal = format!(r"\[(?:{}|{ipvfuture})\]", ipv6address());
    let reg_name = format!("(?:{shared}){many}");
    let host = format!("(?:{ip_literal}|{}|{reg_name})", ipv4address());
    let port = format!("[0-9]{many}");
    format!("(?:{userinfo}@)?{host}(?::{port})?")
}

fn ipv4address() -> String {
    let dec_octet = "(?:[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
    format!(r"{dec_octet}\.{dec_octet}\.{dec_octet}\.{dec_octet}")
}

fn ipv6address() -> String {
    let h16 = format!("{HEXDIG}{{1,4}}");
    let ls32 = format!("(?:{h16}:{h16}|{})", ipv4address());
    let groups = |n: usize| format!("(?:{h16}:){{{n}}}");
    let before = |n: usize| format!("(?:(?:{h16}:){{0,{n}}}{h16})?");
    let alternatives = [
        format!("{}{ls32}", groups(6)),
        format!("::{}{ls32}", groups(5)),
        format!("{}::{}{ls32}", before(0), groups(4)),
        format!("{}::{}{ls32}", before(1), groups(3)),
        format!("{}::{}{ls32}", before(2), groups(2)),
        format!("{}::{h16}:{ls32}", before(3)),
        format!("{}::{ls32}", before(4)),
        format!("{}::{h16}", before(5)),
        format!("{}::", before(6)),
    ];
    format!("(?:{})", alternatives.join("|"))
}

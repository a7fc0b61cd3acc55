#[cfg(unix)]
use std::time::Duration;

use proptest::prelude::*;

use super::*;

fn text(source: &str) -> String {
    String::from_utf8(read(source.as_bytes(), false).text.bytes).unwrap()
}

#[track_caller]
fn check(source: &str, seen: &str) {
    assert_eq!(text(source), seen, "{source}");
}

/// Each link, what it is about, and the source that encodes it.
fn links(source: &str) -> Vec<(String, String, String)> {
    let html = read(source.as_bytes(), false);
    let link = |link: Hyperlink<'_>| {
        let content = &html.text.bytes[link.content()];
        let (map, range) = link.map(0..link.url().len());
        let encoded: Vec<&str> = map.sources(range).into_iter().map(|range| &source[range]).collect();
        (utf8(link.url()), utf8(content), encoded.join("|"))
    };
    html.links.iter().map(link).collect()
}

fn utf8(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn urls(source: &str) -> Vec<String> {
    links(source).into_iter().map(|(url, ..)| url).collect()
}

#[test]
fn a_wrapper_around_an_anchor() {
    let source = "at &lt;URL:<A HREF=\"http://h.org/?a&amp;b\">http://h.org/?a&amp;b</A>&gt;.";
    check(source, "at <URL:http://h.org/?a&b>.");
    assert_eq!(
        links(source),
        [("http://h.org/?a&b".into(), "http://h.org/?a&b".into(), "http://h.org/?a&amp;b".into())]
    );
}

#[test]
fn every_byte_has_its_source() {
    let source = b"a&amp;b<br>c<b>d</b>";
    let text = read(source, false).text;
    assert_eq!(text.bytes, b"a&b\ncd");
    let encoding =
        |range| -> Vec<&[u8]> { text.map.sources(range).into_iter().map(|range| &source[range]).collect() };
    assert_eq!(encoding(0..1), [b"a"]);
    assert_eq!(encoding(1..2), [b"&amp;"]);
    assert!(encoding(3..4).is_empty());
    assert_eq!(encoding(0..6), [&b"a&amp;b"[..], b"c", b"d"]);
}

#[test]
fn links_stand_where_their_elements_do() {
    let html = read(b"<p>one <img src=x:i> two <a href=x:j>three</a></p>", false);
    assert_eq!(html.text.bytes, b"one  two three");
    let places: Vec<_> = html.links.iter().map(|link| (link.at(), link.content())).collect();
    assert_eq!(places, [(4, 4..4), (9, 9..14)]);
}

#[test]
fn tags_inside_a_line_leave_nothing() {
    check("http://<b>h.org</b>/<wbr>a<span class=x>b</span>", "http://h.org/ab");
    check("x<!-- http://h.org/ -->y", "xy");
}

#[test]
fn lines_and_paragraphs() {
    check("a<br>b<br/>c<BR>\nd<br><br>e", "a\nb\nc\nd\n\ne");
    check("<div>a</div>\n  <div>b</div><div>c</div>", "a\nb\nc");
    check("<p>a\n<p>b</p><ul><li>c<li>d</ul>e", "a\n\n\nb\n\nc\nd\n\ne");
    check("<table><tr><td>a</td> <td>b</td></tr><tr><td>c</table>", "a b\nc");
    check("a\n  b", "a\n  b");
}

#[test]
fn preformatted_text_stays() {
    check("<p>a</p><pre>\n  b\n\n  c</pre> d", "a\n\n\n  b\n\n  c\n\nd");
    check("<PRE>a <A HREF=x>b</A>\n c</PRE>", "a b\n c");
}

#[test]
fn text_of_special_elements() {
    check("<title>a &lt;b></title>c", "a <b>\n\nc");
    check("a<textarea>b <i></textarea>c", "a\nb <i>\nc");
    check("a<xmp>&lt;<i></xmp>b", "a\n\n&lt;<i>\n\nb");
    check("a<plaintext>&lt;<i></plaintext>", "a\n\n&lt;<i></plaintext>");
    check("<noscript>a</noscript><iframe>b</iframe><template>c</template>", "a\nbc");
    check("<![CDATA[http://h.org/]]>", "http://h.org/]]>");
}

#[test]
fn markup_without_text() {
    check("a<script>http://h.org/ '<b>'</SCRIPT >b<style>c</style>d", "abd");
    check("a<!-- > <b> -->b<!-->c<!--->d<!--x--!>e<!--x--->f<!--x---!>g", "abcdefg");
    check("<!DOCTYPE html \"http://w.org/x.dtd\"><?xml x?>a</>b</ x>c", "abc");
    check("<img alt=http://h.org/ title='http://h.org/'>", "");
}

#[test]
fn brackets_that_are_text() {
    check("<http://h.org/x> <URL:http://h.org/> <a@h.org>", "<http://h.org/x> <URL:http://h.org/> <a@h.org>");
    check("a < b, http://h.org/ > c", "a < b, http://h.org/ > c");
    check("a <y and http://h.org/ > c", "a <y and http://h.org/ > c");
    check("a <<b>c</b>> d <", "a <c> d <");
    check("<see\n<URL:http://h.org/a&amp;b>", "<see\n<URL:http://h.org/a&b>");
    check("<o:p>a</o:p>", "a");
}

#[test]
fn what_never_ends_hides_nothing() {
    check("a <!-- b <i>c</i>", "a <!-- b c");
    check("a <!-- b <!-- c", "a <!-- b <!-- c");
    check("<script>a <i>b</i>", "a b");
    check("<title>a <i>b</i>", "a b");
    check("<!DOCTYPE [ <!ENTITY x 'http://h.org/'> ]>a", "<!DOCTYPE [  ]>a");
    check("a <? http://h.org/", "a <? http://h.org/");
    check("a <a href=\"http://h.org/b", "a <a href=\"http://h.org/b");
    check("a <a href=\"http://h.org/b\" ", "a <a href=\"http://h.org/b\" ");
    check("a </a", "a </a");
}

#[test]
fn a_missing_quotation_mark_hides_nothing() {
    let source = "<a href=\"http://h.org/1>one</a> and <a href=\"http://h.org/2\">two</a>";
    check(source, "one and two");
    assert_eq!(urls(source), ["http://h.org/1", "http://h.org/2"]);
    let source = "<a href='http://h.org/1>one</a> and <a href=\"http://h.org/2\">two</a>";
    assert_eq!(urls(source), ["http://h.org/1", "http://h.org/2"]);
}

#[test]
fn a_tag_that_never_ends_is_text() {
    let source = "<img src=\"http://h.org/1\" <a href=\"http://h.org/2\">two</a>";
    check(source, "<img src=\"http://h.org/1\" two");
    assert_eq!(urls(source), ["http://h.org/2"]);
}

#[test]
fn anchors_that_nobody_closed() {
    let contents: Vec<String> = links("<a href=x:1>one <a name=n>two <a href=x:2 ping=x:3>three")
        .into_iter()
        .map(|(_, c, _)| c)
        .collect();
    assert_eq!(contents, ["one ", "three", "three"]);
}

#[test]
fn any_bytes() {
    let source = b"\xff\xfe\0<\xe9 <b\xe9> &\xe9; <a href=x:\xe9>\xe4\xb8";
    assert_eq!(read(source, false).text.bytes, b"\xff\xfe\0<\xe9 <b\xe9> &\xe9; \xe4\xb8");
    assert_eq!(read(source, false).links.iter().next().unwrap().url(), b"x:\xe9");
    assert_eq!(read(b"", false).text.bytes, b"");
}

#[test]
fn links_of_a_document_in_an_attribute() {
    let source = "<p>a<iframe srcdoc=\"<a href='x:1?a&amp;amp;b'>c</a> x:2\">d</iframe>";
    check(source, "ad");
    assert_eq!(links(source), [("x:1?a&b".into(), "".into(), "x:1?a&amp;amp;b".into())]);
    let nested = "<iframe srcdoc=\"<iframe srcdoc='<a href=x:1>'>\">";
    assert_eq!(links(nested), []);
}

#[test]
fn links_of_a_style_sheet() {
    let source = "<style>\na{background:url( \"x:1\" )}\nb{c:url(d)}</style>";
    assert_eq!(links(source), [("x:1".into(), "".into(), "x:1".into())]);
}

#[test]
fn relative_links_after_the_base() {
    let source = "<a href=1><base href=x:2><a href=3 cite=4><base href=5>";
    let html = read(source.as_bytes(), false);
    assert_eq!(html.base.as_deref(), Some(&b"x:2"[..]));
    assert_eq!(urls(source), ["x:2", "3", "4", "5"]);
    assert_eq!(read(b"<a href=1>", true).links.iter().next().unwrap().url(), b"1");
}

/// Markup that repeats without end.
const HOSTILE: [&str; 36] = [
    "<p style=url(",
    "<style>url(",
    "<style>/*</style>",
    "<a style='url(x:'>",
    "<iframe srcdoc=\"&quot;",
    "<",
    "</",
    "<a ",
    "<a href=\"",
    "<a href='",
    "<!--",
    "<!",
    "<script>",
    "<title>",
    "<a href=x>",
    "&",
    "&#",
    "&#0",
    "&a",
    "<a x='<a y=\"' z='\"' ",
    "<a href=\">",
    "<a b='>\"",
    "-->",
    "--",
    "<div>",
    "<br>",
    " <p> ",
    "<a href='&amp;",
    "<img srcset=',",
    "<meta http-equiv=refresh content=",
    "=",
    "\"",
    "</script",
    "<a a=",
    "<a href=x:>",
    "&eacute",
];

/// See [`hostile_sources_cost_no_more`].
#[cfg(unix)]
const LEAST: Duration = Duration::from_millis(20);

/// Time is linear: for eight times the length it is about eight times as much, and for a loop over the source
/// inside another 64 times.
///
/// No limit in seconds holds on a processor that is emulated, and other processes make it slower. So each length has
/// its best time of some rounds, and a factor of 32 tells one from the other. What takes less than [`LEAST`] for the
/// shorter source counts as that: memory for the longer one comes from the system, for which an emulator needs a
/// tenth of a second, and a loop inside another takes seconds.
#[cfg(unix)]
#[test]
fn hostile_sources_cost_no_more() {
    for markup in HOSTILE {
        let sources = [1 << 16, 1 << 19].map(|len| markup.repeat(len / markup.len()));
        let mut best = [Duration::MAX; 2];
        let is_linear = (0..5).any(|_| {
            for (best, source) in best.iter_mut().zip(&sources) {
                let begin = spent();
                read(source.as_bytes(), false);
                *best = (spent() - begin).min(*best);
            }
            best[1] < best[0].max(LEAST) * 32
        });
        assert!(is_linear, "{markup}: {best:?}");
    }
}

/// The time for which this thread had a processor.
#[cfg(unix)]
fn spent() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Copied bytes are those of their source, and decoded bytes have a source.
    #[test]
    fn sources_encode_the_text(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<", ">", "a", "/", " ", "\n", "&", ";", "#", "1", "x", "=", "\"", "'", "!--", "--", "br", "p", "<a ",
                "href=", "</a>", "&lt;", "&#45", "script", "title", "pre", "<!--", "-->", "http://h.org/",
            ]),
            0..40,
        )
    ) {
        let source = pieces.concat();
        let html = read(source.as_bytes(), false);
        let decoded = std::iter::once(html.text.clone()).chain(html.links.iter().map(|link| link.decoded()));
        for Decoded { bytes, map } in decoded {
            for (at, &byte) in bytes.iter().enumerate() {
                match &map.sources(at..at + 1)[..] {
                    [] => prop_assert!(matches!(byte, b' ' | b'\n')),
                    [range] if range.len() == 1 => prop_assert_eq!(source.as_bytes()[range.start], byte),
                    [range] => prop_assert!(source[range.clone()].starts_with('&') || byte >= 0x80),
                    _ => prop_assert!(false, "one byte from two places"),
                }
            }
        }
        let mut at = 0;
        for link in html.links.iter() {
            let content = link.content();
            prop_assert!(at <= link.at() && content.start == link.at());
            prop_assert!(content.start <= content.end && content.end <= html.text.bytes.len());
            at = link.at();
        }
    }
}

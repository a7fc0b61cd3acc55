//! Every row of the tables in the code: the lists here are written by hand from the services' documents and the standards,
//! so that a row that is lost or changed fails by its name.

mod archive;

use urlgrep::grammar::{Warning, clean, warnings};
use urlgrep::{Finder, FinderBuilder, Iri, Join, unwrap};

/// Lists the rows for which `holds` is false.
#[track_caller]
fn each<'r>(rows: impl IntoIterator<Item = &'r str>, holds: impl Fn(&str) -> bool) {
    let failures: Vec<&str> = rows.into_iter().filter(|row| !holds(row)).collect();
    assert!(failures.is_empty(), "{failures:?}");
}

/// The URLs in a text, with a space between them.
fn urls(builder: FinderBuilder, text: &str) -> String {
    let finder = builder.build().unwrap();
    finder.find_iter(text.as_bytes()).map(|m| m.to_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
}

#[test]
fn parameters_that_track() {
    let names = "__hsfp __hssc __hstc _bta_c _bta_tid _ga _gl _hsenc _hsmi _ke _kx _openstat cjevent dclid dm_i ef_id epik \
        fb_action_ids fb_action_types fb_ref fb_source fbclid gad_campaignid gad_source gbraid gclid gclsrc hsCtaTracking \
        igsh igshid irclickid irgwc li_fat_id mc_cid mc_eid mc_tc mibextid mkt_tok ml_subscriber ml_subscriber_hash \
        msclkid oly_anon_id oly_enc_id pk_campaign pk_content pk_keyword pk_kwd pk_medium pk_source rb_clickid rdt_cid \
        s_cid ScCid spJobID spMailingID spReportId spUserID srsltid ttclid twclid vero_id wbraid wickedid yclid ysclid \
        utm_source mtm_campaign piwik_kwd hsa_acc";
    each(names.split_ascii_whitespace(), |name| {
        let url = |parameters: String| format!("http://h.org/?{parameters}").into_bytes();
        *clean(&url(format!("a=1&{name}=2"))) == url("a=1".to_owned())
            && *clean(&url(format!("a=1&x{name}=2"))) == url(format!("a=1&x{name}=2"))
    });
    // A parameter that may sign the query, and words that only begin or end like one.
    each("sig sign signature hmac mac hash digest token policy".split(' '), |name| {
        let url = |name: &str| format!("http://h.org/?gclid=1&a-{name}=2").into_bytes();
        *clean(&url(name)) == url(name)
            && [format!("{name}x"), format!("x{name}")]
                .iter()
                .all(|other| *clean(&url(other)) == *format!("http://h.org/?a-{other}=2").as_bytes())
    });
}

#[test]
fn shorteners() {
    let hosts = "abre.ai adf.ly bit.ly bl.ink buff.ly clck.ru cutt.ly cutt.us dlvr.it encr.pw gg.gg goo.gl goo.su han.gl ibit.ly \
        is.gd j.mp kutt.it lnkd.in me2.do n9.cl ouo.io ow.ly q-r.to qrco.de rb.gy rebrand.ly reurl.cc rotf.lol s.id \
        short.gy shorte.st shorturl.at snip.ly soo.gd surl.li t.co t.ly tiny.cc tiny.one tinyurl.com tr.im u.to urlz.fr \
        v.gd vk.cc x.co x.gd";
    each(hosts.split_ascii_whitespace(), |host| {
        let is = |host: &str| warnings(format!("https://{host}/a").as_bytes()).contains(Warning::Shortener);
        is(host) && is(&host.to_uppercase()) && !is(&format!("x{host}"))
    });
}

/// A link of each host of each service, whose target is `http://h.org/a`. `~` is the encoded target.
#[test]
fn hosts_of_rewritten_links() {
    let links = [
        ("safelinks", "eur01.safelinks.protection.outlook.com/?url=~&data=1"),
        ("safelinks", "gcc01.safelinks.protection.office365.us/?url=~"),
        ("safelinks", "chn01.safelinks.protection.partner.outlook.cn/?url=~"),
        ("safelinks", "safelinks.protection.outlook.com/?url=~"),
        ("safelinks", "statics.teams.cdn.office.net/evergreen-assets/safelinks/1/a.html?url=~"),
        ("proofpoint-v1", "urldefense.proofpoint.com/v1/url?u=~"),
        ("proofpoint-v1", "urldefense.com/v1/url?u=~"),
        ("proofpoint-v1", "urldefense.us/v1/url?u=~"),
        ("proofpoint-v2", "urldefense.proofpoint.com/v2/url?u=http-3A__h.org_a&d=b"),
        ("proofpoint-v2", "urldefense.com/v2/url?u=http-3A__h.org_a&d=b"),
        ("proofpoint-v2", "urldefense.us/v2/url?u=http-3A__h.org_a&d=b"),
        ("proofpoint-v3", "urldefense.proofpoint.com/v3/__http://h.org/a__;!!b$"),
        ("proofpoint-v3", "urldefense.com/v3/__http://h.org/a__;!!b$"),
        ("proofpoint-v3", "urldefense.us/v3/__http://h.org/a__;!!b$"),
        ("barracuda", "linkprotect.cudasvc.com/url?a=~&c=1"),
        ("cisco", "secure-web.cisco.com/1a/~"),
        ("symantec", "clicktime.symantec.com/1a?u=~"),
        ("trendmicro", "eu.trendmicro.com/wis/clicktime/v1/query?url=~"),
        ("fireeye", "protect.fireeye.com/v1/url?u=~"),
        ("fireeye", "protect2.fireeye.com/v1/url?u=~"),
        ("sophos", "eu.protection.sophos.com/?d=h.org&u=aHR0cDovL2gub3JnL2E="),
        ("avanan", "url.avanan.click/v2/___http://h.org/a___.b"),
        ("checkpoint", "protect.checkpoint.com/v2/___http://h.org/a___.b"),
        ("google", "www.google.com/url?q=~"),
        ("google", "google.de/url?url=~"),
        ("google", "www.google.co.uk/imgres?imgrefurl=~"),
        ("google", "google.com/imgres?imgrefurl=~"),
        ("google", "www.googleadservices.com/pagead/aclk?adurl=~"),
        ("bing", "www.bing.com/ck/a?u=a1aHR0cDovL2gub3JnL2E"),
        ("bing", "bing.com/ck/a?u=a1aHR0cDovL2gub3JnL2E"),
        ("duckduckgo", "duckduckgo.com/l/?uddg=~"),
        ("duckduckgo", "www.duckduckgo.com/l/?uddg=~"),
        ("yahoo", "r.search.yahoo.com/_ylt=1/RU=~/RK=2/RS=3"),
        ("yahoo", "de.r.search.yahoo.com/_ylt=1/RU=~/RK=2/RS=3"),
        ("facebook", "l.facebook.com/l.php?u=~"),
        ("facebook", "lm.facebook.com/l.php?u=~"),
        ("facebook", "www.facebook.com/l.php?u=~"),
        ("facebook", "l.messenger.com/l.php?u=~"),
        ("instagram", "l.instagram.com/?u=~"),
        ("threads", "l.threads.net/?u=~"),
        ("threads", "l.threads.com/?u=~"),
        ("whatsapp", "l.wl.co/l?u=~"),
        ("reddit", "out.reddit.com/t3_1?url=~"),
        ("slack", "slack-redir.net/link?url=~"),
        ("tumblr", "t.umblr.com/redirect?z=~"),
        ("tumblr", "href.tumblr.com/redirect?z=~"),
        ("linkedin", "www.linkedin.com/redir/redirect?url=~"),
        ("linkedin", "www.linkedin.com/safety/go?url=~"),
        ("youtube", "www.youtube.com/redirect?q=~"),
        ("youtube", "m.youtube.com/redirect?q=~"),
        ("youtube", "youtube.com/redirect?q=~"),
        ("vk", "vk.com/away.php?to=~"),
        ("vk", "m.vk.com/away.php?to=~"),
        ("vk", "away.vk.com/away.php?to=~"),
        ("steam", "steamcommunity.com/linkfilter/?url=~"),
        ("steam", "steamcommunity.com/linkfilter/?u=~"),
        ("steam", "steamcommunity.com/linkfilter/?http://h.org/a"),
        ("deviantart", "www.deviantart.com/users/outgoing?http://h.org/a"),
        ("pixiv", "www.pixiv.net/jump.php?~"),
        ("pixiv", "www.pixiv.net/jump.php?url=~"),
        ("zhihu", "link.zhihu.com/?target=~"),
        ("soundcloud", "exit.sc/?url=~"),
        ("soundcloud", "gate.sc/?url=~"),
        ("href.li", "href.li/?http://h.org/a"),
        ("href.li", "www.href.li/?http://h.org/a"),
        ("anonym.to", "anonym.to/?http://h.org/a"),
        ("anonym.to", "www.anonym.to/?http://h.org/a"),
        ("skimlinks", "go.redirectingat.com/?id=1&url=~"),
        ("skimlinks", "go.skimresources.com/?id=1&url=~"),
        ("linksynergy", "click.linksynergy.com/deeplink?id=1&murl=~"),
        ("linksynergy", "click.linksynergy.com/fs-bin/click?id=1&RD_PARM1=~"),
    ];
    each(links.map(|(_, link)| link), |link| {
        let name = links.iter().find(|row| row.1 == link).unwrap().0;
        let url = format!("https://{}", link.replace('~', "http%3A%2F%2Fh.org%2Fa"));
        let inner = unwrap(url.as_bytes());
        inner.is_some_and(|inner| inner.as_bytes() == b"http://h.org/a" && inner.wrappers() == [name])
    });
}

#[test]
fn tools_before_a_web_scheme() {
    let tools = "apt bzr clickhouse darcs dav davs file flatpak fossil git hg mirror oci pip registry s3 sparse stratum svn tarball \
        tor trino vcs xmlrpc";
    each(tools.split_ascii_whitespace(), |tool| {
        ["http", "https", "ftp"].iter().all(|scheme| {
            let url = format!("{tool}+{scheme}://h.org/a");
            urls(Finder::builder(), &url) == url
        })
    });
    // A command is not a tool with names: only the URL after it is one.
    assert_eq!(urls(Finder::builder(), "wget+http://h.org/a"), "http://h.org/a");
}

/// Words with which a sentence continues after a file name, so that they are not part of the URL; after a noun the same
/// run is.
#[test]
fn words_after_names() {
    let words = |text: &str| urls(Finder::builder().iri(Iri::Words), text);
    let in_name = |run: &str| words(&format!("http://h.org/w/{run} x"));
    // Japanese: each particle, followed by a noun; and the particles of one character, followed by kanji.
    each("を から まで より には では です でした でも にて として という との への での とは とか って について によ などの".split(' '), |run| {
        in_name(&format!("{run}ほん")) == "http://h.org/w/"
    });
    each("と や も に へ で が は の".split(' '), |run| {
        in_name(&format!("{run}見")) == "http://h.org/w/"
    });
    // Korean: the ending is the whole run.
    let endings = "에서 에 를 을 은 는 이 가 로 으로 와 과 의 도 만 입니다 이다 에게 부터 까지 처럼 보다 라고 이라고 하고 에서는 에서의 에는 에도 \
        으로부터 로부터 였다 이며 이고 인 랑 이랑 라는 이라는 에서도 로는 으로는 에서만 해";
    each(endings.split_ascii_whitespace(), |run| in_name(run) == "http://h.org/w/");
    each(["ほん", "見", "은행", "한국"], |run| in_name(run) == format!("http://h.org/w/{run}"));
}

/// The top-level domains of scripts without spaces (IANA), before which a host continues.
#[test]
fn top_level_domains_without_ascii() {
    let labels = "คอม ไทย ລາວ みんな アマゾン クラウド グーグル コム ストア セール ファッション ポイント 世界 中信 中国 中國 中文网 亚马逊 企业 \
        佛山 信息 健康 八卦 公司 公益 台湾 台灣 商城 商店 商标 嘉里 嘉里大酒店 在线 大拿 天主教 娱乐 家電 广东 微博 慈善 我爱你 手机 招聘 \
        政务 政府 新加坡 新闻 时尚 書籍 机构 淡马锡 游戏 澳門 澳门 点看 移动 组织机构 网址 网店 网站 网络 联通 谷歌 购物 通販 集团 電訊盈科 \
        飞利浦 食品 餐厅 香格里拉 香港 닷넷 닷컴 삼성 한국";
    each(labels.split_ascii_whitespace(), |label| {
        let url = format!("http://h.{label}");
        urls(Finder::builder().iri(Iri::Words), &format!("{url}/a {url} x")) == format!("{url}/a {url}")
    });
}

/// The words with which prose continues on the next line of a terminal, so that a URL that fills its line ends there.
#[test]
fn words_after_a_full_line() {
    let words = "a about after all also an and any are as at be because been before but by can could do does done for from has have \
        how if in into is it its more no not of on or see should so than that the then there they this to was we when where \
        which who will with would you";
    let url = format!("http://h.org/{}", "a".repeat(27));
    let next = |word: &str| {
        let terminal = Finder::builder().join(Join::Likely).width(40);
        urls(terminal, &format!("{url}\n{word} following text\n"))
    };
    each(words.split_ascii_whitespace(), |word| next(word) == url);
    each(["bcd", "zzz"], |word| next(word) == format!("{url}{word}"));
}

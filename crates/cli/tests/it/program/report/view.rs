//! What the page begins with: roles, duplicates that are one row, panels, cards that say something, a phone.

use super::MBOX;
use super::browser::{DESK, PHONE, charts, drawn, drawn_with, part, row_count, rows};

/// A newsletter with each role but a form: the text, a link twice, another link, a picture twice, a
/// style sheet, and a header field.
const LETTER: &str = "\
From a@h.org Mon Jan  3 10:00:00 2005
From: \"The News\" <News@h.org>
Date: Mon, 3 Jan 2005 10:00:00 +0000
Subject: One
List-Archive: <http://lists.h.org/>
Content-Type: text/html

<link rel=stylesheet href=\"http://h.org/style.css\"><p>See http://h.org/text for more.</p>
<a href=\"http://h.org/a\">The <b>first</b></a> <a href=\"http://h.org/a\">Again</a> <a href=\"http://www.h.org/b\">Second</a>
<img src=\"http://h.org/p.png\"> <img src=\"http://h.org/p.png\">
";

/// A letter of another sender to the same page.
const ANSWER: &str = "
From b@h.org Tue Mar  1 10:00:00 2005
From: b@h.org (Bea)
Date: Tue, 1 Mar 2005 10:00:00 +0000
Subject: Two

I like http://h.org/a more.
";

/// The switches of the roles, each with its number, `+` before those that are on.
fn switches(dom: &str) -> String {
    let buttons = part(dom, "<div id=\"roles\" role=\"group\" aria-labelledby=\"roles-name\">", "</div>");
    let buttons = buttons.split("<button type=\"button\" aria-pressed=\"").skip(1).map(|button| {
        let (pressed, rest) = button.split_once("\">").unwrap();
        let text = rest.split_once("</button>").unwrap().0.replace("<span>", "").replace("</span>", "");
        format!("{}{text}", if pressed == "true" { "+" } else { "" })
    });
    buttons.collect::<Vec<_>>().join(", ")
}

/// The names and numbers in a list of bars; nothing if its panel is hidden.
fn bars(dom: &str, id: &str) -> Vec<String> {
    if is_hidden(dom, &format!("{id}-section")) {
        return Vec::new();
    }
    let list = part(dom, &format!("<ul id=\"{id}\" class=\"bars\">"), "</ul>");
    let texts = list.split("<li").skip(1).map(|item| {
        let pieces = item.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text.trim());
        pieces.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    });
    texts.collect()
}

fn is_hidden(dom: &str, id: &str) -> bool {
    let attributes = part(dom, &format!(" id=\"{id}\""), ">");
    attributes.contains(" hidden=")
}

fn letters() -> String {
    [LETTER, ANSWER].concat()
}

#[test]
fn it_begins_with_what_is_read_and_clicked() {
    let Some(dom) = drawn(&letters(), "") else { return };
    assert_eq!(switches(&dom), "+Text 2, +Links 3, Pictures 2, Resources 1, Headers 1, All");
    assert!(part(&dom, "<span id=\"count\"", "</span>").ends_with(">5 of 9 links"));
    assert!(!rows(&dom).contains("p.png") && !rows(&dom).contains("style.css"));
    let say = "document.body.dataset.address = location.hash;";
    let Some(dom) = drawn(&letters(), &format!("toggleRole('text'); toggleRole('image'); {say}")) else {
        return;
    };
    assert_eq!(switches(&dom), "Text 2, +Links 3, +Pictures 2, Resources 1, Headers 1, All");
    assert!(dom.contains("data-address=\"#role=link%2Cimage\""));
    assert!(
        rows(&dom)
            .contains("p.png</a> <span class=\"tag\">picture</span> <span class=\"tag\">2 times</span>")
    );
    let Some(again) = drawn(&letters(), "location.hash = '#role=image,link,constructor'") else { return };
    assert_eq!(rows(&again), rows(&dom));
    // A filter applies to the numbers of all roles.
    let Some(dom) = drawn(&letters(), "toggle('host', 'h.org'); [...$('roles').children].at(-1).click()")
    else {
        return;
    };
    assert_eq!(switches(&dom), "+Text 2, +Links 2, +Pictures 2, +Resources 1, +Headers 0, +All");
}

/// The page does not begin empty, and a filter that is no value has no effect.
#[test]
fn other_roles_alone_are_shown() {
    let Some(dom) = drawn_with(&letters(), "", DESK, &["--role=image,header"], 0) else { return };
    assert_eq!(switches(&dom), "+Pictures 2, +Headers 1");
    let Some(dom) = drawn_with(&letters(), "", DESK, &["--role=image"], 0) else { return };
    assert!(is_hidden(&dom, "roles-row") && row_count(&dom) == 1);
    let Some(dom) = drawn(&letters(), "toggleRole('text'); toggleRole('link')") else { return };
    assert!(!is_hidden(&dom, "no-rows") && is_hidden(&dom, "links"));
}

/// Links of one URL are one row, which a switch unfolds and whose links can be seen one by one.
#[test]
fn duplicates_are_one_row() {
    let Some(dom) = drawn(&letters(), "change({ row: 5 })") else { return };
    assert_eq!(row_count(&dom), 3);
    assert_eq!(part(&dom, "<p id=\"shown\" class=\"note\">", "</p>"), "3 different URLs in 5 links");
    let cell = "<span class=\"text\">The first</span> <a class=\"url\" href=\"http://h.org/a\" target=\"_blank\" \
        rel=\"noreferrer noopener\">http://<wbr>h.org/<wbr>a</a> <span class=\"tag\">3 times</span></td>";
    assert!(rows(&dom).contains(cell), "{}", rows(&dom));
    let details = part(rows(&dom), "<tr role=\"row\" class=\"details\">", "</tr>");
    let times: Vec<_> = part(details, "<ul id=\"times\">", "</ul>").split("<li>").skip(1).collect();
    let pressed = times.iter().map(|item| item.contains("aria-pressed=\"true\""));
    assert_eq!(pressed.collect::<Vec<_>>(), [false, false, true]);
    assert!(details.contains("<dt>Text of the link</dt><dd>Again</dd>"), "{details}");
    assert!(times[0].contains("2005-03-01 Two \u{b7} line "), "{}", times[0]);
    let say = "document.body.dataset.address = location.hash;";
    let Some(dom) = drawn(&letters(), &format!("$('fold').click(); {say}")) else { return };
    assert_eq!(row_count(&dom), 5);
    assert!(dom.contains("data-address=\"#each=\"") && dom.contains("id=\"fold\" aria-pressed=\"false\""));
    // From the row to each of its links.
    let Some(dom) =
        drawn(&letters(), "change({ row: 5 }); document.querySelector('#times + button').click()")
    else {
        return;
    };
    assert_eq!((row_count(&dom), rows(&dom).matches("href=\"http://h.org/a\"").count()), (3, 3));
}

#[test]
fn the_most_frequent_rows_are_first() {
    let sort = "$('sort').value = 'times'; $('sort').dispatchEvent(new Event('change'));";
    let Some(dom) = drawn(&letters(), &format!("{sort} document.body.dataset.address = location.hash;"))
    else {
        return;
    };
    assert!(rows(&dom).starts_with("<tr role=\"row\" data-row=\"4\">"), "{}", rows(&dom));
    assert!(dom.contains("data-address=\"#sort=times&amp;down=\""));
}

#[test]
fn panels_of_links_and_senders() {
    let Some(dom) = drawn(&letters(), "") else { return };
    assert_eq!(bars(&dom, "urls"), ["The first http://h.org/a 3"]);
    assert_eq!(bars(&dom, "senders"), ["The News news@h.org 4", "Bea b@h.org 1"]);
    assert_eq!(bars(&dom, "hosts"), ["h.org 2 hosts 5", "h.org 4", "www.h.org 1"]);
    let say = "document.body.dataset.address = location.hash;";
    let click = format!(
        "document.querySelector('#senders button').click(); document.querySelector('#urls button').click(); {say}"
    );
    let Some(dom) = drawn(&letters(), &click) else { return };
    assert!(dom.contains("data-address=\"#from=news%40h.org&amp;url=http%3A%2F%2Fh.org%2Fa\""));
    let chips = part(&dom, "<div id=\"chips\"", "</div>");
    assert!(chips.contains("from: news@h.org") && chips.contains("URL: http://h.org/a"), "{chips}");
    assert_eq!(row_count(&dom), 1);
}

/// Each form of a sender.
#[test]
fn senders() {
    let script = "document.body.dataset.senders = ['A B <a@H.org>', '\"B, A\" <a@h.org>', 'a@h.org (A (B))', 'a@h.org', \
        'nobody', '<a@h.org>', 'A <b> <c@h.org>'].map((from) => readSender(from).join('|')).join(';')";
    let Some(dom) = drawn(MBOX, script) else { return };
    let expected = "a@h.org|A B;a@h.org|B, A;a@h.org|A (B);a@h.org|;nobody|;a@h.org|;c@h.org|A &lt;b&gt;";
    assert_eq!(part(&dom, "data-senders=\"", "\"").replace('<', "&lt;").replace('>', "&gt;"), expected);
}

/// What is the same for all links is not drawn.
#[test]
fn a_card_says_something() {
    let all = [
        "time-section",
        "undated",
        "hosts-section",
        "urls-section",
        "senders-section",
        "grades-section",
        "joins-section",
    ];
    let shown = |text: &str| {
        let dom = drawn(text, "")?;
        Some(all.into_iter().filter(|id| !is_hidden(&dom, id)).collect::<Vec<_>>())
    };
    let Some(none) = shown("http://h.org/a and http://h.org/b") else { return };
    assert!(none.is_empty(), "{none:?}");
    // Neither a day nor a sender nor a host, but schemes.
    assert_eq!(shown("http://h.org/a and ftp://h.org/b").unwrap(), ["time-section"]);
    assert_eq!(shown("http://h.org/a and http://www.h.org/~b").unwrap(), ["hosts-section", "grades-section"]);
    assert_eq!(shown("http://h.org/a and http://h.org/a").unwrap(), ["urls-section"]);
    assert_eq!(shown("<URL:http://h.org/a-\nb> http://h.org/c").unwrap(), ["joins-section"]);
    let (_, answer) = ANSWER.split_at(1);
    assert!(shown(answer).unwrap().is_empty());
    // A date that some links have, and others not.
    let other =
        ANSWER.replace("Date: Tue, 1 Mar 2005 10:00:00 +0000\n", "").replace("Tue Mar  1 10:00:00 2005", "");
    assert_eq!(shown(&[answer, &other].concat()).unwrap(), ["time-section", "undated", "urls-section"]);
}

/// Outside of messages there is neither a date nor a sender.
#[test]
fn columns_of_mail_are_for_mail() {
    let heads = |text: &str| {
        let dom = drawn(text, "change({ row: 1 })")?;
        assert!(rows(&dom).contains("<td role=\"cell\" colspan="), "{}", rows(&dom));
        let heads = part(&dom, "<tr id=\"columns\" role=\"row\">", "</tr>");
        let cells = part(rows(&dom), "<tr", "</tr>").matches("<td").count();
        Some((heads.matches("<th").count(), cells))
    };
    let Some(mail) = heads(MBOX) else { return };
    assert_eq!(mail, (4, 4));
    assert_eq!(heads("http://h.org/a").unwrap(), (2, 2));
}

/// The columns are divided by domains or hosts if that says more.
#[test]
fn one_scheme_gives_way_to_domains_or_hosts() {
    let Some(dom) = drawn(&letters(), "") else { return };
    assert_eq!(part(&dom, "<h2 id=\"time-title\">", "</h2>"), "Days and hosts");
    let label = "aria-label=\"3 January 2005: 4 links, h.org 3 (75.0 %), www.h.org 1 (25.0 %)\"";
    assert!(charts(&dom).contains(label), "{}", charts(&dom));
    assert_eq!(part(&dom, "<ul id=\"parts\" class=\"legend\">", "</ul>").matches("<li>").count(), 2);
    let Some(dom) = drawn(&[&letters(), ANSWER].concat().replace("www.h.org", "h.org"), "") else { return };
    assert_eq!(part(&dom, "<h2 id=\"time-title\">", "</h2>"), "Days");
    assert!(part(&dom, "<ul id=\"parts\" class=\"legend\">", "</ul>").is_empty());
    // A domain that has no colour gets one while it is chosen.
    let many: String = (0..9).map(|n| format!("http://h{n}.org/\n").repeat(10 - n)).collect();
    let text = letters().replace("I like", &many);
    let Some(dom) = drawn(&text, "toggle('domain', 'h8.org')") else { return };
    assert_eq!(part(&dom, "<h2 id=\"time-title\">", "</h2>"), "Days and domains");
    assert!(charts(&dom).contains("h8.org 2 (") && charts(&dom).contains("data-part=\"h8.org\""));
}

/// The links start on the first screen of a phone, and the charts are there on request.
#[test]
fn a_phone_begins_with_the_links() {
    let script = "const topOf = (what) => Math.round(document.querySelector(what).getBoundingClientRect().top);
        document.body.dataset.first = topOf('#rows tr') < innerHeight / 1.5;
        document.body.dataset.charts = document.querySelector('.chart').getClientRects().length;
        document.body.dataset.over = Math.max(0, document.documentElement.scrollWidth - innerWidth);
        $('charts').click(); document.body.dataset.opened = document.querySelector('.chart').getClientRects().length;
        document.body.dataset.address = location.hash;";
    let Some(dom) = drawn_with(&letters(), script, PHONE, &[], 0) else { return };
    let body = part(&dom, "<body", ">");
    for expected in ["first=\"true\"", "charts=\"0\"", "over=\"0\"", "opened=\"1\"", "address=\"#charts=\""] {
        assert!(body.contains(expected), "{expected}: {body}");
    }
    assert!(dom.contains("aria-expanded=\"true\">Charts and counts</button>"));
}

/// A long URL takes two lines of a phone; its details have all of it.
#[test]
fn urls_are_folded_on_a_phone() {
    let text = format!("http://h.org/{}end", "a/".repeat(400));
    let script = "change({ row: 1 });
        const lines = (at) => {
          const element = document.querySelector(at);
          return element.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight);
        };
        document.body.dataset.lines = [lines('td.link .url') < 2.5, lines('.details .url') > 4].join();";
    let Some(dom) = drawn_with(&text, script, PHONE, &[], 0) else { return };
    assert_eq!(part(&dom, "data-lines=\"", "\""), "true,true");
}

/// Filters are all on the screen of a phone, and so is the button that removes them.
#[test]
fn filters_wrap_on_a_phone() {
    let script = "change({ words: 'h', filters: new Map([['time', '2005-01'], ['scheme', 'http'], ['domain', 'h.org'],
            ['host', 'www.h.org'], ['from', 'news@h.org'], ['grade', 'rfc1738']]) });
        const beyond = [...document.querySelectorAll('#chips button')].filter((e) => e.getBoundingClientRect().right > innerWidth);
        document.body.dataset.faults = [document.querySelectorAll('#chips button').length, beyond.length].join();";
    let Some(dom) = drawn_with(&letters(), script, PHONE, &[], 0) else { return };
    assert_eq!(part(&dom, "data-faults=\"", "\""), "7,0");
}

/// Whatever a label, a subject, a sender or a URL is, it stays text and within its place.
#[test]
fn hostile_text_stays_within_its_place() {
    let evil =
        "<script>document.body.dataset.evil=1</script><img src=x onerror=document.body.dataset.evil=2>";
    let escaped = evil.replace('<', "&lt;").replace('>', "&gt;");
    let marks = "e\u{300}\u{301}\u{302}\u{303}".repeat(100);
    let long = "W".repeat(1_000_000);
    let url = format!("http://h.org/{}", "a/".repeat(30_000));
    let host = format!("http://{}org/", "l.".repeat(110));
    for (sender, subject, label, url) in [
        (&*format!("{evil} <x@h.org>"), evil, &*escaped, "http://h.org/"),
        (
            "\"\u{202e}x\u{200b}\" <b@h.org>",
            "a \u{2066}\u{202e}gnp.exe",
            "safe\u{202e}gnp.exe\u{2067}\u{200b}",
            "http://h.org/\u{202e}a",
        ),
        (&long[..2000], &long, &long, &url),
        (&marks, &marks, &marks, &host),
    ] {
        let link = format!("<a href=\"{url}\">{label}</a>\n");
        let letter = LETTER.replace("\"The News\" <News@h.org>", sender).replace("One", subject);
        let text = [&*letter, &link.repeat(2), ANSWER].concat();
        for screen in [DESK, PHONE] {
            let script = "const first = drawn.list.find((link) => link.message.subject !== 'Two' && link.text && link.order > 6);
                change({ row: first.order + 1, charts: true, sort: 'from' });
                document.body.dataset.over = Math.max(0, document.documentElement.scrollWidth - innerWidth);
                const tall = [...document.querySelectorAll('td.message, .text, .bars li')].filter((e) => e.offsetHeight > 260);
                document.body.dataset.tall = tall.length;";
            let Some(dom) = drawn_with(&text, script, screen, &[], 0) else { return };
            let body = part(&dom, "<body", ">");
            assert!(
                body.contains("data-over=\"0\"") && body.contains("data-tall=\"0\""),
                "{screen:?} {label:.40}: {body}"
            );
            assert!(!body.contains("evil") && !dom.contains("<img"), "{body}");
            assert!(!dom.contains(['\u{202e}', '\u{2066}', '\u{2067}', '\u{200b}']));
        }
    }
}

/// What is chosen, sorted and opened is said to who cannot see it.
#[test]
fn states_are_said() {
    let script = "toggleRole('image'); toggle('host', 'h.org'); sortBy('url'); change({ row: 5 });
        const all = (what) => [...document.querySelectorAll(what)];
        const odd = all('#roles button, .bars button, .legend button, #times button, #fold, .column')
            .filter((e) => !['true', 'false'].includes(e.getAttribute('aria-pressed')));
        const openers = all('.opener, #charts').filter((e) => !['true', 'false'].includes(e.getAttribute('aria-expanded')));
        const fakes = all('[role=button]').filter((e) => e.tagName !== 'g');
        document.body.dataset.faults = [odd.length, openers.length, fakes.length, all('th[aria-sort]').length,
            all('#hosts [aria-pressed=true]').length, all('.opener[aria-expanded=true]').length].join();";
    let Some(dom) = drawn(&letters(), script) else { return };
    assert_eq!(part(&dom, "data-faults=\"", "\""), "0,0,0,1,1,1");
}

/// Text is readable on all that is behind it, in light and dark: 4.5 times as bright, or as dark.
#[test]
fn colours_are_readable() {
    let script = r"const style = document.querySelector('style').textContent;
        const [light, dark] = [style, style.split('prefers-color-scheme: dark')[1]].map((css) => css.split('}')[0]);
        const rgb = (css, name) => { const hex = new RegExp('--' + name + ': #(\\w+)').exec(css)[1];
            return (hex.length === 3 ? [...hex].map((c) => c + c) : hex.match(/../g)).map((c) => parseInt(c, 16) / 255); };
        const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        const bright = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        const ratio = (...colours) => { const [a, b] = colours.map(bright).sort((a, b) => b - a); return (a + 0.05) / (b + 0.05); };
        const faults = [];
        for (const css of [light, dark]) for (const [text, grounds] of [['ink', ['paper', 'card', 'bar', 'mark']],
            ['faint', ['paper', 'card']], ['accent', ['paper', 'card']]]) for (const ground of grounds)
            if (ratio(rgb(css, text), rgb(css, ground)) < 4.5) faults.push(text + ' on ' + ground);
        document.body.dataset.faults = faults.join() || 'none ' + ratio([0, 0, 0], [1, 1, 1]);";
    let Some(dom) = drawn(MBOX, script) else { return };
    assert_eq!(part(&dom, "data-faults=\"", "\""), "none 21");
}

/// A row says what to check, and a click on a warning shows the links that have it. A link of two warnings counts for both.
#[test]
fn warnings() {
    let text = "See http://127.0.0.1:25/a and http://h.org:22/ and http://h.org/b";
    let Some(dom) = drawn(text, "") else { return };
    assert_eq!(
        bars(&dom, "warnings"),
        ["has a reserved port, or one above 65535 2", "has an IP address as its host 1"]
    );
    assert_eq!(rows(&dom).matches("! has a reserved port, or one above 65535").count(), 2);
    assert_eq!(row_count(&dom), 3);
    let Some(dom) = drawn(text, "location.hash = '#warning=port'") else { return };
    assert_eq!(row_count(&dom), 2);
    assert_eq!(bars(&dom, "warnings").len(), 2);
    let Some(dom) = drawn("http://h.org/b", "") else { return };
    assert!(is_hidden(&dom, "warnings-section"));
}

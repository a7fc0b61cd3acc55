//! The page as a browser draws it, where there is one.

use std::fs;

use super::super::chromium::{self, Screen};
use super::super::{folder, run, within};
use super::MBOX;

pub const DESK: Screen = (1280, 900);
pub const PHONE: Screen = (390, 844);

/// What a browser makes of the report on a text, after it has run a script in it;
/// nothing if there is no browser.
pub fn drawn(text: &str, script: &str) -> Option<String> {
    drawn_with(text, script, DESK, &[], 0)
}

/// What [`drawn`] returns, on a screen, with arguments and an exit status of the program.
pub fn drawn_with(text: &str, script: &str, screen: Screen, args: &[&str], status: i32) -> Option<String> {
    let files = folder(&[("m", text)]);
    let ran = run(within(&files, &[&["--report=r.html", "m"], args].concat()), b"");
    assert_eq!(ran.status, Some(status));
    let file = files.path().join("r.html");
    let page = fs::read_to_string(&file).unwrap();
    // It runs after the script of the page, which waits for the data.
    let (before, after) = page.split_once("</script>\n<script>\n").unwrap();
    fs::write(&file, [before, script, "\n</script>\n<script>\n", after].concat()).unwrap();
    let dom = chromium::draw(&file, screen)?;
    assert!(dom.contains(" data-drawn=") && !dom.contains(" data-failed="), "{dom}");
    Some(dom)
}

/// The text between the tag that starts with `begin` and the end tag.
pub fn part<'d>(dom: &'d str, begin: &str, end: &str) -> &'d str {
    let (_, rest) = dom.split_once(begin).unwrap_or_else(|| panic!("{begin} is missing"));
    rest.split_once(end).unwrap().0
}

/// The rows of the table.
pub fn rows(dom: &str) -> &str {
    part(dom, "<tbody id=\"rows\" role=\"rowgroup\">", "</tbody>")
}

pub fn row_count(dom: &str) -> usize {
    rows(dom).matches("<tr role=\"row\" data-row=").count()
}

/// The charts of time.
pub fn charts(dom: &str) -> &str {
    part(dom, "<div id=\"time\">", "<p id=\"time-notes\"")
}

/// The columns of all charts.
fn column_count(dom: &str) -> usize {
    charts(dom).matches("<g class=\"column").count()
}

#[test]
fn columns_bars_and_rows() {
    let text = MBOX.replace("1994", "1992");
    let Some(dom) = drawn(&text, "") else { return };
    assert_eq!(column_count(&dom), 5, "1993 to 1995 have columns, which are empty");
    // Once in numbers and once in shares.
    for (scheme, times) in [("gopher", 2), ("wais", 2), ("http", 2), ("ftp", 0)] {
        let parts = charts(&dom).matches(&format!("data-part=\"{scheme}\"")).count();
        assert_eq!(parts, times, "{scheme}");
    }
    let label = "aria-label=\"1992: 2 links, wais 1 (50.0 %), gopher 1 (50.0 %)\"";
    assert!(charts(&dom).contains(label), "{}", charts(&dom));
    assert_eq!(part(&dom, "<ul id=\"hosts\" class=\"bars\">", "</ul>").matches("<li>").count(), 2);
    assert!(part(&dom, "<ul id=\"grades\" class=\"bars\">", "</ul>").contains("3 \u{b7} 75.0 %"));
    assert!(part(&dom, "<p id=\"rejoined\" class=\"share\">", "</p>").starts_with("<b>25.0 %</b>"));
    assert_eq!(row_count(&dom), 4);
    let row = "<a class=\"url\" href=\"http://H.org/foo-bar\" target=\"_blank\" rel=\"noreferrer noopener\">\
        http://<wbr>H.org/<wbr>foo-bar</a></td>\
        <td role=\"cell\" class=\"date\" title=\"1996-01-02T10:00:00+00:00\">1996-01-02</td>\
        <td role=\"cell\" class=\"message\" title=\"B &lt;b@h.org&gt;\"><span class=\"subject\">Second</span><small>B &lt;b@h.org&gt;</small></td>\
        <td role=\"cell\" class=\"place\"><span class=\"path\" title=\"m\"><span>m</span><span>:15:1</span></span></td></tr>";
    assert!(rows(&dom).contains(row), "{}", rows(&dom));
    assert!(rows(&dom).contains("<span class=\"url\">wais://<wbr>w.org/<wbr>b</span>"), "nothing opens this");
}

#[test]
fn short_spans_have_months_and_days() {
    let Some(dom) = drawn(MBOX, "") else { return };
    assert_eq!(column_count(&dom), 25, "January 1994 to January 1996");
    assert!(charts(&dom).contains("aria-label=\"January 1994: 2 links, "));
    let Some(dom) = drawn(&MBOX.replace("Tue, 2 Jan 1996", "Mon, 28 Feb 1994"), "") else { return };
    assert_eq!(column_count(&dom), 57, "3 January to 28 February");
    assert!(charts(&dom).contains("aria-label=\"28 February 1994: 2 links, "));
}

#[test]
fn a_click_chooses() {
    let click = "document.querySelector('[data-time=\"1996-01\"]').dispatchEvent(new MouseEvent('click'))";
    let Some(dom) = drawn(MBOX, click) else { return };
    assert_eq!(row_count(&dom), 2);
    assert!(part(&dom, "<div id=\"chips\"", "</div>").contains("date: January 1996"));
    assert!(part(&dom, "<p id=\"rejoined\" class=\"share\">", "</p>").starts_with("<b>50.0 %</b>"));
    // The other months can still be seen, to be chosen, and the days of this one.
    assert!(charts(&dom).contains("January 1994: 2 links"));
    assert!(charts(&dom).contains("aria-label=\"2 January 1996: 2 links, "));
    assert_eq!(column_count(&dom), 25 + 31);
}

/// The state is in the address, and the address is the state.
#[test]
fn a_view_is_an_address() {
    let say = "document.body.dataset.address = location.hash;";
    let script = format!(
        "toggle('scheme', 'http'); toggle('time', '1996'); sortBy('url'); change({{ row: 3 }}); {say}"
    );
    let Some(dom) = drawn(MBOX, &script) else { return };
    let address = "#scheme=http&amp;time=1996&amp;sort=url&amp;row=3";
    assert!(dom.contains(&format!("data-address=\"{address}\"")), "{}", part(&dom, "<body", ">"));
    let row = part(rows(&dom), "<tr role=\"row\" class=\"details\">", "</tr>");
    assert!(
        row.contains("<p class=\"excerpt\"><mark>http://<wbr>H.org/<wbr>foo-bar</mark> http://h.org/~me</p>"),
        "{row}"
    );
    assert!(row.contains("<dt>Other readings</dt><dd>http://H.org/foobar</dd>"), "{row}");
    let Some(again) = drawn(MBOX, &format!("location.hash = '{}'", address.replace("&amp;", "&"))) else {
        return;
    };
    assert_eq!(rows(&again), rows(&dom));
    // What is not known, or does not exist, has no effect.
    let Some(odd) = drawn(MBOX, "location.hash = '#page=-7&row=99&sort=constructor&x=y&words=%E0&host='")
    else {
        return;
    };
    assert_eq!(row_count(&odd), 0);
}

/// Places are relative to what was searched. An escape in a path has no directory.
#[test]
fn places() {
    let script = r"about.under = 'x/d'; document.body.dataset.places = [
        ...['x/d/e/f', 'x/data', '-'].map(placeOf), partsOfPath('e\\xE2/f').length, partsOfPath('C:\\e\\f').length
    ].join('|');";
    let Some(dom) = drawn(MBOX, script) else { return };
    assert_eq!(part(&dom, "data-places=\"", "\""), "e/f|x/data|standard input|2|3");
}

/// What a screen reader and a keyboard need.
#[test]
fn names_and_stops() {
    let script = "toggle('time', '1996'); change({ row: 3 }); const all = (what) => [...document.querySelectorAll(what)];
        const nameless = all('button, a, [role=button]').filter((e) => !(e.getAttribute('aria-label') ?? e.textContent).trim());
        const fields = all('input, select').filter((e) => e.labels.length === 0 && !e.hasAttribute('aria-label'));
        const ids = all('[id]').map((e) => e.id);
        document.body.dataset.faults = [nameless.length, fields.length, ids.length - new Set(ids).size,
            all('h1').length, all('.chart').length, all('.chart [tabindex=\"0\"]').length].join();";
    let Some(dom) = drawn(&MBOX.replace("1994", "1990"), script) else { return };
    // One heading of the page, and one stop in each of the charts: years and months.
    assert_eq!(part(&dom, "data-faults=\"", "\""), "0,0,0,1,2,2");
    assert!(dom.contains("<html lang=\"en\">") && dom.contains("<a id=\"skip\" href=\"#links\">"));
}

/// Esc takes back one step, and the history goes back one.
#[test]
fn steps_back() {
    let escape = "dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));";
    let script =
        format!("toggle('scheme', 'http'); toggle('host', 'h.org'); change({{ row: 4 }}); {escape} {escape}");
    let Some(dom) = drawn(MBOX, &script) else { return };
    let chips = part(&dom, "<div id=\"chips\"", "</div>");
    assert!(chips.contains("scheme: http") && !chips.contains("host:"), "{chips}");
    let Some(dom) = drawn(MBOX, "toggle('scheme', 'http'); toggle('host', 'h.org'); history.back();") else {
        return;
    };
    let chips = part(&dom, "<div id=\"chips\"", "</div>");
    assert!(chips.contains("scheme: http") && !chips.contains("host:"), "{chips}");
}

#[test]
fn words_choose_and_columns_sort() {
    let script = "const box = document.getElementById('search'); box.value = 'HTTP second'; \
        box.dispatchEvent(new Event('input')); \
        document.querySelectorAll('#columns button')[0].click(); document.querySelectorAll('#columns button')[0].click();";
    let Some(dom) = drawn(MBOX, script) else { return };
    let found = rows(&dom);
    assert_eq!(row_count(&dom), 2);
    // Descending, by bytes: "h" comes before "H".
    assert!(found.find("\"http://h.org/~me\"").unwrap() < found.find("\"http://H.org/foo-bar\"").unwrap());
    assert_eq!(dom.matches("aria-sort=\"descending\"").count(), 1);
}

#[test]
fn a_page_of_the_table_has_a_hundred_rows() {
    let hosts = (1..250).map(|n| format!("http://h{n}.org/\n"));
    // A name that an object of the script has, too.
    let text: String = hosts.chain(["http://constructor/".to_owned()]).collect();
    let Some(dom) = drawn(&text, "document.querySelectorAll('#pages button')[3].click()") else { return };
    assert_eq!(row_count(&dom), 50);
    assert!(rows(&dom).contains("<span>:250:1</span>"));
    assert_eq!(part(&dom, "<p id=\"shown\" class=\"note\">", "</p>"), "201 to 250 of 250 links");
    assert!(part(&dom, "<ul id=\"hosts\" class=\"bars\">", "</ul>").contains("<b>constructor</b>"));
}

/// All domains can be reached: by page, and by a part of the name.
#[test]
fn all_domains() {
    let text: String = (1..=30).map(|n| format!("http://h{n}.org/\n")).collect();
    let hosts = |script: &str| {
        let dom = drawn(&text, script)?;
        let names = part(&dom, "<ul id=\"hosts\" class=\"bars\">", "</ul>").matches("<li>").count();
        Some((names, part(&dom, "<p id=\"hosts-count\" class=\"note\" role=\"status\">", "</p>").to_owned()))
    };
    let Some(first) = hosts("") else { return };
    assert_eq!(first, (12, "30 domains".to_owned()));
    assert_eq!(hosts("document.querySelectorAll('#hostpages button')[3].click()").unwrap().0, 6);
    assert_eq!(hosts("change({ hosts: 'H2' })").unwrap(), (11, "11 of 30 domains".to_owned()));
    assert_eq!(
        hosts("change({ hosts: 'x' })").unwrap(),
        (0, "None of 30 domains has this in its name.".to_owned())
    );
}

/// One year of a thousand links is cut, and the page says so.
#[test]
fn one_year_does_not_flatten_the_others() {
    let many: String = (0..1000).map(|n| format!("http://h.org/{n}\n")).collect();
    let text = MBOX.replace("1994", "1990").replace("http://h.org/~me\n", &many);
    let Some(dom) = drawn(&text, "") else { return };
    let note = part(&dom, "<p id=\"time-notes\" class=\"note\">", "</p>");
    assert!(note.starts_with("Cut, because higher than the chart: 1996 (1,001)."), "{note}");
    assert_eq!(charts(&dom).matches("<path class=\"cut\"").count(), 1);
}

/// Cells are as those of `--csv`, which a spreadsheet does not run.
#[test]
fn the_view_as_csv() {
    let mail = MBOX.replace("Second", "=1+1;\"x\"").replace("b@h.org>\nDate", "@h.org>\nDate");
    let script = "toggle('time', '1996'); document.body.dataset.csv = JSON.stringify(toCsv(drawn.list));";
    let Some(dom) = drawn(&mail, script) else { return };
    let csv: Vec<String> = serde_json::from_str(
        &part(&dom, "data-csv=\"", "\"").replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">"),
    )
    .unwrap();
    let header = "path,line,column,url,scheme,host,form,text,role,grade,join,alternatives,\
        warnings,message.id,message.from,message.date,message.subject\r\n";
    let first = "m,15,1,http://H.org/foo-bar,http,h.org,wrapper,,text,rfc1738,delimited,http://H.org/foobar,\
        ,2@h.org,B <@h.org>,1996-01-02T10:00:00+00:00,\"'=1+1;\"\"x\"\"\"\r\n";
    assert_eq!((csv.len(), &*csv[0], &*csv[1]), (3, header, first));
    let script = "document.body.dataset.csv = ['=1', '+1', '-1', '@a', '\\ta', '\\ra', '\\uff1d1', '\\u200b \\u2212\\u200b1', '\\n@a', \
        'a=1', '\\u200ba=1', 'a\\nb', null].map(csvCell).join('|');";
    let Some(dom) = drawn(MBOX, script) else { return };
    let cells = part(&dom, "data-csv=\"", "\"").replace("&quot;", "\"");
    assert_eq!(
        cells,
        "'=1|'+1|'-1|'@a|\"'\ta\"|\"'\ra\"|'\u{ff1d}1|'\u{200b} \u{2212}\u{200b}1|\"'\n@a\"|a=1|\u{200b}a=1|\"a\nb\"|"
    );
}

#[test]
fn nothing_of_the_input_is_run() {
    let evil =
        "</script><script>document.body.dataset.evil=1</script><svg onload=\"document.body.dataset.evil=2\">";
    let mail = MBOX.replace("First", evil).replace("11/a", "11/a{</script>");
    let mail = mail.replace(" and wais", &format!(" {evil}\u{202e} javascript:alert(1) and wais"));
    let Some(dom) = drawn(&mail, "change({ row: 1 })") else { return };
    assert!(!part(&dom, "<body", ">").contains("evil"));
    assert!(!dom.contains("<svg onload") && !dom.contains('\u{202e}') && !dom.contains("href=\"javascript"));
    assert!(rows(&dom).contains("&lt;/script&gt;&lt;script&gt;document.body"));
    assert!(part(rows(&dom), "<p class=\"excerpt\">", "</p>").contains("&lt;svg onload"));
}

/// No link opens what the program did not say, even if it said so.
#[test]
fn other_schemes_are_no_links() {
    let script = "for (const opens of ['javascript:alert(1)', 'data:text/html,x', ' javascript:a', 'file:///etc/passwd', 'HTTP://h.org/']) \
        document.body.append(urlElement({ url: 'u', opens }, 'x'));";
    let Some(dom) = drawn(MBOX, script) else { return };
    let (_, end) = dom.rsplit_once("</script>").unwrap();
    assert_eq!(end.matches("<span class=\"url\">x</span>").count(), 4, "{end}");
    assert_eq!(end.matches("<a class=\"url\" href=\"HTTP://h.org/\"").count(), 1);
}

/// Impossible dates are listed, and do not stretch the chart.
#[test]
fn clocks_that_are_wrong() {
    let text = [MBOX, &MBOX.replace("Jan 1994", "Jan 1904")].concat();
    let Some(dom) = drawn(&text, "") else { return };
    assert_eq!(column_count(&dom), 25, "January 1994 to January 1996");
    let undated = part(&dom, "<ul id=\"undated-links\">", "</ul>");
    assert!(undated.contains(">2</button> in messages dated before 1990"), "{undated}");
}

/// The subjects of the rows, in order.
fn subjects(dom: &str) -> Vec<&str> {
    let cells = rows(dom).split("<span class=\"subject\">").skip(1);
    cells.map(|cell| cell.split_once('<').unwrap().0).collect()
}

/// A message with this date and subject.
fn letter(date: &str, subject: &str) -> String {
    format!(
        "From a@h.org Mon Jan  3 10:00:00 1994\nFrom: a@h.org\nDate: {date}\nSubject: {subject}\n\nhttp://h.org/{subject}\n\n"
    )
}

/// A date in the future is not the newest: it comes after all others, marked, and is in no chart.
#[test]
fn the_newest_is_first() {
    let text = [
        letter("Mon, 3 Jan 1994 10:00:00 +0000", "old"),
        letter("Thu, 1 Jan 2998 10:00:00 +0000", "never"),
        letter("Fri, 1 Jan 1904 10:00:00 +0000", "before"),
        letter("Tue, 2 Jan 1996 10:00:00 +0000", "new"),
    ]
    .concat();
    let Some(dom) = drawn(&text, "") else { return };
    assert_eq!(subjects(&dom), ["new", "old", "never", "before"]);
    assert!(rows(&dom).contains(">2998-01-01<small>in the future</small></td>"), "{}", rows(&dom));
    assert!(rows(&dom).contains(">1904-01-01<small>before 1990</small></td>"), "{}", rows(&dom));
    assert_eq!(column_count(&dom), 25, "January 1994 to January 1996");
    let undated = part(&dom, "<ul id=\"undated-links\">", "</ul>");
    assert!(undated.contains(">1</button> in messages dated after this report ("), "{undated}");
    let say = "document.body.dataset.address = location.hash;";
    let Some(dom) = drawn(&text, &format!("sortBy('date'); {say}")) else { return };
    assert_eq!(subjects(&dom), ["old", "new", "never", "before"]);
    assert!(dom.contains("data-address=\"#sort=date\""));
    let Some(dom) = drawn(&text, &format!("sortBy('place'); sortBy('date'); {say}")) else { return };
    assert_eq!((subjects(&dom)[0], dom.contains("data-address=\"\"")), ("new", true));
    let Some(dom) = drawn(&text, "location.hash = '#time=future'") else { return };
    assert_eq!(subjects(&dom), ["never"]);
}

/// The hosts of a domain are below it when it is chosen, and neither choice hides the others.
#[test]
fn hosts_are_below_their_domain() {
    let text = "http://www.h.co.uk/ http://ftp.h.co.uk/ http://h.co.uk/ http://h.co.uk/b http://b.org/ http://192.0.2.1/";
    let shown = |script: &str| {
        let dom = drawn(text, &format!("{script}; document.body.dataset.address = location.hash"))?;
        let items = part(&dom, "<ul id=\"hosts\" class=\"bars\">", "</ul>").split("<li").skip(1);
        let names = items.map(|item| {
            let depth = if item.starts_with(" class=\"within\"") { "- " } else { "" };
            let pressed = if item.contains("aria-pressed=\"true\"") { "+" } else { "" };
            format!("{depth}{pressed}{}", part(item, "<b>", "</b>"))
        });
        Some((
            names.collect::<Vec<_>>().join(", "),
            row_count(&dom),
            part(&dom, "data-address=\"", "\"").to_owned(),
        ))
    };
    let all = "h.co.uk, - h.co.uk, - ftp.h.co.uk, - www.h.co.uk, 192.0.2.1, b.org";
    let Some(start) = shown("") else { return };
    assert_eq!(start, ("h.co.uk, 192.0.2.1, b.org".into(), 6, String::new()));
    let click = "document.querySelector('#hosts button').click()";
    assert_eq!(shown(click).unwrap(), (all.replacen("h.co.uk", "+h.co.uk", 1), 4, "#domain=h.co.uk".into()));
    let host = format!("{click}; document.querySelectorAll('#hosts button')[2].click()");
    let pressed = all.replacen("h.co.uk", "+h.co.uk", 1).replace("ftp", "+ftp");
    assert_eq!(shown(&host).unwrap(), (pressed, 1, "#domain=h.co.uk&amp;host=ftp.h.co.uk".into()));
    // Another domain has other hosts.
    let other = shown(&format!("{host}; toggle('domain', 'b.org')")).unwrap();
    assert_eq!(other, ("h.co.uk, 192.0.2.1, +b.org".into(), 1, "#domain=b.org".into()));
    assert_eq!(shown("change({ hosts: 'FTP' })").unwrap().0, "h.co.uk, - ftp.h.co.uk");
}

/// Names of years, and what months are of, are whole and apart, however narrow the chart is.
#[test]
fn names_below_a_chart_are_apart() {
    let script = "change({ charts: true }); const faults = [];
        for (const svg of document.querySelectorAll('.chart svg')) {
            const boxes = [...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect());
            const { right } = svg.getBoundingClientRect();
            for (const a of boxes) {
                if (a.right > right + 0.5) faults.push('beyond ' + (a.right - right));
                for (const b of boxes) if (a !== b && a.top === b.top && a.left <= b.left && a.right + 4 > b.left) faults.push('near ' + a.left);
            }
        }
        document.body.dataset.faults = faults.join();";
    let years: String =
        (1992..=2026).map(|year| letter(&format!("1 Jan {year} 10:00:00 +0000"), "x")).collect();
    let months =
        [letter("1 Dec 2023 10:00:00 +0000", "x"), letter("2 Jan 2026 10:00:00 +0000", "x")].concat();
    for text in [years, months] {
        for screen in [DESK, PHONE] {
            let Some(dom) = drawn_with(&text, script, screen, &[], 0) else { return };
            assert_eq!(part(&dom, "data-faults=\"", "\""), "", "{screen:?}");
        }
    }
}

/// One key closes what is open, also where the pointer is on a chart or the keyboard in a field.
#[test]
fn one_escape_is_enough() {
    let escape = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        document.body.dataset.address = location.hash;";
    for script in [
        "toggle('scheme', 'http'); showTip('x', 9, 9);",
        "const box = $('search'); box.focus(); box.value = 'me'; box.dispatchEvent(new Event('input'));",
        "const box = $('host-search'); box.focus(); box.value = 'w'; change({ hosts: 'w' });",
    ] {
        let Some(dom) = drawn(MBOX, &format!("{script} {escape}")) else { return };
        assert!(dom.contains("data-address=\"\""), "{script} {}", part(&dom, "<body", ">"));
        assert!(part(&dom, "<div id=\"tip\"", ">").contains("hidden"));
    }
}

/// On paper are the charts, and the rows of one page: six sheets at most, of any number of links.
#[test]
fn few_sheets_are_printed() {
    let texts = "<p><a href=\"http://h.org/NNN/WWW\">The text of link NNN</a></p>\n"
        .replace("WWW", &"w/".repeat(200));
    let links: String = (0..3000).map(|n| texts.replace("NNN", &n.to_string())).collect();
    let mail =
        format!("From: a@h.org\nDate: Mon, 3 Jan 1994 10:00:00 +0000\nContent-Type: text/html\n\n{links}");
    let files = folder(&[("m", &mail)]);
    let ran = run(within(&files, &["-q", "--report=r.html", "m"]), b"");
    assert_eq!(ran.status, Some(0));
    let Some(sheets) = chromium::print(&files.path().join("r.html")) else { return };
    assert!((2..=6).contains(&sheets), "{sheets}");
    let Some(dom) = drawn(&mail, "") else { return };
    let left = part(&dom, "<p id=\"left\" class=\"note\">", "</p>");
    assert!(left.starts_with("2,900 more are not printed."), "{left}");
}

/// A sheet has all columns, however long a URL is.
#[test]
fn nothing_is_beyond_a_sheet() {
    let script = "for (const rule of document.styleSheets[0].cssRules) {
            if (rule.media?.mediaText === 'print') rule.media.mediaText = 'all';
            else if (rule.media?.mediaText.startsWith('screen')) rule.media.mediaText = 'not all';
        }
        document.body.dataset.over = Math.max(0, document.documentElement.scrollWidth - innerWidth);";
    let link = format!("<p><a href=\"http://h.org/{}\">A text</a></p>\n", "wide".repeat(60));
    let text = format!(
        "From: a@h.org\nDate: Mon, 3 Jan 1994 10:00:00 +0000\nContent-Type: text/html\n\n{link}{link}"
    );
    // Without its margins, A4 has 680 pixels.
    for width in [640, 680, 1010] {
        let Some(dom) = drawn_with(&text, script, (width, 900), &[], 0) else { return };
        assert!(dom.contains("<section id=\"urls-section\" aria-labelledby=\"urls-title\">"));
        assert_eq!(part(&dom, "data-over=\"", "\""), "0", "{width}");
    }
}

/// Without links there are words in place of charts.
/// The page spells URLs itself, because it would be twice as long with both spellings.
#[test]
fn the_page_defangs_as_the_program_does() {
    let urls = [
        "http://www.h.org:80/a.b?c=d.e",
        "https://joe:x@h.org/",
        "ftp://h.org/http://k.org/",
        "http://h.org/a(.)b[@]c",
        "mailto:joe.x@h.org?cc=k@h.org&body=c.d",
        "mailto:joe.x@h.org?body=http://me.x@k.org/c.d",
        "https://h.org/?u=https://me@k.a.org:80/b.c&d=e.f",
        "http://[::1]/",
        "http://localhost/a.b",
        "HTTP://H.org/",
        "telnet://h.org:23/",
        "gopher://aa/[.]http://k.org/",
        "http://h.org/?u=HTTP://k.org/a.b",
        "news:comp.lang@h.org",
        "file:///etc/a.b",
    ];
    let script = format!("document.body.dataset.defanged = {urls:?}.map(defanged).join(' ')");
    let Some(dom) = drawn(MBOX, &script) else { return };
    let expected = urls.map(|url| String::from_utf8(urlgrep::grammar::defang(url.as_bytes())).unwrap());
    assert_eq!(part(&dom, "data-defanged=\"", "\""), expected.join(" ").replace('&', "&amp;"));
}

#[test]
fn an_empty_page_says_so() {
    let Some(dom) = drawn_with(MBOX, "", DESK, &["--scheme=telnet"], 1) else { return };
    assert!(
        dom.contains("<div id=\"some\" hidden=\"\">")
            && dom.contains("<section id=\"nothing\" aria-labelledby=\"nothing-title\">")
    );
    let said = part(&dom, "<p id=\"nothing-read\">", "</p>");
    assert_eq!(said, "1 file with 2 messages was searched, and no URL was printed.");
    let Some(dom) = drawn(MBOX, "change({ words: 'nowhere' })") else { return };
    assert!(dom.contains("<section id=\"no-rows\" aria-labelledby=\"no-rows-title\" tabindex=\"-1\">"));
}

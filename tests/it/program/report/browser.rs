//! The page as a browser draws it, where there is one.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::super::{folder, run, within};
use super::MBOX;

/// The names that Chromium goes by.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser, if one is installed.
fn browser() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut folders = env::split_paths(&path);
    let found = folders
        .find_map(|folder| BROWSERS.map(|name| folder.join(name)).into_iter().find(|file| file.is_file()));
    if found.is_none() {
        eprintln!("skipped: there is no Chromium in PATH");
    }
    found
}

/// What a browser makes of the report on a text, after it has run a script in it;
/// nothing if there is no browser.
fn drawn(text: &str, script: &str) -> Option<String> {
    let browser = browser()?;
    let files = folder(&[("m", text)]);
    assert_eq!(run(within(&files, &["--report=r.html", "m"]), b"").status, Some(0));
    let file = files.path().join("r.html");
    let page = fs::read_to_string(&file).unwrap();
    fs::write(&file, page.replace("</body>", &format!("<script>{script}</script></body>"))).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8(output.stdout).unwrap();
    assert!(dom.contains(" data-drawn=") && !dom.contains(" data-failed="), "{dom}");
    Some(dom)
}

/// The text between the tag that starts with `begin` and the end tag.
fn part<'d>(dom: &'d str, begin: &str, end: &str) -> &'d str {
    let (_, rest) = dom.split_once(begin).unwrap_or_else(|| panic!("{begin} is missing"));
    rest.split_once(end).unwrap().0
}

fn rows(dom: &str) -> &str {
    part(dom, "<tbody id=\"rows\">", "</tbody>")
}

#[test]
fn columns_bars_and_rows() {
    let Some(dom) = drawn(MBOX, "") else { return };
    let years = part(&dom, "<div id=\"years\">", "</svg>");
    assert_eq!(years.matches("class=\"column\"").count(), 3, "1995 has a column, which is empty");
    // Once in numbers and once in shares.
    for (scheme, times) in [("gopher", 2), ("wais", 2), ("http", 2), ("ftp", 0)] {
        assert_eq!(years.matches(&format!("data-scheme=\"{scheme}\"")).count(), times, "{scheme}");
    }
    assert!(years.contains("aria-label=\"1994: 2 links, wais 1 (50.0 %), gopher 1 (50.0 %)\""), "{years}");
    assert_eq!(part(&dom, "<ul id=\"hosts\" class=\"bars\">", "</ul>").matches("<li>").count(), 2);
    assert!(part(&dom, "<ul id=\"grades\" class=\"bars\">", "</ul>").contains("3 \u{b7} 75.0 %"));
    assert!(part(&dom, "<p id=\"rejoined\" class=\"share\">", "</p>").starts_with("<b>25.0 %</b>"));
    assert_eq!(rows(&dom).matches("<tr>").count(), 4);
    let row = "<tr><td><a href=\"http://H.org/foo-bar\" target=\"_blank\" rel=\"noreferrer noopener\">http://H.org/foo-bar</a></td>\
        <td title=\"1996-01-02T10:00:00+00:00\">1996-01-02</td>\
        <td title=\"2@h.org\">Second<small>B &lt;b@h.org&gt;</small></td>\
        <td>m:15:1</td><td>rfc1738</td><td>wrapper</td><td>delimited</td></tr>";
    assert!(rows(&dom).contains(row), "{}", rows(&dom));
    assert!(rows(&dom).contains("<td>wais://w.org/b</td>"), "nothing opens this");
}

#[test]
fn a_click_chooses() {
    let click = "document.querySelector('[data-year=\"1996\"]').dispatchEvent(new MouseEvent('click'))";
    let Some(dom) = drawn(MBOX, click) else { return };
    assert_eq!(rows(&dom).matches("<tr>").count(), 2);
    assert!(part(&dom, "<div id=\"chosen\">", "</div>").contains("year: 1996"));
    assert!(part(&dom, "<p id=\"rejoined\" class=\"share\">", "</p>").starts_with("<b>50.0 %</b>"));
    // The other years can still be seen, to be chosen.
    assert!(part(&dom, "<div id=\"years\">", "</svg>").contains("1994: 2 links"));
}

#[test]
fn words_choose_and_columns_sort() {
    let script = "const box = document.getElementById('search'); box.value = 'HTTP second'; \
        box.dispatchEvent(new Event('input')); \
        document.querySelectorAll('#columns button')[0].click(); document.querySelectorAll('#columns button')[0].click();";
    let Some(dom) = drawn(MBOX, script) else { return };
    let rows = rows(&dom);
    assert_eq!(rows.matches("<tr>").count(), 2);
    // Descending, by bytes: "h" comes before "H".
    assert!(rows.find("http://h.org/~me").unwrap() < rows.find("http://H.org/foo-bar").unwrap());
    assert_eq!(dom.matches("aria-sort=\"descending\"").count(), 1);
}

#[test]
fn a_page_of_the_table_has_a_hundred_rows() {
    let hosts = (1..250).map(|n| format!("http://h{n}.org/\n"));
    // A name that an object of the script has, too.
    let text: String = hosts.chain(["http://constructor/".to_owned()]).collect();
    let Some(dom) = drawn(&text, "document.querySelectorAll('#pages button')[3].click()") else { return };
    assert_eq!(rows(&dom).matches("<tr>").count(), 50);
    assert!(rows(&dom).contains("m:250:1"));
    assert!(part(&dom, "<p id=\"count\"", "</p>").ends_with("250 of 250 links \u{b7} 201 to 250 are shown"));
    assert!(part(&dom, "<ul id=\"hosts\" class=\"bars\">", "</ul>").contains("<span>constructor</span>"));
    assert!(part(&dom, "<ul id=\"undated-links\">", "</ul>").contains(">250</button> are in no message"));
}

#[test]
fn nothing_of_the_input_is_run() {
    let evil = "</script><script>document.body.dataset.evil=1</script><img src=x onerror=\"document.body.dataset.evil=2\">";
    let mail = MBOX.replace("First", evil).replace("11/a", "11/a{</script>");
    let Some(dom) = drawn(&mail, "") else { return };
    assert!(!part(&dom, "<body", ">").contains("evil"));
    assert!(!dom.contains("<img"));
    assert!(rows(&dom).contains("&lt;/script&gt;&lt;script&gt;document.body"));
}

/// Impossible dates are listed, and do not stretch the chart.
#[test]
fn clocks_that_are_wrong() {
    let Some(dom) = drawn(&MBOX.replace("Jan 1994", "Jan 1904"), "") else { return };
    assert_eq!(part(&dom, "<div id=\"years\">", "</svg>").matches("class=\"column\"").count(), 1);
    assert!(
        part(&dom, "<ul id=\"undated-links\">", "</ul>")
            .contains(">2</button> are in a message dated before 1990")
    );
}

//! A newsletter of 69 links.

use super::{Terminal, menu, shows};

/// 60 stories, and then what else there is in mail.
fn newsletter() -> String {
    let header = "From: editor@example.org\nSubject: Harbour news\nMIME-Version: 1.0\n\
                  Content-Type: text/html; charset=utf-8\n\n<html><body>\n";
    let story = |n| {
        format!(
            "<p>Story {n} is told here. Please <a href=\"http://news.example.org/{n:02}/story?a=1&amp;b=2\">\
             read story {n}</a> before noon. Then rest.</p>\n"
        )
    };
    let again =
        "<p><a href=\"http://news.example.org/02/story?a=1&amp;b=2\"><img alt=\"\"></a></p>\n".repeat(4);
    let last = "<p>Play <a href=\"telnet://muds.example.org/\">the game</a> now.</p>\n\
                <pre>Look at &lt;URL:http://news.example.org/foo-\nbar&gt; soon.</pre>\n\
                <p>\u{4eca}\u{65e5}\u{306e}<a href=\"http://news.example.org/jp\">\u{65b0}\u{805e}</a>\u{3067}\u{3059}\u{3002}</p>\n\
                <p>Trap: <a href=\"http://news.example.org/;touch$IFS'x'`id`&amp;%s\">a\u{202e}b</a></p>\n";
    let long = format!("<p><a href=\"http://news.example.org/{}\">Long</a></p>\n", "x/".repeat(200));
    format!("{header}{}{again}{last}{long}</body></html>\n", (1..=60).map(story).collect::<String>())
}

/// A terminal that shows the menu of the newsletter.
fn newsletter_in(columns: u16, rows: u16, args: &str) -> Option<Terminal> {
    let terminal = Terminal::new(columns, rows)?;
    terminal.file("news.eml", &newsletter());
    terminal.run(&menu(args, "news.eml"));
    // Keys that come before would be lost.
    terminal.wait_for(|screen| screen[0].starts_with("URL 1 of ") && !screen[0].contains("searching"));
    Some(terminal)
}

#[test]
fn thirty_columns() {
    let Some(terminal) = newsletter_in(30, 10, "-") else { return };
    let stories = [
        "> 1 http://news.example.org/0\u{2026}",
        "    read story 1 \u{b7} Please rea\u{2026}",
        "  2 http://news.example.org/0\u{2026}",
        "    read story 2 \u{b7} Please rea\u{2026}",
        "  3 http://news.example.org/0\u{2026}",
        "    read story 3 \u{b7} Please rea\u{2026}",
        "  4 http://news.example.org/0\u{2026}",
        "    read story 4 \u{b7} Please rea\u{2026}",
        "Enter open  ? help  q quit",
    ];
    shows(&terminal, &[&["URL 1 of 69  Harbour news"], &stories[..]].concat());
    // The whole URL and the lines around it are there.
    terminal.keys(&["j", "s"]);
    shows(
        &terminal,
        &[
            "Around URL 2 of 69  Harbour n\u{2026}",
            "http://news.example.org/02/sto",
            "ry?a=1&b=2",
            "Text: read story 2",
            "Subject: Harbour news",
            "",
            "Story 1 is told here. Please",
            "read story 1 before noon. Then",
            "rest.",
            "Enter open  Esc back  y copy",
        ],
    );
    terminal.keys(&["G"]);
    // The fifth line after that of the URL is empty.
    let end = ["Story 4 is told here. Please", "read story 4 before noon. Then", "rest.", ""];
    let screen = terminal.wait_for(|screen| screen[5..9] == end);
    assert_eq!(screen[5..9], end);
}

#[test]
fn eighty_columns() {
    let Some(terminal) = newsletter_in(80, 9, "-") else { return };
    let hints = "Enter open  ? help  q quit  / search  y copy  s context  d fold";
    shows(
        &terminal,
        &[
            "URL 1 of 69  Harbour news",
            "> 1 http://news.example.org/01/story?a=1&b=2",
            "    read story 1 \u{b7} Please read story 1 before noon.",
            "  2 http://news.example.org/02/story?a=1&b=2",
            "    read story 2 \u{b7} Please read story 2 before noon.",
            "  3 http://news.example.org/03/story?a=1&b=2",
            "    read story 3 \u{b7} Please read story 3 before noon.",
            "",
            hints,
        ],
    );
    terminal.keys(&["G"]);
    let last = [
        "URL 69 of 69  Harbour news",
        " 67 http://news.example.org/jp",
        "    \u{65b0}\u{805e} \u{b7} \u{4eca}\u{65e5}\u{306e}\u{65b0}\u{805e}\u{3067}\u{3059}\u{3002}",
        " 68 http://news.example.org/;touch$IFS'x'`id`&%s",
        "    a\\xE2\\x80\\xAEb \u{b7} Trap: a\\xE2\\x80\\xAEb",
        ">69 http://news.example.org/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x\u{2026}",
        "    Long",
        "",
        hints,
    ];
    shows(&terminal, &last);
    // 66 is the broken URL, which has two readings.
    terminal.keys(&["6", "6", "r"]);
    shows(
        &terminal,
        &[
            "Readings of URL 66 of 69  Harbour news",
            "> 1 http://news.example.org/foo-bar",
            "  2 http://news.example.org/foobar",
            "",
            "",
            "",
            "",
            "",
            "Enter open  Esc back  y copy",
        ],
    );
    terminal.keys(&["j", "Enter"]);
    terminal.opens("1\nhttp://news.example.org/foobar\n");
}

#[test]
fn two_hundred_columns() {
    let Some(terminal) = newsletter_in(200, 6, "-") else { return };
    // The URL has half of the columns after the number, and the rest is after two spaces.
    let row = |mark, n| {
        let url = format!("{mark}{n:2} http://news.example.org/{n:02}/story?a=1&b=2");
        format!("{url:103}read story {n} \u{b7} Please read story {n} before noon.")
    };
    shows(
        &terminal,
        &[
            "URL 1 of 69  Harbour news".into(),
            row(">", 1),
            row(" ", 2),
            row(" ", 3),
            row(" ", 4),
            "Enter open  ? help  q quit  / search  y copy  s context  d fold".into(),
        ],
    );
    terminal.keys(&["NPage", "Up"]);
    let footer = "Enter open  ? help  q quit  / search  y copy  s context  d fold".to_owned();
    shows(
        &terminal,
        &["URL 4 of 69  Harbour news".into(), row(" ", 2), row(" ", 3), row(">", 4), row(" ", 5), footer],
    );
}

#[test]
fn duplicates_are_folded() {
    let Some(terminal) = newsletter_in(80, 6, "-u -") else { return };
    let rows = [
        "> 1 http://news.example.org/01/story?a=1&b=2",
        "    read story 1 \u{b7} Please read story 1 before noon.",
        "  2 http://news.example.org/02/story?a=1&b=2 \u{d7}5",
        "    read story 2 \u{b7} Please read story 2 before noon.",
    ];
    let hints = "Enter open  ? help  q quit  / search  y copy  s context  d fold";
    shows(&terminal, &[&["URL 1 of 65  Harbour news"], &rows[..], &[hints]].concat());
    terminal.keys(&["d"]);
    let screen = terminal.wait_for(|screen| screen[5] == "All duplicates are shown");
    assert_eq!((&*screen[0], &*screen[5]), ("URL 1 of 69  Harbour news", "All duplicates are shown"));
    terminal.keys(&["d"]);
    let screen = terminal.wait_for(|screen| screen[5] == "4 duplicates are folded");
    assert_eq!((&*screen[0], &*screen[5]), ("URL 1 of 65  Harbour news", "4 duplicates are folded"));
}

#[test]
fn a_search_finds_and_a_key_opens() {
    let Some(terminal) = newsletter_in(80, 6, "-") else { return };
    terminal.keys(&["/", "STORY", "Space", "17"]);
    let row = ["> 1 http://news.example.org/17/story?a=1&b=2"; 1];
    let text = "    read story 17 \u{b7} Please read story 17 before noon.";
    shows(&terminal, &["URL 1 of 1  Harbour news", row[0], text, "", "", "/STORY 17"]);
    terminal.keys(&["Enter", "Enter"]);
    terminal.opens("1\nhttp://news.example.org/17/story?a=1&b=2\n");
    let notice = format!("Opened with {}: h", terminal.path("browser").display());
    let screen = terminal.wait_for(|screen| screen[5].starts_with(&notice));
    assert!(screen[5].starts_with(&notice), "{screen:?}");
    assert_eq!(screen[0], "URL 1 of 1 with \"STORY 17\"  Harbour news");
    terminal.keys(&["q"]);
    shows(&terminal, &["status 0"]);
}

/// The URL is one argument, whatever is in it, and no shell reads it.
#[test]
fn a_hostile_url_is_one_argument() {
    let Some(terminal) = newsletter_in(80, 6, "-") else { return };
    terminal.keys(&["6", "8", "Enter"]);
    terminal.opens("1\nhttp://news.example.org/;touch$IFS'x'`id`&%s\n");
    assert!(!terminal.path("x").exists());
}

#[test]
fn other_schemes_are_copied_only() {
    let Some(terminal) = newsletter_in(120, 6, "-") else { return };
    terminal.keys(&["6", "5", "Enter"]);
    let refused =
        "telnet is not opened: only http, https, ftp, gopher, mailto and news are. y copies the URL";
    let screen = terminal.wait_for(|screen| screen[5] == refused);
    assert_eq!(screen[5], refused);
    terminal.keys(&["y"]);
    let screen = terminal.wait_for(|screen| screen[5] == "Copied telnet://muds.example.org/");
    assert_eq!(screen[5], "Copied telnet://muds.example.org/");
    assert_eq!(terminal.tmux(&["show-buffer"]).stdout, b"telnet://muds.example.org/");
    assert!(!terminal.path("opened").exists());
}

#[test]
fn help_has_every_key() {
    let Some(terminal) = newsletter_in(80, 24, "-") else { return };
    terminal.keys(&["?"]);
    shows(
        &terminal,
        &[
            "Keys",
            "Enter        open the URL in a browser",
            "y            copy the URL",
            "s            show the lines around the URL",
            "r            show the other readings of a URL that was broken",
            "d            fold duplicates, or show them",
            "/            search in URLs, texts and subjects",
            "Esc          leave a search or a pane; quit",
            "q            leave a pane; quit",
            "",
            "j, Down      next",
            "k, Up        previous",
            "PgDn, Space  next page",
            "PgUp, b      previous page",
            "g, Home      first",
            "G, End       last",
            "1, 2, ...    the URL of this number",
            "Ctrl-L       draw the screen again",
            "",
            "\u{d7}3: the URL is there 3 times",
            "r+1: it has one other reading",
            "",
            "",
            "Esc back",
        ],
    );
    terminal.keys(&["Escape"]);
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 69  Harbour news");
    assert_eq!(screen[0], "URL 1 of 69  Harbour news");
    terminal.keys(&["Escape"]);
    shows(&terminal, &["status 0"]);
}

/// Filters and formats of other searches apply to the menu.
#[test]
fn options_of_a_search_apply() {
    let Some(terminal) = newsletter_in(80, 5, "--scheme telnet --subject harbour --input mail -n -C 0 -")
    else {
        return;
    };
    let hints = "Enter open  ? help  q quit  / search  y copy  s context  d fold";
    let row = [">1 telnet://muds.example.org/", "   the game \u{b7} Play the game now.", ""];
    shows(&terminal, &[&["URL 1 of 1  Harbour news"], &row[..], &[hints]].concat());
    terminal.keys(&["s", "G"]);
    let screen = terminal.wait_for(|screen| screen[3] == "Play the game now.");
    assert_eq!(screen[1..4], ["In: line 71", "", "Play the game now."]);
}

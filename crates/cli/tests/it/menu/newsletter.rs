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

const HINTS: &str = "Enter open  ? help  q quit  Space mark  / search  y copy  p print  s message";

/// The row of a story on 80 columns: the text of its link begins after 5 columns and has 41.
fn story(mark: &str, n: u32) -> String {
    let text = format!("{mark}{n:2}  read story {n}");
    format!("{text:46}news.example.org/{n:02}/story?a=1&b=2")
}

#[test]
fn thirty_columns() {
    let Some(terminal) = newsletter_in(30, 7, "-") else { return };
    let stories = [
        "> 1  read story 1",
        "  2  read story 2 \u{d7}5",
        "  3  read story 3",
        "  4  read story 4",
        "http://news.example.org/01/st\u{2026}",
        "Enter open  ? help  q quit",
    ];
    shows(&terminal, &[&["URL 1 of 65 TL  Harbour news"], &stories[..]].concat());
    // The message is there, at the link.
    terminal.keys(&["j", "s"]);
    let title = "Message of URL 2 of 65 TL  Ha\u{2026}";
    let told = ["Story 2 is told here. Please", "read story 2 before noon. Then", "rest.", ""];
    let last = ["Story 3 is told here. Please", "Enter open  Esc back  y copy"];
    shows(&terminal, &[&[title], &told[..], &last[..]].concat());
    // Before it are the whole URL and what is known of it.
    terminal.keys(&["g"]);
    let facts = [
        "http://news.example.org/02/sto",
        "ry?a=1&b=2",
        "Text: read story 2",
        "",
        "From: editor@example.org",
        "Enter open  Esc back  y copy",
    ];
    shows(&terminal, &[&[title], &facts[..]].concat());
    terminal.keys(&["G"]);
    let screen = terminal.wait_for(|screen| screen[5] == "Long");
    assert_eq!(screen[5], "Long");
}

#[test]
fn eighty_columns() {
    let Some(terminal) = newsletter_in(80, 6, "-") else { return };
    let row = story(" ", 2).replacen("story 2   ", "story 2 \u{d7}5", 1);
    shows(
        &terminal,
        &[
            "URL 1 of 65 TL  Harbour news".into(),
            story(">", 1),
            row,
            story(" ", 3),
            "http://news.example.org/01/story?a=1&b=2".into(),
            HINTS.into(),
        ],
    );
    terminal.keys(&["G"]);
    shows(
        &terminal,
        &[
            "URL 65 of 65 TL  Harbour news",
            &format!(" 63  \u{65b0}\u{805e}{:37}news.example.org/jp", ""),
            " 64  a\\xE2\\x80\\xAEb                           news.example.org/;touch$IFS'x'`id\u{2026}",
            ">65  Long                                     news.example.org/x/x/x/x/x/x/x/x/\u{2026}",
            "http://news.example.org/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x\u{2026}",
            HINTS,
        ],
    );
    // 62 is the broken URL, which has two readings.
    terminal.keys(&["6", "2", "r"]);
    shows(
        &terminal,
        &[
            "Readings of URL 62 of 65 TL  Harbour news",
            "> 1 http://news.example.org/foo-bar",
            "  2 http://news.example.org/foobar",
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
    // The list has 100 columns, and the text of a link 52 of them. The message is beside it.
    let row = |mark: &str, n: u32, url: &str, beside: &str| {
        let text = format!("{mark}{n:2}  read story {n}{url}");
        let row = format!("{text:57}news.example.org/{n:02}/story?a=1&b=2");
        format!("{row:100}\u{2502} {beside}").trim_end().to_owned()
    };
    let end = ["http://news.example.org/01/story?a=1&b=2".to_owned(), format!("{HINTS}  | command  d fold")];
    let rows = [
        "URL 1 of 65 TL  Harbour news".into(),
        row(">", 1, "", ""),
        row(" ", 2, " \u{d7}5", "Story 1 is told here. Please read story 1 before noon. Then rest."),
        row(" ", 3, "", ""),
    ];
    shows(&terminal, &[&rows[..], &end[..]].concat());
    // The line of the URL is in the message.
    terminal.keys(&["NPage", "Up"]);
    let screen = terminal.wait_for(|screen| screen[0].starts_with("URL 3"));
    let beside: Vec<_> =
        screen[1..4].iter().map(|line| line.split("\u{2502} ").nth(1).unwrap_or("")).collect();
    let line = "Story 3 is told here. Please read story 3 before noon. Then rest.";
    assert!(beside.contains(&line), "{screen:?}");
    terminal.keys(&["v"]);
    let screen = terminal.wait_for(|screen| !screen[1].contains('\u{2502}'));
    assert!(!screen[1].contains('\u{2502}'), "{screen:?}");
}

#[test]
fn duplicates_are_unfolded() {
    let Some(terminal) = newsletter_in(80, 6, "-u -") else { return };
    terminal.keys(&["d"]);
    let screen = terminal.wait_for(|screen| screen[5] == "All duplicates are shown");
    assert_eq!((&*screen[0], &*screen[5]), ("URL 1 of 69 TL  Harbour news", "All duplicates are shown"));
    terminal.keys(&["d"]);
    let screen = terminal.wait_for(|screen| screen[5] == "4 duplicates are folded");
    assert_eq!((&*screen[0], &*screen[5]), ("URL 1 of 65 TL  Harbour news", "4 duplicates are folded"));
}

#[test]
fn a_filter_narrows_and_a_key_opens() {
    let Some(terminal) = newsletter_in(80, 6, "-") else { return };
    terminal.keys(&["&", "STORY", "Space", "17"]);
    let row = "> 1  read story 17                            news.example.org/17/story?a=1&b=2";
    let url = "http://news.example.org/17/story?a=1&b=2";
    shows(&terminal, &["URL 1 of 1 TL  Harbour news", row, "", "", url, "&STORY 17"]);
    terminal.keys(&["Enter", "Enter"]);
    terminal.opens("1\nhttp://news.example.org/17/story?a=1&b=2\n");
    let notice = format!("Opened with {}: h", terminal.path("browser").display());
    let screen = terminal.wait_for(|screen| screen[5].starts_with(&notice));
    assert!(screen[5].starts_with(&notice), "{screen:?}");
    assert_eq!(screen[0], "URL 1 of 1 with \"STORY 17\" TL  Harbour news");
    terminal.keys(&["q"]);
    shows(&terminal, &["status 0"]);
}

/// As in less: / goes to what is searched for, n to the next, and N to the one before.
#[test]
fn a_search_goes_on() {
    let Some(terminal) = newsletter_in(80, 6, "-") else { return };
    let at = |number: &str| {
        let title = format!("URL {number} of 65 TL  Harbour news");
        let screen = terminal.wait_for(|screen| screen[0] == title);
        assert_eq!(screen[0], title, "{screen:?}");
    };
    terminal.keys(&["/", "ORG/1"]);
    at("10");
    terminal.keys(&["7"]);
    at("17");
    terminal.keys(&["BSpace", "Enter", "n"]);
    at("11");
    terminal.keys(&["N", "N"]);
    at("19");
}

/// The URL is one argument, whatever is in it, and no shell reads it.
#[test]
fn a_hostile_url_is_one_argument() {
    let Some(terminal) = newsletter_in(80, 6, "-") else { return };
    terminal.keys(&["6", "4", "Enter"]);
    terminal.opens("1\nhttp://news.example.org/;touch$IFS'x'`id`&%s\n");
    assert!(!terminal.path("x").exists());
}

#[test]
fn other_schemes_are_copied_only() {
    let Some(terminal) = newsletter_in(120, 6, "-") else { return };
    terminal.keys(&["6", "1", "Enter"]);
    let refused = "telnet URLs are not opened; press y to copy the URL";
    let screen = terminal.wait_for(|screen| screen[5] == refused);
    assert_eq!(screen[5], refused);
    terminal.keys(&["y"]);
    let screen = terminal.wait_for(|screen| screen[5] == "Copied with tmux: telnet://muds.example.org/");
    assert_eq!(screen[5], "Copied with tmux: telnet://muds.example.org/");
    assert_eq!(terminal.tmux(&["show-buffer"]).stdout, b"telnet://muds.example.org/");
    assert!(!terminal.path("opened").exists());
}

#[test]
fn help_has_every_key() {
    let Some(terminal) = newsletter_in(80, 39, "-") else { return };
    terminal.keys(&["?"]);
    shows(
        &terminal,
        &[
            "Keys",
            "Enter        open the URL, or the marked ones",
            "y            copy them",
            "D            copy them defanged: hxxp://h[.]org/",
            "p            quit, and print them on standard output",
            "|            run a command on them",
            "Space, Tab   mark the URL",
            "a            mark all URLs in the list, or unmark them",
            "",
            "s            show the message, at the URL",
            "v            show the message next to or below the list, or hide it",
            "J, K         scroll the message there; also Ctrl-D, Ctrl-U",
            "r            show the other readings of a URL that was broken",
            "d            fold duplicates, or show them",
            "T, L, I, P   show or hide URLs in text, links, images, trackers",
            "F, R, H      forms, resources of a page, header fields",
            "",
            "/            search URLs, link texts, sentences around URLs, subjects",
            "n, N         the next match; the previous match",
            "&            show only the links that contain these words",
            "Esc          leave a prompt or a pane; quit",
            "q            leave a pane; quit",
            "j, Down      next",
            "k, Up        previous",
            "PgDn, f      next page",
            "PgUp, b      previous page",
            "g, Home      first",
            "G, End       last",
            "1, 2, ...    the URL with this number",
            "m            switch the mouse between the terminal and the menu",
            "Ctrl-L       draw the screen again",
            "Ctrl-C       quit",
            "",
            "TLi: text and link are shown, image is hidden",
            "\u{d7}3: the URL occurs 3 times",
            "r+1: it has one other reading",
            "!: the URL has a warning, which is shown with it",
            "",
            "Esc back",
        ],
    );
    terminal.keys(&["Escape"]);
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 65 TL  Harbour news");
    assert_eq!(screen[0], "URL 1 of 65 TL  Harbour news");
    terminal.keys(&["Escape"]);
    shows(&terminal, &["status 0"]);
}

/// Filters and formats of other searches apply to the menu.
#[test]
fn options_of_a_search_apply() {
    let Some(terminal) =
        newsletter_in(80, 12, "--scheme telnet --where message.subject=harbour --input mail -n -C 0 -")
    else {
        return;
    };
    let screen = terminal.wait_for(|screen| screen[0] == "URL 1 of 1 L  Harbour news");
    assert_eq!(screen[1], ">1  the game                                 telnet://muds.example.org/");
    // The whole URL stays where it is, and the message below it is at the link.
    terminal.keys(&["s"]);
    shows(
        &terminal,
        &[
            "Message of URL 1 of 1 L  Harbour news",
            "telnet://muds.example.org/",
            "Text: the game",
            "In: line 71",
            "",
            "Story 60 is told here. Please read story 60 before noon. Then rest.",
            "",
            "Play the game now.",
            "",
            "Look at <URL:http://news.example.org/foo-",
            "bar> soon.",
            "Enter open  Esc back  y copy",
        ],
    );
}

//! Newsletters as they are sent: a page of tables and pictures, and one of plain text.

use super::{Terminal, menu, shows};

/// A page with a logo, pictures that are links, icons without a text next to other links, and what is not
/// seen: padding before the first line, a pixel that counts readers, a style sheet.
const LANTERN: &str = r#"From: The Weekly Lantern <post@lantern.example>
To: a@h.example
Subject: Lantern 41: The bridge is open
Date: Fri, 2 Mar 2001 10:11:12 +0000
List-Unsubscribe: <http://lantern.example/u/41?m=a>
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<html><head><link rel="stylesheet" href="http://cdn.lantern.example/s.css"></head><body>
<div style="display:none">The bridge is open &zwnj;&nbsp;&zwnj;&nbsp;&zwnj;&nbsp;</div>
<table><tr><td><a href="http://lantern.example/"><img src="http://cdn.lantern.example/logo.png" alt="The Weekly Lantern"></a></td>
<td><a href="http://lantern.example/41">View in your browser</a></td></tr></table>
<h1><a href="http://lantern.example/41/bridge">The bridge is open</a></h1>
<p>After three years it carries walkers again. The mayor cut the ribbon, and the band played.
<a href="http://lantern.example/41/bridge">Read on</a></p>
<table><tr><td><a href="http://lantern.example/41/mill" title="The mill at night"><img src="http://cdn.lantern.example/mill.jpg"></a></td>
<td>The mill turns again. <a href="http://lantern.example/41/mill">More about
   the <b>mill</b></a></td></tr></table>
<p>Advertisement: <a href="http://ads.example/c?id=7&amp;to=http%3A%2F%2Frope.example%2F">Ropes that hold</a></p>
<p>Our shop: <a href="http://track.example.net/x9">www.example.com</a></p>
<form action="http://lantern.example/search"><input name="q"></form>
<table><tr><td><a href="http://facebook.example/lantern"><img src="http://cdn.lantern.example/f.png" alt=""></a></td>
<td><a href="http://lantern.example/u/41?m=a">Unsubscribe</a></td>
<td><a href="mailto:post@lantern.example">post@lantern.example</a></td></tr></table>
<img src="http://track.example.net/open.gif?m=a" width="1" height="1">
</body></html>
"#;

/// A text with a broken URL, numbered links and a signature.
const TIDES: &str = "From: Tide tables <tide@harbour.example>
Subject: Tides in March

Spring tides are on the 9th and the 25th. The table for the month
is at <http://harbour.example/tides/2001/
03.html>, and on paper in the office.

[1] http://harbour.example/webcam
[2] ftp://ftp.harbour.example/charts/north.zip

You get this because you asked for it. To stop, write to
mailto:tide-leave@harbour.example or see
http://harbour.example/lists/leave?who=a

-- 
http://harbour.example/
";

/// A terminal that shows the menu of a letter.
fn letter_in(letter: &str, columns: u16, rows: u16, args: &str) -> Option<Terminal> {
    let terminal = Terminal::new(columns, rows)?;
    terminal.file("letter.eml", letter);
    terminal.run(&menu(args, "letter.eml"));
    terminal.wait_for(|screen| screen[0].starts_with("URL ") && !screen[0].contains("searching"));
    Some(terminal)
}

#[test]
fn a_link_has_its_own_text_or_none() {
    let Some(terminal) = letter_in(LANTERN, 80, 24, "-") else { return };
    shows(
        &terminal,
        &[
            "URL 1 of 9 Lipfrh  Lantern 41: The bridge is open",
            "> 1  The Weekly Lantern                       lantern.example/",
            "  2  View in your browser                     lantern.example/41",
            "  3  The bridge is open \u{d7}2                    lantern.example/41/bridge",
            "  4  The mill at night \u{d7}2                     lantern.example/41/mill",
            "  5  Ropes that hold !                        ads.example/c?id=7&to=http%3A%2F%\u{2026}",
            "  6  www.example.com !                        track.example.net/x9",
            "  7  facebook.example/lantern",
            "  8  Unsubscribe                              lantern.example/u/41?m=a",
            "  9  mailto:post@lantern.example",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "http://lantern.example/",
            HINTS,
        ],
    );
    // The warning is told before the URL.
    terminal.keys(&["6"]);
    let detail = "! has link text that shows another host: http://track.example.net/x9";
    let screen = terminal.wait_for(|screen| screen[22] == detail);
    assert_eq!(screen[22], detail);
}

const HINTS: &str = "Enter open  ? help  q quit  Space mark  / search  y copy  p print  s message";

#[test]
fn on_forty_columns_a_link_has_one_line() {
    let Some(terminal) = letter_in(LANTERN, 40, 15, "-") else { return };
    let rows = [
        "> 1  The Weekly Lantern",
        "  2  View in your browser",
        "  3  The bridge is open \u{d7}2",
        "  4  The mill at night \u{d7}2",
        "  5  Ropes that hold !",
        "  6  www.example.com !",
        "  7  facebook.example/lantern",
        "  8  Unsubscribe",
        "  9  mailto:post@lantern.example",
    ];
    let end = ["", "", "", "http://lantern.example/", "Enter open  ? help  q quit  Space mark"];
    shows(&terminal, &[&["URL 1 of 9 Lipfrh  Lantern 41: The brid\u{2026}"], &rows[..], &end].concat());
}

#[test]
fn the_message_is_beside_the_list_at_the_link() {
    let Some(terminal) = letter_in(LANTERN, 200, 12, "-") else { return };
    terminal.keys(&["8"]);
    let row = |row: &str, url: &str, beside: &str| {
        format!("{:100}\u{2502} {beside}", format!("{row:57}{url}")).trim_end().to_owned()
    };
    shows(
        &terminal,
        &[
            "URL 8 of 9 Lipfrh  Lantern 41: The bridge is open".into(),
            row("  1  The Weekly Lantern", "lantern.example/", ""),
            row("  2  View in your browser", "lantern.example/41", "The mill turns again. More about"),
            row("  3  The bridge is open \u{d7}2", "lantern.example/41/bridge", "   the mill"),
            row("  4  The mill at night \u{d7}2", "lantern.example/41/mill", ""),
            row(
                "  5  Ropes that hold !",
                "ads.example/c?id=7&to=http%3A%2F%2Frope.ex\u{2026}",
                "Advertisement: Ropes that hold",
            ),
            row("  6  www.example.com !", "track.example.net/x9", ""),
            row("  7  facebook.example/lantern", "", "Our shop: www.example.com"),
            row("> 8  Unsubscribe", "lantern.example/u/41?m=a", ""),
            row("  9  mailto:post@lantern.example", "", "Unsubscribe post@lantern.example")
                .replacen("> ", ">", 1),
            "http://lantern.example/u/41?m=a".into(),
            format!("{HINTS}  | command  d fold"),
        ],
    );
}

/// A key switches each role; those that are shown are capital letters in the first line.
#[test]
fn roles_are_switched_by_their_letters() {
    let Some(terminal) = letter_in(LANTERN, 60, 8, "-") else { return };
    let at = |title: &str, notice: &str| {
        let screen = terminal.wait_for(|screen| screen[0].starts_with(title) && screen[7] == notice);
        assert!(screen[0].starts_with(title), "{screen:?}");
        assert_eq!(screen[7], notice);
    };
    terminal.keys(&["L"]);
    at("URL 0 of 0 lipfrh", "Role link: 11 hidden");
    terminal.keys(&["I"]);
    at("URL 1 of 3 lIpfrh", "Role image: 3 shown");
    terminal.keys(&["H"]);
    at("URL 2 of 4 lIpfrH", "Role header: 1 shown");
    terminal.keys(&["T"]);
    at("URL 2 of 4 lIpfrH", "No URL has the role text");
}

/// An option says which roles are loaded, and they are shown.
#[test]
fn an_option_narrows_the_roles() {
    let Some(terminal) = letter_in(LANTERN, 60, 5, "--role image,tracker,form_action -") else { return };
    let title = "URL 1 of 5 IPF  Lantern 41: The bridge is open";
    let screen = terminal.wait_for(|screen| screen[0] == title);
    assert_eq!((&*screen[0], &*screen[1]), (title, ">1  cdn.lantern.example/logo.png"));
}

#[test]
fn a_url_in_a_text_has_its_own_words() {
    let Some(terminal) = letter_in(TIDES, 80, 10, "-") else { return };
    shows(
        &terminal,
        &[
            "URL 1 of 6 T  Tides in March",
            ">1  harbour.example/tides/2001/03.html  The table for the month is at \u{2026}, and on\u{2026}",
            " 2  harbour.example/webcam  [1] \u{2026}",
            " 3  ftp://ftp.harbour.example/charts/north.zip  [2] \u{2026}",
            " 4  mailto:tide-leave@harbour.example  To stop, write to \u{2026} or see",
            " 5  harbour.example/lists/leave?who=a  or see \u{2026}",
            " 6  harbour.example/",
            "",
            "http://harbour.example/tides/2001/03.html",
            HINTS,
        ],
    );
}

#[test]
fn on_thirty_columns_a_text_has_its_urls() {
    let Some(terminal) = letter_in(TIDES, 30, 9, "-") else { return };
    shows(
        &terminal,
        &[
            "URL 1 of 6 T  Tides in March",
            ">1  harbour.example/tides/200\u{2026}",
            " 2  harbour.example/webcam",
            " 3  ftp://ftp.harbour.example\u{2026}",
            " 4  mailto:tide-leave@harbour\u{2026}",
            " 5  harbour.example/lists/lea\u{2026}",
            " 6  harbour.example/",
            "http://harbour.example/tides/\u{2026}",
            "Enter open  ? help  q quit",
        ],
    );
}

/// Texts that would break the screen are shown as `\\xNN`, or cut; what has no width is left out.
#[test]
fn hostile_texts_do_not_break_the_screen() {
    let long = "w".repeat(1 << 20);
    let hostile = format!(
        "Subject: \u{202e}s\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n\
         <a href='http://h.example/1'>a&#27;[2Jb\u{9b}c</a>\n<a href='http://h.example/2'>x\u{202e}y\u{2066}</a>\n\
         <a href='http://h.example/3'>{long}</a>\n<a href='http://h.example/4'>p\u{200b}q\u{200d}</a>\n\
         <a href='http://h.example/5'>\u{200b}&nbsp;</a>\n<a href='http://h.example/6'><img alt='{long}'></a>\n"
    );
    let Some(terminal) = letter_in(&hostile, 60, 10, "-") else { return };
    let screen = terminal.wait_for(|screen| screen[0].starts_with("URL 1 of 6 L"));
    assert!(screen[0].starts_with("URL 1 of 6 L"), "{screen:?}");
    let row = |text: &str, url: &str| format!("{text:34}{url}");
    assert_eq!(
        screen[1..7],
        [
            row(">1  a\\x1B[2Jb\\xC2\\x9Bc", "h.example/1"),
            row(" 2  x\\xE2\\x80\\xAEy\\xE2\\x81\\xA6", "h.example/2"),
            row(&format!(" 3  {}\u{2026}", "w".repeat(27)), "h.example/3"),
            row(" 4  pq", "h.example/4"),
            " 5  h.example/5".into(),
            row(&format!(" 6  {}\u{2026}", "w".repeat(27)), "h.example/6"),
        ]
    );
}

/// A calendar, and a page that is sent as plain text.
const INVITATION: &str = "From: Choir <choir@h.example>
Subject: Rehearsal
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=limit

--limit
Content-Type: text/calendar

BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1
DESCRIPTION:Bring the notes\\, they are at
  http://choir.example/notes
END:VEVENT
END:VCALENDAR
--limit
Content-Type: text/plain

<p>Bea wrote &quot;the hall is at http://hall.example/ now&quot;.</p>
--limit--
";

/// What is around a URL is words, and / finds them.
#[test]
fn words_around_a_url() {
    let Some(terminal) = letter_in(INVITATION, 80, 5, "-") else { return };
    let rows = [
        " 1  choir.example/notes  Bring the notes, they are at \u{2026}",
        " 2  hall.example/  Bea wrote \"the hall is at \u{2026} now\".",
    ];
    let lines = |number: usize, url: &str, last: &str| {
        let mark =
            |row: usize| if row == number - 1 { rows[row].replacen(' ', ">", 1) } else { rows[row].into() };
        [format!("URL {number} of 2 T  Rehearsal"), mark(0), mark(1), url.into(), last.into()]
    };
    shows(&terminal, &lines(1, "http://choir.example/notes", HINTS));
    terminal.keys(&["/", "\"the", "Space", "BEA"]);
    shows(&terminal, &lines(2, "http://hall.example/", "/\"the BEA"));
    terminal.keys(&["C-u", "quot"]);
    shows(&terminal, &lines(1, "http://choir.example/notes", "/quot"));
    terminal.keys(&["Enter"]);
    shows(&terminal, &lines(1, "http://choir.example/notes", "Not found: quot"));
}

/// A letter about tags, with a field that has a URL.
const TAGS: &str = "From: Bea <bea@h.example>
Subject: Tags
List-Unsubscribe: <http://h.example/leave>
MIME-Version: 1.0
Content-Type: text/plain

Write <b> and </p> and &amp; as http://h.example/tags shows, or <i>.
";

/// Tags that are words stay, and a field is not told with those before it.
#[test]
fn words_of_a_text_and_of_a_field() {
    let Some(terminal) = letter_in(TAGS, 90, 5, "--role header,text -") else { return };
    shows(
        &terminal,
        &[
            "URL 1 of 2 TH  Tags",
            ">1  h.example/leave  List-Unsubscribe: \u{2026}",
            " 2  h.example/tags  Write <b> and </p> and &amp; as \u{2026} shows, or <i>.",
            "http://h.example/leave",
            "Enter open  ? help  q quit  Space mark  / search  y copy  p print  s message  | command",
        ],
    );
}

/// A link that begins a paragraph is visible at once, also if the blank line before it is on the last row: there are 19
/// rows, 4 lines of the head, and 14 lines before that.
#[test]
fn a_link_after_a_blank_line_is_visible() {
    let lines: String = (1..=14).map(|n| format!("line {n}<br>\n")).collect();
    let letter = format!(
        "From: a@h.example\nDate: Fri, 2 Mar 2001 10:11:12 +0000\nSubject: s\nMIME-Version: 1.0\n\
         Content-Type: text/html\n\n{lines}<p><a href=\"http://h.example/p/1\">TARGET</a>.</p>\n"
    );
    let Some(terminal) = letter_in(&letter, 80, 36, "-") else { return };
    let is_visible = |screen: &[String]| screen.iter().any(|line| line == "TARGET.");
    let screen = terminal.wait_for(is_visible);
    assert!(is_visible(&screen), "{screen:#?}");
}

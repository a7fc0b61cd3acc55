//! The macros for editors and for kitty, in the editors and in Python. One that is not installed is skipped.
#![cfg(unix)]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{Ran, folder, run, urlgrep};

const TEXT: &str = "\u{e9} > x\n> see <URL:http://h.org/a-\n> b>, or http://h.org/c and none\n";

/// What an editor that is called with these arguments and this PATH does; `None` if it is not installed.
fn ran(editor: &str, args: &[&str], path: OsString) -> Option<Ran> {
    // An editor that is found by its name is found in this PATH, which may have the program alone.
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(editor)).find(|file| file.is_file());
    let Some(editor) = found else {
        eprintln!("SKIPPED: {editor} is not installed");
        return None;
    };
    let mut command = Command::new(editor);
    command.args(args).env("PATH", path);
    Some(run(command, b""))
}

/// The PATH, with the program first.
fn with_program() -> OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_urlgrep")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths: Vec<PathBuf> = [program].into_iter().chain(std::env::split_paths(&path)).collect();
    std::env::join_paths(paths).unwrap()
}

/// What an editor prints that is called with these arguments, and has no error.
fn printed(editor: &str, args: &[&str]) -> Option<String> {
    let ran = ran(editor, args, with_program())?;
    assert_eq!((&*ran.stderr, ran.status), ("", Some(0)));
    Some(ran.stdout)
}

fn contrib(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib").join(name).display().to_string()
}

#[test]
fn emacs_opens_the_url_at_point() {
    // The last one is right before and right after a URL; after one more character there is none.
    let script = format!(
        "(progn (load {:?} nil t) (insert {TEXT:?})
           (setq browse-url-browser-function (lambda (url &rest _) (princ (format \"opened %s\\n\" url))))
           (goto-char (point-min)) (princ (format \"%S\\n\" (urlgrep-at-point)))
           (search-forward \"h.org\") (urlgrep-browse-at-point)
           (search-forward \"b>\") (backward-char 2) (urlgrep-browse-at-point)
           (search-forward \"org/c\") (backward-char 1) (urlgrep-browse-at-point)
           (forward-char 1) (urlgrep-browse-at-point)
           (forward-char 1) (princ (format \"%S\\n\" (urlgrep-at-point)))
           (erase-buffer) (insert \"http://h.org/d\\n\") (princ (format \"%S\\n\" (urlgrep-at-point)))
           (backward-char 1) (urlgrep-browse-at-point))",
        contrib("urlgrep.el")
    );
    if let Some(printed) = printed("emacs", &["-Q", "--batch", "--eval", &script]) {
        let opened = ["nil", "opened http://h.org/a-b", "opened http://h.org/a-b", "opened http://h.org/c"];
        let ends = ["opened http://h.org/c", "nil", "nil", "opened http://h.org/d"];
        assert_eq!(printed.lines().collect::<Vec<_>>(), [opened, ends].concat());
    }
}

#[test]
fn emacs_has_no_complaint_of_the_file() {
    let folder = folder(&[]);
    let compiled = folder.path().join("urlgrep.elc");
    let script = format!(
        "(progn (setq byte-compile-error-on-warn t byte-compile-dest-file-function (lambda (_) {compiled:?}))
           (byte-compile-file {0:?}) (checkdoc-file {0:?}))",
        contrib("urlgrep.el")
    );
    if let Some(ran) = ran("emacs", &["-Q", "--batch", "--eval", &script], with_program()) {
        assert!(!ran.stderr.contains("arning") && !ran.stderr.contains("rror"), "{}", ran.stderr);
        assert!(compiled.exists(), "{}", ran.stderr);
    }
}

/// What Neovim prints that runs this script on a file, with `M` for what the macro defines; `opened` and `said` are what
/// it opens and says.
fn in_neovim(script: &str, text: &str, path: OsString) -> Option<Vec<String>> {
    let script = format!(
        "local function say(...) io.write(table.concat(vim.tbl_map(tostring, {{ ... }}), ' '), '\\n') end
         -- An installed library is not tested here.
         require('ffi').load = error
         vim.notify = function(message) say('said', message) end
         local M = dofile({:?})
         M.browse = function(url) say('opened', url) end
         local function gx(row, column)
           vim.api.nvim_win_set_cursor(0, {{ row, column }})
           vim.cmd('normal gx')
         end
         local function marks()
           local namespace = vim.api.nvim_get_namespaces().urlgrep
           return vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, {{ details = true }})
         end
         {script}",
        contrib("urlgrep.lua")
    );
    let files = folder(&[("test.lua", &script), ("text", text)]);
    let file = |name| files.path().join(name).display().to_string();
    let run = format!("luafile {}", file("test.lua"));
    let ran = ran("nvim", &["--headless", "-n", "-u", "NONE", "-c", &run, "-c", "qa!", &file("text")], path)?;
    assert_eq!(ran.stderr, "");
    Some(ran.stdout.lines().map(str::to_owned).collect())
}

#[test]
fn neovim_opens_the_url_under_the_cursor() {
    let script = "vim.keymap.set('n', 'gx', function() say('before') end)
                  M.setup()
                  gx(2, 10) gx(3, 2) gx(3, 20) gx(1, 0) gx(4, 0)";
    let text = format!("{TEXT}ssh://h.org/\n");
    if let Some(printed) = in_neovim(script, &text, with_program()) {
        let opened = ["opened http://h.org/a-b", "opened http://h.org/a-b", "opened http://h.org/c"];
        let others = ["before", "said urlgrep: ssh: is not opened"];
        assert_eq!(printed, [&opened[..], &others].concat());
    }
}

#[test]
fn neovim_does_what_it_did_where_there_is_no_url() {
    // A mapping that is no function, as the other tests have one; and none.
    let script = "vim.cmd('nnoremap gx <Cmd>lua BEFORE(1)<CR>')
                  function BEFORE(n) say('before', n) end
                  M.setup()
                  gx(1, 0)
                  M.before = nil
                  gx(1, 0)";
    if let Some(printed) = in_neovim(script, "none\n", with_program()) {
        assert_eq!(printed, ["before 1", "said urlgrep: there is no URL under the cursor"]);
    }
}

#[test]
fn neovim_says_once_that_there_is_no_program() {
    let script = "vim.keymap.set('n', 'gx', function() say('before') end)
                  M.setup({ highlight = true })
                  M.highlight(vim.api.nvim_get_current_win())
                  gx(1, 0) gx(1, 0)";
    if let Some(printed) = in_neovim(script, "http://h.org/\n", OsString::new()) {
        let said = "said urlgrep: expected liburlgrep or the program urlgrep, found neither";
        assert_eq!(printed, [said, "before", "before"]);
    }
}

#[test]
fn neovim_reads_lines_with_nul() {
    let script = "M.setup()
                  gx(1, 6)
                  M.highlight(vim.api.nvim_get_current_win())
                  for _, mark in ipairs(marks()) do say(mark[2], mark[3], mark[4].end_col) end";
    if let Some(printed) = in_neovim(script, "a\0b http://h.org/ c\n\0http://h.org/d\n", with_program()) {
        assert_eq!(printed, ["opened http://h.org/", "0 4 17", "1 1 15"]);
    }
}

#[test]
fn neovim_underlines_what_is_on_the_screen() {
    // A URL on each of 5000 lines, and a broken one at the end.
    let text = format!("{}{TEXT}", "http://h.org/\n".repeat(5000));
    let script = "M.setup({ highlight = true })
                  local function show(line)
                    vim.api.nvim_win_set_cursor(0, { line, 0 })
                    vim.cmd('redraw')
                    vim.cmd('doautocmd WinScrolled')
                  end
                  show(1)
                  local first = marks()
                  say(#first < 500 and first[1][2], first[#first][2] > 20)
                  show(5003)
                  local all = marks()
                  say(#all < 1000)
                  for n = #all - 2, #all do say(all[n][2], all[n][3], all[n][4].end_col) end
                  vim.cmd('doautocmd WinScrolled')
                  say(marks()[1][1] == all[1][1])";
    if let Some(printed) = in_neovim(script, &text, with_program()) {
        let broken = ["5001 11 26", "5002 2 3", "5002 9 23"];
        assert_eq!(printed, [&["0 true", "true"][..], &broken, &["true"]].concat());
    }
}

#[test]
fn neovim_opens_what_the_program_finds() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/places/rst_org_adoc.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let found = run(urlgrep(&["--no-config", "--input", "text", "--json", "-"]), text.as_bytes()).stdout;
    let matches: Vec<Value> = found.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(matches.len() > 300 && text.lines().count() > 800);
    // The last byte of each, which of a broken one is on another line than the first.
    let places = matches.iter().map(|matched| {
        let last = matched["pieces"].as_array().unwrap().last().unwrap()[1].as_u64().unwrap() as usize - 1;
        let row = text[..last].matches('\n').count();
        format!("{{ {row}, {} }}", last - text[..last].rfind('\n').map_or(0, |end| end + 1))
    });
    let script = format!(
        "for _, place in ipairs({{ {} }}) do say(M.at(0, place[1], place[2])) end",
        places.collect::<Vec<_>>().join(", ")
    );
    if let Some(printed) = in_neovim(&script, &text, with_program()) {
        let urls: Vec<_> = matches.iter().map(|matched| matched["url"].as_str().unwrap()).collect();
        assert_eq!(printed, urls);
    }
}

#[test]
fn kitty_has_hints_on_urls() {
    // A row that goes on ends with CR, one that is not full has NULs. The second URL fills its row and goes on in the
    // next, after a line end that some program wrote; `ssh` is not opened.
    let screen = "é <http://h.org/a/lo\\rng>\\0\\0\\0\\0\\nx http://h.org/b/lon\\ng/c, ssh://h.org/\\0\\0\\n\
                  > <URL:http://h.org\\0\\n> /d>";
    let script = format!(
        "import os, runpy\n\
         os.environ['OVERLAID_WINDOW_COLS'] = '20'\n\
         text = '{screen}'\n\
         mark = runpy.run_path({:?})['mark']\n\
         for index, start, end, url, _ in mark(text, None, lambda *all: all, []):\n    \
             print(index, repr(text[start:end]), url)\n",
        contrib("kitty.py")
    );
    if let Some(printed) = printed("python3", &["-c", &script]) {
        let expected = r"0 'http://h.org/a/lo\rng' http://h.org/a/long
1 'http://h.org/b/lon\ng/c' http://h.org/b/long/c
2 'http://h.org\x00\n> /d' http://h.org/d
";
        assert_eq!(printed, expected);
    }
}

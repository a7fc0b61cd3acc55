//! The macros for editors and for kitty, in the editors and in Python. One that is not installed is skipped.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use super::folder;

const TEXT: &str = "\u{e9} > x\n> see <URL:http://h.org/a-\n> b>, or http://h.org/c and none\n";

/// What an editor prints that is called with these arguments, with the program in its PATH; `None` if it is not
/// installed.
fn printed(editor: &str, args: &[&str]) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_urlgrep")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths: Vec<PathBuf> = [program].into_iter().chain(std::env::split_paths(&path)).collect();
    let path = std::env::join_paths(paths).unwrap();
    let Ok(ran) = Command::new(editor).args(args).env("PATH", path).output() else {
        eprintln!("skipped: {editor} is not installed");
        return None;
    };
    // Neovim prints on standard error.
    Some(String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap())
}

fn contrib(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../contrib").join(name).display().to_string()
}

#[test]
fn emacs_opens_the_url_at_point() {
    let script = format!(
        "(progn (load {:?} nil t) (insert {TEXT:?})
           (setq browse-url-browser-function (lambda (url &rest _) (princ (format \"opened %s\\n\" url))))
           (goto-char (point-min)) (princ (format \"%S\\n\" (urlgrep-at-point)))
           (search-forward \"h.org\") (urlgrep-browse-at-point)
           (search-forward \"b>\") (backward-char 2) (urlgrep-browse-at-point)
           (search-forward \"org/c\") (backward-char 1) (urlgrep-browse-at-point))",
        contrib("urlgrep.el")
    );
    if let Some(printed) = printed("emacs", &["-Q", "--batch", "--eval", &script]) {
        let expected = "nil\nopened http://h.org/a-b\nopened http://h.org/a-b\nopened http://h.org/c\n";
        assert_eq!(printed, expected);
    }
}

#[test]
fn neovim_opens_the_url_under_the_cursor() {
    let script = format!(
        "local M = dofile({:?}).setup()
         vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split({TEXT:?}, '\\n'))
         M.browse = function(url) print('opened ' .. url .. '\\n') end
         for _, place in ipairs({{ {{ 2, 10 }}, {{ 3, 2 }}, {{ 3, 20 }} }}) do
           vim.api.nvim_win_set_cursor(0, place)
           M.open()
         end
         print(tostring(M.at(0, 0, 0)) .. '\\n')
         M.highlight(0)
         local marks = vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_get_namespaces().urlgrep, 0, -1, {{ details = true }})
         for _, mark in ipairs(marks) do
           print(mark[2] .. ':' .. mark[3] .. '-' .. mark[4].end_col .. '\\n')
         end",
        contrib("urlgrep.lua")
    );
    let files = folder(&[("test.lua", &script)]);
    let run = format!("luafile {}", files.path().join("test.lua").display());
    if let Some(printed) = printed("nvim", &["--headless", "-u", "NONE", "-c", &run, "-c", "qa!"]) {
        let lines: Vec<&str> = printed.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let opened = ["opened http://h.org/a-b", "opened http://h.org/a-b", "opened http://h.org/c"];
        let marks = ["1:11-26", "2:2-3", "2:9-23"];
        assert_eq!(lines, [&opened[..], &["nil"], &marks[..]].concat());
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

#!/usr/bin/env python3
"""Opens a URL from mutt, neomutt, aerc, notmuch, and Gnus and notmuch in Emacs.

    tools/menu_from_mailers.py [path of urlgrep] [name of a mail reader]...

Each mail reader runs in tmux with the file of contrib/ for it and one message. Keys are sent as a user types them:
the URLs of the message are shown, the second one is chosen, and a stand-in for a browser writes down what it is called
with. Prints a line for each mail reader, and exits with 1 if one of them opened something else or nothing. What is not
installed is skipped, and said so.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONTRIB = ROOT / "contrib"
TIMEOUT = 40

URL = "http://h.org/second?a=1&b=2"
MESSAGE = f"""From: A <a@h.org>
To: B <b@h.org>
Subject: Two links
Message-ID: <two@h.org>
Date: Thu, 1 Jan 1998 10:00:00 +0000

The first is at http://h.org/first. The second is <{URL}>, and it
is the one that is opened.
"""
MBOX = f"From a@h.org Thu Jan  1 10:00:00 1998\n{MESSAGE}\n"

BROWSER = """#!/bin/sh
printf '%s\\n' "$#" "$@" >>"$OPENED"
"""


class Failed(Exception):
    """The screen does not show what it should."""


class Terminal:
    """A terminal of tmux, in a folder with a message in several forms."""

    def __init__(self, folder, program):
        self.folder = folder
        self.opened = folder / "opened"
        (folder / "bin").mkdir()
        (folder / "bin/urlgrep").symlink_to(program)
        browser = folder / "bin/browser"
        browser.write_text(BROWSER)
        browser.chmod(0o755)
        (folder / "mbox").write_text(MBOX)
        for name in ["cur", "new", "tmp"]:
            (folder / "mail/inbox" / name).mkdir(parents=True)
        (folder / "mail/inbox/cur/1:2,S").write_text(MESSAGE)
        (folder / "tmux.conf").write_text("set -g status off\nset -g default-terminal screen-256color\n")

    def tmux(self, *arguments):
        environment = {
            "HOME": str(self.folder),
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "BROWSER": "browser",
            "OPENED": str(self.opened),
            "LC_ALL": "C.UTF-8",
            "SHELL": "/bin/sh",
            "EDITOR": "false",
            "TERM": "xterm-256color",
        }
        command = ["tmux", "-f", "tmux.conf", "-S", "socket", "-u", *arguments]
        ran = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        return ran.stdout

    def run(self, command):
        self.tmux("new-session", "-d", "-x", "100", "-y", "30", f"{command}; exec sleep 1000")

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def wait(self, *texts, gone=False):
        """Waits for a screen with all texts, or with none of them."""
        end = time.time() + TIMEOUT
        while time.time() < end:
            screen = self.screen()
            if not gone and all(text in screen for text in texts):
                return
            if gone and not any(text in screen for text in texts):
                return
            time.sleep(0.1)
        raise Failed(f"waited for {texts}, gone: {gone}; the screen is:\n{screen}")

    def wait_for_browser(self):
        end = time.time() + TIMEOUT
        while not self.opened.exists() and time.time() < end:
            time.sleep(0.1)
        opened = self.opened.read_text() if self.opened.exists() else "nothing"
        if opened != f"1\n{URL}\n":
            raise Failed(f"opened {opened!r}; the screen is:\n{self.screen()}")

    def choose(self):
        """Chooses the second URL of the menu, and leaves the menu."""
        self.wait("URL 1 of 2", "http://h.org/first", URL.removeprefix("http://"))
        self.keys("2", "Enter")
        self.wait_for_browser()
        self.wait("Opened with browser")
        self.keys("q")
        self.wait("URL 2 of 2", "Opened with browser", gone=True)


def mutt(terminal, program="mutt"):
    rc = f"set mbox_type=mbox\nset folder={terminal.folder}\nset record=''\nset postponed=''\nsource {CONTRIB}/mutt.rc\n"
    (terminal.folder / "rc").write_text(rc)
    terminal.run(f"{program} -n -R -F rc -f mbox")
    for where in ["in the list", "in the message"]:
        terminal.wait("Two links")
        if where == "in the message":
            terminal.opened.unlink()
            terminal.keys("Enter")
            terminal.wait("The first is at")
        terminal.keys("C-b")
        terminal.choose()
        terminal.wait("Two links")


def neomutt(terminal):
    mutt(terminal, "neomutt")


def aerc(terminal):
    config = terminal.folder / ".config/aerc"
    config.mkdir(parents=True)
    account = f"[me]\nsource = maildir://{terminal.folder}/mail\ndefault = inbox\nfrom = B <b@h.org>\n"
    (config / "accounts.conf").write_text(account)
    (config / "accounts.conf").chmod(0o600)
    (config / "binds.conf").write_text((CONTRIB / "aerc.conf").read_text())
    terminal.run("aerc")
    terminal.wait("Two links")
    terminal.keys("B")
    terminal.choose()


def notmuch(terminal):
    notmuch_database(terminal)
    terminal.run(f". {CONTRIB}/notmuch.sh; notmuch_menu subject:links; echo ended $?")
    terminal.choose()
    terminal.wait("ended 0")


def notmuch_database(terminal):
    config = f"[database]\npath={terminal.folder}/mail\n[user]\nname=B\nprimary_email=b@h.org\n"
    (terminal.folder / ".notmuch-config").write_text(config)
    environment = {**os.environ, "HOME": str(terminal.folder)}
    subprocess.run(["notmuch", "new"], env=environment, capture_output=True, check=True)


def in_emacs(terminal, lisp):
    """Opens a URL in Emacs, after `lisp` has shown the message."""
    lisp = f"""(setq inhibit-startup-screen t
      browse-url-browser-function #'browse-url-generic
      browse-url-generic-program (getenv "BROWSER"))
(load "{CONTRIB}/urlgrep.el")
{lisp}
"""
    (terminal.folder / "init.el").write_text(lisp)
    emacs = "emacs -nw -q --no-site-file" if "nndoc" in lisp else "emacs -nw -q"
    terminal.run(f"{emacs} -l init.el")
    terminal.wait("The first is at")
    terminal.keys("C-c", "u")
    terminal.wait("*URLs*", "http://h.org/first\n", f"{URL}\n")
    terminal.keys("n", "Enter")
    terminal.wait_for_browser()
    terminal.keys("q")
    terminal.wait("*URLs*", gone=True)


def emacs_gnus(terminal):
    in_emacs(
        terminal,
        f"""(setq gnus-select-method '(nnnil "") gnus-secondary-select-methods nil
      gnus-home-directory "{terminal.folder}/" gnus-verbose 3)
(require 'gnus)
(require 'gnus-sum)
(gnus-no-server)
(gnus-group-read-ephemeral-group "mbox"
  '(nndoc "mbox" (nndoc-address "{terminal.folder}/mbox") (nndoc-article-type mbox)))
(gnus-summary-first-unread-article)
""",
    )


def emacs_notmuch(terminal):
    notmuch_database(terminal)
    in_emacs(terminal, "(require 'notmuch)\n(notmuch-show \"id:two@h.org\")")


READERS = {
    "mutt": (["mutt"], mutt),
    "neomutt": (["neomutt"], neomutt),
    "aerc": (["aerc"], aerc),
    "notmuch": (["notmuch"], notmuch),
    "emacs-gnus": (["emacs"], emacs_gnus),
    "emacs-notmuch": (["emacs", "notmuch"], emacs_notmuch),
}


def try_reader(name, program):
    programs, function = READERS[name]
    missing = [program for program in ["tmux", *programs] if shutil.which(program) is None]
    if missing:
        print(f"{name}: SKIPPED: {', '.join(missing)} not installed")
        return True
    # What a mail reader still writes when it is killed does not matter.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        terminal = Terminal(Path(folder), program)
        try:
            function(terminal)
        except Failed as failure:
            print(f"{name}: FAILED: {failure}")
            return False
        finally:
            terminal.tmux("kill-server")
    print(f"{name}: opened {URL}")
    return True


def main():
    arguments = sys.argv[1:]
    program = arguments.pop(0) if arguments else ROOT / "target/debug/urlgrep"
    program = Path(program).resolve()
    if not program.exists():
        sys.exit(f"{program} does not exist; cargo build makes it")
    results = [try_reader(name, program) for name in arguments or READERS]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()

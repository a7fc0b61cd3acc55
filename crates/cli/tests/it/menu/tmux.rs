//! A terminal of tmux, with a server of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::wait;

/// What a browser does that the tests can ask: it writes its arguments to a file, one a line.
const BROWSER: &str = "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" >>\"${0%/*}/opened\"\n";

/// A terminal, and the folder in which its commands run.
pub struct Terminal {
    folder: TempDir,
    columns: u16,
    rows: u16,
}

impl Terminal {
    /// A terminal of this size; none if there is no tmux, which is said on standard error.
    pub fn new(columns: u16, rows: u16) -> Option<Terminal> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("SKIPPED: there is no tmux in PATH, so the menu is not tested");
            return None;
        }
        let terminal = Terminal { folder: tempfile::tempdir().unwrap(), columns, rows };
        terminal.file("tmux.conf", "set -g status off\nset -g set-clipboard on\nset -g default-terminal screen\nset -s escape-time 5\n");
        terminal.file("browser", BROWSER);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(terminal.path("browser"), fs::Permissions::from_mode(0o755)).unwrap();
        }
        Some(terminal)
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file for the commands.
    pub fn file(&self, name: impl AsRef<Path>, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// Panics unless the browser was called with these arguments: their number, and then each in a line.
    #[track_caller]
    pub fn opens(&self, arguments: &str) {
        let mut opened = String::new();
        wait::until(|| {
            opened = fs::read_to_string(self.path("opened")).unwrap_or_default();
            (opened == arguments).then_some(())
        });
        assert_eq!(opened, arguments);
    }

    /// Runs a command of the shell, and then waits, so that the screen stays.
    pub fn run(&self, command: &str) {
        let browser = self.path("browser");
        let script = format!(
            "unset NO_COLOR URLGREP_CONFIG_PATH\nexport BROWSER='{}'\n{command}\nexec sleep 1000\n",
            browser.display()
        );
        self.file("script", &script);
        let size = [self.columns.to_string(), self.rows.to_string()];
        let new = ["-f", "tmux.conf", "-u", "new-session", "-d", "-x", &size[0], "-y", &size[1]];
        let made = self.tmux(&[&new[..], &["exec sh script"]].concat());
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }

    /// Types keys, by the names that tmux has for them.
    pub fn keys(&self, keys: &[&str]) {
        let sent = self.tmux(&[&["send-keys"], keys].concat());
        assert!(sent.status.success(), "{}", String::from_utf8_lossy(&sent.stderr));
    }

    /// Runs a command of tmux.
    pub fn tmux(&self, args: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(self.path("socket")).args(args);
        command.current_dir(&self.folder).env_remove("TMUX").output().unwrap()
    }

    /// The lines on the screen, without spaces at their ends.
    pub fn screen(&self) -> Vec<String> {
        let captured = self.tmux(&["capture-pane", "-p"]).stdout;
        String::from_utf8(captured).unwrap().lines().map(|line| line.trim_end().to_owned()).collect()
    }

    /// Waits for a screen that is as expected. Returns the last screen.
    pub fn wait_for(&self, is_expected: impl Fn(&[String]) -> bool) -> Vec<String> {
        let mut screen = Vec::new();
        wait::until(|| {
            screen = self.screen();
            is_expected(&screen).then_some(())
        });
        screen
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

//! One Chromium for all tests of a process: a start costs more than drawing a page. It takes commands as a debugger
//! gives them: JSON, each with a NUL at its end, from file descriptor 3, and answers on 4.

use std::env;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use memchr::memmem::Finder;
use serde_json::{Value, json};

/// The names that Chromium goes by.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const OPTIONS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
];

/// The browser; none if none is installed.
static CHROMIUM: LazyLock<Option<Mutex<Chromium>>> = LazyLock::new(|| Some(Mutex::new(Chromium::start()?)));

/// The width and the height of a screen.
pub type Screen = (u32, u32);

/// What Chromium makes of a page in ten seconds, which pass as soon as nothing is left to do; none if it is not
/// installed.
pub fn draw(page: &Path, (width, height): Screen) -> Option<String> {
    let mut chromium = CHROMIUM.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
    let (tab, session) = &chromium.open_tab();
    let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
    chromium.call(session, "Emulation.setDeviceMetricsOverride", screen);
    chromium.load(session, page);
    let time = json!({ "policy": "pauseIfNetworkFetchesPending", "budget": 10_000 });
    chromium.call(session, "Emulation.setVirtualTimePolicy", time);
    chromium.wait_for(|message| {
        message["method"] == "Emulation.virtualTimeBudgetExpired" && message["sessionId"] == **session
    });
    let dom = json!({ "expression": "document.documentElement.outerHTML" });
    let dom = chromium.call(session, "Runtime.evaluate", dom);
    chromium.call("", "Target.closeTarget", json!({ "targetId": tab }));
    Some(dom["result"]["value"].as_str().unwrap().to_owned())
}

/// The number of sheets on which Chromium prints a page; none if it is not installed.
pub fn print(page: &Path) -> Option<usize> {
    let mut chromium = CHROMIUM.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
    let (tab, session) = &chromium.open_tab();
    chromium.load(session, page);
    let drawn = "new Promise((drawn) => { const look = () => document.body.dataset.drawn ? drawn() : setTimeout(look, 10); look(); })";
    chromium.call(session, "Runtime.evaluate", json!({ "expression": drawn, "awaitPromise": true }));
    let printed = chromium.call(session, "Page.printToPDF", json!({}));
    let printed = STANDARD.decode(printed["data"].as_str().unwrap()).unwrap();
    chromium.call("", "Target.closeTarget", json!({ "targetId": tab }));
    let sheets = Finder::new(b"/Type /Page\n").find_iter(&printed).count();
    Some(sheets)
}

/// What a script yields in each of the pages, none of whose own scripts runs; none if it is not installed.
pub fn evaluate(pages: &[PathBuf], script: &str) -> Option<Vec<Value>> {
    let mut chromium = CHROMIUM.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
    let (tab, session) = &chromium.open_tab();
    chromium.call(session, "Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    let of_page = |page: &PathBuf| {
        chromium.load(session, page);
        let script = json!({ "expression": script, "returnByValue": true });
        chromium.call(session, "Runtime.evaluate", script)["result"]["value"].take()
    };
    let values = pages.iter().map(of_page).collect();
    chromium.call("", "Target.closeTarget", json!({ "targetId": tab }));
    Some(values)
}

struct Chromium {
    commands: File,
    messages: BufReader<File>,
    /// The number of the last command.
    last: u64,
}

impl Chromium {
    fn start() -> Option<Chromium> {
        let Some(program) = installed() else {
            eprintln!("skipped: there is no Chromium in PATH");
            return None;
        };
        let folder = tempfile::tempdir().unwrap().keep();
        let made = Command::new("mkfifo").args(["commands", "messages"]).current_dir(&folder).status();
        assert!(made.unwrap().success());
        // It ends when this process has closed the pipe by its own end.
        let started = Command::new("sh")
            .args(["-c", "(\"$@\" 3<commands 4>messages; rm -rf \"$PWD\") &", "sh"])
            .arg(program)
            .args(OPTIONS)
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(started.unwrap().success());
        let commands = File::options().write(true).open(folder.join("commands")).unwrap();
        let messages = BufReader::new(File::open(folder.join("messages")).unwrap());
        Some(Chromium { commands, messages, last: 0 })
    }

    /// A new tab, and what its commands are sent to.
    fn open_tab(&mut self) -> (String, String) {
        let tab = self.call("", "Target.createTarget", json!({ "url": "about:blank" }))["targetId"].take();
        let attached = self.call("", "Target.attachToTarget", json!({ "targetId": tab, "flatten": true }));
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let session = text(&attached["sessionId"]);
        self.call(&session, "Page.enable", json!({}));
        (text(&tab), session)
    }

    /// Opens a page in a tab, and waits until all of it is there.
    fn load(&mut self, session: &str, page: &Path) {
        self.call(session, "Page.navigate", json!({ "url": format!("file://{}", page.display()) }));
        self.wait_for(|message| {
            message["method"] == "Page.loadEventFired" && message["sessionId"] == session
        });
    }

    /// The result of a command to a tab, or to the browser if `session` is empty.
    fn call(&mut self, session: &str, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        let mut command = json!({ "id": id, "method": method, "params": params });
        if !session.is_empty() {
            command["sessionId"] = session.into();
        }
        self.commands.write_all(format!("{command}\0").as_bytes()).unwrap();
        let mut answer = self.wait_for(|message| message["id"] == id);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].take()
    }

    /// The next message that is wanted.
    fn wait_for(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut message = Vec::new();
            self.messages.read_until(0, &mut message).unwrap();
            assert_eq!(message.pop(), Some(0), "Chromium has ended");
            let message = serde_json::from_slice(&message).unwrap();
            if is_wanted(&message) {
                return message;
            }
        }
    }
}

/// The browser, if one is installed.
fn installed() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut folders = env::split_paths(&path);
    folders.find_map(|folder| NAMES.map(|name| folder.join(name)).into_iter().find(|file| file.is_file()))
}

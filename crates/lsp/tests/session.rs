//! The server, as a client talks to it: over standard input and output, with messages that are framed here.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A client, and the server that it started.
struct Client {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u64,
}

impl Client {
    fn new() -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_urlgrep-lsp"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let (input, output) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
        Client { server, input, output: BufReader::new(output), requests: 0 }
    }

    /// A client that has initialized the server with these options and encodings of positions.
    #[track_caller]
    fn initialized(options: Value, encodings: Value) -> (Client, Value) {
        let mut client = Client::new();
        let capabilities = json!({ "general": { "positionEncodings": encodings } });
        let params = json!({ "capabilities": capabilities, "initializationOptions": options });
        let said = client.asks("initialize", params)["result"]["capabilities"].clone();
        client.tells("initialized", json!({}));
        (client, said)
    }

    fn sends(&mut self, message: &str) {
        write!(self.input, "Content-Length: {}\r\n\r\n{message}", message.len()).unwrap();
    }

    fn tells(&mut self, method: &str, params: Value) {
        self.sends(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// The response to a request.
    #[track_caller]
    fn asks(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params });
        self.sends(&request.to_string());
        let mut header = String::new();
        self.output.read_line(&mut header).unwrap();
        let len: usize = header.strip_prefix("Content-Length: ").unwrap().trim_end().parse().unwrap();
        let mut message = vec![0; len + 2];
        self.output.read_exact(&mut message).unwrap();
        let response: Value = serde_json::from_slice(&message).unwrap();
        assert_eq!(response["id"], self.requests);
        response
    }

    fn opens(&mut self, text: &str) {
        let document = json!({ "uri": "file:///a", "languageId": "plaintext", "version": 1, "text": text });
        self.tells("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Line, start and end of each link, and its target.
    #[track_caller]
    fn links(&mut self) -> Vec<(u64, u64, u64, String)> {
        let response =
            self.asks("textDocument/documentLink", json!({ "textDocument": { "uri": "file:///a" } }));
        let links = response["result"].as_array().unwrap_or_else(|| panic!("{response}"));
        let read = |link: &Value| {
            let number = |pointer| link["range"].pointer(pointer).unwrap().as_u64().unwrap();
            assert_eq!(number("/start/line"), number("/end/line"));
            let target = link["target"].as_str().unwrap().to_owned();
            (number("/start/line"), number("/start/character"), number("/end/character"), target)
        };
        links.iter().map(read).collect()
    }

    fn hover(&mut self, line: u64, character: u64) -> Value {
        let position = json!({ "line": line, "character": character });
        let params = json!({ "textDocument": { "uri": "file:///a" }, "position": position });
        self.asks("textDocument/hover", params)["result"].clone()
    }

    /// The exit status, and what the server wrote on standard error, after the client has hung up.
    fn ends(mut self) -> (Option<i32>, String) {
        drop(self.input);
        let status = self.server.wait().unwrap().code();
        let mut said = String::new();
        self.server.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (status, said)
    }
}

fn link(line: u64, start: u64, end: u64, target: &str) -> (u64, u64, u64, String) {
    (line, start, end, target.to_owned())
}

/// From the Appendix of RFC 1738, and with characters beyond ASCII before URLs: "é" has one unit of UTF-16 and two bytes,
/// the last one of Plane 16 two units and four bytes. `ssh` does more than show something.
const TEXT: &str = "\u{e9}\u{10fffd} I found it under <URL:ftp://info.cern.ch/pub/www/doc;\r\n\
    type=d> but\r\u{e9} see http://h.org/\u{fc}.\n\nssh://h.org/ {\"u\": \"http:\\/\\/h.org\\/a\"}";

#[test]
fn links_are_counted_in_the_units_that_the_client_wants() {
    let cern = "ftp://info.cern.ch/pub/www/doc;type=d";
    for (encodings, expected, [broken, end, after, umlaut]) in [
        (json!(null), "utf-16", [26, 57, 6, 20]),
        (json!(["utf-32", "utf-16"]), "utf-16", [26, 57, 6, 20]),
        (json!(["utf-16", "utf-8"]), "utf-8", [29, 60, 7, 22]),
    ] {
        let (mut client, said) = Client::initialized(json!(null), encodings);
        assert_eq!(said["positionEncoding"], expected);
        client.opens(TEXT);
        let links = [
            link(0, broken, end, cern),
            link(1, 0, 6, cern),
            link(2, after, umlaut, "http://h.org/%C3%BC"),
            link(4, 20, 37, "http://h.org/a"),
        ];
        assert_eq!(client.links(), links);
    }
}

#[test]
fn a_tooltip_says_why_it_ends() {
    let (mut client, _) = Client::initialized(json!({}), json!([]));
    client.opens("see http://h.org/a_b.");
    let response =
        client.asks("textDocument/documentLink", json!({ "textDocument": { "uri": "file:///a" } }));
    let sentences = [
        "http://h.org/a_b",
        "starts at the scheme http, without delimiters",
        "ends before \".\", which belongs to the sentence and is followed by the end of the text",
        "conforms to RFC 1738",
    ];
    let link = &response["result"][0];
    let resolved =
        |client: &mut Client| client.asks("documentLink/resolve", link.clone())["result"]["tooltip"].clone();
    assert_eq!((&link["tooltip"], resolved(&mut client)), (&Value::Null, json!(sentences.join("\n"))));
    assert_eq!(client.hover(0, 6)["contents"], json!({ "kind": "plaintext", "value": sentences.join("\n") }));
    client.opens("see http://h.org/b");
    assert_eq!(resolved(&mut client), Value::Null, "the text has changed");
}

/// The changes are made in their order; columns are units of UTF-16, and a line may end with CR LF.
#[test]
fn a_document_changes_in_ranges() {
    let (mut client, said) = Client::initialized(json!(null), json!([]));
    assert_eq!(said["textDocumentSync"], 2);
    client.opens("\u{10fffd} http://h.org/a\r\nhttp://h.org/b");
    let change = |[line, start, to, end]: [u64; 4], text: &str| {
        let place = |line: u64, character: u64| json!({ "line": line, "character": character });
        json!({ "range": { "start": place(line, start), "end": place(to, end) }, "text": text })
    };
    for (changes, links) in [
        (
            vec![change([0, 16, 0, 17], "c")],
            vec![link(0, 3, 17, "http://h.org/c"), link(1, 0, 14, "http://h.org/b")],
        ),
        (
            vec![change([0, 1000, 1, 0], "")],
            vec![link(0, 3, 17, "http://h.org/c"), link(0, 17, 31, "http://h.org/b")],
        ),
        (
            vec![change([0, 17, 0, 17], "\n"), change([1, 13, 1, 14], "d e"), change([9, 0, 9, 0], "!")],
            vec![link(0, 3, 17, "http://h.org/c"), link(1, 0, 14, "http://h.org/d")],
        ),
        (
            vec![json!({ "text": "http://h.org/" }), change([0, 13, 0, 3], "f")],
            vec![link(0, 0, 14, "http://h.org/f")],
        ),
    ] {
        let document = json!({ "uri": "file:///a", "version": 2 });
        client
            .tells("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        assert_eq!(client.links(), links);
    }
}

#[test]
fn a_hover_is_about_all_of_the_url() {
    let (mut client, _) = Client::initialized(json!(null), json!([]));
    client.opens(TEXT);
    let start = json!({ "line": 0, "character": 21 });
    let range = json!({ "start": start, "end": { "line": 1, "character": 7 } });
    for (line, character) in [(0, 21), (0, 40), (0, 1000), (1, 0), (1, 6)] {
        assert_eq!(client.hover(line, character)["range"], range, "{line}:{character}");
    }
    for (line, character) in [(0, 20), (1, 7), (1, 1000), (3, 0), (1000, 0)] {
        assert_eq!(client.hover(line, character), Value::Null, "{line}:{character}");
    }
    // One that is no link.
    let said = client.hover(4, 2)["contents"]["value"].as_str().unwrap().to_owned();
    assert!(said.starts_with("ssh://h.org/\nstarts at the scheme ssh"), "{said}");
}

#[test]
fn diagnostics_are_for_clients_that_want_them() {
    let ask = json!({ "textDocument": { "uri": "file:///a" } });
    let (mut client, said) = Client::initialized(json!({ "invalid": true, "join": "likely" }), json!([]));
    assert_eq!(said["diagnosticProvider"]["workspaceDiagnostics"], false);
    client.opens("\u{10fffd} http//h.org/a, http://h.org/\n[a](http://h.org/a b)");
    let of = |line, start, end, code, message| {
        let place = |character| json!({ "line": line, "character": character });
        let range = json!({ "start": place(start), "end": place(end) });
        json!({ "range": range, "severity": 2, "code": code, "source": "urlgrep", "message": message })
    };
    let items = json!([
        of(0, 3, 16, "separator", "separator \"//\", expected ://"),
        of(1, 4, 20, "space", "space \" \", expected %20"),
    ]);
    let answer = client.asks("textDocument/diagnostic", ask.clone());
    assert_eq!(answer["result"], json!({ "kind": "full", "items": items }));
    assert_eq!(client.links(), [link(0, 18, 31, "http://h.org/"), link(1, 4, 18, "http://h.org/a")]);

    let (mut client, said) = Client::initialized(json!({ "invalid": false }), json!([]));
    assert_eq!(said["diagnosticProvider"], Value::Null);
    client.opens("http//h.org/a");
    let why = "textDocument/diagnostic: requires initializationOptions.invalid";
    assert_eq!(client.asks("textDocument/diagnostic", ask)["error"]["message"], why);
    let wrong = Client::new().asks("initialize", json!({ "initializationOptions": { "invalid": 1 } }));
    let why = "initialize: initializationOptions: invalid: expected true or false, found 1";
    assert_eq!(wrong["error"]["message"], why);
}

#[test]
fn a_document_is_what_the_client_says_last() {
    let (mut client, _) = Client::initialized(json!({ "schemeless": "hosts", "max_len": 4096 }), json!([]));
    client.opens("www.h.org");
    assert_eq!(client.links(), [link(0, 0, 9, "http://www.h.org")]);
    let document = json!({ "uri": "file:///a", "version": 2 });
    let change = |text| json!({ "textDocument": document, "contentChanges": [{ "text": "x" }, text] });
    client.tells("textDocument/didChange", change(json!({ "text": "\nhttp://h.org/" })));
    assert_eq!(client.links(), [link(1, 0, 13, "http://h.org/")]);
    client.tells("textDocument/didChange", change(json!({ "range": {}, "text": "http://h.org/b" })));
    assert_eq!(client.links(), [], "the change before it was made");
    client.tells("textDocument/didClose", json!({ "textDocument": { "uri": "file:///a" } }));
    let error = client.asks("textDocument/documentLink", json!({ "textDocument": { "uri": "file:///a" } }));
    let code = json!({ "code": -32602, "message": "textDocument/documentLink: file:///a is not open" });
    assert_eq!(error["error"], code);
    let said = "urlgrep-lsp: textDocument/didChange: range: missing field `start`\n\
                urlgrep-lsp: the input ended before \"exit\"\n";
    assert_eq!(client.ends(), (Some(1), said.to_owned()));
}

#[test]
fn a_url_of_many_lines_is_a_link_on_some() {
    // Its target is 100,000 bytes long, and each link contains all of it.
    let (mut client, _) = Client::initialized(json!({ "max_len": 1_000_000 }), json!([]));
    client.opens(&format!("<http://h.org/{}>", "\na".repeat(100_000)));
    assert_eq!(client.links().len(), 64);
}

#[test]
fn requests_have_errors_of_the_protocol() {
    let mut client = Client::new();
    let error = |response: Value| response["error"]["code"].as_i64();
    assert_eq!(error(client.asks("textDocument/hover", json!({}))), Some(-32002));
    let wrong = client.asks("initialize", json!({ "initializationOptions": { "jion": "likely" } }));
    let message = wrong["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("initialize: initializationOptions: unknown option \"jion\""), "{message}");
    assert_eq!(error(wrong), Some(-32602));
    assert_eq!(error(client.asks("initialize", json!({ "initializationOptions": 1 }))), Some(-32602));
    assert_eq!(error(client.asks("initialize", json!({ "capabilities": {} }))), None);
    assert_eq!(error(client.asks("initialize", json!({ "capabilities": {} }))), Some(-32600));
    assert_eq!(error(client.asks("textDocument/documentLink", json!({}))), Some(-32602));
    let place = json!({ "textDocument": { "uri": "file:///a" }, "position": { "line": -1, "character": 0 } });
    assert_eq!(error(client.asks("textDocument/hover", place)), Some(-32602));
    assert_eq!(error(client.asks("textDocument/rename", json!({}))), Some(-32601));
    assert_eq!(client.asks("shutdown", json!(null))["result"], Value::Null);
    assert_eq!(error(client.asks("textDocument/hover", json!({}))), Some(-32600));
    client.tells("exit", json!(null));
    assert_eq!(client.ends(), (Some(0), String::new()));
}

#[test]
fn what_is_not_understood_is_named() {
    let (mut client, _) = Client::initialized(json!(null), json!([]));
    client.tells("$/setTrace", json!({ "value": "off" }));
    client.tells("workspace/didCreateFiles", json!({}));
    client.tells("textDocument/didOpen", json!({ "textDocument": {} }));
    client.sends(r#"{"jsonrpc": "2.0", "id": 9, "result": null}"#);
    client.sends(&format!("[{}]", "1,".repeat(1000)));
    // The server goes on.
    client.opens("http://h.org/");
    assert_eq!(client.links(), [link(0, 0, 13, "http://h.org/")]);
    client.tells("exit", json!(null));
    let (status, said) = client.ends();
    let lines: Vec<_> = said.lines().collect();
    let expected = [
        "urlgrep-lsp: workspace/didCreateFiles: unknown method",
        "urlgrep-lsp: textDocument/didOpen: expected text",
        "urlgrep-lsp: unexpected response: the server sends no requests",
    ];
    assert_eq!((status, &lines[..3], lines.len()), (Some(1), &expected[..], 4), "{said}");
    assert!(lines[3].len() < 400 && lines[3].starts_with("urlgrep-lsp: malformed"), "{said}");
}

#[test]
fn a_length_that_is_too_large_ends_the_session() {
    for len in ["1000000000", "8000000000", "18446744073709551615"] {
        let mut client = Client::new();
        write!(client.input, "Content-Length: {len}\r\n\r\n{{}}").unwrap();
        let said =
            format!("urlgrep-lsp: Content-Length: {len}: expected a number of at most 134217728 bytes\n");
        assert_eq!(client.ends(), (Some(1), said));
    }
}

#[test]
fn an_argument_that_does_nothing_is_refused() {
    let run = |argument| Command::new(env!("CARGO_BIN_EXE_urlgrep-lsp")).arg(argument).output().unwrap();
    assert_eq!(run("--version").stdout, format!("urlgrep-lsp {}\n", env!("CARGO_PKG_VERSION")).into_bytes());
    assert_eq!(run("file").status.code(), Some(2));
    assert_eq!(run("--stdio").status.code(), Some(1));
}

/// What Neovim's client asks for a file, and gets. It is compared with what the library finds.
#[test]
fn neovim_has_the_links_of_a_file() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/places/posts.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let script = format!(
        "local started = (vim.lsp.start_client or vim.lsp.start)({{ name = 'urlgrep', cmd = {{ {:?} }} }})
         vim.lsp.buf_attach_client(0, started)
         vim.wait(20000, function()
           local client = vim.lsp.get_client_by_id(started)
           return client and client.initialized
         end, 10)
         local params = {{ textDocument = vim.lsp.util.make_text_document_params() }}
         local answers = vim.lsp.buf_request_sync(0, 'textDocument/documentLink', params, 20000)
         for _, link in ipairs(answers[started].result) do
           local place = link.range.start
           io.write(place.line, ' ', link.target, '\\n')
         end",
        env!("CARGO_BIN_EXE_urlgrep-lsp")
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.lua");
    std::fs::write(&path, script).unwrap();
    let run = format!("luafile {}", path.display());
    let Ok(ran) =
        Command::new("nvim").args(["--headless", "-n", "-u", "NONE", "-c", &run, "-c", "qa!", file]).output()
    else {
        eprintln!("SKIPPED: nvim is not installed");
        return;
    };
    let mut expected = String::new();
    for matched in
        urlgrep::find_iter(&text).filter(|matched| urlgrep::grammar::opens_safely(&matched.scheme()))
    {
        let mut lines: Vec<_> =
            matched.ranges().map(|range| text[..range.start].matches('\n').count()).collect();
        lines.dedup();
        lines.iter().for_each(|line| expected += &format!("{line} {matched}\n"));
    }
    assert_eq!(String::from_utf8_lossy(&ran.stdout), expected, "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(expected.lines().count() > 100);
}

//! The state of the server and its answers: the open documents, and the rules by which they are
//! searched.

use std::collections::HashMap;

use lsp_server::{ErrorCode, Notification, Request, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use urlgrep::{Finder, FinderBuilder};

use crate::document::{Document, Encoding, Position, Range};
use crate::links;

/// A server, as one client talks to it.
#[derive(Default)]
pub struct Server {
    state: State,
    finder: Finder,
    /// The finder for diagnostics, if the client wants them.
    invalid: Option<Finder>,
    encoding: Encoding,
    documents: HashMap<String, Document>,
}

/// The requests of the client so far.
#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Nothing,
    Initialize,
    Shutdown,
}

/// The reason why a message is not answered as its sender wants.
type Refusal = (ErrorCode, String);

impl Server {
    /// Returns true if the client may end the server: it has asked it to shut down.
    pub fn is_shut_down(&self) -> bool {
        self.state == State::Shutdown
    }

    /// Returns the answer to a request.
    pub fn answer(&mut self, Request { id, method, params }: Request) -> Response {
        match self.result(&method, &params) {
            // `new_ok` would copy it.
            Ok(result) => Response { id, response_result: Ok(result) },
            Err((code, why)) => Response::new_err(id, code as i32, format!("{method}: {why}")),
        }
    }

    fn result(&mut self, method: &str, params: &Value) -> Result<Value, Refusal> {
        match (self.state, method) {
            (State::Nothing, "initialize") => self.initialize(params),
            (State::Nothing, _) => {
                Err((ErrorCode::ServerNotInitialized, "expected \"initialize\" first".into()))
            }
            (State::Shutdown, _) => {
                Err((ErrorCode::InvalidRequest, "expected \"exit\" after \"shutdown\"".into()))
            }
            (_, "initialize") => Err((ErrorCode::InvalidRequest, "the server is already initialized".into())),
            (_, "shutdown") => {
                self.state = State::Shutdown;
                Ok(Value::Null)
            }
            (_, "textDocument/documentLink") => {
                let uri = uri(params).map_err(|why| (ErrorCode::InvalidParams, why))?;
                Ok(Value::Array(links::links(&self.finder, uri, self.document(uri)?, self.encoding)))
            }
            (_, "documentLink/resolve") => {
                let uri = params["data"]["uri"].as_str().ok_or_else(|| expected("data", "expected uri"))?;
                Ok(links::resolved(&self.finder, self.document(uri)?, params.clone()))
            }
            (_, "textDocument/hover") => {
                let place =
                    Position::deserialize(&params["position"]).map_err(|why| expected("position", why))?;
                Ok(json!(links::hover(&self.finder, self.document_of(params)?, self.encoding, place)))
            }
            (_, "textDocument/diagnostic") => {
                let off = || (ErrorCode::InvalidRequest, "requires initializationOptions.invalid".into());
                let finder = self.invalid.as_ref().ok_or_else(off)?;
                let items = links::diagnostics(finder, self.document_of(params)?, self.encoding);
                Ok(json!({ "kind": "full", "items": items }))
            }
            _ => Err((ErrorCode::MethodNotFound, "unknown method".into())),
        }
    }

    /// Takes the options of the search from the client, and returns the capabilities of the server.
    fn initialize(&mut self, params: &Value) -> Result<Value, Refusal> {
        let options = &params["initializationOptions"];
        let (builder, invalid) = builder(options).map_err(|why| expected("initializationOptions", why))?;
        let build =
            |builder: FinderBuilder| builder.build().map_err(|why| expected("initializationOptions", why));
        self.invalid = invalid.then(|| build(builder.clone().invalid(true))).transpose()?;
        self.finder = build(builder)?;
        let encodings = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
        if encodings.is_some_and(|encodings| encodings.iter().any(|name| name == "utf-8")) {
            self.encoding = Encoding::Utf8;
        }
        self.state = State::Initialize;
        Ok(json!({
            "capabilities": {
                "positionEncoding": self.encoding,
                // The changes of a document, instead of its whole text.
                "textDocumentSync": 2,
                // The tooltip of a link, when it is shown.
                "documentLinkProvider": { "resolveProvider": true },
                "hoverProvider": true,
                "diagnosticProvider": self.invalid.as_ref().map(|_| json!({ "interFileDependencies": false, "workspaceDiagnostics": false })),
            },
            "serverInfo": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
        }))
    }

    /// Handles a notification of the client.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the server cannot.
    pub fn note(&mut self, Notification { method, params }: Notification) -> Result<(), String> {
        let noted = match &*method {
            // A server may ignore methods that begin like this.
            _ if method.starts_with("$/") => Ok(()),
            _ if self.state != State::Initialize => {
                Err("allowed only between initialize and shutdown".into())
            }
            "initialized" => Ok(()),
            "textDocument/didOpen" => self.open(&params, &params["textDocument"]),
            "textDocument/didChange" => self.change(&params),
            "textDocument/didClose" => uri(&params).map(|uri| drop(self.documents.remove(uri))),
            _ => Err("unknown method".into()),
        };
        noted.map_err(|why| format!("{method}: {why}"))
    }

    /// Keeps the text of a document that was opened or has changed.
    fn open(&mut self, params: &Value, text: &Value) -> Result<(), String> {
        let text = text["text"].as_str().ok_or("expected text")?;
        self.documents.insert(uri(params)?.to_owned(), Document::new(text.to_owned()));
        Ok(())
    }

    /// Makes the changes of a document, one after the other: to a range, or to the whole text.
    fn change(&mut self, params: &Value) -> Result<(), String> {
        let changes = params["contentChanges"].as_array().ok_or("expected contentChanges")?;
        for change in changes {
            let Some(range) = change.get("range") else {
                self.open(params, change)?;
                continue;
            };
            let range = Range::deserialize(range).map_err(|why| format!("range: {why}"))?;
            let text = change["text"].as_str().ok_or("expected text")?;
            let uri = uri(params)?;
            let document = self.documents.get_mut(uri).ok_or(format!("{uri} is not open"))?;
            document.replace(&range, text, self.encoding);
        }
        Ok(())
    }

    /// The document of a request.
    fn document_of(&self, params: &Value) -> Result<&Document, Refusal> {
        self.document(uri(params).map_err(|why| (ErrorCode::InvalidParams, why))?)
    }

    fn document(&self, uri: &str) -> Result<&Document, Refusal> {
        self.documents.get(uri).ok_or_else(|| (ErrorCode::InvalidParams, format!("{uri} is not open")))
    }
}

/// The name of a message's document.
fn uri(params: &Value) -> Result<&str, String> {
    params["textDocument"]["uri"].as_str().ok_or("expected textDocument.uri".into())
}

fn expected(what: &str, why: impl std::fmt::Display) -> Refusal {
    (ErrorCode::InvalidParams, format!("{what}: {why}"))
}

/// A finder with the options of the search that an object names, by their names in the library; and whether it also has
/// `invalid`.
fn builder(options: &Value) -> Result<(FinderBuilder, bool), String> {
    let (mut builder, mut invalid) = (Finder::builder().explain(true), false);
    match options {
        Value::Null => {}
        Value::Object(options) => {
            for (name, value) in options {
                if name == "invalid" {
                    invalid =
                        value.as_bool().ok_or(format!("invalid: expected true or false, found {value}"))?;
                    continue;
                }
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                builder = builder.set(name, &value).map_err(|why| why.to_string())?;
            }
        }
        _ => return Err(format!("expected an object, found {options}")),
    }
    Ok((builder, invalid))
}

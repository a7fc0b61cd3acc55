//! A language server for documents of every language: it shows their URLs as links, and explains
//! why each ends where it does. It talks to its client, an editor, on standard input and output,
//! and reports on standard error what it does not understand.
//!
//! The methods are `textDocument/documentLink` and `textDocument/hover`, and `textDocument/diagnostic` with the option
//! `invalid`. The options of the search are the client's `initializationOptions`, by their names in the library:
//! `{"join": "likely", "schemeless": "hosts"}`.

mod document;
mod frame;
mod links;
mod server;

use std::io::{self, BufRead, ErrorKind, Write};
use std::process::ExitCode;

use lsp_server::Message;

use server::Server;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match &*arguments {
        // Some clients pass this.
        [] => {}
        [only] if only == "--stdio" => {}
        [only] if only == "--version" => {
            println!("urlgrep-lsp {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        _ => {
            complain("expected no argument, --stdio or --version; an editor starts this program");
            return ExitCode::from(2);
        }
    }
    serve(&mut io::stdin().lock(), &mut io::stdout().lock()).unwrap_or_else(|error| {
        complain(error);
        ExitCode::FAILURE
    })
}

/// Answers messages until the client ends it. The protocol defines the status: 0 if the client has
/// asked it to shut down, and else 1.
fn serve(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<ExitCode> {
    let mut server = Server::default();
    loop {
        match frame::read(input) {
            Ok(Some(Message::Request(request))) => Message::from(server.answer(request)).write(output)?,
            Ok(Some(Message::Notification(told))) if told.method == "exit" => {
                return Ok(if server.is_shut_down() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
            }
            Ok(Some(Message::Notification(told))) => server.note(told).unwrap_or_else(complain),
            Ok(Some(Message::Response(_))) => complain("unexpected response: the server sends no requests"),
            Ok(None) => {
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "the input ended before \"exit\""));
            }
            // The message was read; the next one may be better.
            Err(error) if error.kind() == ErrorKind::InvalidData => complain(error),
            Err(error) => return Err(error),
        }
    }
}

/// Reports an error on standard error. A message that is not valid is shown up to a length.
fn complain(what: impl std::fmt::Display) {
    eprintln!("urlgrep-lsp: {what:.300}");
}

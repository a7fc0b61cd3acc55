//! The frame of a message: a header with the field `Content-Length`, which counts the bytes of the
//! message after it.
//!
//! lsp-server reads frames as well, but allocates any length that the header declares.

use std::io::{self, BufRead, ErrorKind, Read};

use lsp_server::Message;

/// The maximum length of a message, in bytes. Editors send whole documents, VS Code up to 50 MB, and the JSON escapes
/// can double these.
const MAX_LEN: u64 = 128 * 1024 * 1024;

/// The maximum length of a header, in bytes.
const MAX_HEAD: u64 = 4096;

/// Reads the next message; `None` at the end of the input.
///
/// # Errors
///
/// [`InvalidData`](ErrorKind::InvalidData) if the message was read but is not valid. After any other error, it is unknown
/// where the next one begins.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let Some(len) = read_head(input)? else {
        return Ok(None);
    };
    // The buffer grows as bytes arrive, because the declared number may never arrive.
    let mut text = Vec::new();
    if input.take(len).read_to_end(&mut text)? as u64 != len {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    serde_json::from_slice(&text).map(Some).map_err(|error| {
        let text = String::from_utf8_lossy(&text);
        io::Error::new(ErrorKind::InvalidData, format!("malformed message: {error}: {text:?}"))
    })
}

/// Reads a header: the length of the message after it.
fn read_head(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let invalid = |why: String| io::Error::new(ErrorKind::InvalidInput, why);
    let mut head = input.take(MAX_HEAD);
    let mut len = None;
    loop {
        let mut line = Vec::new();
        head.read_until(b'\n', &mut line)?;
        match line.strip_suffix(b"\n") {
            Some(rest) => line.truncate(rest.len()),
            None if head.limit() == 0 => {
                return Err(invalid(format!("the header is longer than {MAX_HEAD} bytes")));
            }
            None if line.is_empty() => return Ok(None),
            None => return Err(ErrorKind::UnexpectedEof.into()),
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            return len.map(Some).ok_or_else(|| invalid("the header has no Content-Length".to_owned()));
        }
        let (name, value) =
            line.split_once(':').ok_or_else(|| invalid(format!("malformed header: {line:?}")))?;
        if name.eq_ignore_ascii_case("Content-Length") {
            let number = value.trim().parse().ok().filter(|&len| len <= MAX_LEN);
            let why = || invalid(format!("{line}: expected a number of at most {MAX_LEN} bytes"));
            len = Some(number.ok_or_else(why)?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXIT: &str = r#"{"jsonrpc": "2.0", "method": "exit"}"#;

    /// The method of the message with this header, or the reason why it has none.
    fn method(head: &str) -> Result<String, (ErrorKind, String)> {
        match read(&mut format!("{head}{EXIT}").as_bytes()) {
            Ok(Some(Message::Notification(told))) => Ok(told.method),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err((error.kind(), error.to_string())),
        }
    }

    #[test]
    fn heads() {
        for head in [
            "Content-Length: 36\r\n\r\n",
            "content-length:36\n\n",
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 36\r\n\r\n",
        ] {
            assert_eq!(method(head), Ok("exit".to_owned()), "{head:?}");
        }
        let padded = |len| format!("X:{}\r\nContent-Length: 36\r\n\r\n", " ".repeat(len));
        let least = padded(0).len();
        assert_eq!(method(&padded(4096 - least)), Ok("exit".to_owned()));
        for (head, why) in [
            ("Content-Length 36\r\n\r\n", "malformed header: \"Content-Length 36\""),
            ("A: b\r\n\r\n", "the header has no Content-Length"),
            (&padded(4097 - least), "the header is longer than 4096 bytes"),
            (&"a".repeat(10_000), "the header is longer than 4096 bytes"),
        ] {
            assert_eq!(method(head), Err((ErrorKind::InvalidInput, why.to_owned())));
        }
        assert!(read(&mut &b""[..]).unwrap().is_none());
    }

    #[test]
    fn lengths() {
        for len in [
            "134217729",
            "1000000000",
            "8000000000",
            "18446744073709551615",
            "18446744073709551616",
            "-1",
            "x",
        ] {
            let why = format!("Content-Length: {len}: expected a number of at most 134217728 bytes");
            let error = method(&format!("Content-Length: {len}\r\n\r\n")).unwrap_err();
            assert_eq!(error, (ErrorKind::InvalidInput, why));
        }
        // These are valid.
        for head in ["Content-Length: 134217728\r\n\r\n", "Content-Length: 37\r\n\r\n", "Content-Length: 1"] {
            assert_eq!(method(head).unwrap_err().0, ErrorKind::UnexpectedEof, "{head:?}");
        }
        assert_eq!(method("Content-Length: 35\r\n\r\n").unwrap_err().0, ErrorKind::InvalidData);
    }
}

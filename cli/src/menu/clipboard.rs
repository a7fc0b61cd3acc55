//! The escape sequence that copies a text to the clipboard of the terminal (OSC 52). It also
//! works over ssh. Not every terminal obeys it, and none says whether it did.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The sequence: `ESC ] 52 ; c ; BASE64 BEL`.
pub fn copy(text: &str) -> Vec<u8> {
    format!("\x1b]52;c;{}\x07", STANDARD.encode(text)).into_bytes()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_text_is_in_base64() {
        assert_eq!(super::copy("ftp://h/"), b"\x1b]52;c;ZnRwOi8vaC8=\x07");
    }
}

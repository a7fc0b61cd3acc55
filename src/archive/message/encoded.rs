//! Bodies without their transfer encoding, and their kind.

use super::kind::MediaKind;
use super::mime::{Mime, TransferEncoding};
use crate::archive::container::format;
use crate::archive::convert::Converter;
use crate::archive::decode::{inline_file, transfer};
use crate::archive::header::{HeaderFields, has_url};
use crate::archive::mapped::Mapped;
use crate::archive::source_map::Decoded;
use crate::archive::what::{self, Hint, What};

/// The bytes of a body, or of its beginning, without its transfer encoding.
pub(crate) fn transferred<'m>(mapped: Mapped<'m>, mime: Mime<'_>, offsets: bool) -> Mapped<'m> {
    mapped.decoded_by(|bytes| match mime.encoding() {
        TransferEncoding::Identity => None,
        TransferEncoding::QuotedPrintable => Some(transfer::quoted_printable(bytes, offsets)),
        TransferEncoding::Base64 => of_base64(bytes, mime, offsets),
        TransferEncoding::Uuencode => inline_file::decode_all(bytes),
    })
}

/// Base64, decoded; `None` if a text is not encoded after all: the decoded bytes are neither a text
/// nor a document, and the verbatim text contains a URL.
fn of_base64(bytes: &[u8], mime: Mime<'_>, offsets: bool) -> Option<Decoded> {
    let decoded = transfer::base64_of_part(bytes, offsets, what::is_document);
    let is_noise = || {
        let label = mime.param(b"charset").unwrap_or_default().to_ascii_lowercase();
        let is_unicode = matches!(&label[..], b"" | b"utf-8" | b"us-ascii");
        transfer::encodes_noise(bytes, what::is_document, is_unicode)
    };
    let is_document = || match what::what(&decoded.bytes, Hint::PART) {
        What::Data => false,
        What::Lines(framing) => !framing.is_text(),
        _ => true,
    };
    let is_verbatim = has_url(bytes) && mime.is_text() && is_noise() && !is_document();
    (!is_verbatim).then_some(decoded)
}

/// Returns the kind of a body by its `bytes`, if it is declared as text or not at all; `None` if it
/// is read as declared. `is_apart` is true if an empty line precedes it.
///
/// Programs encode files in base64, and know the types of few. A body that a person wrote may begin
/// with the header of a message that it quotes. Such a body is a message only if it is a part without
/// a type, a file with a name, or encoded twice. A text without an empty line before it is the rest of
/// a damaged head, or of a body.
pub(crate) fn examined(
    bytes: &[u8],
    kind: MediaKind,
    mime: Mime<'_>,
    is_apart: impl Fn() -> bool,
) -> Option<What> {
    let is_file = matches!(mime.encoding(), TransferEncoding::Base64 | TransferEncoding::Uuencode);
    let has_name = || mime.has_disposition() && mime.filename().is_some();
    // A message in a part that is encoded twice is not a quotation, because its sender could not read it. If it were
    // read as text, its inner encoding would hide the links.
    let is_encoded_twice = || mime.encoding() != TransferEncoding::Identity && declares_encoding(bytes);
    let may_be_message =
        kind == MediaKind::Untyped || is_file && !mime.has_type() || has_name() || is_encoded_twice();
    let may_be_more = || match is_file {
        true => what::may_be_more(bytes),
        false => is_apart() && format::has_start(bytes),
    };
    match kind {
        MediaKind::Text | MediaKind::Untyped if may_be_message || may_be_more() => {}
        MediaKind::Text | MediaKind::Untyped => return None,
        _ if is_file && what::is_document(bytes) => return Some(what::what(bytes, Hint::PART)),
        _ => return None,
    }
    let what = what::what(bytes, Hint::PART);
    let is_document = match what {
        What::Data => false,
        What::Lines(framing) if framing.is_plain() => false,
        What::Lines(framing) if framing.single.is_some() => may_be_message,
        // A declared charset is more reliable than zeros between ASCII characters.
        What::Converted(Converter::Wide { .. }) => mime.param(b"charset").is_none(),
        _ => true,
    };
    is_document.then_some(what)
}

/// Returns true if the fields that `bytes` begin with declare a body in base64 and the like, or with
/// parts, which may be.
#[inline(never)]
fn declares_encoding(bytes: &[u8]) -> bool {
    let mime = Mime::of(bytes, HeaderFields::new(bytes, 0));
    mime.encoding() != TransferEncoding::Identity || mime.boundary().is_some()
}

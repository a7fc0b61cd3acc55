//! The properties of a message (MS-OXMSG §2.2, MS-OXPROPS).

use std::io;

use super::compound::{Compound, Stream};
use crate::archive::decode::charset::wide::{Order, Unit, characters};
use crate::archive::source_map::Decoded;

/// The name of the stream with the properties of a fixed length.
pub(super) const FIXED: &str = "__properties_version1.0";

/// The types of a property: text in UTF-16, text in a code page, bytes, a storage.
const UNICODE: u16 = 0x001F;
const STRING8: u16 = 0x001E;
const BINARY: u16 = 0x0102;
pub(super) const OBJECT: u16 = 0x000D;

/// The greatest length of text in UTF-16 that is read, in bytes: each change of its
/// alphabet takes memory.
const MAX_TEXT_LEN: usize = 2 * 1024 * 1024;

/// The length of an entry of the properties of a fixed length.
const ENTRY: usize = 16;

/// A value of a property.
pub(super) enum Value {
    /// Text in UTF-8, and its place among the streams.
    Text(Decoded),
    /// Bytes, or text in the code page of the message.
    Bytes(Stream),
}

impl Value {
    /// The text, and its place among the streams.
    pub(super) fn into_decoded(self) -> Decoded {
        match self {
            Value::Text(text) => text,
            Value::Bytes(stream) => verbatim(&stream),
        }
    }
}

/// The path of the stream of a property in the storage `base`.
pub(super) fn path(base: &str, id: u16, kind: u16) -> String {
    format!("{base}/__substg1.0_{id:04X}{kind:04X}")
}

/// Reads a property, if the message has it: text if it can be, or else bytes.
///
/// # Errors
///
/// If it is damaged, or text that is too long.
pub(super) fn read(compound: &mut Compound<'_>, base: &str, id: u16) -> io::Result<Option<Value>> {
    if let Some(stream) = compound.read(&path(base, id, UNICODE))? {
        if stream.bytes.len() > MAX_TEXT_LEN {
            let why = format!("a text of this message is longer than {MAX_TEXT_LEN} bytes, and not read");
            return Err(io::Error::new(io::ErrorKind::Unsupported, why));
        }
        return Ok(Some(Value::Text(utf_8(&stream))));
    }
    for kind in [STRING8, BINARY] {
        if let Some(stream) = compound.read(&path(base, id, kind))? {
            return Ok(Some(Value::Bytes(stream)));
        }
    }
    Ok(None)
}

/// The value of a property of a fixed length, among those in the stream `fixed`, which has
/// a header before its entries.
pub(super) fn fixed(fixed: &[u8], tag: u32) -> Option<u64> {
    // 32 bytes for a message, and 24 for one in a message.
    let header = if fixed.len().is_multiple_of(ENTRY) { 32 } else { 24 };
    let entries = fixed.get(header..)?.as_chunks::<ENTRY>().0;
    let entry = entries.iter().find(|entry| entry[..4] == tag.to_le_bytes())?;
    Some(u64::from_le_bytes(*entry.last_chunk()?))
}

/// A stream in UTF-16 as UTF-8.
fn utf_8(stream: &Stream) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = stream.at;
    for (character, len) in characters(&stream.bytes, Unit::Two, Order::Little) {
        // A NUL ends a string where a program has written one.
        if character != '\0' {
            decoded.put(character.encode_utf8(&mut [0; 4]).as_bytes(), at..at + len);
        }
        at += len;
    }
    decoded
}

/// A stream as it is.
fn verbatim(stream: &Stream) -> Decoded {
    let mut decoded = Decoded::default();
    decoded.put(&stream.bytes, stream.at..stream.at + stream.bytes.len());
    decoded
}

/// The date of a number of tenths of microseconds since 1601, in the form of RFC 5322.
pub(super) fn date(filetime: u64) -> Option<String> {
    const DAY: u64 = 24 * 60 * 60;
    const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let seconds = filetime / 10_000_000;
    let (days, time) = (seconds / DAY, seconds % DAY);
    // 1601 begins a cycle of 400 years, with a Monday.
    let mut year = 1601 + days / 146_097 * 400;
    let mut day = days % 146_097;
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 0;
    let len = |month: usize| [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month];
    while day >= len(month) {
        day -= len(month);
        month += 1;
    }
    let (weekday, month) = (WEEKDAYS[(days % 7) as usize], MONTHS[month]);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    let date = format!("{weekday}, {:02} {month} {year} {hour:02}:{minute:02}:{second:02} +0000", day + 1);
    (1601 < year && year < 10_000).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        // Seconds from 1601 to 1970, and those of the Unix time.
        let date = |unix: u64| date((11_644_473_600 + unix) * 10_000_000);
        assert_eq!(date(0).as_deref(), Some("Thu, 01 Jan 1970 00:00:00 +0000"));
        assert_eq!(date(951_782_400).as_deref(), Some("Tue, 29 Feb 2000 00:00:00 +0000"));
        assert_eq!(date(983_527_872).as_deref(), Some("Fri, 02 Mar 2001 10:11:12 +0000"));
        assert_eq!(super::date(0), None);
        assert_eq!(super::date(u64::MAX), None);
    }

    #[test]
    fn properties_of_a_fixed_length() {
        let entry = [&0x3FDE_0003_u32.to_le_bytes()[..], &[6, 0, 0, 0], &932_u64.to_le_bytes()].concat();
        for header in [32, 24] {
            let stream = [vec![0; header], entry.repeat(2)].concat();
            assert_eq!(fixed(&stream, 0x3FDE_0003), Some(932), "{header}");
            assert_eq!(fixed(&stream, 0x3FFD_0003), None);
        }
        assert_eq!(fixed(&[0; 8], 1), None);
    }
}

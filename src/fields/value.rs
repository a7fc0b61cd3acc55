//! The value of a field.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A unit that is counted from the start of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Lines, from 1.
    Line,
    /// Messages, from 0.
    Message,
    /// Bytes, from 0.
    Offset,
}

/// The value of a [field](crate::table::Field).
///
/// Templates and CSV use its `Display`: null is empty, a range is `4-31`, and spaces separate the values of a
/// list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Value<'v> {
    /// No value.
    Null,
    /// A number.
    Number(u64),
    /// A number that counts from the start of the file, or from the start of a part of the file if
    /// the text before it is unknown.
    Counted(Counted, u64),
    /// A name from a fixed set, which needs no escaping.
    Name(&'static str),
    /// A URL: UTF-8 unless the input has other bytes.
    Url(Cow<'v, [u8]>),
    /// A text, or bytes that are not UTF-8.
    Text(Cow<'v, [u8]>),
    /// Ranges of byte offsets that count as [`Counted::Offset`], the ends exclusive.
    Ranges(Cow<'v, [Range<u64>]>),
    /// Names from a small set.
    Names(Vec<&'static str>),
    /// URLs.
    Urls(Vec<Cow<'v, [u8]>>),
    /// Texts, or bytes that are not UTF-8.
    Texts(Vec<Cow<'v, [u8]>>),
}

impl<'v> Value<'v> {
    /// A text, or null.
    pub(super) fn text(text: Option<impl Into<Cow<'v, str>>>) -> Value<'v> {
        text.map_or(Value::Null, |text| match text.into() {
            Cow::Borrowed(text) => Value::Text(text.as_bytes().into()),
            Cow::Owned(text) => Value::Text(text.into_bytes().into()),
        })
    }

    /// Bytes of the input, or null.
    pub(super) fn bytes(bytes: Option<&'v [u8]>) -> Value<'v> {
        bytes.map_or(Value::Null, |bytes| Value::Text(bytes.into()))
    }

    /// A number, or null.
    pub(super) fn number(number: Option<impl Into<u64>>) -> Value<'v> {
        number.map_or(Value::Null, |number| Value::Number(number.into()))
    }

    /// A name, or null.
    pub(super) fn name(name: Option<&'static str>) -> Value<'v> {
        name.map_or(Value::Null, Value::Name)
    }

    /// Returns the value with its own copy of all texts.
    pub fn into_owned(self) -> Value<'static> {
        let own = |bytes: Cow<'_, [u8]>| Cow::Owned(bytes.into_owned());
        match self {
            Value::Null => Value::Null,
            Value::Number(number) => Value::Number(number),
            Value::Counted(counted, number) => Value::Counted(counted, number),
            Value::Name(name) => Value::Name(name),
            Value::Url(url) => Value::Url(own(url)),
            Value::Text(text) => Value::Text(own(text)),
            Value::Ranges(ranges) => Value::Ranges(Cow::Owned(ranges.into_owned())),
            Value::Names(names) => Value::Names(names),
            Value::Urls(urls) => Value::Urls(urls.into_iter().map(own).collect()),
            Value::Texts(texts) => Value::Texts(texts.into_iter().map(own).collect()),
        }
    }

    /// Returns the value as text, like `Display`, but with the original bytes of the input.
    pub fn to_text(&self) -> Cow<'_, [u8]> {
        match self {
            Value::Null => Cow::Borrowed(b""),
            Value::Number(number) | Value::Counted(_, number) => number.to_string().into_bytes().into(),
            Value::Name(name) => name.as_bytes().into(),
            Value::Url(text) | Value::Text(text) => (&**text).into(),
            Value::Ranges(ranges) => {
                let ranges = ranges.iter().map(|range| format!("{}-{}", range.start, range.end));
                ranges.collect::<Vec<_>>().join(" ").into_bytes().into()
            }
            Value::Names(names) => names.join(" ").into_bytes().into(),
            Value::Urls(texts) | Value::Texts(texts) => texts.join(&b' ').into(),
        }
    }
}

/// Bytes that are not UTF-8 are replaced by U+FFFD.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(&self.to_text()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let urls = Value::Urls(vec![b"x"[..].into(), b"\xff"[..].into()]);
        for (value, text) in [
            (Value::Null, &b""[..]),
            (Value::Number(10), b"10"),
            (Value::Counted(Counted::Line, 0), b"0"),
            (Value::Name("a"), b"a"),
            (Value::Text(b"a b"[..].into()), b"a b"),
            (Value::Ranges(Cow::Borrowed(&[11..12, 14..41])), b"11-12 14-41"),
            (Value::Ranges(Cow::Borrowed(&[])), b""),
            (Value::Names(vec!["port", "userinfo"]), b"port userinfo"),
            (urls.clone(), b"x \xff"),
            (Value::Texts(vec![b"x"[..].into(), b"y z"[..].into()]), b"x y z"),
        ] {
            assert_eq!(&*value.to_text(), text);
            assert_eq!(value.clone().into_owned(), value);
        }
        assert_eq!(urls.to_string(), "x \u{fffd}");
    }
}

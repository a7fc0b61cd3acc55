//! The receiver of the mail, which also answers questions that only a reader of mail can.

use std::ops::Range;

/// Text that knows the source of each of its bytes.
pub trait Text: Default {
    /// Appends `text`, which the bytes at `source` encode; the range is empty if they are nowhere.
    fn put(&mut self, text: &[u8], source: Range<usize>);

    /// Appends the bytes at `range` of `other`, with their sources.
    fn append_part(&mut self, other: &Self, range: Range<usize>);

    /// Returns the text.
    fn as_bytes(&self) -> &[u8];

    /// Returns the text without its sources.
    fn into_bytes(self) -> Vec<u8>;

    /// Returns the header fields at the beginning of the text: the name of each, or an empty one for a damaged
    /// field, and its range with the line break.
    fn fields(&self) -> Vec<(&[u8], Range<usize>)>;

    /// Returns RTF with the links that only `rtf` contains, not another body of this mail, each in a field; empty if
    /// no link is missing.
    ///
    /// The sources of `rtf` and of the result refer to the same bytes as the sources of the mail.
    fn missing_links(&self, rtf: &Self, bodies: &[Body]) -> Self;
}

/// A body of a mail that has been written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Body {
    /// The range of the body in the mail.
    pub range: Range<usize>,
    /// True if it is HTML; false if it is text.
    pub is_html: bool,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A text with the source of each byte.
    #[derive(Debug, Default)]
    pub(crate) struct Sourced(pub(crate) Vec<u8>, pub(crate) Vec<Range<usize>>);

    impl Text for Sourced {
        fn put(&mut self, text: &[u8], source: Range<usize>) {
            let (own, each) = (self.0.len(), source.len() == text.len());
            self.0.extend_from_slice(text);
            let of_byte = |at: usize| {
                if each { source.start + at - own..source.start + at - own + 1 } else { source.clone() }
            };
            self.1.extend((own..self.0.len()).map(of_byte));
        }

        fn append_part(&mut self, other: &Self, range: Range<usize>) {
            self.0.extend_from_slice(&other.0[range.clone()]);
            self.1.extend_from_slice(&other.1[range]);
        }

        fn as_bytes(&self) -> &[u8] {
            &self.0
        }

        fn into_bytes(self) -> Vec<u8> {
            self.0
        }

        fn fields(&self) -> Vec<(&[u8], Range<usize>)> {
            Vec::new()
        }

        fn missing_links(&self, _: &Self, _: &[Body]) -> Self {
            Self::default()
        }
    }
}

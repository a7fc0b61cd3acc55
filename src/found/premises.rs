//! What is not in the text and yet belongs to a match.

use super::form::Implied;
use crate::grammar::Dialect;

/// The scheme that is implied, and the grammar by which the match is graded.
///
/// Both are in one byte: matches are moved often, and a field more costs each of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Premises(u8);

impl Premises {
    /// The bit for [`Dialect::Draft1994`]. The lower bits are the scheme.
    const DRAFT: u8 = 4;

    /// The same with an implied scheme.
    pub(crate) fn implying(self, scheme: Implied) -> Self {
        Premises(self.0 | (scheme as u8 + 1))
    }

    /// The same without an implied scheme.
    #[cfg(feature = "unwrap")]
    pub(crate) fn explicit(self) -> Self {
        Premises(self.0 & Self::DRAFT)
    }

    /// The same, graded by `dialect`.
    pub(crate) fn graded_by(self, dialect: Dialect) -> Self {
        match dialect {
            Dialect::Rfc1738 => Premises(self.0 & !Self::DRAFT),
            Dialect::Draft1994 => Premises(self.0 | Self::DRAFT),
        }
    }

    /// The scheme that is implied, if one is.
    pub(crate) fn implied(self) -> Option<Implied> {
        match self.0 & !Self::DRAFT {
            0 => None,
            1 => Some(Implied::Http),
            2 => Some(Implied::Ftp),
            _ => Some(Implied::Mailto),
        }
    }

    /// The grammar by which the match is graded.
    pub(crate) fn dialect(self) -> Dialect {
        if self.0 & Self::DRAFT == 0 { Dialect::Rfc1738 } else { Dialect::Draft1994 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_kept() {
        let none = Premises::default();
        assert_eq!((none.implied(), none.dialect()), (None, Dialect::default()));
        for scheme in [Implied::Http, Implied::Ftp, Implied::Mailto] {
            let by_draft = none.graded_by(Dialect::Draft1994).implying(scheme);
            assert_eq!((by_draft.implied(), by_draft.dialect()), (Some(scheme), Dialect::Draft1994));
            let by_rfc = by_draft.graded_by(Dialect::Rfc1738);
            assert_eq!((by_rfc.implied(), by_rfc.dialect()), (Some(scheme), Dialect::Rfc1738));
        }
    }
}

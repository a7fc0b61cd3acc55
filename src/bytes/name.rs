//! Names: the error for one that is not known, and the short form of one that is long.

#[cfg(feature = "archive")]
use std::borrow::Cow;
use std::fmt;

/// The error for a text that is not the name of a value, such as a [`Join`](crate::Join) or a [`Grade`](crate::Grade).
///
/// The other types of options, such as [`Hyphen`](crate::Hyphen), return an
/// [`OptionError`](crate::OptionError).
///
/// ```
/// let error = "strict".parse::<urlgrep::Grade>().unwrap_err();
/// assert_eq!(error.to_string(), r#"expected "lenient", "rfc3986", "rfc1738" or "draft1994""#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseNameError(pub(crate) &'static str);

impl fmt::Display for ParseNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.0)
    }
}

impl std::error::Error for ParseNameError {}

/// Implements `Display` by `as_str`, with the padding of a string.
macro_rules! prints_its_name {
    ($($name:ty),+) => {$(
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    )+};
}
pub(crate) use prints_its_name;

/// Defines `ALL`, `as_str` and `Display` for a type, from a list of its values and their names; with `FromStr`, also
/// that trait. A value that is not in the list does not compile.
macro_rules! named {
    ($type:ident: $(#[$doc:meta])* $($value:ident => $name:literal,)+) => {
        impl $type {
            /// All values, in the order in which they are declared: `ALL[n] as usize` is `n`.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            $(#[$doc])*
            pub fn as_str(self) -> &'static str {
                match self {
                    $($type::$value => $name,)+
                }
            }
        }

        $crate::bytes::name::prints_its_name!($type);
    };
    ($type:ident, FromStr: $(#[$doc:meta])* $($value:ident => $name:literal,)+) => {
        $crate::bytes::name::named! { $type: $(#[$doc])* $($value => $name,)+ }

        impl std::str::FromStr for $type {
            type Err = $crate::bytes::name::ParseNameError;

            /// Returns the value of this [name](Self::as_str).
            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let value = Self::ALL.into_iter().find(|value| value.as_str() == name);
                value.ok_or($crate::bytes::name::ParseNameError($crate::bytes::name::one_of!($($name)+)))
            }
        }
    };
}
pub(crate) use named;

/// Lists names: `"a", "b" or "c"`.
macro_rules! one_of {
    ($one:literal $last:literal) => { concat!("\"", $one, "\" or \"", $last, "\"") };
    ($first:literal $($rest:literal)+) => {
        concat!("\"", $first, "\", ", $crate::bytes::name::one_of!($($rest)+))
    };
}
pub(crate) use one_of;

/// The longest file name that is shown as it is, in bytes.
#[cfg(feature = "archive")]
pub(crate) const LONGEST: usize = 1024;

/// A file name as it is shown with each of its matches. A name of more than [`LONGEST`] bytes is
/// shortened to its beginning, the FNV-1a hash of the whole name, so that two names stay different,
/// and its end, which contains the extension.
#[cfg(feature = "archive")]
pub(crate) fn shortened(name: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    const END: usize = 255;
    if name.len() <= LONGEST {
        return name;
    }
    let hash = name
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash: u64, &b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3));
    let digest = format!("~{hash:016x}~");
    let is_inside = |at: usize| name[at] & 0xC0 == 0x80;
    let start = (0..=LONGEST - END - digest.len()).rev().find(|&at| !is_inside(at)).unwrap_or(0);
    let end = (name.len() - END..name.len()).find(|&at| !is_inside(at)).unwrap_or(name.len());
    Cow::Owned([&name[..start], digest.as_bytes(), &name[end..]].concat())
}

#[cfg(all(test, feature = "archive"))]
mod tests {
    use super::*;

    #[test]
    fn long_names() {
        let short = |name: &str| String::from_utf8(shortened(name.as_bytes().into()).into_owned()).unwrap();
        let name = |len: usize| "a".repeat(len - 4) + ".eml";
        assert_eq!(short(&name(LONGEST)), name(LONGEST));
        let long = short(&name(LONGEST + 1));
        // FNV-1a of 64 bits, computed apart from this.
        assert_eq!(long, format!("{}~6a5d957a4b177744~{}.eml", "a".repeat(751), "a".repeat(251)));
        assert_eq!(long.len(), LONGEST);
        assert_ne!(short(&name(LONGEST + 2)), long);
        // No character is cut.
        for before in 0..4 {
            let long = short(&("b".repeat(before) + &"\u{20AC}".repeat(700)));
            assert!(long.len() <= LONGEST && long.ends_with('\u{20AC}'), "{long}");
        }
    }
}

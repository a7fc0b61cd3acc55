//! Entities of HTML in text: those that end a URL, and the ampersand.

use crate::bytes::window::Window;
use crate::found::form::Entity;

/// How long a number may be, its zeros included.
const DIGITS: usize = 6;

/// What an entity means for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntityMeaning {
    /// The URL ends before it.
    Stop(Entity),
    /// It is an ampersand of the URL.
    Ampersand,
}

/// The entities by name, and the numbers of their characters.
const NAMED: [(&str, u32, EntityMeaning); 6] = [
    ("lt", 0x3C, EntityMeaning::Stop(Entity::Lt)),
    ("gt", 0x3E, EntityMeaning::Stop(Entity::Gt)),
    ("quot", 0x22, EntityMeaning::Stop(Entity::Quot)),
    ("apos", 0x27, EntityMeaning::Stop(Entity::Apos)),
    ("nbsp", 0xA0, EntityMeaning::Stop(Entity::Nbsp)),
    ("amp", 0x26, EntityMeaning::Ampersand),
];

/// The entity at `at`, whose ampersand is there, and its length.
pub(super) fn at(window: &Window<'_>, at: usize) -> Option<(EntityMeaning, usize)> {
    if window.get(at + 1) == Some(b'#') {
        return numbered(window, at);
    }
    let named = |&(name, ..): &(&str, u32, EntityMeaning)| {
        window.has(at + 1, name.as_bytes()) && window.get(at + 1 + name.len()) == Some(b';')
    };
    NAMED.into_iter().find(named).map(|(name, _, meaning)| (meaning, name.len() + 2))
}

/// The entity at `at` if it has a number: `&#39;`, `&#x27;`.
fn numbered(window: &Window<'_>, at: usize) -> Option<(EntityMeaning, usize)> {
    let is_hex = matches!(window.get(at + 2), Some(b'x' | b'X'));
    let from = at + 2 + usize::from(is_hex);
    let end = window.skip(from, from + DIGITS, |b| b.is_ascii_hexdigit());
    let digits = std::str::from_utf8(window.ahead(from..end)).ok()?;
    let number = u32::from_str_radix(digits, if is_hex { 16 } else { 10 }).ok()?;
    let (.., meaning) = NAMED.into_iter().find(|&(_, code, _)| code == number)?;
    (window.get(end) == Some(b';')).then_some((meaning, end + 1 - at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        let entity = |text: &str| at(&Window::whole(text.as_bytes()), 0);
        for text in ["&apos;", "&#39;", "&#039;", "&#x27;", "&#X27;"] {
            assert_eq!(entity(text), Some((EntityMeaning::Stop(Entity::Apos), text.len())), "{text}");
        }
        for text in ["&amp;", "&AMP;", "&#38;", "&#x26;"] {
            assert_eq!(entity(text), Some((EntityMeaning::Ampersand, text.len())), "{text}");
        }
        for text in ["&amp", "&ampere;", "&#;", "&#x;", "&#40;", "&#39", "&#0000039;", "&x;"] {
            assert_eq!(entity(text), None, "{text}");
        }
    }
}

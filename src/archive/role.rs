//! The role of a URL in a message or a page for its reader.

use std::str::FromStr;

use crate::bytes::name::{ParseNameError, prints_its_name};

/// The role of a URL for the reader of its message or page.
///
/// ```
/// use urlgrep::archive::Role;
///
/// assert_eq!("image".parse(), Ok(Role::Image));
/// assert_eq!(Role::Image.to_string(), "image");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Text that a reader sees.
    #[default]
    Text,
    /// A link that a reader can follow: `<a>`, `<area>`, a URL property of a calendar or a card, a link of an office
    /// document or a feed.
    Link,
    /// An image that the page shows: `<img>`, `<source>`, `poster`, `background`, `url()` of CSS.
    Image,
    /// An image that is invisible, one pixel in size or hidden: its server learns that the mail was
    /// opened. Its element is an `<img>`.
    Tracker,
    /// The target of a form: `<form action>`.
    FormAction,
    /// Any other URL that the page loads or refers to: scripts, style sheets, frames, namespaces,
    /// document types, and hidden content.
    Resource,
    /// A header field.
    Header,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 7] =
        [Role::Text, Role::Link, Role::Image, Role::Tracker, Role::FormAction, Role::Resource, Role::Header];

    /// Returns the name: `text`, `link`, `image`, `tracker`, `form_action`, `resource` or `header`.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Text => "text",
            Role::Link => "link",
            Role::Image => "image",
            Role::Tracker => "tracker",
            Role::FormAction => "form_action",
            Role::Resource => "resource",
            Role::Header => "header",
        }
    }
}

prints_its_name!(Role);

impl FromStr for Role {
    type Err = ParseNameError;

    /// The role of this [name](Role::as_str).
    fn from_str(name: &str) -> Result<Role, ParseNameError> {
        Role::ALL.into_iter().find(|role| role.as_str() == name).ok_or(ParseNameError(
            "\"text\", \"link\", \"image\", \"tracker\", \"form_action\", \"resource\" or \"header\"",
        ))
    }
}

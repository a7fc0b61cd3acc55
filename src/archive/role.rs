//! The role of a URL in a message or a page for its reader.

use crate::bytes::name::named;

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

named! {
    Role, FromStr:
    /// Returns the name: `text`, `link`, `image`, `tracker`, `form_action`, `resource` or `header`.
    Text => "text",
    Link => "link",
    Image => "image",
    Tracker => "tracker",
    FormAction => "form_action",
    Resource => "resource",
    Header => "header",
}

//! The elements of HTML, and what they do to the text around them.

/// The break between two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    None,
    Blank,
    Line,
    EmptyLine,
}

impl Break {
    pub(super) fn as_bytes(self) -> &'static [u8] {
        match self {
            Break::None => b"",
            Break::Blank => b" ",
            Break::Line => b"\n",
            Break::EmptyLine => b"\n\n",
        }
    }
}

/// What an element does to the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// A break before and after it.
    Apart(Break),
    LineBreak,
    Anchor,
    Preformatted,
    /// No text up to its end tag.
    Hidden(&'static str),
    /// Text with references, but without tags.
    Escapable(&'static str, Break),
    /// Verbatim text.
    Literal(&'static str),
    /// Verbatim text up to the end of the file.
    Rest,
    Inline,
}

impl Element {
    /// The element of this name, in any letter case.
    pub(super) fn of(name: &[u8]) -> Element {
        // The longest has ten letters. All 16 are changed to small letters at once.
        let mut lower = [0; 16];
        let Some(copy) = lower.get_mut(..name.len()) else {
            return Element::Inline;
        };
        copy.copy_from_slice(name);
        lower.make_ascii_lowercase();
        match &lower[..name.len()] {
            b"a" => Element::Anchor,
            b"br" => Element::LineBreak,
            b"td" | b"th" => Element::Apart(Break::Blank),
            b"address" | b"article" | b"aside" | b"body" | b"caption" | b"center" | b"dd" | b"details"
            | b"dialog" | b"div" | b"dt" | b"fieldset" | b"figcaption" | b"footer" | b"form"
            | b"frameset" | b"head" | b"header" | b"hgroup" | b"html" | b"legend" | b"li" | b"main"
            | b"nav" | b"noframes" | b"noscript" | b"optgroup" | b"option" | b"section" | b"summary"
            | b"tbody" | b"tfoot" | b"thead" | b"tr" => Element::Apart(Break::Line),
            b"blockquote" | b"dir" | b"dl" | b"figure" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6"
            | b"hr" | b"menu" | b"ol" | b"p" | b"table" | b"ul" => Element::Apart(Break::EmptyLine),
            b"pre" | b"listing" => Element::Preformatted,
            b"script" => Element::Hidden("script"),
            b"style" => Element::Hidden("style"),
            b"title" => Element::Escapable("title", Break::EmptyLine),
            b"textarea" => Element::Escapable("textarea", Break::Line),
            b"xmp" => Element::Literal("xmp"),
            b"plaintext" => Element::Rest,
            _ => Element::Inline,
        }
    }
}

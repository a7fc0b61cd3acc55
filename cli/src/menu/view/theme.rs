//! Colours and attributes.

use crossterm::style::{Color, ContentStyle, Stylize};

/// How each kind of text looks. Without colours, attributes and words are enough. The selected row is
/// [reversed](super::Line::reversed), and has a mark.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    pub plain: ContentStyle,
    pub strong: ContentStyle,
    pub weak: ContentStyle,
    pub url: ContentStyle,
    pub number: ContentStyle,
}

impl Theme {
    /// With colours, they are those of the matches in the output.
    pub fn new(colors: bool) -> Theme {
        let plain = ContentStyle::new();
        let color = |color| if colors { plain.with(color) } else { plain };
        Theme {
            plain,
            strong: plain.bold(),
            weak: plain.dim(),
            url: color(Color::DarkCyan),
            number: color(Color::DarkGreen),
        }
    }
}

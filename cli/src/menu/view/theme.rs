//! Colours and attributes.

use ratatui_core::style::{Color, Modifier, Style};

/// How each kind of text looks. Without colours, attributes and words are enough: the selected
/// row also has a mark.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    pub plain: Style,
    pub strong: Style,
    pub weak: Style,
    pub url: Style,
    pub number: Style,
    pub selected: Style,
}

impl Theme {
    /// With colours, they are those of the matches in the output.
    pub fn new(colors: bool) -> Theme {
        let color = |color| if colors { Style::new().fg(color) } else { Style::new() };
        Theme {
            plain: Style::new(),
            strong: Style::new().add_modifier(Modifier::BOLD),
            weak: Style::new().add_modifier(Modifier::DIM),
            url: color(Color::Cyan),
            number: color(Color::Green),
            selected: Style::new().add_modifier(Modifier::REVERSED),
        }
    }
}

//! Prints, lists and counts matches.
//!
//! `urlgrep_print` formats a match. `printer` writes views into a [batch](batch::Batch) in memory,
//! so that several threads can print; `stdout` writes the batches in order, and keeps the
//! statistics and the report, or sends the matches to the menu.

// | module | contains |
// |---|---|
// | `around`, `page` | the text around a URL |
// | `batch` | matches of one input, printed into memory |
// | `groups` | `--group` |
// | `item` | a match in the menu |
// | `newest` | `--newest` |
// | `printer` | how a match is printed |
// | `progress` | the progress of a long search |
// | `report` | `--report` |
// | `stats` | `--stats` |
// | `stdout` | the batches of all inputs, in order |
// | `style` | colours and links |
// | `unsupported` | files that are not read, and notices |

mod around;
pub mod batch;
pub mod groups;
pub mod item;
pub mod newest;
pub mod page;
pub mod printer;
pub mod progress;
pub mod report;
pub mod stats;
pub mod stdout;
pub mod style;
pub mod unsupported;

pub use urlgrep_print::context::HyphenDecision;
pub use urlgrep_print::view::View;

/// The number of characters of a text that is clipped.
const CLIPPED: usize = 300;

/// The start of a text, such as a subject: its first 300 characters.
fn clip(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(CLIPPED) {
        text.truncate(end);
        text.push('\u{2026}');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_clipped() {
        assert_eq!(clip("\u{fc}".repeat(300)), "\u{fc}".repeat(300));
        assert_eq!(clip("\u{fc}".repeat(301)), "\u{fc}".repeat(300) + "\u{2026}");
    }
}

//! What the user searches for.

use regex::{Regex, RegexBuilder};

use crate::output::item::Item;

/// Words, all of which an item must have. Letter case is ignored.
#[derive(Clone, Debug, Default)]
pub struct Filter(Vec<Regex>);

impl Filter {
    /// The filter of the words in a text; without words, it lets everything pass.
    pub fn new(text: &str) -> Filter {
        let word = |word: &str| RegexBuilder::new(&regex::escape(word)).case_insensitive(true).build().ok();
        Filter(text.split_whitespace().filter_map(word).collect())
    }

    /// Whether an item has all words.
    pub fn wants(&self, item: &Item) -> bool {
        let readings = item.readings.iter().map(|reading| &*reading.shown);
        let texts = [&*item.text, &*item.sentence, &*item.subject, &*item.path];
        self.0.iter().all(|word| readings.clone().chain(texts).any(|text| word.is_match(text)))
    }
}

//! The words that the user searches for, or filters by.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use crate::output::item::Item;

/// Words that an item must all contain. Letter case is ignored.
#[derive(Clone, Debug, Default)]
pub struct Words(Vec<Regex>);

impl Words {
    /// Returns the words of a text. A text without words accepts every item.
    pub fn new(text: &str) -> Words {
        let word = |word: &str| RegexBuilder::new(&regex::escape(word)).case_insensitive(true).build().ok();
        Words(text.split_whitespace().filter_map(word).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if an item contains all words. `labels` is true if the subject and the path are
    /// searched as well.
    pub fn are_in(&self, item: &Item, labels: bool) -> bool {
        let readings = item.readings.iter().map(|reading| &*reading.shown);
        let labels = [&*item.subject, &*item.path].into_iter().filter(|_| labels);
        let texts = readings.chain([&*item.text, &*item.sentence]).chain(labels);
        self.0.iter().all(|word| texts.clone().any(|text| word.is_match(text)))
    }

    /// Returns the ranges of the words in a text, in order. Overlapping ranges are merged.
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut all: Vec<_> =
            self.0.iter().flat_map(|word| word.find_iter(text).map(|found| found.range())).collect();
        all.sort_by_key(|range| range.start);
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for range in all {
            match ranges.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => ranges.push(range),
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_do_not_overlap() {
        assert_eq!(Words::new("ab BC d").ranges("xabc abd"), [1..4, 5..8]);
        // One range is inside another.
        assert_eq!(Words::new("b abcd e").ranges("xabcd e"), [1..5, 6..7]);
        assert!(Words::new("").ranges("a").is_empty());
    }
}

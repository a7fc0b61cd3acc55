//! The items, which of them are visible, and which one is selected.

use std::collections::{HashMap, HashSet};

use regex::{Regex, RegexBuilder};

use super::Motion;
use crate::output::item::Item;

/// An item, and its duplicates.
#[derive(Debug)]
struct ListItem {
    item: Item,
    /// The first item with the same URL.
    first: usize,
    /// The number of items with the same URL, if this is the first one.
    count: usize,
    /// The item among them whose text is shown.
    text: usize,
}

/// The items of the menu.
#[derive(Debug, Default)]
pub struct List {
    entries: Vec<ListItem>,
    /// The first item of each URL.
    firsts: HashMap<Box<str>, usize>,
    filter: Filter,
    folded: bool,
    /// The items that are shown.
    rows: Vec<usize>,
    /// The folded items among them.
    folded_rows: HashSet<usize>,
    /// The row that is selected.
    selected: usize,
    /// The first row on the screen.
    top: usize,
    /// The number of rows on the screen.
    page: usize,
    bytes: usize,
    /// Whether not all labels are the same.
    several_labels: bool,
}

/// The subject of the message, or the file.
pub fn label(item: &Item) -> &str {
    if item.subject.is_empty() { &item.path } else { &item.subject }
}

/// An item as a row.
#[derive(Clone, Copy, Debug)]
pub struct Row<'l> {
    /// The number by which it is selected.
    pub number: usize,
    pub item: &'l Item,
    /// The text of the link, which may come from a duplicate.
    pub text: &'l str,
    /// The sentence around the URL, which may come from a duplicate.
    pub sentence: &'l str,
    /// The number of items in it.
    pub count: usize,
    pub selected: bool,
}

impl List {
    pub fn new(folded: bool) -> List {
        List { folded, page: 1, ..List::default() }
    }

    /// Adds an item. The selection stays where it is.
    pub fn push(&mut self, item: Item) {
        let index = self.entries.len();
        self.bytes += item.len();
        let target = item.readings.first().map(|url| url.target.clone()).unwrap_or_default();
        let first = *self.firsts.entry(target).or_insert(index);
        self.several_labels |= self.entries.first().is_some_and(|first| label(&first.item) != label(&item));
        self.entries.push(ListItem { item, first, count: 0, text: index });
        self.entries[first].count += 1;
        let of_first = self.entries[first].text;
        if self.entries[of_first].item.text.is_empty() && !self.entries[index].item.text.is_empty() {
            self.entries[first].text = index;
        }
        self.show(index);
    }

    /// Adds the row of an item, if it is wanted.
    fn show(&mut self, index: usize) {
        let entry = &self.entries[index];
        if !self.filter.wants(&entry.item) {
            return;
        }
        if !self.folded {
            self.rows.push(index);
        } else if self.folded_rows.insert(entry.first) {
            self.rows.push(entry.first);
        }
    }

    /// Makes the rows anew. The selected item stays selected, if it is still there.
    fn arrange(&mut self) {
        let selected = self.rows.get(self.selected).copied();
        self.rows.clear();
        self.folded_rows.clear();
        (0..self.entries.len()).for_each(|index| self.show(index));
        let is_same = |&row: &usize| selected.is_some_and(|index| self.is_same(row, index));
        self.select(self.rows.iter().position(is_same).unwrap_or(0));
    }

    /// Whether a row shows an item.
    fn is_same(&self, row: usize, index: usize) -> bool {
        row == index || (self.folded && row == self.entries[index].first)
    }

    pub fn set_filter(&mut self, filter: Filter) {
        self.filter = filter;
        self.arrange();
    }

    pub fn set_folded(&mut self, folded: bool) {
        self.folded = folded;
        self.arrange();
    }

    pub fn is_folded(&self) -> bool {
        self.folded
    }

    /// The number of items that are folded into others.
    pub fn hidden(&self) -> usize {
        if self.folded { self.entries.len() - self.firsts.len() } else { 0 }
    }

    /// The number of all items.
    pub fn total(&self) -> usize {
        self.entries.len()
    }

    /// The number of rows.
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The size of all items in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether the items are from messages with different subjects, or from several files.
    pub fn has_several_labels(&self) -> bool {
        self.several_labels
    }

    /// The number of the row that is selected, from 1; 0 if there is none.
    pub fn selected(&self) -> usize {
        if self.rows.is_empty() { 0 } else { self.selected + 1 }
    }

    pub fn selected_item(&self) -> Option<&Item> {
        self.rows.get(self.selected).map(|&index| &self.entries[index].item)
    }

    /// Selects a row, from 0, and scrolls to it.
    pub fn select(&mut self, row: usize) {
        self.selected = row.min(self.rows.len().saturating_sub(1));
        let lowest = self.rows.len().saturating_sub(self.page);
        let first = (self.selected + 1).saturating_sub(self.page);
        self.top = self.top.clamp(first, self.selected.max(first)).min(lowest);
    }

    pub fn go(&mut self, motion: Motion) {
        self.select(motion.scrolled(self.selected, self.page, self.rows.len().saturating_sub(1)));
    }

    /// Sets the number of rows on the screen, and scrolls to the selected one.
    pub fn set_page(&mut self, rows: usize) {
        self.page = rows.max(1);
        self.select(self.selected);
    }

    /// The rows on the screen.
    pub fn visible(&self) -> impl Iterator<Item = Row<'_>> {
        let rows = self.rows.iter().enumerate().skip(self.top).take(self.page);
        rows.map(|(at, &index)| self.row(at, index))
    }

    fn row(&self, at: usize, index: usize) -> Row<'_> {
        let entry = &self.entries[index];
        let (count, text) = if self.folded { (entry.count, entry.text) } else { (1, index) };
        let told = &self.entries[text].item;
        Row {
            number: at + 1,
            item: &entry.item,
            text: &told.text,
            sentence: &told.sentence,
            count,
            selected: at == self.selected,
        }
    }
}

// What the user searches for.

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

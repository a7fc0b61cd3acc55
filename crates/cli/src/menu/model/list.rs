//! The items, which of them are shown, and which one is selected.

use std::collections::{BTreeSet, HashMap};

use urlgrep::archive::Role;

use super::Motion;
use super::words::Words;
use crate::output::item::Item;
use crate::output::stats::ByRole;

/// The number of rows that the wheel scrolls.
const WHEEL: usize = 3;

/// An item, and its URL.
#[derive(Debug)]
struct ListItem {
    item: Item,
    /// The first item with the same URL.
    first: usize,
}

/// An item that is shown, and those that are folded into it.
#[derive(Clone, Copy, Debug)]
struct Shown {
    index: usize,
    /// The number of items.
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
    /// The roles whose items are shown.
    pub roles: BTreeSet<Role>,
    /// The number of items of each role.
    pub counts: ByRole,
    pub filter: Words,
    /// True if duplicates are folded.
    pub folded: bool,
    rows: Vec<Shown>,
    /// The row of each URL, by its first item, if duplicates are folded.
    folded_rows: HashMap<usize, usize>,
    /// The number of items in rows.
    shown: usize,
    /// The URLs that are marked, by their first items.
    marked: BTreeSet<usize>,
    /// The row that is selected.
    selected: usize,
    /// The first row on the screen.
    top: usize,
    /// The number of rows on the screen.
    page: usize,
    /// The size of all items in bytes.
    pub bytes: usize,
    /// True if not all labels are the same: the items are from messages with different subjects, or from several files.
    pub several_labels: bool,
}

/// Returns the subject of the message, or the file.
pub fn label(item: &Item) -> &str {
    if item.subject.is_empty() { &item.path } else { &item.subject }
}

/// An item as a row.
#[derive(Clone, Copy, Debug)]
pub struct Row<'l> {
    /// The number by which it is selected.
    pub number: usize,
    pub item: &'l Item,
    /// The link text, which may come from a duplicate.
    pub text: &'l str,
    /// The number of items in it.
    pub count: usize,
    pub selected: bool,
    pub marked: bool,
}

impl List {
    pub fn new(roles: &[Role]) -> List {
        List { folded: true, roles: roles.iter().copied().collect(), page: 1, ..List::default() }
    }

    /// Adds an item. The selection stays where it is.
    pub fn push(&mut self, item: Item) {
        let index = self.entries.len();
        self.bytes += item.len_after(self.entries.last().map(|last| &last.item));
        let target = item.readings.first().map(|url| url.target.clone()).unwrap_or_default();
        self.bytes += target.len();
        let first = *self.firsts.entry(target).or_insert(index);
        let differs = self.entries.first().is_some_and(|first| label(&first.item) != label(&item));
        self.counts.count(item.role);
        self.entries.push(ListItem { item, first });
        if differs && !self.several_labels {
            self.several_labels = true;
            self.arrange();
        } else {
            self.show(index);
        }
    }

    /// Adds an item to the rows, if it is wanted.
    fn show(&mut self, index: usize) {
        let ListItem { item, first } = &self.entries[index];
        // A subject that all items share does not distinguish them.
        if !self.roles.contains(&item.role) || !self.filter.are_in(item, self.several_labels) {
            return;
        }
        self.shown += 1;
        let next = self.rows.len();
        let row = if self.folded { *self.folded_rows.entry(*first).or_insert(next) } else { next };
        match self.rows.get_mut(row) {
            None => self.rows.push(Shown { index, count: 1, text: index }),
            Some(row) => {
                row.count += 1;
                if self.entries[row.text].item.text.is_empty() && !item.text.is_empty() {
                    row.text = index;
                }
            }
        }
    }

    /// Makes the rows anew. The selected item stays selected, or the next one that is shown.
    fn arrange(&mut self) {
        let selected = self.rows.get(self.selected).map(|row| row.index);
        self.rows.clear();
        self.folded_rows.clear();
        self.shown = 0;
        (0..self.entries.len()).for_each(|index| self.show(index));
        let row = selected.map_or(0, |index| self.row_of(index));
        self.select(row);
    }

    /// The row of an item, or of the next item with a row.
    fn row_of(&self, index: usize) -> usize {
        let folded = self.folded_rows.get(&self.entries[index].first).copied();
        folded.unwrap_or_else(|| self.rows.partition_point(|row| row.index < index))
    }

    pub fn set_filter(&mut self, filter: Words) {
        let selected = self.selected_index();
        self.filter = filter;
        self.arrange();
        let is_same = |(row, index): (usize, usize)| {
            row == index || (self.folded && self.entries[row].first == self.entries[index].first)
        };
        // An item that the filter hides is not near the items that it shows.
        if !self.selected_index().zip(selected).is_some_and(is_same) {
            self.select(0);
        }
    }

    /// Folds duplicates, or unfolds them.
    pub fn fold(&mut self) {
        self.folded ^= true;
        self.arrange();
    }

    /// Shows the items of a role, or hides them.
    pub fn switch(&mut self, role: Role) {
        if !self.roles.remove(&role) {
            self.roles.insert(role);
        }
        self.arrange();
    }

    /// Returns the number of items that are folded into others.
    pub fn hidden(&self) -> usize {
        self.shown - self.rows.len()
    }

    /// Returns the number of all items.
    pub fn total(&self) -> usize {
        self.entries.len()
    }

    /// Returns the number of rows.
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of the row that is selected, from 1; 0 if no row is selected.
    pub fn selected(&self) -> usize {
        if self.rows.is_empty() { 0 } else { self.selected + 1 }
    }

    /// Returns the index of the selected item among all items.
    pub fn selected_index(&self) -> Option<usize> {
        self.rows.get(self.selected).map(|row| row.index)
    }

    pub fn selected_item(&self) -> Option<&Item> {
        self.rows.get(self.selected).map(|row| &self.entries[row.index].item)
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

    /// Scrolls by some rows. The selected one stays, if it is still visible.
    pub fn roll(&mut self, up: bool) {
        let lowest = self.rows.len().saturating_sub(self.page);
        let top = if up { self.top.saturating_sub(WHEEL) } else { (self.top + WHEEL).min(lowest) };
        self.top = top;
        self.select(self.selected.clamp(top, top + self.page - 1));
    }

    /// Selects the row at this line of the list, if any.
    pub fn select_visible(&mut self, line: usize) -> bool {
        let row = self.top + line;
        let is_there = line < self.page && row < self.rows.len();
        if is_there {
            self.select(row);
        }
        is_there
    }

    /// Selects the next row from `from` on that contains these words, or the previous one, and continues at the
    /// other end. Returns whether there is one.
    pub fn seek(&mut self, words: &Words, from: usize, back: bool) -> bool {
        let count = self.rows.len();
        let at = |step: usize| if back { (from + count - step) % count } else { (from + step) % count };
        let is_in = |index: usize| words.are_in(&self.entries[index].item, self.several_labels);
        let has = |&row: &usize| is_in(self.rows[row].index) || is_in(self.rows[row].text);
        let found = (0..count).map(at).find(has);
        found.into_iter().for_each(|row| self.select(row));
        found.is_some()
    }

    /// Marks the URL of the selected row, or removes its mark.
    pub fn mark(&mut self) {
        let Some(row) = self.rows.get(self.selected) else { return };
        let url = self.entries[row.index].first;
        if !self.marked.remove(&url) {
            self.marked.insert(url);
        }
    }

    /// Marks the URLs of all rows, or removes all marks if all are marked.
    pub fn mark_all(&mut self) {
        let urls: BTreeSet<_> = self.rows.iter().map(|row| self.entries[row.index].first).collect();
        if urls.is_subset(&self.marked) {
            self.marked.clear();
        } else {
            self.marked.extend(urls);
        }
    }

    /// Returns an item of each URL that is marked, in order.
    pub fn marked(&self) -> impl ExactSizeIterator<Item = &Item> {
        self.marked.iter().map(|&index| &self.entries[index].item)
    }

    /// Sets the number of rows on the screen, and scrolls to the selected one.
    pub fn set_page(&mut self, rows: usize) {
        self.page = rows.max(1);
        self.select(self.selected);
    }

    /// Returns the rows on the screen.
    pub fn visible(&self) -> impl Iterator<Item = Row<'_>> {
        let rows = self.rows.iter().enumerate().skip(self.top).take(self.page);
        rows.map(|(at, row)| Row {
            number: at + 1,
            item: &self.entries[row.index].item,
            text: &self.entries[row.text].item.text,
            count: row.count,
            selected: at == self.selected,
            marked: self.marked.contains(&self.entries[row.index].first),
        })
    }
}

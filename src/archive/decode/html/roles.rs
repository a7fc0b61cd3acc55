//! The parts of a text that are more than text to a reader.

use std::ops::Range;

use crate::archive::role::Role;

/// The parts of a text that are more than text to a reader, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roles {
    parts: Vec<RoleRange>,
    /// The ranges that are quoted.
    quotations: Vec<RoleRange>,
}

#[derive(Clone, Copy, Debug)]
struct RoleRange {
    start: u32,
    end: u32,
    role: Role,
}

impl Roles {
    /// Adds a part that comes after the others. Offsets from 4 GiB on are that.
    pub(crate) fn add(&mut self, range: Range<usize>, role: Role) {
        let RoleRange { start, end, .. } = RoleRange::new(range, role);
        if start >= end || role == Role::Text {
            return;
        }
        match self.parts.last_mut() {
            Some(last) if last.end == start && last.role == role => last.end = end,
            _ => self.parts.push(RoleRange { start, end, role }),
        }
    }

    /// Adds a quotation that comes after the others. An empty one may have links.
    pub(crate) fn add_quotation(&mut self, range: Range<usize>) {
        self.quotations.push(RoleRange::new(range, Role::Text));
    }

    /// Adds the roles of a text that begins at `at` of this one, after the others.
    pub(super) fn append(&mut self, other: &Roles, at: usize) {
        let moved = |part: &RoleRange| at + part.start as usize..at + part.end as usize;
        other.parts.iter().for_each(|part| self.add(moved(part), part.role));
        other.quotations.iter().for_each(|quotation| self.add_quotation(moved(quotation)));
    }

    /// Moves the parts to where the bytes of the text are now.
    pub(super) fn move_parts(&mut self, moved: impl Fn(usize) -> usize) {
        for part in self.parts.iter_mut().chain(&mut self.quotations) {
            *part = RoleRange::new(moved(part.start as usize)..moved(part.end as usize), part.role);
        }
        self.parts.retain(|part| part.start < part.end);
    }

    /// Returns true if the byte at `at` of the text is quoted.
    pub(crate) fn are_quoted(&self, at: usize) -> bool {
        part(&self.quotations, at).is_some()
    }

    /// The role of the byte at `at` of the text.
    pub(crate) fn at(&self, at: usize) -> Role {
        part(&self.parts, at).map_or(Role::Text, |part| part.role)
    }
}

impl RoleRange {
    fn new(range: Range<usize>, role: Role) -> RoleRange {
        let [start, end] = [range.start, range.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        RoleRange { start, end, role }
    }
}

/// The part that the byte at `at` is in.
fn part(parts: &[RoleRange], at: usize) -> Option<&RoleRange> {
    let next = parts.partition_point(|part| part.end as usize <= at);
    parts.get(next).filter(|part| part.start as usize <= at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        let mut roles = Roles::default();
        for (range, role) in [
            (1..2, Role::Link),
            (2..4, Role::Link),
            (4..4, Role::Image),
            (5..6, Role::Text),
            (7..9, Role::Image),
            (9..10, Role::Link),
        ] {
            roles.add(range, role);
        }
        assert_eq!(roles.parts.len(), 3);
        let all: Vec<Role> = (0..11).map(|at| roles.at(at)).collect();
        let (text, link, image) = (Role::Text, Role::Link, Role::Image);
        assert_eq!(all, [text, link, link, link, text, text, text, image, image, link, text]);
    }

    #[test]
    fn parts_and_quotations_move_with_the_text() {
        let mut roles = Roles::default();
        roles.add(6..8, Role::Link);
        roles.add_quotation(5..9);
        roles.move_parts(|at| at - 4);
        assert_eq!([1, 2, 3, 4].map(|at| roles.at(at) == Role::Link), [false, true, true, false]);
        assert_eq!([0, 1, 4, 5].map(|at| roles.are_quoted(at)), [false, true, true, false]);
    }
}

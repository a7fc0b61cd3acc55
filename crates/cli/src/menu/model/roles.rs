//! The roles that are shown.

use urlgrep::archive::Role;

/// The number of items of each role, and the roles that are shown.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    shown: [bool; Role::ALL.len()],
    counts: [usize; Role::ALL.len()],
}

impl Roles {
    /// Returns roles without items, of which only these are shown.
    pub fn new(shown: &[Role]) -> Roles {
        Roles { shown: Role::ALL.map(|role| shown.contains(&role)), ..Roles::default() }
    }

    /// Counts an item.
    pub fn count(&mut self, role: Role) {
        self.counts[index(role)] += 1;
    }

    pub fn is_shown(&self, role: Role) -> bool {
        self.shown[index(role)]
    }

    /// Shows a role, or hides it.
    pub fn switch(&mut self, role: Role) {
        self.shown[index(role)] ^= true;
    }

    /// Returns the number of items of a role.
    pub fn total(&self, role: Role) -> usize {
        self.counts[index(role)]
    }

    /// Returns the roles of the items.
    pub fn present(&self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(|&role| self.total(role) > 0)
    }
}

fn index(role: Role) -> usize {
    Role::ALL.iter().position(|&one| one == role).unwrap_or_default()
}

/// Returns the letter of the key that switches a role. A tracker is also called a pixel, and T is
/// taken by text.
pub fn letter(role: Role) -> char {
    let name = if role == Role::Tracker { "pixel" } else { role.as_str() };
    name.chars().next().unwrap_or_default().to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_different() {
        assert_eq!(Role::ALL.map(letter), ['T', 'L', 'I', 'P', 'F', 'R', 'H']);
    }
}

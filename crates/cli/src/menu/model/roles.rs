//! The roles that are shown.

use urlgrep::archive::Role;

use crate::output::stats::ByRole;

/// The number of items of each role, and the roles that are shown.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    shown: [bool; Role::ALL.len()],
    pub counts: ByRole,
}

impl Roles {
    /// Returns roles without items, of which only these are shown.
    pub fn new(shown: &[Role]) -> Roles {
        Roles { shown: Role::ALL.map(|role| shown.contains(&role)), ..Roles::default() }
    }

    pub fn is_shown(&self, role: Role) -> bool {
        self.shown[role as usize]
    }

    /// Shows a role, or hides it.
    pub fn switch(&mut self, role: Role) {
        self.shown[role as usize] ^= true;
    }
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

//! The vectors of a target that has none: a type without values, so that no kernel is compiled for it.

use super::Kernel;

/// No vector instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NoVectors {}

impl NoVectors {
    pub(super) fn detect() -> Option<Self> {
        None
    }

    pub(super) fn run<K: Kernel>(self, _: K) -> K::Output {
        match self {}
    }
}

//! Brackets in a bare URL, which it may have in pairs.

/// Pairs of brackets.
const BRACKETS: [(u8, u8); 3] = [(b'(', b')'), (b'[', b']'), (b'{', b'}')];

/// How many brackets of each of the [`BRACKETS`] are open.
pub(crate) type Depth = [u32; BRACKETS.len()];

/// The brackets that `text` leaves open.
pub(crate) fn depth_of(text: &[u8]) -> Depth {
    let mut depth = Depth::default();
    text.iter().for_each(|&b| {
        balances(b, &mut depth);
    });
    depth
}

/// Whether a URL continues after `b`; `depth` is how many brackets of each kind are
/// open.
pub(super) fn balances(b: u8, depth: &mut Depth) -> bool {
    for ((open, close), depth) in BRACKETS.into_iter().zip(depth) {
        if b == open {
            *depth += 1;
            return true;
        }
        if b == close {
            let opened = *depth > 0;
            *depth = depth.saturating_sub(1);
            return opened;
        }
    }
    false
}

//! Every backend against a naive twin.

use proptest::prelude::*;

use super::*;
use crate::bytes::class::HOST;
use crate::bytes::window::Window;

/// The answers of a backend to all questions about a word and its neighbours.
struct Ask<'a>(&'a Surrounded);

#[derive(Debug, PartialEq, Eq)]
struct Answers {
    has_colon: bool,
    likely: u64,
    masks: Masks,
    #[cfg(feature = "archive")]
    lines: u64,
    #[cfg(feature = "archive")]
    fields: u64,
}

impl Kernel for Ask<'_> {
    type Output = Answers;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Answers {
        let word = |n: usize| self.0[n..].first_chunk().unwrap();
        Answers {
            has_colon: backend.has_colon(word(BEFORE)),
            likely: backend.likely_colons(self.0),
            masks: backend.masks(word(BEFORE)),
            #[cfg(feature = "archive")]
            lines: backend.line_ends(word(BEFORE), word(BEFORE + 1), *b"<:"),
            #[cfg(feature = "archive")]
            fields: backend.field_ends(word(BEFORE), word(BEFORE + 1)),
        }
    }
}

/// The same, one byte at a time.
fn naive(around: &Surrounded) -> Answers {
    let mask = |holds: &dyn Fn(usize) -> bool| {
        (0..WIDTH).filter(|n| holds(n + BEFORE)).fold(0, |mask, n| mask | 1_u64 << n)
    };
    let likely = |at: usize| {
        let (before, after) = (around[at - 1], around[at + 1]);
        let near = NEAR.iter().any(|n| around[at - n] == b'<') || around[at - QUOTED] == b'"';
        let glued = (b'A'..0x80).contains(&before) && (b'!'..0x80).contains(&after);
        around[at] == b':' && (after == b'/' || near || glued)
    };
    Answers {
        has_colon: around[BEFORE..][..WIDTH].contains(&b':'),
        likely: mask(&likely),
        masks: Masks {
            run: mask(&|at| RUN.has(around[at])),
            host: mask(&|at| HOST.has(around[at])),
            dots: mask(&|at| around[at] == b'.'),
            hyphens: mask(&|at| around[at] == b'-'),
            ampersands: mask(&|at| around[at] == b'&'),
        },
        #[cfg(feature = "archive")]
        lines: mask(&|at| around[at] == b'\n' && b"<:".contains(&around[at + 1])),
        #[cfg(feature = "archive")]
        fields: mask(&|at| around[at] == b'\n' && !b" \t".contains(&around[at + 1])),
    }
}

fn check(around: &Surrounded) {
    for simd in [Simd::generic(), Simd::detect()] {
        assert_eq!(simd.run(Ask(around)), naive(around), "{simd:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes(around in prop::array::uniform32(any::<u8>())) {
        let around: Vec<u8> = around.into_iter().cycle().take(BEFORE + WIDTH + 1).collect();
        check(around.as_slice().try_into().unwrap());
    }

    #[test]
    fn bytes_that_matter(text in "[:/<>\" \\tlLpPoOiIZ0.&\\n\\x01\\x7f-]{72}") {
        check(text.as_bytes().try_into().unwrap());
    }
}

proptest! {
    #[test]
    fn runs_are_skipped_as_the_window_skips_them(
        run in "[a-c.-]{0,100}", rest in "[a :\u{e9}]{0,40}", from in 0_usize..120, limit in 0_usize..150, last: bool,
    ) {
        const HOSTS: Members = Members::of(HOST);
        let text = [run, rest].concat();
        for simd in [Simd::generic(), Simd::detect()] {
            let windows = [(); 2].map(|()| Window::new(text.as_bytes(), last));
            let skipped = simd.skip(&windows[0], from, limit, &HOSTS);
            prop_assert_eq!(skipped, windows[1].skip(from, limit, |b| HOST.has(b)));
            prop_assert_eq!(windows[0].take_needs_more(), windows[1].take_needs_more());
        }
    }
}

#[test]
fn every_byte_at_every_offset() {
    for byte in 0..=255 {
        for at in 0..WIDTH {
            let mut around = [b'x'; BEFORE + WIDTH + 1];
            around[BEFORE + at] = byte;
            check(&around);
        }
    }
}

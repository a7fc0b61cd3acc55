//! Matches: whole, in chunks, without special instructions, and alone.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use urlgrep_fuzz::laws::{input::Input, text};

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some(input) = Input::of(data) else {
        return Corpus::Reject;
    };
    text::hold(&input);
    Corpus::Keep
});

//! The program's way from a reader to what it prints.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use urlgrep_fuzz::{laws::input::Input, program};

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some(input) = Input::of(data) else {
        return Corpus::Reject;
    };
    program::holds(&input);
    Corpus::Keep
});

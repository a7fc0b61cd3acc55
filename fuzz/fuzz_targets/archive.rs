//! Archives: whole and in chunks, by text and by message, and decompressed.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use urlgrep_fuzz::laws::{archive, input::Input};

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some(input) = Input::of(data) else {
        return Corpus::Reject;
    };
    archive::hold(&input);
    Corpus::Keep
});

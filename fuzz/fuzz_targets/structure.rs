//! Files with structure: MIME trees, HTML, and containers in containers.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use urlgrep_fuzz::laws::{archive, grown::grown, input::Input, text};
use urlgrep_fuzz::program;

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some(input) = Input::of(data) else {
        return Corpus::Reject;
    };
    let file = grown(input.text);
    let cuts = input.cuts.map(|cut| cut.min(file.len()));
    let input = Input { text: &file, cuts, ..input };
    archive::hold(&input);
    text::hold(&input);
    program::is_json(&input);
    Corpus::Keep
});

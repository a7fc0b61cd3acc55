//! The library as C calls it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlgrep_fuzz::border;

fuzz_target!(|data: &[u8]| border::holds(data));

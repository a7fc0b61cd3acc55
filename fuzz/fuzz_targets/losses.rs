//! Files of every format: what is found in them as text is found in them as what they are.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlgrep_fuzz::laws::losses;

fuzz_target!(|data: &[u8]| losses::hold(data));

//! The parsers, and the grammars of the RFCs as patterns.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlgrep_fuzz::laws::oracle;

fuzz_target!(|data: &[u8]| oracle::judges(data));

//! Every input that a fuzz target once failed on, through the program.

use std::fs;
use std::path::Path;

use crate::laws::input::Input;
use crate::program::hostile::endures;

/// The inputs of a target; none without the folder of all targets.
fn each(target: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions").join(target);
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        endures(&Input::of(&fs::read(path).unwrap()).expect("an input has a head"));
    }
}

#[test]
fn program() {
    each("program");
    // A match that is hard to find may be hard to print, too.
    each("extract");
}

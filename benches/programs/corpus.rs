//! Writes the texts of the benches to files, for programs to be measured on.
//!
//! `corpus NAME MEGABYTES FILE` generates the text of that name and prints how
//! many URLs were put into it.

#[expect(dead_code, reason = "only the ordinary texts are written")]
#[path = "../corpus/mod.rs"]
mod corpus;

use std::error::Error;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<_> = env::args().skip(1).collect();
    let [name, megabytes, file] = &args[..] else { return Err("usage: corpus NAME MEGABYTES FILE".into()) };
    let size = megabytes.parse::<usize>()? << 20;
    // A text of no size tells its name at no cost.
    let make = corpus::ORDINARY.into_iter().find(|make| make(0).name == name);
    let text = make.ok_or_else(|| format!("there is no text {name:?}"))?(size);
    fs::write(file, &text.bytes)?;
    println!("{}", text.urls);
    Ok(())
}

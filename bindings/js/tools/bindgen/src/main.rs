//! `urlgrep-bindgen FILE.wasm DIRECTORY`: writes the module for browsers, and the .wasm file that it loads.

use wasm_bindgen_cli_support::Bindgen;

fn main() {
    let [input, directory] = &std::env::args().skip(1).collect::<Vec<_>>()[..] else {
        eprintln!("usage: urlgrep-bindgen FILE.wasm DIRECTORY");
        std::process::exit(2);
    };
    let mut bindgen = Bindgen::new();
    let written = bindgen
        .input_path(input)
        .web(true)
        .map(|bindgen| bindgen.out_name("glue").typescript(false).remove_name_section(true).remove_producers_section(true))
        .and_then(|bindgen| bindgen.generate(directory));
    if let Err(error) = written {
        eprintln!("{input}: {error:#}");
        std::process::exit(1);
    }
}

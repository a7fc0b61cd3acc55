//! Names the version of the interface in the shared library, so that a program finds the one it was linked with.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // Until 1.0 each minor version may change the interface.
    let version = |part: &str| std::env::var(format!("CARGO_PKG_VERSION_{part}")).unwrap_or_default();
    if target == "linux" {
        let soname = format!("liburlgrep.so.{}.{}", version("MAJOR"), version("MINOR"));
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{soname}");
    }
}

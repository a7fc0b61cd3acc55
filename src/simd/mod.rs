//! Many bytes at once.
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
pub(crate) mod generic;
#[cfg(feature = "archive")]
pub(crate) mod lines;

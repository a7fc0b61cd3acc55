//! Decoders.

pub(crate) mod charset;
pub(crate) mod dot_stuffing;
pub(crate) mod encoded_word;
pub(crate) mod flowed;
pub(crate) mod html;
pub(crate) mod transfer;

//! Messages.

pub(crate) mod date;
pub(crate) mod envelope;
#[allow(clippy::module_inception)]
pub(crate) mod message;
pub(crate) mod mime;
pub(crate) mod passthrough;
pub(crate) mod structure;
pub(crate) mod text;
pub(crate) mod unfold;

//! Finds every URL in mail, news and other free text, the way the Appendix of
//! RFC 1738 says a reader should.

pub mod grammar;

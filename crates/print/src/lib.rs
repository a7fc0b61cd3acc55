//! Matches as lines: JSON Lines and comma-separated values, as the program prints them and the page in a browser
//! downloads them; and the sentences of `--explain`.
//!
//! | module | contains |
//! |---|---|
//! | [`columns`] | which fields of a match are printed |
//! | [`view`] | a match with all that is printed of it |
//! | [`values`] | how the values of its fields are written |
//! | [`json`], [`csv`] | the formats |
//! | [`memo`] | their cache from match to match |
//! | [`explain`] | why a URL starts and ends where it does |
//! | [`context`] | the text around a match |
//! | [`sheet`] | printed text, and the numbers that are left out of it |
//! | [`spelling`] | `--normalize`, `--clean`, `--redact` and `--defang` |
//! | [`escape`] | bytes of the input, escaped for a terminal |

pub mod columns;
pub mod context;
pub mod csv;
pub mod escape;
pub mod explain;
pub mod json;
pub mod memo;
pub mod sheet;
pub mod spelling;
pub mod values;
pub mod view;

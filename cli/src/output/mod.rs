//! How matches are printed, listed and counted.
//!
//! A [`Hit`] is a match of either kind of input. A [`View`](view::View) is a hit as
//! it is printed. `printer` writes views into memory, so that several threads can
//! print; `stdout` writes the memory in order, and keeps the statistics and the
//! report, or sends the matches to the menu.

pub mod batch;
pub mod context;
mod explain;
pub mod hit;
pub mod item;
mod number;
pub mod printer;
pub mod progress;
mod redact;
pub mod report;
mod sentence;
pub mod sheet;
pub mod spelling;
pub mod stats;
pub mod stdout;
pub mod style;
pub mod unique;
pub mod view;

pub use hit::Hit;

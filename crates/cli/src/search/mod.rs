//! The search: one input, several in parallel, and which matches are wanted.
//!
//! `file_search` finds the matches of one file and prints them into a
//! [batch](crate::output::batch::Batch). `piece_search` does this for an input with
//! all its members, or for a piece of one. `run` prints the batches of all inputs in their
//! order, which either `run` itself or the threads of `parallel` search.

mod date;
mod event;
mod evidence;
mod file_search;
mod messages;
mod network;
mod parallel;
mod piece_search;
mod run;
mod select;
mod settings;
mod state;
mod strings;
#[cfg(test)]
mod tests;
mod why_not;
mod work;

pub use date::Date;
pub use evidence::EvidenceOptions;
pub use messages::{FieldOption, MessageOptions, Messages};
pub use run::{Run, RunOptions};
pub use select::{Place, RoleChoice, Select, SelectOptions};
pub use settings::{Search, SearchOptions};
pub use work::Work;

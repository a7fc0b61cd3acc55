//! The search: one input, several in parallel, and which matches are wanted.
//!
//! `file_search` loops over the [events](urlgrep::archive::internal::Events) of an input with all its members, or of a
//! piece of one. It finds the matches of each file and prints them into a [batch](crate::output::batch::Batch). Its
//! [outcomes](outcome::Outcome) go to `run`, which prints the batches of all inputs in their order, and which either
//! searches them itself or has the threads of `parallel` do so.

// | module | contains |
// |---|---|
// | `condition`, `date`, `network`, `select`, `strings` | which matches are wanted |
// | `evidence` | what other files show about a broken URL |
// | `file_search` | the search of an input or a part of one, file by file |
// | `outcome`, `state` | what a search reports, and what the output does then |
// | `parallel` | several inputs, or pieces of one, at a time |
// | `run`, `work` | a search with its inputs and its output |
// | `settings` | what is searched for |
// | `why_not` | why no URL is at a position |

mod condition;
mod date;
mod evidence;
mod file_search;
mod network;
mod outcome;
mod parallel;
mod run;
mod select;
mod settings;
mod state;
mod strings;
#[cfg(test)]
mod tests;
mod why_not;
mod work;

pub use condition::{Condition, Messages};
pub use evidence::{Gathering, Pass};
pub use run::Run;
pub use select::{Place, RoleChoice, Select, SelectOptions};
pub use settings::{Search, SearchOptions};
pub use work::Work;

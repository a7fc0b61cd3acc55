//! What the output does with the events of a turn.

/// The state of the output within the events of a turn.
///
/// ```text
///              enough matches              enough matches, or a read error
///  Skipping ◄──────────────── Printing ────────────────────────────────────► Discarding
///      └─── end of the file ──► │  ▲                                             │
///                end of a chunk │  │ next turn                                   │
///                               ▼  │                    turn of another input    │
///                            Continued ◄─────────────────────────────────────────┘
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Matches are printed.
    Printing,
    /// `--max-count` is reached: matches are dropped until the file ends.
    Skipping,
    /// The chunk ended: the next turn continues the file.
    Continued,
    /// No more of the input is wanted, neither of this turn nor of further chunks.
    Discarding,
    /// No more of the search is wanted.
    Finished,
}

impl State {
    /// The state at the start of a turn. `continues` says whether the turn is a
    /// further chunk of the input of the last turn.
    pub fn at_turn(self, continues: bool) -> State {
        match self {
            State::Finished => State::Finished,
            State::Discarding if continues => State::Discarding,
            _ => State::Printing,
        }
    }

    /// The state after matches. `enough` says whether `--max-count` is reached, and
    /// `is_last` whether the rest of the turn can only be more of this file.
    pub fn after_matches(self, enough: bool, is_last: bool) -> State {
        match self {
            State::Printing if enough && is_last => State::Discarding,
            State::Printing if enough => State::Skipping,
            state => state,
        }
    }

    /// The state after the end of a file. `continues` says whether the file continues
    /// in the next turn, and `failed` whether it could not be read.
    pub fn after_file(self, continues: bool, failed: bool) -> State {
        match self {
            State::Printing if continues && failed => State::Discarding,
            State::Printing if continues => State::Continued,
            State::Skipping => State::Printing,
            state => state,
        }
    }

    /// Whether the rest of the events of the turn is ignored.
    pub fn ends_turn(self) -> bool {
        matches!(self, State::Continued | State::Discarding | State::Finished)
    }
}

#[cfg(test)]
mod tests {
    use super::State::{Continued, Discarding, Finished, Printing, Skipping};
    use super::*;

    const ALL: [State; 5] = [Printing, Skipping, Continued, Discarding, Finished];

    #[test]
    fn a_turn_prints_unless_its_input_is_discarded() {
        assert_eq!(ALL.map(|state| state.at_turn(false)), [Printing, Printing, Printing, Printing, Finished]);
        assert_eq!(
            ALL.map(|state| state.at_turn(true)),
            [Printing, Printing, Printing, Discarding, Finished]
        );
    }

    #[test]
    fn matches_are_printed_until_there_are_enough() {
        assert_eq!(Printing.after_matches(false, false), Printing);
        assert_eq!(Printing.after_matches(false, true), Printing);
        assert_eq!(Printing.after_matches(true, false), Skipping);
        assert_eq!(Printing.after_matches(true, true), Discarding);
        assert_eq!(Skipping.after_matches(true, true), Skipping);
    }

    #[test]
    fn the_next_file_is_printed() {
        assert_eq!(Printing.after_file(false, false), Printing);
        assert_eq!(Printing.after_file(false, true), Printing);
        assert_eq!(Skipping.after_file(false, false), Printing);
        assert_eq!(Skipping.after_file(false, true), Printing);
    }

    #[test]
    fn a_chunk_is_continued_unless_it_failed() {
        assert_eq!(Printing.after_file(true, false), Continued);
        assert_eq!(Printing.after_file(true, true), Discarding);
    }

    #[test]
    fn the_rest_of_a_turn_is_ignored_in_three_states() {
        assert_eq!(ALL.map(State::ends_turn), [false, false, true, true, true]);
    }
}

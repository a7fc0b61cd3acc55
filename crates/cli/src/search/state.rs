//! Applies the outcomes of a turn to the output.

use crate::input::Next;

/// The state of the output within the outcomes of a turn.
///
/// ```text
///              enough matches              enough matches, a read error, or the rest
///  Skipping ◄──────────────── Printing ────────────────────────────────────► Discarding
///      └─── end of the file ──► │  ▲                                             │
///                 end of a part │  │ next turn                                   │
///                               ▼  │                    turn of another input    │
///                            Continued ◄─────────────────────────────────────────┘
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Matches are printed.
    Printing,
    /// `--max-count` is reached: matches are dropped until the file ends.
    Skipping,
    /// The part ended: the next turn continues the file.
    Continued,
    /// The rest of the input is not needed, in this turn and in further pieces.
    Discarding,
    /// No more of the search is wanted.
    Finished,
}

impl State {
    /// Returns the state at the start of a turn, which is this after the one before.
    pub fn at_turn(self, next: Next) -> State {
        match self {
            State::Finished => State::Finished,
            State::Discarding if next != Next::Input => State::Discarding,
            _ => State::Printing,
        }
    }

    /// Returns the state after matches. `enough` is true if `--max-count` is reached, and `is_last`
    /// whether the rest of the turn can only be more of this file.
    pub fn after_matches(self, enough: bool, is_last: bool) -> State {
        match self {
            State::Printing if enough && is_last => State::Discarding,
            State::Printing if enough => State::Skipping,
            state => state,
        }
    }

    /// Returns the state after the end of a file, which may continue in the `next` turn. `is_over`
    /// is true if its rest is not needed: it cannot be read, or has been read to its end.
    pub fn after_file(self, next: Next, is_over: bool) -> State {
        match self {
            State::Printing if next == Next::SameFile && is_over => State::Discarding,
            State::Printing if next == Next::SameFile => State::Continued,
            State::Skipping => State::Printing,
            state => state,
        }
    }

    /// Returns the state after the end of a piece. `is_over` is true if its input can be read no
    /// further.
    pub fn after_piece(self, next: Next, is_over: bool) -> State {
        if is_over && next != Next::Input { State::Discarding } else { self }
    }

    /// Returns true if the rest of the outcomes of the turn is ignored.
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
        let at = |next| ALL.map(|state| state.at_turn(next));
        assert_eq!(at(Next::Input), [Printing, Printing, Printing, Printing, Finished]);
        for next in [Next::Members, Next::SameFile] {
            assert_eq!(at(next), [Printing, Printing, Printing, Discarding, Finished]);
        }
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
        for (next, is_over) in [(Next::Input, false), (Next::Input, true), (Next::Members, true)] {
            assert_eq!(Printing.after_file(next, is_over), Printing);
            assert_eq!(Skipping.after_file(next, is_over), Printing);
        }
    }

    #[test]
    fn a_file_is_continued_unless_it_is_over() {
        assert_eq!(Printing.after_file(Next::SameFile, false), Continued);
        assert_eq!(Printing.after_file(Next::SameFile, true), Discarding);
    }

    #[test]
    fn an_archive_is_continued_unless_it_is_over() {
        assert_eq!(Printing.after_piece(Next::Members, false), Printing);
        assert_eq!(Printing.after_piece(Next::Members, true), Discarding);
        assert_eq!(Printing.after_piece(Next::Input, true), Printing);
    }

    #[test]
    fn the_rest_of_a_turn_is_ignored_in_three_states() {
        assert_eq!(ALL.map(State::ends_turn), [false, false, true, true, true]);
    }
}

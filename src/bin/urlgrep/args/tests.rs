//! The definition of the command line, looked at as a whole.

use clap::CommandFactory;

use super::*;

#[test]
fn the_definition_holds_together() {
    Args::command().debug_assert();
}

/// A new option is refused, or belongs to these: what `--check` heeds, and what
/// would change nothing.
#[test]
fn check_refuses_what_it_does_not_heed() {
    let heeded = "check generate grade help json line_buffered no_config paths quiet version";
    let idle = "color hyperlink no_filename threads";
    let mut accepted: Vec<_> = heeded.split(' ').chain(idle.split(' ')).collect();
    accepted.sort_unstable();

    let mut command = Args::command();
    command.build();
    let check = command.get_arguments().find(|arg| arg.get_id() == "check").unwrap();
    let refused = command.get_arg_conflicts_with(check);
    let ids = command.get_arguments().map(|arg| arg.get_id().as_str());
    let mut left: Vec<_> = ids.filter(|id| refused.iter().all(|arg| arg.get_id() != id)).collect();
    left.sort_unstable();
    assert_eq!(left, accepted);
}

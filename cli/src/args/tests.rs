//! The definition of the command line as a whole.

use clap::CommandFactory;

use super::*;

#[test]
fn the_definition_is_valid() {
    Args::command().debug_assert();
}

/// Every option contradicts `--check`, has an effect on it, or has no effect at all.
#[test]
fn check_refuses_options_that_contradict_it() {
    let used = "check dialect generate grade help json line_buffered max_len no_config paths quiet version";
    let unused = "color hyperlink no_filename no_messages threads";
    let mut accepted: Vec<_> = used.split(' ').chain(unused.split(' ')).collect();
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

//! The options, as the builder of a finder: numbers, since JavaScript has checked them.

use urlgrep::{Finder, FinderBuilder};

/// Returns the builder of triples of numbers: an option, by its position in `lib/table.js`, its
/// value, and how many bytes it has of `lists`, whose names have commas between them.
pub fn builder(numbers: &[u32], mut lists: &str) -> FinderBuilder {
    let mut builder = Finder::builder();
    for triple in numbers.chunks_exact(3) {
        let (list, rest) = lists.split_at_checked(triple[2] as usize).unwrap_or_default();
        builder = builder.set_at(triple[0] as usize, triple[1] as usize, list);
        lists = rest;
    }
    builder
}

/// Returns true if `numbers` set an option to one of its values, both by name.
#[cfg(feature = "archive")]
pub fn has(numbers: &[u32], name: &str, value: &str) -> bool {
    let place = urlgrep::options().iter().position(|option| option.name() == name);
    numbers.chunks_exact(3).any(|triple| {
        place == Some(triple[0] as usize)
            && place.and_then(|place| urlgrep::options()[place].values().get(triple[1] as usize))
                == Some(&value)
    })
}

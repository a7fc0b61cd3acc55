//! The options, as the builder of a finder: numbers, since JavaScript has checked them.

#[cfg(feature = "domains")]
use urlgrep::Domains;
use urlgrep::grammar::Grade;
use urlgrep::{Finder, FinderBuilder, Hyphen, Iri, Join, Schemes};

/// The builder of the numbers that `lib/options.js` lists, in the same order; 0 is the default of each. `schemes` and `known` are
/// names with commas between them.
pub fn builder(numbers: &[u32], schemes: Option<&str>, known: &str) -> FinderBuilder {
    let builder =
        numbers.iter().enumerate().fold(Finder::builder(), |builder, (option, &number)| match number {
            0 => builder,
            number => set(builder, option, number),
        });
    let builder = match schemes {
        Some(schemes) => builder.scheme_filter(names(schemes)),
        None => builder,
    };
    builder.schemes(names(known).fold(Schemes::default(), Schemes::with))
}

fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter(|name| !name.is_empty())
}

fn set(builder: FinderBuilder, option: usize, number: u32) -> FinderBuilder {
    let first = number == 1;
    match option {
        0 => builder.join(if first { Join::None } else { Join::Likely }),
        1 => builder.hyphen(if first { Hyphen::Drop } else { Hyphen::Both }),
        2 => builder.min_grade(if first { Grade::Rfc3986 } else { Grade::Rfc1738 }),
        3 => builder.iri(if first { Iri::All } else { Iri::Ascii }),
        4 => builder.width(number as usize),
        5 => builder.max_len(number as usize),
        6 => builder.cells(true),
        7 => builder.hosts(true),
        8 => builder.addresses(true),
        9 => builder.refang(true),
        10 => builder.line_numbers(true),
        11 => builder.explain(true),
        #[cfg(feature = "domains")]
        12 => builder.domains(if first { Domains::Names } else { Domains::All }),
        _ => builder,
    }
}

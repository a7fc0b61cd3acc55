//! The options, as a finder.

#[cfg(feature = "domains")]
use urlgrep::Domains;
use urlgrep::grammar::{Dialect, Grade};
use urlgrep::{Finder, FinderBuilder, Hyphen, Iri, Join, Schemes};

use crate::Rules;

/// The finder of lines of `name=value`. The error is a sentence.
pub fn rules(options: &str) -> Result<Rules, String> {
    let mut builder = Finder::builder();
    for line in options.lines() {
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        builder =
            set(builder, name, value).ok_or_else(|| format!("unexpected option {name:?}, {value:?}"))?;
    }
    let finder = builder.build().map_err(|error| error.to_string())?;
    Ok(Rules { finder })
}

fn set(builder: FinderBuilder, name: &str, value: &str) -> Option<FinderBuilder> {
    let yes = value == "true";
    Some(match name {
        "join" => builder.join(value.parse::<Join>().ok()?),
        "hyphen" => builder.hyphen(match value {
            "keep" => Hyphen::Keep,
            "drop" => Hyphen::Drop,
            _ => Hyphen::Both,
        }),
        "grade" => builder.min_grade(value.parse::<Grade>().ok()?),
        "dialect" if value == "draft" => builder.dialect(Dialect::Draft1994),
        "dialect" => builder,
        "schemes" => builder.scheme_filter(value.split(',')),
        "known" => builder.schemes(value.split(',').fold(Schemes::default(), Schemes::with)),
        "width" => builder.width(value.parse().ok()?),
        "cells" => builder.cells(yes),
        "maxLength" => builder.max_len(value.parse().ok()?),
        "iri" => builder.iri(match value {
            "words" => Iri::Words,
            "all" => Iri::All,
            _ => Iri::Ascii,
        }),
        "hosts" => builder.hosts(yes),
        "addresses" => builder.addresses(yes),
        #[cfg(feature = "domains")]
        "domains" => builder.domains(match value {
            "names" => Domains::Names,
            "all" => Domains::All,
            _ => Domains::None,
        }),
        "refang" => builder.refang(yes),
        "lineNumbers" => builder.line_numbers(yes),
        "explain" => builder.explain(yes),
        _ => return None,
    })
}

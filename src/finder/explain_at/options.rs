//! Finds the option that keeps a match from being found.

use std::sync::Arc;

use super::Refusal;
use crate::appendix::Rules;
use crate::bytes::unicode::Iri;
use crate::finder::{Config, Finder, at};
use crate::matches::form::Join;
use crate::scan::{Domains, defanged};

/// The factor by which a URL may exceed the default length, to find out whether the length is the
/// reason.
const LONGER: usize = 16;

/// An option that may reject a match: its name, its value, and how it is turned off.
type FilterOption = (&'static str, fn(&Config) -> String, fn(&mut Config));

const FILTERS: [FilterOption; 3] = [
    (
        "schemes",
        |config| config.scheme_filter.as_ref().map_or_else(String::new, |names| names.join(", ")),
        |config| config.scheme_filter = None,
    ),
    (
        "min_grade",
        |config| config.min_grade.map_or("", |grade| grade.as_str()).to_owned(),
        |config| config.min_grade = None,
    ),
    (
        "max_len",
        |config| config.rules.max_len.to_string(),
        |config| config.rules.max_len = config.rules.max_len.max(LONGER * Rules::default().max_len),
    ),
];

/// A wider search: the name of the option, its value, and how it is turned on.
type WiderSearch = (&'static str, &'static str, fn(&mut Config));

const SEARCHES: [WiderSearch; 8] = [
    ("schemeless", "hosts", |config| config.rules.scan.hosts = true),
    ("schemeless", "emails", |config| config.rules.scan.emails = true),
    ("schemeless", "domains", |config| config.rules.scan.domains = Domains::Names),
    ("schemeless", "ips", |config| config.rules.scan.ips = true),
    ("refang", "", |config| {
        let scan = &mut config.rules.scan;
        scan.refang = true;
        scan.schemes = std::mem::take(&mut scan.schemes).with_spellings(&defanged::SCHEMES);
    }),
    ("join", "delimited", |config| join(config, Join::Delimited)),
    ("join", "likely", |config| join(config, Join::Likely)),
    ("iri", "all", |config| config.rules.scan.read.iri = Iri::All),
];

fn join(config: &mut Config, join: Join) {
    config.rules.join = join;
    config.rules.scan.broken_schemes = join == Join::Likely;
}

/// The option for which no match covers the byte at `offset`, if a single option is the reason.
pub(super) fn why(finder: &Finder, text: &[u8], offset: usize) -> Option<Refusal> {
    let url = |change: fn(&mut Config)| {
        let matched = at::near(&finder.explaining(change), text, offset).covering?;
        Some(matched.as_bytes().to_vec())
    };
    let rejected = FILTERS.iter().find_map(|&(option, value, change)| {
        Some(Refusal::Rejected { option, value: value(&finder.config), url: url(change)? })
    });
    rejected.or_else(|| {
        SEARCHES.iter().find_map(|&(option, value, change)| {
            Some(Refusal::Unsearched { option, value, url: url(change)? })
        })
    })
}

impl Finder {
    /// Returns this finder after a change; its matches record why they end.
    pub(super) fn explaining(&self, change: impl FnOnce(&mut Config)) -> Finder {
        let mut config = Config::clone(&self.config);
        config.rules.explain = true;
        config.plain = false;
        change(&mut config);
        Finder { config: Arc::new(config) }
    }
}

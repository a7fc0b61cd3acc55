//! The options of the rooms, as the arguments define them.

use urlgrep::{BuildError, Evidence, Finder, FinderBuilder};

use super::output::Csv;
use super::values::{Hyphen, Join};
use super::{Args, Sort};
use crate::check::CheckOptions;
use crate::input::{ReadOptions, RootOptions, WalkOptions};
use crate::output::printer::{
    CsvOptions, OutputFormat, PlainOptions, PrinterOptions, StyleOptions, Template,
};
use crate::output::spelling::Spelling;
use crate::output::stdout::OutputOptions;
use crate::search::{EvidenceOptions, SearchOptions, SelectOptions};

impl Args {
    /// The finder, and what the first pass needs if evidence decides anything.
    pub fn finder(&self) -> Result<(Finder, Option<EvidenceOptions>), BuildError> {
        let (hyphens, likely) = (self.hyphen == Hyphen::Evidence, matches!(self.join, Join::Likely));
        if !hyphens && !likely {
            return Ok((self.finder_builder().build()?, None));
        }
        let evidence = Evidence::new();
        // A URL that was joined is no evidence, and `explain` says where one may be cut.
        let first = self.finder_builder().line_numbers(false).explain(likely);
        let first = if likely { first.join(urlgrep::Join::Delimited) } else { first };
        let options = EvidenceOptions { evidence: evidence.clone(), finder: first.build()?, hyphens };
        Ok((self.finder_builder().evidence(evidence).build()?, Some(options)))
    }

    fn finder_builder(&self) -> FinderBuilder {
        Finder::builder()
            .join(self.join.into())
            .hyphen(self.hyphen.into())
            .dialect(self.dialect.into())
            .min_grade(self.grade.into())
            // "http, https" is the same list as "http,https".
            .scheme_filter(self.scheme.iter().map(|name| name.trim_ascii()))
            .max_len(self.max_len)
            .iri(self.iri.into())
            .hosts(self.hosts)
            .addresses(self.addresses)
            .domains(self.domains.map_or(urlgrep::Domains::None, Into::into))
            .line_numbers(self.line_numbers())
            .explain(self.output.explain)
    }

    /// What is searched.
    pub fn root_options(&self) -> RootOptions {
        let files = &self.files;
        let walk = WalkOptions {
            hidden: self.hidden,
            ignore: files.ignore,
            follow: files.follow,
            max_depth: files.max_depth,
            sorted: files.sort == Sort::Path,
            globs: files.glob.clone(),
            types: files.types.clone(),
            types_not: files.types_not.clone(),
        };
        RootOptions {
            paths: self.paths.clone(),
            files_from: files.files_from.clone(),
            only_listed: files.files,
            walk,
        }
    }

    /// Which matches are wanted.
    pub fn select_options(&self) -> SelectOptions {
        SelectOptions {
            matches: self.select.matches.clone(),
            exclude: self.select.exclude.clone(),
            hosts: self.select.host.clone(),
            host_lists: self.select.host_list.clone(),
        }
    }

    /// How inputs are searched.
    pub fn search_options(&self, finder: Finder, evidence: Option<EvidenceOptions>) -> SearchOptions {
        let context = self.context();
        SearchOptions {
            finder,
            read: self.read_options(),
            memory: self.files.memory.saturating_mul(1_000_000),
            evidence,
            unique: self.unique.then(|| self.spelling()),
            stats: self.output.stats,
            report: self.output.report.is_some(),
            max_count: self.max_count.is_some(),
            context,
            max_len: self.max_len,
            message_numbers: self.message_numbers(),
            divisible_text: matches!(self.join, Join::None | Join::Delimited) && context.is_none(),
        }
    }

    /// How matches are printed. `many` says whether there may be several files.
    pub fn printer_options(&self, many: bool) -> PrinterOptions {
        let (colors, links) = (self.output.color.choice(), self.output.hyperlink.choice());
        PrinterOptions {
            format: self.output_format(self.with_filename || (many && !self.no_filename)),
            style: StyleOptions { colors, links },
            nul: self.output.null,
            spelling: self.spelling(),
        }
    }

    /// What is done with matches besides printing them.
    pub fn output_options(&self) -> OutputOptions {
        OutputOptions {
            line_buffered: self.output.line_buffered,
            max_count: self.max_count.unwrap_or(u64::MAX),
            unique: self.unique,
            stats: self.output.stats,
        }
    }

    /// What is checked.
    pub fn check_options(&self) -> CheckOptions {
        CheckOptions {
            urls: self.paths.clone(),
            dialect: self.dialect.into(),
            min_grade: self.grade.into(),
            max_len: self.max_len,
            quiet: self.quiet,
            json: self.json,
            line_buffered: self.output.line_buffered,
        }
    }

    fn read_options(&self) -> ReadOptions {
        ReadOptions {
            format: self.input.format(),
            attachments: self.attachments,
            headers: !self.no_headers,
            dot_stuffing: self.dot_stuffing,
            base_url: self.base.clone(),
            line_numbers: self.line_numbers(),
        }
    }

    fn output_format(&self, names: bool) -> OutputFormat {
        match &self.output.format {
            _ if self.quiet => OutputFormat::Quiet,
            _ if self.files_with_matches => OutputFormat::Names,
            _ if self.count && self.unique => OutputFormat::UniqueCounts,
            _ if self.count => OutputFormat::Counts { names },
            _ if self.json => OutputFormat::Json,
            _ if self.output.csv.is_some() => OutputFormat::Csv(CsvOptions {
                hyphen: self.hyphen == Hyphen::Evidence,
                raw: self.output.csv == Some(Csv::Raw),
            }),
            Some(template) => OutputFormat::Template(template.clone()),
            None => OutputFormat::Plain(PlainOptions {
                name: names.then_some(if self.output.null { 0 } else { b':' }),
                lines: self.line_number || self.column,
                columns: self.column,
                offsets: self.byte_offset,
                alternatives: self.output.alternatives,
                explain: self.output.explain,
                context: self.output.context.is_some(),
            }),
        }
    }

    fn spelling(&self) -> Spelling {
        Spelling { normalize: self.output.normalize, redact: self.output.redact }
    }

    /// The number of context lines, if context is needed.
    fn context(&self) -> Option<usize> {
        self.output.context.or(self.output.explain.then_some(0))
    }

    /// Whether lines are counted, which costs a pass over the text.
    fn line_numbers(&self) -> bool {
        let by_template = self.output.format.as_ref().is_some_and(Template::needs_lines);
        let by_format = self.json || self.output.csv.is_some() || self.output.report.is_some();
        self.line_number || self.column || by_format || by_template
    }

    /// Whether messages are numbered.
    fn message_numbers(&self) -> bool {
        let by_template = self.output.format.as_ref().is_some_and(Template::needs_messages);
        self.json || self.output.csv.is_some() || by_template
    }
}

//! Converts the arguments to the options of the other modules.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use urlgrep::archive::{Attachments, Format, ReadOptions, Role};
use urlgrep::table::Field;
use urlgrep::{BuildError, Dialect, Evidence, Finder, FinderBuilder, Grade, Hyphen, Join};
use urlgrep_print::columns::Columns;
use urlgrep_print::context::ContextLines;
use urlgrep_print::csv::Rows;
use urlgrep_print::json::Objects;
use urlgrep_print::spelling::Spelling;

use super::values::{self, names};
use super::{Args, OutputArgs, SelectArgs};
use crate::check::CheckOptions;
use crate::input::{RootOptions, WalkOptions};
use crate::menu::MenuOptions;
use crate::output::groups::{self, Groups};
use crate::output::printer::{CountNames, Notation, OutputFormat, PlainOptions, PrinterOptions, Template};
use crate::output::report::EXCERPT;
use crate::output::stdout::OutputOptions;
use crate::output::style::{OutputStyle, StyleOptions};
use crate::search::{Condition, Gathering, Pass, Place, RoleChoice, SearchOptions, SelectOptions};

/// The number of lines before and after a URL that the menu shows, by default.
const MENU_CONTEXT: usize = 5;

/// The line of each match of `--invalid`, in the style of compilers.
const INVALID_FORMAT: &str =
    "{path}:{line}:{column}: {url}: {invalid.kind} \"{invalid.part}\", expected {invalid.expected}";

impl Args {
    /// Returns the error in the combination of the options.
    pub fn contradiction(&self) -> Option<&'static str> {
        let OutputArgs { columns, keep, open_with, menu, .. } = &self.output;
        let is_draft = self.grade == Grade::Draft1994 && self.dialect != Dialect::Draft1994;
        let has_lines = self.invalid && !self.json && self.printed_context().is_some();
        let errors = [
            (self.width.is_some() && self.join != Join::Likely, "--width requires --join likely"),
            (columns.is_some() && !self.has_columns(), "--columns requires --csv or --json"),
            (
                !keep.is_empty() && !self.has_columns(),
                "--keep requires --csv or --json; with --format, write {record.KEY} in the template",
            ),
            (open_with.is_some() && !menu, "--open-with requires --menu"),
            (is_draft, "--grade draft1994 requires --dialect draft"),
            (has_lines, "--context with --invalid requires --json"),
        ];
        errors.into_iter().find_map(|(is_wrong, error)| is_wrong.then_some(error))
    }

    /// Returns a path that does not exist and is rather a value of an option that takes it only after "=", and what to
    /// type instead.
    fn about_value(&self) -> Option<(PathBuf, String)> {
        let options = [
            ("--warnings", !self.select.warnings.is_empty(), names(&*values::WARNINGS)),
            ("--csv", self.output.csv.is_some(), names(&values::CSV)),
        ];
        let paths = self.paths.iter().filter_map(|path| path.to_str());
        paths.filter(|path| !Path::new(path).exists()).find_map(|path| {
            let is_value = |names: &[&str]| path.split(',').all(|name| names.contains(&name));
            let option = options.iter().find(|(_, is_set, names)| *is_set && is_value(names));
            option.map(|(name, ..)| (path.into(), format!("did you mean {name}={path}?")))
        })
    }

    /// Returns the number of threads that search.
    pub fn threads(&self) -> Option<NonZeroUsize> {
        // The fields that are counted from the start of the file, not of a part of it.
        const COUNTS: [&str; 6] = ["line", "message.index", "start", "end", "pieces", "message.offset"];
        let fields = || self.conditions().flat_map(|condition| &condition.fields);
        let counts = || fields().any(|field| COUNTS.contains(&field.name()));
        if self.at.is_some() || counts() { Some(NonZeroUsize::MIN) } else { self.files.threads }
    }

    /// Returns the finder, and the options of the first pass if evidence decides anything.
    pub fn finder(&self) -> Result<(Finder, Option<Gathering>), BuildError> {
        let (hyphens, likely) = (self.hyphen.is_none(), self.join == Join::Likely);
        if !hyphens && !likely {
            return Ok((self.finder_builder().build()?, None));
        }
        let evidence = Evidence::new();
        // A joined URL is not evidence, and `explain` shows where a URL may be broken.
        let first = self.finder_builder().invalid(false).nested(false).line_numbers(false).explain(likely);
        let first = if likely { first.join(Join::Delimited) } else { first };
        let finder = self.finder_builder().evidence(evidence.clone()).build()?;
        Ok((finder, Some(Gathering { pass: Pass::Only, evidence, finder: first.build()?, hyphens })))
    }

    fn finder_builder(&self) -> FinderBuilder {
        let builder = self.width.map_or_else(Finder::builder, |columns| Finder::builder().width(columns));
        let builder = if self.scheme.is_empty() { builder } else { builder.schemes(&self.scheme) };
        builder
            .join(self.join)
            .hyphen(self.hyphen.unwrap_or(Hyphen::Keep))
            .dialect(self.dialect)
            .min_grade(self.grade)
            .max_len(self.max_len)
            .scheme_add(&self.scheme_add)
            .delimited_rows(self.input.delimited_rows)
            .iri(self.iri)
            .schemeless(self.schemeless.iter().copied())
            .refang(self.refang)
            .invalid(self.invalid)
            .unwrap(self.unwrap)
            .nested(self.nested)
            .line_numbers(self.line_numbers())
            .explain(self.output.explain || self.reads(|name| name.starts_with("ending.")))
    }

    /// Returns the options that select the input.
    pub fn root_options(&self) -> RootOptions {
        let files = &self.files;
        let walk = WalkOptions {
            hidden: self.hidden,
            ignore: files.ignore,
            follow: files.follow,
            max_depth: files.max_depth,
            order: files.sort,
            max_len: files.max_filesize,
            globs: files.glob.clone(),
            added_types: files.type_add.clone(),
            types: files.types.clone(),
            types_not: files.types_not.clone(),
        };
        RootOptions {
            paths: self.paths.clone(),
            files_from: files.files_from.clone(),
            only_listed: files.files,
            pre: files.pre.clone(),
            advice: self.about_value(),
            walk,
        }
    }

    /// Returns the options that select matches.
    pub fn select_options(&self) -> SelectOptions {
        let hosts = &self.select.host;
        SelectOptions {
            matches: self.select.matches.clone(),
            strings_files: self.select.strings_file.clone(),
            exclude: self.select.exclude.clone(),
            ignore_case: self.select.ignore_case,
            unquoted: self.select.unquoted,
            roles: self.roles(),
            warnings: self.select.warnings.clone(),
            hosts: hosts
                .iter()
                // Do not split at commas, because the braces of a glob and the name of a file may contain commas.
                .flat_map(|list| list.split(|c| c == ',' && !list.contains(['{', '@'])))
                .map(str::to_owned)
                .collect(),
            conditions: self.conditions_on(false),
        }
    }

    /// The roles that are wanted; none if all are. A choice of roles overrides `--links`, which may be in the
    /// configuration file.
    fn roles(&self) -> Vec<RoleChoice> {
        match self.select.links && self.select.role.is_empty() {
            true => [Role::Text, Role::Link].map(RoleChoice::Of).to_vec(),
            false => self.select.role.clone(),
        }
    }

    /// The conditions on fields.
    fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let SelectArgs { wheres, from, since, until, .. } = &self.select;
        wheres.iter().chain(from).chain(since).chain(until)
    }

    /// Returns a hint about the first condition on a field that nothing has.
    pub fn where_hint(&self) -> Option<String> {
        // The reason is printed for the position.
        self.conditions().find_map(Condition::hint).filter(|_| self.at.is_none())
    }

    /// Returns the conditions on the heads of messages, or else on other fields.
    pub fn conditions_on(&self, heads: bool) -> Vec<Condition> {
        self.conditions().filter(|condition| condition.is_of_head() == heads).cloned().collect()
    }

    /// Returns the options of a search.
    pub fn search_options(&self, finder: Finder, gathering: Option<Gathering>) -> SearchOptions {
        let printed_context = self.needed_context();
        // Excerpts do not go beyond an empty line, so a text can be divided there.
        let excerpt = self.output.report.is_some().then_some(EXCERPT);
        SearchOptions {
            finder,
            read: self.read_options(),
            gathering,
            output: self.output_options(),
            report: self.output.report.is_some(),
            menu: self.output.menu,
            at: self.at,
            // The sentence may quote a password.
            why_not: self.output.explain && !self.quiet && !self.output.redact,
            context: [printed_context, excerpt].into_iter().flatten().reduce(ContextLines::or_more),
            printed_context,
            max_len: self.max_len,
            divisible_text: self.join != Join::Likely && printed_context.is_none(),
        }
    }

    /// The value of `--memory` in bytes.
    fn memory(&self) -> usize {
        self.files.memory.saturating_mul(1_000_000)
    }

    /// Returns the options for printing matches. `many` is true if there may be several files.
    pub fn printer_options(&self, many: bool) -> PrinterOptions {
        PrinterOptions {
            format: self.output_format(many),
            style: self.style_options(),
            nul: self.output.null,
            heading: self.heading(),
            spelling: self.spelling(),
        }
    }

    /// Returns the options of the output besides printing matches.
    pub fn output_options(&self) -> OutputOptions {
        OutputOptions {
            line_buffered: self.output.line_buffered,
            max_count: self.max_count.map(|max| max as u64),
            // The menu folds duplicates itself.
            unique: (self.unique && !self.output.menu).then(|| self.spelling()),
            newest: self.select.newest,
            memory: self.memory(),
            stats: self.output.stats,
            quiet: self.quiet && !self.searches_all(),
            json: self.json,
            no_messages: self.other.no_messages,
            strict: self.other.strict,
        }
    }

    /// Returns the groups that matches are counted in, with `--group`.
    pub fn groups(&self) -> Option<Groups> {
        let fields = self.output.group.as_ref()?.fields().to_vec();
        Some(Groups::new(fields, self.notation(), self.memory()))
    }

    /// Returns true if more depends on the search than its output.
    fn searches_all(&self) -> bool {
        self.output.report.is_some() || self.output.stats
    }

    /// Returns the options of the menu.
    pub fn menu_options(&self) -> MenuOptions {
        let colors = OutputStyle::new(self.style_options(), true).colors;
        let roles: Vec<Role> = self.roles().into_iter().map(RoleChoice::role).collect();
        let roles = if roles.is_empty() { vec![Role::Text, Role::Link] } else { roles };
        MenuOptions { colors, roles, open_with: self.output.open_with.clone(), memory: self.memory() }
    }

    /// Returns the options of a check.
    pub fn check_options(&self) -> CheckOptions {
        CheckOptions {
            urls: self.paths.clone(),
            dialect: self.dialect,
            min_grade: self.grade,
            max_len: self.max_len,
            output: self.output_options(),
        }
    }

    fn style_options(&self) -> StyleOptions {
        let colors = self.output.color.or(self.output.pretty.then_some(true));
        StyleOptions { colors, links: self.output.hyperlink }
    }

    /// Returns whether the path is printed above the matches of a file, if it is printed. The
    /// newest messages may come from any file.
    fn heading(&self) -> Option<bool> {
        let OutputArgs { heading, no_heading, pretty, vimgrep, null, .. } = self.output;
        if self.select.newest.is_some() {
            return Some(false);
        }
        (heading || no_heading || pretty || vimgrep || null).then_some(heading || (pretty && !no_heading))
    }

    fn read_options(&self) -> ReadOptions {
        // Only a table that is read as a whole has columns.
        let is_table = self.input.delimited_rows && self.records();
        // The menu and a report can show all roles.
        let (roles, shows_all) = (self.roles(), self.output.menu || self.output.report.is_some());
        ReadOptions {
            format: if is_table { Some(Format::Csv) } else { self.input.format },
            attachments: match (self.attachments, self.no_attachments) {
                (true, _) => Attachments::All,
                (_, true) => Attachments::None,
                _ => Attachments::Documents,
            },
            headers: !self.no_headers,
            resources: shows_all || roles.is_empty() || roles.contains(&RoleChoice::Of(Role::Resource)),
            dot_stuffing: self.dot_stuffing,
            // Without a base URL, values that do not begin with a scheme are not read.
            base_url: self.invalid.then(|| "https://localhost/".into()),
            line_numbers: self.line_numbers(),
            offsets: self.offsets(),
            records: self.records(),
            keep: self.read_fields().filter_map(|field| field.record_key()).map(Box::from).collect(),
        }
    }

    fn output_format(&self, many: bool) -> OutputFormat {
        // The path of each match is printed.
        let names = self.with_filename || self.output.vimgrep || (many && !self.no_filename);
        let counted = match names {
            true => CountNames::All,
            false if self.no_filename => CountNames::None,
            false => CountNames::Members,
        };
        let report = self.output.report.as_deref();
        let reports_alone = report.is_some_and(|path| self.quiet || path == Path::new("-"));
        match (self.template(), self.output.csv) {
            _ if self.output.menu || reports_alone => OutputFormat::Nothing,
            _ if self.quiet && self.searches_all() => OutputFormat::Nothing,
            _ if self.quiet => OutputFormat::Quiet,
            _ if self.files_with_matches => OutputFormat::Names(self.notation()),
            _ if self.count && self.unique => OutputFormat::UniqueCounts(self.notation()),
            _ if self.count => OutputFormat::Counts(counted, self.notation()),
            _ if self.output.group.is_some() => OutputFormat::Groups(Template::of(&self.printed_fields())),
            _ if self.json => OutputFormat::Json(Arc::new(Objects::new(&self.output_columns()))),
            (Some(template), _) => OutputFormat::Template(template.clone()),
            (None, Some(style)) => OutputFormat::Csv(Arc::new(Rows::new(&self.output_columns(), style))),
            (None, None) => OutputFormat::Plain(PlainOptions {
                name: names.then_some(if self.output.null { 0 } else { b':' }),
                lines: self.lines() || self.columns(),
                columns: self.columns(),
                offsets: self.byte_offset,
                alternatives: self.output.alternatives,
                explain: self.output.explain,
                context: self.printed_context().is_some(),
            }),
        }
    }

    /// The template of each match, if it has one.
    fn template(&self) -> Option<&Template> {
        static INVALID: LazyLock<Template> =
            LazyLock::new(|| Template::parse(INVALID_FORMAT).unwrap_or_else(|error| panic!("{error}")));
        let is_line = self.invalid && !self.has_columns() && self.output.group.is_none();
        self.output.format.as_ref().or(is_line.then(|| &*INVALID))
    }

    /// Returns true if the output has columns, or keys.
    fn has_columns(&self) -> bool {
        self.json || self.output.csv.is_some()
    }

    /// The columns of `--csv`, or the keys of `--json`.
    fn output_columns(&self) -> Columns {
        let requested = [
            (self.hyphen.is_none(), "hyphen"),
            (self.unwrap, "unwrapped"),
            (self.invalid, "invalid.kind"),
            (self.invalid, "invalid.part"),
            (self.invalid, "invalid.expected"),
        ];
        let requested: Vec<_> = requested.iter().filter(|(is_on, _)| *is_on).map(|(_, name)| *name).collect();
        let columns = self.output.columns.clone().unwrap_or_else(|| Columns::usual(&requested));
        columns.and_of_records(&self.output.keep)
    }

    /// The fields that the output has.
    fn printed_fields(&self) -> Vec<&'static Field> {
        match (self.template(), &self.output.group) {
            (Some(template), _) => template.fields().collect(),
            (None, Some(group)) => groups::printed(group.fields()),
            (None, None) if self.has_columns() => self.output_columns().fields().to_vec(),
            (None, None) => Vec::new(),
        }
    }

    /// The fields that the output has, or that a condition is about.
    fn read_fields(&self) -> impl Iterator<Item = &'static Field> {
        let conditions = self.conditions().flat_map(|condition| &condition.fields).copied();
        self.printed_fields().into_iter().chain(conditions)
    }

    /// Returns true if a field is read whose name is `wanted`.
    fn reads(&self, wanted: impl Fn(&str) -> bool) -> bool {
        self.read_fields().any(|field| wanted(field.name()))
    }

    fn notation(&self) -> Notation {
        match self.output.csv {
            Some(style) => Notation::Csv(style),
            None if self.json => Notation::Json,
            None => Notation::Plain,
        }
    }

    fn spelling(&self) -> Spelling {
        let OutputArgs { normalize, clean, redact, defang, .. } = self.output;
        Spelling { normalize, clean, redact, defang }
    }

    /// The context lines, if they are printed.
    fn printed_context(&self) -> Option<ContextLines> {
        let OutputArgs { context, before_context, after_context, .. } = self.output;
        let wanted = context.or(before_context).or(after_context);
        let lines = |one: Option<usize>| one.or(context).unwrap_or(0);
        wanted.map(|_| ContextLines { before: lines(before_context), after: lines(after_context) })
    }

    /// The context lines that the output needs.
    fn needed_context(&self) -> Option<ContextLines> {
        let of_menu = self.output.menu.then_some(ContextLines { before: MENU_CONTEXT, after: MENU_CONTEXT });
        let needs_lines = self.output.explain || matches!(self.at, Some(Place::Column { .. }));
        self.printed_context().or(needs_lines.then(ContextLines::default)).or(of_menu)
    }

    /// Returns true if lines are counted, which costs a pass over the text.
    fn line_numbers(&self) -> bool {
        let by_field = || self.reads(|name| matches!(name, "line" | "column"));
        let by_place = matches!(self.at, Some(Place::Column { .. }));
        self.lines() || self.columns() || by_place || self.output.report.is_some() || by_field()
    }

    /// Returns true if it must be known where in the file each match is, which costs time where that is decoded.
    fn offsets(&self) -> bool {
        let by_field = || self.reads(|name| matches!(name, "start" | "end" | "pieces"));
        let by_context = self.needed_context().is_some() || self.at.is_some();
        self.line_numbers() || self.byte_offset || by_context || by_field()
    }

    /// Returns true if the records of data are read.
    fn records(&self) -> bool {
        const OBJECTS: [&str; 3] = ["message.", "header.", "record."];
        let by_field =
            || self.reads(|name| name == "key" || OBJECTS.iter().any(|object| name.starts_with(object)));
        let by_option =
            !self.output.keep.is_empty() || self.output.report.is_some() || self.select.newest.is_some();
        by_option || by_field()
    }

    fn lines(&self) -> bool {
        self.line_number || self.output.pretty
    }

    fn columns(&self) -> bool {
        self.column || self.output.vimgrep
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    /// The menu and a report can show roles that are left out at first.
    #[test]
    fn resources_are_read_if_they_can_be_shown() {
        for (args, wanted) in [
            (&[][..], true),
            (&["--links"], false),
            (&["--role=link"], false),
            (&["--role=link,resource"], true),
            (&["--links", "--role=resource"], true),
            (&["--role=image", "--links"], false),
            (&["--menu", "--links"], true),
            (&["--menu", "--role=link"], true),
            (&["--report=a.html", "--links"], true),
        ] {
            let args = Args::try_parse_from([&["urlgrep"], args].concat()).unwrap();
            assert_eq!(args.read_options().resources, wanted, "{args:?}");
        }
    }

    /// `--pretty` prints headings unless `--no-heading` is given; without any of these options, the terminal decides.
    #[test]
    fn the_options_of_headings() {
        for (args, wanted) in [
            ("", None),
            ("--heading", Some(true)),
            ("--no-heading", Some(false)),
            ("--pretty", Some(true)),
            ("--pretty --no-heading", Some(false)),
            ("--no-heading --pretty", Some(false)),
            ("--vimgrep", Some(false)),
            ("--null", Some(false)),
            ("--null --heading", Some(true)),
            ("--newest=3", Some(false)),
            ("--newest=3 --pretty", Some(false)),
        ] {
            let args = Args::try_parse_from(format!("urlgrep {args}").split_whitespace()).unwrap();
            assert_eq!(args.heading(), wanted, "{args:?}");
        }
    }

    /// The cost of each field of a match, as a column and in a template: lines are counted, and
    /// offsets are exact.
    #[test]
    fn lines_and_offsets_are_read_for_their_fields() {
        for (names, lines, offsets) in [
            ("line column", true, true),
            ("start end pieces", false, true),
            ("url path scheme host port grade form role message.part message.subject", false, false),
        ] {
            for name in names.split(' ') {
                for option in [format!("--csv --columns={name}"), format!("--format={{{name}}}")] {
                    let args =
                        Args::try_parse_from(["urlgrep"].into_iter().chain(option.split(' '))).unwrap();
                    assert_eq!((args.line_numbers(), args.offsets()), (lines, offsets), "{option}");
                }
            }
        }
        for (option, lines, offsets) in [
            ("-n", true, true),
            ("--column", true, true),
            ("--vimgrep", true, true),
            ("--pretty", true, true),
            ("--report=a.html", true, true),
            ("-b", false, true),
            ("-C0", false, true),
            ("-A1", false, true),
            ("-B1", false, true),
            ("--json", true, true),
            ("--csv", true, true),
            ("-H", false, false),
        ] {
            let args = Args::try_parse_from(["urlgrep", option]).unwrap();
            assert_eq!((args.line_numbers(), args.offsets()), (lines, offsets), "{option}");
        }
    }
}

//! The targets of a search, and the facts about each match that are kept.

use std::sync::Arc;

use urlgrep::archive::ReadOptions;
use urlgrep::{Finder, Match};
use urlgrep_print::context::{Context, ContextLines};

use super::condition::Messages;
use super::date::Date;
use super::evidence::{Gathering, Pass};
use super::select::{Place, Select};
use crate::output::View;
use crate::output::batch::{Batch, Dated, Kept};
use crate::output::item::Item;
use crate::output::printer::Printer;
use crate::output::report::ReportRow;
use crate::output::stats::Facts;
use crate::output::stdout::OutputOptions;

/// The end of a URL whose printing panics.
#[cfg(test)]
const PANICS: &[u8] = b"/panic";

/// The targets of a search, and the facts about each match that are kept.
pub struct SearchOptions {
    pub finder: Finder,
    pub read: ReadOptions,
    /// The evidence, if it decides anything.
    pub gathering: Option<Gathering>,
    /// The options of the output, which decide the facts about each match that are kept.
    pub output: OutputOptions,
    pub report: bool,
    pub menu: bool,
    /// The position of the wanted match, if only one is wanted.
    pub at: Option<Place>,
    /// True if the reason is printed if no match is there.
    pub why_not: bool,
    /// The context lines, if context is needed.
    pub context: Option<ContextLines>,
    /// The context lines of the output, if it has context.
    pub printed_context: Option<ContextLines>,
    /// The maximum length of a URL in bytes.
    pub max_len: usize,
    /// True if the matches of a text do not depend on anything before an empty line.
    pub divisible_text: bool,
}

/// The search that the options describe. It has no state but evidence, so that all
/// threads share it.
pub struct Search {
    pub options: SearchOptions,
    pub select: Select,
    pub messages: Arc<Messages>,
    pub printer: Printer,
    /// True if all matches are printed, so that a batch keeps nothing else.
    keeps_nothing: bool,
    /// True if only the URL of each match is printed, verbatim.
    pub bare: bool,
    /// The number of matches of a file that are enough, regardless of other files.
    pub enough: u64,
}

impl Search {
    pub fn new(mut options: SearchOptions, select: Select, messages: Messages, printer: Printer) -> Search {
        // If URLs are not examined, the reading does not matter.
        if printer.needs_one() && select.is_everything() && !options.output.stats {
            options.gathering = None;
        }
        let OutputOptions { unique, newest, stats, max_count, .. } = options.output;
        let keeps_nothing = unique.is_none()
            && newest.is_none()
            && !stats
            && !options.report
            && !options.menu
            && max_count.is_none()
            && options.at.is_none();
        let bare = keeps_nothing
            && options.gathering.is_none()
            && select.is_everything()
            && printer.prints_bare_urls();
        let enough = match unique {
            Some(_) => u64::MAX,
            None if printer.needs_one() => 1,
            None => max_count.unwrap_or(u64::MAX),
        };
        let messages = Arc::new(messages);
        Search { options, select, messages, printer, keeps_nothing, bare, enough }
    }

    /// Returns the same search, which only gathers evidence.
    pub fn in_first_pass(&self, gathering: &Gathering) -> Search {
        let options = SearchOptions {
            finder: gathering.finder.clone(),
            gathering: Some(Gathering { pass: Pass::Gather, ..gathering.clone() }),
            read: ReadOptions { line_numbers: false, offsets: false, ..self.options.read.clone() },
            context: None,
            why_not: false,
            ..self.options
        };
        Search {
            options,
            select: Select::default(),
            messages: Arc::clone(&self.messages),
            printer: self.printer.clone(),
            bare: false,
            ..*self
        }
    }

    /// Adds a match to a batch, with the part of its context that is printed. `messages` messages of the input start
    /// before it. Returns whether it was added: it is not if it does not contain the position `at`.
    pub fn add(
        &self,
        batch: &mut Batch,
        messages: u64,
        at: Option<Place>,
        view: View<'_>,
        context: Option<&Context<'_>>,
    ) -> bool {
        let printed =
            context.zip(self.options.printed_context).map(|(context, lines)| context.narrowed(lines));
        let view = View { context: printed.as_ref(), ..view };
        if at.is_some_and(|place| !place.is_in(&view, context)) {
            return false;
        }
        #[cfg(test)]
        if view.matched.as_bytes().ends_with(PANICS) {
            std::panic::resume_unwind(Box::new("a panic without a message"));
        }
        // A panic can only occur before the batch contains the whole match.
        self.printer.print(&mut batch.sheet, &view, batch.memo.get_or_insert_default());
        let kept = (!self.keeps_nothing).then(|| self.kept(batch, messages, &view, context));
        if batch.count == 0 {
            self.printer.heading(&mut batch.heading, view.name);
        }
        batch.count += 1;
        batch.end = batch.sheet.text.len();
        kept.into_iter().for_each(|kept| batch.push(kept));
        true
    }

    /// Returns the facts about a printed match that are kept.
    fn kept(&self, batch: &mut Batch, messages: u64, view: &View<'_>, context: Option<&Context<'_>>) -> Kept {
        let OutputOptions { unique, newest, stats, .. } = self.options.output;
        let key = unique.map(|spelling| spelling.compared(view.matched.as_bytes()).into());
        let facts = stats.then(|| Box::new(Facts::of(view.matched)));
        let row = self.options.report.then(|| Box::new(ReportRow::of(view, context)));
        let item = self.options.menu.then(|| Box::new(Item::of(view, &mut batch.page)));
        let dated = if newest.is_some() { dated(view.matched, messages) } else { None };
        Kept { end: batch.sheet.text.len(), key, messages, dated, facts, row, item }
    }
}

/// The message of a match, which is dated before all others if it has no date; `None` if the match is in no message.
fn dated(matched: &Match<'_>, message: u64) -> Option<Dated> {
    let context = matched.context()?;
    let date = context.envelope()?.date().and_then(|date| Date::parse(&date));
    let record = context.record_start().unwrap_or_default();
    Some(Dated { message, record, date: date.map_or(i64::MIN, |date| date.start) })
}

//! Writes matches: the output of the program, and for the list of the page more than that.

use std::path::Path;

use urlgrep::Match;
use urlgrep::archive::Role;
use urlgrep_print::columns::Columns;
use urlgrep_print::context::Context;
use urlgrep_print::csv::{Rows, Style};
use urlgrep_print::explain::sentences;
use urlgrep_print::json::Objects;
use urlgrep_print::memo::Memo;
use urlgrep_print::sheet::Sheet;
use urlgrep_print::spelling::Spelling;
use urlgrep_print::values::{write_list, write_string};
use urlgrep_print::view::View;

/// The number of bytes before and after a match that its context has.
const AROUND: usize = 300;

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// A line of JSON for each match: an array of the keys of `--json`, and of the further values
    /// that the page shows.
    List,
    /// The output of `--json`.
    Json,
    /// The output of `--csv`.
    Csv,
}

impl Output {
    /// Returns the output of this name.
    pub fn of(name: &str) -> Output {
        match name {
            "json" => Output::Json,
            "csv" => Output::Csv,
            _ => Output::List,
        }
    }
}

/// Selects the matches to write.
#[derive(Debug)]
pub struct Select {
    roles: Vec<Role>,
    form: String,
    /// The text that the URL contains, in lower case.
    url: String,
    /// The host, in lower case; empty for URLs without one.
    host: Option<String>,
}

impl Select {
    /// Returns a selection: empty values select everything, and so does `None` as the host. `roles`
    /// are names with commas between them.
    pub fn new(roles: &str, form: &str, url: &str, host: Option<String>) -> Select {
        let roles = roles.split(',').filter_map(|role| role.parse().ok()).collect();
        Select { roles, form: form.to_owned(), url: url.to_lowercase(), host }
    }

    fn wants(&self, matched: &Match<'_>) -> bool {
        let has = || String::from_utf8_lossy(matched.as_bytes()).to_lowercase().contains(&self.url);
        (self.roles.is_empty() || self.roles.contains(&matched.role()))
            && (self.form.is_empty() || self.form == matched.form().as_str())
            && (self.url.is_empty() || has())
            && self.host.as_ref().is_none_or(|host| *host == matched.host().unwrap_or_default())
    }
}

/// The output that has been written and not been passed on.
#[derive(Debug)]
pub struct Written {
    output: Output,
    objects: Objects,
    rows: Rows,
    /// The number of further matches of a list that are written.
    left: usize,
    select: Select,
    pub sheet: Sheet,
    /// It is cleared before each message.
    pub memo: Memo,
    /// The number of matches of each role, in the order of [`Role::ALL`].
    pub counts: [f64; Role::ALL.len()],
}

impl Written {
    /// Returns an empty output. A list contains at most `most` matches.
    pub fn new(output: Output, most: usize, select: Select) -> Written {
        let columns = Columns::usual(&[]);
        let (objects, rows) = (Objects::new(&columns), Rows::new(&columns, Style::Safe));
        let mut sheet = Sheet::default();
        if output == Output::Csv {
            sheet.text = rows.header();
        }
        let (memo, counts) = Default::default();
        Written { output, objects, rows, left: most, select, sheet, memo, counts }
    }

    /// Writes a match of the file `path`, if it is wanted.
    pub fn push<'c>(&mut self, path: &str, matched: &Match<'_>, context: impl FnOnce() -> Context<'c>) {
        self.counts[matched.role() as usize] += 1.0;
        if self.left == 0 && self.output == Output::List || !self.select.wants(matched) {
            return;
        }
        let (name, spelling) = (Path::new(path), Spelling::default());
        let view = View { name, offset: 0, matched, decision: None, context: None, spelling };
        let sheet = &mut self.sheet;
        match self.output {
            Output::Json => self.objects.print(sheet, &view, &mut self.memo),
            Output::Csv => self.rows.print(sheet, &view, &mut self.memo, Vec::extend_from_slice),
            Output::List => {
                self.left -= 1;
                sheet.text.push(b'[');
                self.objects.print(sheet, &view, &mut self.memo);
                sheet.text.pop();
                sheet.text.push(b',');
                write_more(sheet, &view, &context());
                sheet.text.extend_from_slice(b"]\n");
            }
        }
    }
}

/// Writes what the page shows of a match besides what `--json` prints: the whole URL, the sentences of `--explain`, its
/// warnings in words, and the text around its pieces with the pieces, which are every other text.
fn write_more(sheet: &mut Sheet, view: &View<'_>, context: &Context<'_>) {
    let out = &mut sheet.text;
    out.extend_from_slice(b"{\"href\":");
    write_string(out, &view.matched.href());
    let warnings = view.matched.warnings().iter().map(|warning| warning.description().to_owned());
    for (key, texts) in [
        (",\"sentences\":", sentences(view.matched, None, context)),
        (",\"warnings\":", warnings.collect()),
        (",\"around\":", around(view.matched, context)),
    ] {
        out.extend_from_slice(key.as_bytes());
        write_list(out, &texts, |out, text| write_string(out, text.as_bytes()));
    }
    out.push(b'}');
}

/// The text before the first piece of the URL, that piece, the text before the next one, and so on; the last is the
/// text after the last piece.
fn around(matched: &Match<'_>, context: &Context<'_>) -> Vec<String> {
    let attribute = matched.context().and_then(|context| context.attribute());
    let (text, start) = attribute.map_or((context.text, context.start), |value| (value, 0));
    let index = |offset: u64| usize::try_from(offset.saturating_sub(start)).unwrap_or(usize::MAX);
    let mut texts: Vec<&[u8]> = Vec::new();
    let mut at = 0;
    for piece in matched.in_text().pieces() {
        let from = index(piece.start).clamp(at, text.len());
        let to = index(piece.end).clamp(from, text.len());
        texts.extend([&text[at..from], &text[from..to]]);
        at = to;
    }
    texts.push(&text[at..]);
    let last = texts.len() - 1;
    texts[0] = &texts[0][texts[0].len().saturating_sub(AROUND)..];
    texts[last] = &texts[last][..texts[last].len().min(AROUND)];
    texts.into_iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}

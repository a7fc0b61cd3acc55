//! An input of a fuzz target: settings, and a text.
//!
//! The first bytes are the settings. Each option is in the lower bits of a byte, so that
//! zero, and the digit `0` in an input that is written by hand, is the default:
//!
//! | byte | bits | |
//! |---|---|---|
//! | 0 | 1, 2 | hyphen: keep, drop, both; keep, and no characters beyond ASCII |
//! | 0 | 4, 8 | join: delimited, none, likely |
//! | 0 | 64 | whether the URLs within a match follow it |
//! | 1 | 1, 2, 4 | characters beyond ASCII in all scripts, hosts, addresses; with both, domain names |
//! | 1 | 8 | whether [filler] precedes the text when it comes in pieces |
//! | 2 | 1 to 8 | the limit: 65,536 bytes; 16, 20, … 72 |
//! | 3 | 1, 2 | lowest grade: lenient, rfc3986, rfc1738; lenient by the draft of 1994 |
//! | 3 | 4, 8 | schemes: all; those of mail; one that ends in a digit |
//! | 4 | 1 to 8 | the size of a stream's reads: 1, 2, 5, 10, 17, … 226 bytes |
//! | 5 | all | how much filler |
//! | 5 | 1, 2, 4 | the container that an archive is put in: none; see [contained](super::contained) |
//! | 6 to 11 | all | where the text is cut: three numbers of two bytes |

use urlgrep::{Dialect, Finder, FinderBuilder, Grade, Hyphen, Iri, Join, Schemeless};

/// How many bytes precede the text.
const HEAD: usize = 12;

/// How to search.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub hyphen: Hyphen,
    /// True if the URLs within each match are searched for.
    pub nested: bool,
    pub join: Join,
    pub max_len: usize,
    pub iri: Iri,
    pub hosts: bool,
    pub addresses: bool,
    /// Of a terminal, with the joins that are likely.
    pub width: Option<usize>,
    /// Whether the text has cells.
    pub cells: bool,
    pub dialect: Dialect,
    pub grade: Grade,
    /// The only schemes to match; empty for all.
    pub schemes: &'static [&'static str],
}

/// The settings of a finder with default options.
impl Default for Settings {
    fn default() -> Self {
        Settings {
            hyphen: Hyphen::Keep,
            nested: false,
            join: Join::Delimited,
            max_len: 65_536,
            iri: Iri::Words,
            hosts: false,
            addresses: false,
            width: None,
            cells: false,
            dialect: Dialect::Rfc1738,
            grade: Grade::Lenient,
            schemes: &[],
        }
    }
}

impl Settings {
    /// Whether domain names are found: with both hosts and addresses.
    pub fn domains(&self) -> bool {
        self.hosts && self.addresses
    }

    /// A builder with these settings.
    pub fn builder(&self) -> FinderBuilder {
        let builder = Finder::builder();
        let builder = if self.domains() { super::with_domains(builder) } else { builder };
        let builder = if self.schemes.is_empty() { builder } else { builder.schemes(self.schemes) };
        let builder = self.width.map_or(builder.clone(), |columns| builder.width(columns));
        builder
            .hyphen(self.hyphen)
            .nested(self.nested)
            .join(self.join)
            .max_len(self.max_len)
            .iri(self.iri)
            .schemeless(self.hosts.then_some(Schemeless::Hosts))
            .schemeless(self.addresses.then_some(Schemeless::Emails))
            .delimited_rows(self.cells)
            .dialect(self.dialect)
            .min_grade(self.grade)
            .line_numbers(true)
    }

    /// A finder with these settings.
    pub fn finder(&self) -> Finder {
        self.builder().build().unwrap()
    }

    /// The same without vector instructions.
    pub fn portable(&self) -> Finder {
        self.builder().portable(true).build().unwrap()
    }
}

/// How to search, how the text comes, and the text.
#[derive(Clone, Debug)]
pub struct Input<'d> {
    pub settings: Settings,
    /// How many bytes a read of the stream returns.
    pub size: usize,
    /// How many bytes of [filler] precede the text, if any.
    pub filler: Option<usize>,
    /// The container that an archive is put in, if any.
    #[allow(dead_code, reason = "archives alone are put in one")]
    pub container: u8,
    /// Where the text is cut, in order.
    pub cuts: [usize; 3],
    pub text: &'d [u8],
}

impl Input<'_> {
    /// Reads an input; `None` if it is too short to have a text.
    pub fn of(data: &[u8]) -> Option<Input<'_>> {
        let (head, text) = data.split_first_chunk::<HEAD>()?;
        let bits = |at: usize, shift: u32| usize::from(head[at] >> shift & 3);
        let small = |at: usize| usize::from(head[at] & 15);
        let settings = Settings {
            hyphen: [Hyphen::Keep, Hyphen::Drop, Hyphen::Both, Hyphen::Keep][bits(0, 0)],
            nested: head[0] & 64 > 0,
            join: [Join::Delimited, Join::None, Join::Likely, Join::Likely][bits(0, 2)],
            max_len: if small(2) == 0 { 65_536 } else { 12 + 4 * small(2) },
            iri: if bits(0, 0) == 3 { Iri::Ascii } else { [Iri::Words, Iri::All][bits(1, 0) & 1] },
            hosts: head[1] & 2 > 0,
            addresses: head[1] & 4 > 0,
            width: (head[1] & 64 > 0).then_some(20),
            cells: head[1] & 128 > 0,
            dialect: if bits(3, 0) == 3 { Dialect::Draft1994 } else { Dialect::Rfc1738 },
            grade: [Grade::Lenient, Grade::Rfc3986, Grade::Rfc1738, Grade::Lenient][bits(3, 0)],
            schemes: [&[], &["HTTP", "ftp", "mailto", "news"][..], &["h323", "http"], &[]][bits(3, 2)],
        };
        let place = |at: usize| usize::from(u16::from_be_bytes([head[at], head[at + 1]])) % (text.len() + 1);
        let mut cuts = [place(6), place(8), place(10)];
        cuts.sort_unstable();
        let filler = (head[1] & 8 > 0).then(|| MOST - 8 * usize::from(head[5]));
        let container = head[5] & 7;
        Some(Input { settings, size: 1 + small(4) * small(4), filler, container, cuts, text })
    }
}

/// A little more than a scanner keeps before it drops anything: 64 KiB of consumed text,
/// and 8 KiB to look back.
const MOST: usize = 74_000;

/// Text without a URL. After so much of it, a scanner drops what it has read while it
/// reads the rest.
///
/// Every other length is one long line of quote marks.
pub fn filler(len: usize) -> Vec<u8> {
    let piece: &[u8] =
        if (len / 8).is_multiple_of(2) { b"> " } else { b"a line of prose, as there are many\n" };
    piece.iter().copied().cycle().take(len).collect()
}

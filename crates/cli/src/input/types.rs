//! File types, which are sets of globs for file names.

use std::io::{self, Write};

use ignore::Error;
use ignore::types::{Types, TypesBuilder};

/// The types and the globs of their names (case-insensitive).
///
/// In MH folders and news spools, the name of a file is a number. In a Maildir, the
/// flags of a message follow `:2,`.
const TYPES: &[(&str, &[&str])] = &[
    ("compressed", &["*.{gz,tgz,bz2,xz,zst,lz4,lzma,lz,Z}"]),
    ("eml", &["*.{eml,emlx}", "*.eml.{gz,bz2,xz,zst}"]),
    ("html", &["*.{htm,html,shtml,xhtml}", "*.{htm,html}.{gz,bz2,xz,zst}"]),
    ("json", &["*.{json,jsonl,ndjson}"]),
    ("mail", &["*.{eml,emlx,mail,mime,msg,oft,ost,pst}", "*:2,*", NUMBERS, "*.eml.{gz,bz2,xz,zst}"]),
    ("markdown", &["*.{md,markdown,mkd}"]),
    (
        "mbox",
        &[
            "*.{mbox,mboxrd,mbx,mmdf,babyl,rmail}",
            "{mbox,inbox,rmail}",
            "*.{mbox,mbx}.{gz,bz2,xz,zst,lz4,Z,zip}",
        ],
    ),
    ("news", &["*.{rnews,news,nws}", NUMBERS, "*.{rnews,news}.{gz,bz2,xz,zst,lz4,Z}"]),
    ("pdf", &["*.pdf"]),
    ("tar", &["*.{tar,tgz,tbz2,txz,tzst,taz}", "*.tar.{gz,bz2,xz,zst,lz4,lzma,lz,Z}"]),
    ("text", &["*.{txt,text,asc,md,rst,log}", "README*", "*.{txt,text,log}.{gz,bz2,xz,zst}"]),
    ("warc", &["*.{warc,arc,wet,wat}", "*.{warc,arc,wet,wat}.{gz,zst}"]),
    ("zip", &["*.zip"]),
];

/// Numbers of up to seven digits: MH folders and news spools.
const NUMBERS: &str = "{[0-9],[0-9][0-9],[0-9][0-9][0-9],[0-9][0-9][0-9][0-9],[0-9][0-9][0-9][0-9][0-9],\
    [0-9][0-9][0-9][0-9][0-9][0-9],[0-9][0-9][0-9][0-9][0-9][0-9][0-9]}";

/// [`NUMBERS`] as `--type-list` prints it.
const NUMBERS_SHOWN: &str = "[0-9] (up to seven of them)";

/// Returns the names of the types.
pub fn names() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|(name, _)| *name)
}

/// Returns a filter that selects and excludes files of these types; `None` if nothing is selected.
///
/// # Errors
///
/// Returns an error if a type is unknown.
pub fn select(wanted: &[String], unwanted: &[String], added: &[String]) -> Result<Option<Types>, String> {
    if added.is_empty() && wanted.is_empty() && unwanted.is_empty() {
        return Ok(None);
    }
    let mut types = TypesBuilder::new();
    for (name, globs) in TYPES {
        let mut globs = globs.iter();
        globs.try_for_each(|glob| types.add(name, &in_any_case(glob))).map_err(|error| error.to_string())?;
    }
    for definition in added {
        types
            .add_def(definition)
            .map_err(|_| format!("--type-add: expected TYPE:GLOB, found {definition:?}"))?;
    }
    for name in wanted {
        types.select(name);
    }
    for name in unwanted {
        types.negate(name);
    }
    types.build().map(Some).map_err(|error| match error {
        Error::UnrecognizedFileType(name) => {
            let option = if wanted.contains(&name) { "--type" } else { "--type-not" };
            let advice = match of_extension(&name) {
                Some(meant) => format!("did you mean {meant}?"),
                None => "--type-list lists the types".to_owned(),
            };
            format!("{option}: unknown type {name:?}; {advice}")
        }
        error => error.to_string(),
    })
}

/// The first type with a glob for names with this extension.
fn of_extension(extension: &str) -> Option<&'static str> {
    let ends = |glob: &str| {
        let ends = glob.strip_prefix("*.")?.strip_prefix('{')?.strip_suffix('}')?;
        ends.split(',').any(|end| end == extension).then_some(())
    };
    TYPES.iter().find(|(_, globs)| globs.iter().any(|glob| ends(glob).is_some())).map(|(name, _)| *name)
}

/// Prints each type on its own line.
pub fn print(out: &mut impl Write) -> io::Result<()> {
    for (name, globs) in TYPES {
        let shown: Vec<_> =
            globs.iter().map(|&glob| if glob == NUMBERS { NUMBERS_SHOWN } else { glob }).collect();
        writeln!(out, "{name}: {}", shown.join(" "))?;
    }
    Ok(())
}

/// Returns this glob for both letter cases, because many old archives contain names in upper case.
fn in_any_case(glob: &str) -> String {
    let both = |char: char| match char.is_ascii_alphabetic() {
        true => vec!['[', char.to_ascii_lowercase(), char.to_ascii_uppercase(), ']'],
        false => vec![char],
    };
    glob.chars().flat_map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(kind: &str, name: &str) -> bool {
        let types = select(&[kind.to_owned()], &[], &[]).unwrap().unwrap();
        types.matched(name, false).is_whitelist()
    }

    #[test]
    fn names_have_types() {
        assert!(is("mail", "a.eml") && is("mail", "1234567") && is("mail", "1.M2.host:2,RS"));
        assert!(!is("mail", "12345678") && !is("mail", "a1") && !is("mail", "eml"));
        assert!(is("mail", "1.partial.emlx") && is("mail", "a.MSG") && is("mail", "a.pst"));
        assert!(
            is("mbox", "comp.lang.c.MBOX.zip")
                && is("mbox", "mbox")
                && is("mbox", "RMAIL")
                && !is("mbox", "mbox2")
        );
        assert!(is("news", "comp.rnews.gz") && is("news", "42"));
        assert!(is("text", "README") && is("text", "OLD.TXT") && is("text", "1996-May.txt.gz"));
        assert!(is("html", "Index.HTM") && !is("html", "html"));
        assert!(is("tar", "a.tar") && is("tar", "A.TGZ") && is("tar", "a.tar.xz") && !is("tar", "tar"));
        assert!(is("zip", "a.zip") && is("compressed", "a.Z") && !is("compressed", "a.zip"));
    }

    /// A name for each glob of a type, with each of its alternatives.
    #[test]
    fn every_glob() {
        for (kind, names) in [
            ("compressed", "a.gz a.tgz a.bz2 a.xz a.zst a.lz4 a.lzma a.lz a.Z"),
            ("eml", "a.eml a.emlx a.eml.gz a.eml.bz2 a.eml.xz a.eml.zst"),
            ("html", "a.htm a.html a.shtml a.xhtml a.htm.gz a.htm.bz2 a.html.xz a.html.zst"),
            ("json", "a.json a.jsonl a.ndjson"),
            ("mail", "a.eml a.emlx a.mail a.mime a.msg a.oft a.ost a.pst a:2, a:2,RS"),
            ("mail", "a.eml.gz a.eml.bz2 a.eml.xz a.eml.zst 1 12 123 1234 12345 123456 1234567"),
            ("markdown", "a.md a.markdown a.mkd"),
            ("mbox", "a.mbox a.mboxrd a.mbx a.mmdf a.babyl a.rmail mbox inbox rmail"),
            ("mbox", "a.mbox.gz a.mbox.bz2 a.mbox.xz a.mbox.zst a.mbx.lz4 a.mbx.Z a.mbx.zip"),
            ("news", "a.rnews a.news a.nws 1 12 123 1234 12345 123456 1234567"),
            ("news", "a.rnews.gz a.rnews.bz2 a.rnews.xz a.news.zst a.news.lz4 a.news.Z"),
            ("pdf", "a.pdf"),
            ("tar", "a.tar a.tgz a.tbz2 a.txz a.tzst a.taz"),
            ("tar", "a.tar.gz a.tar.bz2 a.tar.xz a.tar.zst a.tar.lz4 a.tar.lzma a.tar.lz a.tar.Z"),
            ("text", "a.txt a.text a.asc a.md a.rst a.log README README.old"),
            ("text", "a.txt.gz a.txt.bz2 a.text.xz a.log.zst"),
            ("warc", "a.warc a.arc a.wet a.wat a.warc.gz a.arc.gz a.wet.gz a.wat.gz a.warc.zst a.arc.zst"),
            ("warc", "a.warc.wet.zst a.wat.zst"),
            ("zip", "a.zip"),
        ] {
            for name in names.split(' ') {
                assert!(is(kind, name) && is(kind, &name.to_uppercase()), "{kind}: {name}");
                assert!(
                    !is(kind, &format!("{name}~")) || name.contains(":2,") || name.contains("README"),
                    "{name}~"
                );
            }
        }
    }

    #[test]
    fn only_letters_have_a_case() {
        assert_eq!(in_any_case("*.{z,7}[0-9]"), "*.{[zZ],7}[0-9]");
    }
}

//! Types of files, told from their names.

use std::io::{self, Write};

use ignore::Error;
use ignore::types::{Types, TypesBuilder};

use crate::args::FileArgs;

/// The types, and the globs of the names that each goes by, in any letter case.
///
/// A file of mail often has no name but its number in a folder, and in a Maildir
/// its flags stand behind `:2,`.
const TYPES: &[(&str, &[&str])] = &[
    ("compressed", &["*.{gz,tgz,bz2,xz,zst,lz4,Z}"]),
    ("html", &["*.{htm,html,shtml,xhtml}", "*.{htm,html}.{gz,bz2,xz,zst}"]),
    ("json", &["*.{json,jsonl,ndjson}"]),
    ("mail", &["*.{eml,emlx,mail,mime}", "*:2,*", NUMBERS, "*.eml.{gz,bz2,xz,zst}"]),
    ("mbox", &["*.{mbox,mboxrd,mbx}", "{mbox,inbox}", "*.{mbox,mbx}.{gz,bz2,xz,zst,lz4,Z,zip}"]),
    ("news", &["*.{rnews,news,nws}", NUMBERS, "*.{rnews,news}.{gz,bz2,xz,zst,lz4,Z}"]),
    ("text", &["*.{txt,text,asc,md,rst,log}", "README*", "*.{txt,text,log}.{gz,bz2,xz,zst}"]),
    ("zip", &["*.zip"]),
];

/// Numbers of up to seven digits: MH folders and news spools.
const NUMBERS: &str = "{[0-9],[0-9][0-9],[0-9][0-9][0-9],[0-9][0-9][0-9][0-9],[0-9][0-9][0-9][0-9][0-9],\
    [0-9][0-9][0-9][0-9][0-9][0-9],[0-9][0-9][0-9][0-9][0-9][0-9][0-9]}";

/// How [`NUMBERS`] is shown.
const NUMBERS_SHOWN: &str = "[0-9] (up to seven of them)";

/// The types that are asked for, if any are.
///
/// # Errors
///
/// If there is no such type.
pub fn select(args: &FileArgs) -> Result<Option<Types>, String> {
    if args.kinds.is_empty() && args.kinds_not.is_empty() {
        return Ok(None);
    }
    let mut types = TypesBuilder::new();
    for (name, globs) in TYPES {
        let mut globs = globs.iter();
        globs.try_for_each(|glob| types.add(name, &in_any_case(glob))).map_err(explain)?;
    }
    for name in &args.kinds {
        types.select(name);
    }
    for name in &args.kinds_not {
        types.negate(name);
    }
    types.build().map(Some).map_err(explain)
}

fn explain(error: Error) -> String {
    match error {
        Error::UnrecognizedFileType(name) => format!("{name:?} is no type of files; --type-list prints them"),
        error => error.to_string(),
    }
}

/// Prints each type on a line of its own.
pub fn print(out: &mut impl Write) -> io::Result<()> {
    for (name, globs) in TYPES {
        let shown: Vec<_> =
            globs.iter().map(|&glob| if glob == NUMBERS { NUMBERS_SHOWN } else { glob }).collect();
        writeln!(out, "{name}: {}", shown.join(" "))?;
    }
    Ok(())
}

/// The same glob for letters of either case: old archives are full of `.TXT`.
fn in_any_case(glob: &str) -> String {
    let mut any = String::new();
    for char in glob.chars() {
        match char.is_ascii_alphabetic() {
            true => any.extend(['[', char.to_ascii_lowercase(), char.to_ascii_uppercase(), ']']),
            false => any.push(char),
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(kind: &str, name: &str) -> bool {
        let mut types = TypesBuilder::new();
        let (_, globs) = TYPES.iter().find(|(name, _)| *name == kind).unwrap();
        globs.iter().for_each(|glob| types.add(kind, &in_any_case(glob)).unwrap());
        types.select(kind).build().unwrap().matched(name, false).is_whitelist()
    }

    #[test]
    fn names_tell_types() {
        assert!(is("mail", "a.eml") && is("mail", "1234567") && is("mail", "1.M2.host:2,RS"));
        assert!(!is("mail", "12345678") && !is("mail", "a1") && !is("mail", "eml"));
        assert!(is("mbox", "comp.lang.c.MBOX.zip") && is("mbox", "mbox") && !is("mbox", "mbox2"));
        assert!(is("news", "comp.rnews.gz") && is("news", "42"));
        assert!(is("text", "README") && is("text", "OLD.TXT") && is("text", "1996-May.txt.gz"));
        assert!(is("html", "Index.HTM") && !is("html", "html"));
        assert!(is("zip", "a.zip") && is("compressed", "a.Z") && !is("compressed", "a.zip"));
    }

    #[test]
    fn only_letters_have_a_case() {
        assert_eq!(in_any_case("*.{z,7}[0-9]"), "*.{[zZ],7}[0-9]");
    }
}

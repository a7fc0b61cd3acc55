//! Inputs that once broke something, through the program.

use urlgrep::{Evidence, Hyphen, Iri, Join};

use super::{Ran, lines, run, urlgrep};
use crate::laws::input::{Input, Settings};
use crate::laws::told::Told;
use crate::laws::ways;

/// What the program prints, which is not an error, for this standard input.
fn printed(args: &[&str], more: &[String], text: &[u8]) -> String {
    let mut command = urlgrep(args);
    command.args(more);
    let Ran { status, stdout, stderr } = run(command, text);
    assert_eq!(stderr, "");
    assert!(matches!(status, Some(0 | 1)), "{status:?}");
    stdout
}

/// The program's arguments that say how to search.
fn args(settings: &Settings) -> Vec<String> {
    let hyphen = match settings.hyphen {
        Hyphen::Keep => "keep",
        Hyphen::Drop => "drop",
        Hyphen::Both => "both",
        other => panic!("{other:?}"),
    };
    let join = match settings.join {
        Join::None => "none",
        Join::Delimited => "delimited",
        Join::Likely => "likely",
        other => panic!("{other:?}"),
    };
    let mut args = vec![
        format!("--hyphen={hyphen}"),
        format!("--join={join}"),
        format!("--max-len={}", settings.max_len),
        format!("--grade={}", settings.grade),
    ];
    let iri = match settings.iri {
        Iri::Words => "words",
        Iri::All => "all",
        Iri::Ascii => "ascii",
        other => panic!("{other:?}"),
    };
    args.push(format!("--iri={iri}"));
    let flags = [
        (settings.hosts, "--schemeless=hosts"),
        (settings.addresses, "--schemeless=emails"),
        (settings.domains(), "--schemeless=domains"),
        (settings.nested, "--nested"),
    ];
    args.extend(flags.into_iter().filter(|(yes, _)| *yes).map(|(_, flag)| flag.to_owned()));
    args.extend(settings.schemes.iter().map(|scheme| format!("--scheme={scheme}")));
    args
}

/// The program finds what the library finds, prints it in clean lines, and checks
/// any line.
pub fn endures(input: &Input<'_>) {
    let args = args(&input.settings);
    let json = printed(&["--json"], &args, input.text);
    let urls: Vec<_> = json.split_inclusive('\n').map(|line| lines::object(line.as_bytes())).collect();
    // The input of the program is a pipe: only earlier URLs are evidence.
    let evidence = Evidence::new();
    let finder = input.settings.builder().evidence(evidence.clone()).build().unwrap();
    let whole = ways::slice(&finder, input.text, |m| {
        evidence.add(m);
        Told::of(m)
    });
    assert_eq!(urls.len(), whole.len());
    for (url, told) in urls.iter().zip(&whole) {
        assert_eq!((&url["start"], &url["end"]), (&told.span.start.into(), &told.span.end.into()));
    }
    for args in [&["--check"][..], &["--check", "--json"]] {
        let checked = printed(args, &[], input.text);
        checked.split_inclusive('\n').for_each(|line| lines::is_shown(line.as_bytes()));
    }
}

//! What the README shows is what happens.

const README: &str = include_str!("../../README.md");

/// The blocks of the README that are fenced as `kind`.
fn blocks(kind: &str) -> Vec<&'static str> {
    let fence = format!("```{kind}\n");
    README.split(&*fence).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_appendix_s_example() {
    let [example, output, ..] = blocks("text")[..] else { panic!("the README opens with an example") };
    let urls: String =
        urlgrep::find_iter(example).map(|found| format!("{}\n", found.as_str().unwrap())).collect();
    assert_eq!(urls, output);
}

#[cfg(feature = "cli")]
mod program {
    use std::process::Command;

    use super::blocks;

    fn urlgrep(args: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_urlgrep")).args(args).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn what_check_says() {
        let shown = blocks("text")[2];
        assert_eq!(urlgrep(&["--check", shown.lines().next().unwrap()]), shown);
    }

    #[test]
    fn every_option_that_is_shown_is_one() {
        let help = urlgrep(&["--help"]);
        let used = blocks("console").join(" ");
        let options: Vec<&str> = used
            .lines()
            .filter(|line| line.contains("urlgrep "))
            .flat_map(|line| line.split('#').next().unwrap().split_whitespace())
            .filter(|word| word.starts_with('-') && word.len() > 1)
            .collect();
        assert!(options.len() > 8);
        for option in options {
            assert!(
                help.contains(&format!("{option} "))
                    || help.contains(&format!("{option},"))
                    || help.contains(&format!("{option}\n")),
                "{option}"
            );
        }
    }
}

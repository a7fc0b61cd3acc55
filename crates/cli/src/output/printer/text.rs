//! `--format`: fields as text.
//!
//! The fields are the same as in the JSON objects, so that `--format`, `--csv` and `--json` agree.

use urlgrep::table::{Field, Head};
use urlgrep_print::columns;
use urlgrep_print::sheet::Sheet;
use urlgrep_print::values::write_text;

use super::super::View;
use super::super::style::OutputStyle;

/// A template of fields.
#[derive(Clone, Debug)]
pub struct Template(Vec<Token>);

#[derive(Clone, Debug)]
enum Token {
    Text(String),
    Field(&'static Field),
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// Returns an error if a field is unknown, or a brace is unmatched.
    pub fn parse(template: &str) -> Result<Template, String> {
        let mut tokens = Vec::new();
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, after) = rest.split_at(at);
            text.push_str(&unescaped(before));
            if after.starts_with("{{") || after.starts_with("}}") {
                text.push_str(&after[..1]);
                rest = &after[2..];
                continue;
            }
            let Some((name, after)) = after.strip_prefix('{').and_then(|rest| rest.split_once('}')) else {
                let brace = &after[..1];
                return Err(format!("unmatched {brace:?}; write {:?} to print a brace", brace.repeat(2)));
            };
            tokens.push(Token::Text(std::mem::take(&mut text)));
            let field = columns::field(name).map_err(|hint| {
                let is_name = !name.contains('|');
                let hint =
                    if is_name { hint } else { "braces enclose only a name, such as {url}".to_owned() };
                format!("unknown field {{{name}}}; {hint}")
            });
            tokens.push(Token::Field(field?));
            rest = after;
        }
        text.push_str(&unescaped(rest));
        tokens.push(Token::Text(text));
        Ok(Template(tokens))
    }

    /// Returns a template of these fields with NUL bytes between them.
    pub fn of(fields: &[&'static Field]) -> Template {
        let tokens = fields.iter().flat_map(|field| [Token::Text("\0".to_owned()), Token::Field(field)]);
        Template(tokens.skip(1).collect())
    }

    /// Returns the fields, in their order.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.0.iter().filter_map(|token| match token {
            Token::Text(_) => None,
            Token::Field(field) => Some(*field),
        })
    }

    /// Prints a match.
    pub fn print(&self, out: &mut Sheet, style: OutputStyle, view: &View<'_>, head: &mut Head) {
        head.read(view.matched);
        let row = view.row(head);
        for token in &self.0 {
            match token {
                Token::Text(text) => out.text.extend_from_slice(text.as_bytes()),
                Token::Field(field) => {
                    write_text(out, &field.value(&row), view.spelling, |out, text| style.print(out, text));
                }
            }
        }
        out.text.push(b'\n');
    }
}

/// A text in which a backslash and a letter are replaced by the character that they stand for. Other backslashes are
/// literal.
fn unescaped(text: &str) -> String {
    let escapes = [("\\", '\\'), ("t", '\t'), ("n", '\n'), ("0", '\0')];
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        unescaped.push_str(before);
        let escape = escapes.iter().find_map(|(name, char)| Some((char, after.strip_prefix(name)?)));
        let (&char, after) = escape.unwrap_or((&'\\', after));
        unescaped.push(char);
        rest = after;
    }
    unescaped + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        for (text, expected) in [
            ("ab", "ab"),
            ("a\\tb", "a\tb"),
            ("ab\\ncd\\0e", "ab\ncd\0e"),
            ("a\\\\tb", "a\\tb"),
            ("a\\xb", "a\\xb"),
            ("ab\\", "ab\\"),
            ("", ""),
        ] {
            assert_eq!(unescaped(text), expected, "{text:?}");
        }
    }

    #[test]
    fn templates() {
        // A field is shown as its name in angle brackets.
        let tokens = |template| {
            let tokens = Template::parse(template).unwrap().0.into_iter().map(|token| match token {
                Token::Text(text) => text,
                Token::Field(field) => format!("<{}>", field.name()),
            });
            tokens.collect::<Vec<_>>()
        };
        assert_eq!(tokens("{{a}} {url}b"), ["{a} ", "<url>", "b"]);
        assert_eq!(tokens(""), [""]);
        assert_eq!(tokens("{{{path}}}"), ["{", "<path>", "}"]);
        assert!(Template::parse("{message.id}").is_ok());
        for (template, word) in [
            ("{x}", "unknown field {x}; --help lists the fields (under --json and --columns)"),
            ("{from}", "unknown field {from}; did you mean message.from?"),
            ("{url|csv}", "braces enclose only a name"),
            ("{url", "\"{{\""),
            ("a}b", "\"}}\""),
        ] {
            let error = Template::parse(template).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }
}

//! Selects the fields of a match that are printed, and their order.

use strsim::osa_distance;
use urlgrep::table::Field;

/// The field with the value of `path`: an archive member is searched as a separate file,
/// `a.zip!/b.mbox`.
const IN_PATH: &str = "member";

/// Names in other programs, in options and in earlier versions, and the corresponding fields.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("domain", "registered_domain"),
    ("offset", "pieces, or start (the offset of the delimiter)"),
    ("byte_offset", "pieces, or start (the offset of the delimiter)"),
    ("segments", "pieces"),
    ("tld", "public_suffix"),
    ("sender", "message.from"),
    ("from", "message.from"),
    ("date", "message.date"),
];

/// Fields, in the order in which they are printed.
#[derive(Clone, Debug)]
pub struct Columns(Vec<&'static Field>);

impl Columns {
    /// Returns the fields that every match has, and the fields with these names, in the order of
    /// the table.
    pub fn usual(requested: &[&str]) -> Columns {
        Columns(fields().filter(|field| field.is_usual() || requested.contains(&field.name())).collect())
    }

    /// Returns the fields in a comma-separated list of names, in its order.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is unknown or a duplicate.
    pub fn parse(list: &str) -> Result<Columns, String> {
        let mut columns: Vec<&Field> = Vec::new();
        for name in list.split(',').map(str::trim_ascii) {
            let column = field(name).map_err(|hint| format!("unknown field {name:?}; {hint}"))?;
            if columns.iter().any(|other| other.name() == name) {
                return Err(format!("duplicate field {name:?}"));
            }
            columns.push(column);
        }
        Ok(Columns(columns))
    }

    /// Adds the fields of these record keys, if they are not present already.
    pub fn and_of_records(mut self, keys: &[String]) -> Columns {
        for field in keys.iter().map(|key| Field::of_record(key)) {
            if !self.0.iter().any(|other| other.name() == field.name()) {
                self.0.push(field);
            }
        }
        self
    }

    /// Returns the fields.
    pub fn fields(&self) -> &[&'static Field] {
        &self.0
    }
}

/// Returns all fields that can be printed.
pub fn fields() -> impl Iterator<Item = &'static Field> {
    urlgrep::table::fields().iter().filter(|field| field.name() != IN_PATH)
}

/// Returns the field of this name.
///
/// # Errors
///
/// Returns an error if the name is unknown: the names that may be meant, or the options whose help lists all names.
pub fn field(name: &str) -> Result<&'static Field, String> {
    if let Some(field) = fields().find(|field| field.name() == name) {
        return Ok(field);
    }
    if let Some(key) = name.strip_prefix("record.").filter(|key| !key.is_empty()) {
        return Ok(Field::of_record(key));
    }
    // A header field has a name of printable ASCII without the colon (RFC 5322, 3.6.8).
    let is_header = |name: &&str| name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b':');
    let header = name.strip_prefix("header.").filter(|name| !name.is_empty()).filter(is_header);
    if let Some(name) = header {
        return Ok(Field::of_header(name));
    }
    if let Some((_, meant)) = OTHER_NAMES.iter().find(|(other, _)| *other == name) {
        return Err(format!("did you mean {meant}?"));
    }
    let names = |wanted: &dyn Fn(&Field) -> bool| -> Vec<&str> {
        fields().filter(|field| wanted(field)).map(Field::name).collect()
    };
    if let Some(format) = name.strip_prefix("message.date:") {
        return Field::of_date(format)
            .ok_or_else(|| "a date has only the conversions %Y, %m, %d, %H and %M".to_owned());
    }
    if let Some(header) = name.strip_prefix("message.header.") {
        return Err(format!("did you mean header.{header}?"));
    }
    let of_object = names(&|field| field.object() == Some(name));
    // The name without its object, or the column name of the other packages.
    let alike = names(&|field| [field.key(), field.column()].contains(&name));
    if let Some(first) = of_object.first() {
        return Err(format!("use one of its keys, such as {first}"));
    }
    let meant = if alike.is_empty() { nearest(name) } else { alike };
    Err(match &meant[..] {
        [] => "--help lists the fields (under --json and --columns)".to_owned(),
        names => format!("did you mean {}?", names.join(" or ")),
    })
}

/// The names that differ least from `name`, with or without the object: by two letters at most, and by a third of them.
fn nearest(name: &str) -> Vec<&'static str> {
    let name = name.to_ascii_lowercase();
    let with_distance = |field: &'static Field| {
        let known = [field.name(), field.key()].map(|known| (osa_distance(&name, known), known.len()));
        let near = known.into_iter().filter(|&(distance, len)| distance <= 2 && 3 * distance <= len).min()?;
        Some((near.0, field.name()))
    };
    let near: Vec<_> = fields().filter_map(with_distance).collect();
    let least = near.iter().map(|&(distance, _)| distance).min();
    near.into_iter().filter(|&(distance, _)| Some(distance) == least).map(|(_, name)| name).take(3).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names() {
        let names = |list| {
            let columns = Columns::parse(list)?;
            Ok::<_, String>(columns.fields().iter().map(|field| field.name()).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(names("url").unwrap(), "url");
        assert_eq!(names("message.from, host,url").unwrap(), "message.from host url");
        assert_eq!(names("header.X-Mailer,record.a b").unwrap(), "header.X-Mailer record.a b");
        for (list, error) in [
            ("url,url", "duplicate field \"url\""),
            ("url,", "unknown field \"\"; --help lists the fields (under --json and --columns)"),
            ("", "unknown field \"\"; --help lists the fields (under --json and --columns)"),
            ("xyz", "unknown field \"xyz\"; --help lists the fields (under --json and --columns)"),
            ("URL", "unknown field \"URL\"; did you mean url?"),
            ("hosts", "unknown field \"hosts\"; did you mean host?"),
            ("foo", "unknown field \"foo\"; --help lists the fields (under --json and --columns)"),
            ("hots", "unknown field \"hots\"; did you mean host?"),
            ("message.form", "unknown field \"message.form\"; did you mean message.from?"),
            ("subjekt", "unknown field \"subjekt\"; did you mean message.subject?"),
            ("registred-domain", "unknown field \"registred-domain\"; did you mean registered_domain?"),
            ("from", "unknown field \"from\"; did you mean message.from?"),
            ("record_type", "unknown field \"record_type\"; did you mean message.type?"),
            ("message", "unknown field \"message\"; use one of its keys, such as message.index"),
            (
                "offset",
                "unknown field \"offset\"; did you mean pieces, or start (the offset of the delimiter)?",
            ),
            ("byte_offset", "unknown field \"byte_offset\"; did you mean pieces, "),
            ("date", "unknown field \"date\"; did you mean message.date?"),
            ("sender", "unknown field \"sender\"; did you mean message.from?"),
            ("domain", "unknown field \"domain\"; did you mean registered_domain?"),
            ("message.header.To", "unknown field \"message.header.To\"; did you mean header.To?"),
            ("header.a:b", "unknown field \"header.a:b\"; --help lists the fields"),
            (
                "message.date:%y",
                "unknown field \"message.date:%y\"; a date has only the conversions %Y, %m, %d, %H and %M",
            ),
            // The path has it.
            ("member", "unknown field \"member\"; --help lists the fields"),
        ] {
            let found = names(list).unwrap_err();
            assert!(found.starts_with(error), "{found}");
        }
    }
}

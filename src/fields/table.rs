//! The table of fields: a row for each, in the order in which they are printed.

#[cfg(feature = "archive")]
use std::borrow::Cow;

#[cfg(feature = "archive")]
use super::mail::{self, HeadField, Mail};
use super::row::Row;
use super::value::{Counted, Value};
use super::{Field, Kind, ReadValue, Scope};
#[cfg(feature = "archive")]
use crate::archive::Record;
use crate::grammar::{self, ParseError};
use crate::matches::Match;

/// Name and name as a column if that is another, and the feature that it needs; scope, type and
/// sentence; the value. Fields in brackets are printed only on request.
macro_rules! table {
    ($($name:literal $(as $column:literal)? $([$on_request:ident])? $(if $feature:literal)?
        : $scope:ident $kind:ident $doc:literal => $value:expr,)*) => {
        &[$(
            $(#[cfg(feature = $feature)])?
            Field {
                name: $name,
                column: table!(@or $($column)? $name),
                kind: Kind::$kind,
                scope: Scope::$scope,
                is_usual: table!(@usual $($on_request)?),
                doc: $doc,
                read: table!(@read $scope $value),
            }
        ),*]
    };
    (@read Head $value:expr) => {
        ReadValue::Head(|mail, _| {
            let value: for<'r> fn(&'r Mail<'_>) -> Value<'r> = $value;
            value(mail)
        })
    };
    (@read $scope:ident $value:expr) => {
        ReadValue::Row(|row, _| {
            let value: for<'r> fn(&'r Row<'_>) -> Value<'r> = $value;
            value(row)
        })
    };
    (@or $column:literal $name:literal) => { $column };
    (@or $name:literal) => { $name };
    (@usual) => { true };
    (@usual $on_request:ident) => { false };
}

pub(super) static TABLE: &[Field] = table! {
    "path": Match Text "The path of the file, such as `a.zip!/b.mbox` for a member of an archive; null if a string was searched."
        => |row| row.path.as_deref().map_or(Value::Null, |path| Value::Text(path.into())),
    "line": Match Number "The line on which the match starts, from 1; null unless lines are counted."
        => |row| row.position().map_or(Value::Null, |position| Value::Counted(Counted::Line, position.line)),
    "column": Match Number "The column at which the match starts, in bytes from 1; null unless lines are counted."
        => |row| Value::number(row.position().map(|position| position.column)),
    "start": Match Number "The byte offset at which the match starts, including its delimiters."
        => |row| Value::Counted(Counted::Offset, row.places().0.start),
    "end": Match Number "The byte offset at which the match ends (exclusive), including its delimiters."
        => |row| Value::Counted(Counted::Offset, row.places().0.end),
    "pieces": Match Ranges
        "The byte ranges that make up the URL, in order; in decoded mail, the ranges that encode it."
        => |row| Value::Ranges(row.places().1.as_slice().into()),
    "url": Url Text
        "The URL, including its fragment; if it was rejoined or a hyphen is in doubt, the likeliest reading."
        => |row| Value::Url(row.matched.as_bytes().into()),
    "scheme": Url Text "The scheme in lower case, without the colon; for a match without a scheme, the implied one."
        => |row| Value::text(Some(row.matched.scheme())),
    "host": Url Text "The host in lower case; null if the URL has no host."
        => |row| Value::text(row.matched.host()),
    "port": Url Port "The port in the URL, or the default port of the scheme; null if the scheme has no default."
        => |row| Value::number(row.matched.port()),
    "ascii" if "idna": Url Text "The URL in ASCII (IDNA and percent-encoding); null if the URL is already ASCII."
        => |row| row.matched.ascii().map_or(Value::Null, |url| Value::Url(url.into_bytes().into())),
    "form": Match Text
        "How the URL is written: wrapper, angle, quote, paren, prefixed, bare, attribute, defanged or nested."
        => |row| Value::Name(row.matched.form().as_str()),
    "text" if "archive": Page Text
        "The text of an HTML link, or the description of its image, at most 200 bytes; null for other matches."
        // Bytes that are not valid in the charset are not text.
        => |row| Value::text(row.context().and_then(|context| context.link_text()).map(lossy)),
    "role": Match Text "The role of the URL: text, link, image, tracker, form_action, resource or header."
        => |row| Value::Name(role(row.matched)),
    "element" if "archive": Page Text
        "The HTML or XML element and attribute that contain the URL, such as `a@href`; null for a URL in running text."
        => |row| Value::text(row.context().and_then(|context| context.element())),
    "grade": Url Text "How well formed the URL is: rfc1738, rfc3986 or lenient; in the dialect draft, draft1994 instead of rfc1738."
        => |row| Value::Name(row.assessment().grade().as_str()),
    "reason.production" as "reason_production": Url Text "The grammar production that rejects the URL."
        => |row| Value::text(row.reason().map(ParseError::production)),
    "reason.offset" as "reason_offset": Url Number "The byte offset in the URL at which the production fails."
        => |row| Value::number(row.reason().map(|reason| reason.offset() as u64)),
    "reason.message" as "reason_message": Url Text "The text that the grammar expected at this offset, and the text that it found."
        => |row| Value::text(row.reason().map(ToString::to_string)),
    "join": Match Text "How the lines of the URL were joined: delimited, flowed or guess; null if it is on one line."
        => |row| Value::name(row.matched.joined().map(|joined| joined.as_str())),
    "alternatives": Match Texts "The other readings of the URL, likeliest first."
        => |row| Value::Urls(row.matched.alternatives().into_iter().map(Into::into).collect()),
    "warnings": Match Texts
        "The warnings that apply: password, port, control, userinfo, mixed_script, ip, truncated, long_host, shortener, hosted, redirect; for a link whose text shows another host, also text_host."
        => |row| Value::Names(row.matched.warnings().into_iter().map(|warning| warning.as_str()).collect()),
    "message.index" as "message_index" if "archive": Message Number "The number of messages before this one in the file."
        => |row| {
            let index = row.message().map(|context| context.message_index());
            index.map_or(Value::Null, |index| Value::Counted(Counted::Message, index))
        },
    "message.id" as "message_id" if "archive": Head Text "The Message-ID without its brackets; for a web record, the record ID."
        => |mail| match mail.record {
            Some(record) => Value::text(record.id()),
            None => mail.field(HeadField::Id),
        },
    "message.from" as "from" if "archive": Head Text "The value of From, decoded."
        => |mail| mail.field(HeadField::From),
    "message.date" as "date" if "archive": Head Text "The date (RFC 3339); null without a valid date."
        => |mail| mail.date(),
    "message.subject" as "subject" if "archive": Head Text "The value of Subject, decoded."
        => |mail| mail.field(HeadField::Subject),
    "message.newsgroups" as "newsgroups" if "archive": Head Text "The value of Newsgroups."
        => |mail| mail.field(HeadField::Newsgroups),
    "message.to" as "to" if "archive": Head Text "The value of To, decoded."
        => |mail| mail.field(HeadField::To),
    "message.cc" as "cc" if "archive": Head Text "The value of Cc, decoded."
        => |mail| mail.field(HeadField::Cc),
    "message.list_id" as "list_id" if "archive": Head Text "The value of List-ID, decoded."
        => |mail| mail.field(HeadField::ListId),
    "message.in_reply_to" as "in_reply_to" if "archive": Head Text "The Message-ID in In-Reply-To, without its brackets."
        => |mail| mail.field(HeadField::InReplyTo),
    "message.part" as "part" if "archive": Message Text "The part number, as in IMAP: 1.2 is the second part of the first part."
        => |row| Value::text(row.message().and_then(|context| context.part())),
    "message.content_type" as "content_type" if "archive": Message Text "The media type of the part; null in a header field."
        => |row| Value::text(row.message().and_then(|context| context.content_type())),
    "message.header" as "header" if "archive": Message Text "The name of the header field; null in a body."
        => |row| Value::text(row.message().and_then(|context| context.header())),
    "message.quote_depth" as "quote_depth" if "archive": Message Number
        "The number of > at the start of the line, plus one inside a <blockquote>."
        => |row| Value::number(row.message().map(|context| context.quote_depth() as u64)),
    "message.filename" as "filename" if "archive": Message Text "The file name of the part."
        => |row| Value::text(row.message().and_then(|context| context.filename())),
    "message.uri" as "uri" if "archive": Record Text "The URL of the web archive's record."
        => |row| Value::text(row.record().and_then(Record::uri)),
    "message.type" as "record_type" if "archive": Record Text "The type of the record, such as response."
        => |row| Value::text(row.record().and_then(Record::kind)),
    "message.offset" as "record_offset" if "archive": Record Number "The byte offset at which the record starts in the file."
        => |row| {
            let offset = row.record().map(|record| row.offset + record.offset());
            offset.map_or(Value::Null, |offset| Value::Counted(Counted::Offset, offset))
        },
    "key" [on_request] if "archive": Match Text "The path of the JSON string that contains the URL, as in jq: `.messages[3].text`, or the name of the CSV column; null for others."
        => |row| Value::text(row.context().and_then(|context| context.key())),
    "hyphen" [on_request]: Match Text
        "How a hyphen before a line break was read, with hyphen=evidence: rule or evidence; null if no hyphen was in doubt."
        => |row| Value::name(row.hyphen),
    "unwrapped" [on_request] if "unwrap": Match Texts
        "The services whose links contained the URL, outermost first; empty if the URL was in no such link, or without the option unwrap."
        => |row| Value::Names(row.matched.unwrapped_from().to_vec()),
    "ending.stop" as "stop" [on_request]: Match Text
        "The reason why the URL ends, with the option explain; null between delimiters."
        => |row| Value::text(row.matched.ending().map(|ending| ending.stop().to_string())),
    "ending.trimmed" as "trimmed" [on_request]: Match Number
        "The number of trimmed bytes at the end of the URL, such as the punctuation of a sentence."
        => |row| Value::number(row.matched.ending().map(|ending| ending.trimmed() as u64)),
    "invalid.kind" as "invalid_kind" [on_request] if "domains": Match Text
        "The kind of the part that is not valid: scheme, separator, host, label, punycode, port, escape, space or bracket."
        => |row| Value::name(row.matched.invalid().map(|invalid| invalid.kind().as_str())),
    "invalid.part" as "invalid_part" [on_request] if "domains": Match Text
        "The part of the URL that is not valid; empty where something is missing."
        => |row| Value::bytes(row.matched.invalid().map(|invalid| &row.matched.as_bytes()[invalid.part()])),
    "invalid.expected" as "invalid_expected" [on_request] if "domains": Match Text
        "What was expected instead of this part."
        => |row| Value::text(row.matched.invalid().map(|invalid| invalid.expected())),
    "href" [on_request]: Url Text "The URL including an implied scheme: http://www.h.org/ for www.h.org/."
        => |row| Value::Url(row.matched.href()),
    "defanged" [on_request]: Url Text "The defanged URL, as --defang prints it: hxxp://h[.]org/."
        => |row| Value::Text(grammar::defang(row.url()).into()),
    "clean" [on_request]: Url Text "The URL without tracking parameters such as utm_source, as --clean prints it."
        => |row| Value::Url(grammar::clean(row.url())),
    // `path` is the path of the file.
    "url_path" [on_request]: Url Text "The path of the URL as written, including its slash; null if it is empty."
        => |row| Value::bytes(row.matched.path_in(row.url())),
    "query" [on_request]: Url Text "The query of the URL as written, without the ?; null if the URL has no query."
        => |row| Value::bytes(row.matched.query_in(row.url())),
    "registered_domain" [on_request] if "domains": Url Text
        "The public suffix of the host plus one label; null if the host is an IP address or has no public suffix."
        => |row| Value::text(row.matched.registered_domain()),
    "public_suffix" [on_request] if "domains": Url Text
        "The public suffix of the host, such as co.uk; null if the host is an IP address or has no public suffix."
        => |row| Value::text(row.matched.public_suffix()),
    "rel" [on_request] if "archive": Page Text "The rel attribute of the link, such as nofollow."
        => |row| Value::text(row.context().and_then(|context| context.rel()).map(String::from_utf8_lossy)),
    "member" [on_request] if "archive": Page Text "The name of the zip or tar member."
        => |row| Value::text(row.context().and_then(|context| context.member()).map(String::from_utf8_lossy)),
};

/// A field of a data record, with the prefix of its name.
#[cfg(feature = "archive")]
pub(super) const OF_RECORD: Field = Field {
    name: super::RECORD,
    column: "",
    kind: Kind::Text,
    scope: Scope::Match,
    is_usual: false,
    doc: "The value of this key of the JSON, CSV or LDIF record.",
    read: ReadValue::Row(|row, name| {
        let key = name.strip_prefix(super::RECORD).unwrap_or_default();
        Value::text(row.context().and_then(|context| context.record_value(key)))
    }),
};

/// A field of the header, with the prefix of its name.
#[cfg(feature = "archive")]
pub(super) const OF_HEADER: Field = Field {
    name: super::HEADER,
    kind: Kind::Texts,
    scope: Scope::Head,
    doc: "The values of all header fields of this name, decoded.",
    read: ReadValue::Head(|mail, name| mail.fields(name.strip_prefix(super::HEADER).unwrap_or_default())),
    ..OF_RECORD
};

/// A date in a format, with the prefix of its name.
#[cfg(feature = "archive")]
pub(super) const OF_DATE: Field = Field {
    name: super::DATE,
    kind: Kind::Text,
    doc: "The date in this format.",
    read: ReadValue::Head(|mail, name| {
        let format = name.strip_prefix(super::DATE).unwrap_or_default();
        Value::text(mail::formatted(&mail.date().to_text(), format))
    }),
    ..OF_HEADER
};

#[cfg(feature = "archive")]
fn lossy(text: Cow<'_, [u8]>) -> String {
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(feature = "archive")]
fn role(matched: &Match<'_>) -> &'static str {
    matched.role().as_str()
}

/// A text is all text.
#[cfg(not(feature = "archive"))]
fn role(_matched: &Match<'_>) -> &'static str {
    "text"
}

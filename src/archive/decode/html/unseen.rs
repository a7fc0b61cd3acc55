//! The parts of a page that a reader does not see: comments, declarations, scripts, style sheets,
//! and the content of frames.
//!
//! Only the HTML standard defines where each part ends. A sender may write a false end tag
//! (`<noframes><style></noframes>`), which a browser ignores. An
//! unclosed part continues to the end of the source. Nothing of it is lost: its bytes are searched
//! as a text of their own, whose role is [`Role::Resource`]. In a style sheet `url(…)` and
//! `@import` are read as such.
//!
//! In XML no element is raw text, so that `<style>` is an element like any other.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memchr2_iter, memmem};

use super::links::{LinkKind, LinkSource};
use super::tag::{Break, is_space};
use super::{HtmlReader, attribute};
use crate::archive::header::begins_with;
use crate::archive::role::Role;

impl HtmlReader<'_> {
    /// Adds bytes that are searched, and are not part of the text of the page. `element` is the
    /// element that contains them.
    pub(super) fn unseen(&mut self, range: Range<usize>, element: &[u8]) {
        if self.reading.wanted.resources && !range.is_empty() {
            self.links.begin(self.text.bytes.len());
            let place = LinkSource::of(element, Role::Resource, LinkKind::Text);
            self.links.push_verbatim(self.source, range, place);
        }
    }

    /// A comment ends at `-->`, in `<!-->` too, or at `--!>`.
    pub(super) fn comment(&mut self, at: usize) -> usize {
        let text = &self.source[at + 2..];
        let ends = |&at: &usize| text[..at].ends_with(b"--") || at >= 5 && text[..at].ends_with(b"--!");
        let (text, end) = match memchr_iter(b'>', text).find(ends) {
            Some(end) => (at + 4..(at + end).max(at + 4), at + 3 + end),
            None => (at + 4..self.source.len(), self.source.len()),
        };
        self.unseen(text, b"comment");
        end
    }

    /// A document type, a processing instruction, or an end tag without name. To a browser it is a comment, up to the
    /// first `>`. In XML it is an [aside](HtmlReader::aside), and text if it has another `<`.
    pub(super) fn declaration(&mut self, at: usize) -> usize {
        let (from, rest) = (at + 2, &self.source[at + 2..]);
        let is_xml = self.reading.is_xml();
        // If one `?>` is missing, so are all later ones: without this, each instruction reads the rest of the source.
        let has_own_end =
            self.source[at + 1] == b'?' && !self.has_open_instruction && (is_xml || is_program(rest));
        let close = if has_own_end { memmem::find(rest, b"?>").map(|n| n + 1) } else { None };
        self.has_open_instruction |= has_own_end && close.is_none();
        let mark = || if is_xml { memchr2(b'<', b'>', rest) } else { memchr(b'>', rest) };
        let end = close.or_else(mark).map_or(self.source.len(), |n| from + n);
        if !is_xml {
            self.unseen(from..end, b"comment");
        } else if close.is_none() && self.source.get(end) == Some(&b'<') {
            self.text(at..end);
            return end;
        } else {
            self.aside(from..end, Role::Resource);
        }
        self.source.len().min(end + 1)
    }

    /// Verbatim text up to `]]>`, or to the end.
    pub(super) fn character_data(&mut self, at: usize) -> usize {
        let from = at + b"<![CDATA[".len();
        let len = memmem::find(&self.source[from..], b"]]>");
        self.literal(from..len.map_or(self.source.len(), |len| from + len));
        len.map_or(self.source.len(), |len| from + len + b"]]>".len())
    }

    /// Reads raw text from `from` on, with a break before and after it, as `read` does; returns where its end tag
    /// begins.
    pub(super) fn separate(
        &mut self,
        from: usize,
        name: &[u8],
        kind: Break,
        read: fn(&mut Self, Range<usize>),
    ) -> usize {
        self.break_before(kind);
        let end = self.raw_end(from, name);
        read(self, from..end);
        self.break_before(kind);
        end
    }

    /// Adds the raw text of an element that is not shown; returns the offset of its end tag. `media` is the `media`
    /// attribute of a style sheet.
    pub(super) fn raw(&mut self, from: usize, name: &[u8], media: &[u8]) -> usize {
        let end = self.raw_end(from, name);
        match name.eq_ignore_ascii_case(b"style") {
            true => self.style(from..end, media),
            false => self.unseen(from..end, name),
        }
        end
    }

    fn raw_end(&self, from: usize, name: &[u8]) -> usize {
        let rest = &self.source[from..];
        let is_script = name.eq_ignore_ascii_case(b"script");
        let len = if is_script { script_end(rest) } else { end_tag_of(name, rest) };
        len.map_or(self.source.len(), |len| from + len)
    }

    /// Adds the URLs of a style sheet, which is at `range`, and the text between them, and notes
    /// the elements that it hides.
    fn style(&mut self, range: Range<usize>, media: &[u8]) {
        if !self.knows_sheets && !self.is_in_template() {
            let before = self.sheets.count;
            self.sheets.add(&self.source[range.clone()], media);
            self.has_late_sheet |= self.in_body && self.sheets.count > before;
        }
        let mut seen = range.start;
        let (relative, source) = (self.reading.wanted.relative, self.source);
        self.links.begin(self.text.bytes.len());
        attribute::css_urls(&source[range.clone()], &mut |url, role| {
            let url = range.start + url.start..range.start + url.end;
            let role = role.unwrap_or_default();
            if self.reading.wants(role) && (relative || source[url.clone()].contains(&b':')) {
                self.unseen(seen..url.start, b"style");
                seen = url.end;
                let place = LinkSource::of(b"style", role, LinkKind::Reference);
                self.links.push_verbatim(source, url, place);
            }
        });
        self.unseen(seen..range.end, b"style");
    }
}

/// Returns true if it is the rest of an instruction of PHP, which may have a `>` before its end.
fn is_program(rest: &[u8]) -> bool {
    rest.starts_with(b"=") || begins_with(rest, b"php")
}

/// Returns the offset at which the end tag of the element `name` begins.
pub(super) fn end_tag_of(name: &[u8], text: &[u8]) -> Option<usize> {
    memchr_iter(b'<', text).find(|&at| text[at + 1..].starts_with(b"/") && is_tag(&text[at + 2..], name))
}

/// Returns true if a tag of this name, without the bytes before the name, is at the beginning of
/// `text`.
fn is_tag(text: &[u8], name: &[u8]) -> bool {
    let ends = |&b: &u8| is_space(b) || matches!(b, b'/' | b'>');
    begins_with(text, name) && text.get(name.len()).is_some_and(ends)
}

/// The context of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScriptData {
    Plain,
    /// A comment.
    Escaped,
    /// A script within a comment, where an end tag does not end the script.
    DoubleEscaped,
}

/// Returns the offset at which the end tag of a script begins: the states "script data", "script data escaped"
/// and "script data double escaped" of the HTML standard.
fn script_end(text: &[u8]) -> Option<usize> {
    let mut state = ScriptData::Plain;
    // The beginning of the comment, which includes two hyphens.
    let mut comment = 0;
    for at in memchr2_iter(b'<', b'>', text) {
        let rest = &text[at + 1..];
        if text[at] == b'>' {
            if text[..at].ends_with(b"--") && at - 2 >= comment {
                state = ScriptData::Plain;
            }
        } else if rest.starts_with(b"!--") && state == ScriptData::Plain {
            (state, comment) = (ScriptData::Escaped, at + 2);
        } else if rest.starts_with(b"/") && is_tag(&rest[1..], b"script") {
            match state {
                ScriptData::Plain | ScriptData::Escaped => return Some(at),
                ScriptData::DoubleEscaped => state = ScriptData::Escaped,
            }
        } else if state == ScriptData::Escaped && is_tag(rest, b"script") {
            state = ScriptData::DoubleEscaped;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_script_ends() {
        for (text, rest) in [
            ("a</script>b", "</script>b"),
            ("a</SCRIPT\n>b", "</SCRIPT\n>b"),
            ("a</scripts></script >", "</script >"),
            ("<!--a</script>b", "</script>b"),
            ("<!--<script>a</script>b--></script>c", "</script>c"),
            ("<!--<script>a</script>b</script>c", "</script>c"),
            ("<!--<script >--></script>c", "</script>c"),
            ("<!--><script></script>c", "</script>c"),
            ("<!---><script></script>c", "</script>c"),
            ("<script></script>c", "</script>c"),
            ("<!--<script/></script></script>c", "</script>c"),
        ] {
            assert_eq!(script_end(text.as_bytes()).map(|at| &text[at..]), Some(rest), "{text}");
        }
        for text in ["", "a", "</script", "<!--<script></script>", "<!-- <script> -- > </script>"] {
            assert_eq!(script_end(text.as_bytes()), None, "{text}");
        }
    }
}

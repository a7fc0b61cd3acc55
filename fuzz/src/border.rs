//! The library as C calls it: any options, any pointers and lengths that the header allows, and what comes back.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use super::capi::*;

/// What a match says of itself: its URL, its span, and its pieces.
type Seen = (Vec<u8>, (u64, u64), Vec<(u64, u64)>);

/// The matches so far, and how many are wanted.
struct Wanted {
    seen: Vec<Seen>,
    most: usize,
}

/// The flag of the maximum length.
const MAX_LEN: u8 = 32;

const FORMS: [&[u8]; 8] =
    [b"wrapper", b"angle", b"quote", b"paren", b"prefixed", b"bare", b"attribute", b"defanged"];
const GRADES: [&[u8]; 3] = [b"lenient", b"rfc3986", b"rfc1738"];

/// Reads decisions from the bytes of an input; zeros when they are used up.
struct Dice<'d>(&'d [u8]);

impl Dice<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    /// A number: small, or one at a limit.
    fn number(&mut self) -> usize {
        let byte = self.byte();
        match byte {
            0..=0xBF => usize::from(byte),
            0xC0..=0xCF => usize::MAX - usize::from(byte & 15),
            0xD0..=0xDF => isize::MAX as usize + usize::from(byte & 15) - 8,
            0xE0..=0xEF => u32::MAX as usize - usize::from(byte & 15),
            _ => 65_536 >> (byte & 15),
        }
    }
}

/// Checks the library over its border: the text of an input, by options that its first bytes choose.
pub fn holds(data: &[u8]) {
    let Some((head, text)) = data.split_at_checked(24) else { return };
    let mut dice = Dice(head);
    // A place is found as by the search if no paragraph is longer than a URL may be.
    let is_short = head[0] & MAX_LEN == 0 && text.len() < 4096;
    // SAFETY: as each function asks: what is passed on was made by the library, or is null; bytes are as many as
    // their length says, unless the length is refused; nothing is used after it is freed.
    unsafe {
        let options = options(&mut dice, text);
        let finder = finder(options, dice.number());
        urlgrep_options_free(options);
        refuses(finder, text);
        if !finder.is_null() {
            agree(finder, text, is_short, &mut dice);
        }
        urlgrep_finder_free(finder);
        graded(text);
    }
}

/// Options as the dice say.
unsafe fn options(dice: &mut Dice<'_>, text: &[u8]) -> *mut urlgrep_options {
    let options = urlgrep_options_new();
    let flags = dice.byte();
    let set = |name: &str, value: &[u8]| unsafe { set(options, name, value.as_ptr(), value.len()) };
    for (name, values) in [
        ("join", ["none", "delimited", "likely"]),
        ("hyphen", ["keep", "drop", "both"]),
        ("iri", ["words", "all", "ascii"]),
        ("grade", ["lenient", "rfc3986", "rfc1738"]),
    ] {
        let value = values.get(usize::from(dice.byte() & 7));
        assert_eq!(set(name, value.unwrap_or(&"other").as_bytes()), value.is_some());
    }
    for (flag, name) in [(1, "hosts"), (2, "addresses"), (4, "refang"), (8, "line_numbers")] {
        assert!(set(name, if flags & flag > 0 { b"true" } else { b"false" }));
    }
    for (flag, name, least) in [(16, "width", 1), (MAX_LEN, "max_len", 16)] {
        if flags & flag > 0 {
            let number = dice.number();
            assert_eq!(set(name, number.to_string().as_bytes()), number >= least);
        }
    }
    // A name of the text, which may be no text, or a name whose length cannot be.
    if flags & 64 > 0 {
        let name = &text[..text.len().min(usize::from(dice.byte() & 15))];
        assert_eq!(set("known", name), std::str::from_utf8(name).is_ok());
        assert!(!unsafe { self::set(options, "known", text.as_ptr(), usize::MAX) });
    }
    if flags & 128 > 0 {
        assert!(set("scheme", b"http"));
        assert!(!unsafe { self::set(options, "scheme", ptr::null(), 4) });
    }
    options
}

unsafe fn set(options: *mut urlgrep_options, name: &str, value: *const u8, len: usize) -> bool {
    unsafe { urlgrep_options_set(options, name.as_ptr(), name.len(), value, len, ptr::null_mut(), 0) }
}

/// A finder with these options, or null after a sentence that ends where its room does.
unsafe fn finder(options: *const urlgrep_options, room: usize) -> *mut urlgrep_finder {
    let mut message = [b'#'; 200];
    let room = room.min(message.len());
    let finder = unsafe { urlgrep_finder_new(options, message.as_mut_ptr().cast::<c_char>(), room) };
    let end = message.iter().position(|byte| *byte == 0);
    if finder.is_null() && room > 0 {
        assert!(end.is_some_and(|end| end < room), "{message:?}");
    }
    assert!(message[room..].iter().all(|byte| *byte == b'#'), "{message:?}");
    finder
}

/// Null pointers and lengths that cannot be are errors, with and without a finder.
unsafe fn refuses(finder: *const urlgrep_finder, text: &[u8]) {
    let (bytes, data) = (text.as_ptr(), ptr::null_mut());
    unsafe {
        for (bytes, len) in [(ptr::null(), 1), (bytes, usize::MAX), (bytes, isize::MAX as usize + 1)] {
            assert!(!urlgrep_find_all(finder, bytes, len, Some(never), data));
            assert!(!urlgrep_find_covering(finder, bytes, len, 0, Some(never), data));
            assert!(urlgrep_iter_new(finder, bytes, len).is_null());
            assert!(!urlgrep_find_in_mail(finder, bytes, len, Some(never), data));
        }
        assert!(!urlgrep_find_all(ptr::null(), bytes, text.len(), Some(never), data));
        assert!(!urlgrep_find_covering(ptr::null(), bytes, text.len(), 0, Some(never), data));
        assert!(!urlgrep_find_all(finder, bytes, text.len(), None, data));
        assert!(!urlgrep_find_in_mail(finder, bytes, text.len(), None, data));
        assert!(urlgrep_scanner_new(ptr::null()).is_null());
    }
}

unsafe extern "C" fn never(_: *const urlgrep_match<'_>, _: *mut c_void) -> bool {
    panic!("a match of what is no text")
}

/// All ways to the matches of a text yield the same: by callback, one after the other, in chunks, and at a place.
unsafe fn agree(finder: *const urlgrep_finder, text: &[u8], is_short: bool, dice: &mut Dice<'_>) {
    let (bytes, len) = (text.as_ptr(), text.len());
    let whole = unsafe { called(usize::MAX, |data| urlgrep_find_all(finder, bytes, len, Some(see), data)) };
    let most = usize::from(dice.byte() & 3) + 1;
    let some = unsafe { called(most, |data| urlgrep_find_all(finder, bytes, len, Some(see), data)) };
    assert_eq!(some, whole[..most.min(whole.len())], "the first {most}");
    unsafe {
        assert_eq!(iterated(finder, text), whole, "the iterator");
        assert_eq!(in_chunks(finder, text, dice), whole, "the scanner");
        for _ in 0..4 {
            let found = at(finder, text, dice.number());
            let covers = |seen: &&Seen| (seen.1.0..seen.1.1).contains(&found.0);
            assert!(found.1.iter().all(|seen| covers(&seen)), "at {}", found.0);
            assert!(!is_short || found.1.as_ref() == whole.iter().find(covers), "at {}", found.0);
        }
        let mut count = 0_usize;
        assert!(urlgrep_find_in_mail(finder, bytes, len, Some(see_mail), (&raw mut count).cast()));
    }
}

/// What a function shows a callback that wants so many matches.
unsafe fn called(most: usize, call: impl FnOnce(*mut c_void) -> bool) -> Vec<Seen> {
    let mut wanted = Wanted { seen: Vec::new(), most };
    assert!(call((&raw mut wanted).cast()), "an error for a text");
    wanted.seen
}

unsafe extern "C" fn see(matched: *const urlgrep_match<'_>, data: *mut c_void) -> bool {
    // SAFETY: `called` passes the pointer on.
    let wanted = unsafe { &mut *data.cast::<Wanted>() };
    assert!(wanted.seen.len() < wanted.most, "a match that nobody wants");
    // SAFETY: the match is valid until this function returns.
    wanted.seen.push(unsafe { told(matched) });
    wanted.seen.len() < wanted.most
}

unsafe extern "C" fn see_mail(matched: *const urlgrep_match<'_>, data: *mut c_void) -> bool {
    const ROLES: [&[u8]; 6] = [b"text", b"link", b"image", b"form_action", b"resource", b"header"];
    // SAFETY: the caller's pointer to a count, and a match that is valid until this function returns.
    unsafe {
        *data.cast::<usize>() += 1;
        let (_, (start, end), _) = told(matched);
        assert!(start <= end);
        let names = (0..).map(|number| urlgrep_field_name(number)).take_while(|name| !name.is_null());
        for name in names {
            field(matched, CStr::from_ptr(name).to_bytes());
        }
        assert!(ROLES.contains(&field(matched, b"role").as_slice()));
        *data.cast::<usize>() < 100
    }
}

/// What a match says, after all of it was asked for.
unsafe fn told(matched: *const urlgrep_match<'_>) -> Seen {
    let mut len = usize::MAX;
    // SAFETY: the match is valid, and its URL as long as that.
    unsafe {
        let url = urlgrep_match_url(matched, &mut len);
        let url = std::slice::from_raw_parts(url, len).to_vec();
        let span = urlgrep_match_span(matched);
        let mut ranges = [urlgrep_range { start: 0, end: 0 }; 64];
        let count = urlgrep_match_pieces(matched, ranges.as_mut_ptr(), ranges.len());
        assert_eq!(urlgrep_match_pieces(matched, ptr::null_mut(), 9), count);
        let pieces = ranges[..count.min(64)].iter().map(|range| (range.start, range.end)).collect();
        field(matched, b"href");
        field(matched, b"scheme");
        field(matched, b"host");
        written(|buffer, room| urlgrep_match_alternative(matched, 0, buffer, room));
        assert!(FORMS.contains(&field(matched, b"form").as_slice()));
        assert!(GRADES.contains(&field(matched, b"grade").as_slice()));
        let (mut line, mut column) = (0, 0);
        if urlgrep_match_position(matched, &mut line, &mut column) {
            assert!(
                line > 0 && column > 0 && urlgrep_match_position(matched, ptr::null_mut(), ptr::null_mut())
            );
        }
        (url, (span.start, span.end), pieces)
    }
}

/// The value of a field.
unsafe fn field(matched: *const urlgrep_match<'_>, name: &[u8]) -> Vec<u8> {
    // SAFETY: the match is valid, and `written` passes a buffer with that much room.
    written(|buffer, room| unsafe { urlgrep_match_field(matched, name.as_ptr(), name.len(), buffer, room) })
}

/// A value, which is as long as without a buffer; nothing is written after the end of one that is too small.
fn written(write: impl Fn(*mut u8, usize) -> usize) -> Vec<u8> {
    let len = write(ptr::null_mut(), 9);
    let mut buffer = vec![b'#'; len + 1];
    for room in [0, len / 2, len] {
        buffer.fill(b'#');
        assert_eq!(write(buffer.as_mut_ptr(), room), len);
        assert!(buffer[room..].iter().all(|byte| *byte == b'#'));
    }
    buffer.truncate(len);
    buffer
}

/// The matches by the iterator, which stays at its end.
unsafe fn iterated(finder: *const urlgrep_finder, text: &[u8]) -> Vec<Seen> {
    let mut seen = Vec::new();
    unsafe {
        let iter = urlgrep_iter_new(finder, text.as_ptr(), text.len());
        loop {
            let matched = urlgrep_iter_next(iter);
            if matched.is_null() {
                break;
            }
            seen.push(told(matched));
        }
        assert!(urlgrep_iter_next(iter).is_null());
        urlgrep_iter_free(iter);
    }
    seen
}

/// The matches by a scanner that outlives its finder's pointer, and that has read another text before.
unsafe fn in_chunks(finder: *const urlgrep_finder, text: &[u8], dice: &mut Dice<'_>) -> Vec<Seen> {
    let size = dice.number().clamp(1, 1 << 16);
    unsafe {
        let scanner = urlgrep_scanner_new(finder);
        let mut first = Wanted { seen: Vec::new(), most: 1 };
        let data = (&raw mut first).cast();
        // What is left out of one call comes in none after it, so the second is not made.
        assert!(urlgrep_scanner_push(scanner, b"<http://h.org/a".as_ptr(), 15, Some(see), data));
        assert!(urlgrep_scanner_finish(scanner, Some(see), data));
        let seen = called(usize::MAX, |data| {
            let pushed =
                |chunk: &[u8]| urlgrep_scanner_push(scanner, chunk.as_ptr(), chunk.len(), Some(see), data);
            assert!(urlgrep_scanner_push(scanner, ptr::null(), 0, Some(see), data));
            assert!(!urlgrep_scanner_push(scanner, ptr::null(), 1, Some(see), data));
            assert!(!urlgrep_scanner_push(scanner, text.as_ptr(), usize::MAX, Some(see), data));
            text.chunks(size).all(pushed) && urlgrep_scanner_finish(scanner, Some(see), data)
        });
        urlgrep_scanner_free(scanner);
        seen
    }
}

/// An offset, in the text or not, and the match there.
unsafe fn at(finder: *const urlgrep_finder, text: &[u8], number: usize) -> (u64, Option<Seen>) {
    let offset = if number < 1 << 16 { number * text.len() / 0xC0 } else { number };
    let mut wanted = Wanted { seen: Vec::new(), most: 1 };
    let data = (&raw mut wanted).cast();
    let is_one = unsafe { urlgrep_find_covering(finder, text.as_ptr(), text.len(), offset, Some(see), data) };
    assert_eq!(is_one, !wanted.seen.is_empty());
    (offset as u64, wanted.seen.pop())
}

/// Any text has a grade, and the offset is in it.
unsafe fn graded(text: &[u8]) {
    let mut offset = usize::MAX;
    let grade = unsafe { urlgrep_check(text.as_ptr(), text.len(), &mut offset) };
    assert!(grade <= URLGREP_GRADE_RFC1738);
    assert_eq!(grade == URLGREP_GRADE_RFC1738, offset == usize::MAX);
    assert!(offset == usize::MAX || offset <= text.len());
    // SAFETY: as above; the offset is not wanted.
    assert_eq!(unsafe { urlgrep_check(text.as_ptr(), text.len(), ptr::null_mut()) }, grade);
}

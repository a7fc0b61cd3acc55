/*
 * urlgrep.h: the URLs in a text, and the URL at a place of it.
 *
 * Made by cbindgen from bindings/c/src and bindings/c/cbindgen.toml; do not edit.
 *
 * Which function for which task:
 *
 *   which URLs to find        urlgrep_options_new, urlgrep_options_set, urlgrep_options_free
 *   what finds them           urlgrep_finder_new, urlgrep_finder_free
 *   the URLs of a text        urlgrep_find_all: each is passed to a callback
 *                             urlgrep_iter_new, urlgrep_iter_next, urlgrep_iter_free: the caller asks for the next
 *   of a text in chunks       urlgrep_scanner_new, urlgrep_scanner_push, urlgrep_scanner_finish, urlgrep_scanner_free
 *   of a message              urlgrep_find_in_mail, if the library has it: then URLGREP_ARCHIVE is defined
 *   the URL at a place        urlgrep_find_covering
 *   the URL from a place on   urlgrep_match_at
 *   what a match is           urlgrep_match_url, urlgrep_match_alternative: its other readings
 *   where it is               urlgrep_match_span, urlgrep_match_pieces, urlgrep_match_position
 *   what is known of it       urlgrep_match_field, urlgrep_field_name: host, form, why it ends where it does, and so on
 *   is this a URL?            urlgrep_check, URLGREP_GRADE_...
 *   which version             URLGREP_VERSION_... of this header, urlgrep_version of the library
 *
 * Texts are pointers to bytes and lengths, in any encoding in which ASCII is ASCII; UTF-8 is understood. Offsets are
 * bytes from 0, ends are exclusive. A pointer may be null if its length is 0. No function keeps a pointer that it was
 * given after it returns, but those that say so.
 *
 * What a function named ..._new returns is freed by the function ..._free of the same type, which ignores null.
 * Nothing else is freed by the caller.
 *
 * A finder may be used by any number of threads at a time. Options, iterators and scanners may be used by one thread
 * at a time, whichever it is. A match is valid as long as the function says that passes it on.
 *
 * No function throws, and a null pointer where a value must be is an error, not a crash.
 */

#ifndef URLGREP_H
#define URLGREP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The version of this header. That of the library, urlgrep_version, may be a later one.
 */
#define URLGREP_VERSION_MAJOR 0
#define URLGREP_VERSION_MINOR 1
#define URLGREP_VERSION_PATCH 0

/**
 * The same as a text.
 */
#define URLGREP_VERSION "0.1.0"

/**
 * The same as a number, which is greater for a later version: 10203 for 1.2.3.
 */
#define URLGREP_VERSION_NUMBER (URLGREP_VERSION_MAJOR * 10000 + URLGREP_VERSION_MINOR * 100 + URLGREP_VERSION_PATCH)

/**
 * The text is not a URL.
 */
#define URLGREP_GRADE_NONE 0

/**
 * No grammar accepts it, but a reader would take it for a URL.
 */
#define URLGREP_GRADE_LENIENT 1

/**
 * RFC 3986 accepts it.
 */
#define URLGREP_GRADE_RFC3986 2

/**
 * RFC 1738 accepts it; with the option dialect, the draft of 1994.
 */
#define URLGREP_GRADE_RFC1738 3

/**
 * Finds URLs by its rules.
 */
typedef struct urlgrep_finder urlgrep_finder;

/**
 * Yields the matches of a text one after the other.
 */
typedef struct urlgrep_iter urlgrep_iter;

/**
 * A URL in a text.
 */
typedef struct urlgrep_match urlgrep_match;

/**
 * The rules of a finder that is to be made. New options are those of a finder by default.
 */
typedef struct urlgrep_options urlgrep_options;

/**
 * Finds URLs in a text that comes in chunks.
 */
typedef struct urlgrep_scanner urlgrep_scanner;

/**
 * Called with each match, which is valid until it returns, and with the pointer that its caller was given. If it
 * returns false, it is not called again. It must not throw, and not longjmp.
 */
typedef bool (*urlgrep_callback)(const struct urlgrep_match *matched, void *data);

/**
 * A range of bytes: from `start` up to, and without, `end`.
 */
typedef struct urlgrep_range {
  /**
   * The offset of the first byte.
   */
  uint64_t start;
  /**
   * The offset after the last byte.
   */
  uint64_t end;
} urlgrep_range;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library, such as "0.1.0". It need not be freed.
 */
const char *urlgrep_version(void);

/**
 * A finder with these options, which may be null: then all are the default. Free it with urlgrep_finder_free; the
 * options may be freed before. Null if an option is not valid: `message`, which may be null, then gets a sentence that
 * says why, at most `capacity` bytes with a NUL at the end.
 */
struct urlgrep_finder *urlgrep_finder_new(const struct urlgrep_options *options,
                                          char *message,
                                          size_t capacity);

/**
 * Frees a finder. No iterator of it may be used again; scanners may.
 */
void urlgrep_finder_free(struct urlgrep_finder *finder);

/**
 * Calls `callback` with each URL of a text, in the order in which they start. Returns false if an argument is not
 * valid, which is so if the finder, the callback or a text with a length is null. Time is linear in the length.
 */
bool urlgrep_find_all(const struct urlgrep_finder *finder,
                      const uint8_t *text,
                      size_t len,
                      urlgrep_callback callback,
                      void *data);

/**
 * Calls `callback` with the URL that is at the byte `offset` of a text, if one is: in it, in its delimiters, or
 * between its pieces. Returns whether one is. It reads the text near the offset: twice the maximum length of a URL
 * before it, and after it as much as it needs.
 */
bool urlgrep_find_covering(const struct urlgrep_finder *finder,
                           const uint8_t *text,
                           size_t len,
                           size_t offset,
                           urlgrep_callback callback,
                           void *data);

/**
 * Calls `callback` with the URL that starts at the byte `offset` of a text, delimiters included, as if the text began there.
 * Returns true if there is one. The cost depends on the length of the URL, not of the text.
 */
bool urlgrep_match_at(const struct urlgrep_finder *finder,
                      const uint8_t *text,
                      size_t len,
                      size_t offset,
                      urlgrep_callback callback,
                      void *data);

/**
 * An iterator over the URLs of a text, which must stay, as the finder must, until the iterator is freed with
 * urlgrep_iter_free. Null if the finder, or a text with a length, is null.
 */
struct urlgrep_iter *urlgrep_iter_new(const struct urlgrep_finder *finder,
                                      const uint8_t *text,
                                      size_t len);

/**
 * The next match, which is valid until the next call, or until the iterator is freed; null after the last.
 */
const struct urlgrep_match *urlgrep_iter_next(struct urlgrep_iter *iter);

/**
 * Frees an iterator.
 */
void urlgrep_iter_free(struct urlgrep_iter *iter);

/**
 * A scanner for a text that comes in chunks. Free it with urlgrep_scanner_free; the finder may be freed before. Null
 * if the finder is null.
 */
struct urlgrep_scanner *urlgrep_scanner_new(const struct urlgrep_finder *finder);

/**
 * Frees a scanner.
 */
void urlgrep_scanner_free(struct urlgrep_scanner *scanner);

/**
 * Adds a chunk, and calls `callback` with the matches that are certain now. A URL may be cut between chunks. Returns
 * false if an argument is not valid. After the callback has returned false, the rest of the matches of this call are
 * left out.
 */
bool urlgrep_scanner_push(struct urlgrep_scanner *scanner,
                          const uint8_t *chunk,
                          size_t len,
                          urlgrep_callback callback,
                          void *data);

/**
 * Ends the text, and calls `callback` with the last matches. The scanner can then begin another text, at offset 0.
 */
bool urlgrep_scanner_finish(struct urlgrep_scanner *scanner,
                            urlgrep_callback callback,
                            void *data);

#if defined(URLGREP_ARCHIVE)
/**
 * Calls `callback` with each URL of a message of mail or news, whose parts are decoded. Returns false if an argument
 * is not valid. What the URL is to a reader is the field "role", what one sees of a link the field "text".
 */
bool urlgrep_find_in_mail(const struct urlgrep_finder *finder,
                          const uint8_t *message,
                          size_t len,
                          urlgrep_callback callback,
                          void *data);
#endif

/**
 * The URL, without what broke it, and its length. It is valid as long as the match; it need not be freed, and
 * does not end with NUL. Null, and 0, if the match is null.
 */
const uint8_t *urlgrep_match_url(const struct urlgrep_match *matched,
                                 size_t *len);

/**
 * Where the match is in the text, with its delimiters: of a scanner, in all chunks together; of a message, the bytes
 * of it that encode the match.
 */
struct urlgrep_range urlgrep_match_span(const struct urlgrep_match *matched);

/**
 * The ranges of the text whose concatenation is the URL, or of the message that encode it, in their order. Writes at
 * most `capacity` of them to `ranges`, which may be null, and returns how many there are. Most URLs have one.
 */
size_t urlgrep_match_pieces(const struct urlgrep_match *matched,
                            struct urlgrep_range *ranges,
                            size_t capacity);

/**
 * The line and the column, in bytes, from 1, at which the match starts. False if lines are not counted: see the option
 * line_numbers.
 */
bool urlgrep_match_position(const struct urlgrep_match *matched,
                            uint64_t *line,
                            uint64_t *column);

/**
 * Writes the value of a field to `buffer`, at most `capacity` bytes of it, without NUL. Returns its length: more than
 * `capacity` if it did not fit, 0 if the value or the match is null, SIZE_MAX if there is no field of this name.
 * `buffer` may be null.
 *
 * The names and values are those of the program's --format: "scheme", "host", "port", "form", "grade", "href",
 * "message.subject" and so on, in UTF-8 unless the text has other bytes. With the option explain, "ending.stop" says what
 * ends the URL, and "ending.trimmed" how many bytes before that belong to the sentence around it. Each call computes the
 * value anew.
 */
size_t urlgrep_match_field(const struct urlgrep_match *matched,
                           const uint8_t *name,
                           size_t len,
                           uint8_t *buffer,
                           size_t capacity);

/**
 * The name of a field by its number, from 0, with NUL at its end; null if there are not so many. It need not be freed.
 */
const char *urlgrep_field_name(size_t number);

/**
 * Writes another reading of the URL, as urlgrep_match_field writes a value: that of this number, from 0. Returns 0 if
 * there are not so many. Each call finds all of them anew.
 */
size_t urlgrep_match_alternative(const struct urlgrep_match *matched,
                                 size_t number,
                                 uint8_t *buffer,
                                 size_t capacity);

/**
 * How well formed a URL is, by RFC 1738 and then by RFC 3986: URLGREP_GRADE_... If the grade is not the best one, and
 * `offset` is not null, it gets the offset at which RFC 1738 does not accept the URL.
 */
uint32_t urlgrep_check(const uint8_t *url,
                       size_t len,
                       size_t *offset);

/**
 * New options, by default. Free them with urlgrep_options_free.
 */
struct urlgrep_options *urlgrep_options_new(void);

/**
 * Frees options. Finders that were made of them stay.
 */
void urlgrep_options_free(struct urlgrep_options *options);

/**
 * Sets an option by its name, such as `join`, to the value that a text spells: `true`, a name, a number in decimal digits, or names
 * of schemes with commas between them. What was set before is replaced. README.md lists the options. False if the options are null,
 * or if they have no such option or value; they then stay as they are, and `message`, which may be null, gets a sentence that says
 * what was expected, at most `capacity` bytes with a NUL at the end. Whether names of schemes are valid is said by
 * urlgrep_finder_new.
 */
bool urlgrep_options_set(struct urlgrep_options *options,
                         const uint8_t *name,
                         size_t name_len,
                         const uint8_t *value,
                         size_t value_len,
                         char *message,
                         size_t capacity);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* URLGREP_H */

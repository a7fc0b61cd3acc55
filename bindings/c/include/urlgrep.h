/*
 * urlgrep.h: finds the URLs in a text, and the URL at an offset.
 *
 * Made by cbindgen from bindings/c/src and bindings/c/cbindgen.toml; do not edit.
 *
 * Functions by task:
 *
 *   choose the URLs           urlgrep_options_new, urlgrep_options_set, urlgrep_options_free
 *   compile the options       urlgrep_finder_new, urlgrep_finder_free
 *   search a text             urlgrep_find_all: passes each URL to a callback
 *                             urlgrep_iter_new, urlgrep_iter_next, urlgrep_iter_free: return one URL at a time
 *   search chunks             urlgrep_scanner_new, urlgrep_scanner_push, urlgrep_scanner_finish, urlgrep_scanner_free
 *   search a message          urlgrep_find_in_mail, if the library was built with it: then URLGREP_ARCHIVE is defined
 *   URL at an offset          urlgrep_find_covering
 *   URL that starts there     urlgrep_match_at
 *   text of a match           urlgrep_match_url, urlgrep_match_alternative: its other readings
 *   position of a match       urlgrep_match_span, urlgrep_match_url_span, urlgrep_match_pieces,
 *                             urlgrep_match_position
 *   fields of a match         urlgrep_match_field, urlgrep_field_name: host, form, why it ends where it does, and so on
 *   check a URL               urlgrep_check, URLGREP_GRADE_...
 *   version                   URLGREP_VERSION_... of this header, urlgrep_version of the library
 *
 * A text is a pointer to bytes and a length, in any encoding that contains ASCII; UTF-8 is understood. Offsets count
 * bytes from 0, and ends are exclusive. A pointer may be null if its length is 0. Unless its comment says so, a
 * function does not keep a pointer after it returns.
 *
 * Free the result of a function ..._new with the function ..._free of the same type, which ignores null. The caller
 * frees nothing else.
 *
 * Any number of threads may use a finder at a time. Only one thread at a time may use options, an iterator or a
 * scanner. The function that passes on a match documents how long the match is valid.
 *
 * Functions do not throw. A null pointer instead of a required value is an error, not a crash.
 */

#ifndef URLGREP_H
#define URLGREP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The version of this header. The library may have a later version: see urlgrep_version.
 */
#define URLGREP_VERSION_MAJOR 0
#define URLGREP_VERSION_MINOR 1
#define URLGREP_VERSION_PATCH 0

/**
 * The version of this header as a string.
 */
#define URLGREP_VERSION "0.1.0"

/**
 * The version of this header as a number, which is greater for a later version: 10203 for 1.2.3.
 */
#define URLGREP_VERSION_NUMBER (URLGREP_VERSION_MAJOR * 10000 + URLGREP_VERSION_MINOR * 100 + URLGREP_VERSION_PATCH)

/**
 * The text is not a URL.
 */
#define URLGREP_GRADE_NONE 0

/**
 * No grammar accepts it, but a reader would recognise a URL.
 */
#define URLGREP_GRADE_LENIENT 1

/**
 * RFC 3986 accepts it.
 */
#define URLGREP_GRADE_RFC3986 2

/**
 * RFC 1738 accepts it.
 */
#define URLGREP_GRADE_RFC1738 3

/**
 * A set of rules by which URLs are found.
 */
typedef struct urlgrep_finder urlgrep_finder;

/**
 * An iterator over the matches of a text.
 */
typedef struct urlgrep_iter urlgrep_iter;

/**
 * A URL in a text.
 */
typedef struct urlgrep_match urlgrep_match;

/**
 * The options of a finder, before it is made.
 */
typedef struct urlgrep_options urlgrep_options;

/**
 * A search of a text that comes in chunks.
 */
typedef struct urlgrep_scanner urlgrep_scanner;

/**
 * Called with each match, and with the pointer that its caller was given. The match is valid until
 * the callback returns. If the callback returns false, it is not called again. It must neither
 * throw nor longjmp.
 */
typedef bool (*urlgrep_callback)(const struct urlgrep_match *matched, void *data);

/**
 * A range of bytes from `start` up to, but not including, `end`.
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
 * Returns the version of the library, such as "0.1.0". It need not be freed.
 */
const char *urlgrep_version(void);

/**
 * Returns a finder with these options, or with the default options if they are null. Free it with
 * urlgrep_finder_free; the options may be freed earlier. Returns null if an option is not valid:
 * then a sentence that explains the error is written to `message`, at most `capacity` bytes
 * including a NUL at the end. `message` may be null.
 */
struct urlgrep_finder *urlgrep_finder_new(const struct urlgrep_options *options,
                                          char *message,
                                          size_t capacity);

/**
 * Frees a finder. Its iterators must not be used again; its scanners may be.
 */
void urlgrep_finder_free(struct urlgrep_finder *finder);

/**
 * Calls `callback` with each URL of a text, in the order in which they start. Returns false if an
 * argument is not valid: if the finder, the callback, or a text with a length is null. Time is
 * linear in the length of the text.
 */
bool urlgrep_find_all(const struct urlgrep_finder *finder,
                      const uint8_t *text,
                      size_t len,
                      urlgrep_callback callback,
                      void *data);

/**
 * Calls `callback` with the URL that covers the byte `offset` of a text, if the text has one: the
 * byte is in the URL, in its delimiters, or between its pieces. Returns true if a URL was found.
 * Reads only the text near the offset: twice the maximum length of a URL before it, and as much as
 * it needs after it.
 */
bool urlgrep_find_covering(const struct urlgrep_finder *finder,
                           const uint8_t *text,
                           size_t len,
                           size_t offset,
                           urlgrep_callback callback,
                           void *data);

/**
 * Calls `callback` with the URL that starts at the byte `offset` of a text, including delimiters,
 * as if the text began there. Returns true if a URL was found. The cost depends on the length of
 * the URL, not of the text.
 */
bool urlgrep_match_at(const struct urlgrep_finder *finder,
                      const uint8_t *text,
                      size_t len,
                      size_t offset,
                      urlgrep_callback callback,
                      void *data);

/**
 * Returns an iterator over the URLs of a text. The text and the finder must stay valid until the
 * iterator is freed with urlgrep_iter_free. Returns null if the finder, or a text with a length,
 * is null.
 */
struct urlgrep_iter *urlgrep_iter_new(const struct urlgrep_finder *finder,
                                      const uint8_t *text,
                                      size_t len);

/**
 * Returns the next match, or null after the last one. The match is valid until the next call, or
 * until the iterator is freed.
 */
const struct urlgrep_match *urlgrep_iter_next(struct urlgrep_iter *iter);

/**
 * Frees an iterator.
 */
void urlgrep_iter_free(struct urlgrep_iter *iter);

/**
 * Returns a scanner for a text that comes in chunks, or null if the finder is null. Free it with
 * urlgrep_scanner_free; the finder may be freed earlier.
 */
struct urlgrep_scanner *urlgrep_scanner_new(const struct urlgrep_finder *finder);

/**
 * Frees a scanner.
 */
void urlgrep_scanner_free(struct urlgrep_scanner *scanner);

/**
 * Adds a chunk, and calls `callback` with the matches that are certain now. A URL may be split
 * between chunks. Returns false if an argument is not valid. After the callback has returned
 * false, the remaining matches of this call are skipped.
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
 * Calls `callback` with each URL of a mail or news message, whose parts are decoded. Returns false
 * if an argument is not valid. The field "role" is the role of the URL for a reader, and the field
 * "text" is the link text.
 */
bool urlgrep_find_in_mail(const struct urlgrep_finder *finder,
                          const uint8_t *message,
                          size_t len,
                          urlgrep_callback callback,
                          void *data);
#endif

/**
 * Returns the rejoined URL, and sets `len` to its length. The URL is valid as long as the match,
 * need not be freed, and does not end with NUL. Returns null, and the length 0, if the match is
 * null.
 */
const uint8_t *urlgrep_match_url(const struct urlgrep_match *matched, size_t *len);

/**
 * Returns the range of the match in the text, including delimiters. Offsets of a scanner count
 * from the start of the first chunk. In a message, the range covers the bytes that encode the
 * match.
 */
struct urlgrep_range urlgrep_match_span(const struct urlgrep_match *matched);

/**
 * Returns the range of the URL in the text, without its delimiters: from the start of its first
 * piece to the end of the last.
 */
struct urlgrep_range urlgrep_match_url_span(const struct urlgrep_match *matched);

/**
 * Writes the ranges of the text whose concatenation is the URL, in order, or in a message the
 * ranges that encode it. At most `capacity` ranges are written to `ranges`, which may be null.
 * Returns their number, which is 1 for most URLs.
 */
size_t urlgrep_match_pieces(const struct urlgrep_match *matched,
                            struct urlgrep_range *ranges,
                            size_t capacity);

/**
 * Gets the line and the column at which the match starts, from 1; columns count bytes. Returns
 * false if lines are not counted: see the option line_numbers.
 */
bool urlgrep_match_position(const struct urlgrep_match *matched, uint64_t *line, uint64_t *column);

/**
 * Writes the value of a field to `buffer`, at most `capacity` bytes, without a NUL. Returns the
 * length of the value: more than `capacity` if it did not fit, 0 if the value or the match is
 * null, and SIZE_MAX if the field is unknown. `buffer` may be null.
 *
 * The names and values are the same as in the program's --format: "scheme", "host", "port",
 * "form", "grade", "href", "message.subject" and so on, in UTF-8 unless the text contains other
 * bytes. With the option explain, "ending.stop" explains what ends the URL, and "ending.trimmed"
 * is the number of bytes before that which belong to the sentence around it. Each call computes
 * the value again.
 */
size_t urlgrep_match_field(const struct urlgrep_match *matched,
                           const uint8_t *name,
                           size_t len,
                           uint8_t *buffer,
                           size_t capacity);

/**
 * Returns the name of the field with this number, from 0, or null after the last field. The name
 * ends with NUL and need not be freed.
 */
const char *urlgrep_field_name(size_t number);

/**
 * Writes the alternative reading with this number, from 0, as urlgrep_match_field writes a value.
 * Returns 0 after the last reading. Each call computes all readings again.
 */
size_t urlgrep_match_alternative(const struct urlgrep_match *matched,
                                 size_t number,
                                 uint8_t *buffer,
                                 size_t capacity);

/**
 * Returns the grade of a URL: URLGREP_GRADE_... If the grade is not the best one, and `offset` is
 * not null, `offset` is set to the offset at which the grammar of the next better grade rejects the
 * URL.
 */
uint32_t urlgrep_check(const uint8_t *url, size_t len, size_t *offset);

/**
 * Returns new options with the default values. Free them with urlgrep_options_free.
 */
struct urlgrep_options *urlgrep_options_new(void);

/**
 * Frees options. Finders with these options are not affected.
 */
void urlgrep_options_free(struct urlgrep_options *options);

/**
 * Sets the option `name`, such as `join`, to `value`: `true`, a name, a number in decimal digits,
 * or comma-separated names of schemes. An earlier value is replaced. README.md lists the options.
 * Returns false if the options are null, or if the option or its value is unknown; then the
 * options do not change, and a sentence with the expected value is written to `message`, at most
 * `capacity` bytes including a NUL at the end. `message` may be null. urlgrep_finder_new checks
 * whether the names of schemes are valid.
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

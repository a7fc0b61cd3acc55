/* What urlgrep.h promises. Expectations are written by hand. Run by `make test`, also under valgrind. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urlgrep.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

/* The URLs so far, each after a blank, and after how many to stop. */
struct seen {
    char urls[4096];
    size_t count, stop_after;
};

static bool see(const urlgrep_match *match, void *data) {
    struct seen *seen = (struct seen *)data;
    size_t len;
    const uint8_t *url = urlgrep_match_url(match, &len);
    CHECK(strlen(seen->urls) + len + 2 < sizeof seen->urls);
    strcat(seen->urls, " ");
    strncat(seen->urls, (const char *)url, len);
    seen->count++;
    return seen->stop_after == 0 || seen->count < seen->stop_after;
}

/* Sets an option to a text. */
static bool set(urlgrep_options *options, const char *name, const char *value) {
    return urlgrep_options_set_str(options, name, value, NULL, 0);
}

/* The length of a field, whose value is written to `buffer`. */
static size_t field(const urlgrep_match *match, const char *name, char *buffer, size_t capacity) {
    return urlgrep_match_field(match, bytes(name), strlen(name), (uint8_t *)buffer, capacity);
}

/* Whether a field has that value. */
static bool is(const urlgrep_match *match, const char *name, const char *value) {
    char buffer[200];
    size_t len = field(match, name, buffer, sizeof buffer);
    return len == strlen(value) && memcmp(buffer, value, len) == 0;
}

static void all_matches(void) {
    const char *text = "http://h.org/a, <URL:http://h.org/b\n c> and ftp://h.org/d.";
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    struct seen seen = {"", 0, 0}, two = {"", 0, 2};
    CHECK(finder);
    CHECK(urlgrep_find_all(finder, bytes(text), strlen(text), see, &seen));
    CHECK(strcmp(seen.urls, " http://h.org/a http://h.org/bc ftp://h.org/d") == 0);
    CHECK(urlgrep_find_all(finder, bytes(text), strlen(text), see, &two));
    CHECK(strcmp(two.urls, " http://h.org/a http://h.org/bc") == 0);
    urlgrep_finder_free(finder);
}

static void iterator(void) {
    const char *text = "> see <URL:http://H.org:80/b\n> c> or www.h.org";
    urlgrep_options *options = urlgrep_options_new();
    urlgrep_finder *finder;
    urlgrep_iter *iter;
    const urlgrep_match *match;
    urlgrep_range span, pieces[3];
    uint64_t line = 0, column = 0;
    char buffer[32] = "";

    CHECK(set(options, "schemeless", "hosts") && set(options, "line_numbers", "true"));
    finder = urlgrep_finder_new(options, NULL, 0);
    urlgrep_options_free(options);
    iter = urlgrep_iter_new(finder, bytes(text), strlen(text));

    match = urlgrep_iter_next(iter);
    CHECK(is(match, "form", "wrapper"));
    CHECK(is(match, "grade", "rfc1738"));
    span = urlgrep_match_span(match);
    CHECK(span.start == 6 && span.end == 33);
    span = urlgrep_match_url_span(match);
    CHECK(span.start == 11 && span.end == 32);
    CHECK(urlgrep_match_pieces(match, pieces, 3) == 2);
    CHECK(pieces[0].start == 11 && pieces[0].end == 28);
    CHECK(pieces[1].start == 31 && pieces[1].end == 32);
    /* There is room for one, or for none. */
    pieces[1].start = 99;
    CHECK(urlgrep_match_pieces(match, pieces, 1) == 2 && pieces[1].start == 99);
    CHECK(urlgrep_match_pieces(match, NULL, 0) == 2);
    CHECK(urlgrep_match_position(match, &line, &column) && line == 1 && column == 7);
    CHECK(field(match, "host", buffer, sizeof buffer) == 5 && strncmp(buffer, "h.org", 5) == 0);
    CHECK(field(match, "scheme", buffer, 2) == 4 && strncmp(buffer, "htorg", 5) == 0);
    CHECK(is(match, "url", "http://H.org:80/bc") && is(match, "port", "80") && is(match, "join", "delimited"));
    CHECK(is(match, "start", "6") && is(match, "end", "33") && is(match, "pieces", "11-28 31-32"));
    CHECK(is(match, "line", "1") && is(match, "column", "7"));

    match = urlgrep_iter_next(iter);
    CHECK(field(match, "href", buffer, sizeof buffer) == 16);
    CHECK(strncmp(buffer, "http://www.h.org", 16) == 0);
    CHECK(is(match, "url", "www.h.org") && is(match, "port", "80") && is(match, "join", ""));
    CHECK(!urlgrep_iter_next(iter) && !urlgrep_iter_next(iter));
    urlgrep_iter_free(iter);
    urlgrep_finder_free(finder);
}

static void readings(void) {
    const char *text = "<http://h.org/a-\nb>";
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    urlgrep_iter *iter = urlgrep_iter_new(finder, bytes(text), strlen(text));
    const urlgrep_match *match = urlgrep_iter_next(iter);
    char buffer[32] = "";
    CHECK(urlgrep_match_alternative(match, 0, (uint8_t *)buffer, sizeof buffer) == 15);
    CHECK(strcmp(buffer, "http://h.org/ab") == 0);
    CHECK(urlgrep_match_alternative(match, 1, (uint8_t *)buffer, sizeof buffer) == 0);
    urlgrep_iter_free(iter);
    urlgrep_finder_free(finder);
}

/* Every field, by its name, of a match and of none. */
static void every_field(void) {
    const char *text = "http://a.h.org/~me?b=c";
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    urlgrep_iter *iter = urlgrep_iter_new(finder, bytes(text), strlen(text));
    const urlgrep_match *match = urlgrep_iter_next(iter);
    const char *name;
    size_t number;
    for (number = 0; (name = urlgrep_field_name(number)); number++) {
        char buffer[200];
        size_t len = field(match, name, NULL, 0);
        CHECK(strlen(name) > 0 && urlgrep_field_name(number) == name);
        CHECK(len < sizeof buffer && field(match, name, buffer, sizeof buffer) == len);
        CHECK(field(NULL, name, buffer, sizeof buffer) == 0 && field(NULL, name, NULL, 9) == 0);
    }
    CHECK(number > 20 && !urlgrep_field_name(number + 1) && !urlgrep_field_name(SIZE_MAX));

    CHECK(is(match, "grade", "rfc3986") && is(match, "reason.offset", "15") && is(match, "form", "bare"));
    CHECK(is(match, "registered_domain", "h.org") && is(match, "public_suffix", "org") && is(match, "role", "text"));
    CHECK(is(match, "url_path", "/~me") && is(match, "query", "b=c"));
    /* What there is nothing of is empty. */
    CHECK(is(match, "path", "") && is(match, "line", "") && is(match, "alternatives", "") && is(match, "warnings", ""));
#ifdef URLGREP_ARCHIVE
    CHECK(is(match, "text", "") && is(match, "message.subject", ""));
#else
    CHECK(field(match, "text", NULL, 0) == SIZE_MAX && field(match, "message.subject", NULL, 0) == SIZE_MAX);
#endif
    urlgrep_iter_free(iter);
    urlgrep_finder_free(finder);
}

/* A name that is no field is none of any match, and nothing is written. */
static void names_that_are_no_fields(void) {
    static const char *const names[] = {"", "hos", "hosts", "Host", " host", "subject", "message", "message.", "\xff"};
    const char *text = "http://h.org/";
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    urlgrep_iter *iter = urlgrep_iter_new(finder, bytes(text), strlen(text));
    const urlgrep_match *match = urlgrep_iter_next(iter);
    uint8_t buffer[4] = "###";
    size_t at;
    for (at = 0; at < sizeof names / sizeof *names; at++) {
        CHECK(field(match, names[at], (char *)buffer, sizeof buffer) == SIZE_MAX);
        CHECK(field(NULL, names[at], NULL, 0) == SIZE_MAX);
    }
    CHECK(urlgrep_match_field(match, NULL, 0, buffer, sizeof buffer) == SIZE_MAX);
    CHECK(urlgrep_match_field(match, NULL, 4, buffer, sizeof buffer) == SIZE_MAX);
    CHECK(urlgrep_match_field(match, bytes("host"), SIZE_MAX, buffer, sizeof buffer) == SIZE_MAX);
    CHECK(urlgrep_match_field(NULL, NULL, 4, NULL, 0) == SIZE_MAX);
    /* A NUL is a byte of the name, which ends where its length says. */
    CHECK(urlgrep_match_field(match, bytes("host"), 5, buffer, sizeof buffer) == SIZE_MAX);
    CHECK(memcmp(buffer, "###", 4) == 0);
    CHECK(urlgrep_match_field(match, bytes("porter"), 4, buffer, sizeof buffer) == 2 && memcmp(buffer, "80#", 4) == 0);
    urlgrep_iter_free(iter);
    urlgrep_finder_free(finder);
}

static void at_a_place(void) {
    const char *text = "a http://h.org/ b";
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    size_t at;
    for (at = 0; at <= strlen(text) + 1; at++) {
        struct seen seen = {"", 0, 0};
        bool is_url = at >= 2 && at < 15;
        CHECK(urlgrep_find_covering(finder, bytes(text), strlen(text), at, see, &seen) == is_url);
        CHECK(seen.count == is_url);
        CHECK(urlgrep_find_covering(finder, bytes(text), strlen(text), at, NULL, NULL) == is_url);
    }
    urlgrep_finder_free(finder);
}

static void chunks(void) {
    const char *text = "http://h.org/a <http://h.org/b\nc> http://h.org/d";
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    urlgrep_scanner *scanner = urlgrep_scanner_new(finder);
    int turn;
    urlgrep_finder_free(finder);
    for (turn = 0; turn < 2; turn++) {
        struct seen seen = {"", 0, 0};
        size_t at;
        for (at = 0; at < strlen(text); at++) {
            CHECK(urlgrep_scanner_push(scanner, bytes(text) + at, 1, see, &seen));
        }
        CHECK(urlgrep_scanner_finish(scanner, see, &seen));
        CHECK(strcmp(seen.urls, " http://h.org/a http://h.org/bc http://h.org/d") == 0);
    }
    urlgrep_scanner_free(scanner);
}

static bool see_one(const urlgrep_match *match, void *data) {
    (void)match;
    ++*(size_t *)data;
    return false;
}

/* A callback that returns false is not called again, by each function that calls it several times. */
static void one_is_enough(void) {
    /* Without its closing bracket, the end of the text decides about all of them. */
    const char *text = "http://h.org/a http://h.org/b http://h.org/c ", *open = "<http://h.org/a\n b\n http://h.org/c";
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    urlgrep_scanner *scanner = urlgrep_scanner_new(finder);
    struct seen seen = {"", 0, 0};
    size_t count = 0;
    CHECK(urlgrep_find_all(finder, bytes(text), strlen(text), see_one, &count) && count == 1);
    CHECK(urlgrep_scanner_push(scanner, bytes(text), strlen(text), see_one, &count) && count == 2);
    /* The next call passes its own matches on. */
    CHECK(urlgrep_scanner_push(scanner, bytes(text), strlen(text), see_one, &count) && count == 3);
    CHECK(urlgrep_scanner_finish(scanner, see, &seen));
    memset(&seen, 0, sizeof seen);
    CHECK(urlgrep_scanner_push(scanner, bytes(open), strlen(open), see, &seen) && seen.count == 0);
    CHECK(urlgrep_scanner_finish(scanner, see_one, &count) && count == 4);
    CHECK(urlgrep_scanner_push(scanner, bytes(open), strlen(open), see, &seen));
    CHECK(urlgrep_scanner_finish(scanner, see, &seen) && seen.count == 2);
    urlgrep_scanner_free(scanner);
    urlgrep_finder_free(finder);
}

static void rules(void) {
    const char *text = "news:a.b spotify:track:1 http://h.org/a\nb hxxp://h[.]org/ me@h.org ftp://h.org/";
    urlgrep_options *options = urlgrep_options_new();
    urlgrep_finder *finder;
    struct seen seen = {"", 0, 0};
    CHECK(set(options, "scheme_add", "spotify") && set(options, "refang", "true") && set(options, "schemeless", "emails"));
    CHECK(set(options, "join", "none") && set(options, "hyphen", "drop") && set(options, "iri", "ascii"));
    CHECK(set(options, "width", "80") && set(options, "grade", "lenient") && set(options, "max_len", "100"));
    /* Options and values that there are not, and what is not text, change nothing. */
    CHECK(!set(options, "joins", "likely") && !set(options, "join", "all") && !set(options, "hyphen", ""));
    CHECK(!set(options, "schemeless", "host") && !set(options, "hosts", "true") && !set(options, "width", "-1") && !set(options, "scheme_add", "\xff"));
    finder = urlgrep_finder_new(options, NULL, 0);
    CHECK(urlgrep_find_all(finder, bytes(text), strlen(text), see, &seen));
    CHECK(strcmp(seen.urls, " news:a.b spotify:track:1 http://h.org/a http://h.org/ me@h.org ftp://h.org/") == 0);
    urlgrep_finder_free(finder);

    CHECK(set(options, "schemes", "ftp"));
    finder = urlgrep_finder_new(options, NULL, 0);
    memset(&seen, 0, sizeof seen);
    CHECK(urlgrep_find_all(finder, bytes(text), strlen(text), see, &seen));
    CHECK(strcmp(seen.urls, " ftp://h.org/") == 0);
    urlgrep_finder_free(finder);
    urlgrep_options_free(options);
}

/* The URLs of a text with one option, each after a blank. */
static struct seen with(const char *name, const char *value, const char *text) {
    urlgrep_options *options = urlgrep_options_new();
    urlgrep_finder *finder;
    struct seen seen = {"", 0, 0};
    CHECK(set(options, name, value));
    finder = urlgrep_finder_new(options, NULL, 0);
    CHECK(finder && urlgrep_find_all(finder, bytes(text), strlen(text), see, &seen));
    urlgrep_finder_free(finder);
    urlgrep_options_free(options);
    return seen;
}

/* Each option, a value, a text, and its URLs then. */
static void every_option(void) {
    static const char *const rows[][4] = {
        {"join", "none", "<http://h.org/a\nb>", " http://h.org/a"},
        {"hyphen", "both", "<http://h.org/a-\nb>", " http://h.org/a-b http://h.org/ab"},
        {"grade", "rfc1738", "http://h.org/ http://h.org/~", " http://h.org/"},
        {"schemes", "FTP,news", "ftp://h.org/ http://h.org/ news:a.b", " ftp://h.org/ news:a.b"},
        {"scheme_add", "spotify", "spotify:track:1", " spotify:track:1"},
        {"width", "80", "http://h.org/", " http://h.org/"},
        {"delimited_rows", "true", "http://h.org/a,Template,3", " http://h.org/a"},
        {"max_len", "16", "http://h.org/ http://h.org/abcdef", " http://h.org/"},
        {"iri", "ascii", "http://h.org/\xc3\xa9", " http://h.org/"},
        {"schemeless", "hosts,emails", "www.h.org me@h.org 10.0.0.1:80", " www.h.org me@h.org"},
        {"schemeless", "domains", "see example.org/a and README.md", " example.org/a"},
        {"schemeless", "ips", "10.0.0.1:80", " 10.0.0.1:80"},
        {"refang", "true", "hXXps://h[.]org/a", " https://h.org/a"},
        {"unwrap", "true", "https://www.google.com/url?q=http://h.org/a", " http://h.org/a"},
        {"nested", "true", "http://i.org/?u=http%3A%2F%2Fh.org", " http://i.org/?u=http%3A%2F%2Fh.org http://h.org"},
    };
    size_t at;
    for (at = 0; at < sizeof rows / sizeof *rows; at++) {
        CHECK(strcmp(with(rows[at][0], rows[at][1], rows[at][2]).urls, rows[at][3]) == 0);
    }
}

/* Options that change what is known of a match: the text, and a field of its URL by default and then. */
static void options_that_say_more(void) {
    static const char *const rows[][6] = {
        {"dialect", "draft", "http://h.org/", "grade", "rfc1738", "draft1994"},
        {"line_numbers", "true", "a\n http://h.org/", "line", "", "2"},
        {"line_numbers", "true", "a\n http://h.org/", "column", "", "2"},
        {"explain", "true", "(see http://h.org/.)", "ending.stop", "", "\")\", an unmatched closing bracket"},
        {"explain", "true", "(see http://h.org/.)", "ending.trimmed", "", "1"},
        {"explain", "true", "http://h.org/", "ending.stop", "", "the end of the text"},
        {"explain", "true", "http://h.org/", "ending.trimmed", "", "0"},
        /* A delimiter ends it. */
        {"explain", "true", "<http://h.org/>", "ending.stop", "", ""},
        {"explain", "true", "<http://h.org/>", "ending.trimmed", "", ""},
    };
    size_t at;
    for (at = 0; at < 2 * sizeof rows / sizeof *rows; at++) {
        const char *const *row = rows[at / 2];
        size_t turn = at % 2;
        urlgrep_options *options = urlgrep_options_new();
        urlgrep_finder *finder;
        urlgrep_iter *iter;
        CHECK(turn == 0 || set(options, row[0], row[1]));
        finder = urlgrep_finder_new(options, NULL, 0);
        iter = urlgrep_iter_new(finder, bytes(row[2]), strlen(row[2]));
        CHECK(is(urlgrep_iter_next(iter), row[3], row[4 + turn]));
        urlgrep_iter_free(iter);
        urlgrep_finder_free(finder);
        urlgrep_options_free(options);
    }
}

static void options_that_are_not_valid(void) {
    static const char why[] = "option \"max_len\": expected a number of at least 16 (bytes), found \"3\"";
    static const char no_grade[] = "expected a grade of RFC 1738";
    urlgrep_options *options = urlgrep_options_new();
    char message[80], few[5] = "....";
    const uint8_t *name = bytes("max_len"), *value = bytes("3");
    CHECK(!urlgrep_options_set(options, name, 7, value, 1, message, sizeof message) && strcmp(message, why) == 0);
    CHECK(!urlgrep_options_set(options, name, 7, value, 1, few, sizeof few) && strcmp(few, "opti") == 0);
    CHECK(!urlgrep_options_set(options, name, 7, value, 1, few, 0) && strcmp(few, "opti") == 0);
    CHECK(!urlgrep_options_set(options, name, 7, value, 1, NULL, 5));
    CHECK(!urlgrep_options_set(options, NULL, 7, value, 1, message, sizeof message));
    CHECK(strcmp(message, "expected the name of an option, found a null pointer or an invalid length") == 0);
    CHECK(!urlgrep_options_set(options, name, 7, bytes("\xff"), 1, message, sizeof message));
    CHECK(strcmp(message, "expected the value of an option in UTF-8, found invalid UTF-8") == 0);
    CHECK(!urlgrep_options_set(NULL, name, 7, value, 1, message, sizeof message));
    CHECK(strcmp(message, "expected options, found a null pointer") == 0);
    CHECK(!urlgrep_options_set_str(options, "max_len", "2", few, sizeof few) && strcmp(few, "opti") == 0);
    CHECK(!urlgrep_options_set_str(options, NULL, "2", message, sizeof message) && strncmp(message, "expected the name", 17) == 0);
    CHECK(!urlgrep_options_set_str(options, "max_len", NULL, message, sizeof message) && strncmp(message, "expected the value", 18) == 0);
    CHECK(!urlgrep_options_set_str(NULL, "max_len", "20", NULL, 0) && urlgrep_options_set_str(options, "max_len", "20", NULL, 0));

    /* Values that are valid, but not together. */
    CHECK(set(options, "grade", "draft1994") && !urlgrep_finder_new(options, message, sizeof message));
    CHECK(strncmp(message, no_grade, strlen(no_grade)) == 0);
    CHECK(!urlgrep_finder_new(options, few, sizeof few) && strcmp(few, "expe") == 0);
    CHECK(!urlgrep_finder_new(options, few, 0) && strcmp(few, "expe") == 0);
    CHECK(!urlgrep_finder_new(options, few, 1) && few[0] == 0 && few[1] == 'x');
    CHECK(!urlgrep_finder_new(options, NULL, 5));
    urlgrep_options_free(options);
}

/* A name that is no scheme is known when the finder is made; the options stay usable. */
static void names_that_are_no_schemes(void) {
    static const char *const names[] = {",", "1a", "a b", "a:", "\xc3\xa9", "a\nb", "http,,ftp"};
    size_t at;
    for (at = 0; at < sizeof names / sizeof *names; at++) {
        urlgrep_options *known = urlgrep_options_new(), *wanted = urlgrep_options_new();
        char message[80] = "";
        CHECK(set(known, "scheme_add", names[at]) && set(wanted, "schemes", names[at]));
        CHECK(!urlgrep_finder_new(known, message, sizeof message));
        CHECK(strncmp(message, "expected a scheme", 17) == 0);
        CHECK(!urlgrep_finder_new(wanted, NULL, 0));
        urlgrep_options_free(known);
        urlgrep_options_free(wanted);
    }
    /* The empty text is no name: of no scheme there is no URL. */
    CHECK(strcmp(with("schemes", "", "http://h.org/").urls, "") == 0);
    CHECK(strcmp(with("scheme_add", "", "http://h.org/").urls, " http://h.org/") == 0);
}

static void grammar(void) {
    size_t offset = 99;
    CHECK(urlgrep_check(bytes("http://h.org/"), 13, &offset) == URLGREP_GRADE_RFC1738 && offset == 99);
    CHECK(urlgrep_check(bytes("http://h.org/~me"), 16, &offset) == URLGREP_GRADE_RFC3986 && offset == 13);
    CHECK(urlgrep_check(bytes("http://h.org/a{"), 15, &offset) == URLGREP_GRADE_LENIENT && offset == 14);
    /* The offset of a text that is no URL. */
    CHECK(urlgrep_check(bytes("no"), 2, &offset) == URLGREP_GRADE_NONE && offset == 2);
    CHECK(urlgrep_check(bytes("http://h org/"), 13, &offset) == URLGREP_GRADE_NONE && offset == 8);
    CHECK(urlgrep_check(bytes("http://h.org/ "), 14, &offset) == URLGREP_GRADE_NONE && offset == 13);
    CHECK(urlgrep_check(bytes(""), 0, &offset) == URLGREP_GRADE_NONE && offset == 0);
    CHECK(urlgrep_check(bytes("no"), 2, NULL) == URLGREP_GRADE_NONE);
    CHECK(urlgrep_check(NULL, 2, NULL) == URLGREP_GRADE_NONE);
}

/* Nothing of this is a crash. */
static void what_is_not_there(void) {
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    urlgrep_scanner *scanner = urlgrep_scanner_new(finder);
    urlgrep_iter *iter;
    struct seen seen = {"", 0, 0};
    size_t len = 9;
    CHECK(urlgrep_find_all(finder, NULL, 0, see, &seen) && urlgrep_find_all(finder, bytes(""), 0, see, &seen));
    CHECK(!urlgrep_find_all(finder, NULL, 1, see, &seen));
    CHECK(!urlgrep_find_all(finder, bytes("x"), SIZE_MAX, see, &seen));
    CHECK(!urlgrep_find_all(finder, bytes("x"), SIZE_MAX / 2 + 1, see, &seen));
    CHECK(!urlgrep_find_all(finder, bytes("x"), 1, NULL, NULL) && !urlgrep_find_all(NULL, bytes("x"), 1, see, &seen));
    CHECK(!urlgrep_find_covering(NULL, bytes("x"), 1, 0, see, &seen) && !urlgrep_find_covering(finder, NULL, 1, 0, see, &seen));
    CHECK(!urlgrep_find_covering(finder, bytes("x"), 1, SIZE_MAX, see, &seen));
    CHECK(!urlgrep_match_at(NULL, bytes("x"), 1, 0, see, &seen) && !urlgrep_match_at(finder, NULL, 1, 0, see, &seen));
    CHECK(!urlgrep_match_at(finder, bytes("x"), 1, SIZE_MAX, see, &seen));
    CHECK(!urlgrep_match_at(finder, bytes("a http://h.org/"), 15, 1, see, &seen));
    CHECK(urlgrep_match_at(finder, bytes("a http://h.org/"), 15, 2, NULL, NULL));
    CHECK(!urlgrep_iter_new(NULL, bytes("x"), 1) && !urlgrep_iter_new(finder, NULL, 1) && !urlgrep_iter_next(NULL));
    iter = urlgrep_iter_new(finder, NULL, 0);
    CHECK(iter && !urlgrep_iter_next(iter));
    urlgrep_iter_free(iter);
    CHECK(!urlgrep_scanner_new(NULL) && !urlgrep_scanner_push(NULL, bytes("x"), 1, see, &seen));
    CHECK(!urlgrep_scanner_push(scanner, NULL, 1, see, &seen) && !urlgrep_scanner_push(scanner, bytes("x"), 1, NULL, NULL));
    CHECK(urlgrep_scanner_push(scanner, NULL, 0, see, &seen) && urlgrep_scanner_finish(scanner, see, &seen));
    CHECK(!urlgrep_scanner_finish(NULL, see, &seen) && !urlgrep_scanner_finish(scanner, NULL, NULL));
    CHECK(!urlgrep_match_url(NULL, &len) && len == 0 && !urlgrep_match_url(NULL, NULL));
    CHECK(urlgrep_match_span(NULL).end == 0 && urlgrep_match_url_span(NULL).end == 0 && urlgrep_match_pieces(NULL, NULL, 3) == 0);
    CHECK(field(NULL, "form", NULL, 0) == 0 && field(NULL, "grade", NULL, 0) == 0);
    CHECK(!urlgrep_match_position(NULL, NULL, NULL) && field(NULL, "href", NULL, 9) == 0);
    CHECK(field(NULL, "host", NULL, 0) == 0 && field(NULL, "scheme", NULL, 0) == 0);
    CHECK(urlgrep_match_alternative(NULL, 0, NULL, 0) == 0);
    CHECK(!set(NULL, "schemeless", "hosts") && !urlgrep_options_set(NULL, NULL, 0, NULL, 0, NULL, 0));
    CHECK(urlgrep_check(NULL, 0, NULL) == URLGREP_GRADE_NONE && urlgrep_check(bytes(""), 0, &len) == URLGREP_GRADE_NONE);
    urlgrep_options_free(NULL);
    urlgrep_finder_free(NULL);
    urlgrep_iter_free(NULL);
    urlgrep_scanner_free(NULL);
    urlgrep_scanner_free(scanner);
    urlgrep_finder_free(finder);
    CHECK(seen.count == 0);
}

#ifdef URLGREP_ARCHIVE
static bool see_none(const urlgrep_match *match, void *data) {
    (void)match;
    (void)data;
    CHECK(false);
    return false;
}
#endif

/* Every function that takes a text refuses one that is longer than memory, and one that is null. */
static void lengths_that_cannot_be(void) {
    static const size_t lengths[] = {SIZE_MAX, SIZE_MAX / 2 + 1, (size_t)PTRDIFF_MAX + 1, SIZE_MAX - 1};
    urlgrep_options *options = urlgrep_options_new();
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    urlgrep_scanner *scanner = urlgrep_scanner_new(finder);
    struct seen seen = {"", 0, 0};
    size_t at, offset = 7;
    for (at = 0; at < 2 * sizeof lengths / sizeof *lengths; at++) {
        const uint8_t *text = at % 2 ? bytes("http://h.org/") : NULL;
        size_t len = lengths[at / 2];
        CHECK(!urlgrep_find_all(finder, text, len, see, &seen));
        CHECK(!urlgrep_find_covering(finder, text, len, 0, see, &seen) && !urlgrep_find_covering(finder, text, len, len, see, &seen));
        CHECK(!urlgrep_iter_new(finder, text, len) && !urlgrep_scanner_push(scanner, text, len, see, &seen));
        CHECK(urlgrep_check(text, len, &offset) == URLGREP_GRADE_NONE && offset == 7);
        CHECK(urlgrep_match_field(NULL, text, len, NULL, 0) == SIZE_MAX);
        CHECK(!urlgrep_options_set(options, text, len, bytes("true"), 4, NULL, 0));
        CHECK(!urlgrep_options_set(options, bytes("scheme_add"), 10, text, len, NULL, 0));
#ifdef URLGREP_ARCHIVE
        CHECK(!urlgrep_find_in_mail(finder, text, len, see_none, &seen));
#endif
    }
    CHECK(urlgrep_scanner_finish(scanner, see, &seen) && seen.count == 0);
    urlgrep_scanner_free(scanner);
    urlgrep_finder_free(finder);
    urlgrep_options_free(options);
}

/* Options that are numbers take each number. */
static void numbers_that_are_extreme(void) {
    static const size_t numbers[] = {0, 1, 16, 17, PTRDIFF_MAX, SIZE_MAX - 1, SIZE_MAX};
    const char *text = "x <http://h.org/\n a> y";
    size_t at, count = sizeof numbers / sizeof *numbers;
    for (at = 0; at < count * count; at++) {
        urlgrep_options *options = urlgrep_options_new();
        size_t max_len = numbers[at / count], width = numbers[at % count];
        char digits[2][24];
        urlgrep_finder *finder;
        snprintf(digits[0], sizeof digits[0], "%zu", max_len);
        snprintf(digits[1], sizeof digits[1], "%zu", width);
        CHECK(set(options, "max_len", digits[0]) == (max_len >= 16) && set(options, "width", digits[1]) == (width > 0));
        CHECK(set(options, "join", "likely"));
        finder = urlgrep_finder_new(options, NULL, 0);
        CHECK(finder);
        if (max_len > 17) {
            struct seen all = {"", 0, 0}, one = {"", 0, 0};
            CHECK(urlgrep_find_all(finder, bytes(text), strlen(text), see, &all));
            CHECK(urlgrep_find_covering(finder, bytes(text), strlen(text), 18, see, &one));
            CHECK(strcmp(all.urls, " http://h.org/a") == 0 && strcmp(one.urls, all.urls) == 0);
        }
        urlgrep_finder_free(finder);
        urlgrep_options_free(options);
    }
}

/* What is written ends where the caller's room ends. */
static void room_that_is_short(void) {
    const char *text = "<www.h.org/a> <http://www.h.org/a-\nb>";
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    urlgrep_iter *iter = urlgrep_iter_new(finder, bytes(text), strlen(text));
    const urlgrep_match *match = urlgrep_iter_next(iter);
    static const char *const rows[][2] = {
        {"href", "http://www.h.org/a-b"}, {"scheme", "http"}, {"host", "www.h.org"}, {"form", "angle"}, {"path", ""}};
    size_t at, room;
    for (at = 0; at < sizeof rows / sizeof *rows; at++) {
        const char *name = rows[at][0], *value = rows[at][1];
        size_t len = strlen(value);
        for (room = 0; room < 24; room++) {
            char buffer[25];
            memset(buffer, '#', sizeof buffer);
            CHECK(field(match, name, buffer, room) == len && field(match, name, NULL, room) == len);
            CHECK(memcmp(buffer, value, room < len ? room : len) == 0);
            CHECK(buffer[room < len ? room : len] == '#');
        }
    }
    CHECK(urlgrep_match_alternative(match, SIZE_MAX, NULL, 0) == 0);
    urlgrep_iter_free(iter);
    urlgrep_finder_free(finder);
}

#ifdef URLGREP_ARCHIVE
/* The link of the message below: its places are those of the bytes that encode it. */
static bool see_link(const urlgrep_match *match, void *data) {
    urlgrep_range span = urlgrep_match_span(match), segment;
    char text[16];
    CHECK(is(match, "role", "link"));
    CHECK(field(match, "text", text, sizeof text) == 4 && memcmp(text, "here", 4) == 0);
    CHECK(span.start == 61 && span.end == 74);
    CHECK(urlgrep_match_pieces(match, &segment, 1) == 1 && segment.start == 61 && segment.end == 74);
    CHECK(is(match, "message.subject", "a b") && is(match, "message.part", "1") && is(match, "element", "a@href"));
    CHECK(is(match, "message.content_type", "text/html") && is(match, "message.header", "") && is(match, "form", "attribute"));
    return see(match, data);
}

static void mail(void) {
    const char *message = "Subject: =?utf-8?q?a=20b?=\nContent-Type: text/html\n\n<a href='http://h.org/'>here</a>\n";
    urlgrep_finder *finder = urlgrep_finder_new(NULL, NULL, 0);
    struct seen seen = {"", 0, 0};
    CHECK(urlgrep_find_in_mail(finder, bytes(message), strlen(message), see_link, &seen));
    CHECK(strcmp(seen.urls, " http://h.org/") == 0);
    CHECK(!urlgrep_find_in_mail(NULL, bytes(message), 1, see_link, &seen));
    CHECK(!urlgrep_find_in_mail(finder, bytes(message), 1, NULL, NULL));
    CHECK(urlgrep_find_in_mail(finder, NULL, 0, see_none, NULL) && urlgrep_find_in_mail(finder, bytes(""), 0, see_none, NULL));
    CHECK(field(NULL, "role", NULL, 0) == 0 && field(NULL, "text", NULL, 9) == 0);
    urlgrep_finder_free(finder);
}
#endif

/* A program can ask the preprocessor. */
#if URLGREP_VERSION_NUMBER < 100
#error "expected a version of at least 0.1.0"
#endif

/* The header has the version of the library, in each of its spellings. */
static void version(void) {
    char numbers[16];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", URLGREP_VERSION_MAJOR, URLGREP_VERSION_MINOR, URLGREP_VERSION_PATCH);
    CHECK(strcmp(URLGREP_VERSION, urlgrep_version()) == 0 && strcmp(numbers, URLGREP_VERSION) == 0);
}

int main(void) {
    version();
    all_matches();
    iterator();
    readings();
    every_field();
    names_that_are_no_fields();
    at_a_place();
    chunks();
    one_is_enough();
    rules();
    every_option();
    options_that_say_more();
    options_that_are_not_valid();
    names_that_are_no_schemes();
    lengths_that_cannot_be();
    numbers_that_are_extreme();
    room_that_is_short();
    grammar();
    what_is_not_there();
#ifdef URLGREP_ARCHIVE
    mail();
#endif
    puts("all passed");
    return 0;
}

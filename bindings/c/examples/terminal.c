/*
 * What a terminal does: the URL under a cell of its grid.
 *
 *     terminal COLUMNS COLUMN ROW <SCREEN
 *
 * A screen is rows of COLUMNS cells, which a terminal keeps without line ends. Where a row is full, a URL may go on in
 * the next. So the rows become one text, each with a line end, and the library is told how wide the screen is. The
 * offset of a cell in that text is known; a cell of a wide character would need a table from cells to offsets. What is
 * underlined are the pieces of the match, which leave out the line ends.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urlgrep.h>

enum { MAX_SCREEN = 1 << 20, MAX_SEGMENTS = 64 };

struct screen {
    size_t columns;
};

/* Prints the URL, and the cells to underline. */
static bool underline(const urlgrep_match *match, void *data) {
    const struct screen *screen = data;
    urlgrep_range cells[MAX_SEGMENTS];
    size_t len, i, count = urlgrep_match_pieces(match, cells, MAX_SEGMENTS);
    const uint8_t *url = urlgrep_match_url(match, &len);
    printf("%.*s\n", (int)len, (const char *)url);
    for (i = 0; i < count && i < MAX_SEGMENTS; i++) {
        /* A row is its cells and the line end. */
        size_t row = cells[i].start / (screen->columns + 1), from = cells[i].start % (screen->columns + 1);
        printf("row %zu, columns %zu to %zu\n", row, from, from + (size_t)(cells[i].end - cells[i].start) - 1);
    }
    return false;
}

/* Sets an option, or ends the program with the sentence that says why it cannot be set. */
static void set(urlgrep_options *options, const char *name, const char *value) {
    char message[200];
    if (!urlgrep_options_set_str(options, name, value, message, sizeof message)) {
        fprintf(stderr, "%s\n", message);
        exit(2);
    }
}

int main(int argc, char **argv) {
    static uint8_t text[MAX_SCREEN];
    struct screen screen;
    size_t len, column, row;
    urlgrep_options *options;
    urlgrep_finder *finder;
    bool found;

    if (argc != 4) {
        fprintf(stderr, "usage: terminal COLUMNS COLUMN ROW\n");
        return 2;
    }
    screen.columns = strtoul(argv[1], NULL, 10);
    column = strtoul(argv[2], NULL, 10);
    row = strtoul(argv[3], NULL, 10);
    len = fread(text, 1, sizeof text, stdin);

    /* A finder is made once, and used for every cell by any thread. */
    options = urlgrep_options_new();
    set(options, "join", "likely");
    set(options, "width", argv[1]);
    finder = urlgrep_finder_new(options, NULL, 0);
    urlgrep_options_free(options);
    if (!finder) {
        return 2;
    }
    found = urlgrep_find_covering(finder, text, len, row * (screen.columns + 1) + column, underline, &screen);
    urlgrep_finder_free(finder);
    return found ? 0 : 1;
}

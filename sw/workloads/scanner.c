/* SPDX-License-Identifier: Apache-2.0 */
/* A branchy state machine: splits random characters into words, numbers, strings, comments and single signs.
 */
#include "input.h"
#include "workload.h"

static char source[SCAN_N];

static const char alphabet[32] = "abcdef0123 \n\t_\"\"//+*<=>(){};xyz.";

static void setup(void) {
    uint64_t state = SCAN_SEED;

    for (int i = 0; i < SCAN_N; i++)
        source[i] = alphabet[input_next(&state) % sizeof(alphabet)];
}

enum state { BETWEEN, WORD, NUMBER, STRING, SLASH, COMMENT };

struct counts {
    uint64_t words, numbers, strings, comments, signs, spaces, lines, longest;
};

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* A character outside everything: it opens something, or is a token alone. */
static enum state open(char c, struct counts *n) {
    if (is_letter(c)) {
        n->words++;
        return WORD;
    }
    if (is_digit(c)) {
        n->numbers++;
        return NUMBER;
    }
    switch (c) {
    case '"':
        n->strings++;
        return STRING;
    case '/':
        return SLASH;
    case '\n':
    case ' ':
    case '\t':
        n->spaces++;
        return BETWEEN;
    default:
        n->signs++;
        return BETWEEN;
    }
}

static void scan(struct counts *n) {
    enum state state = BETWEEN;
    uint64_t length = 0;

    for (int i = 0; i < SCAN_N; i++) {
        char c = source[i];

        if (c == '\n')
            n->lines++;
        switch (state) {
        case BETWEEN:
            state = open(c, n);
            length = 1;
            break;
        case WORD:
            if (is_letter(c) || is_digit(c)) {
                length++;
                if (length > n->longest)
                    n->longest = length;
            } else {
                state = open(c, n);
                length = 1;
            }
            break;
        case NUMBER:
            if (!is_digit(c) && c != '.') {
                state = open(c, n);
                length = 1;
            }
            break;
        case STRING:
            if (c == '"' || c == '\n')
                state = BETWEEN;
            break;
        case SLASH:
            if (c == '/') {
                n->comments++;
                state = COMMENT;
            } else {
                n->signs++;
                state = open(c, n);
                length = 1;
            }
            break;
        case COMMENT:
            if (c == '\n')
                state = BETWEEN;
            break;
        }
    }
}

static uint64_t work(void) {
    struct counts n = {0};
    uint64_t sum = 0;

    scan(&n);
    sum = mix(sum, n.words);
    sum = mix(sum, n.numbers);
    sum = mix(sum, n.strings);
    sum = mix(sum, n.comments);
    sum = mix(sum, n.signs);
    sum = mix(sum, n.spaces);
    sum = mix(sum, n.lines);
    return mix(sum, n.longest);
}

WORKLOAD("scanner", setup, work, EXPECTED_SCANNER)

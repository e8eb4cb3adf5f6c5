// SPDX-License-Identifier: Apache-2.0
/* A state machine that sorts the tokens of a text into kinds of numbers, as CoreMark's does; counts each
 * state's entries. */
#include "kernel.h"

enum { TEXT = 4000, ROUNDS = 5 };

enum state { START, SIGN, WHOLE, POINT, EXPONENT, EXPONENT_SIGN, SCIENTIFIC, WRONG, STATES };

static char text[TEXT + 1];
static uint32_t entered[STATES], ended[STATES];

static void append(unsigned *at, const char *token) {
    while (*token && *at < TEXT)
        text[(*at)++] = *token++;
}

static void write_text(uint64_t *seed) {
    static const char *const tokens[] = {
        "5012",     "1234",     "-874",     "+122",     "35.54400", ".1234500", "-110.700", "+0.64400",
        "5.500e+3", "-.123e-2", "-87e+832", "+0.6e-12", "T0.3e-1F", "-T.T++Tq", "1T3.4e4z", "34.0e-T^"};
    unsigned at = 0;

    while (at < TEXT) {
        append(&at, tokens[input_next(seed) % 16]);
        append(&at, ",");
    }
    text[TEXT] = 0;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The state at the end of a token, from which *cursor moves on. */
static enum state token(const char **cursor) {
    enum state state = START;
    const char *at = *cursor;

    for (; *at && state != WRONG; at++) {
        const char c = *at;

        if (c == ',') {
            at++;
            break;
        }
        switch (state) {
        case START:
            state = is_digit(c) ? WHOLE : c == '+' || c == '-' ? SIGN : c == '.' ? POINT : WRONG;
            break;
        case SIGN:
            state = is_digit(c) ? WHOLE : c == '.' ? POINT : WRONG;
            break;
        case WHOLE:
            state = is_digit(c) ? WHOLE : c == '.' ? POINT : c == 'e' ? EXPONENT : WRONG;
            break;
        case POINT:
            state = is_digit(c) ? POINT : c == 'e' ? EXPONENT : WRONG;
            break;
        case EXPONENT:
            state = c == '+' || c == '-' ? EXPONENT_SIGN : WRONG;
            break;
        case EXPONENT_SIGN:
        case SCIENTIFIC:
            state = is_digit(c) ? SCIENTIFIC : WRONG;
            break;
        default:
            break;
        }
        entered[state]++;
    }
    *cursor = at;
    return state;
}

static uint64_t work(void) {
    uint64_t seed = 2, sum = 0;

    write_text(&seed);
    for (int state = 0; state < STATES; state++)
        entered[state] = ended[state] = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const char *cursor = text;

        while (*cursor)
            ended[token(&cursor)]++;
        text[input_next(&seed) % TEXT] ^= 1; /* and the next round has a slightly different text */
    }
    for (int state = 0; state < STATES; state++)
        sum = mix(mix(sum, entered[state]), ended[state]);
    return sum;
}

KERNEL("states", work, 0xc9ed2d5f70e45b47)

// SPDX-License-Identifier: Apache-2.0
/* A matcher of regular expressions that goes back: characters, ., [a-z], *, +, ?, ^, $, and a log that it
 * searches. */
#include "kernel.h"

enum { LINES = 60, LINE = 60 };

static char lines[LINES][LINE + 1];

static const char *const patterns[] = {
    "error", "^[a-f]+[0-9]*:", "a.*b.*c.*d$", "[0-9][0-9]?[0-9]?\\.[0-9]+", "(x|no)", "w[aeiou]*rn.*[3-7]+$"};

/* The first character behind the element that begins here. */
static const char *element_end(const char *p) {
    if (*p == '\\')
        return p + 2;
    if (*p == '[')
        while (*p != ']')
            p++;
    return p + 1;
}

static bool is_in(const char *p, char c) {
    if (*p == '\\')
        return p[1] == c;
    if (*p != '[')
        return *p == '.' || *p == c;
    for (p++; *p != ']'; p++) {
        if (p[1] == '-' && p[2] != ']') {
            if (c >= p[0] && c <= p[2])
                return true;
            p += 2;
        } else if (*p == c) {
            return true;
        }
    }
    return false;
}

/* Characters that match, or -1. */
static long match_here(const char *p, const char *const begin) {
    const char *s = begin;

    while (*p) {
        const char *const behind = element_end(p);

        if (*p == '$' && !p[1])
            return *s ? -1 : s - begin;
        if (*behind == '*' || *behind == '+' || *behind == '?') {
            const long least = *behind == '+', most = *behind == '?' ? 1 : LINE;
            long n = 0;

            while (n < most && s[n] && is_in(p, s[n]))
                n++;
            for (; n >= least; n--) {
                const long rest = match_here(behind + 1, s + n);

                if (rest >= 0)
                    return s - begin + n + rest;
            }
            return -1;
        }
        if (!*s || !is_in(p, *s))
            return -1;
        p = behind;
        s++;
    }
    return s - begin;
}

/* Where the first match begins and how long it is; 0: none. */
static uint64_t search(const char *p, const char *line) {
    if (*p == '^')
        return (uint64_t)(match_here(p + 1, line) + 1);
    for (const char *s = line;; s++) {
        const long n = match_here(p, s);

        if (n >= 0)
            return (uint64_t)(s - line) * 100 + (uint64_t)n + 1;
        if (!*s)
            return 0;
    }
}

static void write_line(char *line, uint64_t *seed) {
    static const char *const words[] = {"error", "warning",     "fade3:",  "17.25", "a",      "b",
                                        "cold",  "192.168.7.1", "noxious", "bead",  "waarn7", "(x"};
    int at = 0;

    for (;;) {
        const char *word = words[input_next(seed) % (sizeof(words) / sizeof(words[0]))];

        while (*word && at < LINE)
            line[at++] = *word++;
        if (at >= LINE - 1)
            break;
        line[at++] = ' ';
        if (input_next(seed) % 6 == 0)
            break;
    }
    line[at] = 0;
}

static uint64_t work(void) {
    uint64_t seed = 10, sum = 0;

    for (int n = 0; n < LINES; n++)
        write_line(lines[n], &seed);
    for (size_t p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++)
        for (int n = 0; n < LINES; n++)
            sum = mix(sum, search(patterns[p], lines[n]));
    return sum;
}

KERNEL("regex", work, 0xad1c900ffb27d772)

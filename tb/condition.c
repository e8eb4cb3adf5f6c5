// SPDX-License-Identifier: Apache-2.0
#include "condition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool whole_number(const char *text, int base, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, base);
    return *text != '-' && end != text && !*end && errno == 0;
}

bool condition_parse(struct condition *c, const char *option, const char *text, const struct symbols *symbols,
                     struct error *error) {
    *c = (struct condition){CONDITION_NONE, 0, NULL, 0};
    if (!text)
        return true;
    if (strncmp(text, "pc:", 3) == 0) {
        c->kind = CONDITION_PC;
        if (!whole_number(text + 3, 0, &c->value))
            return error_set(error, "%s: '%s' is not an address", option, text + 3);
    } else if (strncmp(text, "text:", 5) == 0) {
        c->kind = CONDITION_TEXT;
        c->text = text + 5;
        if (!*c->text)
            return error_set(error, "%s: no text after 'text:'", option);
    } else if (whole_number(text, 10, &c->value)) {
        c->kind = CONDITION_CYCLE;
    } else if (symbols_find(symbols, text, &c->value)) {
        c->kind = CONDITION_PC;
    } else {
        return error_set(error,
                         "%s: '%s' is not a number, pc:ADDRESS, text:TEXT or a symbol of the loaded files",
                         option, text);
    }
    return true;
}

bool condition_printed(struct condition *c, uint8_t byte) {
    if (c->kind != CONDITION_TEXT)
        return false;
    unsigned n = c->matched; /* the last n bytes were the first n of the text */
    /* The longest beginning of the text that ends with this byte */
    while (n > 0 && !(c->text[n] == (char)byte && memcmp(c->text, c->text + c->matched - n, n) == 0))
        n--;
    n += c->text[n] == (char)byte;
    const bool whole = !c->text[n];
    c->matched = whole ? 0 : n;
    return whole;
}

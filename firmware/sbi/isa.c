/* SPDX-License-Identifier: Apache-2.0 */
#include "isa.h"

#include <string.h>

uint8_t isa_of_hart[HARTS_MAX];

static const struct {
    char name[8];
    uint8_t bit;
} extensions[] = {
    {"zicbom", ISA_ZICBOM}, {"zicboz", ISA_ZICBOZ}, {"svpbmt", ISA_SVPBMT},
    {"svade", ISA_SVADE},   {"svadu", ISA_SVADU},
};

static unsigned bit_of(const char *name, unsigned size) {
    for (unsigned i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (size == strlen(extensions[i].name) && memcmp(name, extensions[i].name, size) == 0)
            return extensions[i].bit;
    return 0;
}

/* Names end with a null byte in the one property, with an underscore in the other. */
unsigned isa_read(const char *list, unsigned size) {
    unsigned found = 0, start = 0;

    for (unsigned i = 0; i < size; i++) {
        if (list[i] && list[i] != '_')
            continue;
        found |= bit_of(list + start, i - start);
        start = i + 1;
    }
    return found;
}

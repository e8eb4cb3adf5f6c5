/* SPDX-License-Identifier: Apache-2.0 */
/* Formatted output over con_putc(). */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "console.h"

void con_puts(const char *s) {
    while (*s)
        con_putc(*s++);
}

struct spec {
    bool left, zero, group;
    int width;
    bool is_long;
};

static void pad(char c, int n) {
    while (n-- > 0)
        con_putc(c);
}

static void put_field(const struct spec *spec, const char *text, int length) {
    if (!spec->left)
        pad(spec->zero ? '0' : ' ', spec->width - length);
    for (int i = 0; i < length; i++)
        con_putc(text[i]);
    if (spec->left)
        pad(' ', spec->width - length);
}

static void put_number(const struct spec *spec, uint64_t value, unsigned base, bool negative) {
    char text[32];
    char *p = text + sizeof(text);
    int digits = 0;

    do {
        if (spec->group && digits && digits % 3 == 0)
            *--p = ',';
        *--p = "0123456789abcdef"[value % base];
        value /= base;
        digits++;
    } while (value);
    if (negative)
        *--p = '-';
    put_field(spec, p, (int)(text + sizeof(text) - p));
}

static const char *parse(const char *p, struct spec *spec) {
    *spec = (struct spec){0};
    for (;; p++) {
        if (*p == '-')
            spec->left = true;
        else if (*p == '0')
            spec->zero = true;
        else if (*p == '\'')
            spec->group = true;
        else
            break;
    }
    while (*p >= '0' && *p <= '9')
        spec->width = spec->width * 10 + (*p++ - '0');
    while (*p == 'l') {
        spec->is_long = true;
        p++;
    }
    return p;
}

void con_vprintf(const char *format, va_list args) {
    for (const char *p = format; *p; p++) {
        struct spec spec;

        if (*p != '%') {
            con_putc(*p);
            continue;
        }
        p = parse(p + 1, &spec);
        if (*p == 's') {
            const char *s = va_arg(args, const char *);
            int length = 0;

            while (s[length])
                length++;
            put_field(&spec, s, length);
        } else if (*p == 'c') {
            char c = (char)va_arg(args, int);

            put_field(&spec, &c, 1);
        } else if (*p == 'd' || *p == 'i') {
            int64_t v = spec.is_long ? va_arg(args, long) : va_arg(args, int);

            put_number(&spec, v < 0 ? -(uint64_t)v : (uint64_t)v, 10, v < 0);
        } else if (*p == 'u' || *p == 'x') {
            uint64_t v = spec.is_long ? va_arg(args, unsigned long) : va_arg(args, unsigned);

            put_number(&spec, v, *p == 'x' ? 16 : 10, false);
        } else if (*p == '%') {
            con_putc('%');
        } else {
            break;
        }
    }
}

void con_printf(const char *format, ...) {
    va_list args;

    va_start(args, format);
    con_vprintf(format, args);
    va_end(args);
}

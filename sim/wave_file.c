/* SPDX-License-Identifier: Apache-2.0 */
#include "wave_file.h"

#include "fstapi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "[3:3]" is "[3]" */
static void shorten(char *name) {
    char *open = strrchr(name, '['), *colon = open ? strchr(open, ':') : NULL, *end;
    if (colon && strtol(open + 1, NULL, 10) == strtol(colon + 1, &end, 10))
        memmove(colon, end, strlen(end) + 1);
}

static bool add(struct wave *wave, size_t *room, const char *scope, const struct fstHierVar *var) {
    const char *bits = strchr(var->name, ' '); /* "name [3:0]" */
    const size_t length = bits ? (size_t)(bits - var->name) : strlen(var->name);
    const size_t size = strlen(scope) + strlen(var->name) + 2;
    if (wave->n == *room) {
        *room = 2 * *room + 1024;
        struct wave_signal *list = realloc(wave->list, *room * sizeof *list);
        if (!list)
            return false;
        wave->list = list;
    }
    char *name = malloc(size);
    if (!name)
        return false;
    snprintf(name, size, "%s%s%.*s%s", scope, *scope ? "." : "", (int)length, var->name,
             bits ? bits + 1 : "");
    shorten(name);
    wave->list[wave->n++] = (struct wave_signal){name, var->handle, var->length};
    return true;
}

static bool read_names(struct wave *wave) {
    const struct fstHier *h;
    const char *scope = "";
    size_t room = 0;
    while ((h = fstReaderIterateHier(wave->reader))) {
        if (h->htyp == FST_HT_SCOPE)
            scope = fstReaderPushScope(wave->reader, h->u.scope.name, NULL);
        else if (h->htyp == FST_HT_UPSCOPE)
            scope = fstReaderPopScope(wave->reader);
        else if (h->htyp == FST_HT_VAR && !add(wave, &room, scope ? scope : "", &h->u.var))
            return false;
    }
    return true;
}

bool wave_open(struct wave *wave, const char *path, struct error *error) {
    struct stat info;
    *wave = (struct wave){.path = path};
    if (stat(path, &info) != 0)
        return error_set(error, "%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode) || !(wave->reader = fstReaderOpen(path)))
        return error_set(error, "%s: not a wave file (FST)", path);
    wave->start = fstReaderGetStartTime(wave->reader);
    wave->end = fstReaderGetEndTime(wave->reader);
    wave->handles = fstReaderGetMaxHandle(wave->reader) + 1;
    const bool ok = read_names(wave);
    if (ok && wave->n > 0)
        return true;
    wave_close(wave);
    return error_set(error, ok ? "%s: no signals in it" : "%s: not enough memory", path);
}

void wave_close(struct wave *wave) {
    if (wave->reader)
        fstReaderClose(wave->reader);
    for (size_t i = 0; i < wave->n; i++)
        free(wave->list[i].name);
    free(wave->list);
    *wave = (struct wave){0};
}

struct receiver {
    wave_change *change;
    void *ctx;
};

static void pass(void *ctx, uint64_t time, fstHandle handle, const unsigned char *value) {
    const struct receiver *r = ctx;
    r->change(r->ctx, time, handle, (const char *)value);
}

bool wave_read(struct wave *wave, const bool *wanted, wave_change *change, void *ctx, struct error *error) {
    struct receiver receiver = {change, ctx};
    fstReaderClrFacProcessMaskAll(wave->reader);
    for (uint32_t i = 1; i < wave->handles; i++) {
        if (wanted[i])
            fstReaderSetFacProcessMask(wave->reader, i);
    }
    if (!fstReaderIterBlocks(wave->reader, pass, &receiver, NULL))
        return error_set(error, "%s: damaged", wave->path);
    return true;
}

void wave_hex(char *text, const char *value, uint32_t width) {
    const uint32_t digits = (width + 3) / 4;
    for (uint32_t i = 0; i < width; i++) {
        if (value[i] != '0' && value[i] != '1') {
            memcpy(text, value, width);
            text[width] = 0;
            return;
        }
    }
    for (uint32_t d = 0, bit = 0; d < digits; d++) {
        unsigned v = 0;
        for (const uint32_t end = width - 4 * (digits - 1 - d); bit < end; bit++)
            v = v << 1 | (value[bit] == '1');
        text[d] = "0123456789abcdef"[v];
    }
    text[digits] = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page: the files of sw/host/page, built into this program, around the profiles as JSON, which is
 * compressed, so that source and disassembly have room.
 */
#include "export.h"
#include "gzip.h"
#include "page_data.h"
#include "page_parts.h"

static void base64(struct buffer *out, const struct buffer *in) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < in->size; i += 3) {
        const size_t n = in->size - i < 3 ? in->size - i : 3;
        const uint32_t bits = (uint32_t)in->bytes[i] << 16 | (n > 1 ? (uint32_t)in->bytes[i + 1] << 8 : 0) |
                              (n > 2 ? (uint32_t)in->bytes[i + 2] : 0);
        const char text[4] = {digits[bits >> 18 & 63], digits[bits >> 12 & 63],
                              (char)(n > 1 ? digits[bits >> 6 & 63] : '='),
                              (char)(n > 2 ? digits[bits & 63] : '=')};
        buffer_add(out, text, sizeof text);
    }
}

static void list(struct buffer *out, const char *name, const char *const *texts, size_t n) {
    buffer_print(out, ",\"%s\":[", name);
    for (size_t i = 0; i < n; i++) {
        buffer_print(out, i ? ",\"" : "\"");
        buffer_json(out, texts[i]);
        buffer_print(out, "\"");
    }
    buffer_print(out, "]");
}

static void profiles(struct buffer *json, struct run *runs, size_t n, const char *objdump,
                     struct names *names) {
    struct sources *sources = sources_new();
    bool any = false;
    buffer_print(json, ",\"runs\":[");
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < runs[i].n; k++) {
            buffer_print(json, any ? ",\n" : "\n");
            page_profile(json, &runs[i], &runs[i].profiles[k], i, names);
            any = true;
        }
    }
    buffer_print(json, "],\n\"pairs\":[");
    for (size_t i = 0; i < n; i++) {
        buffer_print(json, i ? ",\n" : "\n");
        page_code(json, &runs[i], objdump, names, sources);
    }
    buffer_print(json, "],\n\"files\":");
    page_sources(json, sources, names);
    sources_free(sources);
}

void export_html(struct buffer *out, struct run *runs, size_t n, bool compare, const char *objdump) {
    const char *sources[SOURCES];
    struct names names = {0};
    struct buffer json = {0}, small = {0};
    for (unsigned i = 0; i < SOURCES; i++)
        sources[i] = source_name(i);
    buffer_print(&json, "{\"compare\":%s", compare ? "true" : "false");
    list(&json, "latencyNames", latency_names, LATENCIES);
    list(&json, "missNames", miss_names, MISSES);
    list(&json, "transferNames", transfer_names, TRANSFERS);
    list(&json, "typeNames", type_names, SAMPLE_TYPES);
    list(&json, "flushNames", flush_names, 4);
    list(&json, "sourceNames", sources, SOURCES);
    profiles(&json, runs, n, objdump, &names);
    list(&json, "names", names.list, names.n);
    buffer_print(&json, "}\n");
    gzip(&small, &json);
    buffer_add(out, page_before, page_before_size);
    base64(out, &small);
    buffer_add(out, page_behind, page_behind_size);
    buffer_free(&json);
    buffer_free(&small);
    names_free(&names);
}

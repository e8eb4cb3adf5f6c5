/* SPDX-License-Identifier: Apache-2.0 */
#include "gzip.h"

#include <zlib.h>

void gzip(struct buffer *out, const struct buffer *in) {
    z_stream z = {.next_in = in->bytes, .avail_in = (uInt)in->size};
    uint8_t part[16384];
    int status;
    if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    do {
        z.next_out = part;
        z.avail_out = sizeof part;
        status = deflate(&z, Z_FINISH);
        buffer_add(out, part, sizeof part - z.avail_out);
    } while (status == Z_OK);
    deflateEnd(&z);
}

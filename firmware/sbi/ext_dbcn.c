/* SPDX-License-Identifier: Apache-2.0 */
/* Debug console. */
#include "console.h"
#include "memory_map.h"
#include "sbi.h"

/* A call serves no more, so that interrupts do not wait for long; it may answer with fewer bytes than asked
 * for. */
enum { BYTES_MAX = 256 };

static struct sbiret write_bytes(unsigned long count, unsigned long lo, unsigned long hi) {
    char bytes[BYTES_MAX];
    uintptr_t at;

    if (!count)
        return sbi_value(0);
    if (!memory_map_shared(lo, hi, count, &at))
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (count > BYTES_MAX)
        count = BYTES_MAX;
    if (!shared_read(bytes, at, count))
        return sbi_error(SBI_ERR_FAILED);
    for (unsigned long i = 0; i < count; i++)
        con_putc(bytes[i]);
    return sbi_value(count);
}

static struct sbiret read_bytes(unsigned long count, unsigned long lo, unsigned long hi) {
    unsigned char bytes[BYTES_MAX];
    unsigned long i = 0;
    uintptr_t at;
    int c;

    if (!count)
        return sbi_value(0);
    if (!memory_map_shared(lo, hi, count, &at))
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (count > BYTES_MAX)
        count = BYTES_MAX;
    /* Bytes that cannot be delivered must not be taken from the console. */
    if (!shared_page(at) || !shared_page(at + count - 1))
        return sbi_error(SBI_ERR_FAILED);
    while (i < count && (c = con_getc()) >= 0)
        bytes[i++] = (unsigned char)c;
    return shared_write(at, bytes, i) ? sbi_value(i) : sbi_error(SBI_ERR_FAILED);
}

struct sbiret dbcn_call(SBI_ARGUMENTS) {
    SBI_UNUSED;
    switch (fid) {
    case 0:
        return write_bytes(a0, a1, a2);
    case 1:
        return read_bytes(a0, a1, a2);
    case 2:
        con_putc((char)a0);
        return sbi_value(0);
    default:
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    }
}

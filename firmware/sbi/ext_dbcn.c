/* SPDX-License-Identifier: Apache-2.0 */
/* Debug console. */
#include "console.h"
#include "memory_map.h"
#include "sbi.h"

static struct sbiret write_bytes(unsigned long count, unsigned long lo, unsigned long hi) {
    uintptr_t at;

    if (!count)
        return sbi_value(0);
    if (!memory_map_shared(lo, hi, count, &at))
        return sbi_error(SBI_ERR_INVALID_PARAM);
    for (unsigned long i = 0; i < count; i++)
        con_putc(((const char *)at)[i]);
    return sbi_value(count);
}

static struct sbiret read_bytes(unsigned long count, unsigned long lo, unsigned long hi) {
    unsigned long i = 0;
    uintptr_t at;
    int c;

    if (!count)
        return sbi_value(0);
    if (!memory_map_shared(lo, hi, count, &at))
        return sbi_error(SBI_ERR_INVALID_PARAM);
    while (i < count && (c = con_getc()) >= 0)
        ((char *)at)[i++] = (char)c;
    return sbi_value(i);
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

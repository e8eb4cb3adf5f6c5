// SPDX-License-Identifier: Apache-2.0
/*
 * Main memory, and the reservation that LR makes in it.
 */
#include "hart_internal.h"

bool gh_in_ram(const struct gh *h, uint64_t pa, unsigned size) {
    return pa >= h->cfg.ram_base && pa - h->cfg.ram_base <= h->cfg.ram_size - size;
}

uint64_t gh_ram_read(const struct gh *h, uint64_t pa, unsigned size) {
    return read_bytes(ram_at(h, pa), size);
}

void gh_ram_write(struct gh *h, uint64_t pa, unsigned size, uint64_t value) {
    write_bytes(ram_at(h, pa), size, value);
}

void gh_reservation_break(struct gh *h, uint64_t addr) {
    if (h->reserved_line == line_of(addr))
        h->reserved = false;
}

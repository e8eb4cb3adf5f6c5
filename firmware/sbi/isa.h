/* SPDX-License-Identifier: Apache-2.0 */
/* Extensions that a hart's list in the device tree names, as far as the firmware turns them on (menvcfg). */
#ifndef FW_ISA_H
#define FW_ISA_H

#include <stdint.h>

#include "platform.h"

enum isa {
    ISA_ZICBOM = 1 << 0,
    ISA_ZICBOZ = 1 << 1,
    ISA_SVPBMT = 1 << 2,
    ISA_SVADE = 1 << 3,
    ISA_SVADU = 1 << 4,
};

/* ISA_* of each hart by id */
extern uint8_t isa_of_hart[HARTS_MAX];

/* ISA_* of a list of `size` bytes: riscv,isa-extensions or riscv,isa. */
unsigned isa_read(const char *list, unsigned size);

#endif

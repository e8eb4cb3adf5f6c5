/* SPDX-License-Identifier: Apache-2.0 */
#include "console.h"

#include <stdint.h>

#include "platform.h"

enum { UART_DATA = 0, UART_IER = 1, UART_FCR = 2, UART_LCR = 3, UART_LSR = 5 };
uintptr_t con_base = UART_BASE;

enum { LCR_8N1 = 3, FCR_ENABLE = 1, LSR_DATA_READY = 1, LSR_THR_EMPTY = 0x20 };

void con_init(void) {
    write8(con_base + UART_IER, 0);
    write8(con_base + UART_LCR, LCR_8N1);
    write8(con_base + UART_FCR, FCR_ENABLE);
}

void con_putc(char c) {
    while (!(read8(con_base + UART_LSR) & LSR_THR_EMPTY))
        ;
    write8(con_base + UART_DATA, (uint8_t)c);
}

int con_getc(void) { return read8(con_base + UART_LSR) & LSR_DATA_READY ? read8(con_base + UART_DATA) : -1; }

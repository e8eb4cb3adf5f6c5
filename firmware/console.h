/* SPDX-License-Identifier: Apache-2.0 */
/* The console: a 16550 UART, polled. */
#ifndef FW_CONSOLE_H
#define FW_CONSOLE_H

#include <stdarg.h>
#include <stdint.h>

extern uintptr_t con_base; /* where the UART is; UART_BASE if nobody says otherwise */

void con_init(void);
void con_putc(char c);
void con_puts(const char *s);
int con_getc(void); /* -1: nothing there */

/* %d %i %u %x %c %s %% with -, 0, ', width and l or ll; `'` groups digits by three. */
__attribute__((format(printf, 1, 2))) void con_printf(const char *format, ...);
void con_vprintf(const char *format, va_list args);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static uint64_t last_context[3];

void context(uint64_t a, uint64_t b, uint64_t c) {
    last_context[0] = a;
    last_context[1] = b;
    last_context[2] = c;
}

static void put(char c) {
    while (!(read8(UART_BASE + 5) & 0x20))
        ;
    write8(UART_BASE, (uint8_t)c);
}

static void put_text(const char *s) {
    while (*s)
        put(*s++);
}

static void put_hex(const char *name, uint64_t v) {
    put_text(name);
    for (int i = 60; i >= 0; i -= 4)
        if (i == 0 || v >> i)
            put("0123456789abcdef"[v >> i & 15]);
}

static void put_decimal(unsigned v) {
    if (v >= 10)
        put_decimal(v / 10);
    put((char)('0' + v % 10));
}

__attribute__((noreturn)) static void finish(uint32_t word) {
    __asm__ volatile("csrci mstatus, 8; csrw mie, zero");
    write32(FINISHER_BASE, word);
    for (;;)
        __asm__ volatile("wfi");
}

void pass(void) { finish(FINISHER_PASS); }

static const char *rule;

void rule_begins(const char *name) { rule = name; }

static void put_rule(void) {
    if (rule) {
        put_text(rule);
        put_text(": ");
    }
}

void fail_at(unsigned line, uint64_t found, uint64_t expected) {
    put_rule();
    put_text("line ");
    put_decimal(line);
    put_hex(": found ", found);
    put_hex(", expected ", expected);
    put_hex("; context ", last_context[0]);
    put_hex(" ", last_context[1]);
    put_hex(" ", last_context[2]);
    put('\n');
    finish(FINISHER_FAIL | line << 16);
}

void test_unexpected(uint64_t cause, uint64_t epc, uint64_t tval) {
    put_rule();
    put_hex("unexpected trap: cause ", cause);
    put_hex(", epc ", epc);
    put_hex(", tval ", tval);
    put_hex("; context ", last_context[0]);
    put_hex(" ", last_context[1]);
    put_hex(" ", last_context[2]);
    put('\n');
    finish(FINISHER_FAIL | 0xff00u << 16);
}

void open_memory(void) {
    csr_write(pmpaddr0, UINT64_MAX >> 10);
    csr_write(pmpcfg0, 0x1f);
    csr_write(stvec, (uintptr_t)s_trap);
}

bool is_tally(void) { return csr_read(mimpid) == TALLY_MIMPID_RESET; }

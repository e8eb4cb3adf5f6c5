// SPDX-License-Identifier: Apache-2.0
#include "gdb_state.h"

#include "tally_names.h"
#include "tally_spec.h"

#include <string.h>

enum { M_MODE = 3, PTE_V = 1, PTE_LEAF = 14, SATP_MODE_LSB = 60, SV39 = 8, SV39_LEVELS = 3 };

bool gdb_state_csr(const struct gdb_machine *m, unsigned hart, unsigned num, uint64_t *value) {
    const struct gp_csr read = {.valid = true, .priv = GP_M, .num = (uint16_t)num};
    const struct gp_env env = {.time = 0};
    uint64_t ignored;
    bool ok;
    *value = gh_csr_peek(m->hart[hart], num, &ok);
    if (ok)
        return true;
    if (num == TALLY_CSR_TIME || gp_csr_answer(m->pmu[hart], &read, &env, &ignored) != GP_CSR_OK)
        return false;
    *value = gp_peek(m->pmu[hart], num);
    return true;
}

static bool in_ram(const struct gdb_machine *m, uint64_t address) {
    return address >= SOC_RAM_BASE && address - SOC_RAM_BASE < m->ram_size;
}

static bool in_rom(uint64_t address) {
    return address >= SOC_ROM_BASE && address - SOC_ROM_BASE < 8 * SOC_ROM_WORDS;
}

/* Walk the page tables of satp. */
static bool walk(const struct gdb_machine *m, uint64_t satp, uint64_t address, uint64_t *physical) {
    uint64_t table = (satp & ((1ull << 44) - 1)) << 12, pte;
    for (unsigned level = SV39_LEVELS; level-- > 0;) {
        const unsigned low = 12 + 9 * level;
        const uint64_t at = table + 8 * (address >> low & 511);
        if (!in_ram(m, at))
            return false;
        memcpy(&pte, m->ram + (at - SOC_RAM_BASE), sizeof pte);
        table = (pte >> 10 & ((1ull << 44) - 1)) << 12;
        if (!(pte & PTE_V))
            return false;
        if (pte & PTE_LEAF) {
            *physical = table + (address & ((1ull << low) - 1));
            return true;
        }
    }
    return false;
}

static bool translate(const struct gdb_machine *m, unsigned hart, uint64_t address, uint64_t *physical) {
    uint64_t satp = 0;
    *physical = address;
    gdb_state_csr(m, hart, TALLY_CSR_SATP, &satp);
    if (satp >> SATP_MODE_LSB != SV39)
        return true;
    if (gh_priv(m->hart[hart]) == M_MODE && (in_ram(m, address) || in_rom(address)))
        return true;
    return walk(m, satp, address, physical);
}

bool gdb_state_ram(const struct gdb_machine *m, unsigned hart, uint64_t address, uint64_t *offset) {
    uint64_t physical;
    if (!translate(m, hart, address, &physical) || !in_ram(m, physical))
        return false;
    *offset = physical - SOC_RAM_BASE;
    return true;
}

bool gdb_state_byte(const struct gdb_machine *m, unsigned hart, uint64_t address, uint8_t *byte) {
    uint64_t physical;
    if (!translate(m, hart, address, &physical))
        return false;
    if (in_ram(m, physical)) {
        *byte = m->ram[physical - SOC_RAM_BASE];
        return true;
    }
    if (!in_rom(physical))
        return false;
    const uint64_t offset = physical - SOC_ROM_BASE;
    *byte = (uint8_t)(m->rom[offset / 8] >> 8 * (offset % 8));
    return true;
}

bool gdb_state_describe(const struct gdb_machine *m, FILE *f) {
    fputs("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
          "<architecture>riscv:rv64</architecture><feature name=\"org.gnu.gdb.riscv.cpu\">",
          f);
    static const char *const names[GDB_GENERAL] = {"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp",
                                                   "s1",   "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
                                                   "s2",   "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10",
                                                   "s11",  "t3", "t4", "t5", "t6", "pc"};
    for (unsigned i = 0; i < GDB_GENERAL; i++)
        fprintf(f, "<reg name=\"%s\" bitsize=\"64\" regnum=\"%u\" type=\"%s\"/>", names[i], i,
                i == GDB_PC        ? "code_ptr"
                : i >= 2 && i <= 4 ? "data_ptr"
                                   : "int");
    fprintf(
        f,
        "</feature><feature name=\"org.gnu.gdb.riscv.virtual\">"
        "<reg name=\"priv\" bitsize=\"64\" regnum=\"%d\"/></feature><feature name=\"org.gnu.gdb.riscv.csr\">",
        GDB_MODE);
    for (size_t i = 0; i < sizeof tally_registers / sizeof *tally_registers; i++) {
        const struct tally_register *r = &tally_registers[i];
        uint64_t value;
        if (r->number < TALLY_NO_NUMBER && gdb_state_csr(m, 0, r->number, &value))
            fprintf(f, "<reg name=\"%s\" bitsize=\"64\" regnum=\"%u\" group=\"csr\"/>", r->name,
                    GDB_CSR + r->number);
    }
    fputs("</feature></target>", f);
    return fflush(f) == 0;
}

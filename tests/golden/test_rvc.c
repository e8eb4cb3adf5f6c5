// SPDX-License-Identifier: Apache-2.0
/*
 * Compressed instructions: expansion against a table from another assembler, the number of legal encodings,
 * and that a compressed instruction has the effects of its expansion.
 */
#include "rig.h"
#include "rvc_table.h"

static void test_table(const struct row *row, unsigned rows, unsigned xlen) {
    for (unsigned i = 0; i < rows; i++)
        CHECK_EQ(gh_rvc_expand(xlen, row[i].compressed), row[i].expanded, "0x%04x, RV%u", row[i].compressed,
                 xlen);
}

static unsigned legal_encodings(unsigned xlen) {
    unsigned n = 0;
    for (unsigned i = 0; i < 65536; i++)
        n += gh_rvc_expand(xlen, (uint16_t)i) != 0;
    return n;
}

static void test_execution(struct rig *r) {
    const struct gh_retire *out;

    rig_set_reg(r, 10, 40);
    out = rig_exec(r, 0x0509); /* c.addi a0, 2 */
    CHECK_EQ(out->rd_value, 42, "c.addi");
    CHECK_EQ(out->insn, 0x0509, "raw bits are reported, not the expansion");
    CHECK_EQ(out->next_pc, out->pc + 2, "c.addi is two bytes long");
    out = rig_exec(r, 0x0000);
    CHECK_EQ(out->cause, TALLY_EXC_ILLEGAL, "0x0000 is illegal by definition");
    CHECK_EQ(out->tval, 0, "tval has the 16 bits");
    out = rig_exec(r, 0x12342000); /* c.fld: no D here */
    CHECK_EQ(out->cause, TALLY_EXC_ILLEGAL, "c.fld");
    CHECK_EQ(out->tval, 0x2000, "tval has the 16 bits");
    out = rig_exec(r, 0x9002);
    CHECK_EQ(out->cause, TALLY_EXC_BREAKPOINT, "c.ebreak");
    CHECK_EQ(out->tval, RIG_RAM + 0x100, "tval of a breakpoint is its pc");
}

/* All 16-bit encodings: the compressed form and its expansion leave the same state, apart from length and
 * link. */
static void test_equivalence(struct rig *c, struct rig *x) {
    for (unsigned i = 0; i < 65536; i++) {
        uint32_t expanded = gh_rvc_expand(c->h->cfg.xlen, (uint16_t)i);
        if (!expanded)
            continue;
        for (unsigned reg = 1; reg < 32; reg++) {
            uint64_t value = RIG_RAM + 0x8000 + reg * 0x98;
            rig_set_reg(c, reg, value);
            rig_set_reg(x, reg, value);
        }
        rig_exec(c, i);
        rig_exec(x, expanded);
        if (c->out.next_pc == c->out.pc + 2 && x->out.next_pc == x->out.pc + 4)
            x->out.next_pc -= 2;
        if ((expanded & 0x77) == 0x67 && c->out.rd_we)
            x->out.rd_value -= 2;
        CHECK_EQ(c->out.trap, x->out.trap, "0x%04x", i);
        CHECK_EQ(c->out.next_pc, x->out.next_pc, "0x%04x", i);
        CHECK_EQ(c->out.rd_we, x->out.rd_we, "0x%04x", i);
        CHECK_EQ(c->out.rd_value, x->out.rd_value, "0x%04x", i);
        CHECK_EQ(c->out.mem, x->out.mem, "0x%04x", i);
        CHECK_EQ(c->out.mem_vaddr, x->out.mem_vaddr, "0x%04x", i);
        CHECK_EQ(c->out.mem_wdata, x->out.mem_wdata, "0x%04x", i);
    }
}

/* A 32-bit instruction may begin at any even address, and cross lines and pages. */
static void test_alignment(struct rig *r) {
    static const uint64_t at[] = {0x102, 0x13E, 0xFFE, 0x1FFE};
    for (unsigned i = 0; i < sizeof at / sizeof at[0]; i++) {
        const struct gh_retire *out = rig_exec_at(r, RIG_RAM + at[i], 0x7FF00293); /* li t0, 2047 */
        CHECK_EQ(out->rd_value, 2047, "at offset 0x%llx", (unsigned long long)at[i]);
        CHECK_EQ(out->next_pc, RIG_RAM + at[i] + 4, "at offset 0x%llx", (unsigned long long)at[i]);
    }
}

int main(void) {
    struct rig a, b;

    test_table(rvc64, sizeof rvc64 / sizeof rvc64[0], 64);
    test_table(rvc32, sizeof rvc32 / sizeof rvc32[0], 32);
    CHECK_EQ(legal_encodings(64), 38551, "RV64 legal encodings");
    CHECK_EQ(legal_encodings(32), 28823, "RV32 legal encodings");
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        rig_open(&a, xlen, false);
        rig_open(&b, xlen, false);
        test_execution(&a);
        test_alignment(&a);
        test_equivalence(&a, &b);
        rig_close(&a);
        rig_close(&b);
    }
    return rig_result("rvc");
}

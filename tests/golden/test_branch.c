// SPDX-License-Identifier: Apache-2.0
/*
 * Control transfers: conditional branches on pairs of corner values, jumps and links.
 */
#include "alu_reference.h"
#include "rig.h"

static void test_branches(struct rig *r) {
    unsigned w = r->h->cfg.xlen;
    const uint64_t pc = RIG_RAM + 0x100;

    for (unsigned j = 0; j < CORNERS; j++)
        for (unsigned k = 0; k < CORNERS; k++) {
            uint64_t a = cut(corner[j], w), b = cut(corner[k], w);
            bool lt = ref_less(a, b, w, true), ltu = ref_less(a, b, w, false),
                 eq = ref_logic(a, b, w, 6) == 0;
            bool taken[8] = {eq, !eq, false, false, lt, !lt, ltu, !ltu};
            rig_set_reg(r, 1, a);
            rig_set_reg(r, 2, b);
            for (unsigned f3 = 0; f3 < 8; f3++) {
                const struct gh_retire *out = rig_exec(r, enc_r(0x63, f3, 0x7F, 0x1D, 1, 2)); /* -4 */
                if (f3 == 2 || f3 == 3)
                    CHECK_EQ(out->cause, TALLY_EXC_ILLEGAL, "branch funct3 %u", f3);
                else
                    CHECK_EQ(out->next_pc, taken[f3] ? pc - 4 : pc + 4, "branch funct3 %u of %llx, %llx", f3,
                             (unsigned long long)a, (unsigned long long)b);
            }
        }
    rig_set_reg(r, 1, 0);
    CHECK_EQ(rig_exec(r, enc_r(0x63, 0, 0x3F, 0x1F, 0, 0))->next_pc, pc + 0xFFE, "furthest branch forward");
    CHECK_EQ(rig_exec(r, enc_r(0x63, 0, 0x40, 0, 0, 0))->next_pc, pc - 0x1000, "furthest branch back");
}

static void test_jumps(struct rig *r) {
    const uint64_t pc = RIG_RAM + 0x100;
    const struct gh_retire *out;

    out = rig_exec(r, 0x7FFFF0EF); /* jal ra, +0xFFFFE */
    CHECK_EQ(out->next_pc, pc + 0xFFFFE, "jal");
    CHECK_EQ(out->rd_value, pc + 4, "jal links");
    CHECK_EQ(rig_exec(r, 0x800000EF)->next_pc, cut(pc - 0x100000, r->h->cfg.xlen), "jal back");
    rig_set_reg(r, 1, RIG_RAM + 0x803);
    out = rig_exec(r, enc_i(0x67, 0, 1, 1, -2)); /* jalr ra, -2(ra): source = destination, odd target */
    CHECK_EQ(out->next_pc, RIG_RAM + 0x800, "jalr clears bit 0");
    CHECK_EQ(out->rd_value, pc + 4, "jalr links after reading");
    CHECK_EQ(rig_exec(r, enc_i(0x67, 1, 1, 1, 0))->cause, TALLY_EXC_ILLEGAL, "jalr funct3 1");
    /* compressed link: c.jalr */
    rig_set_reg(r, 5, RIG_RAM + 0x40);
    out = rig_exec(r, 0x9282);
    CHECK_EQ(out->next_pc, RIG_RAM + 0x40, "c.jalr");
    CHECK_EQ(gh_reg(r->h, 1), pc + 2, "c.jalr links to the next halfword");
}

int main(void) {
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct rig r;
        rig_open(&r, xlen, false);
        test_branches(&r);
        test_jumps(&r);
        rig_close(&r);
    }
    return rig_result("branch");
}

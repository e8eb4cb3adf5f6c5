// SPDX-License-Identifier: Apache-2.0
/* Registers that instructions read and write (tb/operands.h): one of each format, and those that need care.
 */
#include "operands.h"

#include <stdio.h>

static const struct {
    const char *text;
    uint32_t bits;
    struct operands regs; /* rd, rs1, rs2 */
} cases[] = {
    {"add a0, a1, a2", 0x00C58533, {10, 11, 12}},
    {"subw s2, s3, s4", 0x4149893B, {18, 19, 20}},
    {"mulhu t0, t1, t2", 0x027332B3, {5, 6, 7}},
    {"sh1add a0, a1, a2", 0x20C5A533, {10, 11, 12}},
    {"addi a0, a1, 31", 0x01F58513, {10, 11, 0}},
    {"slliw a0, a1, 5", 0x0055951B, {10, 11, 0}},
    {"clz a0, a1", 0x60059513, {10, 11, 0}},
    {"rori a0, a1, 33", 0x6215D513, {10, 11, 0}},
    {"lui a0, 0xfffff", 0xFFFFF537, {10, 0, 0}},
    {"auipc ra, 0xfffff", 0xFFFFF097, {1, 0, 0}},
    {"jal ra, .", 0x000000EF, {1, 0, 0}},
    {"jalr ra, -1(a5)", 0xFFF780E7, {1, 15, 0}},
    {"ld a0, 8(sp)", 0x00813503, {10, 2, 0}},
    {"sd a0, 8(sp)", 0x00A13423, {0, 2, 10}},
    {"bne a3, a4, .", 0x00E69063, {0, 13, 14}},
    {"amoadd.w a0, a1, (a2)", 0x00B6252F, {10, 12, 11}},
    {"lr.d a0, (a2)", 0x1006352F, {10, 12, 0}},
    {"sc.d a0, a1, (a2)", 0x18B6352F, {10, 12, 11}},
    {"fence iorw, iorw", 0x0FF0000F, {0, 0, 0}},
    {"fence.i", 0x0000100F, {0, 0, 0}},
    {"csrrw a0, cycle, a1", 0xC0059573, {10, 11, 0}},
    {"csrrs zero, mscratch, t6", 0x340FA073, {0, 31, 0}},
    {"csrrci a0, mscratch, 31", 0x340FF573, {10, 0, 0}},
    {"ecall", 0x00000073, {0, 0, 0}},
    {"ebreak", 0x00100073, {0, 0, 0}},
    {"mret", 0x30200073, {0, 0, 0}},
    {"wfi", 0x10500073, {0, 0, 0}},
    {"sfence.vma a0, a1", 0x12B50073, {0, 10, 11}},
    {"uebret 1", 0x8C100073, {0, 0, 0}},
    {"c.addi4spn a0, sp, 16", 0x0808, {10, 2, 0}},
    {"c.lw a4, 4(a5)", 0x43D8, {14, 15, 0}},
    {"c.sd a4, 8(a5)", 0xE798, {0, 15, 14}},
    {"c.nop", 0x0001, {0, 0, 0}},
    {"c.addi a0, -1", 0x157D, {10, 10, 0}},
    {"c.addiw a0, -1", 0x357D, {10, 10, 0}},
    {"c.li a0, 17", 0x4545, {10, 0, 0}},
    {"c.addi16sp sp, 32", 0x6105, {2, 2, 0}},
    {"c.lui a0, 1", 0x6505, {10, 0, 0}},
    {"c.srai a0, 3", 0x850D, {10, 10, 0}},
    {"c.subw a0, a1", 0x9D0D, {10, 10, 11}},
    {"c.j .", 0xA001, {0, 0, 0}},
    {"c.beqz a0, .", 0xC101, {0, 10, 0}},
    {"c.slli a0, 3", 0x050E, {10, 10, 0}},
    {"c.ldsp a0, 8(sp)", 0x6522, {10, 2, 0}},
    {"c.jr a5", 0x8782, {0, 15, 0}},
    {"c.mv a0, a1", 0x852E, {10, 0, 11}},
    {"c.ebreak", 0x9002, {0, 0, 0}},
    {"c.jalr a5", 0x9782, {1, 15, 0}},
    {"c.add a0, a1", 0x952E, {10, 10, 11}},
    {"c.sdsp a0, 8(sp)", 0xE42A, {0, 2, 10}},
};

int main(void) {
    int wrong = 0;

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct operands want = cases[i].regs, got = operands_of(cases[i].bits);

        if (got.rd == want.rd && got.rs1 == want.rs1 && got.rs2 == want.rs2)
            continue;
        printf("%s: rd %d rs1 %d rs2 %d, not %d %d %d\n", cases[i].text, want.rd, want.rs1, want.rs2, got.rd,
               got.rs1, got.rs2);
        wrong++;
    }
    return wrong != 0;
}

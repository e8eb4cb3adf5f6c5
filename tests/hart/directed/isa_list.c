/* SPDX-License-Identifier: Apache-2.0 */
/* The device tree's list of extensions is that of the hart: listed extensions exist, and those that a
 * register or an instruction shows are listed. The old string is made of the same list. */
#include "test.h"

#include <string.h>

enum { ROM_TREE = 0x1000 + 32, TREE_SIZE = 1 << 16, LIST_MAX = 64 };

/* --- probes --- */

static bool has_letter(char letter) { return csr_read(misa) >> (letter - 'A') & 1; }

static bool has_a(void) { return has_letter('A'); }
static bool has_c(void) { return has_letter('C'); }
static bool has_d(void) { return has_letter('D'); }
static bool has_f(void) { return has_letter('F'); }
static bool has_h(void) { return has_letter('H'); }
static bool has_i(void) { return has_letter('I'); }
static bool has_m(void) { return has_letter('M'); }
static bool has_v(void) { return has_letter('V'); }

#define HAS_CSR(name, csr)                                                                                   \
    static bool has_##name(void) { return csr_exists(csr); }
HAS_CSR(zicntr, cycle)
HAS_CSR(zihpm, TALLY_CSR_HPMCOUNTER3)
HAS_CSR(smcntrpmf, TALLY_CSR_MCYCLECFG)
HAS_CSR(smcsrind, TALLY_CSR_MISELECT)
HAS_CSR(smstateen, TALLY_CSR_MSTATEEN0)
HAS_CSR(sscofpmf, TALLY_CSR_SCOUNTOVF)
HAS_CSR(sscsrind, TALLY_CSR_SISELECT)
HAS_CSR(sstc, TALLY_CSR_STIMECMP)
HAS_CSR(smepmp, TALLY_CSR_MSECCFG)
HAS_CSR(smctr, 0x34e)
HAS_CSR(smrnmi, 0x740)
HAS_CSR(smaia, 0x35c)
HAS_CSR(zcmt, 0x017)
HAS_CSR(xtallyebb, TALLY_CSR_MEBBCTL)

#define HAS_INSTRUCTION(name, text)                                                                          \
    static bool has_##name(void) {                                                                           \
        unsigned long value = 0;                                                                             \
        return csr_try_(text, value);                                                                        \
    }
HAS_INSTRUCTION(zicsr, "csrr %0, mscratch")
HAS_INSTRUCTION(zifencei, "fence.i")
HAS_INSTRUCTION(zba, ".insn r 0x33, 2, 0x10, %0, %0, %0")   /* sh1add */
HAS_INSTRUCTION(zbb, ".insn r 0x33, 7, 0x20, %0, %0, %0")   /* andn */
HAS_INSTRUCTION(zbs, ".insn r 0x33, 1, 0x14, %0, %0, %0")   /* bset */
HAS_INSTRUCTION(zbc, ".insn r 0x33, 1, 0x05, %0, %0, %0")   /* clmul */
HAS_INSTRUCTION(zicond, ".insn r 0x33, 5, 7, %0, %0, %0")   /* czero.eqz */
HAS_INSTRUCTION(zacas, ".insn r 0x2f, 2, 0x14, %0, sp, sp") /* amocas.w */
HAS_INSTRUCTION(svinval, ".4byte 0x18000073")               /* sfence.w.inval */

static bool holds_in_menvcfg(uint64_t bit) {
    const uint64_t was = csr_read(menvcfg);
    bool held;

    csr_write(menvcfg, bit);
    held = csr_read(menvcfg) & bit;
    csr_write(menvcfg, was);
    return held;
}

static bool has_smcdeleg(void) { return holds_in_menvcfg(TALLY_MENVCFG_CDE_MASK); }
static bool has_svadu(void) { return holds_in_menvcfg(TALLY_MENVCFG_ADUE_MASK); }
static bool has_svpbmt(void) { return holds_in_menvcfg(1ull << 62); }
static bool has_zicbom(void) { return holds_in_menvcfg(1ull << 6); }
static bool has_zicboz(void) { return holds_in_menvcfg(1ull << 7); }
static bool has_ssdbltrp(void) { return holds_in_menvcfg(1ull << 59); }
static bool has_zicfilp(void) { return holds_in_menvcfg(1ull << 2); }
static bool has_zicfiss(void) { return holds_in_menvcfg(1ull << 3); }

/* tselect of a hart without triggers is 0, and so is tdata1. */
static bool has_sdtrig(void) { return csr_exists(0x7a0) && csr_read(0x7a1) != 0; }

static bool has_ssccfg(void) {
    bool there;

    csr_set(menvcfg, TALLY_MENVCFG_CDE_MASK);
    there = csr_exists(TALLY_CSR_SCOUNTINHIBIT);
    csr_clear(menvcfg, TALLY_MENVCFG_CDE_MASK);
    return there;
}

static bool has_sscounterenw(void) {
    csr_write(scounteren, ~0u);
    return csr_read(scounteren) == 0xffffffff; /* every counter of this hart exists */
}

static const struct {
    const char *name;
    bool (*there)(void);
} known[] = {
#define KNOWN(name)                                                                                          \
    { #name, has_##name }
    KNOWN(i),         KNOWN(m),
    KNOWN(a),         KNOWN(c),
    KNOWN(f),         KNOWN(d),
    KNOWN(h),         KNOWN(v),
    KNOWN(zicntr),    KNOWN(zicsr),
    KNOWN(zifencei),  KNOWN(zihpm),
    KNOWN(zba),       KNOWN(zbb),
    KNOWN(zbs),       KNOWN(zbc),
    KNOWN(zicond),    KNOWN(zacas),
    KNOWN(zicbom),    KNOWN(zicboz),
    KNOWN(zicfilp),   KNOWN(zicfiss),
    KNOWN(zcmt),      KNOWN(smcdeleg),
    KNOWN(smcntrpmf), KNOWN(smcsrind),
    KNOWN(smstateen), KNOWN(smepmp),
    KNOWN(smctr),     KNOWN(smrnmi),
    KNOWN(smaia),     KNOWN(ssccfg),
    KNOWN(sscofpmf),  KNOWN(sscounterenw),
    KNOWN(sscsrind),  KNOWN(sstc),
    KNOWN(ssdbltrp),  KNOWN(sdtrig),
    KNOWN(svadu),     KNOWN(svinval),
    KNOWN(svpbmt),    KNOWN(xtallyebb),
};

/* --- the list --- */

/* riscv,isa-extensions begins with "i" and a null byte, riscv,isa with rv64im. */
static const char *find(const char *tree, const char *what, size_t size) {
    for (const char *at = tree; at < tree + TREE_SIZE - size; at++)
        if (!memcmp(at, what, size))
            return at;
    return NULL;
}

static bool in_list(const char *list, const char *name) {
    for (; *list; list += strlen(list) + 1)
        if (!strcmp(list, name))
            return true;
    return false;
}

static bool is_known(const char *name) {
    for (unsigned i = 0; i < COUNT(known); i++)
        if (!strcmp(known[i].name, name))
            return true;
    return false;
}

/* rv64imac_zicntr_...: letters first, the others behind underscores */
static void check_string(const char *string, const char *list) {
    for (string += 4; *list; list += strlen(list) + 1) {
        const size_t n = strlen(list);

        if (n > 1 && *string == '_')
            string++;
        CHECK(!strncmp(string, list, n));
        string += n;
    }
    CHECK_EQ(*string, 0);
}

void test_main(void) {
    const char *const tree = (const char *)read64(ROM_TREE);
    const char *const list = find(tree, "i\0m\0a\0", 6), *const string = find(tree, "rv64im", 6);

    CHECK(list != NULL && string != NULL);
    for (const char *name = list; *name; name += strlen(name) + 1) {
        context((uint64_t)(name - list), (uint64_t)name[0] << 8 | (uint8_t)name[1], 0);
        CHECK(is_known(name));
    }
    for (unsigned i = 0; i < COUNT(known); i++) {
        context(i, 0, 0);
        CHECK_EQ(in_list(list, known[i].name), known[i].there());
    }
    check_string(string, list);
    pass();
}

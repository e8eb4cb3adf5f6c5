// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model of the reference hart: an instruction-set simulator in plain C11.
 *
 * One call of gh_step() executes one instruction, takes one trap, or delivers one event-based branch. It is
 * written from the ISA manuals and docs/hart.md
 * ("Rules that the golden model relies on"), never from the RTL. Facts that depend on the machine come
 * through `struct gh_host` or `struct gh_hint`; the model decides everything else.
 */
#ifndef TALLY_HART_H
#define TALLY_HART_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gh; /* one hart */
struct tally_state;

enum gh_csr_answer { GH_CSR_OK, GH_CSR_ILLEGAL, GH_CSR_VIRTUAL, GH_CSR_NOT_MINE };

/* Services of the machine around the hart. `ctx` is passed back unchanged. */
struct gh_host {
    void *ctx;
    /* Device access at physical address `addr` (outside main memory), `size` 1, 2, 4 or 8 bytes, naturally
     * aligned. false: access fault. */
    bool (*dev_load)(void *ctx, uint64_t addr, unsigned size, uint64_t *value);
    bool (*dev_store)(void *ctx, uint64_t addr, unsigned size, uint64_t value);
    /* May instructions be fetched here (boot ROM)? Fetch uses dev_load. */
    bool (*dev_exec)(void *ctx, uint64_t addr);
    /* An access to a CSR that the PMU may own. op: 0 read only, 1 write, 2 set, 3 clear. `rdata` is the old
     * value. */
    enum gh_csr_answer (*pmu_csr)(void *ctx, unsigned num, unsigned op, uint64_t wdata, unsigned priv,
                                  uint64_t *rdata);
    /* mtime, for Sstc's comparison. Not asked in lockstep; may be NULL there (see gh_set_mip). */
    uint64_t (*time)(void *ctx);
    /* docs/rulings.md, Event-based branches; both NULL: there are none, and uebret is illegal.
     * ebb: is a branch to be delivered before the next instruction, in this mode? `target` is where to. The
     * model delivers it unless it takes an interrupt: it asks once a step at most, and true is an answer that
     * is acted on.
     * uebret: may it be executed in this mode? `target` is where it goes; `ge` its operand. Asked when it is
     * executed; OK is acted on. */
    bool (*ebb)(void *ctx, unsigned priv, uint64_t *target);
    enum gh_csr_answer (*uebret)(void *ctx, unsigned priv, bool ge, uint64_t *target);
    /* A walk has set A or D in the page-table entry at `addr`: another hart's reservation on it is lost. May
     * be NULL. */
    void (*entry_marked)(void *ctx, uint64_t addr);
};

struct gh_config {
    unsigned xlen; /* 32 or 64 */
    unsigned hartid;
    uint64_t reset_pc; /* 0x1000: the boot ROM */
    uint64_t ram_base; /* 0x80000000 */
    uint64_t ram_size; /* bytes */
    uint8_t *ram;      /* ram_size bytes, little-endian; shared by the harts of one machine */
    bool lockstep;     /* interrupts are taken by hint only; WFI retires as any instruction */
    bool zba_zbb;      /* decode Zba and Zbb */
    bool andes;        /* mslideleg, slie, slip */
    bool smepmp;       /* mseccfg */
};

/* Given by the machine for one step. All zero: no hint. */
struct gh_hint {
    bool irq;           /* the machine took an interrupt here instead of an instruction */
    uint64_t irq_cause; /* its code, without the interrupt bit; the model checks that it can be this one */
    bool ebb_deferred;  /* the branch became due when the machine had begun the next instruction, which acts
                       outside of the hart before it retires: the branch is delivered behind it */
    bool sc_forced;     /* more than one hart: the outcome of this SC is given */
    bool sc_failed;
    bool load_forced; /* more than one hart: the (raw, before extension) value that this load, LR or AMO read
                         from RAM */
    uint64_t load_value;
};

enum gh_mem { GH_MEM_NONE, GH_MEM_LOAD, GH_MEM_STORE, GH_MEM_AMO };

/* The result of one step */
struct gh_retire {
    uint64_t pc;
    uint32_t insn; /* raw bits; compressed: upper half 0. 0 if the fetch failed or nothing was fetched */
    bool trap;     /* an exception or interrupt was taken instead; nothing retired */
    bool ebb;      /* an event-based branch was delivered before the instruction; nothing retired */
    uint64_t cause, epc, tval; /* as written to xcause (interrupt bit at XLEN-1), xepc, xtval */
    unsigned priv;             /* mode before the step */
    unsigned next_priv;        /* mode after it */
    uint64_t next_pc;
    bool rd_we; /* an x register other than x0 was written */
    unsigned rd;
    uint64_t rd_value;
    enum gh_mem mem;   /* LR: load; successful SC: store; failed SC: none, but it has an address */
    unsigned mem_size; /* bytes */
    uint64_t mem_vaddr, mem_paddr;
    uint64_t mem_wdata; /* value stored (store, successful SC; AMO: the new value), zero-extended */
    bool mem_device;    /* outside main memory */
    bool csr_changed;   /* a CSR instruction that writes, a trap or a trap return: compare gh_csr_peek() of
                           gh_csr_list */
    bool sets_ad;       /* A or D of a page was set */
    bool wfi;           /* this was a WFI that retired */
    bool uebret;        /* ... an uebret, ... */
    bool uebret_ge;     /* with this operand */
    const char *error;  /* NULL, or the reason why the hint is wrong (an interrupt that must not be taken, for
                           example) */
};

/* NULL if memory is short or the configuration is out of range. The host structure is copied. */
struct gh *gh_new(const struct gh_config *config, const struct gh_host *host);
void gh_free(struct gh *hart);
void gh_reset(struct gh *hart);

/* Execute one instruction (or trap). `hint` may be NULL. Errors are reported in out->error. */
void gh_step(struct gh *hart, const struct gh_hint *hint, struct gh_retire *out);

/* Interrupt-pending bits that the machine drives, for the next step: MSIP 3, MTIP 7, SEIP 9 (external part),
 * MEIP 11. `set` sets the bits that software can write and hardware sets (LCOFIP 13, LAMBIP 14, Andes 18).
 * Lines are levels and keep their value until the next call; `set` bits are sticky until software clears
 * them. Sstc: mip.STIP is `time >= stimecmp` while menvcfg.STCE=1. In lockstep the machine decides when the
 * comparison becomes visible, so line bit 5 is its result and host.time is not called; line bit 5 is ignored
 * while STCE=0 (STIP is then a bit of software). Without lockstep line bit 5 is always ignored, and the model
 * compares host.time() itself. */
void gh_set_mip(struct gh *hart, uint64_t lines, uint64_t set);
/* Cause code of the highest-priority interrupt that would be taken now, or -1. */
int gh_pending_interrupt(const struct gh *hart);
/* Is an enabled interrupt pending, regardless of mode and global enables (the end of WFI)? */
bool gh_wakes(const struct gh *hart);

/* Another hart (or an agent of the machine) wrote the 64-byte line of physical address `addr`: the
 * reservation on it is lost. */
void gh_reservation_break(struct gh *hart, uint64_t addr);

/* The walk for the page of sample records at `va` (docs/sampling.md, Translation): A and D are set as for a
 * store of S-mode with SUM=0, if menvcfg.ADUE is set. False: it faults; else `*pa` is where `va` is. */
bool gh_record_page(struct gh *hart, uint64_t va, uint64_t *pa);

struct gh_leaf {
    uint64_t entry;   /* of the page table; G is set if a pointer to it has that */
    unsigned level;   /* 0: 4 KiB */
    uint64_t read[3]; /* where the walk has read: physical addresses from the root on, `reads` of them */
    unsigned reads;
};

/* What translates `va` in S- and U-mode; no check of permissions, no effect. False: nothing. */
bool gh_find_leaf(const struct gh *hart, uint64_t va, struct gh_leaf *leaf);

uint64_t gh_pc(const struct gh *hart);
unsigned gh_priv(const struct gh *hart);
uint64_t gh_reg(const struct gh *hart, unsigned i);
/* Hardware does not reset x1 to x31; the model resets them to 0. In lockstep the machine sets them. */
void gh_set_reg(struct gh *hart, unsigned i, uint64_t value);
/* A debugger's writes, between two steps: the pc, the mode, a CSR of the hart as M-mode would write it
 * (false: there is none, or it is read-only). After a write to memory or to a CSR translations are forgotten.
 */
void gh_set_pc(struct gh *hart, uint64_t pc);
void gh_set_priv(struct gh *hart, unsigned priv);
bool gh_csr_poke(struct gh *hart, unsigned num, uint64_t value);
void gh_forget_translations(struct gh *hart);
/* 32-bit equivalent of a 16-bit instruction, 0 if it is illegal. */
uint32_t gh_rvc_expand(unsigned xlen, uint16_t insn);

/* The model caches translations like a TLB. It reads instructions from memory every time (fence.i is a
 * no-op). */

/* A CSR of the hart (not of the PMU), read without side effects or checks; *ok is false if there is none. */
uint64_t gh_csr_peek(const struct gh *hart, unsigned num, bool *ok);
extern const uint16_t gh_csr_list[]; /* numbers to compare after csr_changed; ends with 0xFFFF */

/* Its state between two steps, without main memory. */
void gh_state(struct gh *hart, struct tally_state *state);

#ifdef __cplusplus
}
#endif
#endif

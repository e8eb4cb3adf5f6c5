/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rights to access the unit's CSRs: a model, written from the specifications alone. It shares
 * nothing with the golden model and has no counters: only numbers, modes and enables.
 */
#ifndef PMU_RIGHTS_H
#define PMU_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters of the unit (docs/integration.md). */
struct rights_unit {
    unsigned xlen, hpm_n, pdis_mem;
    bool sscofpmf, smcntrpmf, smcsrind, smcdeleg, smstateen, hyp, andes, andes_swrite, swevent, pcrange,
        sspesa, smpdis;
};

enum rights_mode { RIGHTS_M, RIGHTS_S, RIGHTS_U, RIGHTS_VS, RIGHTS_VU, RIGHTS_MODES };

/* Registers that give rights. Those of extensions that are not built do not matter. */
struct rights_enables {
    bool cde; /* menvcfg.CDE */
    uint64_t mstateen0, hstateen0;
    uint32_t mcounteren, scounteren, hcounteren, mcounterwen;
    unsigned siselect, vsiselect;
};

/* ABSENT: a number that the unit has no register for. */
enum rights_answer { RIGHTS_ALLOWED, RIGHTS_ILLEGAL, RIGHTS_VIRTUAL, RIGHTS_ABSENT, RIGHTS_ANSWERS };

/* Registers of one class have one rule. A window's class is that of the selected register. */
enum rights_class {
    RIGHTS_NONE,
    RIGHTS_MACHINE,
    RIGHTS_MACHINE_READ_ONLY,
    RIGHTS_MACHINE_WINDOW,
    RIGHTS_USER_COUNTER,
    RIGHTS_USER_TIME,
    RIGHTS_SCOUNTEREN,
    RIGHTS_SCOUNTINHIBIT,
    RIGHTS_SCOUNTOVF,
    RIGHTS_SISELECT,
    RIGHTS_WINDOW_COUNTER,
    RIGHTS_WINDOW_SAMPLE,
    RIGHTS_WINDOW_OTHER,
    RIGHTS_VSISELECT,
    RIGHTS_VS_WINDOW_COUNTER,
    RIGHTS_VS_WINDOW_SAMPLE,
    RIGHTS_VS_WINDOW_OTHER,
    RIGHTS_ANDES_VIEW,
    RIGHTS_CUSTOM,
    RIGHTS_OVERFLOW_PC,
    RIGHTS_SAMPLING,
    RIGHTS_VS_SAMPLING,
    RIGHTS_CLASSES
};

extern const char *const rights_class_names[RIGHTS_CLASSES];
extern const char *const rights_mode_names[RIGHTS_MODES];
extern const char *const rights_answer_names[RIGHTS_ANSWERS];

enum rights_class rights_class_of(const struct rights_unit *u, const struct rights_enables *e,
                                  enum rights_mode mode, unsigned num);
enum rights_answer rights(const struct rights_unit *u, const struct rights_enables *e, enum rights_mode mode,
                          unsigned num, bool write);

/* The value of scountovf in a mode that may read it; bit 1 of `of` is mpdisctl.OF. */
uint32_t rights_scountovf(const struct rights_unit *u, const struct rights_enables *e, enum rights_mode mode,
                          uint32_t of);

/* A register below M-mode that shows some bits of one of M-mode (`machine`, which may be itself), and changes
 * some. With the number of an event selector: all of its selector, or nothing. false: `num` is no such
 * register. */
struct rights_view {
    unsigned machine;
    uint32_t shown, changed;
};
bool rights_view_of(const struct rights_unit *u, const struct rights_enables *e, enum rights_mode mode,
                    unsigned num, struct rights_view *view);

/* Bits of mcounteren, scounteren (and mcounterwen: without TM) that can be 1: those of counters that are
 * there. */
uint32_t rights_counters(const struct rights_unit *u);

#ifdef __cplusplus
}
#endif
#endif

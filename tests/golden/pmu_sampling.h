// SPDX-License-Identifier: Apache-2.0
/*
 * A golden PMU with sampling on the bench: selection, samples, sample registers.
 */
#ifndef PMU_SAMPLING_H
#define PMU_SAMPLING_H

#include "pmu_rig.h"

#include "tally_events.h"

#define MASK(field) TALLY_MPDISCTL_##field##_MASK
#define CS(field) TALLY_SPDISAMBCS_##field##_MASK
#define HDR(field) TALLY_PDISHDREV_##field##_MASK
#define PDIS_BIT TALLY_MSTATEEN0_PDIS_MASK
#define ANYWHERE (MASK(U) | MASK(S) | MASK(M))
#define PERIOD(n) (UINT64_C(0x100000000) - (n))

enum {
    OTHER = TALLY_TYPE_OTHER,
    LOAD = TALLY_TYPE_LOAD,
    STORE = TALLY_TYPE_STORE,
    LOAD_STORE = TALLY_TYPE_LOAD_STORE,
    TRANSFER = TALLY_TYPE_TRANSFER
};
enum { ALL_ONES = 0xFFFFFFFF };

static inline void sampler(unsigned xlen, unsigned lanes) {
    gp_config_default(&cfg);
    cfg.xlen = xlen;
    cfg.decode_w = cfg.retire_w = lanes;
    cfg.sspesa = cfg.smpdis = true;
    start();
}

static inline void control(uint64_t ctl) {
    w(TALLY_CSR_MPDISCTL, ctl);
    if (cfg.xlen == 32)
        w(TALLY_CSR_MPDISCTLH, ctl >> 32);
}

static inline void period(uint64_t initval, uint64_t count) {
    w(TALLY_CSR_SPDISCOUNTER, cfg.xlen == 32 ? count : initval << 32 | count);
    if (cfg.xlen == 32)
        w(TALLY_CSR_SPDISCOUNTERH, initval);
}

static inline void decode(unsigned lane, unsigned type, uint64_t pc) {
    in.decode[lane] = (struct gp_decode){
        .valid = true, .type = (uint8_t)type, .mode = in.mode.priv | (in.mode.v ? 4 : 0), .pc = pc};
}

static inline void clear_ports(void) {
    memset(in.decode, 0, sizeof(in.decode));
    memset(in.retire, 0, sizeof(in.retire));
    memset(in.ev_retire, 0, sizeof(in.ev_retire));
    memset(&in.track, 0, sizeof(in.track));
    in.xlat_done = in.xlat_fault = in.rec_done = false;
}

/* One instruction is decoded; returns whether it is the sample. */
static inline bool decodes(unsigned type, uint64_t pc) {
    decode(0, type, pc);
    tick();
    clear_ports();
    return out.dec_sample & 1;
}

/* The sample retires, and is judged in the next cycle. */
static inline void retires(void) {
    in.track.retired = true;
    tick();
    clear_ports();
    tick();
}

/* A sample of this type, from selection to retirement. in.track is the track port's report at its end. */
static inline void sample(unsigned type, uint64_t pc) {
    struct gp_track track = in.track;

    clear_ports();
    w(TALLY_CSR_SPDISCOUNTER, peek(TALLY_CSR_SPDISCOUNTER) | ALL_ONES);
    CHECK_EQ(decodes(type, pc), true);
    in.track = track;
    retires();
}

static inline uint64_t reg(unsigned select, unsigned window) {
    unsigned num = window <= 3 ? TALLY_CSR_SISELECT + window : TALLY_CSR_SISELECT + window + 1;

    w(TALLY_CSR_SISELECT, select);
    return csr(M, GP_READ, num, 0);
}

static inline uint64_t word(unsigned window) { return reg(TALLY_RECORD_SELECT, window); }

static inline uint64_t hdrev(void) { return word(1); }
static inline uint64_t lat(void) { return word(4); }

static inline bool of(void) { return peek(TALLY_CSR_MPDISCTL) >> TALLY_MPDISCTL_OF_LSB & 1; }

static inline uint64_t latency_of(unsigned lsb) { return lat() >> lsb & 0xFFF; }

static inline void overflow_in(unsigned i, uint64_t selector) { program(i, UINT64_MAX, selector); }

static inline void retire(unsigned lane, uint64_t pc, uint64_t events) {
    in.retire[lane] = (struct gp_retire_lane){.valid = true, .mode = in.mode.priv, .pc = pc};
    in.ev_retire[lane] = INST | events;
}

#endif

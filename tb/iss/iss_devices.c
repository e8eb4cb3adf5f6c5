// SPDX-License-Identifier: Apache-2.0
#include "iss_devices.h"

/* --- finisher --- */

bool iss_finisher_store(struct iss_finisher *f, uint64_t offset, unsigned size, uint64_t value) {
    if (offset != 0 || size < 2 || f->end != ISS_RUNS)
        return true;
    switch (value & 0xFFFF) {
    case 0x5555:
        f->end = ISS_PASS;
        break;
    case 0x3333:
        f->end = ISS_FAIL;
        f->code = (unsigned)(value >> 16 & 0xFFFF);
        break;
    case 0x7777:
        f->end = ISS_RESET;
        break;
    default:
        break;
    }
    return true;
}

/* --- ACLINT: MSWI and MTIMER --- */

enum { MSIP = 0, MTIMECMP = 0x4000, MTIME = 0xBFF8 };

/* The hart of a register in an array of these from `base`; `harts` if there is none. */
static unsigned hart_of(const struct iss_aclint *a, uint64_t offset, uint64_t base, unsigned stride) {
    const uint64_t hart = (offset - base) / stride;
    return offset >= base && hart < a->harts ? (unsigned)hart : a->harts;
}

static uint64_t part(uint64_t reg, uint64_t offset, unsigned size) {
    return size == 8 ? reg : reg >> (offset & 4 ? 32 : 0) & UINT32_MAX;
}

static void set_part(uint64_t *reg, uint64_t offset, unsigned size, uint64_t value) {
    uint64_t mask = size == 8 ? UINT64_MAX : (uint64_t)UINT32_MAX << (offset & 4 ? 32 : 0);
    *reg = (*reg & ~mask) | (value << (size == 4 && offset & 4 ? 32 : 0) & mask);
}

bool iss_aclint_load(const struct iss_aclint *a, uint64_t offset, unsigned size, uint64_t *value) {
    const unsigned soft = hart_of(a, offset, MSIP, 4), timer = hart_of(a, offset, MTIMECMP, 8);

    *value = 0;
    if (size < 4)
        return false;
    if (soft < a->harts) {
        for (unsigned i = 0; i < size / 4 && soft + i < a->harts; i++)
            *value |= (uint64_t)a->msip[soft + i] << 32 * i;
    } else if (timer < a->harts) {
        *value = part(a->mtimecmp[timer], offset, size);
    } else if (offset >> 3 == MTIME >> 3) {
        *value = part(a->mtime, offset, size);
    }
    return true;
}

bool iss_aclint_store(struct iss_aclint *a, uint64_t offset, unsigned size, uint64_t value) {
    const unsigned soft = hart_of(a, offset, MSIP, 4), timer = hart_of(a, offset, MTIMECMP, 8);

    if (size < 4)
        return false;
    if (soft < a->harts) {
        for (unsigned i = 0; i < size / 4 && soft + i < a->harts; i++)
            a->msip[soft + i] = value >> 32 * i & 1;
    } else if (timer < a->harts) {
        set_part(&a->mtimecmp[timer], offset, size, value);
    } else if (offset >> 3 == MTIME >> 3) {
        set_part(&a->mtime, offset, size, value);
    }
    return true;
}

/* --- PLIC --- */

enum { PLIC_PENDING = 0x1000, PLIC_ENABLE = 0x2000, PLIC_CONTEXT = 0x200000 };
#define SOURCE_MASK ((UINT32_C(2) << SOC_PLIC_SOURCES) - 2)

static void plic_gate(struct iss_plic *p) { p->pending |= p->level & ~p->claimed; }

void iss_plic_source(struct iss_plic *p, unsigned source, bool level) {
    uint32_t bit = UINT32_C(1) << source;
    p->level = level ? p->level | bit : p->level & ~bit;
    plic_gate(p);
}

/* Highest priority, then lowest number; 0 if none. */
static unsigned plic_best(const struct iss_plic *p, unsigned context) {
    unsigned best = 0;
    for (unsigned s = 1; s <= SOC_PLIC_SOURCES; s++) {
        bool candidate = p->pending & p->enable[context] & UINT32_C(1) << s;
        if (candidate && p->priority[s] > (best ? p->priority[best] : 0))
            best = s;
    }
    return best;
}

bool iss_plic_line(const struct iss_plic *p, unsigned context) {
    unsigned best;

    if (!(p->pending & p->enable[context]))
        return false;
    best = plic_best(p, context);
    return best && p->priority[best] > p->threshold[context];
}

static uint32_t plic_claim(struct iss_plic *p, unsigned context) {
    unsigned source = plic_best(p, context);
    if (source) {
        p->pending &= ~(UINT32_C(1) << source);
        p->claimed |= UINT32_C(1) << source;
    }
    return source;
}

static void plic_complete(struct iss_plic *p, unsigned context, uint64_t source) {
    if (source <= SOC_PLIC_SOURCES && p->enable[context] & UINT32_C(1) << source)
        p->claimed &= ~(UINT32_C(1) << source);
    plic_gate(p);
}

/* Context of an offset among the enable or the context registers; p->contexts if there is none. */
static unsigned context_of(const struct iss_plic *p, uint64_t offset, uint64_t base, uint64_t stride) {
    uint64_t context = (offset - base) / stride;
    return context < p->contexts ? (unsigned)context : p->contexts;
}

bool iss_plic_load(struct iss_plic *p, uint64_t offset, unsigned size, uint64_t *value) {
    unsigned context;

    *value = 0;
    if (size != 4)
        return false;
    if (offset <= 4 * SOC_PLIC_SOURCES) {
        *value = p->priority[offset / 4];
    } else if (offset == PLIC_PENDING) {
        *value = p->pending;
    } else if (offset >= PLIC_CONTEXT) {
        context = context_of(p, offset, PLIC_CONTEXT, 0x1000);
        if (context < p->contexts && (offset & 0xFFF) == 0)
            *value = p->threshold[context];
        else if (context < p->contexts && (offset & 0xFFF) == 4)
            *value = plic_claim(p, context);
    } else if (offset >= PLIC_ENABLE) {
        context = context_of(p, offset, PLIC_ENABLE, 0x80);
        if (context < p->contexts && (offset & 0x7F) == 0)
            *value = p->enable[context];
    }
    return true;
}

bool iss_plic_store(struct iss_plic *p, uint64_t offset, unsigned size, uint64_t value) {
    unsigned context;

    if (size != 4)
        return false;
    if (offset != 0 && offset <= 4 * SOC_PLIC_SOURCES) {
        p->priority[offset / 4] = value & 7;
    } else if (offset >= PLIC_CONTEXT) {
        context = context_of(p, offset, PLIC_CONTEXT, 0x1000);
        if (context < p->contexts && (offset & 0xFFF) == 0)
            p->threshold[context] = value & 7;
        else if (context < p->contexts && (offset & 0xFFF) == 4)
            plic_complete(p, context, value);
    } else if (offset >= PLIC_ENABLE) {
        context = context_of(p, offset, PLIC_ENABLE, 0x80);
        if (context < p->contexts && (offset & 0x7F) == 0)
            p->enable[context] = (uint32_t)value & SOURCE_MASK;
    }
    return true;
}

/* --- 16550A --- */

enum { RBR_THR, IER, IIR_FCR, LCR, MCR, LSR, MSR, SCR };
enum {
    IER_RX = 1,
    IER_TX = 2,
    LCR_DLAB = 0x80,
    MCR_LOOP = 0x10,
    LSR_DR = 1,
    LSR_THRE = 0x20,
    LSR_TEMT = 0x40
};
enum { IIR_NONE = 1, IIR_TX = 2, IIR_RX = 4, IIR_FIFO = 0xC0, MSR_READY = 0xB0 };

bool iss_uart_room(const struct iss_uart *u) { return u->rx_n < sizeof u->rx; }

void iss_uart_receive(struct iss_uart *u, uint8_t byte) {
    u->rx[(u->rx_head + u->rx_n++) % sizeof u->rx] = byte;
}

bool iss_uart_irq(const struct iss_uart *u) {
    return (u->ier & IER_RX && u->rx_n) || (u->ier & IER_TX && u->thre_pending);
}

static uint8_t uart_identify(struct iss_uart *u) {
    uint8_t fifo = u->fcr & 1 ? IIR_FIFO : 0;

    if (u->ier & IER_RX && u->rx_n)
        return fifo | IIR_RX;
    if (u->ier & IER_TX && u->thre_pending) {
        u->thre_pending = false; /* reading it acknowledges */
        return fifo | IIR_TX;
    }
    return fifo | IIR_NONE;
}

static uint8_t uart_take(struct iss_uart *u) {
    uint8_t byte = u->rx[u->rx_head];

    if (!u->rx_n)
        return 0;
    u->rx_head = (u->rx_head + 1) % sizeof u->rx;
    u->rx_n--;
    return byte;
}

/* Modem inputs: the other end is always there; in loop-back they are the modem outputs. */
static uint8_t uart_modem(const struct iss_uart *u) {
    if (!(u->mcr & MCR_LOOP))
        return MSR_READY;
    return (uint8_t)((u->mcr & 1) << 5 | (u->mcr & 2) << 3 | (u->mcr & 4) << 4 | (u->mcr & 8) << 4);
}

uint64_t iss_uart_load(struct iss_uart *u, uint64_t offset) {
    bool dlab = u->lcr & LCR_DLAB;

    switch (offset) {
    case RBR_THR:
        return dlab ? u->dll : uart_take(u);
    case IER:
        return dlab ? u->dlm : u->ier;
    case IIR_FCR:
        return uart_identify(u);
    case LCR:
        return u->lcr;
    case MCR:
        return u->mcr;
    case LSR:
        return LSR_THRE | LSR_TEMT | (u->rx_n ? LSR_DR : 0);
    case MSR:
        return uart_modem(u);
    case SCR:
        return u->scr;
    default:
        return 0;
    }
}

static void uart_send(struct iss_uart *u, uint8_t byte) {
    u->thre_pending = true; /* the byte is gone at once */
    if (!(u->mcr & MCR_LOOP))
        u->transmit(u->ctx, byte);
    else if (iss_uart_room(u))
        iss_uart_receive(u, byte);
}

void iss_uart_store(struct iss_uart *u, uint64_t offset, uint8_t value) {
    bool dlab = u->lcr & LCR_DLAB;

    switch (offset) {
    case RBR_THR:
        if (dlab)
            u->dll = value;
        else
            uart_send(u, value);
        break;
    case IER:
        if (dlab) {
            u->dlm = value;
            break;
        }
        if (value & ~u->ier & IER_TX)
            u->thre_pending = true; /* enabling finds the transmitter empty */
        u->ier = value & 0x0F;
        break;
    case IIR_FCR:
        u->fcr = value;
        if (value & 2)
            u->rx_n = 0;
        break;
    case LCR:
        u->lcr = value;
        break;
    case MCR:
        u->mcr = value & 0x1F;
        break;
    case SCR:
        u->scr = value;
        break;
    default:
        break;
    }
}

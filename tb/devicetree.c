// SPDX-License-Identifier: Apache-2.0
#include "devicetree.h"

#include "soc.h"

#include <libfdt.h>
#include <stdlib.h>
#include <string.h>

/* The ISA, as riscv,isa-extensions lists it. The old riscv,isa string is made of the same list. */
static const char *const extensions[] = {
    "i",        "m",         "a",      "c",        "zicntr",       "zicsr",
    "zifencei", "zihpm",     "zba",    "zbb",      "smcdeleg",     "smcntrpmf",
    "smcsrind", "smstateen", "ssccfg", "sscofpmf", "sscounterenw", "sscsrind",
    "sstc",     "svadu"};
enum { ALWAYS = sizeof extensions / sizeof *extensions, OPTIONAL = 2, SINGLE_LETTERS = 4 };

/* Those that the machine has; their number */
static unsigned extensions_of(const struct devicetree_machine *m, const char *list[ALWAYS + OPTIONAL]) {
    unsigned n = ALWAYS;
    memcpy(list, extensions, sizeof extensions);
    if (m->smepmp)
        list[n++] = "smepmp";
    if (m->ebb)
        list[n++] = "xtallyebb";
    return n;
}

/* Interrupt numbers at a hart's own controller */
enum { IRQ_M_SOFT = 3, IRQ_M_TIMER = 7, IRQ_S_EXT = 9, IRQ_M_EXT = 11 };

enum { PHANDLE_PLIC = 0x20, PHANDLE_FINISHER = 0x21, PHANDLE_CPU = 1 /* and the following */ };

/* libfdt's sequential writer. Every call may fail; the first error is kept. */
struct writer {
    void *fdt;
    int error;
};

#define W(w, call)                                                                                           \
    do {                                                                                                     \
        if (!(w)->error)                                                                                     \
            (w)->error = (call);                                                                             \
    } while (0)

static void node(struct writer *w, const char *name) { W(w, fdt_begin_node(w->fdt, name)); }

static void end(struct writer *w) { W(w, fdt_end_node(w->fdt)); }

static void cell(struct writer *w, const char *name, uint32_t value) {
    W(w, fdt_property_u32(w->fdt, name, value));
}

static void text(struct writer *w, const char *name, const char *value) {
    W(w, fdt_property_string(w->fdt, name, value));
}

static void empty(struct writer *w, const char *name) { W(w, fdt_property(w->fdt, name, NULL, 0)); }

static void cells(struct writer *w, const char *name, const uint32_t *values, unsigned n) {
    fdt32_t big[64];
    for (unsigned i = 0; i < n; i++)
        big[i] = cpu_to_fdt32(values[i]);
    W(w, fdt_property(w->fdt, name, big, (int)(n * sizeof *big)));
}

/* A property of several strings; `n` of them */
static void texts(struct writer *w, const char *name, const char *const *values, unsigned n) {
    char list[512];
    size_t used = 0;
    for (unsigned i = 0; i < n; i++) {
        const size_t size = strlen(values[i]) + 1;
        if (used + size > sizeof list) {
            w->error = -FDT_ERR_NOSPACE;
            return;
        }
        memcpy(list + used, values[i], size);
        used += size;
    }
    W(w, fdt_property(w->fdt, name, list, (int)used));
}

static void reg(struct writer *w, uint64_t base, uint64_t size) {
    const uint32_t v[4] = {(uint32_t)(base >> 32), (uint32_t)base, (uint32_t)(size >> 32), (uint32_t)size};
    cells(w, "reg", v, 4);
}

static void add_isa(struct writer *w, const struct devicetree_machine *m) {
    const char *list[ALWAYS + OPTIONAL];
    const unsigned n = extensions_of(m, list);
    char isa[256];
    size_t used = (size_t)snprintf(isa, sizeof isa, "rv%u", m->xlen);
    for (unsigned i = 0; i < n; i++)
        used += (size_t)snprintf(isa + used, sizeof isa - used, i < SINGLE_LETTERS ? "%s" : "_%s", list[i]);
    text(w, "riscv,isa-base", m->xlen == 32 ? "rv32i" : "rv64i");
    texts(w, "riscv,isa-extensions", list, n);
    text(w, "riscv,isa", isa);
}

static void add_cpu(struct writer *w, const struct devicetree_machine *m, unsigned hart) {
    char name[32];
    snprintf(name, sizeof name, "cpu@%x", hart);
    node(w, name);
    text(w, "device_type", "cpu");
    text(w, "compatible", "riscv");
    cell(w, "reg", hart);
    text(w, "status", "okay");
    add_isa(w, m);
    text(w, "mmu-type", m->xlen == 32 ? "riscv,sv32" : "riscv,sv39");
    cell(w, "clock-frequency", (uint32_t)m->core_clock);
    cell(w, "i-cache-block-size", 64);
    cell(w, "i-cache-size", 16384);
    cell(w, "d-cache-block-size", 64);
    cell(w, "d-cache-size", 16384);
    node(w, "interrupt-controller");
    text(w, "compatible", "riscv,cpu-intc");
    empty(w, "interrupt-controller");
    cell(w, "#interrupt-cells", 1);
    cell(w, "phandle", PHANDLE_CPU + hart);
    end(w);
    end(w);
}

static void add_cpus(struct writer *w, const struct devicetree_machine *m) {
    node(w, "cpus");
    cell(w, "#address-cells", 1);
    cell(w, "#size-cells", 0);
    cell(w, "timebase-frequency", (uint32_t)(m->core_clock / m->time_ratio));
    for (unsigned h = 0; h < m->harts; h++)
        add_cpu(w, m, h);
    end(w);
}

/* interrupts-extended: the two interrupt inputs of every hart */
static void extended(struct writer *w, unsigned harts, uint32_t first, uint32_t second) {
    uint32_t v[4 * SOC_HARTS_MAX];
    for (unsigned h = 0; h < harts; h++) {
        v[4 * h] = v[4 * h + 2] = PHANDLE_CPU + h;
        v[4 * h + 1] = first;
        v[4 * h + 3] = second;
    }
    cells(w, "interrupts-extended", v, 4 * harts);
}

static void add_devices(struct writer *w, const struct devicetree_machine *m) {
    static const char *const test[] = {"sifive,test1", "sifive,test0", "syscon"};
    static const char *const clint[] = {"sifive,clint0", "riscv,clint0"};
    static const char *const plic[] = {"sifive,plic-1.0.0", "riscv,plic0"};

    node(w, "soc");
    cell(w, "#address-cells", 2);
    cell(w, "#size-cells", 2);
    text(w, "compatible", "simple-bus");
    empty(w, "ranges");

    node(w, "test@100000");
    texts(w, "compatible", test, 3);
    reg(w, SOC_FINISHER_BASE, SOC_FINISHER_SIZE);
    cell(w, "phandle", PHANDLE_FINISHER);
    end(w);

    node(w, "clint@2000000");
    texts(w, "compatible", clint, 2);
    reg(w, SOC_ACLINT_BASE, SOC_ACLINT_SIZE);
    extended(w, m->harts, IRQ_M_SOFT, IRQ_M_TIMER);
    end(w);

    node(w, "plic@c000000");
    texts(w, "compatible", plic, 2);
    reg(w, SOC_PLIC_BASE, SOC_PLIC_SIZE);
    extended(w, m->harts, IRQ_M_EXT, IRQ_S_EXT);
    empty(w, "interrupt-controller");
    cell(w, "#interrupt-cells", 1);
    cell(w, "#address-cells", 0);
    cell(w, "riscv,ndev", SOC_PLIC_SOURCES);
    cell(w, "phandle", PHANDLE_PLIC);
    end(w);

    node(w, "serial@10000000");
    text(w, "compatible", "ns16550a");
    reg(w, SOC_UART_BASE, SOC_UART_SIZE);
    cell(w, "clock-frequency", SOC_UART_CLOCK);
    cell(w, "interrupts", SOC_UART_IRQ);
    cell(w, "interrupt-parent", PHANDLE_PLIC);
    end(w);

    if (m->host) {
        node(w, "host@10010000");
        text(w, "compatible", "tally,host");
        reg(w, SOC_HOST_BASE, SOC_HOST_SIZE);
        end(w);
    }
    end(w);
}

static void add_syscon(struct writer *w, const char *name, const char *compatible, uint32_t value) {
    node(w, name);
    text(w, "compatible", compatible);
    cell(w, "regmap", PHANDLE_FINISHER);
    cell(w, "offset", 0);
    cell(w, "value", value);
    end(w);
}

/* The unit for the SBI (its device-tree bindings): every programmable counter counts every event. A table
 * event-to-mhpmevent is not needed, since the zero-extended event_idx is a selector of this unit; but OpenSBI
 * 1.1 reads the rows of raw events only where there is one, and so it has a row that changes nothing. */
static void add_pmu(struct writer *w, const struct devicetree_machine *m) {
    enum { CYCLE = 1 << 0, INSTRET = 1 << 2 };
    static const uint32_t hpm = 0xFFFFFFF8;
    static const uint32_t events[] = {
        0x00001, 0x00001, CYCLE | 0xFFFFFFF8, 0x00002, 0x00002, INSTRET | 0xFFFFFFF8,
        0x00003, 0x0000A, 0xFFFFFFF8,         0x10000, 0x1003F, 0xFFFFFFF8};
    /* Any selector; bits 63:56 of mhpmevent are not the selector's. (OpenSBI 1.1 treats a mask of 0 as an
     * overlap with the rows above.) */
    static const uint32_t raw[] = {0, 0, 0xFF000000, 0, hpm};
    static const uint32_t selectors[] = {0x00001, 0, 0x00001};
    node(w, "pmu");
    text(w, "compatible", "riscv,pmu");
    cells(w, "riscv,event-to-mhpmevent", selectors, sizeof selectors / sizeof *selectors);
    cells(w, "riscv,event-to-mhpmcounters", events, sizeof events / sizeof *events);
    cells(w, "riscv,raw-event-to-mhpmcounters", raw, sizeof raw / sizeof *raw);
    empty(w, "tally,no-snapshot"); /* Linux 6.12 restarts counters after a snapshot with a wrong base */
    if (m->delegated)
        cell(w, "tally,delegated-counters", m->delegated);
    if (m->branches)
        empty(w, "tally,event-based-branches");
    end(w);
}

static void write_tree(struct writer *w, const struct devicetree_machine *m) {
    static const char *const root[] = {"tally,soc", "riscv-virtio"};

    W(w, fdt_finish_reservemap(w->fdt));
    node(w, "");
    cell(w, "#address-cells", 2);
    cell(w, "#size-cells", 2);
    texts(w, "compatible", root, 2);
    text(w, "model", "Tally reference machine");
    node(w, "chosen");
    text(w, "stdout-path", "/soc/serial@10000000");
    end(w);
    node(w, "memory@80000000");
    text(w, "device_type", "memory");
    reg(w, SOC_RAM_BASE, m->ram_size);
    end(w);
    add_cpus(w, m);
    add_pmu(w, m);
    add_devices(w, m);
    add_syscon(w, "poweroff", "syscon-poweroff", 0x5555);
    add_syscon(w, "reboot", "syscon-reboot", 0x7777);
    end(w);
    W(w, fdt_finish(w->fdt));
}

void *devicetree_build(const struct devicetree_machine *machine, size_t *size) {
    enum { SPACE = 16384 };
    void *fdt = malloc(SPACE);
    if (!fdt)
        return NULL;
    struct writer w = {fdt, fdt_create(fdt, SPACE)};
    write_tree(&w, machine);
    if (w.error) { /* the tree has a fixed size far below SPACE: only an error in this file leads here */
        free(fdt);
        return NULL;
    }
    *size = fdt_totalsize(fdt);
    return fdt;
}

/* Versions below 16 spell names in another way, and libfdt 1.6 reads through a null pointer there. */
enum { VERSION = 17 };

static bool is_old(const struct file *file) {
    return file->size >= sizeof(struct fdt_header) && fdt_magic(file->bytes) == FDT_MAGIC &&
           fdt_version(file->bytes) < VERSION;
}

bool devicetree_check(const struct file *file, struct error *error) {
    if (is_old(file))
        return error_set(error, "%s: device tree of version %u, at least %d is needed", file->path,
                         (unsigned)fdt_version(file->bytes), VERSION);
    const int e = fdt_check_full(file->bytes, file->size);
    if (e == -FDT_ERR_TRUNCATED)
        return error_set(error, "%s: device tree cut short", file->path);
    if (e == -FDT_ERR_BADMAGIC)
        return error_set(error, "%s: not a device tree blob", file->path);
    if (e)
        return error_set(error, "%s: bad device tree: %s", file->path, fdt_strerror(e));
    return true;
}

static int edit_chosen(void *fdt, const struct devicetree_chosen *c) {
    int at = fdt_path_offset(fdt, "/chosen");
    int e = 0;
    if (at == -FDT_ERR_NOTFOUND)
        at = fdt_add_subnode(fdt, 0, "chosen");
    if (at < 0)
        return at;
    if (c->bootargs)
        e = fdt_setprop_string(fdt, at, "bootargs", c->bootargs);
    if (!e && c->initrd_end != c->initrd_start)
        e = fdt_setprop_u64(fdt, at, "linux,initrd-start", c->initrd_start);
    if (!e && c->initrd_end != c->initrd_start)
        e = fdt_setprop_u64(fdt, at, "linux,initrd-end", c->initrd_end);
    return e;
}

bool devicetree_set_chosen(void **tree, size_t *size, const struct devicetree_chosen *chosen,
                           struct error *error) {
    const size_t room = *size + 1024 + (chosen->bootargs ? strlen(chosen->bootargs) : 0);
    void *fdt = malloc(room);
    if (!fdt)
        return error_set(error, "device tree: not enough memory");
    int e = fdt_open_into(*tree, fdt, (int)room);
    if (!e)
        e = edit_chosen(fdt, chosen);
    if (!e)
        e = fdt_pack(fdt);
    if (e) {
        free(fdt);
        return error_set(error, "device tree: /chosen cannot be set: %s", fdt_strerror(e));
    }
    free(*tree);
    *tree = fdt;
    *size = fdt_totalsize(fdt);
    return true;
}

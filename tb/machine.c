// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include "bytes.h"
#include "devicetree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const uint64_t kernel_align = 2 << 20; /* Linux maps itself by 2 MiB pages */
static const uint64_t page = 4096;

static uint64_t align_up(uint64_t value, uint64_t to) { return (value + to - 1) & ~(to - 1); }

uint8_t *machine_ram(uint64_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    /* The host's large pages, if it has them: checkpoints look at all of it. */
    madvise(p, size, MADV_HUGEPAGE);
    return p;
}

void machine_ram_free(uint8_t *ram, uint64_t size) {
    if (ram)
        munmap(ram, size);
}

/* --- Boot ROM --------------------------------------------------------------------------------- */

/* The reset code of QEMU's `virt`: a0 = hart, a1 = device tree, a2 = OpenSBI's dynamic information, then the
 * entry. */
static void write_rom(uint64_t *rom, unsigned xlen, uint64_t entry, uint64_t dtb, uint64_t next) {
    static const uint32_t lw = 0x2000, ld = 0x3000;
    const uint32_t load = xlen == 32 ? lw : ld;
    const uint32_t code[6] = {
        0x00000297,        /* auipc t0, 0             */
        0x02828613,        /* addi  a2, t0, 40        */
        0xF1402573,        /* csrr  a0, mhartid       */
        0x02028583 | load, /* ld (lw) a1, 32(t0) */
        0x01828283 | load, /* ld (lw) t0, 24(t0) */
        0x00028067,        /* jr    t0                */
    };
    const uint64_t data[8] = {
        entry, dtb,
        /* struct fw_dynamic_info, from here on */
        0x4942534F, /* magic, "OSBI" */
        2,          /* version */
        next,       /* address of the next stage, 0: none */
        1,          /* its mode: S */
        0,          /* options */
        0,          /* boot hart */
    };
    memset(rom, 0, SOC_ROM_WORDS * sizeof *rom);
    for (int i = 0; i < 3; i++)
        rom[i] = code[2 * i] | (uint64_t)code[2 * i + 1] << 32;
    memcpy(rom + 3, data, sizeof data);
    for (int i = 0; i < 3 && xlen == 32; i++) /* fw_dynamic_info then has 32-bit words */
        rom[5 + i] = data[2 + 2 * i] | data[3 + 2 * i] << 32;
    if (xlen == 32)
        memset(rom + 8, 0, 3 * sizeof *rom);
}

/* --- Images ----------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), k = strlen(end);
    return n >= k && strcmp(text + n - k, end) == 0;
}

/* An image may be as large as RAM; an ELF file may carry more for debuggers. */
static uint64_t file_limit(const struct memory *m) { return m->size + (512ull << 20); }

/* `at` is where a raw image goes, NULL-header images included; `floor` the end of the firmware before it. */
static bool load_raw(struct machine *machine, const struct file *file, uint64_t at, struct image *image,
                     struct error *error) {
    uint64_t offset, size;
    if (image_linux_header(file, &offset, &size)) {
        const uint64_t wanted = machine->memory.base + offset;
        if (size > machine->memory.size || offset > machine->memory.size)
            return error_set(error, "%s: its header asks for %llu bytes at offset 0x%llx, RAM has %llu",
                             file->path, (unsigned long long)size, (unsigned long long)offset,
                             (unsigned long long)machine->memory.size);
        return image_load_raw(&machine->memory, file, wanted > at ? wanted : at, size, image, error);
    }
    if (!ends_with(file->path, ".bin"))
        return error_set(error,
                         "%s: not an ELF file (a raw image has Linux's header or a name that ends in .bin)",
                         file->path);
    return image_load_raw(&machine->memory, file, at, 0, image, error);
}

static bool load_program(struct machine *machine, const char *path, uint64_t at, struct image *image,
                         struct error *error) {
    struct file file;
    if (!file_read(&file, path, file_limit(&machine->memory), error))
        return false;
    bool ok;
    if (image_is_elf(&file)) {
        ok = image_load_elf(&machine->memory, &file, image, error);
        if (ok)
            symbols_add(&machine->symbols, &file);
    } else {
        ok = load_raw(machine, &file, at, image, error);
    }
    file_free(&file);
    return ok;
}

static bool load_initrd(struct machine *machine, const char *path, uint64_t at, struct image *image,
                        struct error *error) {
    struct file file;
    if (!file_read(&file, path, machine->memory.size, error))
        return false;
    const bool ok = image_load_raw(&machine->memory, &file, at, 0, image, error);
    file_free(&file);
    return ok;
}

/* --- Device tree ------------------------------------------------------------------------------ */

static bool read_dtb(struct machine *machine, const char *path, struct error *error) {
    struct file file;
    if (!file_read(&file, path, 1 << 20, error))
        return false;
    if (!devicetree_check(&file, error)) {
        file_free(&file);
        return false;
    }
    machine->dtb = file.bytes;
    machine->dtb_size = file.size;
    return true;
}

static bool make_dtb(struct machine *machine, const struct options *o, unsigned time_ratio,
                     const struct image *initrd, struct error *error) {
    const struct devicetree_machine description = {.harts = o->harts,
                                                   .ram_size = o->memory,
                                                   .time_ratio = time_ratio,
                                                   .xlen = o->xlen,
                                                   .core_clock = o->core_clock,
                                                   .delegated = (uint32_t)o->delegated,
                                                   .branches = o->branches,
                                                   .smepmp = machine->smepmp,
                                                   .ebb = machine->ebb,
                                                   .host = o->program || o->files};
    const struct devicetree_chosen chosen = {o->append, initrd->start, initrd->end};
    if (o->dtb) {
        if (!read_dtb(machine, o->dtb, error))
            return false;
    } else {
        machine->dtb = devicetree_build(&description, &machine->dtb_size);
        if (!machine->dtb)
            return error_set(error, "device tree: not enough memory");
    }
    if (!o->append && initrd->start == initrd->end)
        return true;
    return devicetree_set_chosen(&machine->dtb, &machine->dtb_size, &chosen, error);
}

/* At the top of RAM, below 3 GiB so that 32-bit pointers reach it, with space above for additions of the
 * firmware. */
static bool place_dtb(struct machine *machine, uint64_t *address, struct error *error) {
    struct memory *m = &machine->memory;
    uint64_t top = m->base + m->size;
    const uint64_t need = machine->dtb_size + DEVICETREE_ROOM;
    if (top > 3ull << 30)
        top = 3ull << 30;
    if (need > m->size)
        return error_set(error, "RAM of %llu bytes is too small for the device tree",
                         (unsigned long long)m->size);
    *address = (top - need) & ~(page - 1);
    return memory_place(m, "device tree", *address, machine->dtb, machine->dtb_size, error);
}

/* --- Variables ------------------------------------------------------------------------------- */

/* SYMBOL=VALUE: 64 bits in RAM */
static bool set_variable(struct machine *machine, const char *text, struct error *error) {
    const char *equals = strchr(text, '=');
    char name[128], *end;
    uint64_t address;
    if (!equals || !equals[1] || (size_t)(equals - text) >= sizeof name)
        return error_set(error, "--set '%s': it must be SYMBOL=VALUE", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    errno = 0;
    const uint64_t value = strtoull(equals + 1, &end, 0);
    if (*end || errno)
        return error_set(error, "--set '%s': not a number of 64 bits", text);
    const struct memory *m = &machine->memory;
    if (!symbols_find(&machine->symbols, name, &address))
        return error_set(error, "--set: no program has the symbol %s", name);
    if (!memory_is_used(m, address, sizeof value))
        return error_set(error, "--set: %s is not in what a program has of RAM", name);
    bytes_put(m->bytes + (address - m->base), value, sizeof value);
    return true;
}

/* --- A program in U-mode ------------------------------------------------------------------------- */

/* The lowest start of a loaded image above `end` */
static uint64_t free_until(const struct memory *m, uint64_t end) {
    uint64_t until = m->base + m->size;
    for (unsigned i = 0; i < m->used_n; i++) {
        if (m->used[i].start >= end && m->used[i].start < until)
            until = m->used[i].start;
    }
    return until;
}

static bool load_user(struct machine *machine, const struct options *o, struct image *image,
                      struct error *error) {
    enum { FLOAT_ABI = 6 };
    if (!load_program(machine, o->program, 0, image, error))
        return false;
    if (!image->segments_n)
        return error_set(error, "%s: --program needs an ELF file", o->program);
    if (image->elf_flags & FLOAT_ABI)
        return error_set(error,
                         "%s: uses floating-point registers, which the hart does not have; compile with "
                         "-march=rv64imac -mabi=lp64",
                         o->program);
    return true;
}

/* The description for the supervisor */
static bool describe_user(struct machine *machine, const struct options *o, unsigned time_ratio,
                          const struct image *image, struct error *error) {
    uint64_t *const word = machine->program;
    const uint64_t until = free_until(&machine->memory, image->end) & ~(page - 1);
    const uint64_t left = until > image->end ? until - image->end : 0;
    if (o->stack + o->heap + (64 << 10) > left)
        return error_set(error, "--stack and --heap: %llu bytes of RAM are left for both; -m gives more",
                         (unsigned long long)left);
    word[PROGRAM_ENTRY] = image->entry;
    word[PROGRAM_RAM_END] = until;
    word[PROGRAM_STACK] = o->stack;
    word[PROGRAM_HEAP] = o->heap;
    word[PROGRAM_CLOCK] = o->core_clock / time_ratio;
    word[PROGRAM_SEGMENTS] = image->segments_n;
    machine->program_words = PROGRAM_SEGMENT;
    for (unsigned i = 0; i < image->segments_n; i++) {
        const struct image_segment *s = &image->segment[i];
        word[machine->program_words++] = s->start;
        word[machine->program_words++] = s->end;
        word[machine->program_words++] = s->flags;
    }
    return true;
}

/* --- The machine ------------------------------------------------------------------------------ */

static bool load_all(struct machine *machine, const struct options *o, unsigned time_ratio,
                     struct error *error) {
    struct memory *m = &machine->memory;
    struct image bios = {0}, kernel = {0}, initrd = {0}, user = {0};
    uint64_t dtb = 0;

    if (o->core_clock < time_ratio)
        return error_set(error, "--clock %" PRIu64 ": at least %u, the clocks of a step of mtime",
                         o->core_clock, time_ratio);
    if (o->bios && !load_program(machine, o->bios, m->base, &bios, error))
        return false;
    if (o->kernel) {
        const uint64_t at = o->bios ? align_up(bios.end, kernel_align) : m->base;
        if (!load_program(machine, o->kernel, at, &kernel, error))
            return false;
    }
    if (o->initrd) {
        const uint64_t end = kernel.end > bios.end ? kernel.end : bios.end;
        if (!load_initrd(machine, o->initrd, align_up(end > m->base ? end : m->base, kernel_align), &initrd,
                         error))
            return false;
    }
    if (o->program && !load_user(machine, o, &user, error))
        return false;
    if (!make_dtb(machine, o, time_ratio, &initrd, error) || !place_dtb(machine, &dtb, error))
        return false;
    if (o->program && !describe_user(machine, o, time_ratio, &user, error))
        return false;
    const struct image *program = o->program ? &user : o->kernel ? &kernel : &bios;
    machine->build_id_n = program->build_id_n;
    memcpy(machine->build_id, program->build_id, program->build_id_n);
    symbols_sort(&machine->symbols);
    for (unsigned i = 0; i < o->set.n; i++)
        if (!set_variable(machine, o->set.text[i], error))
            return false;
    write_rom(machine->rom, o->xlen, o->bios ? bios.entry : kernel.entry, dtb, o->bios ? kernel.entry : 0);
    return true;
}

bool machine_load(struct machine *machine, const struct options *o, unsigned time_ratio,
                  struct error *error) {
    memset(machine, 0, sizeof *machine);
    machine->smepmp = !o->no_smepmp;
    machine->ebb = !o->no_ebb;
    machine->memory.base = SOC_RAM_BASE;
    machine->memory.size = o->memory;
    machine->memory.elf_bits = o->xlen;
    machine->memory.bytes = machine_ram(o->memory);
    if (!machine->memory.bytes)
        return error_set(error, "not enough memory for %llu bytes of RAM", (unsigned long long)o->memory);
    if (load_all(machine, o, time_ratio, error))
        return true;
    machine_free(machine);
    return false;
}

void machine_free(struct machine *machine) {
    machine_ram_free(machine->memory.bytes, machine->memory.size);
    machine->memory.bytes = NULL;
    free(machine->dtb);
    machine->dtb = NULL;
    symbols_free(&machine->symbols);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct symbol {
    uint64_t address, size;
    const char *name;
    size_t outer; /* the number, from 1 on, of the symbol before it within whose size it begins; 0: none */
};

/* A section in memory that is not executable: its name in brackets */
struct section {
    uint64_t address, size;
    char *name;
};

struct symbols {
    struct symbol *list;
    size_t n, room;
};

struct program {
    char *path, *copy;
    int fd;
    Elf *elf;
    Dwarf *dwarf;
    uint64_t bias, mask; /* addresses are taken modulo 2^XLEN */
    struct segment *segments;
    size_t segments_n;
    struct symbols code, data;
    uint8_t build_id[BUILD_ID_MAX];
    size_t build_id_n;
    struct section *sections;
    size_t sections_n;
    bool machine;
    struct program *next;
    struct unwinding *unwinding;
};

enum { ANSWERS = 1024 };

/* Call frame information, of .debug_frame and .eh_frame; the last answers, by pc */
struct unwinding {
    Dwarf_CFI *debug, *eh;
    struct answer {
        uint64_t pc;
        struct unwind unwind;
    } answer[ANSWERS];
};

static int by_address(const void *left, const void *right) {
    const struct symbol *a = left, *b = right;
    /* Of several at one address the largest is last, and found; then by name, so that the choice is always
     * the same. */
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return -strcmp(a->name, b->name);
}

static void add_symbol(struct symbols *to, const struct symbol *symbol) {
    if (to->n == to->room)
        to->list = resize(to->list, to->room = to->room * 2 + 64, sizeof *to->list);
    to->list[to->n++] = *symbol;
}

static void read_symbols(struct program *p, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !header->sh_entsize)
        return;
    const size_t n = header->sh_size / header->sh_entsize;
    for (size_t i = 0; i < n; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol))
            return;
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        const char *name = elf_strptr(p->elf, header->sh_link, symbol.st_name);
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS || !name || !*name)
            continue;
        const struct symbol found = {(symbol.st_value + p->bias) & p->mask, symbol.st_size, name, 0};
        /* Labels of assembly have no type; those of the assembler's own making have names that are none. */
        if ((type == STT_FUNC || type == STT_NOTYPE) && *name != '$' && *name != '.')
            add_symbol(&p->code, &found);
        else if (type == STT_OBJECT)
            add_symbol(&p->data, &found);
    }
}

/* Of the nth symbol, from 1 on, and those around it: the one whose size has the address; 0: none */
static size_t around(const struct symbol *list, size_t n, uint64_t address) {
    while (n && address - list[n - 1].address >= list[n - 1].size)
        n = list[n - 1].outer;
    return n;
}

/* Of those in address order. A label inside a function is not a place of its own. */
static void nest(struct symbols *symbols) {
    size_t n = 0;
    for (size_t i = 0; i < symbols->n; i++) {
        struct symbol s = symbols->list[i];
        s.outer = around(symbols->list, n, s.address);
        if (s.size || !s.outer)
            symbols->list[n++] = s;
    }
    symbols->n = n;
}

static void sort_symbols(struct symbols *symbols) {
    if (symbols->n)
        qsort(symbols->list, symbols->n, sizeof *symbols->list, by_address);
    nest(symbols);
}

static void add_section(struct program *p, const GElf_Shdr *header, size_t names) {
    const char *name = elf_strptr(p->elf, names, header->sh_name);
    if (!name || !*name || !header->sh_size)
        return;
    p->sections = resize(p->sections, p->sections_n + 1, sizeof *p->sections);
    struct section *s = &p->sections[p->sections_n++];
    *s = (struct section){(header->sh_addr + p->bias) & p->mask, header->sh_size,
                          resize(NULL, strlen(name) + sizeof "[]", 1)};
    sprintf(s->name, "[%s]", name);
}

static void read_sections(struct program *p) {
    size_t names = 0;
    if (elf_getshdrstrndx(p->elf, &names) != 0)
        return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(p->elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            continue;
        if (header.sh_type == SHT_SYMTAB)
            read_symbols(p, section, &header);
        if (header.sh_flags & SHF_ALLOC && !(header.sh_flags & SHF_EXECINSTR))
            add_section(p, &header, names);
    }
    sort_symbols(&p->code);
    sort_symbols(&p->data);
}

static bool read_segments(struct program *p, struct error *error) {
    size_t n = 0;
    if (elf_getphdrnum(p->elf, &n) != 0)
        n = 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(p->elf, (int)i, &header) || header.p_type != PT_LOAD || !(header.p_flags & PF_X) ||
            !header.p_memsz)
            continue;
        p->segments = resize(p->segments, p->segments_n + 1, sizeof *p->segments);
        p->segments[p->segments_n++] =
            (struct segment){(header.p_vaddr + p->bias) & p->mask, header.p_memsz, header.p_offset};
    }
    return p->segments_n ? true : error_set(error, "%s: no segment that is loaded and executable", p->path);
}

static bool read_dwarf(struct program *p) {
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    p->dwarf = dwarf_begin_elf(p->elf, DWARF_C_READ, NULL);
    return p->dwarf && dwarf_get_units(p->dwarf, NULL, &unit, NULL, NULL, &die, NULL) == 0;
}

static bool read_elf(struct program *p, const char *path, unsigned xlen, bool need_dwarf,
                     struct error *error) {
    GElf_Ehdr header;
    elf_version(EV_CURRENT);
    p->elf = elf_begin(p->fd, ELF_C_READ_MMAP, NULL);
    if (!p->elf || elf_kind(p->elf) != ELF_K_ELF || !gelf_getehdr(p->elf, &header))
        return error_set(error, "%s: not an ELF file", path);
    if (header.e_machine != EM_RISCV)
        return error_set(error, "%s: for another machine (%u) than RISC-V", path, header.e_machine);
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return error_set(error, "%s: not an executable: link it first", path);
    if (gelf_getclass(p->elf) != (xlen == 64 ? ELFCLASS64 : ELFCLASS32))
        return error_set(error, "%s: is RV%d, the records are of RV%u", path,
                         gelf_getclass(p->elf) == ELFCLASS64 ? 64 : 32, xlen);
    if (!read_segments(p, error))
        return false;
    read_sections(p);
    if (!read_dwarf(p) && need_dwarf)
        return error_set(error, "%s: no DWARF, and so no lines: compile it with -g, and do not strip it",
                         path);
    p->unwinding = resize(NULL, 1, sizeof *p->unwinding);
    *p->unwinding =
        (struct unwinding){.debug = p->dwarf ? dwarf_getcfi(p->dwarf) : NULL, .eh = dwarf_getcfi_elf(p->elf)};
    const void *id = NULL;
    const ssize_t n = dwelf_elf_gnu_build_id(p->elf, &id);
    if (n > 0 && n <= BUILD_ID_MAX) {
        memcpy(p->build_id, id, (size_t)n);
        p->build_id_n = (size_t)n;
    }
    return true;
}

static struct program *open_file(const char *path, unsigned xlen, uint64_t bias, bool need_dwarf,
                                 struct error *error) {
    struct program *p = resize(NULL, 1, sizeof *p);
    *p = (struct program){.bias = bias, .mask = xlen == 64 ? ~0ull : 0xffffffff};
    p->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    p->path = p->fd < 0 ? NULL : realpath(path, NULL);
    if (!p->path)
        error_set(error, "%s: %s", path, strerror(errno));
    else if (read_elf(p, path, xlen, need_dwarf, error))
        return p;
    program_close(p);
    return NULL;
}

struct program *program_open(const char *path, unsigned xlen, uint64_t bias, struct error *error) {
    return open_file(path, xlen, bias, true, error);
}

/* The first segment that the files have both of, NULL: none */
static const struct segment *common(const struct program *a, const struct program *b) {
    for (size_t i = 0; i < a->segments_n; i++) {
        for (size_t k = 0; k < b->segments_n; k++) {
            if (a->segments[i].address - b->segments[k].address < b->segments[k].size ||
                b->segments[k].address - a->segments[i].address < a->segments[i].size)
                return &a->segments[i];
        }
    }
    return NULL;
}

bool program_add(struct program *p, const char *path, unsigned xlen, bool machine, struct error *error) {
    struct program *other = open_file(path, xlen, 0, false, error);
    if (!other)
        return false;
    other->machine = machine;
    for (;; p = p->next) {
        if (common(p, other)) {
            error_set(error, "%s: its code is where %s has its own, at 0x%" PRIx64, path, p->path,
                      common(p, other)->address);
            program_close(other);
            return false;
        }
        if (!p->next)
            break;
    }
    p->next = other;
    return true;
}

struct program *program_next(const struct program *p) {
    return p->next;
}

void program_close(struct program *p) {
    if (p->next)
        program_close(p->next);
    for (size_t i = 0; i < p->sections_n; i++)
        free(p->sections[i].name);
    free(p->sections);
    free(p->copy);
    if (p->unwinding && p->unwinding->eh)
        dwarf_cfi_end(p->unwinding->eh);
    free(p->unwinding);
    if (p->dwarf)
        dwarf_end(p->dwarf);
    if (p->elf)
        elf_end(p->elf);
    if (p->fd >= 0)
        close(p->fd);
    free(p->segments);
    free(p->code.list);
    free(p->data.list);
    free(p->path);
    free(p);
}

const char *program_path(const struct program *p) { return p->path; }

const char *program_copy_path(const struct program *p) { return p->copy ? p->copy : p->path; }

void program_set_copy_path(struct program *p, const char *path) {
    free(p->copy);
    const size_t size = strlen(path) + 1;
    p->copy = memcpy(resize(NULL, size, 1), path, size);
}

/* $x, $d, and both with more behind them, as $xrv64i2p0 */
static bool is_mapping(const char *name) {
    return name && name[0] == '$' && (name[1] == 'x' || name[1] == 'd');
}

bool program_without_mapping(const struct program *p, struct buffer *out) {
    size_t size = 0;
    const char *file = elf_rawfile(p->elf, &size);
    const size_t begin = out->size;
    for (Elf_Scn *section = NULL; file && (section = elf_nextscn(p->elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize ||
            header.sh_offset > size || header.sh_size > size - header.sh_offset)
            continue;
        for (size_t i = 0; i < header.sh_size / header.sh_entsize; i++) {
            const size_t at = header.sh_offset + i * header.sh_entsize;
            GElf_Sym symbol;
            if (!gelf_getsym(elf_getdata(section, NULL), (int)i, &symbol) ||
                !is_mapping(elf_strptr(p->elf, header.sh_link, symbol.st_name)))
                continue;
            if (out->size == begin)
                buffer_add(out, file, size);
            memset(out->bytes + begin + at, 0, sizeof(Elf32_Word)); /* st_name is first in both sizes */
        }
    }
    return out->size > begin;
}

const struct segment *program_segments(const struct program *p, size_t *n) {
    *n = p->segments_n;
    return p->segments;
}

const uint8_t *program_build_id(const struct program *p, size_t *n) {
    *n = p->build_id_n;
    return p->build_id;
}

bool program_fits(const struct program *p, const struct records *r, struct error *error) {
    char sampled[2 * BUILD_ID_MAX + 1] = "", ours[2 * BUILD_ID_MAX + 1] = "none";
    if (!r->build_id_n ||
        (r->build_id_n == p->build_id_n && memcmp(r->build_id, p->build_id, r->build_id_n) == 0))
        return true;
    for (size_t i = 0; i < r->build_id_n; i++)
        snprintf(sampled + 2 * i, 3, "%02x", r->build_id[i]);
    for (size_t i = 0; i < p->build_id_n; i++)
        snprintf(ours + 2 * i, 3, "%02x", p->build_id[i]);
    return error_set(error,
                     "%s: not the program that was sampled: its build id is %s, that of the records %s",
                     p->path, ours, sampled);
}

static bool in_code(const struct program *p, uint64_t pc) {
    for (size_t i = 0; i < p->segments_n; i++) {
        if (((pc - p->segments[i].address) & p->mask) < p->segments[i].size)
            return true;
    }
    return false;
}

const struct program *program_at(const struct program *p, uint64_t pc) {
    while (p && !in_code(p, pc))
        p = p->next;
    return p;
}

bool program_is_machine(const struct program *p, uint64_t pc) {
    p = program_at(p, pc);
    return p && p->machine;
}

/* NULL: none */
static const char *section_of(const struct program *p, uint64_t address) {
    for (; p; p = p->next) {
        for (size_t i = 0; i < p->sections_n; i++) {
            if (address - p->sections[i].address < p->sections[i].size)
                return p->sections[i].name;
        }
    }
    return NULL;
}

/* The symbol that holds the address, NULL: none. Assembly often gives no size: then up to the next symbol. */
static const struct symbol *symbol_at(const struct symbols *symbols, uint64_t address) {
    size_t low = 0, high = symbols->n; /* those below `low` begin at the address or before */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (symbols->list[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    if (symbols->list[low - 1].size)
        low = around(symbols->list, low, address);
    return low ? &symbols->list[low - 1] : NULL;
}

const char *program_object(const struct program *p, uint64_t address) {
    for (const struct program *file = p; file; file = file->next) {
        const struct symbol *s = symbol_at(&file->data, address);
        if (s && s->size)
            return s->name;
    }
    return section_of(p, address);
}

uint64_t program_bias(const struct program *p) { return p->bias; }

const char *program_symbol(const struct program *p, uint64_t pc, uint64_t *offset) {
    p = program_at(p, pc);
    const struct symbol *s = p ? symbol_at(&p->code, pc) : NULL;
    *offset = s ? pc - s->address : 0;
    return s ? s->name : NULL;
}

/* ------------------------------------------------------------------------------------------------- DWARF */

static bool find_unit(const struct program *p, Dwarf_Addr pc, Dwarf_Die *found) {
    if (dwarf_addrdie(p->dwarf, pc, found))
        return true;
    /* No table of addresses: ask every unit. */
    Dwarf_CU *unit = NULL;
    while (dwarf_get_units(p->dwarf, unit, &unit, NULL, NULL, found, NULL) == 0) {
        if (dwarf_haspc(found, pc) == 1)
            return true;
    }
    return false;
}

/* Below `parent`: the function, or one inlined into it, that holds pc; blocks and name spaces are passed
 * through. */
static bool find_function(Dwarf_Die *parent, Dwarf_Addr pc, Dwarf_Die *found, unsigned depth) {
    Dwarf_Die child;
    if (depth > 64 || dwarf_child(parent, &child) != 0)
        return false;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
            if (dwarf_haspc(&child, pc) == 1) {
                *found = child;
                return true;
            }
            break;
        case DW_TAG_lexical_block:
            if (dwarf_haspc(&child, pc) == 1 && find_function(&child, pc, found, depth + 1))
                return true;
            break;
        case DW_TAG_namespace:
            if (find_function(&child, pc, found, depth + 1))
                return true;
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static const char *name_of(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
    return name && *name ? name : NULL;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    return dwarf_formudata(dwarf_attr(die, name, &attribute), &value) == 0 ? value : 0;
}

/* From where `inlined` was called. */
static void call_site(Dwarf_Die *unit, Dwarf_Die *inlined, struct frame *frame) {
    Dwarf_Files *files;
    size_t n;
    const Dwarf_Word file = number_of(inlined, DW_AT_call_file);
    frame->line = (int)number_of(inlined, DW_AT_call_line);
    frame->file =
        dwarf_getsrcfiles(unit, &files, &n) == 0 && file < n ? dwarf_filesrc(files, file, NULL, NULL) : NULL;
}

/* Is the register's value of the caller in memory? *at: where, from the frame's end on */
static bool in_memory(Dwarf_Frame *frame, int reg, uint64_t *at) {
    Dwarf_Op room[3], *ops;
    size_t n = 0;
    if (dwarf_frame_register(frame, reg, room, &ops, &n) != 0 || n == 0)
        return false;
    *at =
        n == 2 && ops[0].atom == DW_OP_call_frame_cfa && ops[1].atom == DW_OP_plus_uconst ? ops[1].number : 0;
    return true;
}

static bool read_unwind(Dwarf_CFI *cfi, Dwarf_Addr address, struct unwind *u) {
    enum { RA = 1, SP = 2, FP = 8 };
    Dwarf_Frame *frame;
    Dwarf_Op *cfa;
    size_t n = 0;
    uint64_t ra_at;
    if (!cfi || dwarf_cfi_addrframe(cfi, address, &frame) != 0)
        return false;
    if (dwarf_frame_cfa(frame, &cfa, &n) == 0 && n == 1 && cfa->atom == DW_OP_bregx) {
        u->by_fp = cfa->number == FP;
        u->by_sp = cfa->number == SP;
        u->offset = cfa->number2;
    }
    u->ra_saved = in_memory(frame, RA, &ra_at);
    u->fp_saved = in_memory(frame, FP, &u->fp_at);
    free(frame);
    return true;
}

struct unwind program_unwind(const struct program *p, uint64_t pc) {
    struct unwind unwind = {0};
    p = program_at(p, pc);
    if (!p)
        return unwind;
    struct unwinding *u = p->unwinding;
    struct answer *answer = &u->answer[pc / 2 % ANSWERS];
    if (answer->pc != pc) {
        const Dwarf_Addr address = (pc - p->bias) & p->mask;
        if (!read_unwind(u->debug, address, &unwind))
            read_unwind(u->eh, address, &unwind);
        *answer = (struct answer){pc, unwind};
    }
    return answer->unwind;
}

uint32_t program_instruction(const struct program *p, uint64_t pc) {
    size_t size = 0;
    p = program_at(p, pc);
    const char *file = p ? elf_rawfile(p->elf, &size) : NULL;
    for (size_t i = 0; file && i < p->segments_n; i++) {
        const struct segment *s = &p->segments[i];
        const uint64_t in = (pc - s->address) & p->mask, at = s->offset + in;
        if (in < s->size && at >= in && at + 4 > at && at + 4 <= size) {
            const uint8_t *b = (const uint8_t *)file + at;
            return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        }
    }
    return 0;
}

size_t program_frames(const struct program *p, uint64_t pc, struct frame *frames) {
    uint64_t offset;
    const char *symbol = program_symbol(p, pc, &offset);
    Dwarf_Die unit, die;
    const char *section = symbol ? NULL : section_of(p, pc);
    struct frame leaf = {symbol ? symbol : section ? section : "[unknown]", NULL, 0};
    p = program_at(p, pc);
    const Dwarf_Addr address = p ? (pc - p->bias) & p->mask : 0;
    if (!p || !p->dwarf || !find_unit(p, address, &unit)) {
        frames[0] = leaf;
        return 1;
    }
    Dwarf_Line *line = dwarf_getsrc_die(&unit, address);
    if (line) {
        leaf.file = dwarf_linesrc(line, NULL, NULL);
        dwarf_lineno(line, &leaf.line);
    }
    /* From the outermost function inwards; turned round at the end. */
    size_t n = 0;
    Dwarf_Die parent = unit;
    while (n < FRAMES_MAX && find_function(&parent, address, &die, 0)) {
        if (n > 0)
            call_site(&unit, &die, &frames[n - 1]);
        const char *name = name_of(&die);
        frames[n++] = (struct frame){name ? name : leaf.function, NULL, 0};
        parent = die;
    }
    if (n == 0)
        frames[n++] = leaf;
    frames[n - 1].file = leaf.file;
    frames[n - 1].line = leaf.line;
    for (size_t i = 0; i < n / 2; i++) {
        const struct frame swap = frames[i];
        frames[i] = frames[n - 1 - i];
        frames[n - 1 - i] = swap;
    }
    return n;
}

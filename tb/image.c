// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <gelf.h>
#include <libelf.h>
#include <string.h>

static bool in_memory(const struct memory *m, uint64_t address, uint64_t size) {
    return address >= m->base && address - m->base <= m->size && size <= m->size - (address - m->base);
}

static const struct extent *overlap(const struct extent *list, unsigned n, uint64_t start, uint64_t end) {
    for (unsigned i = 0; i < n; i++) {
        if (start < list[i].end && list[i].start < end)
            return &list[i];
    }
    return NULL;
}

bool memory_is_used(const struct memory *m, uint64_t address, uint64_t size) {
    const struct extent *at = overlap(m->used, m->used_n, address, address + 1);
    return at && at->end - address >= size;
}

/* May [address, address + size) be used by `name`? */
static bool check_free(const struct memory *m, const char *name, uint64_t address, uint64_t size,
                       struct error *error) {
    if (!in_memory(m, address, size))
        return error_set(error, "%s: 0x%llx..0x%llx is outside RAM (0x%llx..0x%llx)", name,
                         (unsigned long long)address, (unsigned long long)(address + size - 1),
                         (unsigned long long)m->base, (unsigned long long)(m->base + m->size - 1));
    const struct extent *other = overlap(m->used, m->used_n, address, address + size);
    if (other)
        return error_set(error, "%s: 0x%llx..0x%llx overlaps %s", name, (unsigned long long)address,
                         (unsigned long long)(address + size - 1), other->name);
    if (m->used_n == MEMORY_EXTENTS)
        return error_set(error, "%s: too many pieces in memory", name);
    return true;
}

static void occupy(struct memory *m, const char *name, uint64_t address, uint64_t size) {
    m->used[m->used_n++] = (struct extent){address, address + size, name};
}

bool memory_place(struct memory *m, const char *name, uint64_t address, const void *bytes, uint64_t size,
                  struct error *error) {
    if (size == 0)
        return error_set(error, "%s: empty", name);
    if (!check_free(m, name, address, size, error))
        return false;
    memcpy(m->bytes + (address - m->base), bytes, size);
    occupy(m, name, address, size);
    return true;
}

/* --- ELF -------------------------------------------------------------------------------------- */

struct segments {
    GElf_Phdr load[IMAGE_SEGMENTS];
    unsigned n;
};

bool image_is_elf(const struct file *file) {
    return file->size >= SELFMAG && memcmp(file->bytes, ELFMAG, SELFMAG) == 0;
}

static bool check_machine(const struct memory *m, const struct file *file, struct error *error) {
    const uint8_t *ident = file->bytes;
    if (file->size < EI_NIDENT)
        return error_set(error, "%s: cut short in the ELF header", file->path);
    if (ident[EI_CLASS] != (m->elf_bits == 32 ? ELFCLASS32 : ELFCLASS64))
        return error_set(error, "%s: not a %u-bit ELF file", file->path, m->elf_bits);
    if (ident[EI_DATA] != ELFDATA2LSB)
        return error_set(error, "%s: not a little-endian ELF file", file->path);
    if (file->size < (m->elf_bits == 32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr)))
        return error_set(error, "%s: cut short in the ELF header", file->path);
    return true;
}

static bool check_header(const struct memory *m, const struct file *file, const GElf_Ehdr *header,
                         struct error *error) {
    const size_t entry = m->elf_bits == 32 ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr);
    if (header->e_machine != EM_RISCV)
        return error_set(error, "%s: for another machine (ELF machine %u, RISC-V is %u)", file->path,
                         header->e_machine, EM_RISCV);
    if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
        return error_set(error, "%s: not an executable (ELF type %u)", file->path, header->e_type);
    if (header->e_phnum == 0 || header->e_phentsize != entry)
        return error_set(error, "%s: no program headers", file->path);
    if (header->e_phoff > file->size || (file->size - header->e_phoff) / entry < header->e_phnum)
        return error_set(error, "%s: cut short in the program headers", file->path);
    return true;
}

static bool check_segment(const struct memory *m, const struct file *file, const struct segments *list,
                          const GElf_Phdr *p, struct error *error) {
    if (p->p_filesz > p->p_memsz)
        return error_set(error, "%s: a segment is larger in the file than in memory", file->path);
    if (p->p_offset > file->size || p->p_filesz > file->size - p->p_offset)
        return error_set(
            error, "%s: cut short: segment at 0x%llx needs %llu bytes from offset %llu of a file of %zu",
            file->path, (unsigned long long)p->p_paddr, (unsigned long long)p->p_filesz,
            (unsigned long long)p->p_offset, file->size);
    if (!check_free(m, file->path, p->p_paddr, p->p_memsz, error))
        return false;
    for (unsigned i = 0; i < list->n; i++) {
        const GElf_Phdr *q = &list->load[i];
        if (p->p_paddr < q->p_paddr + q->p_memsz && q->p_paddr < p->p_paddr + p->p_memsz)
            return error_set(error, "%s: segments overlap at 0x%llx", file->path,
                             (unsigned long long)(p->p_paddr > q->p_paddr ? p->p_paddr : q->p_paddr));
    }
    if (list->n == IMAGE_SEGMENTS || m->used_n + list->n >= MEMORY_EXTENTS)
        return error_set(error, "%s: too many segments", file->path);
    return true;
}

static bool collect_segments(const struct memory *m, const struct file *file, Elf *elf,
                             const GElf_Ehdr *header, struct segments *list, struct error *error) {
    list->n = 0;
    for (int i = 0; i < header->e_phnum; i++) {
        GElf_Phdr p;
        if (!gelf_getphdr(elf, i, &p))
            return error_set(error, "%s: bad program headers: %s", file->path, elf_errmsg(-1));
        if (p.p_type == PT_INTERP)
            return error_set(error, "%s: dynamically linked; a static executable is needed", file->path);
        if (p.p_type != PT_LOAD || p.p_memsz == 0)
            continue;
        if (!check_segment(m, file, list, &p, error))
            return false;
        list->load[list->n++] = p;
    }
    if (list->n == 0)
        return error_set(error, "%s: nothing to load", file->path);
    return true;
}

/* The GNU build id, if a PT_NOTE has one */
static void find_build_id(const struct file *file, Elf *elf, struct image *image) {
    enum { NT_BUILD_ID = 3 };
    size_t n;
    GElf_Phdr p;
    if (elf_getphdrnum(elf, &n) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_NOTE || p.p_offset > file->size ||
            p.p_filesz > file->size - p.p_offset)
            continue;
        Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)p.p_offset, p.p_filesz, ELF_T_NHDR);
        size_t at = 0, name, id;
        GElf_Nhdr note;
        while (data && (at = gelf_getnote(data, at, &note, &name, &id)) > 0) {
            if (note.n_type != NT_BUILD_ID || note.n_namesz != 4 || note.n_descsz > IMAGE_BUILD_ID ||
                memcmp((const char *)data->d_buf + name, "GNU", 4) != 0)
                continue;
            image->build_id_n = note.n_descsz;
            memcpy(image->build_id, (const char *)data->d_buf + id, note.n_descsz);
            return;
        }
    }
}

/* The entry point's physical address; an entry given as a virtual address (Linux's vmlinux) is translated. */
static bool find_entry(const struct file *file, const struct segments *list, uint64_t entry, uint64_t *out,
                       struct error *error) {
    for (unsigned i = 0; i < list->n; i++) {
        const GElf_Phdr *p = &list->load[i];
        if (entry >= p->p_vaddr && entry - p->p_vaddr < p->p_memsz) {
            *out = entry - p->p_vaddr + p->p_paddr;
            if (*out & 1)
                return error_set(error, "%s: odd entry point 0x%llx", file->path, (unsigned long long)entry);
            return true;
        }
    }
    return error_set(error, "%s: entry point 0x%llx is in no segment", file->path, (unsigned long long)entry);
}

static void copy_segments(struct memory *m, const struct file *file, const struct segments *list,
                          struct image *image) {
    image->start = UINT64_MAX;
    image->end = 0;
    image->segments_n = list->n;
    for (unsigned i = 0; i < list->n; i++) {
        const GElf_Phdr *p = &list->load[i];
        uint8_t *to = m->bytes + (p->p_paddr - m->base);
        if (p->p_filesz)
            memcpy(to, file->bytes + p->p_offset, p->p_filesz);
        memset(to + p->p_filesz, 0, p->p_memsz - p->p_filesz);
        occupy(m, file->path, p->p_paddr, p->p_memsz);
        image->segment[i] = (struct image_segment){p->p_paddr, p->p_paddr + p->p_memsz, p->p_flags};
        if (p->p_paddr < image->start)
            image->start = p->p_paddr;
        if (p->p_paddr + p->p_memsz > image->end)
            image->end = p->p_paddr + p->p_memsz;
    }
}

bool image_load_elf(struct memory *m, const struct file *file, struct image *image, struct error *error) {
    struct segments list;
    GElf_Ehdr header;
    bool ok = false;

    if (!check_machine(m, file, error))
        return false;
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)file->bytes, file->size);
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header)) {
        error_set(error, "%s: bad ELF header: %s", file->path, elf_errmsg(-1));
        goto out;
    }
    if (!check_header(m, file, &header, error) || !collect_segments(m, file, elf, &header, &list, error) ||
        !find_entry(file, &list, header.e_entry, &image->entry, error))
        goto out;
    image->elf_flags = header.e_flags;
    copy_segments(m, file, &list, image);
    find_build_id(file, elf, image);
    ok = true;
out:
    elf_end(elf);
    return ok;
}

/* --- Raw -------------------------------------------------------------------------------------- */

static uint64_t le64(const uint8_t *p) {
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 8 | p[i];
    return v;
}

bool image_linux_header(const struct file *file, uint64_t *offset, uint64_t *size) {
    /* Documentation/arch/riscv/boot-image-header.rst: text_offset 8, image_size 16, magic2 "RSC\5" 56 */
    if (file->size < 64 || memcmp(file->bytes + 56, "RSC\5", 4) != 0)
        return false;
    *offset = le64(file->bytes + 8);
    *size = le64(file->bytes + 16);
    return true;
}

bool image_load_raw(struct memory *m, const struct file *file, uint64_t address, uint64_t occupied,
                    struct image *image, struct error *error) {
    if (occupied < file->size)
        occupied = file->size;
    if (!check_free(m, file->path, address, occupied, error))
        return false;
    memcpy(m->bytes + (address - m->base), file->bytes, file->size);
    occupy(m, file->path, address, occupied);
    *image = (struct image){.entry = address, .start = address, .end = address + occupied};
    return true;
}

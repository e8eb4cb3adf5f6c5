// SPDX-License-Identifier: Apache-2.0
/* Small ELF executables for tests: correct ones, to be damaged by the caller. */
#ifndef TALLY_ELF_MAKER_H
#define TALLY_ELF_MAKER_H

#include <elf.h>
#include <stdint.h>
#include <string.h>

enum { MAKER_SEGMENTS = 4, MAKER_DATA = 256, MAKER_SIZE = 4096 };

/* Linux's image header has this at 56. */
static const uint8_t linux_magic[4] = {'R', 'S', 'C', 5};

struct maker {
    uint8_t bytes[MAKER_SIZE];
    size_t size;
};

static inline Elf64_Ehdr *maker_header(struct maker *m) { return (void *)m->bytes; }

static inline Elf64_Phdr *maker_segment(struct maker *m, unsigned i) {
    return (void *)(m->bytes + sizeof(Elf64_Ehdr) + i * sizeof(Elf64_Phdr));
}

/* `n` segments of MAKER_DATA bytes (byte k of segment i is i * 16 + k) and as much bss, at 0x80000000 + i *
 * 0x1000; the symbol "start" at the entry. */
static inline void maker_good(struct maker *m, unsigned n) {
    static const char names[] = "\0.strtab\0.symtab\0start";
    memset(m, 0, sizeof *m);
    Elf64_Ehdr *h = maker_header(m);
    memcpy(h->e_ident, ELFMAG, SELFMAG);
    h->e_ident[EI_CLASS] = ELFCLASS64;
    h->e_ident[EI_DATA] = ELFDATA2LSB;
    h->e_ident[EI_VERSION] = EV_CURRENT;
    h->e_type = ET_EXEC;
    h->e_machine = EM_RISCV;
    h->e_version = EV_CURRENT;
    h->e_entry = 0x80000010;
    h->e_phoff = sizeof *h;
    h->e_ehsize = sizeof *h;
    h->e_phentsize = sizeof(Elf64_Phdr);
    h->e_phnum = (Elf64_Half)n;
    h->e_shentsize = sizeof(Elf64_Shdr);
    size_t at = sizeof *h + MAKER_SEGMENTS * sizeof(Elf64_Phdr);
    for (unsigned i = 0; i < n; i++) {
        *maker_segment(m, i) = (Elf64_Phdr){.p_type = PT_LOAD,
                                            .p_flags = PF_R | PF_X,
                                            .p_offset = at,
                                            .p_vaddr = 0x80000000u + i * 0x1000,
                                            .p_paddr = 0x80000000u + i * 0x1000,
                                            .p_filesz = MAKER_DATA,
                                            .p_memsz = 2 * MAKER_DATA,
                                            .p_align = 16};
        for (unsigned k = 0; k < MAKER_DATA; k++)
            m->bytes[at + k] = (uint8_t)(i * 16 + k);
        at += MAKER_DATA;
    }
    const size_t strings = at, symbols = at + 32, sections = symbols + 2 * sizeof(Elf64_Sym);
    memcpy(m->bytes + strings, names, sizeof names);
    Elf64_Sym *s = (void *)(m->bytes + symbols);
    s[1] = (Elf64_Sym){.st_name = 17,
                       .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                       .st_shndx = 1,
                       .st_value = 0x80000010,
                       .st_size = 64};
    Elf64_Shdr *x = (void *)(m->bytes + sections);
    x[1] = (Elf64_Shdr){.sh_name = 1,
                        .sh_type = SHT_STRTAB,
                        .sh_offset = strings,
                        .sh_size = sizeof names,
                        .sh_addralign = 1};
    x[2] = (Elf64_Shdr){.sh_name = 9,
                        .sh_type = SHT_SYMTAB,
                        .sh_offset = symbols,
                        .sh_size = 2 * sizeof *s,
                        .sh_link = 1,
                        .sh_info = 1,
                        .sh_entsize = sizeof *s,
                        .sh_addralign = 8};
    h->e_shoff = sections;
    h->e_shnum = 3;
    h->e_shstrndx = 1;
    m->size = sections + 3 * sizeof *x;
}

#endif

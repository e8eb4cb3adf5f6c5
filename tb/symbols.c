// SPDX-License-Identifier: Apache-2.0
#include "symbols.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

static bool wanted(const GElf_Sym *sym, const char *name) {
    const unsigned type = GELF_ST_TYPE(sym->st_info);
    if (!name || !*name || *name == '$' || strncmp(name, ".L", 2) == 0) /* "$x...": mapping symbols */
        return false;
    return sym->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE);
}

static void add_one(struct symbols *s, const GElf_Sym *sym, const char *name) {
    if (s->n == s->room) {
        const size_t room = s->room ? 2 * s->room : 1024;
        struct symbol *list = realloc(s->list, room * sizeof *list);
        if (!list)
            return;
        s->list = list;
        s->room = room;
    }
    char *copy = strdup(name);
    if (!copy)
        return;
    s->list[s->n++] = (struct symbol){sym->st_value, sym->st_size, copy,
                                      GELF_ST_TYPE(sym->st_info) != STT_OBJECT && sym->st_shndx != SHN_ABS};
}

static void add_table(struct symbols *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || header->sh_entsize != sizeof(Elf64_Sym))
        return;
    const size_t n = data->d_size / sizeof(Elf64_Sym);
    for (size_t i = 0; i < n && i < INT32_MAX; i++) {
        GElf_Sym sym;
        if (!gelf_getsym(data, (int)i, &sym))
            return;
        const char *name = elf_strptr(elf, header->sh_link, sym.st_name);
        if (wanted(&sym, name))
            add_one(s, &sym, name);
    }
}

void symbols_add(struct symbols *s, const struct file *file) {
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)file->bytes, file->size);
    if (!elf)
        return;
    GElf_Ehdr ehdr;
    if (elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &ehdr) && ehdr.e_ident[EI_CLASS] == ELFCLASS64) {
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
            GElf_Shdr header;
            if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
                add_table(s, elf, section, &header);
        }
    }
    elf_end(elf);
}

/* At one address the largest symbol is last, so that a search backwards finds it first. */
static int by_address(const void *a, const void *b) {
    const struct symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return strcmp(y->name, x->name);
}

void symbols_sort(struct symbols *s) {
    if (s->n)
        qsort(s->list, s->n, sizeof *s->list, by_address);
}

void symbols_free(struct symbols *s) {
    for (size_t i = 0; i < s->n; i++)
        free(s->list[i].name);
    free(s->list);
    memset(s, 0, sizeof *s);
}

bool symbols_find(const struct symbols *s, const char *name, uint64_t *address) {
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->list[i].name, name) == 0) {
            *address = s->list[i].address;
            return true;
        }
    }
    return false;
}

const char *symbols_name(const struct symbols *s, uint64_t address, char *text, size_t size) {
    size_t low = 0, high = s->n;
    if (size)
        text[0] = '\0';
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->list[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t back = 0; low > 0 && back < 64; back++) {
        const struct symbol *x = &s->list[--low];
        const uint64_t offset = address - x->address;
        if (!x->code || (x->size && offset >= x->size) || (!x->size && offset >= 0x10000))
            continue;
        if (offset)
            snprintf(text, size, "%s+0x%llx", x->name, (unsigned long long)offset);
        else
            snprintf(text, size, "%s", x->name);
        break;
    }
    return text;
}
